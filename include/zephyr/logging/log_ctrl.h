/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Zephyr's control of logging: nothing is to be done, since messages are printed at once (log.h).
 */
#ifndef ZEPHYR_LOGGING_LOG_CTRL_H
#define ZEPHYR_LOGGING_LOG_CTRL_H

#include <zephyr/logging/log.h>

/** Nothing. */
#define LOG_INIT()    ((void)0)
/** Nothing. */
#define LOG_PANIC()   ((void)0)
/** Nothing is left to print: false. */
#define LOG_PROCESS() false

#endif /* ZEPHYR_LOGGING_LOG_CTRL_H */
