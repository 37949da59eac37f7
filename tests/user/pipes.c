/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes, and work queues, of user threads: as in kernel mode, and what is refused. */
#include "pool.h"
#include <string.h>

K_PIPE_DEFINE(user_pipe, 8, 4);
static struct k_pipe fresh_pipe;
static uint8_t in_kernel[8];

static void uses_pipe(void *p1, void *p2, void *p3)
{
	uint8_t got[8];

	seen[0] = k_pipe_write(&user_pipe, (const uint8_t *)"0123456789", 10, K_NO_WAIT);
	seen[1] = k_pipe_read(&user_pipe, got, 3, K_FOREVER);
	seen[2] = got[0] == '0' && got[2] == '2';
	k_pipe_reset(&user_pipe);
	seen[3] = k_pipe_read(&user_pipe, got, 1, K_TICKS(1));
	seen[4] = k_pipe_read(&user_pipe, got, 8, K_FOREVER); /* by the kernel thread */
	seen[5] = got[7] == 'h';
	k_pipe_close(&user_pipe);
	seen[6] = k_pipe_write(&user_pipe, got, 1, K_NO_WAIT);
	seen[7] = k_pipe_read(&user_pipe, got, 1, K_FOREVER);
}

static void writes_later(void *text)
{
	k_sleep(K_TICKS(4));
	(void)k_pipe_write(&user_pipe, text, 8, K_FOREVER);
}

TEST(pipes_of_user_threads)
{
	k_thread_access_grant(user_prepare(uses_pipe, NULL, NULL, NULL), &user_pipe);
	(void)start(writes_later, "abcdefgh", USER_PRIO - 1);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 8);
	CHECK_EQ(seen[1], 3);
	CHECK_EQ(seen[2], 1);
	CHECK_EQ(seen[3], -EAGAIN);
	CHECK_EQ(seen[4], 8);
	CHECK_EQ(seen[5], 1);
	CHECK_EQ(seen[6], -EPIPE);
	CHECK_EQ(seen[7], -EPIPE);
	k_pipe_init(&user_pipe, user_pipe.buffer, user_pipe.size); /* open again */
}

static void touches(void *what, void *p2, void *p3)
{
	uint8_t *const kernels = in_kernel;
	uint8_t own = 0;

	seen[0] = 1;
	switch ((uintptr_t)what) {
	case 0:
		(void)k_pipe_write(&user_pipe, kernels, 8, K_NO_WAIT);
		break;
	case 1:
		(void)k_pipe_read(&user_pipe, kernels, 8, K_NO_WAIT);
		break;
	case 2:
		(void)k_pipe_write(&user_pipe, &own, SIZE_MAX, K_NO_WAIT);
		break;
	case 3:
		(void)k_pipe_read(&user_pipe, (uint8_t *)UINTPTR_MAX, 2, K_NO_WAIT);
		break;
	case 4:
		(void)k_pipe_write(&fresh_pipe, &own, 1, K_NO_WAIT); /* not initialised */
		break;
	case 5:
		k_pipe_init(&user_pipe, &own, 1); /* initialised */
		break;
	case 6:
		k_pipe_init(&fresh_pipe, kernels, 8);
		break;
	default: /* more than there is in the pool */
		k_pipe_init(&fresh_pipe, (uint8_t *)user_stack + ARCH_USER_STACK_RESERVED,
			    USER_STACK_SIZE);
		break;
	}
	seen[1] = 1;
}

TEST(pipes_are_filled_from_and_into_the_threads_own_memory)
{
	static struct k_heap small;
	static char memory[128] __aligned(HEAP_UNIT);

	k_heap_init(&small, memory, sizeof(memory));
	for (uintptr_t what = 0; what < 8; what++) {
		k_tid_t thread = user_prepare(touches, (void *)what, NULL, NULL);

		k_thread_access_grant(thread, &user_pipe, &fresh_pipe);
		k_thread_heap_assign(thread, &small);
		CHECK(!user_finish());
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[1], 0);
	}
	CHECK_EQ(in_kernel[0], 0);
	CHECK_EQ(k_pipe_read(&user_pipe, in_kernel, 8, K_NO_WAIT), -EAGAIN);
}

/* ---- buffers that are taken away while a thread waits with them ---- */

