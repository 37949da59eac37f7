/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Formats of integers of a given size. */
#ifndef FOLIOT_LIBC_INTTYPES_H
#define FOLIOT_LIBC_INTTYPES_H

#include <stdint.h>

#ifdef __LP64__
#define PRI64_  "l"
#define PRIPTR_ "l"
#else
#define PRI64_  "ll"
#define PRIPTR_ "" /* uintptr_t is unsigned int */
#endif
#define PRId8   "d"
#define PRIu8   "u"
#define PRIx8   "x"
#define PRId16  "d"
#define PRIu16  "u"
#define PRIx16  "x"
#define PRId32  "d"
#define PRIi32  "i"
#define PRIu32  "u"
#define PRIx32  "x"
#define PRIX32  "X"
#define PRId64  PRI64_ "d"
#define PRIi64  PRI64_ "i"
#define PRIu64  PRI64_ "u"
#define PRIx64  PRI64_ "x"
#define PRIX64  PRI64_ "X"
#define PRIdPTR PRIPTR_ "d"
#define PRIuPTR PRIPTR_ "u"
#define PRIxPTR PRIPTR_ "x"

#endif /* FOLIOT_LIBC_INTTYPES_H */
