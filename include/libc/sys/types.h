/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Types of sizes with a sign. */
#ifndef FOLIOT_LIBC_SYS_TYPES_H
#define FOLIOT_LIBC_SYS_TYPES_H

#include <stddef.h>

#ifdef __LP64__
typedef long ssize_t;
#else
typedef int ssize_t;
#endif
typedef long off_t;

#endif /* FOLIOT_LIBC_SYS_TYPES_H */