static uint8_t lent[SMALL_PART] __aligned(SMALL_PART);
static K_MEM_PARTITION_DEFINE(lent_part, lent, SMALL_PART, K_MEM_PARTITION_P_RW_U_RW);

static void reads_into_lent(void *p1, void *p2, void *p3)
{
	seen[0] = 1;
	seen[1] = k_pipe_read(&user_pipe, lent, 8, K_FOREVER);
}

static void writes_from_lent(void *p1, void *p2, void *p3)
{
	seen[0] = 1;
	seen[1] = k_pipe_write(&user_pipe, lent, SMALL_PART, K_FOREVER);
}

static void wait_with_lent(k_thread_entry_t entry)
{
	k_thread_access_grant(user_prepare(entry, NULL, NULL, NULL), &user_pipe);
	CHECK_EQ(k_mem_domain_add_partition(user_thread.user.domain, &lent_part), 0);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(2));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(k_mem_domain_remove_partition(user_thread.user.domain, &lent_part), 0);
}

TEST(pipes_of_memory_that_was_taken_away_are_the_waiters_end)
{
	uint8_t got[8];

	wait_with_lent(reads_into_lent);
	CHECK_EQ(k_pipe_write(&user_pipe, (const uint8_t *)"secret!", 8, K_NO_WAIT), 8);
	CHECK_EQ(k_thread_join(&user_thread, K_SECONDS(1)), 0);
	CHECK_EQ(fatal_count, 1);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(lent[0], 0);
	CHECK_EQ(k_pipe_read(&user_pipe, got, 8, K_NO_WAIT), 8); /* nothing was lost */
	CHECK_EQ(got[0], 's');
	wait_with_lent(writes_from_lent);
	CHECK_EQ(k_pipe_read(&user_pipe, got, 8, K_NO_WAIT), 8);
	CHECK_EQ(k_thread_join(&user_thread, K_SECONDS(1)), 0);
	CHECK_EQ(fatal_count, 1);
	CHECK_EQ(seen[1], 0);
	k_pipe_reset(&user_pipe);
}

/* In turn: the pipe's bytes go into its own memory and into what is taken away at any moment. */
static void reads_until_it_is_taken(void *turn, void *p2, void *p3)
{
	static const uint8_t text[8] = "untaken";
	uint8_t got[8];

	for (volatile uint32_t spin = (uintptr_t)turn * 7; spin != 0; spin--) {
	}
	for (;;) {
		(void)k_pipe_write(&user_pipe, text, sizeof(text), K_NO_WAIT);
		(void)k_pipe_read(&user_pipe, lent, sizeof(text), K_NO_WAIT);
		(void)k_pipe_write(&user_pipe, lent, sizeof(text), K_NO_WAIT);
		(void)k_pipe_read(&user_pipe, got, sizeof(got), K_NO_WAIT);
		seen[1] |= got[0] == 0xee; /* was written from there, when it was not its own */
	}
}

TEST(a_few_bytes_of_a_pipe_go_nowhere_that_was_taken_away_behind_the_look)
{
	for (uintptr_t turn = 0; turn < 60; turn++) {
		user_prepare(reads_until_it_is_taken, (void *)turn, NULL, NULL);
		k_thread_priority_set(&user_thread, k_thread_priority_get(k_current_get()) + 1);
		k_thread_access_grant(&user_thread, &user_pipe);
		CHECK_EQ(k_mem_domain_add_partition(user_thread.user.domain, &lent_part), 0);
		k_thread_start(&user_thread);
		k_sleep(K_TICKS(2));
		CHECK_EQ(k_mem_domain_remove_partition(user_thread.user.domain, &lent_part), 0);
		memset(lent, 0xee, sizeof(lent));
		CHECK_EQ(k_thread_join(&user_thread, K_SECONDS(1)), 0);
		CHECK_EQ(seen[1], 0);
		CHECK_EQ(lent[0], 0xee);
		k_pipe_reset(&user_pipe);
	}
	memset(lent, 0, sizeof(lent));
}

/* ---- allocated pipes ---- */

static void makes_a_pipe(void *p1, void *p2, void *p3)
{
	struct k_pipe *made = k_object_alloc(K_OBJ_PIPE);
	uint8_t own[16] = {7};

	k_pipe_init(made, own, sizeof(own));
	seen[0] = k_pipe_write(made, own, 4, K_NO_WAIT);
	own[0] = 0;
	seen[1] = k_pipe_read(made, own, 8, K_NO_WAIT);
	seen[2] = own[0];
}

