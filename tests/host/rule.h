/* SPDX-License-Identifier: Apache-2.0 */
/* A rule that a test holds something to: each program says itself how it came to a broken one. */
#ifndef FOLIOT_TESTS_RULE_H
#define FOLIOT_TESTS_RULE_H

#include <stdbool.h>

/* Report a broken rule, with what leads there, and end the process. */
void fail(const char *rule) __attribute__((noreturn));

static inline void check(bool holds, const char *rule)
{
	if (!holds) {
		fail(rule);
	}
}

#endif /* FOLIOT_TESTS_RULE_H */
