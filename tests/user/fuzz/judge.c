/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel thread that outranks all others, and comes by an interrupt: from user mode, or at any
 * place of a system call where one can (host_cpu.before_lock).
 */
#include "fuzz.h"

#define JUDGE_LINE 5
#define JUDGE_PRIO 1

static struct k_thread judge;
static K_KERNEL_STACK_DEFINE(judge_stack, STACK_SIZE);
static struct k_sem wake;
static unsigned int places_left;
static uint8_t what, which, who;

static void on_interrupt(const void *arg)
{
	k_sem_give(&wake);
}

static void at_place(void)
{
	places_left--;
	if (places_left == 0) {
		host_cpu.before_lock = NULL;
		host_irq_raise(JUDGE_LINE);
	}
}

static void judge_main(void *p1, void *p2, void *p3)
{
	for (;;) {
		(void)k_sem_take(&wake, K_FOREVER);
		world_disturb(what, which, who);
		world_check();
	}
}

void judge_begin(void)
{
	(void)k_sem_init(&wake, 0, 1);
	(void)irq_connect_dynamic(JUDGE_LINE, 0, on_interrupt, NULL, 0);
	irq_enable(JUDGE_LINE);
	(void)k_thread_create(&judge, judge_stack, STACK_SIZE, judge_main, NULL, NULL, NULL,
			      JUDGE_PRIO, 0, K_NO_WAIT);
}

static void choose(void)
{
	what = input_byte();
	which = input_byte();
	who = input_byte();
}

void judge_call(void)
{
	choose();
	host_irq_raise(JUDGE_LINE);
}

void judge_plan(unsigned int places)
{
	choose();
	places_left = places;
	host_cpu.before_lock = places == 0 ? NULL : at_place;
}
