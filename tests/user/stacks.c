/* SPDX-License-Identifier: Apache-2.0 */
/* User threads that overflow their own stacks; what the guard leaves of regions. */
#include "user.h"

static __attribute__((noipa)) int deeper(int depth)
{
	volatile char here[48];

	here[0] = (char)depth;
	return (depth > 0 ? deeper(depth - 1) : 0) + here[0];
}

static void recurses(void *depth, void *p2, void *p3)
{
	seen[0] = 1;
	(void)deeper((int)(uintptr_t)depth);
	seen[1] = 1;
}

TEST(stacks_an_overflow_of_a_users_is_named_so)
{
	CHECK(user_run(recurses, (void *)5, NULL, NULL));
	CHECK_EQ(seen[1], 1);
	CHECK(!user_run(recurses, (void *)(USER_STACK_SIZE / 5), NULL, NULL));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(fatal_reason, K_ERR_STACK_CHK_FAIL);
}

/* A partition, as large a gap, and so on. */
#define PART MAX(128U, ARCH_PARTITION_ALIGN)
static char pieces[8 * PART] __aligned(2 * PART);

static void writes(void *address, void *p2, void *p3)
{
	for (unsigned int i = 0; i < 3; i++) {
		((volatile char *)address)[2 * PART * i] = 1;
		((volatile char *)address)[2 * PART * i + PART - 1] = 1;
	}
	seen[1] = 1;
}

/* With gaps between them, as large as a power of two: on every board three, and a stack. */
TEST(stacks_and_three_partitions_have_regions_with_the_guard_too)
{
	static struct k_mem_domain domain;

	for (unsigned int i = 0; i < 3; i++) {
		struct k_mem_partition part = {(uintptr_t)&pieces[2 * PART * i], PART,
					       K_MEM_PARTITION_P_RW_U_RW};

		if (i == 0) {
			CHECK_EQ(k_mem_domain_init(&domain, 0, NULL), 0);
		}
		CHECK_EQ(k_mem_domain_add_partition(&domain, &part), 0);
	}
	pieces[0] = 0;
	pieces[4 * PART + PART - 1] = 0;
	(void)user_prepare(writes, pieces, NULL, NULL);
	(void)k_mem_domain_add_thread(&domain, &user_thread);
	CHECK(!user_finish()); /* at `seen`, which is not among them, behind all else */
	CHECK_EQ(pieces[4 * PART + PART - 1], 1);
}

K_APPMEM_PARTITION_DEFINE(odd);
static K_APP_DMEM(odd) volatile char in_odd[100] = {[99] = 9};
K_APPMEM_PARTITION_DEFINE(long_and_odd);
static K_APP_BMEM(long_and_odd) volatile char in_long[1100];
K_APPMEM_PARTITION_DEFINE(word);
static K_APP_DMEM(word) volatile char in_word[3] = {1, 2, 3};

static void writes_all(void *p1, void *p2, void *p3)
{
	in_odd[0] = in_odd[99];
	in_long[0] = 2;
	in_long[1099] = 3;
	in_word[0] = 4;
	in_word[2] = 5;
	*(volatile char *)p1 = 6;
}

static void writes_with_three(struct k_mem_domain *domain, void *address)
{
	(void)user_prepare(writes_all, address, NULL, NULL);
	(void)k_mem_domain_add_thread(domain, &user_thread);
	in_odd[0] = 0;
	in_long[1099] = 0;
	in_word[2] = 0;
	CHECK(!user_finish());
	CHECK_EQ(in_odd[0], 9);
	CHECK_EQ(in_long[1099], 3);
	CHECK_EQ(in_word[2], 5);
}

/* Whatever lies in them, of any size, and wherever the linker put them. */
TEST(stacks_and_three_partitions_of_variables_have_regions_with_the_guard_too)
{
	static struct k_mem_domain domain;
	struct k_mem_partition *parts[] = {&odd, &long_and_odd, &word};
	uintptr_t first = UINTPTR_MAX;
	uintptr_t last = 0;

	CHECK_EQ(k_mem_domain_init(&domain, 3, parts), 0);
	for (unsigned int i = 0; i < 3; i++) {
		first = MIN(first, parts[i]->start);
		last = MAX(last, parts[i]->start + parts[i]->size);
	}
	writes_with_three(&domain, (void *)(first - 1));
	writes_with_three(&domain, (void *)last);
}
