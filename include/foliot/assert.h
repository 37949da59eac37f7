/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Named assertions. Off in measured builds, on in tests (CONFIG_ASSERT, see
 * conf/prj.debug.conf). Each carries a name that says which rule was broken, so
 * that a test, or a user reading a log, can tell one misuse from another.
 */
#ifndef FOLIOT_ASSERT_H
#define FOLIOT_ASSERT_H

#include <foliot/util.h>

/*
 * Reports a broken rule and stops the system; never returns.
 * Context: either. Prints: ASSERTION FAILED: NAME at FILE:LINE.
 */
void k_assert_failed(const char *name, const char *file, int line) __attribute__((noreturn));

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

#define __ASSERT(cond, ...)   K_ASSERT(cond, #cond)
#define __ASSERT_NO_MSG(cond) K_ASSERT(cond, #cond)

#endif /* FOLIOT_ASSERT_H */
