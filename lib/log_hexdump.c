/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes for LOG_HEXDUMP_INF() and its kin. */
#include <zephyr/logging/log.h>

#define BYTES_IN_A_LINE 16U

void log_hexdump_(char letter, const void *data, size_t length, const char *text)
{
	const uint8_t *bytes = data;

	printk("%c: %s\n", letter, text);
	/* Bound: the caller's length. */
	for (size_t i = 0; i < length; i++) {
		bool ends = i % BYTES_IN_A_LINE == BYTES_IN_A_LINE - 1U || i == length - 1U;

		printk("%02x%c", bytes[i], ends ? '\n' : ' ');
	}
}
