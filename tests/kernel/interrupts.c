/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts: masking, connecting, offloading, nesting. */
#include <board.h>
#include "drivers/soft_irq.h"
#include "test.h"

static struct k_sem sem;
static void *seen;

static void note_i(void *arg)
{
	CHECK(k_is_in_isr());
	note('i');
}

static void wait_and_note(void *letter)
{
	(void)k_sem_take(&sem, K_FOREVER);
	note(*(const char *)letter);
}

TEST(irq_lock_nests_and_holds_interrupts_back)
{
	unsigned int outer = irq_lock();
	unsigned int inner = irq_lock();

	CHECK(!k_is_in_isr());
	in_isr(note_i, NULL);
	note('1');
	irq_unlock(inner);
	note('2');
	irq_unlock(outer);
	note('3');
	CHECK_NOTES("12i3");
}

TEST(irq_lock_holds_switches_back_too)
{
	unsigned int key;

	(void)k_sem_init(&sem, 0, 1);
	start(wait_and_note, "w", 3);
	key = irq_lock();
	k_sem_give(&sem);
	note('1');
	irq_unlock(key);
	note('2');
	CHECK_NOTES("1w2");
}

static void check_open(void *arg)
{
	in_isr(note_i, NULL);
	note('o');
}

TEST(irq_lock_is_the_threads_own)
{
	unsigned int key;

	start(check_open, NULL, MAIN_PRIO + 1);
	key = irq_lock();
	k_sleep(K_TICKS(2)); /* the other thread runs with interrupts open */
	CHECK_NOTES("io");
	in_isr(note_i, NULL);
	note('1');
	irq_unlock(key);
	CHECK_NOTES("1i");
}

static void offloaded(const void *arg)
{
	CHECK(k_is_in_isr());
	seen = (void *)(uintptr_t)arg;
	k_sem_give(&sem);
	note('i');
}

TEST(irq_offload_is_an_interrupt)
{
	(void)k_sem_init(&sem, 0, 1);
	start(wait_and_note, "w", 3);
	irq_offload(offloaded, &sem);
	note('m');
	CHECK(seen == &sem);
	CHECK(!k_is_in_isr());
	CHECK_NOTES("iwm");
	irq_offload(offloaded, NULL);
	CHECK(seen == NULL);
	CHECK_EQ(k_sem_count_get(&sem), 1);
}

static void offload_from_here(void *arg)
{
	for (int i = 0; i < 50; i++) {
		irq_offload(offloaded, arg);
		CHECK(seen == arg);
		k_yield();
	}
}

TEST(irq_offload_from_several_threads)
{
	(void)k_sem_init(&sem, 0, K_SEM_MAX_LIMIT);
	start(offload_from_here, &sem, 5);
	start(offload_from_here, &seen, 5);
	CHECK_EQ(k_sem_count_get(&sem), 100);
}

static void dynamic_isr(const void *arg)
{
	seen = (void *)(uintptr_t)arg;
	soft_irq_clear();
	note('d');
}

TEST(irq_connected_at_run_time)
{
	struct irq_entry before;
	extern struct irq_entry irq_table[];

	before = irq_table[BOARD_SOFT_IRQ];
	CHECK_EQ(irq_connect_dynamic(BOARD_SOFT_IRQ, 0, dynamic_isr, &before, 0), BOARD_SOFT_IRQ);
	soft_irq_raise();
	CHECK_NOTES("d");
	CHECK(seen == &before);
	CHECK_EQ(irq_disconnect_dynamic(BOARD_SOFT_IRQ, 0, dynamic_isr, NULL, 0), 0);
	CHECK_EQ(irq_disconnect_dynamic(BOARD_SOFT_IRQ, 0, before.handler, &before, 0), 0);
	soft_irq_raise(); /* neither was what is connected */
	CHECK_NOTES("d");
	CHECK_EQ(irq_disconnect_dynamic(BOARD_SOFT_IRQ, 0, dynamic_isr, &before, 0), 0);
	CHECK(irq_table[BOARD_SOFT_IRQ].handler != dynamic_isr);
	CHECK_EQ(irq_disconnect_dynamic(ARCH_NUM_IRQS, 0, dynamic_isr, &before, 0), -EINVAL);
	(void)irq_connect_dynamic(BOARD_SOFT_IRQ, 0, before.handler, before.arg, 0);
	in_isr(note_i, NULL);
	CHECK_NOTES("i");
	CHECK_EQ(irq_connect_dynamic(ARCH_NUM_IRQS, 0, dynamic_isr, NULL, 0), -EINVAL);
	CHECK_EQ(irq_is_enabled(ARCH_NUM_IRQS), 0);
}

