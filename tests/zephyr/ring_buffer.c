/* SPDX-License-Identifier: Apache-2.0 */
/* Ring buffers: against a plain count of what went in and came out, at every place of the ring. */
#include <zephyr/sys/ring_buffer.h>
#include "lib/string.h"
#include "test.h"

RING_BUF_DECLARE(ring, 7); /* no power of two */
RING_BUF_ITEM_DECLARE(items, 5);

TEST(ring_buffer_bytes_at_every_place)
{
	uint8_t next_in = 0;
	uint8_t next_out = 0;
	uint32_t state = 1;

	ring_buf_reset(&ring);
	for (int i = 0; i < 2000; i++) {
		uint8_t data[10];
		uint32_t size = (state >> 16U) % 11U;
		uint32_t held = (uint8_t)(next_in - next_out);

		state = state * 1103515245U + 12345U;
		CHECK_EQ(ring_buf_size_get(&ring), held);
		CHECK_EQ(ring_buf_space_get(&ring), 7 - held);
		CHECK(ring_buf_is_empty(&ring) == (held == 0));
		if ((state >> 30U) % 2U == 0) {
			for (uint32_t j = 0; j < size; j++) {
				data[j] = (uint8_t)(next_in + j);
			}
			CHECK_EQ(ring_buf_put(&ring, data, size), MIN(size, 7 - held));
			next_in = (uint8_t)(next_in + MIN(size, 7 - held));
			continue;
		}
		CHECK_EQ(ring_buf_peek(&ring, data, size), MIN(size, held));
		CHECK_EQ(ring_buf_get(&ring, data, size), MIN(size, held));
		for (uint32_t j = 0; j < MIN(size, held); j++) {
			CHECK_EQ(data[j], next_out);
			next_out++;
		}
	}
	CHECK_EQ(ring_buf_capacity_get(&ring), 7);
}

TEST(ring_buffer_claims_are_finished_in_part)
{
	uint8_t *data;
	uint8_t got[7];

	ring_buf_reset(&ring);
	CHECK_EQ(ring_buf_put(&ring, (const uint8_t *)"12345", 5), 5);
	CHECK_EQ(ring_buf_get(&ring, NULL, 5), 5);
	CHECK_EQ(ring_buf_put_claim(&ring, &data, 7), 2); /* to the end of the memory */
	bytecpy(data, "AB", 2);
	CHECK_EQ(ring_buf_put_claim(&ring, &data, 7), 5);
	bytecpy(data, "CDEFG", 5);
	CHECK_EQ(ring_buf_put_claim(&ring, &data, 1), 0);
	CHECK_EQ(ring_buf_size_get(&ring), 0);
	CHECK_EQ(ring_buf_put_finish(&ring, 8), -EINVAL);
	CHECK_EQ(ring_buf_put_finish(&ring, 4), 0);
	CHECK_EQ(ring_buf_size_get(&ring), 4);
	CHECK_EQ(ring_buf_space_get(&ring), 3);
	CHECK_EQ(ring_buf_get_claim(&ring, &data, 3), 2);
	CHECK_EQ(memcmp(data, "AB", 2), 0);
	CHECK_EQ(ring_buf_size_get(&ring), 2);
	CHECK_EQ(ring_buf_space_get(&ring), 3);
	CHECK_EQ(ring_buf_get_finish(&ring, 3), -EINVAL);
	CHECK_EQ(ring_buf_get_finish(&ring, 1), 0);
	CHECK_EQ(ring_buf_get(&ring, got, 7), 3);
	CHECK_EQ(memcmp(got, "BCD", 3), 0);
}

TEST(ring_buffer_items_are_whole)
{
	uint32_t data[4] = {11, 22, 33, 44};
	uint32_t got[4];
	uint16_t type;
	uint8_t value;
	uint8_t words = 4;

	ring_buf_item_init(&items, 5, (uint32_t *)(void *)items.buffer);
	CHECK_EQ(ring_buf_item_get(&items, &type, &value, got, &words), -EAGAIN);
	for (int round = 0; round < 5; round++) { /* at every place */
		CHECK_EQ(ring_buf_item_put(&items, 500, 7, data, 2), 0);
		CHECK_EQ(ring_buf_item_space_get(&items), 2);
		CHECK_EQ(ring_buf_item_put(&items, 501, 8, data, 2), -EMSGSIZE);
		CHECK_EQ(ring_buf_item_put(&items, 502, 9, NULL, 0), 0);
		words = 1;
		CHECK_EQ(ring_buf_item_get(&items, &type, &value, got, &words), -EMSGSIZE);
		CHECK_EQ(words, 2);
		CHECK_EQ(ring_buf_item_get(&items, &type, &value, got, &words), 0);
		CHECK_EQ(type * 100 + value * 10 + words, 50072);
		CHECK_EQ(got[0] * 100 + got[1], 1122);
		CHECK_EQ(ring_buf_item_get(&items, &type, &value, NULL, &words), 0);
		CHECK_EQ(type * 100 + value * 10 + words, 50290);
		CHECK(ring_buf_is_empty(&items));
	}
}
