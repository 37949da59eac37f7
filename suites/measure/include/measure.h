/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What does this piece of code cost? The library behind the suites, and for anybody's
 * own functions: suites/measure/README.md shows the twenty lines that takes.
 *
 * A measurement is a window: a stamp, the code, a stamp. Each sample is one window
 * around one operation; nothing is averaged and nothing is stored between the stamps.
 * The cost of the two stamps is measured in the same context and subtracted, signed.
 * Each row carries evidence, counted sample by sample, that what it names happened;
 * a row whose evidence does not add up is printed as a failure, never as a number.
 *
 * Units: a stamp counts ticks of the board's finest counter. A row is in the board's
 * unit, cycles or instructions ("insn", under an emulator); see BOARD_CYCLES_NUM in
 * board.h for how many ticks one takes.
 *
 * Context of everything here: thread, interrupts open, unless said otherwise.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <foliot/kernel.h>
#include <arch_inline.h>
#include <measure_histogram.h>
#include <measure_sweep.h>

/* ---- a run ---- */

/*
 * Test the clock, measure what stamps cost, print the header. `suite` names the run. A
 * clock that cannot be trusted fails the run, by name.
 */
void measure_begin(const char *suite);

/*
 * Print the closing record and the verdict. Returns 0, or 1 when a row or the clock
 * failed: main() ends with k_exit(measure_end()).
 */
int measure_end(void);

/* Whether rows are in cycles; else they are in instructions. Context: either. */
bool measure_unit_is_cycles(void);

/* ---- windows ---- */

/* When a window began and ended, in ticks of the counter. */
struct measure_window {
	uint32_t start;
	uint32_t end;
};

/* A window's function; see MEASURE_WINDOW. Returns what the statement left in `result`. */
typedef intptr_t (*measure_window_fn)(struct measure_window *window);

/* The counter, now, in ticks. Context: either. */
static inline __attribute__((always_inline)) uint32_t measure_stamp(void)
{
	return arch_cycles();
}

/*
 * Keep the compiler from moving anything from before to behind them or back, not even
 * the loading of an address: to the compiler both are branches.
 */
static inline __attribute__((always_inline)) void measure_fence(void)
{
	__asm__ goto("" : : : "memory" : behind);
behind:
	return;
}

/* The same, and `stamp` has been taken and converted when it is passed. */
static inline __attribute__((always_inline)) void measure_fence_stamp(uint32_t stamp)
{
	__asm__ goto("" : : "r"(stamp) : "memory" : behind);
behind:
	return;
}

/*
 * Define `name`, the function that takes one sample of a statement:
 *
 *     MEASURE_WINDOW(take, result = k_sem_take(&sem, K_NO_WAIT))
 *
 * The window holds the statement as any caller would write it: its arguments loaded,
 * the call, the return. The statement may leave what it returns in `result` (intptr_t).
 * A function to be measured lies in another file or is __noinline, or there is no call.
 * The window is a function of its own, aligned, so that neither the loop around it nor
 * its neighbours in the file change its code. Where the stamps stand in two threads, a
 * window in each gives the ends: see measure_pair().
 */
#define MEASURE_WINDOW(name, ...) MEASURE_WINDOW_(name, sweep_open(), __VA_ARGS__)

/* The same where only its end is of interest, a window of another thread's: no sweep begins. */
#define MEASURE_WINDOW_END(name, ...) MEASURE_WINDOW_(name, (void)0, __VA_ARGS__)

#define MEASURE_WINDOW_(name, open, ...)                                                        \
	static __attribute__((noipa, aligned(CONFIG_MEASURE_WINDOW_ALIGN))) intptr_t name(      \
		struct measure_window *window)                                                  \
	{                                                                                       \
		struct measure_window *volatile kept = window; /* in memory, not moved about */ \
		intptr_t result = 0;                                                            \
		uint32_t start;                                                                 \
		uint32_t end;                                                                   \
                                                                                                \
		open;                                                                           \
		start = measure_stamp();                                                        \
		measure_fence_stamp(start);                                                     \
		__VA_ARGS__;                                                                    \
		measure_fence();                                                                \
		end = measure_stamp();                                                          \
		measure_fence_stamp(end);                                                       \
		sweep_close();                                                                  \
		kept->start = start;                                                            \
		kept->end = end;                                                                \
		return result;                                                                  \
	}

/*
 * What a pair of stamps costs here, in units: the minimum over many runs of a window
 * around nothing, in the caller's own context (mode, masking), for a row's `overhead`.
 * When the samples don't agree the run fails, under this id. Context: either.
 */
int32_t measure_overhead(const char *id, measure_window_fn nothing);

/*
 * Windows from the end of an interrupt handler to a thread. measure_stamp_start() is
 * the last thing that the handler calls, as a tail call: it stamps, stores, returns.
 * The row's overhead is then measure_overhead_stored(), found out in a handler too,
 * since the store lies in the window. Context: either.
 */
