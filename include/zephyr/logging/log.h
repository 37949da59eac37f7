/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Zephyr's logging macros, as its minimal mode has them: with CONFIG_LOG each message is printed
 * at once by printk(), a line with a letter for its level in front. Without it they are nothing;
 * their arguments are checked all the same, and not evaluated. Context: either.
 *
 * A file's level is what LOG_MODULE_REGISTER() or LOG_MODULE_DECLARE() says in it: the second
 * argument, or LOG_LEVEL, if that is defined before this header is included, or
 * CONFIG_LOG_DEFAULT_LEVEL.
 */
#ifndef ZEPHYR_LOGGING_LOG_H
#define ZEPHYR_LOGGING_LOG_H

#include <foliot/kernel.h>

#define LOG_LEVEL_NONE 0U /**< nothing */
#define LOG_LEVEL_ERR  1U /**< errors */
#define LOG_LEVEL_WRN  2U /**< and warnings */
#define LOG_LEVEL_INF  3U /**< and information */
#define LOG_LEVEL_DBG  4U /**< all */

#ifdef CONFIG_LOG
#define LOG_IS_ON_(level) ((level) <= MAX(log_level_of_file_, (uint32_t)CONFIG_LOG_OVERRIDE_LEVEL))
#define LOG_DEFAULT_      CONFIG_LOG_DEFAULT_LEVEL
#else
#define LOG_IS_ON_(level) false
#define LOG_DEFAULT_      LOG_LEVEL_NONE
#endif
#ifdef LOG_LEVEL
#define LOG_LEVEL_OF_FILE_ LOG_LEVEL
#else
#define LOG_LEVEL_OF_FILE_ LOG_DEFAULT_
#endif

#define LOG_SECOND_(first, second, ...) second
#define LOG_SET_LEVEL_(...) \
	static const uint32_t log_level_of_file_ __unused = LOG_SECOND_(__VA_ARGS__, ~)
/** Say this file's module, LOG_MODULE_REGISTER(name) or (name, level); the name is not printed. */
#define LOG_MODULE_REGISTER(...) LOG_SET_LEVEL_(__VA_ARGS__, LOG_LEVEL_OF_FILE_)
/** The same in other files of the module. */
#define LOG_MODULE_DECLARE(...)  LOG_SET_LEVEL_(__VA_ARGS__, LOG_LEVEL_OF_FILE_)

#define LOG_AT_(level, letter, text, ...)                             \
	do {                                                          \
		if (LOG_IS_ON_(level)) {                              \
			printk(letter ": " text "\n", ##__VA_ARGS__); \
		}                                                     \
	} while (false)
/** Print an error; as printk(), with a text that is a literal. */
#define LOG_ERR(...) LOG_AT_(LOG_LEVEL_ERR, "E", __VA_ARGS__)
/** Print a warning. */
#define LOG_WRN(...) LOG_AT_(LOG_LEVEL_WRN, "W", __VA_ARGS__)
/** Print information. */
#define LOG_INF(...) LOG_AT_(LOG_LEVEL_INF, "I", __VA_ARGS__)
/** Print what helps to find errors. */
#define LOG_DBG(...) LOG_AT_(LOG_LEVEL_DBG, "D", __VA_ARGS__)
/** Print whatever the level, without a letter and without an end of line. Context: either. */
#define LOG_PRINTK(...)                       \
	do {                                  \
		if (IS_ENABLED(CONFIG_LOG)) { \
			printk(__VA_ARGS__);  \
		}                             \
	} while (false)
/** The same. */
#define LOG_RAW(...) LOG_PRINTK(__VA_ARGS__)

/** Internal: a text behind its letter, and `length` bytes in hexadecimal, 16 a line. */
void log_hexdump_(char letter, const void *data, size_t length, const char *text);

#define LOG_HEXDUMP_AT_(level, letter, data, length, text)        \
	do {                                                      \
		if (LOG_IS_ON_(level)) {                          \
			log_hexdump_(letter, data, length, text); \
		}                                                 \
	} while (false)
/** Print bytes as an error. */
#define LOG_HEXDUMP_ERR(data, length, text) LOG_HEXDUMP_AT_(LOG_LEVEL_ERR, 'E', data, length, text)
/** Print bytes as a warning. */
#define LOG_HEXDUMP_WRN(data, length, text) LOG_HEXDUMP_AT_(LOG_LEVEL_WRN, 'W', data, length, text)
/** Print bytes as information. */
#define LOG_HEXDUMP_INF(data, length, text) LOG_HEXDUMP_AT_(LOG_LEVEL_INF, 'I', data, length, text)
/** Print bytes that help to find errors. */
#define LOG_HEXDUMP_DBG(data, length, text) LOG_HEXDUMP_AT_(LOG_LEVEL_DBG, 'D', data, length, text)

#endif /* ZEPHYR_LOGGING_LOG_H */
