/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What threads, and the system, execute. At a switch only the thread's own sums are kept
 * (usage.h); the system's follow from the time that has passed and the idle thread's sum.
 *
 * The counter has 32 bits. The clock looks here at least once in 2^30 counts, and what
 * the running thread has executed until then is added to its sum. Its window goes on, but
 * of one so long the last part, after the last look, is missing in the peak.
 */
#include <foliot/errno.h>
#include "kernel/base/kernel.h"
#include "kernel/hooks/thread_cycles.h"

/* A part of a window so long is taken into the sum before the counter wraps, counts. */
#define NEAR_A_WRAP 0x20000000U

static struct {
	const struct k_thread *idle;
	uint64_t elapsed;  /* counts since start, up to elapsed_at */
	uint32_t elapsed_at;
	/* The window that the last look found open, and its length until then. */
	const struct k_thread *long_thread;
	uint32_t long_windows;
	uint64_t long_window;
} usage;

/* The system's: sums of the times it was gathered, and where the present one began. */
static struct {
	uint64_t elapsed;
	uint64_t idle;
	uint64_t elapsed_from;
	uint64_t idle_from;
	uint64_t busy_from; /* not idling, since start; where the open window began */
	uint64_t kept; /* the window that was open when gathering was switched off */
	uint64_t longest;
	uint32_t windows;
	uint32_t idle_windows; /* of the idle thread, when the last window ended */
	bool is_tracked;
} whole;

static uint32_t since_switch(uint32_t now)
{
	return USAGE_BETWEEN(k_cpu.usage_since, USAGE_STAMP(now));
}

static bool is_long_window(const struct k_thread *thread)
{
	return usage.long_thread == thread && usage.long_windows == thread->usage.sums.windows;
}

static uint64_t elapsed_now(uint32_t now)
{
	return usage.elapsed + (uint32_t)(now - usage.elapsed_at);
}

static uint64_t total_now(const struct k_thread *thread, uint32_t now)
{
	return thread->usage.sums.total + (thread == k_cpu.current ? since_switch(now) : 0);
}

/* Of the open window; of a thread that does not run, the one that ended last. */
static uint64_t window_now(const struct k_thread *thread, uint32_t now)
{
	const struct thread_sums *sums = &thread->usage.sums;

	if (thread != k_cpu.current) {
		bool was_long = usage.long_thread == thread &&
				usage.long_windows + 1U == sums->windows;

		return (was_long ? usage.long_window : 0) + sums->last;
	}
	return (is_long_window(thread) ? usage.long_window : 0) + since_switch(now);
}

void usage_sample(void)
{
	struct k_thread *current = k_cpu.current;
	struct thread_sums *sums = &current->usage.sums;
	uint32_t now = arch_cycles();
	uint32_t part = since_switch(now);

	usage.elapsed = elapsed_now(now);
	usage.elapsed_at = now;
	if (part < NEAR_A_WRAP) {
		return; /* the window stays in one piece */
	}
	k_cpu.usage_since = USAGE_STAMP(now);
	if (!is_long_window(current)) {
		usage.long_thread = current;
		usage.long_windows = sums->windows;
		usage.long_window = 0;
	}
	usage.long_window += part;
	sums->total += part;
	if (usage.long_window > sums->longest) {
		sums->longest = (uint32_t)MIN(usage.long_window, UINT32_MAX);
	}
}

/* A window of the system ends where the idle thread comes back. */
void usage_idle(void)
{
	unsigned int key = arch_irq_lock();
	uint32_t now = arch_cycles();
	uint64_t busy = elapsed_now(now) - total_now(usage.idle, now);

	if (whole.idle_windows != usage.idle->usage.sums.windows && whole.is_tracked) {
		whole.longest = MAX(whole.longest, busy - whole.busy_from);
		whole.windows++;
	}
	whole.idle_windows = usage.idle->usage.sums.windows;
	whole.busy_from = busy;
	arch_irq_unlock(key);
}

void usage_start(struct k_thread *idle)
{
	usage.idle = idle;
	usage.elapsed_at = arch_cycles();
	k_cpu.usage_since = USAGE_STAMP(usage.elapsed_at);
	whole.idle_windows = UINT32_MAX; /* the first idling ends a window, too */
	whole.is_tracked = true;
}

void usage_raw(const struct k_thread *thread, struct k_cycle_stats *stats)
{
	uint32_t now = arch_cycles();
	bool is_tracked = thread->usage.is_tracked;
	const struct thread_sums *sums = is_tracked ? &thread->usage.sums : &thread->usage.frozen;
	uint64_t window = is_tracked ? window_now(thread, now) : thread->usage.frozen_window;

	*stats = (struct k_cycle_stats){
		.total = is_tracked ? total_now(thread, now) : sums->total,
		.current = window,
		.longest = MAX((uint64_t)sums->longest, window),
		.num_windows = sums->windows,
		.track_usage = is_tracked,
	};
}

int k_thread_runtime_stats_get(k_tid_t thread, k_thread_runtime_stats_t *stats)
{
	struct k_cycle_stats raw;
	unsigned int key;
	uint32_t windows;

	if (thread == NULL || stats == NULL) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	usage_raw(thread, &raw);
	windows = raw.num_windows + (thread == k_cpu.current ? 1U : 0U);
	arch_irq_unlock(key);
	*stats = (k_thread_runtime_stats_t){
		.execution_cycles = raw.total,
		.total_cycles = raw.total,
		.current_cycles = raw.current,
		.peak_cycles = raw.longest,
		.average_cycles = windows == 0 ? 0 : raw.total / windows,
		.switches = raw.num_windows,
	};
	return 0;
}

