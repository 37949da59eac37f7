/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * A check that runs in every build. */
#ifndef ZEPHYR_SYS_CHECK_H
#define ZEPHYR_SYS_CHECK_H

#include <foliot/assert.h>
#include <zephyr/toolchain.h>

/**
 * `if` for what a caller must not do. With CONFIG_ASSERT it ends the run where the condition holds
 * (asserted: by its text), and what stands behind it is not reached. Context: either.
 */
#ifdef CONFIG_ASSERT
#define CHECKIF(condition)                  \
	K_ASSERT(!(condition), #condition); \
	if (0)
#else
#define CHECKIF(condition) if (condition)
#endif

#endif /* ZEPHYR_SYS_CHECK_H */
