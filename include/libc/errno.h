/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Error numbers; see foliot/errno.h. */
#ifndef FOLIOT_LIBC_ERRNO_H
#define FOLIOT_LIBC_ERRNO_H

#include <foliot/errno.h>

#endif /* FOLIOT_LIBC_ERRNO_H */
