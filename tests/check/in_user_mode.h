/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests whose body and threads run in user mode (CONFIG_TEST_USER): TEST_USER() in test.h. What
 * they are given access to is every object there is, and what a user thread may not do is done for
 * them by calls of this program's own: start threads of any priority, initialise an object
 * again, raise an interrupt. All else that they call is the kernel's, by system calls.
 */
#ifndef TESTS_CHECK_IN_USER_MODE_H
#define TESTS_CHECK_IN_USER_MODE_H

#include <foliot/kernel.h>

#ifdef CONFIG_TEST_USER

/* In front of a variable that a test in user mode writes, or whose threads do. */
K_APPMEM_PARTITION_DECLARE(test_memory);
#define TEST_SHARED K_APP_BMEM(test_memory)

/* Initialise in kernel mode, and let all threads use it. Results as of k_*_init(). Thread. */
int test_sem_init(struct k_sem *sem, unsigned int initial, unsigned int limit);
int test_mutex_init(struct k_mutex *mutex);
int test_condvar_init(struct k_condvar *condvar);
void test_event_init(struct k_event *event);
void test_timer_init(struct k_timer *timer, k_timer_expiry_t expiry, k_timer_stop_t stop);
void test_queue_init(struct k_queue *queue);

#ifndef TEST_INITS_ITSELF
#define k_sem_init     test_sem_init
#define k_mutex_init   test_mutex_init
#define k_condvar_init test_condvar_init
#define k_event_init   test_event_init
#define k_timer_init   test_timer_init
#define k_queue_init   test_queue_init
#endif

/* Run `body` in a user thread of priority `prio`. Returns false: it was ended. Thread. */
bool test_in_user_mode(void (*body)(void), int prio);
/* What threads that tests start begin with, in user mode where the test's body is. */
uint32_t test_thread_options(void);
/* The same thread may be used by all, and uses the tests' memory. */
void test_thread_created(k_tid_t thread);

#else

#define TEST_SHARED

static inline bool test_in_user_mode(void (*body)(void), int prio)
{
	body();
	return true;
}

static inline uint32_t test_thread_options(void)
{
	return 0;
}

static inline void test_thread_created(k_tid_t thread)
{
}

#endif

#endif /* TESTS_CHECK_IN_USER_MODE_H */
