/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ztest does when all is well: fixtures, what is called before and after, rules, skips, ends that are expected, ends
 * from other threads and from a handler, user tests, suites with a predicate.
 */
#include <zephyr/irq_offload.h>
#include <zephyr/ztest.h>

struct ledger_fixture {
	int setups;
	int before;
	int after;
	int entries;
};

/* User tests look at it. */
ZTEST_BMEM static struct ledger_fixture book;
static int before_by_rule;
static int after_by_rule;
static int torn_down;

/* ---- a suite with a fixture ---- */

static void *open_book(void)
{
	book.setups++;
	before_by_rule = 0; /* other suites came first */
	after_by_rule = 0;
	return &book;
}

static void begin_page(void *fixture)
{
	struct ledger_fixture *ledger = fixture;

	ledger->before++;
	ledger->entries = 0;
}

static void end_page(void *fixture)
{
	struct ledger_fixture *ledger = fixture;

	ledger->after++;
}

static void close_book(void *fixture)
{
	torn_down += fixture == &book;
}

static void rule_before(const struct ztest_unit_test *test, void *fixture)
{
	before_by_rule += strncmp(test->name, "test_", 5) == 0;
}

static void rule_after(const struct ztest_unit_test *test, void *fixture)
{
	after_by_rule++;
}

ZTEST_RULE(count_tests, rule_before, rule_after);

ZTEST_SUITE(ledger, NULL, open_book, begin_page, end_page, close_book);

ZTEST_F(ledger, test_a_first)
{
	zassert_equal(fixture->setups, 1);
	zassert_equal(fixture->before, 1, "the first of %d", fixture->before);
	zassert_equal(fixture->after, 0);
	fixture->entries = 7;
}

ZTEST_F(ledger, test_b_begins_anew)
{
	zassert_equal(fixture->entries, 0);
	zassert_equal(fixture->before, 2);
	zassert_equal(fixture->after, 1);
	zassert_equal(before_by_rule, 2);
	zassert_equal(after_by_rule, 1);
}

ZTEST_USER_F(ledger, test_c_in_user_mode)
{
	zassert_equal(k_is_user_context(), IS_ENABLED(CONFIG_USERSPACE));
	fixture->entries++;
	zassert_equal(fixture->entries, 1);
}

ZTEST(ledger, test_d_skipped)
{
	ztest_test_skip();
	zassert_unreachable();
}

ZTEST_USER(ledger, test_e_assumption)
{
	zassume_equal(book.entries, 1, "there are %d", book.entries);
	zassert_unreachable();
}

ZTEST(ledger, test_f_passes_early)
{
	ztest_test_pass();
	zassert_unreachable();
}

/* ---- all checks that hold ---- */

ZTEST_SUITE(checks, NULL, NULL, NULL, NULL, NULL);

ZTEST_USER(checks, test_each_holds)
{
	static const char text[] = "sum";
	int value = 5;

	zassert_true(value == 5);
	zassert_false(value == 6, NULL);
	zassert_ok(value - 5);
	zassert_not_ok(value);
	zassert_is_null(NULL);
	zassert_not_null(text, "text");
	zassert_equal(value, 5);
	zassert_not_equal(value, 6);
	zassert_equal_ptr(text, &text[0]);
	zassert_within(value, 7, 2);
	zassert_not_within(value, 8, 2);
	zassert_between_inclusive(value, 5, 5);
	zassert_mem_equal(text, "sum", 3);
	zassert_str_equal(text, "sum");
	zassume_true(value == 5);
	zexpect_equal(value, 5);
	zassert(value == 5, "any condition");
}

/* What <zephyr/kernel.h> brings with it, and Zephyr's tests use. */
ZTEST(checks, test_names_of_zephyrs_own)
{
	uint32_t began = k_uptime_get_32();

	while (k_uptime_get_32() == began) {
		Z_SPIN_DELAY(50);
	}
	zassert_true(K_TIMEOUT_EQ(Z_TIMEOUT_MS(5), K_MSEC(5)));
	zassert_true(K_TIMEOUT_EQ(Z_TIMEOUT_TICKS(7), K_TICKS(7)));
	zassert_true(K_TIMEOUT_EQ(Z_TIMEOUT_US(9000), K_USEC(9000)));
	zassert_equal(_TICK_ALIGN, 1);
	zassert_equal((unsigned int)INT_MAX + 1U, UINT_MAX / 2U + 1U);
}

/* ---- ends from elsewhere ---- */

#define STACK_SIZE 1024

static struct k_thread helper;
static K_THREAD_STACK_DEFINE(helper_stack, STACK_SIZE);

static void *grant(void)
{
	k_thread_access_grant(k_current_get(), &helper, &helper_stack);
	return NULL;
}

ZTEST_SUITE(elsewhere, NULL, grant, ztest_simple_1cpu_before, ztest_simple_1cpu_after, NULL);

static void skips(void *p1, void *p2, void *p3)
{
	ztest_test_skip();
}

ZTEST_USER(elsewhere, test_thread_skips)
{
	k_thread_create(&helper, helper_stack, STACK_SIZE, skips, NULL, NULL, NULL,
			K_PRIO_PREEMPT(1), K_USER | K_INHERIT_PERMS, K_NO_WAIT);
	(void)k_thread_join(&helper, K_FOREVER);
	zassert_unreachable();
}

static void passes(const void *unused)
{
	ztest_test_pass();
}

ZTEST(elsewhere, test_handler_passes)
{
	irq_offload((irq_offload_routine_t)passes, NULL);
	k_sleep(K_FOREVER);
	zassert_unreachable();
}

/* ---- ends that are expected ---- */

ZTEST_SUITE(expected, NULL, NULL, NULL, NULL, NULL);

ZTEST_EXPECT_FAIL(expected, test_fails);
ZTEST(expected, test_fails)
{
	zassert_true(false);
}

ZTEST_EXPECT_SKIP(expected, test_skips);
ZTEST(expected, test_skips)
{
	zassume_true(false);
}

/* ---- suites by what a program says ---- */

static bool is_second(const void *state)
{
	return *(const int *)state == 2;
}

ZTEST_SUITE(later, is_second, NULL, NULL, NULL, NULL);

ZTEST(later, test_ran_in_the_second_round)
{
	zassert_equal(torn_down, 1);
}

void test_main(void)
{
	int state = 1;

	(void)ztest_run_test_suites(&state, false, 1, 1);
	state = 2;
	zassert_equal(ztest_run_test_suites(&state, false, 1, 1), 1);
	ztest_verify_all_test_suites_ran();
}
