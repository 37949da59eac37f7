/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * C's library keeps nothing in memory that user threads would have to share: there is no
 * z_libc_partition, and Z_LIBC_PARTITION_EXISTS is not defined, as in Zephyr's builds without such
 * a library.
 */
#ifndef ZEPHYR_SYS_LIBC_HOOKS_H
#define ZEPHYR_SYS_LIBC_HOOKS_H

#include <zephyr/app_memory/app_memdomain.h>

#endif /* ZEPHYR_SYS_LIBC_HOOKS_H */
