/* SPDX-License-Identifier: Apache-2.0 */
/*
 * While a group is released, interrupts are let in, and their handlers may change the very
 * group. The SoC's injector puts one at every place: on other boards there is none. On the fake
 * machine a handler comes in each of its windows, and does to each member, and to all, what there is.
 */
#include <board.h>
#include "test.h"

#if defined(BOARD_INJECT) || __STDC_HOSTED__

#define THREADS 20U
#define PERIOD  2U

static struct k_thread group[THREADS];
static K_THREAD_STACK_ARRAY_DEFINE(group_stacks, THREADS, 512);
static unsigned int ran[THREADS];
static unsigned int victim;
static bool handled;

static void member(void *p1, void *p2, void *p3)
{
	for (;;) {
		(void)k_period_wait();
		ran[(uintptr_t)p1]++;
	}
}

static void make(unsigned int members, uint32_t first)
{
	for (uintptr_t n = 0; n < members; n++) {
		ran[n] = 0;
		(void)k_thread_create(&group[n], group_stacks[n], sizeof(group_stacks[n]), member,
				      (void *)n, NULL, NULL, MAIN_PRIO - 1, 0, K_FOREVER);
		(void)k_thread_period_set_at(&group[n], K_TICKS(PERIOD), first);
		k_thread_start(&group[n]);
	}
}

static void end(unsigned int members)
{
	for (unsigned int n = 0; n < members; n++) {
		k_thread_abort(&group[n]);
	}
}

#endif

#ifdef BOARD_INJECT

#define MAKING 20000U /* cycles, more than it takes to make the group */
#define STEP   7U    /* cycles from one place to the next */
#define SPAN   1400U /* of the tick's interrupt */

#define INJECT     (*(volatile uint32_t *)BOARD_INJECT)
#define INJECT_ACK (*(volatile uint32_t *)(BOARD_INJECT + 4))

/* The victim leaves its group, wherever that is just now, for one of its own far away. */
static void injected(const void *arg)
{
	INJECT_ACK = 0;
	(void)k_thread_period_set(&group[victim], K_TICKS(1000), K_TICKS(1000));
	handled = true;
}

/* Two releases, in the first of which the victim leaves `place` cycles after the tick. */
static void one_place(uint32_t place)
{
	uint32_t cycles_per_tick = sys_clock_hw_cycles_per_sec() / CONFIG_SYS_CLOCK_TICKS_PER_SEC;
	uint32_t first;
	uint32_t edge;

	/* Where a tick is short the making takes several: all of them have to be in time. */
	next_tick();
	first = tick() + 2U + MAKING / cycles_per_tick;
	make(THREADS, first);
	edge = first - 1U;
	CHECK((int32_t)(edge - tick()) > 0);
	while (tick() != edge) {
	}
	handled = false;
	INJECT = cycles_per_tick - 200U + place; /* the edge has just been */
	(void)k_sleep(K_TICKS(PERIOD + 1U));
	CHECK(handled);
	for (unsigned int n = 0; n < THREADS; n++) {
		bool touched = n == victim;

		CHECK(touched ? ran[n] <= 1U : ran[n] == 2U);
	}
	end(THREADS);
}

TEST(a_group_changes_while_it_is_released)
{
	(void)irq_connect_dynamic(BOARD_EXT_IRQ, 0, injected, NULL, 0);
	irq_enable(BOARD_EXT_IRQ);
	for (uint32_t place = 0; place < SPAN; place += STEP) {
		victim = place / STEP % THREADS;
		one_place(place);
	}
	irq_disable(BOARD_EXT_IRQ);
}

#elif __STDC_HOSTED__
#include <host.h>

enum { TAKES_ANOTHER, TAKES_IT_AGAIN, ENDS, ALL_BUT_IT_END, ALL_END, NUM_ACTIONS };

static unsigned int action, num_members, window, windows_seen;
static uint32_t grid;

static void take_period(uint32_t period, uint32_t first)
{
	(void)k_thread_period_set_at(&group[victim], K_TICKS(period), first);
}

