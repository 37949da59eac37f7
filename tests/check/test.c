/* SPDX-License-Identifier: Apache-2.0 */
/* Runs every TEST() of the image; and the threads and interrupts that tests use: see test.h. */
#include <board.h>
#include "drivers/soft_irq.h"
#include "test.h"

static struct k_thread threads[THREADS_MAX];
K_THREAD_STACK_ARRAY_DEFINE(stacks, THREADS_MAX, STACK_SIZE);
static int num_threads;
static struct {
	void (*function)(void *arg);
	void *arg;
} isr_work;

/* ---- threads, time, interrupts ---- */

static void run_entry(void *p1, void *p2, void *p3)
{
	void (*entry)(void *arg) = (void (*)(void *))p1;

	entry(p2);
}

k_tid_t prepare(void (*entry)(void *arg), void *arg, int prio)
{
	int i = num_threads++;

	(void)k_thread_create(&threads[i], stacks[i], K_THREAD_STACK_SIZEOF(stacks[i]), run_entry,
			      (void *)entry, arg, NULL, prio, test_thread_options(), K_FOREVER);
	test_thread_created(&threads[i]);
	return &threads[i];
}

k_tid_t start(void (*entry)(void *arg), void *arg, int prio)
{
	k_tid_t thread = prepare(entry, arg, prio);

	k_thread_start(thread);
	return thread;
}

k_tid_t owner_of(const struct k_mutex *mutex)
{
	return mutex->owner;
}

static void end_threads(void)
{
	while (num_threads > 0) {
		k_thread_abort(&threads[--num_threads]);
	}
}

void next_tick(void)
{
	uint32_t now = tick();

	while (tick() == now) {
	}
}

static void soft_isr(const void *arg)
{
	soft_irq_clear();
	isr_work.function(isr_work.arg);
}

void in_isr(void (*function)(void *arg), void *arg)
{
	isr_work.function = function;
	isr_work.arg = arg;
	soft_irq_raise();
	/* A line takes a few cycles to reach the core; the caller may have it masked. */
	for (volatile int i = 0; i < 10; i++) {
	}
}

void give_sem(void *sem)
{
	k_sem_give(sem);
}

/* ---- running ---- */

__attribute__((weak)) bool test_is_left_out(const char *name)
{
	return false;
}

static void run_test(const struct test_case *test)
{
	check_failures = 0;
	notes_clear();
	if (IS_ENABLED(CONFIG_TEST_USER)) {
		CHECK(test_in_user_mode(test->run, MAIN_PRIO));
	} else {
		test->run();
	}
	end_threads();
	k_thread_priority_set(k_current_get(), MAIN_PRIO);
	printk("%s %s\n", check_failures == 0 ? "PASS" : "FAIL", test->name);
}

int main(void)
{
	int failed = 0;
	int count = 0;

	IRQ_CONNECT(BOARD_SOFT_IRQ, 0, soft_isr, NULL, 0);
	irq_enable(BOARD_SOFT_IRQ);
	k_thread_priority_set(k_current_get(), MAIN_PRIO);
	STRUCT_SECTION_FOREACH(test_case, test_case, test) {
		if ((IS_ENABLED(CONFIG_TEST_USER) && !test->in_user_mode) ||
		    test_is_left_out(test->name)) {
			continue;
		}
		run_test(test);
		failed += check_failures != 0;
		count++;
	}
	printk("%d tests, %d failed\nPROJECT EXECUTION %s\n", count, failed,
	       failed == 0 ? "SUCCESSFUL" : "FAILED");
	k_exit(failed != 0);
}
