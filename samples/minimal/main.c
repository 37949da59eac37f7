/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least that a program with an operating system is made of: two threads, a sleep, a
 * counting semaphore with a time-out, an interrupt that gives it, and the tick. What the
 * kernel weighs is what it weighs here; `foliot build` prints it, and a test holds it.
 *
 * It prints by console_putc(), since printk() and the words of faults would be a third of it.
 */
#include <foliot/kernel.h>
#include <board.h>
#include <drivers/soft_irq.h>

#define ROUNDS 3

static K_SEM_DEFINE(arrived, 0, 8);

static void on_interrupt(const void *unused)
{
	soft_irq_clear();
	k_sem_give(&arrived);
}

static void say(const char *text)
{
	/* Bound: the text's length. */
	while (*text != '\0') {
		console_putc(*text++);
	}
}

static void waiter_entry(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: until nothing arrives any more. */
	while (k_sem_take(&arrived, K_MSEC(100)) == 0) {
		say("arrived\n");
	}
	say("nothing for 100 ms\n");
	k_exit(0);
}

K_THREAD_DEFINE(waiter, 512, waiter_entry, NULL, NULL, NULL, 1, 0, 0);

int main(void)
{
	IRQ_CONNECT(BOARD_SOFT_IRQ, 0, on_interrupt, NULL, 0);
	irq_enable(BOARD_SOFT_IRQ);
	for (int round = 0; round < ROUNDS; round++) {
		k_sleep(K_MSEC(20));
		soft_irq_raise();
	}
	return 0;
}
