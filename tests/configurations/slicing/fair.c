/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Equals get equal shares, and each its whole turns, whatever more urgent threads do: two
 * threads spin, a third preempts them at many periods, in step with ticks and turns and out
 * of step. Each step of any of them charges the time since the last one to who took that.
 */
#include "test.h"

#define PRIO     5
#define TURN     4U /* ticks */
#define TURNS    10U
#define TICK     ((int32_t)(sys_clock_hw_cycles_per_sec() / CONFIG_SYS_CLOCK_TICKS_PER_SEC))
#define SLACK    (TICK / 4) /* what interrupts and steps take */
#define EQUALS   2U
#define URGENT   2U
#define SPINNERS 3U

static struct k_thread thread[SPINNERS];
static K_THREAD_STACK_ARRAY_DEFINE(stack, SPINNERS, 1024);
static struct k_timer timer;

static struct seen {
	unsigned int running;   /* who took the last step */
	unsigned int turn_of;   /* the same, of the equals */
	uint32_t last;          /* when, cycles */
	int32_t ran[SPINNERS];  /* cycles */
	int32_t began[EQUALS];  /* ran[] when its turn began */
	int32_t apart;          /* by how much the equals' ran[] have differed at most */
	int32_t shortest, longest;
	unsigned int turns;
} seen;

static void step(unsigned int self)
{
	unsigned int key = irq_lock();
	uint32_t now = k_cycle_get_32();
	int32_t apart;

	seen.ran[seen.running] += (int32_t)(now - seen.last);
	seen.last = now;
	seen.running = self;
	apart = seen.ran[0] - seen.ran[1];
	seen.apart = MAX(seen.apart, MAX(apart, -apart));
	if (self < EQUALS && self != seen.turn_of) {
		int32_t length = seen.ran[seen.turn_of] - seen.began[seen.turn_of];

		if (seen.turns++ > 1) { /* the first ones begin anywhere */
			seen.shortest = MIN(seen.shortest, length);
			seen.longest = MAX(seen.longest, length);
		}
		seen.turn_of = self;
		seen.began[self] = seen.ran[self];
	}
	irq_unlock(key);
}

static void spin(void *self, void *p2, void *p3)
{
	for (;;) {
		step((unsigned int)(uintptr_t)self);
	}
}

/* Each time the timer expires, for so many cycles. */
static void preempt(void *busy_cycles, void *p2, void *p3)
{
	for (;;) {
		int32_t end;

		(void)k_timer_status_sync(&timer);
		step(URGENT);
		end = seen.ran[URGENT] + (int32_t)(intptr_t)busy_cycles;
		while (seen.ran[URGENT] < end) {
			step(URGENT);
		}
	}
}

static void begin(void)
{
	seen = (struct seen){.shortest = INT32_MAX};
	for (unsigned int i = 0; i < EQUALS; i++) {
		(void)k_thread_create(&thread[i], stack[i], sizeof(stack[i]), spin,
				      (void *)(uintptr_t)i, NULL, NULL, PRIO, 0, K_FOREVER);
		k_thread_time_slice_set(&thread[i], TURN, NULL, NULL);
	}
	seen.last = k_cycle_get_32();
}

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

/* Equal shares to a turn and a tick at any time, and turns exact to a tick. */
static void check_shares(uint32_t period, int32_t busy)
{
	int32_t turn = (int32_t)TURN * TICK;

	if (seen.apart > turn + TICK + SLACK || seen.turns < TURNS / 2 ||
	    seen.shortest < turn - TICK - SLACK || seen.longest > turn + TICK + SLACK) {
		printk("period %u, %d of %d cycles: %u turns of %d to %d, apart %d\n",
		       (unsigned int)period, (int)busy, (int)TICK, seen.turns, (int)seen.shortest,
		       (int)seen.longest, (int)seen.apart);
		CHECK(false);
	}
}

static void run_preempted(uint32_t period, int32_t busy)
{
	begin();
	k_timer_init(&timer, NULL, NULL);
	(void)k_thread_create(&thread[URGENT], stack[URGENT], sizeof(stack[URGENT]), preempt,
			      (void *)(intptr_t)busy, NULL, NULL, PRIO - 1, 0, K_NO_WAIT);
	k_timer_start(&timer, K_TICKS(period), K_TICKS(period));
	/* What the urgent one takes is added, so that there are as many turns. */
	run(TURN * TURNS * 2);
	k_timer_stop(&timer);
	k_thread_abort(&thread[URGENT]);
	check_shares(period, busy);
}

