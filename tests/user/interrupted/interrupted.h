/* SPDX-License-Identifier: Apache-2.0 */
/* What both parts of the program use: an alarm that comes a step later each time. */
#ifndef TESTS_USER_INTERRUPTED_H
#define TESTS_USER_INTERRUPTED_H

#include <foliot/kernel.h>

#define STACK 1024

/* Given: the alarm is set, for the caller's next instructions. */
extern struct k_sem arm;
/* Who takes it runs in the alarm's place. */
extern struct k_sem wake;

/* ---- swapped.c ---- */

#define SWAPS 600U
/* Returns how many of so many calls got past a check that they must not. */
unsigned int swapped_run(void);

#endif /* TESTS_USER_INTERRUPTED_H */
