/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An interrupt at every cycle or instruction of every window (CONFIG_MEASURE_SWEEP), for
 * `foliot sweep`. A suite is built with the same rows and evidence, and what a sample measures is
 * how late the interrupt's handler began: see sweep.c. Without the option all of this is nothing.
 */
#ifndef MEASURE_SWEEP_H
#define MEASURE_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

/* Of the lines that suites raise themselves: a sweep's comes in between, where lines nest. */
#define MEASURE_IRQ_PRIO (IS_ENABLED(CONFIG_MEASURE_SWEEP) ? 1 : 0)

struct measure_row;

#ifdef CONFIG_MEASURE_SWEEP

/*
 * A window opens in the running context: the line will rise. Closes: its handler does no more. Both
 * do nothing in user mode: there measure_user_call() does it in front of the call.
 */
void sweep_open(void);
void sweep_close(void);

/* The rows that are being measured have their loop in user mode, where nobody can sweep: none are. */
void sweep_skip(void);

/* Whether sample `i` of the rows that are being measured is wanted. Context: thread. */
bool sweep_wants(uint32_t i);

/* A row begins, has a sample, lacked evidence, ends. */
void sweep_begin(struct measure_row *row);
void sweep_add(struct measure_row *row, uint32_t start, uint32_t end);
void sweep_lacked(const struct measure_row *row, const char *evidence);
void sweep_end(struct measure_row *row);

/* Before the first row. */
void sweep_init(void);

/* False while only the path is asked for, which is measured and traced as any row is. */
bool sweep_is_on(void);

#else

static inline void sweep_open(void)
{
}

static inline void sweep_close(void)
{
}

static inline void sweep_skip(void)
{
}

static inline bool sweep_wants(uint32_t i)
{
	return i < (uint32_t)CONFIG_MEASURE_SAMPLES;
}

static inline void sweep_begin(struct measure_row *row)
{
}

static inline void sweep_add(struct measure_row *row, uint32_t start, uint32_t end)
{
}

static inline void sweep_lacked(const struct measure_row *row, const char *evidence)
{
}

static inline void sweep_end(struct measure_row *row)
{
}

static inline void sweep_init(void)
{
}

static inline bool sweep_is_on(void)
{
	return false;
}

#endif

#endif /* MEASURE_SWEEP_H */
