/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests ask of a kernel, each a function, as the rules demand: a port that made
 * macros of them would save a call in each loop.
 */
#include "thread_metric.h"

#include <board.h>
#include <drivers/soft_irq.h>

#define STACK_SIZE    1024
#define MESSAGE_BYTES 16
#define BLOCK_BYTES   128

static struct k_thread threads[TM_THREADS];
static K_THREAD_STACK_ARRAY_DEFINE(stacks, TM_THREADS, STACK_SIZE);
static uint32_t created;

static struct k_msgq queue;
static char __aligned(4) queue_buffer[MESSAGE_BYTES];
static struct k_sem sem;
static struct k_mem_slab pool;
static char __aligned(8) pool_buffer[BLOCK_BYTES];

void tm_thread_create(uint32_t id, int priority, k_thread_entry_t entry)
{
	(void)k_thread_create(&threads[id], stacks[id], K_THREAD_STACK_SIZEOF(stacks[id]), entry,
			      (void *)(uintptr_t)id, NULL, NULL, priority, 0, K_FOREVER);
	k_thread_suspend(&threads[id]);
	k_thread_start(&threads[id]);
	created |= (uint32_t)BIT(id);
}

void tm_thread_resume(uint32_t id)
{
	k_thread_resume(&threads[id]);
}

void tm_thread_suspend(uint32_t id)
{
	k_thread_suspend(&threads[id]);
}

void tm_thread_relinquish(void)
{
	k_yield();
}

void tm_queue_create(void)
{
	k_msgq_init(&queue, queue_buffer, MESSAGE_BYTES, 1);
}

int tm_queue_send(const uint32_t *message)
{
	return k_msgq_put(&queue, message, K_FOREVER);
}

int tm_queue_receive(uint32_t *message)
{
	return k_msgq_get(&queue, message, K_FOREVER);
}

void tm_semaphore_create(void)
{
	(void)k_sem_init(&sem, 1, 1);
}

int tm_semaphore_get(void)
{
	return k_sem_take(&sem, K_NO_WAIT);
}

void tm_semaphore_put(void)
{
	k_sem_give(&sem);
}

void tm_memory_pool_create(void)
{
	(void)k_mem_slab_init(&pool, pool_buffer, BLOCK_BYTES, 1);
}

void *tm_memory_pool_allocate(void)
{
	void *block = NULL;

	(void)k_mem_slab_alloc(&pool, &block, K_NO_WAIT);
	return block;
}

void tm_memory_pool_deallocate(void *block)
{
	k_mem_slab_free(&pool, block);
}

void tm_cause_interrupt(void)
{
	soft_irq_raise();
}

static void (*volatile handle)(void);

/* The line is lowered here, so that tests hold what the rules say and no more. */
static void on_interrupt(const void *unused)
{
	soft_irq_clear();
	handle();
}

void tm_interrupt_handler_set(void (*handler)(void))
{
	handle = handler;
	IRQ_CONNECT(BOARD_SOFT_IRQ, 0, on_interrupt, NULL, 0);
	irq_enable(BOARD_SOFT_IRQ);
}

void tm_threads_end(void)
{
	irq_disable(BOARD_SOFT_IRQ);
	for (uint32_t i = 0; i < TM_THREADS; i++) {
		if ((created & BIT(i)) != 0) {
			k_thread_abort(&threads[i]);
		}
	}
	created = 0;
}