TEST(shares_are_equal_whoever_preempts)
{
	static const uint32_t periods[] = {1, 2, 3, TURN, TURN + 1, 2 * TURN + 3};

	k_thread_priority_set(k_current_get(), 0);
	k_sched_time_slice_set(0, 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(periods); i++) {
		run_preempted(periods[i], TICK / 8);
		run_preempted(periods[i], TICK * 5 / 8);
	}
}

TEST(turns_are_as_long_as_they_should_be)
{
	k_thread_priority_set(k_current_get(), 0);
	begin();
	next_tick();
	run(TURN * TURNS);
	check_shares(0, 0);
	CHECK(seen.shortest >= (int32_t)TURN * TICK - SLACK);
	CHECK(seen.longest <= (int32_t)TURN * TICK + SLACK);
}

/* ---- expired ---- */

static volatile unsigned int expired;

static void count_expired(struct k_thread *of, void *data)
{
	CHECK(k_is_in_isr() && of == &thread[0] && data == &thread[1]);
	expired++;
}

TEST(the_end_of_each_turn_is_told_without_an_equal)
{
	k_thread_priority_set(k_current_get(), 0);
	begin();
	k_thread_time_slice_set(&thread[0], TURN, count_expired, &thread[1]);
	expired = 0;
	next_tick();
	k_thread_start(&thread[0]);
	k_sleep(K_TICKS(TURN * 8 + TURN / 2));
	CHECK_EQ(expired, 8);
	k_thread_time_slice_set(&thread[0], 0, NULL, NULL);
	k_sleep(K_TICKS(TURN * 2));
	CHECK_EQ(expired, 8);
	k_thread_abort(&thread[0]);
	k_thread_abort(&thread[1]);
}

TEST(the_system_s_turns_are_told_too)
{
	int32_t ms = MAX((int32_t)(TURN * 1000 / CONFIG_SYS_CLOCK_TICKS_PER_SEC), 1);
	uint32_t turn = (uint32_t)k_ms_to_ticks_ceil32((uint32_t)ms);

	k_thread_priority_set(k_current_get(), 0);
	k_sched_time_slice_set(ms, 0);
	begin();
	k_thread_time_slice_set(&thread[0], 0, count_expired, &thread[1]);
	expired = 0;
	next_tick();
	k_thread_start(&thread[0]);
	k_sleep(K_TICKS(turn * 3 + turn / 2));
	CHECK_EQ(expired, 3);
	k_thread_abort(&thread[0]);
	k_thread_abort(&thread[1]);
	k_sched_time_slice_set(0, 0);
}

static void end_it(struct k_thread *of, void *data)
{
	expired++;
	k_thread_abort(of);
}

static void suspend_it(struct k_thread *of, void *data)
{
	expired++;
	k_thread_suspend(of);
}

/* Neither the thread that ended nor its successor in the same place is told of again. */
TEST(a_thread_that_ends_leaves_nothing_behind)
{
	k_thread_priority_set(k_current_get(), 0);
	for (unsigned int i = 0; i < 3; i++) {
		begin();
		expired = 0;
		k_thread_time_slice_set(&thread[0], TURN, i == 1 ? suspend_it : end_it, NULL);
		run(TURN * TURNS / 2);
		CHECK_EQ(expired, 1);
		CHECK(seen.ran[1] > seen.ran[0]);
		begin(); /* in the same place */
		run(TURN * TURNS);
		CHECK_EQ(expired, 1);
		check_shares(0, 0);
	}
	begin();
	k_thread_abort(&thread[0]);
	k_thread_time_slice_set(&thread[0], TURN, end_it, NULL); /* it has ended: no effect */
	k_thread_abort(&thread[1]);
	begin();
	run(TURN * TURNS);
	check_shares(0, 0);
}

/* ---- what stands in a turn's way ---- */

static void hold(void *masked, void *p2, void *p3)
{
	int32_t end = (int32_t)TURN * TICK * 2;
	unsigned int key = 0;

	step(0);
	for (;;) {
		if (masked != NULL) {
			key = irq_lock();
		} else {
			k_sched_lock();
		}
		while (seen.ran[0] < end) {
			step(0);
		}
		CHECK_EQ(seen.ran[1], 0);
		if (masked != NULL) {
			irq_unlock(key);
		} else {
			k_sched_unlock();
		}
		while (seen.ran[1] == 0) {
			step(0);
		}
		CHECK(seen.ran[0] <= end + TICK + SLACK); /* it was overdue */
		spin((void *)0, NULL, NULL);
	}
}

