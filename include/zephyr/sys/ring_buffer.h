/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Ring buffers: of bytes, or of items of words with a type. One writer and one reader may use one
 * at the same time, without a lock; several of a kind need one. Not both bytes and items.
 *
 * A place in it counts up to twice the size, so that a full one is told from an empty one without a
 * word more, and no size has to be a power of two.
 */
#ifndef ZEPHYR_SYS_RING_BUFFER_H
#define ZEPHYR_SYS_RING_BUFFER_H

#include <zephyr/sys/util.h>

EXTERN_C_BEGIN_

/** The largest size, bytes. */
#define RING_BUF_MAX_SIZE (UINT32_MAX / 2U)

/** A ring buffer. */
struct ring_buf {
	uint8_t *buffer;      /**< internal */
	uint32_t written;     /**< internal: up to here there are bytes to read */
	uint32_t written_end; /**< internal: up to here places are claimed */
	uint32_t read;        /**< internal: up to here places are free again */
	uint32_t read_end;    /**< internal: up to here bytes are claimed */
	uint32_t size;        /**< bytes */
};

/** What a ring_buf of size8 bytes at buf is initialised with. */
#define RING_BUF_INIT(buf, size8) {(buf), 0, 0, 0, 0, (size8)}
/** Define a ring buffer of size8 bytes, ready before any code runs; at file scope. */
#define RING_BUF_DECLARE(name, size8)                                    \
	BUILD_ASSERT((size8) <= RING_BUF_MAX_SIZE, "too large: " #name); \
	static uint8_t __noinit _ring_buffer_data_##name[size8];         \
	struct ring_buf name = RING_BUF_INIT(_ring_buffer_data_##name, size8)
/** The same for items, of size32 words in sum; each takes one more. */
#define RING_BUF_ITEM_DECLARE(name, size32)                                    \
	BUILD_ASSERT((size32) <= RING_BUF_MAX_SIZE / 4U, "too large: " #name); \
	static uint32_t __noinit _ring_buffer_data_##name[size32];             \
	struct ring_buf name = RING_BUF_INIT((uint8_t *)_ring_buffer_data_##name, 4U * (size32))
/** Zephyr's older name. */
#define RING_BUF_ITEM_DECLARE_SIZE(name, size32) RING_BUF_ITEM_DECLARE(name, size32)
/** For items, of 2^pow words in sum. */
#define RING_BUF_ITEM_DECLARE_POW2(name, pow)    RING_BUF_ITEM_DECLARE(name, BIT(pow))
/** The words that a value takes as an item's contents. */
#define RING_BUF_ITEM_SIZEOF(expr)               DIV_ROUND_UP(sizeof(expr), sizeof(uint32_t))

/** Prepare a ring buffer of size bytes at data. Context: either. */
void ring_buf_init(struct ring_buf *buf, uint32_t size, uint8_t *data);

/** Prepare one for items, of size words at data. Context: either. */
static inline void ring_buf_item_init(struct ring_buf *buf, uint32_t size, uint32_t *data)
{
	ring_buf_init(buf, 4U * size, (uint8_t *)data);
}

/** Drop all that is in it. Neither writer nor reader may be at it. Context: either. */
void ring_buf_reset(struct ring_buf *buf);

/** Returns the bytes that can be written and are not claimed. Context: either. */
uint32_t ring_buf_space_get(const struct ring_buf *buf);
/** Returns the bytes that can be read and are not claimed. Context: either. */
uint32_t ring_buf_size_get(const struct ring_buf *buf);

/** Returns whether there is nothing to read. Context: either. */
static inline bool ring_buf_is_empty(const struct ring_buf *buf)
{
	return ring_buf_size_get(buf) == 0;
}

/** Returns the words that can be written. Context: either. */
static inline uint32_t ring_buf_item_space_get(const struct ring_buf *buf)
{
	return ring_buf_space_get(buf) / 4U;
}

/** Returns the bytes it holds. Context: either. */
static inline uint32_t ring_buf_capacity_get(const struct ring_buf *buf)
{
	return buf->size;
}

/**
 * Claim up to `size` bytes to write, in one piece, at *data; again for what lies behind it.
 * Returns how many there are: fewer at the end of the memory, and when it is full.
 * Context: either.
 */
uint32_t ring_buf_put_claim(struct ring_buf *buf, uint8_t **data, uint32_t size);

/**
 * The first `size` bytes of all that was claimed are written; the others are claimed no more.
 * Returns 0; -EINVAL: so many were not claimed, and nothing is done.
 * Context: either.
 */
int ring_buf_put_finish(struct ring_buf *buf, uint32_t size);

/** Write up to `size` bytes. Returns how many. Context: either. */
uint32_t ring_buf_put(struct ring_buf *buf, const uint8_t *data, uint32_t size);

/**
 * Claim up to `size` bytes to read, in one piece, at *data; again for what lies behind it.
 * Returns how many there are: fewer at the end of the memory, and when it is empty.
 * Context: either.
 */
uint32_t ring_buf_get_claim(struct ring_buf *buf, uint8_t **data, uint32_t size);

/**
 * The first `size` bytes of all that was claimed were read, and their places are free; the
 * others are claimed no more.
 * Returns 0; -EINVAL: so many were not claimed, and nothing is done.
 * Context: either.
 */
int ring_buf_get_finish(struct ring_buf *buf, uint32_t size);

/** Read up to `size` bytes; a data of NULL drops them. Returns how many. Context: either. */
uint32_t ring_buf_get(struct ring_buf *buf, uint8_t *data, uint32_t size);

/** Read up to `size` bytes and leave them there. Returns how many. Context: either. */
uint32_t ring_buf_peek(struct ring_buf *buf, uint8_t *data, uint32_t size);

/**
 * Write an item: a type, a value, and size32 words.
 * Returns 0; -EMSGSIZE: there is no room for it.
 * Context: either.
 */
int ring_buf_item_put(struct ring_buf *buf, uint16_t type, uint8_t value, uint32_t *data,
		      uint8_t size32);

/**
 * Read the first item into data, which has room for *size32 words; a data of NULL drops them.
 * *size32 is then what the item has.
 * Returns 0; -EAGAIN: it is empty; -EMSGSIZE: the item is longer, and stays.
 * Context: either.
 */
int ring_buf_item_get(struct ring_buf *buf, uint16_t *type, uint8_t *value, uint32_t *data,
		      uint8_t *size32);

EXTERN_C_END_

#endif /* ZEPHYR_SYS_RING_BUFFER_H */
