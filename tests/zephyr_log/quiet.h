/* SPDX-License-Identifier: Apache-2.0 */
/* What quiet.c says. */
#ifndef TESTS_ZEPHYR_LOG_QUIET_H
#define TESTS_ZEPHYR_LOG_QUIET_H

void say_in_another_file(void);

#endif /* TESTS_ZEPHYR_LOG_QUIET_H */
