/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Text in UTF-8, a character of which has one byte to four.
 */
#ifndef ZEPHYR_SYS_UTIL_UTF8_H
#define ZEPHYR_SYS_UTIL_UTF8_H

#include <stddef.h>
#include <zephyr/toolchain.h>

EXTERN_C_BEGIN_

/** Cut off a last character of which bytes are missing. Returns utf8_str. Context: either. */
char *utf8_trunc(char *utf8_str);
/**
 * Copy src into the n bytes at dst, with a 0 behind it, or as many whole characters of it as there
 * is room for; of n = 0 nothing is written.
 * Returns dst. Context: either.
 */
char *utf8_lcpy(char *dst, const char *src, size_t n);
/**
 * Returns the number of characters; -EINVAL: a byte of one is missing or wrong. Context: either.
 */
int utf8_count_chars(const char *s);

EXTERN_C_END_

#endif /* ZEPHYR_SYS_UTIL_UTF8_H */
