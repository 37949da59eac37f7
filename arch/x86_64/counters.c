/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fixed-function counter that a PC's suites measure by (CONFIG_X86_64_COUNTS_CLOCKS,
 * _INSTRUCTIONS): counting in every ring, by arch_cycles(). A core that does not offer it measures
 * nothing: the image says so, and ends.
 */
#include "kernel/base/kernel.h"
#include "drivers/board_exit.h"
#include "drivers/clock/pc_cpuid.h"
#include "drivers/clock/pc_reported.h"
#include "drivers/uart.h"
#include <foliot/console.h>

#define MSR_FIXED_CONTROL  0x38DU
#define MSR_GLOBAL_CONTROL 0x38FU
#define EVERY_RING         3U /* of a counter's four bits; no interrupt */

/* boot.S calls it. */
void x86_64_counters_init(void);

static void write_msr(uint32_t msr, uint64_t value)
{
	__asm__ volatile("wrmsr" ::"c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
			 : "memory");
}

void x86_64_counters_init(void)
{
	if (!pc_has_counter(pc_ask, ARCH_FIXED_COUNTER)) {
		uart_init();
		printk("This core offers no fixed-function counter %u (CPUID leaf 10): there is "
		       "nothing to measure by\nPROJECT EXECUTION FAILED\n",
		       ARCH_FIXED_COUNTER);
		board_exit(1);
	}
	write_msr(MSR_FIXED_CONTROL, (uint64_t)EVERY_RING << 4U * ARCH_FIXED_COUNTER);
	write_msr(MSR_GLOBAL_CONTROL, 1ULL << (32U + ARCH_FIXED_COUNTER));
}
