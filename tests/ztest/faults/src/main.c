/* SPDX-License-Identifier: Apache-2.0 */
/* Faults and failed assertions that tests expect, in both modes; and, as configured, one that nobody does. */
#include <zephyr/irq_offload.h>
#include <zephyr/ztest.h>

#define STACK_SIZE 1024

static struct k_thread helper;
static K_THREAD_STACK_DEFINE(helper_stack, STACK_SIZE);
static struct k_sem unknown;
static K_SEM_DEFINE(known, 0, 1);
static unsigned int reason_seen = 99;
static int assertions_seen;

void ztest_post_fatal_error_hook(unsigned int reason, const struct arch_esf *frame)
{
	reason_seen = reason;
}

void ztest_post_assert_fail_hook(void)
{
	assertions_seen++;
}

static void run(k_thread_entry_t entry, uint32_t options)
{
	reason_seen = 99;
	k_thread_create(&helper, helper_stack, K_THREAD_STACK_SIZEOF(helper_stack), entry, NULL,
			NULL, NULL, K_PRIO_PREEMPT(1), options, K_NO_WAIT);
	zassert_ok(k_thread_join(&helper, K_SECONDS(1)));
}

ZTEST_SUITE(faults, NULL, NULL, NULL, NULL, NULL);

static void oopses(void *p1, void *p2, void *p3)
{
	ztest_set_fault_valid(true);
	k_oops();
	ztest_test_fail();
}

ZTEST(faults, test_oops)
{
	run(oopses, 0);
	zassert_equal(reason_seen, K_ERR_KERNEL_OOPS);
	run(oopses, K_USER);
	zassert_equal(reason_seen, K_ERR_KERNEL_OOPS);
}

static void panics(void *p1, void *p2, void *p3)
{
	ztest_set_fault_valid(true);
	k_panic();
	ztest_test_fail();
}

ZTEST(faults, test_panic_ends_its_thread)
{
	run(panics, 0);
	zassert_equal(reason_seen, K_ERR_KERNEL_PANIC);
	run(panics, 0);
	zassert_equal(reason_seen, K_ERR_KERNEL_PANIC);
}

static void takes_unknown(void *p1, void *p2, void *p3)
{
	ztest_set_fault_valid(true);
	k_sem_take(&unknown, K_NO_WAIT);
	ztest_test_fail();
}

ZTEST(faults, test_user_without_access)
{
	Z_TEST_SKIP_IFNDEF(CONFIG_USERSPACE);
	run(takes_unknown, K_USER);
	zassert_not_equal(reason_seen, 99);
}

static int kernels = 7;

static void writes_kernel_memory(void *p1, void *p2, void *p3)
{
	ztest_set_fault_valid(true);
	*(volatile int *)&kernels = 8;
	ztest_test_fail();
}

ZTEST(faults, test_user_in_kernel_memory)
{
	Z_TEST_SKIP_IFNDEF(CONFIG_USERSPACE);
	run(writes_kernel_memory, K_USER);
	zassert_equal(reason_seen, K_ERR_CPU_EXCEPTION);
	zassert_equal(kernels, 7);
}

/* The test itself may be what ends so: it passes. */
ZTEST_USER(faults, test_ends_itself)
{
	ztest_set_fault_valid(true);
	k_oops();
	ztest_test_fail();
}

static void asserts(void *p1, void *p2, void *p3)
{
	ztest_set_assert_valid(true);
	__ASSERT(p1 != NULL, "a rule of the application's");
	ztest_test_fail();
}

ZTEST(faults, test_assertion)
{
	run(asserts, 0);
	run(asserts, K_USER);
	zassert_equal(assertions_seen, 2);
}

static void misuses(const void *unused)
{
	k_sem_take(&known, K_FOREVER);
}

ZTEST(faults, test_taken_back)
{
	ztest_set_fault_valid(true);
	ztest_set_fault_valid(false);
	ztest_set_assert_valid(true);
	ztest_set_assert_valid(false);
}

/* ---- those that nobody expects ---- */

static void oopses_for_another(void *p1, void *p2, void *p3)
{
	k_oops();
}

ZTEST_USER(faults, test_z_unexpected)
{
	if (CONFIG_UNEXPECTED == 1) {
		k_sem_take(&unknown, K_NO_WAIT);
		k_oops();
	}
	if (CONFIG_UNEXPECTED == 2) {
		__ASSERT_NO_MSG(false);
	}
}

ZTEST(faults, test_z_unexpected_in_kernel_mode)
{
	if (CONFIG_UNEXPECTED == 3) {
		ztest_set_assert_valid(true);
		irq_offload(misuses, NULL);
	}
	if (CONFIG_UNEXPECTED == 4) {
		ztest_set_fault_valid(true); /* this thread's, not the other's */
		run(oopses_for_another, 0);
	}
}
