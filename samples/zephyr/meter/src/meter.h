/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A meter that the kernel's side keeps: user threads read it by system calls of this application's
 * own.
 */
#ifndef METER_H
#define METER_H

#include <zephyr/kernel.h>

struct meter_reading {
	uint32_t count;
	int64_t sum;
};

/* Count `value`, weighted: arguments narrower and wider than a register, and more than four. */
__syscall int meter_add(int64_t value, uint8_t a, uint8_t b, bool negative,
			struct k_sem *changed /* given where it is not NULL */);
__syscall void meter_read(struct meter_reading *reading);
__syscall int64_t meter_sum(void);
__syscall void meter_clear(void);

#include <zephyr/syscalls/meter.h>

#endif /* METER_H */
