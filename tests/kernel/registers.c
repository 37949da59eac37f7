/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers across switches. Two threads keep a pattern of their own in every register
 * and do nothing but compare, while interrupts of all kinds come and go and a third
 * thread makes them take turns; and the same for what a call must keep, over k_yield().
 */
#include <board.h>
#include "test.h"

#define TURNS 40

/* The same in both halves of a register of 64 bits: whoever saves one of them only is found out. */
#define SEED(word) ((unsigned long)(word) * (~0UL / UINT32_MAX))

/* In assembly. Return 0, or the number of the register that changed. */
int registers_spin(unsigned long seed, volatile uint32_t *stop);
int registers_yield(unsigned long seed, unsigned long rounds);

TEST_SHARED static volatile uint32_t stop;
static struct k_sem turn;
TEST_SHARED static int turns;
TEST_SHARED static int changed[2];

static void spin(void *arg)
{
	int i = (int)(intptr_t)arg;

	changed[i] = registers_spin(SEED(0x5a000000UL + ((unsigned long)i << 16)), &stop);
	note('s');
}

static void yield(void *arg)
{
	int i = (int)(intptr_t)arg;

	changed[i] = registers_yield(SEED(0xa5000000UL + ((unsigned long)i << 16)), 50);
	note('y');
}

TEST_SHARED static k_tid_t spinning[2];

/* Whoever ran goes behind the other. */
static void take_turns(void *arg)
{
	while (turns < TURNS) {
		(void)k_sem_take(&turn, K_FOREVER);
		k_thread_suspend(spinning[turns % 2]);
		k_thread_resume(spinning[turns % 2]);
		turns++;
	}
	stop = 1;
}

static void on_expiry(struct k_timer *timer)
{
	k_sem_give(&turn);
}

#ifdef BOARD_INJECT
/* An interrupt every few cycles, at another distance each time. */
TEST_SHARED static unsigned int injected;

static void inject_isr(const void *arg)
{
	injected++;
	/* Lowers the line too; 0 is never. */
	*(volatile uint32_t *)BOARD_INJECT = stop == 0 ? 200 + (injected * 7 & 63) : 0;
}

static void connect(void *unused)
{
	(void)irq_connect_dynamic(BOARD_EXT_IRQ, 0, inject_isr, NULL, 0);
	irq_enable(BOARD_EXT_IRQ);
	*(volatile uint32_t *)BOARD_INJECT = 100;
}

static void disconnect(void *unused)
{
	irq_disable(BOARD_EXT_IRQ);
}

/* In a handler, since the test's body may be a user's. */
static void start_injecting(void)
{
	in_isr(connect, NULL);
}

static void check_injected(void)
{
	CHECK(injected > 100);
	in_isr(disconnect, NULL);
}
#else
static void start_injecting(void)
{
}

static void check_injected(void)
{
}
#endif

TEST_USER(registers_survive_interrupts_and_preemption)
{
	static struct k_timer timer;

	stop = 0;
	turns = 0;
	(void)k_sem_init(&turn, 0, 1);
	k_timer_init(&timer, on_expiry, NULL);
	for (int i = 0; i < 2; i++) {
		changed[i] = -1;
		spinning[i] = start(spin, (void *)(intptr_t)i, MAIN_PRIO + 1);
	}
	start(take_turns, NULL, 3);
	k_timer_start(&timer, K_TICKS(1), K_TICKS(1));
	start_injecting();
	CHECK_EQ(k_thread_join(spinning[0], K_TICKS(4 * TURNS)), 0);
	CHECK_EQ(k_thread_join(spinning[1], K_TICKS(4 * TURNS)), 0);
	k_timer_stop(&timer);
	check_injected();
	CHECK_EQ(turns, TURNS);
	CHECK_EQ(changed[0], 0);
	CHECK_EQ(changed[1], 0);
	CHECK_NOTES("ss");
}

TEST_USER(registers_of_the_callee_survive_a_yield)
{
	for (int i = 0; i < 2; i++) {
		changed[i] = -1;
		start(yield, (void *)(intptr_t)i, MAIN_PRIO + 1);
	}
	k_sleep(K_TICKS(20));
	CHECK_EQ(changed[0], 0);
	CHECK_EQ(changed[1], 0);
	CHECK_NOTES("yy");
}
