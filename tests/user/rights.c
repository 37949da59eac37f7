/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rights by kind: what each attribute of a partition gives and what it does not; that code is executed
 * nowhere else; and that they are the running thread's, also where it goes on in user mode without a call.
 */
#include "user.h"

#if defined(__riscv)
#define RETURNS        0x00008067U
#define ENTRY(address) ((uintptr_t)(address))
#elif defined(__aarch64__)
#define RETURNS        0xd65f03c0U
#define ENTRY(address) ((uintptr_t)(address))
#elif defined(__x86_64__)
#define RETURNS        0xc3c3c3c3U
#define ENTRY(address) ((uintptr_t)(address))
#else
#define RETURNS        0x47704770U /* bx lr, twice */
#define ENTRY(address) ((uintptr_t)(address) + 1U) /* Thumb */
#endif

#define PIECE SMALL_PART
static volatile uint32_t piece[PIECE / 4U] __aligned(PIECE) = {RETURNS, RETURNS};
static struct k_mem_domain domain;

static void reads(void *address, void *p2, void *p3)
{
	seen[1] = *(volatile intptr_t *)address != 0;
	seen[2] = 1;
}

static void writes(void *address, void *p2, void *p3)
{
	*(volatile uint32_t *)address = RETURNS;
	seen[2] = 1;
}

static void jumps(void *address, void *p2, void *p3)
{
	((void (*)(void))ENTRY(address))();
	seen[2] = 1;
}

/* The kernel writes for it: a message's first word there. */
K_MSGQ_DEFINE(queue, 4, 1, 4);

static void receives(void *address, void *p2, void *p3)
{
	seen[1] = k_msgq_get(&queue, address, K_NO_WAIT);
	seen[2] = 1;
}

static bool may(k_thread_entry_t how, volatile void *address)
{
	static const uint32_t message = RETURNS;

	k_msgq_purge(&queue);
	(void)k_msgq_put(&queue, &message, K_NO_WAIT);
	k_thread_access_grant(user_prepare(how, (void *)address, NULL, NULL), &queue);
	(void)k_mem_domain_add_thread(&domain, &user_thread);
	return user_finish() && seen[2] == 1;
}

TEST(memory_a_partition_gives_the_rights_that_it_names_and_no_other)
{
	static const struct {
		k_mem_partition_attr_t attr;
		bool read, write, jump;
	} kinds[] = {
		{K_MEM_PARTITION_P_RW_U_RW, true, true, false},
		{K_MEM_PARTITION_P_RW_U_RO, true, false, false},
		{K_MEM_PARTITION_P_RW_U_NA, false, false, false},
		{K_MEM_PARTITION_P_RX_U_RX, true, false, true},
	};
	struct k_mem_partition *parts[] = {&shared};

	CHECK_EQ(k_mem_domain_init(&domain, 1, parts), 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct k_mem_partition part = {(uintptr_t)piece, PIECE, kinds[i].attr};
		bool is_only_executed = kinds[i].jump &&
					IS_ENABLED(CONFIG_RISCV_PMP_MML); /* docs/security.md */

		CHECK_EQ(k_mem_domain_add_partition(&domain, &part), 0);
		CHECK_EQ(may(reads, piece), kinds[i].read && !is_only_executed);
		CHECK_EQ(may(writes, piece), kinds[i].write);
		CHECK_EQ(may(writes, &piece[PIECE / 4U - 1U]), kinds[i].write);
		CHECK_EQ(may(receives, piece), kinds[i].write);
		CHECK_EQ(may(jumps, piece), kinds[i].jump);
		CHECK_EQ(k_mem_domain_remove_partition(&domain, &part), 0);
		CHECK(!may(reads, piece));
	}
}

static void jumps_to_its_stack(void *p1, void *p2, void *p3)
{
	volatile uint32_t code[2] = {RETURNS, RETURNS};

	seen[1] = 1;
	jumps((void *)code, NULL, NULL);
}

TEST(memory_a_stack_is_not_executed)
{
	CHECK(!user_run(jumps_to_its_stack, NULL, NULL, NULL));
	CHECK_EQ(seen[1], 1);
	CHECK_EQ(seen[2], 0);
}

#define SECRET 0x5ec2e7

/* More urgent, and in user mode in between: the last whose memory was within reach. */
static void has_a_secret(void *p1, void *p2, void *p3)
{
	volatile intptr_t secret = SECRET;

	seen[3] = (intptr_t)&secret;
	k_sleep(K_TICKS(2));
	seen[4] = secret == SECRET;
	k_sleep(K_TICKS(2));
}

/* Touches no stack of its own from its preemption on, so that its first access is this one. */
static void looks_for_it(void *p1, void *p2, void *p3)
{
	volatile const intptr_t *there = (volatile const intptr_t *)seen[3];

	while (seen[4] == 0) {
	}
	seen[6] = 1;
	seen[5] = *there;
}

TEST(memory_who_goes_on_after_a_preemption_sees_its_own_only)
{
	(void)user_prepare(looks_for_it, NULL, NULL, NULL);
	(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, has_a_secret, NULL, NULL,
			      NULL, USER_PRIO - 1, K_USER, K_FOREVER);
	(void)k_mem_domain_add_thread(user_thread.user.domain, &other_thread);
	k_thread_start(&other_thread);
	CHECK(!user_finish());
	CHECK_EQ(seen[4], 1);
	CHECK_EQ(seen[6], 1); /* it did go on */
	CHECK_EQ(seen[5], 0);
	CHECK_EQ(k_thread_join(&other_thread, K_FOREVER), 0);
}

/* Its regions are loaded when a handler moves it, and it goes on without a call. */
static void looks_twice(void *p1, void *p2, void *p3)
{
	volatile const uint32_t *there = p1;

	seen[1] = *there == RETURNS;
	seen[3] = 1;
	while (seen[4] == 0) {
	}
	seen[6] = 1;
	seen[5] = *there;
}

static struct k_mem_domain *moves_to;

static void moves_it(struct k_timer *timer)
{
	if (seen[3] == 1) {
		k_timer_stop(timer);
		(void)k_mem_domain_add_thread(moves_to, &user_thread);
		seen[4] = 1;
	}
}

static K_TIMER_DEFINE(mover, moves_it, NULL);

TEST(memory_of_a_domain_that_a_thread_is_moved_from_is_out_of_reach_at_once)
{
	static struct k_mem_partition readable = {(uintptr_t)piece, PIECE,
						  K_MEM_PARTITION_P_RW_U_RO};
	struct k_mem_partition *parts[] = {&shared, &readable};

	piece[0] = RETURNS;
	CHECK_EQ(k_mem_domain_init(&domain, 2, parts), 0);
	(void)user_prepare(looks_twice, (void *)piece, NULL, NULL);
	moves_to = user_thread.user.domain;
	(void)k_mem_domain_add_thread(&domain, &user_thread);
	k_timer_start(&mover, K_TICKS(1), K_TICKS(1));
	CHECK(!user_finish());
	CHECK_EQ(seen[1], 1);
	CHECK_EQ(seen[6], 1); /* it did go on */
	CHECK_EQ(seen[5], 0);
	CHECK_EQ(k_mem_domain_init(&domain, 0, NULL), 0);
}
