/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A handler that uses the very object that a thread is in the middle of using. An interrupt comes
 * at each cycle or instruction of the operation, one after the other, each in an object made anew.
 * What both come to, results and the object's state, has to be what they come to one after the
 * other: as if the handler had come before the operation up to some moment, and behind it from then
 * on. Which two outcomes these are is not written down: the first arrival is before all of it, the
 * last behind. So nothing here has to be kept true by hand, and an outcome that is neither, or the
 * first again behind the second, is a race.
 *
 * suites/measure/sweep.c tries the same for handlers that use other objects, in every state of each
 * operation.
 */
#include "contest.h"

#include <board.h>
#include <drivers/inject.h>

#define STACK_SIZE 1024
#define MAIN_PRIO  K_PRIO_PREEMPT(6)
#define MOST       4000U /* units, an operation's length */
#define BEHIND     3U    /* so many arrivals behind it, and it is over */
#define OUTCOMES   8U
#define WAVERS     80U /* units by which the way to one place of the operation may differ */

struct k_thread subject;
static struct k_thread helper;
static K_THREAD_STACK_DEFINE(subject_stack, STACK_SIZE);
static K_THREAD_STACK_DEFINE(helper_stack, STACK_SIZE);

static const struct contest *now;
static uint32_t delay; /* units */
static volatile bool came, returned, went_on;
static volatile intptr_t result;
static void (*helper_waits)(void);
static unsigned int failed;

k_timeout_t sooner_than_any(void)
{
	static k_ticks_t ticks = 1000000;

	ticks -= 10;
	(void)k_uptime_ticks(); /* lest a tick that has begun makes one way longer */
	return K_TICKS(ticks);
}

static void handler(const void *unused)
{
	inject_lower();
	now->rival();
	came = true;
}

static void subject_entry(void *unused_1, void *unused_2, void *unused_3)
{
	inject_in(delay);
	result = now->operation();
	returned = true;
}

static void helper_entry(void *unused_1, void *unused_2, void *unused_3)
{
	helper_waits();
	went_on = true;
}

void helper_starts(void (*wait)(void))
{
	went_on = false;
	helper_waits = wait;
	(void)k_thread_create(&helper, helper_stack, K_THREAD_STACK_SIZEOF(helper_stack),
			      helper_entry, NULL, NULL, NULL, HELPER_PRIO, 0, K_NO_WAIT);
}

uint32_t helper_ends(void)
{
	uint32_t has = went_on ? 1U : 0U;

	k_thread_abort(&helper);
	return has;
}

/* Returns whether the handler came behind the operation: that is over, or waits. */
static bool contend(uint32_t *outcome)
{
	bool is_behind;

	came = false;
	returned = false;
	result = -1000; /* which no operation returns */
	now->prepare();
	(void)k_thread_create(&subject, subject_stack, K_THREAD_STACK_SIZEOF(subject_stack),
			      subject_entry, NULL, NULL, NULL, SUBJECT_PRIO, 0, K_FOREVER);
	k_thread_start(&subject);
	is_behind = !came;
	while (!came) { /* Bound: the delay. */
	}
	*outcome = (uint32_t)result * 31U + (returned ? 7U : 0U);
	*outcome = *outcome * 8191U + now->state();
	k_thread_abort(&subject);
	return is_behind;
}

static unsigned int number_of(const uint32_t *outcomes, unsigned int number, uint32_t outcome)
{
	unsigned int i = 0;

	while (i < number && outcomes[i] != outcome) { /* Bound: OUTCOMES. */
		i++;
	}
	return i;
}

static void fail(const char *why)
{
	failed++;
	printk("FAILED: %s: %s, with the interrupt %u units ahead\n", now->name, why, delay);
}

static void hold(const struct contest *contest)
{
	uint32_t outcomes[OUTCOMES];
	unsigned int number = 0;
	unsigned int behind = 0;
	uint32_t first_behind = MOST; /* the first delay whose outcome was that of behind */
	unsigned int before_failed = failed;

	now = contest;
	/* Bound: MOST. */
	for (delay = 1; delay < MOST && behind < BEHIND && failed == before_failed; delay++) {
		uint32_t outcome;
		unsigned int which;

		behind = contend(&outcome) ? behind + 1U : 0U;
		which = number_of(outcomes, number, outcome);
		if (which == number && number < OUTCOMES) {
			outcomes[number++] = outcome;
		}
		if (number > 2U + contest->between) {
			fail("an outcome that is none of one after the other");
		} else if (which == 0 && contest->between == 0 && delay > first_behind + WAVERS) {
			fail("an outcome of before, behind one of after");
		}
		first_behind = which != 0 && first_behind == MOST ? delay : first_behind;
	}
	if (delay == MOST) {
		fail("the operation has no end");
	}
	printk("%s: %u arrivals, %u outcomes\n", contest->name, delay - 1U, number);
}

static unsigned int hold_group(const struct contest_group *group)
{
	/* Bound: the contests. */
	for (size_t i = 0; i < group->number; i++) {
		hold(&group->contests[i]);
	}
	return group->number;
}

int main(void)
{
	unsigned int held;

	k_thread_priority_set(k_current_get(), MAIN_PRIO);
	inject_init();
	(void)irq_connect_dynamic(INJECT_IRQ, 0, handler, NULL, 0);
	irq_enable(INJECT_IRQ);
	held = hold_group(&contests_of_objects) + hold_group(&contests_of_threads);
	printk("%u contests, %u failed\n", held, failed);
	k_exit(failed != 0);
}
