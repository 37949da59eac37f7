/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With CONFIG_STACK_CANARIES: user mode's word and the kernel's. (tests/user/kernel_fault has the one that is
 * overwritten in a system call, which ends the run.)
 */
#include "arch/arch.h"
#include "own_calls.h"
#include "user.h"

extern uintptr_t __stack_chk_guard, kernel_stack_chk_guard;

static void looks(void *word, void *p2, void *p3)
{
	seen[0] = 1;
	seen[1] = *(volatile intptr_t *)word;
}

static void sets(void *word, void *p2, void *p3)
{
	seen[0] = 1;
	*(volatile intptr_t *)word = 0;
	seen[1] = 1;
}

TEST(canary_word_of_the_kernel_is_out_of_reach)
{
	uintptr_t kernels = kernel_stack_chk_guard;

	CHECK(!user_run(looks, &kernel_stack_chk_guard, NULL, NULL));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 0);
	CHECK(!user_run(sets, &kernel_stack_chk_guard, NULL, NULL));
	CHECK(kernel_stack_chk_guard == kernels);
}

TEST(canary_word_of_user_mode_is_read_and_not_written_and_another_one)
{
	uintptr_t users = __stack_chk_guard;

	CHECK(user_run(looks, &__stack_chk_guard, NULL, NULL));
	CHECK((uintptr_t)seen[1] == users);
	CHECK(!user_run(sets, &__stack_chk_guard, NULL, NULL));
	CHECK_EQ(seen[1], 0);
	CHECK(__stack_chk_guard == users);
	CHECK(users != kernel_stack_chk_guard);
	CHECK((users & 0xff) == 0 && users != 0);
	CHECK((kernel_stack_chk_guard & 0xff) == 0 && kernel_stack_chk_guard != 0);
}

static __attribute__((noipa)) void overwrites(size_t size)
{
	volatile char here[16];

	/* Bound: size. */
	for (size_t i = 0; i < size; i++) {
		((volatile char *)&here)[i] = 'x';
	}
}

static void overflows(void *size, void *p2, void *p3)
{
	seen[0] = 1;
	overwrites((size_t)(uintptr_t)size);
	seen[1] = 1;
}

TEST(canary_of_a_user_thread_that_is_overwritten_ends_it)
{
	CHECK(user_run(overflows, (void *)16, NULL, NULL));
	CHECK_EQ(seen[1], 1);
	CHECK(!user_run(overflows, (void *)32, NULL, NULL));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(fatal_reason, K_ERR_STACK_CHK_FAIL);
}

static const char in_kernel[] = "not to be printed";

static void pretends(void *where, void *p2, void *p3)
{
	seen[0] = 1;
	arch_fault_raise(K_ERR_KERNEL_PANIC, in_kernel, 1, (enum fatal_where)(uintptr_t)where);
}

/* What raises it in the kernel says reason, cause and consequence; in user mode nobody asks. */
TEST(canary_user_mode_that_pretends_ends_by_itself)
{
	for (enum fatal_where where = FATAL_IN_THREAD; where <= FATAL_FOR_ALL; where++) {
		CHECK(!user_run(pretends, (void *)(uintptr_t)where, NULL, NULL));
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(fatal_reason, K_ERR_STACK_CHK_FAIL);
	}
}

static K_SEM_DEFINE(sem, 0, 10);
K_MSGQ_DEFINE(canary_messages, 80, 2, 4);

static void calls(void *p1, void *p2, void *p3)
{
	char message[80] = "";
	int sum;

	seen[0] = 1;
	/* Bound: the rounds. */
	for (int i = 0; i < 20; i++) {
		k_sem_give(&sem);
		(void)k_sem_take(&sem, K_NO_WAIT);
		(void)k_sem_take(&sem, K_TICKS(1));
		(void)k_msgq_put(&canary_messages, message, K_NO_WAIT);
		(void)k_msgq_get(&canary_messages, message, K_NO_WAIT);
		(void)k_msgq_get(&canary_messages, message, K_TICKS(1));
		(void)own_sum((const uint8_t *)message, sizeof(message), &sum);
		(void)own_length("short");
		k_yield();
		(void)k_uptime_get();
	}
	seen[1] = 1;
}

/* Among what is there: a guard page is not. */
static unsigned int found(const void *start, size_t bytes)
{
	const uintptr_t *words = start;
	unsigned int n = 0;

	/* Bound: bytes. */
	for (size_t i = 0; i < bytes / sizeof(*words); i++) {
		uintptr_t word = 0;

		(void)arch_copy_guarded(&word, &words[i], sizeof(word), ARCH_COPY_FROM);
		n += word == kernel_stack_chk_guard ? 1U : 0U;
	}
	return n;
}

TEST(canary_word_of_the_kernel_is_left_nowhere_in_user_memory)
{
	k_tid_t thread = user_prepare(calls, NULL, NULL, NULL);

	k_thread_access_grant(thread, &sem, &canary_messages);
	CHECK(user_finish());
	CHECK_EQ(seen[1], 1);
	CHECK_EQ(found(thread->stack_start, thread->stack_size), 0);
	CHECK_EQ(found((const void *)shared.start, shared.size), 0);
	/* Its stack of system calls has it, where each frame does. */
	CHECK(!IS_ENABLED(CONFIG_STACK_CANARIES_ALL) ||
	      found(user_stack, ARCH_USER_STACK_RESERVED) > 0);
}
