/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The version of Zephyr whose interface this is: what programs ask that are written for several.
 */
#ifndef ZEPHYR_VERSION_H
#define ZEPHYR_VERSION_H

/** A version as a number that compares. */
#define ZEPHYR_VERSION(major, minor, patch) (((major) << 16) + ((minor) << 8) + (patch))

/** The interface is that of Zephyr 4.2. */
#define KERNEL_VERSION_MAJOR           4
#define KERNEL_VERSION_MINOR           2          /**< see KERNEL_VERSION_MAJOR */
#define KERNEL_PATCHLEVEL              0          /**< see KERNEL_VERSION_MAJOR */
#define KERNEL_VERSION_STRING          "4.2.0"    /**< see KERNEL_VERSION_MAJOR */
#define KERNEL_VERSION_EXTENDED_STRING "4.2.0+0" /**< see KERNEL_VERSION_MAJOR */
#define KERNEL_TWEAK                   0          /**< see KERNEL_VERSION_MAJOR */
/** The same as ZEPHYR_VERSION() makes. */
#define KERNEL_VERSION_NUMBER          ZEPHYR_VERSION(4, 2, 0)
/** With the patch level above and a zero below, as Zephyr's build writes it. */
#define KERNELVERSION                  (KERNEL_VERSION_NUMBER << 8)
#define ZEPHYR_VERSION_CODE            KERNEL_VERSION_NUMBER /**< see KERNEL_VERSION_NUMBER */

#endif /* ZEPHYR_VERSION_H */
