/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A test framework of a page. TEST(name) { ... } is found by the linker, run by main() in the
 * order of the names, and prints PASS name, or FAIL name and each check that did not hold.
 *
 * The test itself is a thread of priority MAIN_PRIO; threads that it starts with start()
 * end with it, whatever state they are in.
 */
#ifndef TESTS_CHECK_TEST_H
#define TESTS_CHECK_TEST_H

#include <board.h>
#include "check.h"
#include "in_user_mode.h"

#define MAIN_PRIO   7
#define THREADS_MAX 8
#if __STDC_HOSTED__ /* there it is known to the linker only */
#define STACK_SIZE 1024
#elif BOARD_RAM_SIZE < 0x8000
#define STACK_SIZE 512
#else
#define STACK_SIZE 1024
#endif

struct test_case {
	const char *name;
	void (*run)(void);
	bool in_user_mode; /* with CONFIG_TEST_USER, where the others are left out */
};

#define TEST_(name_, in_user_mode_)                                                   \
	static void test_##name_(void);                                               \
	static const STRUCT_SECTION_ITERABLE(test_case, test_case, _test_##name_) = { \
		.name = #name_,                                                       \
		.run = test_##name_,                                                  \
		.in_user_mode = (in_user_mode_),                                      \
	};                                                                            \
	static void test_##name_(void)
#define TEST(name_)      TEST_(name_, false)
/* One that may run in user mode, too: it writes what is TEST_SHARED, and calls what users may. */
#define TEST_USER(name_) TEST_(name_, true)

/* A program may have one of its own, where a board cannot do what a test is about. */
bool test_is_left_out(const char *name);

/* Start a thread of the given priority: entry(arg). Thread. */
k_tid_t start(void (*entry)(void *arg), void *arg, int prio);
/* The same, not yet started. */
k_tid_t prepare(void (*entry)(void *arg), void *arg, int prio);

/* Who holds `mutex`, also where that cannot be looked at. Thread. */
k_tid_t owner_of(const struct k_mutex *mutex);

/* Wait until a tick has just begun, so that what follows is within one. Thread. */
void next_tick(void);
/* The current tick. */
static inline uint32_t tick(void)
{
	return (uint32_t)k_uptime_ticks();
}

/* Run function(arg) in the handler of a real interrupt, now. Thread. */
void in_isr(void (*function)(void *arg), void *arg);
/* As in_isr(), and as an argument for it and for start(). */
void give_sem(void *sem);

/* True where named assertions are on: misuse ends the run there, and is not tried. */
#ifdef CONFIG_ASSERT
#define ASSERTIONS true
#else
#define ASSERTIONS false
#endif

#endif /* TESTS_CHECK_TEST_H */
