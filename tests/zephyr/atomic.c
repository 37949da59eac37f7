/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic words, bits and pointers; in user mode, too. */
#include <limits.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/atomic.h>
#include "test.h"

TEST_SHARED static atomic_t word;
TEST_SHARED static atomic_ptr_t pointer;
TEST_SHARED static ATOMIC_DEFINE(bits, 70);
TEST_SHARED static int place[2];

TEST_USER(atomic_each_operation_returns_what_was_there)
{
	CHECK_EQ(atomic_set(&word, 12), 0);
	CHECK_EQ(atomic_add(&word, 5), 12);
	CHECK_EQ(atomic_sub(&word, 3), 17);
	CHECK_EQ(atomic_inc(&word), 14);
	CHECK_EQ(atomic_dec(&word), 15);
	CHECK_EQ(atomic_or(&word, 0x31), 14);
	CHECK_EQ(atomic_xor(&word, 0x0f), 0x3f);
	CHECK_EQ(atomic_and(&word, 0x18), 0x30);
	CHECK_EQ(atomic_nand(&word, 0x30), 0x10);
	CHECK_EQ(atomic_get(&word), ~0x10L);
	CHECK_EQ(atomic_clear(&word), ~0x10L);
	CHECK_EQ(atomic_get(&word), 0);
}

TEST_USER(atomic_sums_wrap)
{
	(void)atomic_set(&word, LONG_MAX);
	CHECK_EQ(atomic_inc(&word), LONG_MAX);
	CHECK_EQ(atomic_get(&word), LONG_MIN);
	CHECK_EQ(atomic_sub(&word, LONG_MIN), LONG_MIN);
	CHECK_EQ(atomic_dec(&word), 0);
	CHECK_EQ(atomic_clear(&word), -1);
}

TEST_USER(atomic_compare_and_set)
{
	(void)atomic_set(&word, -7);
	CHECK(!atomic_cas(&word, 7, 1));
	CHECK_EQ(atomic_get(&word), -7);
	CHECK(atomic_cas(&word, -7, 1));
	CHECK_EQ(atomic_get(&word), 1);
	(void)atomic_clear(&word);
}

TEST_USER(atomic_pointers)
{
	CHECK(atomic_ptr_set(&pointer, &place[0]) == NULL);
	CHECK(atomic_ptr_get(&pointer) == &place[0]);
	CHECK(!atomic_ptr_cas(&pointer, &place[1], NULL));
	CHECK(atomic_ptr_cas(&pointer, &place[0], &place[1]));
	CHECK(atomic_ptr_clear(&pointer) == &place[1]);
	CHECK(atomic_ptr_get(&pointer) == NULL);
}

TEST_USER(atomic_bits_of_an_array)
{
	static const int tried[] = {0, 1, 30, 31, 32, 33, 63, 64, 69};

	CHECK_EQ(ARRAY_SIZE(bits), sizeof(long) == 8 ? 2 : 3);
	ARRAY_FOR_EACH(tried, i)
	{
		CHECK(!atomic_test_bit(bits, tried[i]));
		CHECK(!atomic_test_and_set_bit(bits, tried[i]));
		CHECK(atomic_test_and_set_bit(bits, tried[i]));
	}
	CHECK(!atomic_test_bit(bits, 2) && !atomic_test_bit(bits, 62));
	ARRAY_FOR_EACH(tried, i)
	{
		CHECK(atomic_test_bit(bits, tried[i]));
		CHECK(atomic_test_and_clear_bit(bits, tried[i]));
		CHECK(!atomic_test_and_clear_bit(bits, tried[i]));
	}
	atomic_set_bit_to(bits, 40, true);
	atomic_set_bit(bits, 41);
	CHECK(atomic_test_bit(bits, 40) && atomic_test_bit(bits, 41));
	atomic_set_bit_to(bits, 40, false);
	atomic_clear_bit(bits, 41);
	for (size_t i = 0; i < ARRAY_SIZE(bits); i++) {
		CHECK_EQ(atomic_get(&bits[i]), 0);
	}
}

#define ROUNDS 20000

TEST_SHARED static volatile bool counting;

static void count_in_isr(struct k_timer *timer)
{
	if (counting) {
		(void)atomic_inc(&word);
	}
}

/* What interrupts an operation finds it done or not begun: nothing is lost. */
TEST(atomic_nothing_is_lost_to_an_interrupt)
{
	static struct k_timer timer;
	atomic_val_t in_isr_count;

	(void)atomic_clear(&word);
	counting = true;
	k_timer_init(&timer, count_in_isr, NULL);
	k_timer_start(&timer, K_TICKS(1), K_TICKS(1));
	for (int i = 0; i < ROUNDS; i++) {
		(void)atomic_add(&word, 1000);
		if (i % 1000 == 0) {
			k_busy_wait(500);
		}
	}
	k_timer_stop(&timer);
	in_isr_count = (atomic_val_t)k_timer_status_get(&timer);
	CHECK(in_isr_count > 0);
	CHECK_EQ(atomic_clear(&word), 1000L * ROUNDS + in_isr_count);
}