TEST(irq_disabled_lines_wait)
{
	CHECK(irq_is_enabled(BOARD_SOFT_IRQ));
	irq_disable(BOARD_SOFT_IRQ);
	CHECK(!irq_is_enabled(BOARD_SOFT_IRQ));
	in_isr(note_i, NULL);
	note('1');
	irq_enable(BOARD_SOFT_IRQ);
	note('2');
	CHECK_NOTES("1i2");
}

/* On the fake machine time passes only where it is looked at. */
static void yield_and_count(void *count)
{
	for (;;) {
		(*(volatile int *)count)++;
		(void)k_cycle_get_32();
		k_yield();
	}
}

static void give(struct k_timer *timer)
{
	k_sem_give(&sem);
}

/* Several timers in one tick, interrupts between them, and threads that only switch. */
TEST(irq_arrive_while_timeouts_are_served)
{
	static struct k_timer timers[4];
	static int counts[2];

	(void)k_sem_init(&sem, 0, K_SEM_MAX_LIMIT);
	counts[0] = 0;
	start(yield_and_count, &counts[0], MAIN_PRIO);
	start(yield_and_count, &counts[1], MAIN_PRIO);
	for (int i = 0; i < 4; i++) {
		k_timer_init(&timers[i], give, NULL);
		k_timer_start(&timers[i], K_TICKS(1), K_TICKS(1));
	}
	for (int i = 0; i < 300; i++) {
		in_isr(give_sem, &sem);
		k_yield();
	}
	k_sleep(K_TICKS(5));
	for (int i = 0; i < 4; i++) {
		k_timer_stop(&timers[i]);
	}
	CHECK(counts[0] > 300);
	CHECK(k_sem_count_get(&sem) >= 300 + 4 * 5);
}

static void expire_and_raise(struct k_timer *timer)
{
	note('1');
	in_isr(note_i, NULL);
}

static void expire(struct k_timer *timer)
{
	note('2');
}

/* The line with the least priority there is, too: the alarm has less. */
TEST(irq_of_any_priority_comes_between_two_timeouts_of_a_tick)
{
	static const unsigned int priorities[] = {255, 1, 0};
	static struct k_timer first;
	static struct k_timer second;

	k_timer_init(&first, expire_and_raise, NULL);
	k_timer_init(&second, expire, NULL);
	for (unsigned int i = 0; i < ARRAY_SIZE(priorities); i++) {
		irq_priority_set(BOARD_SOFT_IRQ, priorities[i]);
		next_tick();
		k_timer_start(&first, K_TICKS(2), K_NO_WAIT);
		k_timer_start(&second, K_TICKS(2), K_NO_WAIT);
		k_sleep(K_TICKS(5));
	}
	CHECK_NOTES("1i21i21i2");
}

#ifdef __arm__
#define NVIC_ISPR  (*(volatile uint32_t *)0xE000E200)
#define OUTER_LINE (BOARD_SOFT_IRQ - 1)
#define INNER_LINE (BOARD_SOFT_IRQ - 2)

static void inner_isr(const void *arg)
{
	note('(');
	k_sem_give(&sem);
	note(')');
}

static void outer_isr(const void *arg)
{
	note('[');
	NVIC_ISPR = 1UL << INNER_LINE;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
	CHECK(k_is_in_isr());
	note(']');
}

TEST(irq_a_more_urgent_line_interrupts_a_handler)
{
	(void)k_sem_init(&sem, 0, 1);
	start(wait_and_note, "w", 3);
	(void)irq_connect_dynamic(OUTER_LINE, 3, outer_isr, NULL, 0);
	(void)irq_connect_dynamic(INNER_LINE, 0, inner_isr, NULL, 0);
	irq_enable(OUTER_LINE);
	irq_enable(INNER_LINE);
	NVIC_ISPR = 1UL << OUTER_LINE;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
	note('m');
	CHECK_NOTES("[()]wm");
	irq_priority_set(INNER_LINE, 5);
	start(wait_and_note, "w", 3);
	NVIC_ISPR = 1UL << OUTER_LINE;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
	note('m');
	CHECK_NOTES("[]()wm");
	irq_disable(OUTER_LINE);
	irq_disable(INNER_LINE);
}
#endif
