/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a test checks. Of each check there are three: zassert_ fails the test and ends it, zassume_
 * skips it and ends it, zexpect_ fails it and lets it go on. Behind its arguments each may have a
 * message, as printk() takes it. Context of all of them: either; in an ISR what follows is still
 * executed.
 */
#ifndef ZEPHYR_ZTEST_ASSERT_H
#define ZEPHYR_ZTEST_ASSERT_H

#include <string.h>

#include <zephyr/kernel.h>

EXTERN_C_BEGIN_

/** Internal: what follows when a check does not hold. */
enum ztest_kind_ {
	ZTEST_ASSERT_,
	ZTEST_ASSUME_,
	ZTEST_EXPECT_FAILS_,
};

/**
 * Internal: print what does not hold, and let the test end as `kind` says; `message` may be NULL.
 * Context: either.
 */
void ztest_check_(bool holds, enum ztest_kind_ kind, const char *what, const char *file, int line,
		  const char *function, const char *message, ...);

/* The NULL at the end is the message where there is none. */
#define ZTEST_CHECK_(kind, cond, what, ...) \
	ztest_check_((cond), kind, what, __FILE__, __LINE__, __func__, ##__VA_ARGS__, NULL)

/** Any condition, and what is printed when it does not hold. Context: either. */
#define zassert(cond, what, ...) ZTEST_CHECK_(ZTEST_ASSERT_, cond, what, ##__VA_ARGS__)
/** The same; the test is skipped. Context: either. */
#define zassume(cond, what, ...) ZTEST_CHECK_(ZTEST_ASSUME_, cond, what, ##__VA_ARGS__)
/** The same; the test fails at its end. Context: either. */
#define zexpect(cond, what, ...) ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, cond, what, ##__VA_ARGS__)

/* ---- zassert_: the test fails and ends ---- */

/**
 * This line is not reached. Else the test fails and ends; what follows is a message, as printk()
 * has it.
 */
#define zassert_unreachable(...) \
	ZTEST_CHECK_(ZTEST_ASSERT_, 0, "Reached unreachable code", ##__VA_ARGS__)
/** `cond` is true. Else the test fails and ends; what follows is a message, as printk() has it. */
#define zassert_true(cond, ...) \
	ZTEST_CHECK_(ZTEST_ASSERT_, (cond), #cond " is false", ##__VA_ARGS__)
/** `cond` is false. Else the test fails and ends; what follows is a message, as printk() has it. */
#define zassert_false(cond, ...) \
	ZTEST_CHECK_(ZTEST_ASSERT_, !(cond), #cond " is true", ##__VA_ARGS__)
/** `cond` is 0. Else the test fails and ends; what follows is a message, as printk() has it. */
#define zassert_ok(cond, ...) \
	ZTEST_CHECK_(ZTEST_ASSERT_, !(cond), #cond " is non-zero", ##__VA_ARGS__)
/** `cond` is not 0. Else the test fails and ends; what follows is a message, as printk() has it. */
#define zassert_not_ok(cond, ...) \
	ZTEST_CHECK_(ZTEST_ASSERT_, !!(cond), #cond " is zero", ##__VA_ARGS__)
/** `ptr` is NULL. Else the test fails and ends; what follows is a message, as printk() has it. */
#define zassert_is_null(ptr, ...) \
	ZTEST_CHECK_(ZTEST_ASSERT_, (ptr) == NULL, #ptr " is not NULL", ##__VA_ARGS__)
/**
 * `ptr` is not NULL. Else the test fails and ends; what follows is a message, as printk() has it.
 */
#define zassert_not_null(ptr, ...) \
	ZTEST_CHECK_(ZTEST_ASSERT_, (ptr) != NULL, #ptr " is NULL", ##__VA_ARGS__)
/** `a` equals `b`. Else the test fails and ends; what follows is a message, as printk() has it. */
#define zassert_equal(a, b, ...) \
	ZTEST_CHECK_(ZTEST_ASSERT_, (a) == (b), #a " not equal to " #b, ##__VA_ARGS__)
/**
 * `a` does not equal `b`. Else the test fails and ends; what follows is a message, as printk() has
 * it.
 */
#define zassert_not_equal(a, b, ...) \
	ZTEST_CHECK_(ZTEST_ASSERT_, (a) != (b), #a " equal to " #b, ##__VA_ARGS__)
/**
 * Both are one address. Else the test fails and ends; what follows is a message, as printk() has
 * it.
 */
#define zassert_equal_ptr(a, b, ...)                                        \
	ZTEST_CHECK_(ZTEST_ASSERT_, (const void *)(a) == (const void *)(b), \
		     #a " not equal to " #b, ##__VA_ARGS__)
/**
 * `a` is at most `d` away from `b`. Else the test fails and ends; what follows is a message, as
 * printk() has it.
 */
#define zassert_within(a, b, d, ...)                                      \
	ZTEST_CHECK_(ZTEST_ASSERT_, (a) >= (b) - (d) && (a) <= (b) + (d), \
		     #a " not within " #b " +/- " #d, ##__VA_ARGS__)
/**
 * `a` is more than `d` away from `b`. Else the test fails and ends; what follows is a message, as
 * printk() has it.
 */
#define zassert_not_within(a, b, d, ...)                                     \
	ZTEST_CHECK_(ZTEST_ASSERT_, !((a) >= (b) - (d) && (a) <= (b) + (d)), \
		     #a " within " #b " +/- " #d, ##__VA_ARGS__)
/**
 * `a` is from `l` to `u`. Else the test fails and ends; what follows is a message, as printk() has
 * it.
 */
#define zassert_between_inclusive(a, l, u, ...)               \
	ZTEST_CHECK_(ZTEST_ASSERT_, (a) >= (l) && (a) <= (u), \
		     #a " not between " #l " and " #u " inclusive", ##__VA_ARGS__)
/* Arguments are expanded first: one macro may stand for several of them. */
/**
 * `size` bytes at both are the same. Else the test fails and ends; what follows is a message, as
 * printk() has it.
 */
#define zassert_mem_equal(...) zassert_mem_equal__(__VA_ARGS__)
#define zassert_mem_equal__(a, b, size, ...)                                               \
	ZTEST_CHECK_(ZTEST_ASSERT_, memcmp((a), (b), (size)) == 0, #a " not equal to " #b, \
		     ##__VA_ARGS__)
/**
 * Both strings are the same. Else the test fails and ends; what follows is a message, as printk()
 * has it.
 */
#define zassert_str_equal(a, b, ...) \
	ZTEST_CHECK_(ZTEST_ASSERT_, strcmp((a), (b)) == 0, #a " not equal to " #b, ##__VA_ARGS__)

/* ---- zassume_: the test is skipped ---- */

/**
 * This line is not reached. Else the test is skipped and ends; what follows is a message, as
 * printk() has it.
 */
#define zassume_unreachable(...) \
	ZTEST_CHECK_(ZTEST_ASSUME_, 0, "Reached unreachable code", ##__VA_ARGS__)
/**
 * `cond` is true. Else the test is skipped and ends; what follows is a message, as printk() has it.
 */
#define zassume_true(cond, ...) \
	ZTEST_CHECK_(ZTEST_ASSUME_, (cond), #cond " is false", ##__VA_ARGS__)
/**
 * `cond` is false. Else the test is skipped and ends; what follows is a message, as printk() has
 * it.
 */
#define zassume_false(cond, ...) \
	ZTEST_CHECK_(ZTEST_ASSUME_, !(cond), #cond " is true", ##__VA_ARGS__)
/**
 * `cond` is 0. Else the test is skipped and ends; what follows is a message, as printk() has it.
 */
#define zassume_ok(cond, ...) \
	ZTEST_CHECK_(ZTEST_ASSUME_, !(cond), #cond " is non-zero", ##__VA_ARGS__)
/**
 * `cond` is not 0. Else the test is skipped and ends; what follows is a message, as printk() has
 * it.
 */
#define zassume_not_ok(cond, ...) \
	ZTEST_CHECK_(ZTEST_ASSUME_, !!(cond), #cond " is zero", ##__VA_ARGS__)
/**
 * `ptr` is NULL. Else the test is skipped and ends; what follows is a message, as printk() has it.
 */
#define zassume_is_null(ptr, ...) \
	ZTEST_CHECK_(ZTEST_ASSUME_, (ptr) == NULL, #ptr " is not NULL", ##__VA_ARGS__)
/**
 * `ptr` is not NULL. Else the test is skipped and ends; what follows is a message, as printk() has
 * it.
 */
#define zassume_not_null(ptr, ...) \
	ZTEST_CHECK_(ZTEST_ASSUME_, (ptr) != NULL, #ptr " is NULL", ##__VA_ARGS__)
/**
 * `a` equals `b`. Else the test is skipped and ends; what follows is a message, as printk() has it.
 */
#define zassume_equal(a, b, ...) \
	ZTEST_CHECK_(ZTEST_ASSUME_, (a) == (b), #a " not equal to " #b, ##__VA_ARGS__)
/**
 * `a` does not equal `b`. Else the test is skipped and ends; what follows is a message, as printk()
 * has it.
 */
#define zassume_not_equal(a, b, ...) \
	ZTEST_CHECK_(ZTEST_ASSUME_, (a) != (b), #a " equal to " #b, ##__VA_ARGS__)
/**
 * Both are one address. Else the test is skipped and ends; what follows is a message, as printk()
 * has it.
 */
#define zassume_equal_ptr(a, b, ...)                                        \
	ZTEST_CHECK_(ZTEST_ASSUME_, (const void *)(a) == (const void *)(b), \
		     #a " not equal to " #b, ##__VA_ARGS__)
/**
 * `a` is at most `d` away from `b`. Else the test is skipped and ends; what follows is a message,
 * as printk() has it.
 */
#define zassume_within(a, b, d, ...)                                      \
	ZTEST_CHECK_(ZTEST_ASSUME_, (a) >= (b) - (d) && (a) <= (b) + (d), \
		     #a " not within " #b " +/- " #d, ##__VA_ARGS__)
/**
 * `a` is more than `d` away from `b`. Else the test is skipped and ends; what follows is a message,
 * as printk() has it.
 */
#define zassume_not_within(a, b, d, ...)                                     \
	ZTEST_CHECK_(ZTEST_ASSUME_, !((a) >= (b) - (d) && (a) <= (b) + (d)), \
		     #a " within " #b " +/- " #d, ##__VA_ARGS__)
/**
 * `a` is from `l` to `u`. Else the test is skipped and ends; what follows is a message, as printk()
 * has it.
 */
#define zassume_between_inclusive(a, l, u, ...)               \
	ZTEST_CHECK_(ZTEST_ASSUME_, (a) >= (l) && (a) <= (u), \
		     #a " not between " #l " and " #u " inclusive", ##__VA_ARGS__)
/* Arguments are expanded first: one macro may stand for several of them. */
/**
 * `size` bytes at both are the same. Else the test is skipped and ends; what follows is a message,
 * as printk() has it.
 */
#define zassume_mem_equal(...) zassume_mem_equal__(__VA_ARGS__)
#define zassume_mem_equal__(a, b, size, ...)                                               \
	ZTEST_CHECK_(ZTEST_ASSUME_, memcmp((a), (b), (size)) == 0, #a " not equal to " #b, \
		     ##__VA_ARGS__)
/**
 * Both strings are the same. Else the test is skipped and ends; what follows is a message, as
 * printk() has it.
 */
#define zassume_str_equal(a, b, ...) \
	ZTEST_CHECK_(ZTEST_ASSUME_, strcmp((a), (b)) == 0, #a " not equal to " #b, ##__VA_ARGS__)

/* ---- zexpect_: the test fails at its end ---- */

/**
 * This line is not reached. Else the test fails, and goes on; what follows is a message, as
 * printk() has it.
 */
#define zexpect_unreachable(...) \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, 0, "Reached unreachable code", ##__VA_ARGS__)
/**
 * `cond` is true. Else the test fails, and goes on; what follows is a message, as printk() has it.
 */
#define zexpect_true(cond, ...) \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, (cond), #cond " is false", ##__VA_ARGS__)
/**
 * `cond` is false. Else the test fails, and goes on; what follows is a message, as printk() has it.
 */
#define zexpect_false(cond, ...) \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, !(cond), #cond " is true", ##__VA_ARGS__)
/** `cond` is 0. Else the test fails, and goes on; what follows is a message, as printk() has it. */
#define zexpect_ok(cond, ...) \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, !(cond), #cond " is non-zero", ##__VA_ARGS__)
/**
 * `cond` is not 0. Else the test fails, and goes on; what follows is a message, as printk() has it.
 */
#define zexpect_not_ok(cond, ...) \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, !!(cond), #cond " is zero", ##__VA_ARGS__)
/**
 * `ptr` is NULL. Else the test fails, and goes on; what follows is a message, as printk() has it.
 */
#define zexpect_is_null(ptr, ...) \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, (ptr) == NULL, #ptr " is not NULL", ##__VA_ARGS__)
/**
 * `ptr` is not NULL. Else the test fails, and goes on; what follows is a message, as printk() has
 * it.
 */
#define zexpect_not_null(ptr, ...) \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, (ptr) != NULL, #ptr " is NULL", ##__VA_ARGS__)
/**
 * `a` equals `b`. Else the test fails, and goes on; what follows is a message, as printk() has it.
 */
#define zexpect_equal(a, b, ...) \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, (a) == (b), #a " not equal to " #b, ##__VA_ARGS__)
/**
 * `a` does not equal `b`. Else the test fails, and goes on; what follows is a message, as printk()
 * has it.
 */
#define zexpect_not_equal(a, b, ...) \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, (a) != (b), #a " equal to " #b, ##__VA_ARGS__)
/**
 * Both are one address. Else the test fails, and goes on; what follows is a message, as printk()
 * has it.
 */
#define zexpect_equal_ptr(a, b, ...)                                              \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, (const void *)(a) == (const void *)(b), \
		     #a " not equal to " #b, ##__VA_ARGS__)
/**
 * `a` is at most `d` away from `b`. Else the test fails, and goes on; what follows is a message, as
 * printk() has it.
 */
#define zexpect_within(a, b, d, ...)                                            \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, (a) >= (b) - (d) && (a) <= (b) + (d), \
		     #a " not within " #b " +/- " #d, ##__VA_ARGS__)
/**
 * `a` is more than `d` away from `b`. Else the test fails, and goes on; what follows is a message,
 * as printk() has it.
 */
#define zexpect_not_within(a, b, d, ...)                                           \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, !((a) >= (b) - (d) && (a) <= (b) + (d)), \
		     #a " within " #b " +/- " #d, ##__VA_ARGS__)
/**
 * `a` is from `l` to `u`. Else the test fails, and goes on; what follows is a message, as printk()
 * has it.
 */
#define zexpect_between_inclusive(a, l, u, ...)                     \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, (a) >= (l) && (a) <= (u), \
		     #a " not between " #l " and " #u " inclusive", ##__VA_ARGS__)
/* Arguments are expanded first: one macro may stand for several of them. */
/**
 * `size` bytes at both are the same. Else the test fails, and goes on; what follows is a message,
 * as printk() has it.
 */
#define zexpect_mem_equal(...) zexpect_mem_equal__(__VA_ARGS__)
#define zexpect_mem_equal__(a, b, size, ...)                                                     \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, memcmp((a), (b), (size)) == 0, #a " not equal to " #b, \
		     ##__VA_ARGS__)
/**
 * Both strings are the same. Else the test fails, and goes on; what follows is a message, as
 * printk() has it.
 */
#define zexpect_str_equal(a, b, ...)                                                     \
	ZTEST_CHECK_(ZTEST_EXPECT_FAILS_, strcmp((a), (b)) == 0, #a " not equal to " #b, \
		     ##__VA_ARGS__)

EXTERN_C_END_

#endif /* ZEPHYR_ZTEST_ASSERT_H */
