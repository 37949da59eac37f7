/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread in each state that a debugger can find one in, when check_here() is reached.
 * Some are variables of a file; `hidden` is one that only a wait queue leads to.
 */
#include <foliot/kernel.h>

#define STACK 1024

static volatile uint32_t spun;

K_SEM_DEFINE(empty_sem, 0, 1);
K_MUTEX_DEFINE(held);
K_MSGQ_DEFINE(letters, 8, 2, 4);
K_FIFO_DEFINE(items);
K_TIMER_DEFINE(ticking, NULL, NULL);

static void wait_sem(void *p1, void *p2, void *p3)
{
	(void)k_sem_take(&empty_sem, K_MSEC(500));
	spun++; /* or the call would be a jump, and this function in no backtrace */
}

static void wait_sleep(void *p1, void *p2, void *p3)
{
	k_msleep(700);
	spun++;
}

static void wait_mutex(void *p1, void *p2, void *p3)
{
	(void)k_mutex_lock(&held, K_FOREVER);
	spun++;
}

static void wait_msgq(void *p1, void *p2, void *p3)
{
	char letter[8];

	(void)k_msgq_get(&letters, letter, K_FOREVER);
	spun++;
}

static void wait_fifo(void *p1, void *p2, void *p3)
{
	(void)k_fifo_get(&items, K_FOREVER);
	spun++;
}

static void suspend_self(void *p1, void *p2, void *p3)
{
	k_thread_suspend(k_current_get());
	spun++;
}

static void wait_join(void *p1, void *p2, void *p3)
{
	(void)k_thread_join(p1, K_FOREVER);
	spun++;
}

static void end_at_once(void *p1, void *p2, void *p3)
{
}

/* Never gives the processor away: whoever outranks it takes it. */
static void spin(void *p1, void *p2, void *p3)
{
	for (;;) {
		spun++;
#ifdef __x86_64__
		k_busy_wait(10); /* on the fake machine time passes nowhere else */
#endif
	}
}

K_THREAD_DEFINE(on_sem, STACK, wait_sem, NULL, NULL, NULL, 2, 0, 0);
K_THREAD_DEFINE(sleeper, STACK, wait_sleep, NULL, NULL, NULL, 2, 0, 0);
K_THREAD_DEFINE(on_msgq, STACK, wait_msgq, NULL, NULL, NULL, 2, 0, 0);
K_THREAD_DEFINE(on_fifo, STACK, wait_fifo, NULL, NULL, NULL, 2, 0, 0);
K_THREAD_DEFINE(suspended, STACK, suspend_self, NULL, NULL, NULL, 2, 0, 0);
K_THREAD_DEFINE(late, STACK, end_at_once, NULL, NULL, NULL, 2, 0, 900);
K_THREAD_DEFINE(never, STACK, end_at_once, NULL, NULL, NULL, 2, 0, -1);
K_THREAD_DEFINE(ended, STACK, end_at_once, NULL, NULL, NULL, 2, 0, 0);
K_THREAD_DEFINE(spinner, STACK, spin, NULL, NULL, NULL, 9, 0, 0);
K_THREAD_DEFINE(ready, STACK, end_at_once, NULL, NULL, NULL, 10, 0, 0);

static struct k_thread team[2];
K_THREAD_STACK_ARRAY_DEFINE(team_stacks, 2, STACK);
K_THREAD_STACK_DEFINE(hidden_stack, STACK);
struct k_thread never_created;

static void __attribute__((noinline)) check_here(void)
{
	__asm__ volatile("");
}

int main(void)
{
	static struct k_thread hidden;

	/* Below those that get to where they wait at once, above the spinner. */
	k_thread_priority_set(k_current_get(), 5);
	(void)k_mutex_lock(&held, K_FOREVER);
	(void)k_thread_create(&team[0], team_stacks[0], STACK, wait_mutex, NULL, NULL, NULL, 3, 0,
			      K_NO_WAIT);
	(void)k_thread_create(&team[1], team_stacks[1], STACK, wait_join, sleeper, NULL, NULL, 3, 0,
			      K_NO_WAIT);
	(void)k_thread_create(&hidden, hidden_stack, STACK, wait_mutex, NULL, NULL, NULL, 4, 0,
			      K_NO_WAIT);
	k_timer_start(&ticking, K_MSEC(300), K_MSEC(300));
	k_msleep(20); /* the spinner runs, and is interrupted by the end of this */
	check_here();
	return 0;
}
