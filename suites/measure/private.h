/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the library share. */
#ifndef MEASURE_PRIVATE_H
#define MEASURE_PRIVATE_H

#include <board.h>
#include <measure.h>
#include <measure_record.h>

/* BOARD_CYCLES_NUM ticks of the counter are BOARD_CYCLES_DEN cycles or instructions. */
#define TICKS_NUM       ((uint64_t)BOARD_CYCLES_NUM)
#define TICKS_DEN       ((uint64_t)BOARD_CYCLES_DEN)
#define TICKS_ARE_UNITS (BOARD_CYCLES_NUM == BOARD_CYCLES_DEN)

/* Counts a second, where it takes the machine to say. */
#ifdef BOARD_CLOCK_FOUND_HZ
#define CLOCK_HZ BOARD_CLOCK_FOUND_HZ
#else
#define CLOCK_HZ BOARD_CLOCK_HZ
#endif

/* A stamp holds the counter's low 32 bits, or all of a shorter counter's. */
#define STAMP_BITS     MIN(BOARD_CYCLES_BITS, 32)
#define STAMP_MASK     ((uint32_t)(((uint64_t)1 << STAMP_BITS) - 1U))
/* Longer, and a window could not be told from one that ends before it begins. */
#define LONGEST_WINDOW (STAMP_MASK / 2U)

/* Ticks from one stamp to another, over at most one wrap. */
static inline uint32_t ticks_between(uint32_t start, uint32_t end)
{
	return (end - start) & STAMP_MASK;
}

/* To the nearest unit. */
static inline uint32_t ticks_to_units(uint32_t ticks)
{
	return (uint32_t)((ticks * TICKS_DEN + TICKS_NUM / 2U) / TICKS_NUM);
}

/* ---- clock.c ---- */

struct clock_facts {
	uint32_t granule_ticks; /* every difference of stamps is a multiple of it */
	uint32_t declared_hz;   /* by the board */
	uint32_t measured_hz;   /* against a second clock */
	const char *failure;    /* why it cannot be trusted, or NULL */
};

/* Test the counter. Takes a few hundredths of a second of the board's time. */
struct clock_facts clock_test(void);

/* ---- measure.c ---- */

/* Print a failure that is not a row's, and fail the run. */
void run_fail(const char *id, const char *text, const char *reason);

/* What figures are in, as the header says it. */
const char *run_unit(void);

/* The overhead of MEASURE_WINDOW in a thread, in units. */
int32_t thread_overhead(void);

/* Count a printed row. */
void run_count_row(void);

/* The clock's granule in units, rounded up; 1 when each unit is resolved. */
uint32_t clock_granule(void);

/* ---- tick.c ---- */

/* Whether the kernel's alarm came since this was last asked. Outside of windows. */
bool tick_came(void);

/* ---- stamps.c ---- */

#ifdef CONFIG_MEASURE_STAMPS
/* Before the first row. */
void stamps_init(void);
/* A row begins; the time between that and its first sample is nobody's. */
void stamps_begin(void);
/* A sample's stamps, to be kept if there is room. */
void stamps_keep(const struct measure_row *row, uint32_t start, uint32_t end);
/* Print those kept of a row, as a record of their own, and forget them. */
void stamps_print(const struct measure_row *row);
#else
static inline void stamps_init(void)
{
}

static inline void stamps_begin(void)
{
}

static inline void stamps_keep(const struct measure_row *row, uint32_t start, uint32_t end)
{
}

static inline void stamps_print(const struct measure_row *row)
{
}
#endif

/* ---- record.c ---- */

/* CRC-32 (the one of zlib) of all machine lines so far, line ends included. */
uint32_t record_crc32(void);

#endif /* MEASURE_PRIVATE_H */
