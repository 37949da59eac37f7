/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ring buffers. `written` is the writer's and `read` the reader's: each is stored once, when what
 * it tells of is done, so that the other side sees all of it or nothing.
 */
#include <zephyr/sys/ring_buffer.h>
#include <foliot/assert.h>
#include <foliot/errno.h>
#include "lib/string.h"

/* An item's first word. */
struct header {
	uint16_t type;
	uint8_t words;
	uint8_t value;
};

BUILD_ASSERT(sizeof(struct header) == sizeof(uint32_t), "an item's header is a word");

/* Places count modulo twice the size. */
static uint32_t behind(const struct ring_buf *buf, uint32_t place, uint32_t bytes)
{
	uint32_t left = 2U * buf->size - place;

	return bytes < left ? place + bytes : bytes - left;
}

static uint32_t between(const struct ring_buf *buf, uint32_t from, uint32_t to)
{
	return to >= from ? to - from : to + 2U * buf->size - from;
}

static uint32_t load(const uint32_t *place)
{
	return *(const volatile uint32_t *)place;
}

/* Behind all that was copied before. */
static void publish(uint32_t *place, uint32_t value)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*(volatile uint32_t *)place = value;
}

/* At most `size` bytes of `most`, in one piece from `place` on, at *data. */
static uint32_t piece(const struct ring_buf *buf, uint32_t place, uint32_t most, uint8_t **data,
		      uint32_t size)
{
	uint32_t index = place >= buf->size ? place - buf->size : place;

	*data = &buf->buffer[index];
	return MIN(MIN(size, most), buf->size - index);
}

void ring_buf_init(struct ring_buf *buf, uint32_t size, uint8_t *data)
{
	K_ASSERT(size <= RING_BUF_MAX_SIZE, "ring-buffer-too-large");
	*buf = (struct ring_buf)RING_BUF_INIT(data, size);
}

void ring_buf_reset(struct ring_buf *buf)
{
	ring_buf_init(buf, buf->size, buf->buffer);
}

uint32_t ring_buf_space_get(const struct ring_buf *buf)
{
	return buf->size - between(buf, load(&buf->read), buf->written_end);
}

uint32_t ring_buf_size_get(const struct ring_buf *buf)
{
	return between(buf, buf->read_end, load(&buf->written));
}

uint32_t ring_buf_put_claim(struct ring_buf *buf, uint8_t **data, uint32_t size)
{
	size = piece(buf, buf->written_end, ring_buf_space_get(buf), data, size);
	buf->written_end = behind(buf, buf->written_end, size);
	return size;
}

int ring_buf_put_finish(struct ring_buf *buf, uint32_t size)
{
	if (size > between(buf, buf->written, buf->written_end)) {
		return -EINVAL;
	}
	buf->written_end = behind(buf, buf->written, size);
	publish(&buf->written, buf->written_end);
	return 0;
}

uint32_t ring_buf_put(struct ring_buf *buf, const uint8_t *data, uint32_t size)
{
	uint32_t done = 0;
	uint32_t part;

	/* Bound: two pieces, to the end of the memory and from its beginning on. */
	do {
		uint8_t *to;

		part = ring_buf_put_claim(buf, &to, size - done);
		if (part != 0) {
			memcpy(to, &data[done], part);
		}
		done += part;
	} while (part != 0 && done < size);
	(void)ring_buf_put_finish(buf, done);
	return done;
}

uint32_t ring_buf_get_claim(struct ring_buf *buf, uint8_t **data, uint32_t size)
{
	size = piece(buf, buf->read_end, ring_buf_size_get(buf), data, size);
	buf->read_end = behind(buf, buf->read_end, size);
	return size;
}

int ring_buf_get_finish(struct ring_buf *buf, uint32_t size)
{
	if (size > between(buf, buf->read, buf->read_end)) {
		return -EINVAL;
	}
	buf->read_end = behind(buf, buf->read, size);
	publish(&buf->read, buf->read_end);
	return 0;
}

/* Claims up to `size` bytes, and copies them where data is not NULL. */
static uint32_t claim_and_copy(struct ring_buf *buf, uint8_t *data, uint32_t size)
{
	uint32_t done = 0;
	uint32_t part;

	/* Bound: two pieces. */
	do {
		uint8_t *from;

		part = ring_buf_get_claim(buf, &from, size - done);
		if (data != NULL && part != 0) {
			memcpy(&data[done], from, part);
		}
		done += part;
	} while (part != 0 && done < size);
	return done;
}

uint32_t ring_buf_get(struct ring_buf *buf, uint8_t *data, uint32_t size)
{
	uint32_t done = claim_and_copy(buf, data, size);

	(void)ring_buf_get_finish(buf, done);
	return done;
}

uint32_t ring_buf_peek(struct ring_buf *buf, uint8_t *data, uint32_t size)
{
	uint32_t done = claim_and_copy(buf, data, size);

	(void)ring_buf_get_finish(buf, 0);
	return done;
}

int ring_buf_item_put(struct ring_buf *buf, uint16_t type, uint8_t value, uint32_t *data,
		      uint8_t size32)
{
	struct header header = {type, size32, value};
	uint8_t *to;

	if (ring_buf_space_get(buf) < sizeof(header) + 4U * size32) {
		return -EMSGSIZE;
	}
	(void)ring_buf_put_claim(buf, &to,
				 sizeof(header)); /* places are words: it is in one piece */
	memcpy(to, &header, sizeof(header));
	/* Bound: two pieces. */
	for (uint32_t done = 0; done < 4U * size32;) {
		uint32_t part = ring_buf_put_claim(buf, &to, 4U * size32 - done);

		memcpy(to, (const uint8_t *)data + done, part);
		done += part;
	}
	(void)ring_buf_put_finish(buf, sizeof(header) + 4U * size32);
	return 0;
}

int ring_buf_item_get(struct ring_buf *buf, uint16_t *type, uint8_t *value, uint32_t *data,
		      uint8_t *size32)
{
	struct header header;

	if (claim_and_copy(buf, (uint8_t *)&header, sizeof(header)) < sizeof(header)) {
		(void)ring_buf_get_finish(buf, 0);
		return -EAGAIN;
	}
	if (data != NULL && header.words > *size32) {
		*size32 = header.words;
		(void)ring_buf_get_finish(buf, 0);
		return -EMSGSIZE;
	}
	*type = header.type;
	*value = header.value;
	*size32 = header.words;
	(void)claim_and_copy(buf, (uint8_t *)data, 4U * header.words);
	(void)ring_buf_get_finish(buf, sizeof(header) + 4U * header.words);
	return 0;
}
