/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an operation costs when the core's caches do not hold it: the same windows as in the
 * latency suite, with the caches emptied right before each sample. What the
 * window itself fetches between its stamps is in the figure, as it is for anybody's call.
 *
 *   warm       as the latency suite has it: the sample before has fetched all
 *   cold_code  no instruction is there
 *   cold_data  no data is there
 *   cold       neither
 *   cleaned    all data is there, and memory is up to date: what a cache that writes back saves
 *
 * On a board without caches all five are alike; in front of slow memory they are not all dear.
 */
#include <measure.h>
#include "drivers/cache.h"

#define STATES    5
#define NAMES(id) {id "/warm", id "/cold_code", id "/cold_data", id "/cold", id "/cleaned"}
#define TEXTS(text) \
	{text, text ", code cold", text ", data cold", text ", all cold", text ", cleaned"}
#define PRIO  10 /* the waiter outranks the caller */
#define BLOCK 32

static K_SEM_DEFINE(sem, 0, 1);
static K_SEM_DEFINE(pair_sem, 0, 1);
static K_MUTEX_DEFINE(mutex);
static void *block;

MEASURE_WINDOW(give, k_sem_give(&sem))
MEASURE_WINDOW(take, result = k_sem_take(&sem, K_NO_WAIT))
MEASURE_WINDOW(lock, result = k_mutex_lock(&mutex, K_FOREVER))
MEASURE_WINDOW(unlock, result = k_mutex_unlock(&mutex))
MEASURE_WINDOW(allocate, block = k_malloc(BLOCK))
MEASURE_WINDOW(release, k_free(block))
MEASURE_WINDOW(wait, result = k_sem_take(&pair_sem, K_FOREVER))
MEASURE_WINDOW(wake, k_sem_give(&pair_sem))

/*
 * Each far from the others: VexRiscv empties its cache of instructions when it decodes the instruction for
 * that, even where a return stands in front of it, and nobody gets there.
 */
#define STATE static __aligned(64) void

STATE leave_warm(void)
{
}

STATE drop_code(void)
{
	cache_drop_code();
}

STATE drop_data(void)
{
	cache_drop_data();
}

STATE drop_all(void)
{
	cache_drop_data();
	cache_drop_code();
}

STATE clean(void)
{
	cache_clean_data();
}

static void (*const before[STATES])(void) = {leave_warm, drop_code, drop_data, drop_all, clean};

static void given(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "given", k_sem_count_get(&sem) == 1);
}

static void taken(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "taken", result == 0 && k_sem_count_get(&sem) == 0);
}

static void locked(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "owned", result == 0 && mutex.owner == k_current_get());
}

static void unlocked(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "free", result == 0 && mutex.owner == NULL);
}

static void allocated(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "allocated", block != NULL);
}

static void released(struct measure_row *row, intptr_t result)
{
	void *again = k_malloc(BLOCK);

	measure_witness(row, "there_again", again == block);
	k_free(again);
}

static void pair_taken(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "taken", result == 0 && k_sem_count_get(&pair_sem) == 0);
}

static void handed_over(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "handed_over", k_sem_count_get(&pair_sem) == 0);
}

/* Two operations that undo each other, in one state. */
struct turns {
	const char *ids[2][STATES];
	const char *texts[2][STATES];
	measure_window_fn windows[2];
	void (*after[2])(struct measure_row *row, intptr_t result);
};

static const struct turns all_turns[] = {
	{{NAMES("semaphore.give.immediate.kernel"), NAMES("semaphore.take.immediate.kernel")},
	 {TEXTS("Give a semaphore"), TEXTS("Take a semaphore")},
	 {give, take},
	 {given, taken}},
	{{NAMES("mutex.lock.immediate.kernel"), NAMES("mutex.unlock.immediate.kernel")},
	 {TEXTS("Lock a mutex"), TEXTS("Unlock a mutex")},
	 {lock, unlock},
	 {locked, unlocked}},
	{{NAMES("heap.malloc.immediate"), NAMES("heap.free.immediate")},
	 {TEXTS("Allocate"), TEXTS("Free")},
	 {allocate, release},
	 {allocated, released}},
};

static void measure_turns_in(const struct turns *turns, unsigned int state)
{
	struct measure_operation sides[2];

	for (unsigned int i = 0; i < 2; i++) {
		sides[i] = (struct measure_operation){turns->ids[i][state], turns->texts[i][state],
						      turns->windows[i], before[state],
						      turns->after[i]};
	}
	measure_turns(&sides[0], &sides[1]);
}

static void measure_switch_in(unsigned int state)
{
	static const char *const ids[2][STATES] = {NAMES("semaphore.take.blocking.k_to_k"),
						   NAMES("semaphore.give.wake+ctx.k_to_k")};
	static const char *const texts[2][STATES] = {TEXTS("Take a semaphore (switch)"),
						     TEXTS("Give a semaphore (switch)")};

	measure_pair(&(struct measure_pair){
		.wait = {ids[0][state], texts[0][state], wait, before[state], pair_taken},
		.wake = {ids[1][state], texts[1][state], wake, before[state], handed_over},
		.wait_q = &pair_sem.wait_q,
	});
}

int main(void)
{
	k_thread_priority_set(k_current_get(), PRIO);
	measure_begin("caches");
	for (unsigned int state = 0; state < STATES; state++) {
		for (unsigned int i = 0; i < ARRAY_SIZE(all_turns); i++) {
			measure_turns_in(&all_turns[i], state);
		}
		measure_switch_in(state);
	}
	k_exit(measure_end());
}
