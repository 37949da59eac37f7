/* SPDX-License-Identifier: Apache-2.0 */
/* What a board knows that differs from boot to boot. */
#ifndef FOLIOT_DRIVERS_ENTROPY_H
#define FOLIOT_DRIVERS_ENTROPY_H

#include <stdbool.h>
#include <stdint.h>

/* Draw a word; false where the board has no source. At boot, interrupts masked. */
bool entropy_get(uint32_t *word);

#endif /* FOLIOT_DRIVERS_ENTROPY_H */
