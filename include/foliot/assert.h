/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Named assertions. Off in measured builds, on in tests (CONFIG_ASSERT, see
 * conf/prj.debug.conf). Each carries a name that says which rule was broken, so
 * that a test, or a user reading a log, can tell one misuse from another.
 */
#ifndef FOLIOT_ASSERT_H
#define FOLIOT_ASSERT_H

#include <foliot/util.h>

/**
 * Report a broken rule, as "ASSERTION FAILED: NAME at FILE:LINE" and a fatal error
 * (K_ERR_KERNEL_PANIC), and end the run. Does not return.
 * Context: either.
 */
void k_assert_failed(const char *name, const char *file, int line) __attribute__((noreturn));

/**
 * Assert a rule by its name, a string. Without CONFIG_ASSERT `cond` is compiled and not
 * evaluated. Where it does not hold: k_assert_failed().
 * Context: either.
 */
#ifdef CONFIG_ASSERT
#define K_ASSERT(cond, name)                                       \
	do {                                                       \
		if (unlikely(!(cond))) {                           \
			k_assert_failed(name, __FILE__, __LINE__); \
		}                                                  \
	} while (0)
#else
#define K_ASSERT(cond, name) ((void)sizeof((cond) ? 1 : 0))
#endif

/** K_ASSERT() under Zephyr's name; the condition's text is the rule's name. Context: either. */
#define __ASSERT(cond, ...)   K_ASSERT(cond, #cond)
/** As __ASSERT(). Context: either. */
#define __ASSERT_NO_MSG(cond) K_ASSERT(cond, #cond)
/** With CONFIG_ASSERT `with`, and then __ASSERT(cond); else `without` alone. Context: either. */
#ifdef CONFIG_ASSERT
#define __ASSERT_EVAL(without, with, cond, ...) \
	do {                                    \
		with;                           \
		K_ASSERT(cond, #cond);          \
	} while (0)
#else
#define __ASSERT_EVAL(without, with, cond, ...) without
#endif

#endif /* FOLIOT_ASSERT_H */
