/* SPDX-License-Identifier: Apache-2.0 */
/* Checks by polynomials, overflows, cores, versions: what programs ask beside the kernel. */
#include <zephyr/fatal.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/crc.h>
#include <zephyr/sys/math_extras.h>
#include <zephyr/version.h>
#include "test.h"

static const uint8_t digits[] = "123456789";
#define DIGITS digits, sizeof(digits) - 1U

/* What the catalogues of such checks give for "123456789". */
TEST_USER(checks_by_polynomials)
{
	CHECK_EQ(crc8_ccitt(0, DIGITS), 0xf4);
	CHECK_EQ(crc8(DIGITS, 0x8c, 0, true), 0xa1);  /* 1-wire */
	CHECK_EQ(crc8(DIGITS, 0x31, 0xff, false), 0xf7); /* NRSC-5 */
	CHECK_EQ(crc7_be(0, DIGITS), 0x75 << 1);
	CHECK_EQ(crc16_itu_t(0, DIGITS), 0x31c3);
	CHECK_EQ(crc16_ccitt(0, DIGITS), 0x2189);
	CHECK_EQ(crc16_ccitt(0xffff, DIGITS) ^ 0xffff, 0x906e);
	CHECK_EQ(crc16(0x8005, 0, DIGITS), 0xfee8);
	CHECK_EQ(crc16_ansi(DIGITS), 0x4b37);
	CHECK_EQ(crc32_ieee(DIGITS), 0xcbf43926U);
	CHECK_EQ(crc32_c(0, DIGITS, true, true), 0xe3069283U);
}

TEST_USER(checks_in_pieces)
{
	uint32_t crc = crc32_ieee_update(0, digits, 4);

	CHECK_EQ(crc32_ieee_update(crc, digits + 4, 5), 0xcbf43926U);
	crc = crc32_c(0, digits, 4, true, false);
	CHECK_EQ(crc32_c(crc, digits + 4, 5, false, true), 0xe3069283U);
	CHECK_EQ(crc16_itu_t(crc16_itu_t(0, digits, 3), digits + 3, 6), 0x31c3);
	CHECK_EQ(crc32_ieee(NULL, 0), 0);
}

TEST_USER(overflows_and_zeros)
{
	uint16_t small;
	uint32_t word;
	uint64_t wide;

	CHECK(u16_add_overflow(0xffff, 1, &small) && small == 0);
	CHECK(!u32_add_overflow(UINT32_MAX - 1, 1, &word) && word == UINT32_MAX);
	CHECK(u32_mul_overflow(1U << 31, 2, &word) && word == 0);
	CHECK(!u64_mul_overflow(1U << 31, 2, &wide) && wide == 1ULL << 32);
	CHECK(u64_add_overflow(UINT64_MAX, 2, &wide) && wide == 1);
	CHECK_EQ(u32_count_leading_zeros(0), 32);
	CHECK_EQ(u64_count_leading_zeros(1), 63);
	CHECK_EQ(u32_count_trailing_zeros(0), 32);
	CHECK_EQ(u64_count_trailing_zeros(1ULL << 40), 40);
}

#if KERNEL_VERSION_NUMBER < ZEPHYR_VERSION(4, 2, 0) || \
	KERNEL_VERSION_NUMBER >= ZEPHYR_VERSION(5, 0, 0)
#error "not the version whose interface this is"
#endif

static K_THREAD_STACK_DEFINE(pinned_stack, STACK_SIZE);
static struct k_thread pinned;

static void nothing(void *p1, void *p2, void *p3)
{
	(void)p1;
	(void)p2;
	(void)p3;
}

/* As programs write it for SYS_FOREVER_MS: without a sign where time-outs have 32 bits. */
K_THREAD_DEFINE(never, STACK_SIZE, nothing, NULL, NULL, NULL, 5, 0, K_TICKS_FOREVER);

TEST(a_static_thread_that_waits_for_its_start_has_no_delay)
{
	CHECK_EQ(k_thread_timeout_remaining_ticks(never), 0);
	k_thread_start(never);
	CHECK_EQ(k_thread_join(never, K_FOREVER), 0);
}

TEST(a_thread_is_pinned_to_the_one_core_while_it_may_not_run)
{
	const struct k_thread *seen = &pinned; /* as k_thread_foreach() shows it */
	size_t unused;
	k_tid_t id = k_thread_create(&pinned, pinned_stack, K_THREAD_STACK_SIZEOF(pinned_stack),
				     nothing, NULL, NULL, NULL, 5, 0, K_FOREVER);

	CHECK(k_thread_stack_space_get(seen, &unused) <= 0);
	CHECK_EQ(arch_num_cpus(), 1);
	CHECK_EQ(k_thread_cpu_mask_clear(id), 0);
	CHECK_EQ(k_thread_cpu_mask_enable(id, 0), 0);
	CHECK_EQ(k_thread_cpu_mask_disable(id, 1), -EINVAL);
	CHECK_EQ(k_thread_cpu_mask_enable_all(id), 0);
	CHECK_EQ(k_thread_cpu_pin(id, 0), 0);
	CHECK_EQ(k_thread_cpu_pin(id, 1), -EINVAL);
	CHECK_EQ(k_thread_cpu_pin(id, -1), -EINVAL);
	CHECK_EQ(k_thread_cpu_pin(k_current_get(), 0), -EINVAL);
	k_thread_start(id);
	CHECK_EQ(k_thread_join(id, K_FOREVER), 0);
	CHECK_EQ(k_thread_cpu_pin(id, 0), 0);
}