TEST(an_overdue_turn_ends_when_it_may)
{
	k_thread_priority_set(k_current_get(), 0);
	for (uintptr_t masked = 0; masked < 2; masked++) {
		begin();
		(void)k_thread_create(&thread[0], stack[0], sizeof(stack[0]), hold, (void *)masked,
				      NULL, NULL, PRIO, 0, K_FOREVER);
		k_thread_time_slice_set(&thread[0], TURN, NULL, NULL);
		run(TURN * TURNS);
		CHECK(seen.turns > TURNS / 2);
		/* What it had too much, up to a turn, it has paid back. */
		CHECK(seen.ran[0] - seen.ran[1] <= (int32_t)(TURN + 1) * TICK + SLACK);
	}
}

static void yields(void *self, void *p2, void *p3)
{
	for (;;) {
		for (int32_t end = seen.ran[0] + TICK * 3; seen.ran[0] < end;) {
			step(0);
		}
		k_yield();
	}
}

/* Who yields before its turn is over begins a new one, and leaves the other its own. */
TEST(yielding_begins_a_new_turn)
{
	k_thread_priority_set(k_current_get(), 0);
	begin();
	(void)k_thread_create(&thread[0], stack[0], sizeof(stack[0]), yields, NULL, NULL, NULL,
			      PRIO, 0, K_FOREVER);
	k_thread_time_slice_set(&thread[0], TURN, NULL, NULL);
	run(TURN * TURNS);
	CHECK(seen.shortest >= 3 * TICK - SLACK);
	CHECK(seen.longest <= (int32_t)(TURN + 1) * TICK + SLACK);
	CHECK(seen.ran[1] > seen.ran[0]);
}

/* A long turn that is made short ends by the new length; one of 0 does not end. */
TEST(turns_change_while_they_run)
{
	k_thread_priority_set(k_current_get(), 0);
	begin();
	k_thread_time_slice_set(&thread[0], TURN * 100, NULL, NULL);
	k_sched_lock();
	k_thread_start(&thread[0]);
	k_thread_start(&thread[1]);
	k_sched_unlock();
	k_sleep(K_TICKS(TURN * 3));
	CHECK_EQ(seen.ran[1], 0);
	k_thread_time_slice_set(&thread[0], TURN, NULL, NULL);
	k_sleep(K_TICKS(TURN + 3));
	CHECK(seen.ran[1] != 0);
	k_thread_time_slice_set(&thread[0], 0, NULL, NULL);
	k_thread_time_slice_set(&thread[1], 0, NULL, NULL);
	k_sleep(K_TICKS(TURN * 2));
	seen.turns = 0;
	k_sleep(K_TICKS(TURN * 4));
	CHECK_EQ(seen.turns, 0);
	k_thread_abort(&thread[0]);
	k_thread_abort(&thread[1]);
}

/* Each preempting thread's priority, and the equals' when it waits for a mutex of theirs. */
static struct k_mutex mutex;

static void locks(void *self, void *p2, void *p3)
{
	for (;;) {
		(void)k_mutex_lock(&mutex, K_FOREVER);
		for (int32_t end = seen.ran[0] + TICK / 4; seen.ran[0] < end;) {
			step(0);
		}
		(void)k_mutex_unlock(&mutex);
	}
}

static void contends(void *arg, void *p2, void *p3)
{
	for (;;) {
		(void)k_timer_status_sync(&timer);
		(void)k_mutex_lock(&mutex, K_FOREVER);
		step(URGENT);
		(void)k_mutex_unlock(&mutex);
	}
}

TEST(inheriting_a_priority_begins_no_turn)
{
	k_thread_priority_set(k_current_get(), 0);
	for (uint32_t period = 1; period < 2 * TURN; period += 2) {
		begin();
		k_mutex_init(&mutex);
		k_timer_init(&timer, NULL, NULL);
		(void)k_thread_create(&thread[0], stack[0], sizeof(stack[0]), locks, NULL, NULL,
				      NULL, PRIO, 0, K_FOREVER);
		k_thread_time_slice_set(&thread[0], TURN, NULL, NULL);
		(void)k_thread_create(&thread[URGENT], stack[URGENT], sizeof(stack[URGENT]),
				      contends, NULL, NULL, NULL, PRIO - 1, 0, K_NO_WAIT);
		k_timer_start(&timer, K_TICKS(period), K_TICKS(period));
		run(TURN * TURNS);
		k_timer_stop(&timer);
		k_thread_abort(&thread[URGENT]);
		CHECK(seen.ran[1] * 3 > seen.ran[0]);
		CHECK(seen.ran[0] * 3 > seen.ran[1]);
	}
}
