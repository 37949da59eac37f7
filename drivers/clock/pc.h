/* SPDX-License-Identifier: Apache-2.0 */
/* What was found of a PC's clocks at start, for the timer's driver. */
#ifndef FOLIOT_DRIVERS_CLOCK_PC_H
#define FOLIOT_DRIVERS_CLOCK_PC_H

#include <stdint.h>

/* 2^32 times what one count is of the other. */
struct pc_scales {
	uint64_t ns_of_tsc;
	uint64_t apic_of_ns;
};

extern struct pc_scales pc_scales;

/* The time stamp counter's rate, Hz. Either context. */
uint32_t pc_clock_hz(void);

#endif /* FOLIOT_DRIVERS_CLOCK_PC_H */
