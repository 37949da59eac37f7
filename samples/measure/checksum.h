/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* CRC-16 (polynomial 0x1021, beginning with 0xFFFF) of `size` bytes. Context: either. */
uint16_t checksum(const uint8_t *bytes, size_t size);

#endif /* CHECKSUM_H */
