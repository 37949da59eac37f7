/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads whose stack pointer leads nowhere when they are switched from. It is they who are
 * blamed and end, whoever was to come next, and that one comes. The handler returns. Twice:
 * by the calls themselves, where, depending on the build, the switch is the first that
 * stores; and by the switch alone, in each state in which it may find the two threads.
 */
#include "kernel/sched/sched.h"
#include "../nowhere.h"
#include "test.h"

static k_tid_t blamed;
static unsigned int faults;
static _wait_q_t wait_q;
static struct k_sem sem;

void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame)
{
	CHECK_EQ(reason, K_ERR_CPU_EXCEPTION);
	blamed = k_current_get();
	faults++;
}

static void begin(void)
{
	wait_q.head = NULL;
	(void)k_sem_init(&sem, 0, 1);
	blamed = NULL;
	faults = 0;
	notes_clear();
}

/* Go on in function(a, b, c) with a stack that is not there. */
static void lose_stack(void *function, void *a, void *b, unsigned int c)
{
	uintptr_t sp = NOWHERE;
#if defined(__riscv)
	register void *a0 __asm__("a0") = a;
	register void *a1 __asm__("a1") = b;
	register unsigned int a2 __asm__("a2") = c;

	__asm__ volatile("mv sp, %0\n\tjr %1" ::"r"(sp), "r"(function), "r"(a0), "r"(a1), "r"(a2)
			 : "memory");
#elif defined(__aarch64__)
	register void *a0 __asm__("x0") = a;
	register void *a1 __asm__("x1") = b;
	register unsigned int a2 __asm__("w2") = c;

	__asm__ volatile("mov sp, %0\n\tbr %1" ::"r"(sp), "r"(function), "r"(a0), "r"(a1), "r"(a2)
			 : "memory");
#elif defined(__x86_64__)
	__asm__ volatile("movq %0, %%rsp\n\tjmp *%1" ::"r"(sp), "r"(function), "D"(a), "S"(b),
			 "d"(c)
			 : "memory");
#else
	register void *a0 __asm__("r0") = a;
	register void *a1 __asm__("r1") = b;
	register unsigned int a2 __asm__("r2") = c;

	__asm__ volatile("mov sp, %0\n\tbx %1" ::"r"(sp), "r"(function), "r"(a0), "r"(a1), "r"(a2)
			 : "memory");
#endif
	__builtin_unreachable();
}

/* As sched_switch() has it, but for the stack. */
static void switch_without_stack(struct k_thread *to, unsigned int key)
{
	struct k_thread *from = k_cpu.current;

	switch_hooks(from, to);
	k_cpu.current = to;
	lose_stack((void *)arch_switch, from, to, key & ARCH_IRQ_KEY_BIT);
}

static void suspend(void *arg)
{
	lose_stack((void *)k_thread_suspend, k_current_get(), NULL, 0);
}

static void give(void *arg)
{
	lose_stack((void *)k_sem_give, &sem, NULL, 0);
}

static void yield(void *arg)
{
	lose_stack((void *)k_yield, NULL, NULL, 0);
}

static void take(void *arg)
{
	(void)k_sem_take(&sem, K_FOREVER);
	note('t');
}

static void note_it(void *letter)
{
	note(*(const char *)letter);
}

static void check_blamed(k_tid_t thread)
{
	CHECK_EQ(faults, 1);
	CHECK(blamed == thread);
	CHECK_EQ(k_thread_join(thread, K_NO_WAIT), 0);
	k_msleep(20); /* and nothing is left behind */
	CHECK_EQ(faults, 1);
}

TEST(a_thread_that_stops_itself)
{
	begin();
	check_blamed(start(suspend, NULL, MAIN_PRIO - 1));
}

TEST(b_thread_that_wakes_a_more_urgent_one)
{
	k_tid_t giver;

	begin();
	(void)start(take, NULL, MAIN_PRIO - 2);
	giver = start(give, NULL, MAIN_PRIO - 1);
	check_blamed(giver);
	if (k_sem_count_get(&sem) == 0) {
		k_sem_give(&sem); /* the fault came before anything was done, in some builds */
	}
	k_msleep(10);
	CHECK_NOTES("t");
}

TEST(c_thread_that_yields_to_an_equal)
{
	k_tid_t yielder;

	begin();
	k_sched_lock();
	yielder = start(yield, NULL, MAIN_PRIO - 1);
	(void)start(note_it, "e", MAIN_PRIO - 1);
	k_sched_unlock();
	check_blamed(yielder);
	CHECK_NOTES("e");
}

