/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of any size, in and out of memory that the thread may name, and no other. */
#include <string.h>

#include "user.h"

#define SIZE 200 /* bytes: three steps of a copy, and a part of one */

K_MSGQ_DEFINE(big, SIZE, 2, 4);
K_MSGQ_DEFINE(edge, 64, 2, 4);   /* the longest that is short */
K_MSGQ_DEFINE(beyond, 65, 2, 4); /* the shortest that is long, and of no even size */

/* A message of which each byte tells its place. */
static void fill(char *message, size_t size, int first)
{
	for (size_t i = 0; i < size; i++) {
		message[i] = (char)(first + (int)i);
	}
}

static bool is_filled(const char *message, size_t size, int first)
{
	for (size_t i = 0; i < size; i++) {
		if (message[i] != (char)(first + (int)i)) {
			return false;
		}
	}
	return true;
}

static void echoes(void *msgq, void *size, void *p3)
{
	char out[SIZE] = {0};
	char in[SIZE] = {0};
	size_t bytes = (size_t)size;

	fill(out, bytes, 1);
	seen[0] = k_msgq_put(msgq, out, K_NO_WAIT);
	fill(out, bytes, 2);
	seen[0] |= k_msgq_put_front(msgq, out);
	seen[1] = k_msgq_put(msgq, out, K_NO_WAIT);
	seen[2] = k_msgq_put_front(msgq, out);
	seen[3] = k_msgq_peek(msgq, in) == 0 && is_filled(in, bytes, 2);
	seen[4] = k_msgq_peek_at(msgq, in, 1) == 0 && is_filled(in, bytes, 1);
	seen[5] = k_msgq_get(msgq, in, K_NO_WAIT) == 0 && is_filled(in, bytes, 2);
	seen[5] += k_msgq_get(msgq, in, K_NO_WAIT) == 0 && is_filled(in, bytes, 1);
	seen[6] = k_msgq_get(msgq, in, K_NO_WAIT);
	seen[7] = k_msgq_peek(msgq, in) + k_msgq_peek_at(msgq, in, 3);
}

TEST(messages_of_any_size)
{
	struct k_msgq *const queues[] = {&big, &edge, &beyond};

	for (unsigned int i = 0; i < ARRAY_SIZE(queues); i++) {
		(void)user_prepare(echoes, queues[i], (void *)queues[i]->msg_size, NULL);
		k_thread_access_grant(&user_thread, queues[i]);
		CHECK(user_finish());
		CHECK_EQ(seen[0], 0);
		CHECK_EQ(seen[1], -ENOMSG);
		CHECK_EQ(seen[2], -ENOMSG);
		CHECK_EQ(seen[3], 1);
		CHECK_EQ(seen[4], 1);
		CHECK_EQ(seen[5], 2);
		CHECK_EQ(seen[6], -ENOMSG);
		CHECK_EQ(seen[7], 2 * -ENOMSG);
	}
}

/* ---- what waits ---- */

static void fetches(void *buffer, void *p2, void *p3)
{
	seen[0] = 1;
	seen[1] = k_msgq_get(&big, buffer, K_FOREVER);
	seen[2] = is_filled(buffer, SIZE, 5);
	seen[3] = 1;
}

static void puts_two(void *buffer, void *p2, void *p3)
{
	fill(buffer, SIZE, 5);
	seen[0] = 1;
	for (int i = 0; i < 3; i++) {
		seen[1] |= k_msgq_put(&big, buffer, K_FOREVER);
		seen[2]++;
	}
	seen[3] = 1;
}

K_APP_BMEM(shared) static char in_partition[SIZE + 1];

TEST(messages_that_a_user_thread_waits_for)
{
	static char message[SIZE];

	fill(message, SIZE, 5);
	k_thread_access_grant(user_prepare(fetches, in_partition + 1, NULL, NULL), &big);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(1));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(k_msgq_put(&big, message, K_NO_WAIT), 0);
	CHECK_EQ(k_thread_join(&user_thread, K_FOREVER), 0);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[2], 1);
}

