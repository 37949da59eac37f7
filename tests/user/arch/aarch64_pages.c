/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Page tables, and what the TLB knows of them: each test makes an entry known by an access, changes
 * what stands in the tables, and tries again.
 */
#include <board.h>
#include "../user.h"

#define PAGES 4U

static volatile intptr_t pages[PAGES][ARCH_PAGE / sizeof(intptr_t)] __aligned(ARCH_PAGE);
static struct k_mem_domain domain, another;

static struct k_mem_partition of_pages(unsigned int first, unsigned int n,
				       k_mem_partition_attr_t attr)
{
	return (struct k_mem_partition){(uintptr_t)pages[first], n * ARCH_PAGE, attr};
}

static void begin(struct k_mem_domain *which)
{
	struct k_mem_partition *parts[] = {&shared};

	CHECK_EQ(k_mem_domain_init(which, 1, parts), 0);
}

/* It asks for each step by `seen`, and says there how far it came. */
static void steps(void *address, void *writes, void *p3)
{
	volatile intptr_t *place = address;

	for (;;) {
		if (writes != NULL) {
			*place = 7;
		} else {
			seen[1] = *place;
		}
		seen[2]++;
	}
}

static k_tid_t stepping(struct k_mem_domain *which, volatile void *address, bool writes)
{
	k_tid_t thread = user_prepare(steps, (void *)address, writes ? (void *)1 : NULL, NULL);

	CHECK_EQ(k_mem_domain_add_thread(which, thread), 0);
	k_thread_priority_set(thread, USER_PRIO + 1);
	k_thread_start(thread);
	k_sleep(K_TICKS(2)); /* it runs meanwhile, and whenever the caller waits */
	CHECK(seen[2] > 0);
	CHECK_EQ(fatal_count, 0);
	return thread;
}

static void ends_by_fault(k_tid_t thread)
{
	CHECK_EQ(k_thread_join(thread, K_TICKS(50)), 0);
	CHECK_EQ(fatal_count, 1);
	CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
}

TEST(pages_that_are_unmapped_are_out_of_reach_although_they_were_in_use)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct k_mem_partition part = of_pages(1, 2, K_MEM_PARTITION_P_RW_U_RW);
		k_tid_t thread;

		begin(&domain);
		CHECK_EQ(k_mem_domain_add_partition(&domain, &part), 0);
		thread = stepping(&domain, &pages[2 - i][5], i == 1);
		CHECK_EQ(k_mem_domain_remove_partition(&domain, &part), 0);
		ends_by_fault(thread);
	}
}

TEST(pages_that_are_protected_anew_are_read_and_no_longer_written)
{
	struct k_mem_partition part = of_pages(1, 1, K_MEM_PARTITION_P_RW_U_RW);
	struct k_mem_partition read_only = of_pages(1, 1, K_MEM_PARTITION_P_RW_U_RO);
	k_tid_t thread;

	begin(&domain);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &part), 0);
	thread = stepping(&domain, pages[1], true);
	k_sched_lock();
	CHECK_EQ(k_mem_domain_remove_partition(&domain, &part), 0);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &read_only), 0);
	k_sched_unlock();
	ends_by_fault(thread);
	thread = stepping(&domain, pages[1], false);
	CHECK_EQ(seen[1], 7);
	k_thread_abort(thread);
}

TEST(pages_that_become_a_users_are_so_although_they_were_refused)
{
	struct k_mem_partition part = of_pages(3, 1, K_MEM_PARTITION_P_RW_U_RW);
	k_tid_t thread;

	begin(&domain);
	pages[3][0] = 9;
	(void)user_prepare(steps, (void *)pages[3], NULL, NULL);
	(void)k_mem_domain_add_thread(&domain, &user_thread);
	CHECK(!user_finish());
	CHECK_EQ(k_mem_domain_add_partition(&domain, &part), 0);
	thread = stepping(&domain, pages[3], false);
	CHECK_EQ(seen[1], 9);
	k_thread_abort(thread);
}

TEST(pages_of_the_domain_that_a_thread_left_are_out_of_its_reach)
{
	struct k_mem_partition part = of_pages(0, 1, K_MEM_PARTITION_P_RW_U_RW);
	k_tid_t thread;

	begin(&domain);
	begin(&another);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &part), 0);
	thread = stepping(&domain, pages[0], true);
	CHECK_EQ(k_mem_domain_add_thread(&another, thread), 0);
	ends_by_fault(thread);
}