/* It waits for an object by the time of the switch, with a time-out. */
static void wait_without_stack(void *arg)
{
	unsigned int key = arch_irq_lock();

	sched_pend_prepare(&wait_q, K_MSEC(10), 0);
	switch_without_stack(k_cpu.best, key);
}

TEST(d_switch_from_a_waiter_leaves_no_waiter)
{
	begin();
	check_blamed(start(wait_without_stack, NULL, MAIN_PRIO - 1));
	CHECK(wait_q.head == NULL);
}

/* What it wakes is in no queue by the time of the switch. */
static void wake_without_stack(void *thread)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *to = thread;

	wait_q_remove(to->pended_on, to);
	to->wake_value = 0;
	to->state = 0;
	if ((k_cpu.current->state & K_THREAD_QUEUED) == 0) {
		ready_add_first(k_cpu.current);
	}
	switch_without_stack(to, key);
}

TEST(e_switch_to_a_thread_that_is_in_no_queue)
{
	k_tid_t waiter;

	begin();
	waiter = start(take, NULL, MAIN_PRIO - 2);
	check_blamed(start(wake_without_stack, waiter, MAIN_PRIO - 1));
	CHECK_NOTES("t");
	CHECK_EQ(k_thread_join(waiter, K_NO_WAIT), 0);
}

/* It has ended: that its last registers can't be saved is nobody's business. */
static void end_without_stack(void *arg)
{
	unsigned int key = arch_irq_lock();
	struct k_thread *self = k_cpu.current;

	sched_unlink(self);
	self->state = K_THREAD_DEAD;
	switch_without_stack(k_cpu.best, key);
}

TEST(f_switch_from_a_thread_that_has_ended)
{
	begin();
	(void)start(note_it, "n", MAIN_PRIO);
	(void)start(end_without_stack, NULL, MAIN_PRIO - 1);
	CHECK_EQ(faults, 0);
	k_msleep(20);
	CHECK_EQ(faults, 0);
	CHECK_NOTES("n");
}

static volatile bool has_spun;

/* To an interrupted thread, which another kind of frame resumes on some cores. */
static void sleep_and_lose_stack(void *arg)
{
	k_msleep(5);
	has_spun = true;
	wait_without_stack(NULL);
}

TEST(g_switch_to_an_interrupted_thread)
{
	k_tid_t thread;

	begin();
	has_spun = false;
	thread = start(sleep_and_lose_stack, NULL, MAIN_PRIO - 1);
	/* Bound: the other's sleep. */
	while (!has_spun) {
	}
	check_blamed(thread);
}

static void suspend_with_a_stack(void *arg)
{
	k_thread_suspend(k_current_get());
	note('!');
}

/* The other half of the switch: it is the thread to come whose stack is not there. */
TEST(h_switch_to_a_thread_whose_stack_is_not_there)
{
	k_tid_t thread;
	uintptr_t sp = NOWHERE;

	begin();
	thread = start(suspend_with_a_stack, NULL, MAIN_PRIO - 1);
	thread->sp = (void *)sp;
	k_thread_resume(thread);
	check_blamed(thread);
	CHECK_NOTES("");
}

/* The idle thread comes next: there is none other. */
TEST(i_switch_to_the_idle_thread)
{
	k_tid_t thread;

	begin();
	thread = start(sleep_and_lose_stack, NULL, MAIN_PRIO - 1);
	CHECK_EQ(k_sem_take(&sem, K_MSEC(20)), -EAGAIN);
	check_blamed(thread);
}

static void masked_suspend(void *arg)
{
	(void)irq_lock();
	lose_stack((void *)k_thread_suspend, k_current_get(), NULL, 0);
}

TEST(j_thread_that_had_masked_interrupts_before)
{
	begin();
	check_blamed(start(masked_suspend, NULL, MAIN_PRIO - 1));
}

static void spin(void)
{
	for (;;) {
	}
}

static void spin_without_stack(void *arg)
{
	lose_stack((void *)(uintptr_t)spin, NULL, NULL, 0);
}

static void count_it(struct k_timer *timer)
{
	note('i');
}

/* It is the interrupt that finds no stack: it is not lost, nor are those that come after it. */
TEST(k_interrupt_of_a_thread_whose_stack_is_not_there)
{
	static struct k_timer timer;
	k_tid_t thread;

	begin();
	k_timer_init(&timer, count_it, NULL);
	k_timer_start(&timer, K_MSEC(5), K_NO_WAIT);
	thread = start(spin_without_stack, NULL, MAIN_PRIO - 1);
	check_blamed(thread);
	CHECK_NOTES("i");
}
