/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thread-local storage: each thread has its own copy, with the initial values, whatever
 * its place was before; handlers have that of the thread they interrupted; and no kind of switch takes
 * one thread to another's.
 */
#include <zephyr/init.h>
#include <zephyr/kernel.h>
#include "elsewhere.h"
#include "test.h"

#define ROUNDS 20

static __thread char odd = 'o'; /* so that what follows has to be aligned */
static __thread uint64_t wide = 0x1122334455667788ULL;
static __thread uint8_t zeros[5];
static __thread uint32_t aligned[4] __aligned(64) = {1, 2, 3, 4};
static _Thread_local volatile unsigned int counter = 41;

static bool is_new(void)
{
	bool new = odd == 'o' && wide == 0x1122334455667788ULL && counter == 41 && elsewhere == 7;

	for (unsigned int i = 0; i < ARRAY_SIZE(zeros); i++) {
		new = new && zeros[i] == 0;
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(aligned); i++) {
		new = new && aligned[i] == i + 1;
	}
	return new;
}

static void use(unsigned int value)
{
	odd = (char)value;
	wide = value;
	counter = value;
	elsewhere = (int)value;
	zeros[4] = (uint8_t)value;
	aligned[3] = value;
}

static bool is_in_use(unsigned int value)
{
	return odd == (char)value && wide == value && counter == value && elsewhere == (int)value &&
	       zeros[4] == (uint8_t)value && aligned[3] == value;
}

static bool lies_on_stack(k_tid_t thread, const volatile void *variable)
{
	return (uintptr_t)variable - (uintptr_t)thread->stack_start < thread->stack_size;
}

/* Seen by main() before any test, and by a handler that interrupted the idle thread. */
static struct seen {
	k_tid_t thread;
	bool new, on_its_stack, is_aligned;
	volatile unsigned int *counter;
} in_main, in_idle;

static void look(struct seen *seen)
{
	seen->thread = k_current_get();
	seen->new = is_new();
	seen->counter = &counter;
	seen->on_its_stack = lies_on_stack(seen->thread, &counter) &&
			     lies_on_stack(seen->thread, aligned) &&
			     lies_on_stack(seen->thread, zeros);
	seen->is_aligned = (uintptr_t)aligned % 64 == 0 &&
			   (uintptr_t)&wide % _Alignof(uint64_t) == 0;
}

static int look_in_main(void)
{
	look(&in_main);
	return 0;
}
SYS_INIT(look_in_main, PRE_KERNEL_1, 0);

TEST(tls_main_has_a_copy)
{
	CHECK(in_main.new && in_main.on_its_stack &&in_main.is_aligned);
}

static void look_in_idle(struct k_timer *timer)
{
	look(&in_idle);
}

TEST(tls_the_idle_thread_has_a_copy)
{
	static struct k_timer timer;

	k_timer_init(&timer, look_in_idle, NULL);
	k_timer_start(&timer, K_TICKS(2), K_FOREVER);
	k_sleep(K_TICKS(5));
	CHECK(in_idle.thread != k_current_get() && in_idle.thread != in_main.thread);
	CHECK(in_idle.new && in_idle.on_its_stack &&in_idle.is_aligned);
	CHECK(in_idle.counter != &counter && in_idle.counter != in_main.counter);
}

static void look_and_use(void *seen)
{
	look(seen);
	use(90);
}

TEST(tls_threads_have_their_own_wherever_their_stacks_end)
{
	static K_THREAD_STACK_DEFINE(stack, STACK_SIZE + 64);
	static struct k_thread thread;
	static struct seen seen;

	use(5);
	for (unsigned int less = 0; less < 64; less += 3) {
		seen = (struct seen){.new = false};
		(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack) - less,
				      (k_thread_entry_t)(void *)look_and_use, &seen, NULL, NULL, 4,
				      0, K_NO_WAIT);
		CHECK_EQ(k_thread_join(&thread, K_FOREVER), 0);
		CHECK(seen.new && seen.on_its_stack &&seen.is_aligned);
		CHECK(is_in_use(5) && seen.counter != &counter);
	}
}

static void see_in_handler(void *of)
{
	if (&counter == *(volatile unsigned int **)of && counter == 6) {
		note('h');
		counter = 60;
	}
}

