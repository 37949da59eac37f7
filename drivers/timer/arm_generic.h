/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arm's generic timer: system registers, a counter and a compare value of 64 bits. The kernel's
 * clock has 32 (drivers/timer.h), so the alarm is put back into 64 here: it is at most 2^31
 * ahead, so the difference says which it is, without reading a high half that may just change.
 */
#ifndef FOLIOT_DRIVERS_TIMER_ARM_GENERIC_H
#define FOLIOT_DRIVERS_TIMER_ARM_GENERIC_H

#include <stdint.h>

/*
 * In EL2's host regime these names are those of a timer of EL2's own, whose line is on few
 * machines.
 */
#if defined(CONFIG_AARCH64_EL2) && defined(CONFIG_AARCH64_VHE)
#define ARM_GENERIC_CTL  "cntv_ctl_el02"
#define ARM_GENERIC_CVAL "cntv_cval_el02"
#else
#define ARM_GENERIC_CTL  "cntv_ctl_el0"
#define ARM_GENERIC_CVAL "cntv_cval_el0"
#endif

static inline uint64_t arm_generic_count(void)
{
	uint64_t count;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(count)::"memory");
	return count;
}

static inline uint32_t timer_cycles(void)
{
	return (uint32_t)arm_generic_count();
}

static inline void arm_generic_compare(uint64_t count)
{
	__asm__ volatile("msr " ARM_GENERIC_CVAL ", %0" ::"r"(count) : "memory");
}

/*
 * Not by CNTV_TVAL_EL0, though it takes just such a difference: the counter may go on before
 * that is written, and the alarm would be late.
 */
static inline void timer_alarm(uint32_t cycle)
{
	uint64_t now = arm_generic_count();
	int32_t ahead = (int32_t)(cycle - (uint32_t)now);

	arm_generic_compare(ahead > 0 ? now + (uint32_t)ahead : now);
}

#endif /* FOLIOT_DRIVERS_TIMER_ARM_GENERIC_H */
