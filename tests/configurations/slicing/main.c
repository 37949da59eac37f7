/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time slicing: who takes turns, who does not, and how long a turn is. Threads spin and
 * note when they find that another has run in between.
 */
#include "test.h"

#define PRIO      5
#define TURN      10U /* ticks */
#define TURN_MS   ((int32_t)(TURN * 1000 / CONFIG_SYS_CLOCK_TICKS_PER_SEC))
#define LONGEST   (TURN + 1)
#define RUN_TURNS 9

static struct k_thread thread[2];
static K_THREAD_STACK_ARRAY_DEFINE(stack, 2, 1024);
static volatile unsigned int running;       /* who noted last */
static volatile uint32_t turn_began;        /* tick */
static volatile unsigned int turns[2];      /* that ended because the other's began */
static volatile uint32_t shortest, longest; /* ticks */
static volatile uint32_t steps[2];
static volatile unsigned int expired;

static uint32_t now(void)
{
	return (uint32_t)k_uptime_ticks();
}

/* The other one has run: its turn is over, and was so long. */
static void note_turn(unsigned int self)
{
	uint32_t tick = now();
	uint32_t length = tick - turn_began;

	if (turns[0] + turns[1] > 1) { /* the first begins anywhere */
		shortest = MIN(shortest, length);
		longest = MAX(longest, length);
	}
	turns[running]++;
	running = self;
	turn_began = tick;
}

static void spin(void *index, void *p2, void *p3)
{
	unsigned int self = (unsigned int)(uintptr_t)index;

	for (;;) {
		unsigned int key = irq_lock();

		if (running != self) {
			note_turn(self);
		}
		steps[self]++;
		(void)k_cycle_get_32(); /* on the host, time passes by asking for it */
		irq_unlock(key);
	}
}

static void begin(int prio_0, int prio_1)
{
	k_thread_priority_set(k_current_get(), 0); /* main() outranks them */
	running = 0;
	turn_began = now();
	shortest = UINT32_MAX;
	longest = 0;
	for (unsigned int i = 0; i < 2; i++) {
		turns[i] = 0;
		steps[i] = 0;
		(void)k_thread_create(&thread[i], stack[i], sizeof(stack[i]), spin,
				      (void *)(uintptr_t)i, NULL, NULL, i == 0 ? prio_0 : prio_1, 0,
				      K_FOREVER);
	}
}

/* Let them run for so many ticks. */
static void run(uint32_t ticks)
{
	k_sched_lock();
	k_thread_start(&thread[0]);
	k_thread_start(&thread[1]);
	k_sched_unlock();
	k_sleep(K_TICKS(ticks));
	k_thread_abort(&thread[0]);
	k_thread_abort(&thread[1]);
}

TEST(equals_take_turns)
{
	k_sched_time_slice_set(TURN_MS, 0);
	begin(PRIO, PRIO);
	run(RUN_TURNS * LONGEST);
	printk("turns %u and %u, %u to %u ticks (%u wanted)\n", turns[0], turns[1], shortest,
	       longest, TURN);
	CHECK(turns[0] + turns[1] >= RUN_TURNS - 2);
	CHECK(turns[0] >= turns[1] && turns[0] <= turns[1] + 1);
	CHECK(shortest >= TURN - 1 && longest <= LONGEST); /* ticks as seen from between them */
}

/* Longer than differences of the timer's counter have a sign for; and over before half a tick. */
TEST(turns_may_be_longer_than_the_timer_counts)
{
	k_sched_time_slice_set(INT32_MAX, 0);
	begin(PRIO, PRIO);
	run(3 * TURN);
	CHECK(turns[0] + turns[1] == 0);
	CHECK(steps[0] > 0 && steps[1] == 0);
	k_sched_time_slice_set(TURN_MS, PRIO + 1); /* for those less urgent only */
	begin(PRIO, PRIO);
	run(3 * TURN);
	CHECK(turns[0] + turns[1] == 0);
	begin(PRIO + 1, PRIO + 1);
	run(5 * TURN);
	CHECK(turns[0] + turns[1] >= 3);
}

TEST(without_a_length_there_are_no_turns)
{
	k_sched_time_slice_set(0, 0);
	begin(PRIO, PRIO);
	run(3 * LONGEST);
	CHECK(steps[0] != 0 && steps[1] == 0);
}

TEST(those_more_urgent_take_no_turns)
{
	k_sched_time_slice_set(TURN_MS, PRIO + 1);
	begin(PRIO, PRIO);
	run(3 * LONGEST);
	CHECK(steps[0] != 0 && steps[1] == 0);
	begin(PRIO + 1, PRIO + 1);
	run(3 * LONGEST);
	CHECK(steps[0] != 0 && steps[1] != 0);
}

/* Different priorities: the more urgent one keeps the CPU. */
TEST(the_more_urgent_keeps_the_cpu)
{
	k_sched_time_slice_set(TURN_MS, 0);
	begin(PRIO + 1, PRIO);
	run(3 * LONGEST);
	CHECK(steps[0] == 0 && steps[1] != 0);
}

static void locked_spin(void *ticks, void *p2, void *p3)
{
	uint32_t end = now() + (uint32_t)(uintptr_t)ticks;

	k_sched_lock();
	while ((int32_t)(end - now()) > 0) {
	}
	CHECK(steps[1] == 0); /* nobody has run meanwhile */
	steps[0] = 1;
	k_sched_unlock();
}

/* Cooperative, or with the scheduler locked: no turns. */
TEST(cooperative_threads_take_no_turns)
{
	for (int prio = -2; prio <= PRIO; prio += PRIO + 2) {
		begin(PRIO, PRIO);
		(void)k_thread_create(&thread[0], stack[0], sizeof(stack[0]), locked_spin,
				      (void *)(uintptr_t)(3 * LONGEST), NULL, NULL, prio, 0,
				      K_FOREVER);
		run(5 * LONGEST);
		CHECK(steps[0] == 1);
	}
}

static void count_expired(struct k_thread *of, void *data)
{
	CHECK(of == &thread[1] && data == &expired && k_is_in_isr());
	expired++;
}

TEST(a_thread_has_a_turn_of_its_own_length)
{
	k_sched_time_slice_set(0, 0);
	begin(PRIO, PRIO);
	k_thread_time_slice_set(&thread[1], (int32_t)TURN, count_expired, (void *)&expired);
	/* The second has turns, the first has not: it keeps the CPU when it gets it. */
	k_thread_start(&thread[1]);
	k_sleep(K_TICKS(1));
	k_thread_start(&thread[0]);
	k_sleep(K_TICKS(4 * LONGEST));
	CHECK(expired >= 1); /* and at its end, alone */
	CHECK(turns[1] <= 1 && running == 0);
	CHECK(steps[0] != 0 && steps[1] != 0);
	k_thread_abort(&thread[0]);
	k_thread_abort(&thread[1]);
}

/* The idle thread, and a lone one, are left alone: the timer sleeps as it does without. */
TEST(who_is_alone_takes_no_turns)
{
	k_sched_time_slice_set(TURN_MS, 0);
	begin(PRIO, PRIO);
	k_thread_start(&thread[0]);
	k_sleep(K_TICKS(3 * LONGEST));
	CHECK(steps[0] != 0 && turns[0] == 0);
	k_thread_abort(&thread[0]);
	k_thread_abort(&thread[1]);
}
