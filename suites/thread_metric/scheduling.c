/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tests without any object: basic processing, cooperative and preemptive scheduling.
 * Each loop is one function of a constant `witnessed`, so that the witnessed stretch and
 * the periods run the same code but for the witness.
 */
#include "thread_metric.h"

#define PLACES 1024U

static volatile uint32_t array[PLACES];

/* The base line: a thread that calls nobody. */
static inline __attribute__((always_inline)) void basic(bool witnessed)
{
	volatile uint32_t *counter = &tm_counter[0]; /* nobody is called who could read it */

	for (uint32_t i = 0; i < PLACES; i++) {
		array[i] = 0;
	}
	for (;;) { /* Bound: until it is aborted, as all loops of these tests. */
		for (uint32_t i = 0; i < PLACES; i++) {
			array[i] = (array[i] + *counter) ^ array[i];
		}
		(*counter)++;
		if (witnessed) {
			/* The places are alike, whatever they hold. */
			tm_witness(array[0] == array[PLACES - 1U]);
		}
	}
}

static void basic_thread(void *unused_1, void *unused_2, void *unused_3)
{
	basic(false);
}

static void basic_witnessed(void *unused_1, void *unused_2, void *unused_3)
{
	basic(true);
}

static void basic_start(bool witnessed)
{
	tm_thread_create(0, 10, witnessed ? basic_witnessed : basic_thread);
	tm_thread_resume(0);
}

/* Five equals that give way to each other. */

static uint32_t sum_of_others(uint32_t self)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < TM_THREADS; i++) {
		sum += i == self ? 0 : tm_counter[i];
	}
	return sum;
}

static inline __attribute__((always_inline)) void cooperative(uint32_t self, bool witnessed)
{
	for (;;) {
		uint32_t others = witnessed ? sum_of_others(self) : 0;

		tm_thread_relinquish();
		if (witnessed) {
			/* In the first turn those behind it have not counted yet. */
			tm_witness(sum_of_others(self) - others == TM_THREADS - 1U ||
				   tm_counter[self] == 0);
		}
		tm_counter[self]++;
	}
}

static void cooperative_thread(void *self, void *unused_2, void *unused_3)
{
	cooperative((uint32_t)(uintptr_t)self, false);
}

static void cooperative_witnessed(void *self, void *unused_2, void *unused_3)
{
	cooperative((uint32_t)(uintptr_t)self, true);
}

static void cooperative_start(bool witnessed)
{
	for (uint32_t i = 0; i < TM_THREADS; i++) {
		tm_thread_create(i, 3, witnessed ? cooperative_witnessed : cooperative_thread);
	}
	for (uint32_t i = 0; i < TM_THREADS; i++) {
		tm_thread_resume(i);
	}
}

/*
 * Five priorities. The least urgent thread resumes the next, which preempts it and resumes
 * the next, up to the most urgent, which is thread 0 here, so that none overtakes the one
 * before it; each counts and suspends itself, and the least urgent begins anew.
 */
static inline __attribute__((always_inline)) void preemptive(uint32_t self, bool witnessed)
{
	for (;;) {
		if (self != 0) {
			uint32_t before = tm_counter[self - 1U];

			tm_thread_resume(self - 1U);
			if (witnessed) {
				tm_witness(tm_counter[self - 1U] == before + 1U);
			}
		}
		tm_counter[self]++;
		if (self != TM_THREADS - 1U) {
			tm_thread_suspend(self);
		}
	}
}

static void preemptive_thread(void *self, void *unused_2, void *unused_3)
{
	preemptive((uint32_t)(uintptr_t)self, false);
}

static void preemptive_witnessed(void *self, void *unused_2, void *unused_3)
{
	preemptive((uint32_t)(uintptr_t)self, true);
}

static void preemptive_start(bool witnessed)
{
	for (uint32_t i = 0; i < TM_THREADS; i++) {
		tm_thread_create(i, 6 + (int)i,
				 witnessed ? preemptive_witnessed : preemptive_thread);
	}
	tm_thread_resume(TM_THREADS - 1U);
}

void tm_scheduling(void)
{
	tm_run(&(struct tm_test){"thread_metric.basic", "Basic Single Thread Processing",
				 "One pass over 1024 words", "Basic processing thread died!",
				 "computed", 1, true, basic_start});
	tm_run(&(struct tm_test){"thread_metric.cooperative", "Cooperative Scheduling",
				 "Yield and count, of five equals",
				 "Cooperative counters should not be more than 1 different than "
				 "the average!",
				 "all_others_ran", TM_THREADS, true, cooperative_start});
	tm_run(&(struct tm_test){"thread_metric.preemptive", "Preemptive Scheduling",
				 "Resume, preempted, count, suspend, of five",
				 "Preemptive counters should not be more than 1 different than "
				 "the average!",
				 "preempted", TM_THREADS, true, preemptive_start});
}
