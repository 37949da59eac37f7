/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Fatal errors under Zephyr's path. */
#ifndef ZEPHYR_FATAL_H
#define ZEPHYR_FATAL_H

#include <foliot/fatal.h>
#include <zephyr/toolchain.h>

EXTERN_C_BEGIN_

/** Halt, as a handler of fatal errors may: the run ends, with status 1. Context: either. */
static inline __attribute__((noreturn)) void k_fatal_halt(unsigned int reason)
{
	(void)reason;
	k_exit(1);
}

EXTERN_C_END_

#endif /* ZEPHYR_FATAL_H */
