/* SPDX-License-Identifier: Apache-2.0 */
/* The MPU's regions: stacks and partitions of sizes that are no powers of two, to the byte. */
#include <string.h>
#include <board.h>
#include "cortex_m.h"

K_THREAD_STACK_DEFINE(small_stack, 512);
K_THREAD_STACK_DEFINE(odd_stack, 1500);
K_THREAD_STACK_DEFINE(seven_stack, 7168); /* with the stack of its calls a power of two */
K_THREAD_STACK_DEFINE(eight_stack, 8192); /* and here they take two regions */
K_THREAD_STACK_DEFINE(large_stack, 40000);

static bool on_stack(k_thread_stack_t *stack, size_t size, k_thread_entry_t entry, uintptr_t p1)
{
	fatal_count = 0;
	seen[2] = 0;
	(void)k_thread_create(&other_thread, stack, size, entry, (void *)p1, NULL, NULL, USER_PRIO,
			      K_USER, K_FOREVER);
	(void)k_mem_domain_add_thread(user_thread.user.domain, &other_thread);
	k_thread_start(&other_thread);
	CHECK_EQ(k_thread_join(&other_thread, K_FOREVER), 0);
	CHECK_EQ(seen[2], fatal_count == 0);
	return fatal_count == 0;
}

TEST(cortex_m_stacks_of_any_size_are_within_reach_to_the_byte)
{
	const struct {
		k_thread_stack_t *stack;
		size_t size, bytes;
	} stacks[] = {
		{small_stack, K_THREAD_STACK_SIZEOF(small_stack), sizeof(small_stack)},
		{odd_stack, K_THREAD_STACK_SIZEOF(odd_stack), sizeof(odd_stack)},
		{odd_stack, 1000, sizeof(odd_stack)},
		{seven_stack, K_THREAD_STACK_SIZEOF(seven_stack), sizeof(seven_stack)},
		{seven_stack, 300, sizeof(seven_stack)},
		{eight_stack, K_THREAD_STACK_SIZEOF(eight_stack), sizeof(eight_stack)},
		{eight_stack, 8192, sizeof(eight_stack)},
		{large_stack, K_THREAD_STACK_SIZEOF(large_stack), sizeof(large_stack)},
	};

	CHECK(user_run(calls_with_any_immediate, NULL, NULL, NULL) == false); /* its domain */
	for (unsigned int i = 0; i < ARRAY_SIZE(stacks); i++) {
		k_thread_stack_t *stack = stacks[i].stack;
		size_t size = stacks[i].size;
		uintptr_t start = (uintptr_t)stack + CONFIG_PRIVILEGED_STACK_SIZE;

		/* Of a very long one, behind one that is no power of two, the lowest bytes may not be. */
		size_t left_out = size < 32768 ? 0 : ROUND_UP(size / 64, 4);

		if (size < ARCH_STACK_MIN) { /* with floating point */
			continue;
		}
		if (ARCH_STACK_REGIONS == 1 && CONFIG_PRIVILEGED_STACK_SIZE + size > 8192) {
			left_out = size / 4;
		}
		CHECK(on_stack(stack, size, reads_word, start + left_out));
		CHECK(on_stack(stack, size, reads_word, start + size - 4));
		CHECK(!on_stack(stack, size, reads_word, start - 4));
		CHECK(!on_stack(stack, size, writes_word, start - 4));
		CHECK(!on_stack(stack, size, reads_word, (uintptr_t)stack));
		CHECK(!on_stack(stack, size, writes_word, (uintptr_t)stack + stacks[i].bytes));
	}
}

/* What it saw it says by how it ends: `seen` is not in its domain. */
static void reads_and_oopses(void *address, void *p2, void *p3)
{
	(void)*(volatile intptr_t *)address;
	k_oops();
}

static char pieces[8192] __aligned(8192);

