/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machine lines: "@foliot " and one JSON object, written as it is formed. There is no
 * line buffer, because a histogram's line has no useful upper limit, so the checksum
 * is carried along character by character.
 */
#include "private.h"

static struct {
	uint32_t crc;  /* inverted, as the algorithm keeps it */
	char text[96]; /* one formatted piece; longer strings go character by character */
} record = {.crc = UINT32_MAX};

static void put(char c)
{
	/* The polynomial 0xEDB88320, four bits at a time: 64 bytes of table. */
	static const uint32_t table[16] = {
		0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
		0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
		0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
	};
	uint32_t crc = record.crc ^ (uint8_t)c;

	crc = table[crc & 15U] ^ (crc >> 4U);
	record.crc = table[crc & 15U] ^ (crc >> 4U);
	console_putc(c);
}

static void put_text(const char *text)
{
	/* Bound: the text's length. */
	while (*text != '\0') {
		put(*text++);
	}
}

/* Texts are ASCII; what JSON does not allow in a string is not in a name or a reason. */
static void put_quoted(const char *text)
{
	put('"');
	/* Bound: the text's length. */
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\') {
			put('\\');
		}
		put(*text);
	}
	put('"');
}

void record_print(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintk(record.text, sizeof(record.text), format, arguments);
	va_end(arguments);
	put_text(record.text);
}

void record_begin(const char *type)
{
	put_text("@foliot {\"type\":");
	put_quoted(type);
}

void record_key(const char *key)
{
	put(',');
	put_quoted(key);
	put(':');
}

void record_integer(const char *key, int64_t value)
{
	record_key(key);
	record_print("%lld", (long long)value);
}

void record_string(const char *key, const char *value)
{
	record_key(key);
	put_quoted(value);
}

void record_end(void)
{
	put_text("}\n");
}

uint32_t record_crc32(void)
{
	return ~record.crc;
}
