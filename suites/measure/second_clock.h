/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A clock beside the one that measures, to tell its rate. Which one it is depends on
 * the architecture: arch/NAME/suites/second_clock.c, or second_clock_kernel.c where there is none.
 */
#ifndef MEASURE_SECOND_CLOCK_H
#define MEASURE_SECOND_CLOCK_H

#include <stdint.h>

/* Start it; returns its rate in Hz. It wraps at second_clock_mask. */
uint32_t second_clock_start(void);
uint32_t second_clock_read(void);
void second_clock_stop(void);

extern const uint32_t second_clock_mask;

#endif /* MEASURE_SECOND_CLOCK_H */