/* ---- the whole system ---- */

static void system_at(uint32_t now, uint64_t *elapsed, uint64_t *idle, uint64_t *window)
{
	uint64_t all = elapsed_now(now);
	uint64_t idling = total_now(usage.idle, now);

	*elapsed = whole.elapsed + (whole.is_tracked ? all - whole.elapsed_from : 0);
	*idle = whole.idle + (whole.is_tracked ? idling - whole.idle_from : 0);
	*window = whole.is_tracked ? all - idling - whole.busy_from : whole.kept;
}

/* All of one moment: nothing that belongs together is read at another. */
static void system_now(struct k_cycle_stats *stats, uint64_t *elapsed, uint64_t *idle)
{
	uint64_t window;

	system_at(arch_cycles(), elapsed, idle, &window);
	*stats = (struct k_cycle_stats){
		.total = *elapsed - *idle,
		.current = window,
		.longest = MAX(whole.longest, window),
		.num_windows = whole.windows,
		.track_usage = whole.is_tracked,
	};
}

void usage_system_raw(struct k_cycle_stats *stats)
{
	uint64_t elapsed;
	uint64_t idle;

	system_now(stats, &elapsed, &idle);
}

int k_thread_runtime_stats_all_get(k_thread_runtime_stats_t *stats)
{
	struct k_cycle_stats raw;
	uint64_t elapsed;
	uint64_t idle;
	unsigned int key;

	if (stats == NULL) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	system_now(&raw, &elapsed, &idle);
	arch_irq_unlock(key);
	*stats = (k_thread_runtime_stats_t){
		.execution_cycles = elapsed,
		.total_cycles = elapsed - idle,
		.current_cycles = raw.current,
		.peak_cycles = raw.longest,
		.average_cycles = raw.num_windows == 0 ? 0 : raw.total / raw.num_windows,
		.idle_cycles = idle,
		.switches = raw.num_windows,
	};
	return 0;
}

int k_thread_runtime_stats_cpu_get(int cpu, k_thread_runtime_stats_t *stats)
{
	return cpu == 0 ? k_thread_runtime_stats_all_get(stats) : -EINVAL;
}

/*
 * The window that is open then counts for the peak now, and as one that has ended when it is
 * enabled again.
 */
void k_sys_runtime_stats_disable(void)
{
	unsigned int key = arch_irq_lock();

	system_at(arch_cycles(), &whole.elapsed, &whole.idle, &whole.kept);
	whole.longest = MAX(whole.longest, whole.kept);
	whole.is_tracked = false;
	arch_irq_unlock(key);
}

static void system_begin(void)
{
	uint32_t now = arch_cycles();

	whole.elapsed_from = elapsed_now(now);
	whole.idle_from = total_now(usage.idle, now);
	whole.busy_from = whole.elapsed_from - whole.idle_from;
}

void k_sys_runtime_stats_enable(void)
{
	unsigned int key = arch_irq_lock();

	if (!whole.is_tracked) {
		system_begin();
		whole.windows++;
		whole.is_tracked = true;
	}
	arch_irq_unlock(key);
}

void k_sys_runtime_stats_reset(void)
{
	unsigned int key = arch_irq_lock();

	whole.elapsed = 0;
	whole.idle = 0;
	whole.kept = 0;
	whole.longest = 0;
	whole.windows = 0;
	system_begin();
	arch_irq_unlock(key);
}

/* ---- steering ---- */

/* Take what the running thread has executed into its sum, and begin a window. */
static void restart_window(struct k_thread *thread)
{
	uint32_t now = arch_cycles();

	thread->usage.sums.total = total_now(thread, now);
	if (thread == k_cpu.current) {
		k_cpu.usage_since = USAGE_STAMP(now);
		usage.long_thread = NULL;
	}
}

/* The system's figures are made from the idle thread's, which are always gathered. */
static bool may_be_steered(const struct k_thread *thread)
{
	return thread != NULL && thread != usage.idle;
}

int k_thread_runtime_stats_enable(k_tid_t thread)
{
	unsigned int key;

	if (!may_be_steered(thread)) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	if (!thread->usage.is_tracked) {
		restart_window(thread);
		thread->usage.sums = thread->usage.frozen;
		thread->usage.sums.last = 0;
		thread->usage.sums.windows += thread == k_cpu.current ? 1U : 0U;
		thread->usage.is_tracked = true;
	}
	arch_irq_unlock(key);
	return 0;
}

int k_thread_runtime_stats_disable(k_tid_t thread)
{
	unsigned int key;

	if (!may_be_steered(thread)) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	if (thread->usage.is_tracked) {
		uint64_t window = window_now(thread, arch_cycles());

		restart_window(thread);
		thread->usage.frozen_window = window;
		thread->usage.frozen = thread->usage.sums;
		thread->usage.frozen.longest = (uint32_t)MIN(
			MAX((uint64_t)thread->usage.frozen.longest, window), UINT32_MAX);
		thread->usage.is_tracked = false;
	}
	arch_irq_unlock(key);
	return 0;
}

bool k_thread_runtime_stats_is_enabled(k_tid_t thread)
{
	return thread->usage.is_tracked;
}

int k_thread_runtime_stats_reset(k_tid_t thread)
{
	unsigned int key;

	if (!may_be_steered(thread)) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	restart_window(thread);
	thread->usage.sums = (struct thread_sums){0};
	thread->usage.frozen = (struct thread_sums){0};
	thread->usage.frozen_window = 0;
	arch_irq_unlock(key);
	return 0;
}
