/* SPDX-License-Identifier: Apache-2.0 */
/* Digits and bytes: see include/zephyr/sys/util.h. */
#include <zephyr/sys/util.h>
#include <foliot/errno.h>

size_t sys_count_bits(const void *value, size_t len)
{
	const uint8_t *bytes = (const uint8_t *)value;
	size_t bits = 0;

	/* Bound: len, and 8 for each. */
	for (size_t i = 0; i < len; i++) {
		for (unsigned int byte = bytes[i]; byte != 0; byte &= byte - 1U) {
			bits++;
		}
	}
	return bits;
}

int char2hex(char c, uint8_t *x)
{
	if (c >= '0' && c <= '9') {
		*x = (uint8_t)(c - '0');
	} else if (c >= 'a' && c <= 'f') {
		*x = (uint8_t)(c - 'a' + 10);
	} else if (c >= 'A' && c <= 'F') {
		*x = (uint8_t)(c - 'A' + 10);
	} else {
		return -EINVAL;
	}
	return 0;
}

int hex2char(uint8_t x, char *c)
{
	if (x > 15U) {
		return -EINVAL;
	}
	*c = "0123456789abcdef"[x];
	return 0;
}

size_t bin2hex(const uint8_t *buf, size_t buflen, char *hex, size_t hexlen)
{
	if (hexlen < 2U * buflen + 1U) {
		return 0;
	}
	/* Bound: buflen. */
	for (size_t i = 0; i < buflen; i++) {
		(void)hex2char(buf[i] >> 4U, &hex[2U * i]);
		(void)hex2char(buf[i] & 0x0FU, &hex[2U * i + 1U]);
	}
	hex[2U * buflen] = '\0';
	return 2U * buflen;
}

size_t hex2bin(const char *hex, size_t hexlen, uint8_t *buf, size_t buflen)
{
	size_t bytes = (hexlen + 1U) / 2U;
	size_t digits = hexlen %
			2U; /* with an odd number, half of the first byte is there already */

	if (bytes > buflen) {
		return 0;
	}
	/* Bound: 2 * bytes. */
	for (size_t i = 0; i < hexlen; i++) {
		size_t at = (i + digits) / 2U;
		uint8_t digit;

		if (char2hex(hex[i], &digit) < 0) {
			return 0;
		}
		buf[at] = (i + digits) % 2U != 0 && i != 0 ? (uint8_t)(buf[at] << 4U | digit)
							   : digit;
	}
	return bytes;
}

uint8_t u8_to_dec(char *buf, uint8_t buflen, uint8_t value)
{
	uint8_t divisor = 100;
	uint8_t count = 0;

	/* Bound: three digits. */
	while (buflen > 0 && divisor > 0) {
		uint8_t digit = (uint8_t)(value / divisor);

		if (digit != 0 || divisor == 1 || count != 0) {
			*buf++ = (char)('0' + digit);
			buflen--;
			count++;
		}
		value = (uint8_t)(value % divisor);
		divisor /= 10;
	}
	if (buflen > 0) {
		*buf = '\0';
	}
	return count;
}
