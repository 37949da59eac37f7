/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measuring what user threads pay (CONFIG_USERSPACE; without it all of this is nothing, and a
 * suite need not ask).
 *
 * A window is the same function in either mode: its calls arrive at stubs that trap in user
 * mode, and its stamps read the same counter, which user threads are allowed to read
 * (arch_user_cycles()). What a pair of stamps costs is measured in each mode for itself. A window
 * that begins in one mode and ends in the other has the end of one stamp and the beginning of another in
 * it, which nothing can measure apart: such a row is refused unless both modes' pairs cost the
 * same. Rejected: the mean of the two, a figure that nobody ever paid.
 *
 * Who measures is in kernel mode wherever it can be: a single operation is ordered from, and
 * judged by, the thread that calls measure_user_single(), which sees the kernel's data. In pairs
 * (measure_pair() with its `*_is_user`) each thread counts its own samples, in its own mode.
 *
 * Evidence: each sample says that its thread was in user mode; and before anything else a thread made in
 * the same way reads memory of the kernel's, and has to die of it.
 */
#ifndef MEASURE_USER_H
#define MEASURE_USER_H

#include <measure.h>

#ifdef CONFIG_USERSPACE

#include <foliot/mem_domain.h>

/* In front of a variable that windows of user threads read or write, 0 at first. */
#define MEASURE_SHARED K_APP_BMEM(measure_partition)
K_APPMEM_PARTITION_DECLARE(measure_partition);

/* The thread that runs the windows of user mode; more urgent than the caller by one. */
k_tid_t measure_user_thread(void);

/*
 * Once, behind measure_begin(): shared memory and the counter into the default domain, the probe, what
 * stamps cost. What is wrong fails the run, by name.
 */
void measure_user_begin(void);
/*
 * A user thread like those that windows run in reads that word, which is not in its reach, and has to die of it; or
 * the run fails. measure_user_begin() has tried a word of the kernel's.
 */
void measure_user_probe(const volatile uint32_t *word);

/*
 * Make the user thread, and let grant() give it access to what the windows use; and end it. The windows in
 * between run in it, in the order they are asked for. The caller's priority is preemptible, and
 * not the most urgent one.
 */
void measure_user_open(void (*grant)(k_tid_t thread));
void measure_user_close(void);

/* Run one window there; returns its result. False in measure_user_was_user(): not in user mode. */
intptr_t measure_user_call(measure_window_fn function, struct measure_window *window);
bool measure_user_was_user(void);
/* The same in two: a window that blocks goes on when somebody wakes it, and is looked at then. */
void measure_user_call_begin(measure_window_fn function);
intptr_t measure_user_call_end(struct measure_window *window);

/* As measure_single() and measure_turns(); before() and after() are the caller's, in kernel mode. */
void measure_user_single(const struct measure_operation *operation);
void measure_user_turns(const struct measure_operation *first,
			const struct measure_operation *second);

/* Run a user thread from its entry to its end; the caller, as urgent or less, waits for it. */
void measure_user_run(k_thread_entry_t entry, int prio, void (*grant)(k_tid_t thread));

/*
 * The overhead of a window that begins (ends) in user mode, or in kernel mode; `row` fails if
 * it can't be told.
 */
void measure_user_overhead(struct measure_row *row, bool begins_in_user, bool ends_in_user);

#else

#define MEASURE_SHARED

static inline k_tid_t measure_user_thread(void)
{
	return NULL;
}

static inline void measure_user_begin(void)
{
}

static inline void measure_user_open(void (*grant)(k_tid_t thread))
{
}

static inline void measure_user_close(void)
{
}

static inline intptr_t measure_user_call(measure_window_fn function, struct measure_window *window)
{
	return 0;
}

static inline bool measure_user_was_user(void)
{
	return false;
}

static inline void measure_user_call_begin(measure_window_fn function)
{
}

static inline intptr_t measure_user_call_end(struct measure_window *window)
{
	return 0;
}

static inline void measure_user_single(const struct measure_operation *operation)
{
}

static inline void measure_user_turns(const struct measure_operation *first,
				      const struct measure_operation *second)
{
}

static inline void measure_user_run(k_thread_entry_t entry, int prio, void (*grant)(k_tid_t thread))
{
}

static inline void measure_user_overhead(struct measure_row *row, bool begins_in_user,
					 bool ends_in_user)
{
}

#endif /* CONFIG_USERSPACE */

#endif /* MEASURE_USER_H */