TEST(messages_that_a_user_thread_waits_with)
{
	char message[SIZE];

	k_thread_access_grant(user_prepare(puts_two, in_partition, NULL, NULL), &big);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(1));
	CHECK_EQ(seen[2], 2); /* with the third it waits */
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(k_msgq_get(&big, message, K_NO_WAIT), 0);
		CHECK(is_filled(message, SIZE, 5));
	}
	CHECK_EQ(k_thread_join(&user_thread, K_FOREVER), 0);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[3], 1);
}

/* ---- memory that is taken away ---- */

static K_MEM_PARTITION_DEFINE(lent, 0, 0, K_MEM_PARTITION_P_RW_U_RW);
#define LENT MAX(256U, ARCH_PARTITION_ALIGN)
static char lent_memory[LENT] __aligned(LENT);

static struct k_mem_domain *lend(k_mem_partition_attr_t attr)
{
	struct k_mem_domain *domain = user_thread.user.domain;

	lent.start = (uintptr_t)lent_memory;
	lent.size = sizeof(lent_memory);
	lent.attr = attr;
	CHECK_EQ(k_mem_domain_add_partition(domain, &lent), 0);
	return domain;
}

/* The reader ends; nothing is written; and the writer goes on as if it had not waited. */
TEST(messages_for_who_may_no_longer_write_where_it_waits)
{
	struct k_mem_domain *domain;
	char message[SIZE];

	fill(message, SIZE, 5);
	k_thread_access_grant(user_prepare(fetches, lent_memory, NULL, NULL), &big);
	domain = lend(K_MEM_PARTITION_P_RW_U_RW);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(1));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(k_mem_domain_remove_partition(domain, &lent), 0);
	lent_memory[0] = 77;
	CHECK_EQ(k_msgq_put(&big, message, K_NO_WAIT), 0);
	CHECK_EQ(k_thread_join(&user_thread, K_FOREVER), 0);
	CHECK_EQ(seen[3], 0);
	CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	CHECK_EQ(lent_memory[0], 77);
	CHECK_EQ(k_msgq_num_used_get(&big), 1); /* nobody got it */
	CHECK_EQ(k_msgq_get(&big, message, K_NO_WAIT), 0);
}

TEST(messages_of_who_may_no_longer_read_what_it_waits_with)
{
	struct k_mem_domain *domain;
	char message[SIZE];

	k_thread_access_grant(user_prepare(puts_two, lent_memory, NULL, NULL), &big);
	domain = lend(K_MEM_PARTITION_P_RW_U_RW);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(1));
	CHECK_EQ(seen[2], 2);
	CHECK_EQ(k_mem_domain_remove_partition(domain, &lent), 0);
	CHECK_EQ(k_msgq_get(&big, message, K_NO_WAIT), 0);
	CHECK_EQ(k_thread_join(&user_thread, K_FOREVER), 0);
	CHECK_EQ(seen[3], 0);
	CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	CHECK_EQ(k_msgq_num_used_get(&big), 1); /* the second, and not the third */
	CHECK_EQ(k_msgq_get(&big, message, K_NO_WAIT), 0);
	CHECK_EQ(k_msgq_num_free_get(&big), 2);
}

/* ---- memory that never was the thread's ---- */

static char kernels[SIZE];

enum { PUT, PUT_FRONT, GET, PEEK, PEEK_AT, NUM_CALLS };

static void names_memory(void *address, void *call, void *p3)
{
	seen[0] = 1;
	switch ((intptr_t)call) {
	case PUT:
		seen[1] = k_msgq_put(&big, address, K_NO_WAIT);
		break;
	case PUT_FRONT:
		seen[1] = k_msgq_put_front(&big, address);
		break;
	case GET:
		seen[1] = k_msgq_get(&big, address, K_NO_WAIT);
		break;
	case PEEK:
		seen[1] = k_msgq_peek(&big, address);
		break;
	default:
		seen[1] = k_msgq_peek_at(&big, address, 0);
		break;
	}
	seen[2] = 1;
}

static bool may_name(void *address, intptr_t call)
{
	k_thread_access_grant(user_prepare(names_memory, address, (void *)call, NULL), &big);
	return user_finish();
}

static const char constants[SIZE + 4] = {1};