/* In the windows of the tick's interrupt. */
static void come_between(void)
{
	if (handled || tick() != grid || windows_seen++ != window) {
		return;
	}
	handled = true;
	if (action == TAKES_ANOTHER) {
		take_period(1000, tick() + 1000U);
	} else if (action == TAKES_IT_AGAIN) {
		take_period(PERIOD, grid + PERIOD);
	} else if (action == ENDS) {
		k_thread_abort(&group[victim]);
	} else {
		for (unsigned int n = 0; n < num_members; n++) {
			if (n != victim || action == ALL_END) {
				k_thread_abort(&group[n]);
			}
		}
	}
}

static void in_window(void)
{
	static bool is_in; /* what it calls masks, too */

	if (!is_in && arch_in_isr()) {
		is_in = true;
		come_between();
		is_in = false;
	}
}

/* How often the member may have run by the second release. */
static void check_ran(unsigned int n)
{
	bool leaves = action == ALL_END || (action == ALL_BUT_IT_END) != (n == victim);

	if (!handled || !leaves) {
		CHECK_EQ(ran[n], 2);
	} else {
		CHECK(ran[n] <= (action == TAKES_IT_AGAIN ? 2U : 1U));
		CHECK(action != TAKES_IT_AGAIN || ran[n] >= 1); /* on the grid again */
	}
}

static void one_window(void)
{
	next_tick();
	grid = tick() + 2U;
	make(num_members, grid);
	handled = false;
	windows_seen = 0;
	host_cpu.before_lock = in_window;
	(void)k_sleep(K_TICKS(PERIOD + 2U));
	host_cpu.before_lock = NULL;
	for (unsigned int n = 0; n < num_members; n++) {
		check_ran(n);
	}
	end(num_members);
}

TEST(a_group_changes_in_each_window_of_its_release)
{
	static const unsigned int members[] = {9, THREADS};
	unsigned int count = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(members) * NUM_ACTIONS * THREADS; i++) {
		num_members = members[i % ARRAY_SIZE(members)];
		action = i / ARRAY_SIZE(members) % NUM_ACTIONS;
		victim = i / (ARRAY_SIZE(members) * NUM_ACTIONS) % num_members;
		window = 0;
		do {
			one_window();
			window++;
			count += handled;
		} while (handled);
	}
	CHECK(count > ARRAY_SIZE(members) * NUM_ACTIONS * THREADS);
}

/* ---- an end in steps, and a handler that sets a period in each of its windows ---- */

#define LINE   9
#define PLACES 64

static int places_left;

/* It is released at once, if it is one that may be. */
static void sets_a_period(const void *unused)
{
	if ((group[0].state & K_THREAD_DEAD) == 0) {
		(void)k_thread_period_set_at(&group[0], K_TICKS(PERIOD), tick() + 1U);
	}
	host_advance(2 * (BOARD_TIMER_HZ / CONFIG_SYS_CLOCK_TICKS_PER_SEC));
	handled = true;
}

static void at_place(void)
{
	if (!arch_in_isr() && --places_left == 0) {
		host_cpu.before_lock = NULL;
		host_irq_raise(LINE);
	}
}

static void joins_it(void *p1, void *p2, void *p3)
{
	CHECK_EQ(k_thread_join(&group[0], K_FOREVER), 0);
}

TEST(a_period_that_is_set_while_its_thread_ends_is_none)
{
	unsigned int times = 0;

	IRQ_CONNECT(LINE, 0, sets_a_period, NULL, 0);
	irq_enable(LINE);
	for (int place = 1; place <= PLACES; place++) {
		unsigned int before;

		make(1, tick() + 1000U);
		(void)k_thread_create(&group[1], group_stacks[1], sizeof(group_stacks[1]), joins_it,
				      NULL, NULL, NULL, MAIN_PRIO - 1, 0, K_NO_WAIT);
		handled = false;
		places_left = place;
		host_cpu.before_lock = at_place;
		k_thread_abort(&group[0]);
		host_cpu.before_lock = NULL;
		times += handled;
		CHECK_EQ(group[0].state, K_THREAD_DEAD);
		before = ran[0];
		k_sleep(K_TICKS(2 * PERIOD + 1));
		CHECK_EQ(ran[0], before);
		CHECK_EQ(group[0].state, K_THREAD_DEAD);
		CHECK((group[1].state & K_THREAD_DEAD) != 0);
	}
	CHECK(times > 10);
	irq_disable(LINE);
}

#endif
