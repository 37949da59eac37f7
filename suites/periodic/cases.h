/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PERIODIC_CASES_H
#define PERIODIC_CASES_H

#include <measure.h>
#include "units.h"

#define THREADS_MAX 16U

/* The seed's scheduler tick, 8 ms at 125 MHz, in cycles or instructions. */
#define TICK_UNITS 1000000U

/* How thread 0 sends its text. */
enum print_mode { PRINT_SPINNING, PRINT_SLEEPING };

/* One of KernelPerf's test cases. */
struct periodic_case {
	uint8_t number;
	uint8_t threads;
	uint8_t half_rate;      /* the last so many threads run every other tick */
	bool rising_priorities; /* each thread outranks those before it */
	uint32_t tick_units;
	uint16_t load_permille; /* of the tick, threads 1 to 15 together */
	uint16_t overload_permille; /* during the first half of the case; 0: none */
	uint8_t characters;
	enum print_mode print_mode;
	bool needs_uart;
};

extern const struct periodic_case periodic_cases[];
extern const unsigned int periodic_cases_count;

/* Run a case for so many scheduler ticks; print its row and its records. */
void run_case(const struct periodic_case *c, unsigned int ticks);

/* Empty the ring of signals without a word; print the case's record and the ring. */
void signals_forget(void);
void signals_print(uint32_t since);

/* Find out what counting costs here; count for about `units`; how many counts that is. */
void work_calibrate(void);
uint32_t work_counts(uint32_t units);
void work_count(uint32_t counts);

/* Thread 0's output. */
void work_print_init(const struct periodic_case *c, k_ticks_t first);
void work_print(const struct periodic_case *c);

#endif /* PERIODIC_CASES_H */