void measure_stamp_start(struct measure_window *window);
int32_t measure_overhead_stored(const char *id);

/* ---- rows ---- */

#define MEASURE_EVIDENCE_MAX 6
#define MEASURE_REASON_MAX   96

struct measure_evidence {
	const char *name;
	uint32_t count;
};

/* One row while it is being measured. About 8 KiB: make it static. */
struct measure_row {
	const char *id;
	const char *text;
	int32_t overhead; /* subtracted from each sample, in units */
	uint32_t batch;   /* a sample is the mean of about so many operations; 0: is one */
	uint32_t n;
	int32_t first; /* all from here on net, in units */
	int32_t min;
	int32_t max;
	uint32_t max_index; /* which sample was the longest */
	uint32_t ticks;     /* how many samples a tick came in, or just before */
	bool max_has_tick;  /* the longest is one of them */
	int64_t sum;
	uint64_t raw_sum; /* in ticks, nothing subtracted */
	uint32_t evidences;
	struct measure_evidence evidence[MEASURE_EVIDENCE_MAX];
	char reason[MEASURE_REASON_MAX]; /* why it failed; empty while it has not */
	struct histogram histogram;
};

/*
 * Begin a row. `id` is a word, dots between its parts; both texts have to stay. The
 * overhead is that of MEASURE_WINDOW in a thread unless the caller sets another; a sample is
 * one operation unless the caller sets `batch`.
 */
void measure_row_begin(struct measure_row *row, const char *id, const char *text);

/* One sample, outside of its window: from stamp `start` to stamp `end`. Context: either. */
void measure_add(struct measure_row *row, uint32_t start, uint32_t end);

/*
 * Evidence, outside of the window, once a sample: `happened` says whether what `name`
 * stands for did. At the row's end each name must have been counted in every sample.
 * At most MEASURE_EVIDENCE_MAX names. Context: either.
 */
void measure_witness(struct measure_row *row, const char *name, bool happened);

/* The row is no measurement, and why; the first reason is kept. Context: either. */
void measure_fail(struct measure_row *row, const char *reason);

/* Print the row, or its failure. */
void measure_row_end(struct measure_row *row);

/* ---- patterns: whole rows of CONFIG_MEASURE_SAMPLES samples ---- */

/* An operation and its row. */
struct measure_operation {
	const char *id;
	const char *text;
	measure_window_fn window;
	/* Makes things ready for the window, or NULL. */
	void (*before)(void);
	/*
	 * Judges what the operation did, with measure_witness(). `result` is the window's.
	 * NULL: the row's evidence is only that the call returned.
	 */
	void (*after)(struct measure_row *row, intptr_t result);
};

/* One operation, again and again. */
void measure_single(const struct measure_operation *operation);

/* Two operations in turn, such as put and get: two rows out of one loop. */
void measure_turns(const struct measure_operation *first, const struct measure_operation *second);

/* `wait_q` of who waits in a queue of its own, on its stack. */
#define MEASURE_OWN_QUEUE ((const _wait_q_t *)UINTPTR_MAX)

static inline bool measure_waits_in(const struct k_thread *thread, const _wait_q_t *wait_q)
{
	uintptr_t offset = (uintptr_t)thread->pended_on - (uintptr_t)thread->stack_start;

	return (*(const volatile uint8_t *)&thread->state & K_THREAD_PENDING) != 0 &&
	       (wait_q == MEASURE_OWN_QUEUE ? offset < thread->stack_size
					    : thread->pended_on == wait_q);
}

/*
 * An operation that blocks and the one that ends the wait: two rows that make one full
 * round trip. A thread that outranks the caller runs `wait`; the caller runs `wake`.
 * The row of `wait` lasts from the stamp before the blocking call to the stamp after
 * the caller's own previous call has returned; the row of `wake` from the stamp before
 * the call to the stamp after the waiter's call has returned. Evidence, beside what the
 * operations' after() count: the waiter was really blocked (on `wait_q`, or suspended or
 * asleep where that is NULL), and the CPU changed hands.
 *
 * wait->before() and after() run in the waiter, those of `wake` in the caller, which is
 * preemptible and not of the highest preemptible priority (else both rows fail).
 */
struct measure_pair {
	struct measure_operation wait;
	struct measure_operation wake;
	const _wait_q_t *wait_q;
	/*
	 * CONFIG_USERSPACE: which of them are user threads, and what gives those access to what
	 * they use, or NULL. Their before() and after() run in user mode, and the waker, if it is one, in
	 * a thread of its own, as urgent as the caller. See measure_user.h.
	 */
	bool waiter_is_user;
	bool waker_is_user;
	void (*grant)(k_tid_t thread);
};

void measure_pair(const struct measure_pair *pair);

/* The thread that measure_pair() runs `wait` in, for operations that name it. */
extern struct k_thread measure_waiter;

#endif /* MEASURE_H */