TEST(cortex_m_partitions_are_within_reach_to_the_byte)
{
	static struct k_mem_domain domain;
	static const struct {
		size_t offset, size;
	} shapes[] = {{0, 32},    {32, 32},   {96, 160},    {224, 64},  {0, 8192},
		      {64, 8000}, {512, 512}, {1024, 3072}, {992, 1056}};

	for (unsigned int i = 0; i < ARRAY_SIZE(shapes); i++) {
		uintptr_t start = (uintptr_t)pieces + shapes[i].offset;
		struct k_mem_partition part = {start, shapes[i].size, K_MEM_PARTITION_P_RW_U_RW};
		struct k_mem_partition *parts[] = {&part};
		const uintptr_t tried[] = {start, start + shapes[i].size - 4, start - 4,
					   start + shapes[i].size};

		if (ARCH_DOMAIN_REGIONS < 4 && shapes[i].size == 8000) { /* which takes four */
			CHECK_EQ(k_mem_domain_init(&domain, 1, parts), -ENOSPC);
			continue;
		}
		CHECK_EQ(k_mem_domain_init(&domain, 1, parts), 0);
		for (unsigned int n = 0; n < ARRAY_SIZE(tried); n++) {
			(void)user_prepare(reads_and_oopses, (void *)tried[n], NULL, NULL);
			(void)k_mem_domain_add_thread(&domain, &user_thread);
			CHECK(!user_finish());
			CHECK_EQ(fatal_reason, n < 2 ? K_ERR_KERNEL_OOPS : K_ERR_CPU_EXCEPTION);
		}
	}
}

/* ---- the kernel's stores into what user mode reads: on ARMv8-M they are refused, and mended ---- */

static volatile intptr_t readable[8] __aligned(32);

static void reads_until_three(void *p1, void *p2, void *p3)
{
	while (readable[0] < 3) { /* without a call: handlers return straight to it */
	}
	while (readable[1] == 0) {
		k_sleep(K_TICKS(1));
	}
	seen[0] = readable[0] + readable[1];
	readable[2] = 1;
	seen[1] = 1;
}

static void adds_one(struct k_timer *timer)
{
	readable[0]++;
}

static K_TIMER_DEFINE(adds, adds_one, NULL);

static void stores_masked(void *p1, void *p2, void *p3)
{
	unsigned int key;

	k_sleep(K_TICKS(2));
	key = irq_lock();
	readable[1] = 10;
	irq_unlock(key);
}

TEST(cortex_m_what_users_only_read_the_kernel_writes_whenever_it_likes)
{
	struct k_mem_partition part = {(uintptr_t)readable, sizeof(readable),
				       K_MEM_PARTITION_P_RW_U_RO};
	struct k_mem_domain *domain =
		user_prepare(reads_until_three, NULL, NULL, NULL)->user.domain;

	CHECK_EQ(k_mem_domain_add_partition(domain, &part), 0);
	memset((void *)(uintptr_t)readable, 0, sizeof(readable));
	begin(0, stores_masked, NULL);
	k_timer_start(&adds, K_TICKS(1), K_TICKS(1));
	CHECK(!user_finish()); /* by its own store, which is none of the kernel's */
	k_timer_stop(&adds);
	finish(0);
	CHECK(seen[0] >= 13);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(readable[2], 0);
	CHECK_EQ(k_mem_domain_remove_partition(domain, &part), 0);
}

#ifdef CONFIG_CORTEX_M_PMSAV8
#define TWICE (-EINVAL) /* regions that overlap would be everybody's fault */
#else
#define TWICE 0
#endif

TEST(cortex_m_a_partition_over_code_or_stacks_gives_no_region_twice)
{
	static struct k_mem_domain domain;
	struct k_mem_partition code = {BOARD_ROM_BASE + 256, 32, K_MEM_PARTITION_P_RO_U_RO};
	struct k_mem_partition stack = {ROUND_DOWN((uintptr_t)small_stack, 32), 32,
					K_MEM_PARTITION_P_RW_U_RW};
	struct k_mem_partition *parts[] = {&code};

	CHECK_EQ(k_mem_domain_init(&domain, 1, parts), TWICE);
	parts[0] = &stack;
	CHECK_EQ(k_mem_domain_init(&domain, 1, parts), TWICE);
	CHECK_EQ(k_mem_domain_init(&domain, 0, NULL), 0);
}
