/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever can go wrong in a test, and how it is told. */
#include <zephyr/irq_offload.h>
#include <zephyr/ztest.h>

#define STACK_SIZE 1024

static struct k_thread helper;
static K_THREAD_STACK_DEFINE(helper_stack, STACK_SIZE);

ZTEST_SUITE(broken, NULL, NULL, NULL, NULL, NULL);

ZTEST(broken, test_assertion)
{
	zassert_equal(1, 2, "one is %d", 1);
	printk("never\n");
}

ZTEST_USER(broken, test_expectations)
{
	zexpect_true(false);
	zexpect_str_equal("a", "b");
	printk("it goes on\n");
}

static void fails(void *p1, void *p2, void *p3)
{
	zassert_not_null(p1);
}

ZTEST(broken, test_thread_fails)
{
	k_thread_create(&helper, helper_stack, K_THREAD_STACK_SIZEOF(helper_stack), fails, NULL,
			NULL, NULL, K_PRIO_PREEMPT(1), 0, K_NO_WAIT);
	(void)k_thread_join(&helper, K_FOREVER);
	printk("never\n");
}

static void fails_in_isr(const void *unused)
{
	zassert_ok(-EIO);
}

ZTEST(broken, test_handler_fails)
{
	irq_offload(fails_in_isr, NULL);
	k_sleep(K_FOREVER);
}

ZTEST(broken, test_one_holds)
{
}

ZTEST_EXPECT_FAIL(broken, test_unexpectedly_passes);
ZTEST(broken, test_unexpectedly_passes)
{
}

ZTEST_EXPECT_SKIP(broken, test_unexpectedly_runs);
ZTEST(broken, test_unexpectedly_runs)
{
}

/* ---- a setup ---- */

static void *fail_setup(void)
{
	zassert_true(false, "no device");
	return NULL;
}

ZTEST_SUITE(setup_fails, NULL, fail_setup, NULL, NULL, NULL);

ZTEST(setup_fails, test_is_not_run)
{
	printk("never\n");
}

static void *skip_setup(void)
{
	ztest_test_skip();
	return NULL;
}

ZTEST_SUITE(setup_skips, NULL, skip_setup, NULL, NULL, NULL);

ZTEST(setup_skips, test_is_not_run)
{
	printk("never\n");
}

/* ---- what does not run ---- */

static bool never(const void *state)
{
	return false;
}

ZTEST_SUITE(unwanted, never, NULL, NULL, NULL, NULL);

ZTEST(unwanted, test_is_not_run)
{
	printk("never\n");
}

ZTEST(nobodys, test_has_no_suite)
{
	printk("never\n");
}

/* ---- the end: a function that may not end a test ---- */

static void fail_after(void *fixture)
{
	zassert_true(false);
}

ZTEST_SUITE(z_last, NULL, NULL, NULL, fail_after, NULL);

ZTEST(z_last, test_a)
{
}

ZTEST(z_last, test_b)
{
	printk("never\n");
}
