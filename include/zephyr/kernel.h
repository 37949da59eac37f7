/* SPDX-License-Identifier: Apache-2.0 */
/* So that code written to Zephyr's kernel API compiles. */
#include <foliot/kernel.h>