TEST(tls_a_handler_has_that_of_the_thread_it_interrupts)
{
	volatile unsigned int *mine = &counter;

	counter = 6;
	in_isr(see_in_handler, &mine);
	CHECK_NOTES("h");
	CHECK_EQ(counter, 60);
}

static volatile unsigned int wrong, rounds, interrupts;
static volatile bool stop;

static void count_by(void (*between)(void), unsigned int value)
{
	wrong += !is_new();
	use(value);
	for (unsigned int i = 0; i < ROUNDS || (between == NULL && !stop); i++) {
		counter = value + i;
		if (between != NULL) {
			between();
		}
		wrong += counter != value + i;
		counter = value;
		wrong += !is_in_use(value);
		rounds++;
	}
}

static void yield(void)
{
	k_yield();
}

static void sleep_a_tick(void)
{
	k_sleep(K_TICKS(1));
}

static void yielding(void *value)
{
	count_by(yield, (unsigned int)(uintptr_t)value);
	note('y');
}

static void sleeping(void *value)
{
	count_by(sleep_a_tick, (unsigned int)(uintptr_t)value);
	note('s');
}

/* The CPU is only taken from it. */
static void spinning(void *value)
{
	count_by(NULL, (unsigned int)(uintptr_t)value);
	note('p');
}

static void look_in_handler(struct k_timer *timer)
{
	interrupts++;
	wrong += !lies_on_stack(k_current_get(), &counter);
}

TEST(tls_stays_the_threads_in_every_kind_of_switch)
{
	static struct k_timer timer;

	wrong = 0;
	rounds = 0;
	interrupts = 0;
	stop = false;
	use(8);
	k_timer_init(&timer, look_in_handler, NULL);
	k_timer_start(&timer, K_TICKS(1), K_TICKS(1));
	start(sleeping, (void *)100, 2);
	start(spinning, (void *)200, MAIN_PRIO + 2);
	start(yielding, (void *)300, MAIN_PRIO + 1);
	start(yielding, (void *)400, MAIN_PRIO + 1);
	start(sleeping, (void *)500, 3);
	k_sleep(K_TICKS(3 * ROUNDS));
	stop = true;
	k_sleep(K_TICKS(30));
	k_timer_stop(&timer);
	CHECK_EQ(wrong, 0);
	CHECK(rounds > 5 * ROUNDS && interrupts > ROUNDS);
	CHECK(is_in_use(8));
	CHECK_NOTES("yyssp");
}

static void ended(void *value)
{
	wrong += !is_new();
	use((unsigned int)(uintptr_t)value);
	k_sleep(K_FOREVER);
}

TEST(tls_is_new_where_a_thread_was_ended)
{
	static K_THREAD_STACK_DEFINE(stack, STACK_SIZE);
	static struct k_thread thread;

	wrong = 0;
	use(9);
	for (unsigned int i = 0; i < 3; i++) {
		(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack),
				      (k_thread_entry_t)(void *)ended, (void *)70, NULL, NULL, 4, 0,
				      K_NO_WAIT);
		k_thread_abort(&thread);
	}
	CHECK_EQ(wrong, 0);
	CHECK(is_in_use(9));
}

static K_SEM_DEFINE(looked, 0, 1);
static struct seen in_static;

static void static_thread(void *p1, void *p2, void *p3)
{
	look(&in_static);
	k_sem_give(&looked);
}
K_THREAD_DEFINE(defined, STACK_SIZE, static_thread, NULL, NULL, NULL, 3, 0, 0);

TEST(tls_a_static_thread_has_a_copy)
{
	CHECK_EQ(k_sem_take(&looked, K_TICKS(5)), 0);
	CHECK(in_static.thread == defined);
	CHECK(in_static.new && in_static.on_its_stack &&in_static.is_aligned);
}

#ifndef CONFIG_ASSERT
TEST(tls_no_thread_is_made_on_a_stack_without_room)
{
	static K_THREAD_STACK_DEFINE(stack, STACK_SIZE);
	static struct k_thread thread;

	CHECK(k_thread_create(&thread, stack, ARCH_STACK_MIN + sizeof(aligned),
			      (k_thread_entry_t)(void *)ended, NULL, NULL, NULL, 4, 0,
			      K_FOREVER) == NULL);
}
#endif