TEST(pages_in_front_of_a_partition_and_behind_it_are_not_in_it)
{
	struct k_mem_partition part = of_pages(1, 2, K_MEM_PARTITION_P_RW_U_RW);
	volatile char *const ends[] = {(volatile char *)pages[1] - 1, (volatile char *)pages[3]};

	begin(&domain);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &part), 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(ends); i++) {
		(void)user_prepare(steps, (void *)((uintptr_t)ends[i] & ~7UL), (void *)1, NULL);
		(void)k_mem_domain_add_thread(&domain, &user_thread);
		CHECK(!user_finish());
		CHECK_EQ(seen[2], 0);
	}
}

static void says_so(void *p1, void *p2, void *p3)
{
	seen[3] = 1;
}

/* More than there are ASIDs: none is given to two domains whose entries are in the TLB at once. */
TEST(pages_are_told_apart_when_more_domains_have_been_loaded_than_there_are_asids)
{
	struct k_mem_partition mine = of_pages(0, 1, K_MEM_PARTITION_P_RW_U_RW);

	begin(&another);
	CHECK_EQ(k_mem_domain_add_partition(&another, &mine), 0);
	for (unsigned int i = 0; i < 600; i++) {
		bool tries = i % 85 == 0;

		if (tries) { /* so that the TLB knows the page as a user's */
			k_thread_abort(stepping(&another, pages[0], true));
		}
		begin(&domain); /* a new ASID each time */
		if (tries) {
			(void)user_prepare(steps, (void *)pages[0], (void *)1, NULL);
		} else {
			(void)user_prepare(says_so, NULL, NULL, NULL);
		}
		(void)k_mem_domain_add_thread(&domain, &user_thread);
		CHECK_EQ(user_finish(), !tries);
		CHECK_EQ(seen[2], 0);
		CHECK_EQ(seen[3], !tries);
	}
}

/* A handler's store, and a thread's, where user mode may only read: the kernel's own access is not limited. */
static void stores(const void *arg)
{
	pages[1][0]++;
}

static void stays(void *p1, void *p2, void *p3)
{
	const volatile intptr_t *place = p1;

	while (*place < 5) {
	}
	seen[0] = *place;
}

static void alarm(struct k_timer *timer)
{
	stores(NULL);
}

static K_TIMER_DEFINE(ticking, alarm, NULL);

TEST(pages_that_users_only_read_are_written_by_the_kernel_wherever_it_runs)
{
	struct k_mem_partition part = of_pages(1, 1, K_MEM_PARTITION_P_RW_U_RO);

	begin(&domain);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &part), 0);
	pages[1][0] = 0;
	(void)user_prepare(stays, (void *)pages[1], NULL, NULL);
	(void)k_mem_domain_add_thread(&domain, &user_thread);
	k_timer_start(&ticking, K_TICKS(1), K_TICKS(1));
	CHECK(user_finish()); /* a handler that has interrupted user mode stores */
	k_timer_stop(&ticking);
	CHECK_EQ(seen[0], 5);
	pages[1][0] = 4; /* on the tables that were left loaded */
	CHECK_EQ(pages[1][0], 4);
}

TEST(pages_of_code_of_stacks_and_of_devices_are_no_partitions)
{
	extern char aarch64_text_start[], aarch64_rodata_end[];
	const uintptr_t places[] = {
		(uintptr_t)aarch64_text_start,
		(uintptr_t)aarch64_rodata_end - ARCH_PAGE,
		(uintptr_t)user_stack,
		(uintptr_t)other_stack + ARCH_USER_STACK_RESERVED,
		BOARD_UART_BASE,
		BOARD_RAM_BASE + BOARD_RAM_SIZE,
		BOARD_RAM_BASE - ARCH_PAGE,
		0,
	};

	begin(&domain);
	for (unsigned int i = 0; i < ARRAY_SIZE(places); i++) {
		struct k_mem_partition part = {places[i], ARCH_PAGE, K_MEM_PARTITION_P_RW_U_RW};

		CHECK_EQ(k_mem_domain_add_partition(&domain, &part), -EINVAL);
	}
	CHECK_EQ(domain.num_partitions, 1);
}
