/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * STRUCT_SECTION_ITERABLE() under Zephyr's path. */
#ifndef ZEPHYR_SYS_ITERABLE_SECTIONS_H
#define ZEPHYR_SYS_ITERABLE_SECTIONS_H

#include <foliot/util.h>

#endif /* ZEPHYR_SYS_ITERABLE_SECTIONS_H */