TEST(pipes_that_are_allocated_give_their_buffers_back)
{
	size_t before = pool_free();

	(void)prepare_with_pool(makes_a_pipe, NULL, NULL, NULL);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 4);
	CHECK_EQ(seen[1], 4);
	CHECK_EQ(seen[2], 7);
	CHECK_EQ(pool_free(), before);
}

/* ---- work queues ---- */

static struct k_work_user_q work_queue;
K_APP_BMEM(shared) static struct k_work_user work, other_work;
K_THREAD_STACK_DECLARE(other_stack, USER_STACK_SIZE);

static void handler(struct k_work_user *item)
{
	seen[0]++;
	seen[1] = k_is_user_context();
	seen[2] = k_work_user_is_pending(item);
	if (seen[0] == 1) {
		seen[3] = k_work_user_submit_to_queue(&work_queue, item); /* anew */
	}
}

static void submits(void *p1, void *p2, void *p3)
{
	k_work_user_init(&work, handler);
	seen[4] = k_work_user_submit_to_queue(&work_queue, &work);
	seen[5] = k_work_user_is_pending(&work);
	seen[6] = k_work_user_submit_to_queue(&work_queue, &work);
	k_yield();
	k_sleep(K_TICKS(2));
}

/* Forged: whatever a user thread puts there is dereferenced in user mode. */
static void submits_the_kernels(void *p1, void *p2, void *p3)
{
	seen[4] = k_queue_alloc_append(&work_queue.queue, in_kernel);
	k_sleep(K_TICKS(2));
}

static void without_a_pool(void *p1, void *p2, void *p3)
{
	k_work_user_init(&other_work, handler);
	seen[4] = k_work_user_submit_to_queue(&work_queue, &other_work);
	seen[5] = k_work_user_is_pending(&other_work);
}

/* The queue's thread inherits its starter's domain and rights: so a thread of the tests' domain starts it. */
static void begin_queue(k_tid_t submitter)
{
	struct k_mem_domain *own = k_current_get()->user.domain;

	CHECK_EQ(k_mem_domain_add_thread(submitter->user.domain, k_current_get()), 0);
	k_work_user_queue_start(&work_queue, other_stack, USER_STACK_SIZE, USER_PRIO + 1, "users");
	CHECK_EQ(k_mem_domain_add_thread(own, k_current_get()), 0);
	k_thread_heap_assign(k_work_user_queue_thread_get(&work_queue), &pool);
	k_thread_access_grant(submitter, &work_queue.queue);
}

TEST(work_of_user_threads_runs_in_user_mode)
{
	size_t before = pool_free();

	begin_queue(prepare_with_pool(submits, NULL, NULL, NULL));
	CHECK(user_finish());
	CHECK_EQ(seen[0], 2);
	CHECK_EQ(seen[1], 1);
	CHECK_EQ(seen[2], 0);
	CHECK_EQ(seen[3], 0);
	CHECK_EQ(seen[4], 0);
	CHECK_EQ(seen[5], 1);
	CHECK_EQ(seen[6], -EBUSY);
	k_thread_abort(&work_queue.thread);
	CHECK_EQ(pool_free(), before);
}

TEST(work_of_user_threads_that_is_forged_ends_the_queues_thread_only)
{
	begin_queue(prepare_with_pool(submits_the_kernels, NULL, NULL, NULL));
	(void)user_finish();
	CHECK_EQ(seen[4], 0);
	CHECK_EQ(k_thread_join(&user_thread, K_NO_WAIT), 0);
	CHECK_EQ(k_thread_join(&work_queue.thread, K_SECONDS(1)), 0); /* it reports that itself */
	CHECK_EQ(fatal_count, 1);
	k_object_free(&work_queue.queue);
}

TEST(work_of_user_threads_needs_a_pool)
{
	begin_queue(user_prepare(without_a_pool, NULL, NULL, NULL));
	k_thread_heap_assign(&user_thread, NULL);
	CHECK(user_finish());
	CHECK_EQ(seen[4], -ENOMEM);
	CHECK_EQ(seen[5], 0);
	k_thread_abort(&work_queue.thread);
}
