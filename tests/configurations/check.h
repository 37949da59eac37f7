/* SPDX-License-Identifier: Apache-2.0 */
/* What the applications here have in common: checks that are counted, and the run's end. */
#ifndef TESTS_CONFIGURATIONS_CHECK_H
#define TESTS_CONFIGURATIONS_CHECK_H

#include <foliot/kernel.h>

static unsigned int checks_failed;

#define CHECK(condition)                                                              \
	do {                                                                          \
		if (!(condition)) {                                                   \
			checks_failed++;                                              \
			printk("FAILED %s:%d: %s\n", __FILE__, __LINE__, #condition); \
		}                                                                     \
	} while (0)

static inline void checks_end(void)
{
	printk("%s\n", checks_failed == 0 ? "all checks passed" : "checks failed");
	k_exit(checks_failed == 0 ? 0 : 1);
}

#endif /* TESTS_CONFIGURATIONS_CHECK_H */
