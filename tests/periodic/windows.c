/* SPDX-License-Identifier: Apache-2.0 */
/*
 * While a group is released, interrupts are let in, and their handlers may change the very
 * group. The SoC's injector puts one at every place: on other boards there is none.
 */
#include <board.h>
#include "test.h"

#ifdef BOARD_INJECT

#define THREADS 20U
#define PERIOD  2U
#define MAKING  20000U /* cycles, more than it takes to make the group */
#define STEP    7U    /* cycles from one place to the next */
#define SPAN    1400U /* of the tick's interrupt */

#define INJECT     (*(volatile uint32_t *)BOARD_INJECT)
#define INJECT_ACK (*(volatile uint32_t *)(BOARD_INJECT + 4))

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

/* The victim leaves its group, wherever that is just now, for one of its own far away. */
static void injected(const void *arg)
{
	INJECT_ACK = 0;
	(void)k_thread_period_set(&group[victim], K_TICKS(1000), K_TICKS(1000));
	handled = true;
}

static void make_group(uint32_t first)
{
	for (uintptr_t n = 0; n < THREADS; n++) {
		ran[n] = 0;
		(void)k_thread_create(&group[n], group_stacks[n], sizeof(group_stacks[n]), member,
				      (void *)n, NULL, NULL, MAIN_PRIO - 1, 0, K_FOREVER);
		(void)k_thread_period_set_at(&group[n], K_TICKS(PERIOD), first);
		k_thread_start(&group[n]);
	}
}

static void end_group(void)
{
	for (unsigned int n = 0; n < THREADS; n++) {
		k_thread_abort(&group[n]);
	}
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
	make_group(first);
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
	end_group();
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

#endif /* BOARD_INJECT */
