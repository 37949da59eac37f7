/* SPDX-License-Identifier: Apache-2.0 */
/* Checks by polynomials, bit by bit: two loops, of the highest bit first and of the lowest. */
#include <zephyr/sys/crc.h>

/* The highest bit first, in the upper bits of a word. */
static uint32_t upwards(uint32_t poly, uint32_t crc, const uint8_t *src, size_t len)
{
	/* Bound: the caller's length, and 8 bits a byte. */
	for (; len > 0U; len--) {
		crc ^= (uint32_t)*src++ << 24;
		for (int bit = 0; bit < 8; bit++) {
			crc = (crc << 1) ^ ((crc >> 31) != 0U ? poly : 0U);
		}
	}
	return crc;
}

/* The lowest bit first, in the lower bits of a word. */
static uint32_t downwards(uint32_t poly, uint32_t crc, const uint8_t *src, size_t len)
{
	/* Bound: the caller's length, and 8 bits a byte. */
	for (; len > 0U; len--) {
		crc ^= *src++;
		for (int bit = 0; bit < 8; bit++) {
			crc = (crc >> 1) ^ ((crc & 1U) != 0U ? poly : 0U);
		}
	}
	return crc;
}

uint8_t crc8(const uint8_t *src, size_t len, uint8_t polynomial, uint8_t initial_value,
	     bool reversed)
{
	if (reversed) {
		return (uint8_t)downwards(polynomial, initial_value, src, len);
	}
	return (uint8_t)(upwards((uint32_t)polynomial << 24, (uint32_t)initial_value << 24, src,
				 len) >>
			 24);
}

uint8_t crc8_ccitt(uint8_t initial_value, const void *buf, size_t len)
{
	return crc8(buf, len, 0x07, initial_value, false);
}

uint8_t crc7_be(uint8_t seed, const uint8_t *src, size_t len)
{
	return (uint8_t)(upwards(0x09U << 25, (uint32_t)seed << 24, src, len) >> 24);
}

uint16_t crc16(uint16_t poly, uint16_t seed, const uint8_t *src, size_t len)
{
	return (uint16_t)(upwards((uint32_t)poly << 16, (uint32_t)seed << 16, src, len) >> 16);
}

uint16_t crc16_reflect(uint16_t poly, uint16_t seed, const uint8_t *src, size_t len)
{
	return (uint16_t)downwards(poly, seed, src, len);
}

uint16_t crc16_ccitt(uint16_t seed, const uint8_t *src, size_t len)
{
	return crc16_reflect(0x8408, seed, src, len);
}

uint16_t crc16_itu_t(uint16_t seed, const uint8_t *src, size_t len)
{
	return crc16(0x1021, seed, src, len);
}

uint16_t crc16_ansi(const uint8_t *src, size_t len)
{
	return crc16_reflect(0xa001, 0xffff, src, len);
}

uint32_t crc32_ieee_update(uint32_t crc, const uint8_t *data, size_t len)
{
	return ~downwards(0xedb88320U, ~crc, data, len);
}

uint32_t crc32_ieee(const uint8_t *data, size_t len)
{
	return crc32_ieee_update(0U, data, len);
}

uint32_t crc32_c(uint32_t crc, const uint8_t *data, size_t len, bool first_pkt, bool last_pkt)
{
	uint32_t all = downwards(0x82f63b78U, first_pkt ? ~0U : crc, data, len);

	return last_pkt ? ~all : all;
}