TEST(messages_in_memory_that_is_not_the_threads)
{
	char *const stack = user_stack + ARCH_USER_STACK_RESERVED;
	char *const refused[] = {NULL,
				 kernels,
				 stack - 4,
				 stack + USER_STACK_SIZE - SIZE + 1,
				 (char *)(uintptr_t)(UINTPTR_MAX - SIZE / 2),
				 (char *)UINTPTR_MAX,
				 other_stack + ARCH_USER_STACK_RESERVED};

	for (unsigned int i = 0; i < ARRAY_SIZE(refused); i++) {
		for (intptr_t call = 0; call < NUM_CALLS; call++) {
			/* Empty or full: refused, whatever there would be to do. */
			CHECK(!may_name(refused[i], call));
			CHECK_EQ(seen[0], 1);
			CHECK_EQ(seen[2], 0);
		}
	}
	CHECK_EQ(k_msgq_num_used_get(&big), 0);
	/* Both ends of what it may; a constant may be sent, and is no place to get something. */
	CHECK(may_name(stack, PUT));
	CHECK(may_name(stack + USER_STACK_SIZE - SIZE, PUT));
	CHECK(may_name(stack, GET));
	k_msgq_purge(&big);
	CHECK(may_name((char *)(uintptr_t)constants, PUT));
	CHECK_EQ(seen[1], 0);
	CHECK(!may_name((char *)(uintptr_t)k_msgq_put, GET));
	k_msgq_purge(&big);
}

/* ---- words of a stack, which go there in one store ---- */

K_STACK_DEFINE(message_words, 4);

static void pops(void *where, void *p2, void *p3)
{
	seen[0] = 1;
	seen[1] = k_stack_pop(&message_words, where, K_FOREVER);
	seen[2] = 1;
}

TEST(words_for_who_may_no_longer_write_where_it_waits)
{
	stack_data_t *word = (stack_data_t *)(uintptr_t)lent_memory;
	struct k_mem_domain *domain;

	k_thread_access_grant(user_prepare(pops, word, NULL, NULL), &message_words);
	domain = lend(K_MEM_PARTITION_P_RW_U_RW);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(1));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(k_mem_domain_remove_partition(domain, &lent), 0);
	*word = 77;
	CHECK_EQ(k_stack_push(&message_words, 5), 0);
	CHECK_EQ(k_thread_join(&user_thread, K_FOREVER), 0);
	CHECK_EQ(seen[2], 0);
	CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	CHECK_EQ(*word, 77);
}

static K_MEM_PARTITION_DEFINE(between, 0, 0, K_MEM_PARTITION_P_RW_U_RW);
static char between_memory[LENT] __aligned(LENT);

/* Of the first partitions a fast call knows, of others it does not: the same for all, and for each end. */
static void pops_into_the_last_of_three(k_mem_partition_attr_t attr, size_t offset, bool may)
{
	stack_data_t *word = (stack_data_t *)((uintptr_t)lent_memory + offset);
	struct k_mem_domain *domain;

	CHECK_EQ(k_stack_push(&message_words, 6), 0);
	k_thread_access_grant(user_prepare(pops, word, NULL, NULL), &message_words);
	domain = user_thread.user.domain;
	between.start = (uintptr_t)between_memory;
	between.size = sizeof(between_memory);
	CHECK_EQ(k_mem_domain_add_partition(domain, &between), 0);
	(void)lend(attr);
	memset(lent_memory, 0, sizeof(lent_memory));
	CHECK_EQ(user_finish(), may);
	CHECK_EQ(seen[2], may ? 1 : 0);
	if (may) {
		CHECK_EQ(*word, 6);
	} else {
		stack_data_t left;

		CHECK_EQ(k_stack_pop(&message_words, &left, K_NO_WAIT), 0); /* it is there still */
		CHECK_EQ(left, 6);
	}
	CHECK_EQ(k_mem_domain_remove_partition(domain, &lent), 0);
	CHECK_EQ(k_mem_domain_remove_partition(domain, &between), 0);
}

TEST(words_go_to_any_partition_that_may_be_written)
{
	pops_into_the_last_of_three(K_MEM_PARTITION_P_RW_U_RW, 0, true);
	pops_into_the_last_of_three(K_MEM_PARTITION_P_RW_U_RW, LENT - sizeof(stack_data_t), true);
	pops_into_the_last_of_three(K_MEM_PARTITION_P_RW_U_RO, 0, false);
	pops_into_the_last_of_three(K_MEM_PARTITION_P_RW_U_RW, LENT, false);
}
