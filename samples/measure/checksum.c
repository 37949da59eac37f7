/* SPDX-License-Identifier: Apache-2.0 */
/* The function that is measured; put your own here. */
#include "checksum.h"

uint16_t checksum(const uint8_t *bytes, size_t size)
{
	uint16_t crc = 0xFFFF;

	for (size_t i = 0; i < size; i++) {
		crc ^= (uint16_t)(bytes[i] << 8);
		for (int bit = 0; bit < 8; bit++) {
			crc = (uint16_t)((crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1);
		}
	}
	return crc;
}
