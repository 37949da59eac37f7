/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heaps as kernel objects: the allocator of sys_heap.c, made safe against interrupts,
 * and threads that wait for memory.
 *
 * A waiter's request is in the thread, where a release finds it and allocates for it.
 * Zephyr wakes all waiters to try again; here only one that has its memory wakes, and
 * nobody can take it away in between. Copying and zeroing are done with interrupts open.
 */
#include "kernel/sched/sched.h"
#include "kernel/hooks/object.h"
#include "kernel/memory/heap.h"
#include "kernel/memory/sys_heap.h"

struct heap_request {
	void *block; /* to be resized, or NULL */
	size_t align;
	size_t bytes;
};

K_HEAP_DEFINE(system_heap, CONFIG_HEAP_MEM_POOL_SIZE);

void k_heap_init(struct k_heap *heap, void *mem, size_t bytes)
{
	object_init_begin(heap, heap);
	heap->wait_q.head = NULL;
	sys_heap_init(&heap->heap, mem, bytes);
	object_init_end(heap, heap);
}

static void *try_request(struct sys_heap *heap, const struct heap_request *request)
{
	if (request->block != NULL && sys_heap_resize(heap, request->block, request->bytes)) {
		return request->block;
	}
	return sys_heap_aligned_alloc(heap, request->align, request->bytes);
}

/* In three words of the thread's that are free while it waits. */
static void keep_request(struct k_thread *thread, const struct heap_request *request)
{
	thread->wake_data = request->bytes;
	thread->wake_value = (intptr_t)request->block;
	thread->wait_flags = request->align > 1U ? (uint8_t)__builtin_ctzl(request->align) : 0U;
}

static struct heap_request saved_request(const struct k_thread *thread)
{
	return (struct heap_request){
		.block = (void *)thread->wake_value,
		.align = (size_t)1 << thread->wait_flags,
		.bytes = thread->wake_data,
	};
}

/* Returns the block, or NULL, with `key` restored. */
static __noinline void *alloc_waiting(struct k_heap *heap, struct heap_request *request,
				      k_timeout_t timeout, unsigned int key)
{
	void *block = try_request(&heap->heap, request);

	K_ASSERT(timeout.ticks == 0 || !arch_in_isr(), "blocking-call-in-isr");
	if (block != NULL || timeout.ticks == 0 || arch_in_isr() ||
	    !sys_heap_can_ever(&heap->heap, request->block, request->align, request->bytes)) {
		arch_irq_unlock(key);
		return block;
	}
	if (sched_arm_first(timeout, 0, key)) {
		block = try_request(&heap->heap, request);
		/* Bound: D, memory was freed in a window. */
		if (block != NULL) {
			sched_disarm();
			arch_irq_unlock(key);
			return block;
		}
	}
	keep_request(k_cpu.current, request);
	return (void *)sched_pend_slow(&heap->wait_q, timeout, key, 0);
}

static __noinline void *alloc_or_wait(struct k_heap *heap, size_t bytes, k_timeout_t timeout,
				      unsigned int key)
{
	struct heap_request request = {.bytes = bytes};

	return alloc_waiting(heap, &request, timeout, key);
}

static __noinline void *alloc_slow(struct k_heap *heap, size_t bytes, k_timeout_t timeout,
				   unsigned int key)
{
	void *block = sys_heap_alloc(&heap->heap, bytes);

	if (likely(block != NULL || timeout.ticks == 0)) {
		arch_irq_unlock(key);
		return block;
	}
	return alloc_or_wait(heap, bytes, timeout, key);
}

/* For who does not wait: but for the key nothing is kept over the call. */
static __noinline void *alloc_slow_at_once(struct sys_heap *heap, size_t bytes, unsigned int key)
{
	void *block = sys_heap_alloc(heap, bytes);

	arch_irq_unlock(key);
	return block;
}

static __noinline void serve_each(struct k_heap *heap, unsigned int key)
{
	struct k_thread *thread;

	sched_traversal_waking(&heap->wait_q, key);
	thread = heap->wait_q.head;
	/* Bound: W * (D + 1), the waiters; interrupts are let in after each. */
	while (thread != NULL) {
		struct k_thread *behind = wait_q_next(&heap->wait_q, thread);
		struct heap_request request = saved_request(thread);
		void *block = try_request(&heap->heap, &request);

		if (block != NULL) {
			sched_wake(thread, (intptr_t)block);
		}
		thread = sched_traversal_on(&heap->wait_q, behind, key);
	}
	sched_traversal_end(key);
}

/* After memory was given back: hand it to those who wait; restores key. */
static void serve_waiters(struct k_heap *heap, unsigned int key)
{
	if (likely(heap->wait_q.head == NULL)) {
		arch_irq_unlock(key);
		return;
	}
	serve_each(heap, key);
}

/* The arguments as k_free() has them in its registers. */
static __noinline void free_slow(void *ptr, unsigned int key, struct k_heap *heap)
{
	heap_release(&heap->heap, ptr);
	serve_waiters(heap, key);
}

void *heap_take(struct k_heap *heap, size_t bytes)
{
	void *block = heap_alloc_fast(&heap->heap, bytes);

	return likely(block != NULL) ? block : sys_heap_alloc(&heap->heap, bytes);
}

static __noinline void *give_back_slow(struct k_heap *heap, void *ptr, unsigned int key,
				       void *result)
{
	free_slow(ptr, key, heap);
	return result;
}

void *heap_give_back(struct k_heap *heap, void *ptr, unsigned int key, void *result)
{
	if (likely(heap->wait_q.head == NULL && heap_free_fast(&heap->heap, ptr))) {
		arch_irq_unlock(key);
		return result;
	}
	return give_back_slow(heap, ptr, key, result);
}

static inline void *alloc(struct k_heap *heap, size_t bytes, k_timeout_t timeout)
{
	unsigned int key = arch_irq_lock();
	void *block = heap_alloc_fast(&heap->heap, bytes);

	if (likely(block != NULL)) {
		arch_irq_unlock(key);
		return block;
	}
	if (__builtin_constant_p(timeout.ticks) && timeout.ticks == 0) {
		return alloc_slow_at_once(&heap->heap, bytes, key);
	}
	return alloc_slow(heap, bytes, timeout, key);
}

static inline void give_back(struct k_heap *heap, void *ptr)
{
	unsigned int key;

	if (unlikely(ptr == NULL)) {
		return;
	}
	key = arch_irq_lock();
	if (likely(heap->wait_q.head == NULL && heap_free_fast(&heap->heap, ptr))) {
		arch_irq_unlock(key);
		return;
	}
	free_slow(ptr, key, heap);
}

/* These two out of line, so that calloc and realloc call them: the fast paths exist twice. */
__noinline void *k_heap_alloc(struct k_heap *heap, size_t bytes, k_timeout_t timeout)
{
	return alloc(heap, bytes, timeout);
}

__noinline void k_heap_free(struct k_heap *heap, void *ptr)
{
	give_back(heap, ptr);
}

void *k_heap_aligned_alloc(struct k_heap *heap, size_t align, size_t bytes, k_timeout_t timeout)
{
	struct heap_request request = {.align = align, .bytes = bytes};

	K_ASSERT((align & (align - 1U)) == 0, "heap-align-not-a-power-of-two");
	return alloc_waiting(heap, &request, timeout, arch_irq_lock());
}

void *k_heap_calloc(struct k_heap *heap, size_t num, size_t size, k_timeout_t timeout)
{
	size_t bytes;
	void *block;

	if (__builtin_mul_overflow(num, size, &bytes)) {
		return NULL;
	}
	block = k_heap_alloc(heap, bytes, timeout);
	if (block != NULL) {
		__builtin_memset(block, 0, bytes);
	}
	return block;
}

void *k_heap_realloc(struct k_heap *heap, void *ptr, size_t bytes, k_timeout_t timeout)
{
	struct heap_request request = {.block = ptr, .bytes = bytes};
	unsigned int key;
	size_t old_bytes;
	void *block;

	if (ptr == NULL) {
		return k_heap_alloc(heap, bytes, timeout);
	}
	if (bytes == 0) {
		k_heap_free(heap, ptr);
		return NULL;
	}
	key = arch_irq_lock();
	if (sys_heap_resize(&heap->heap, ptr, bytes)) {
		serve_waiters(heap, key);
		return ptr;
	}
	old_bytes = heap_usable_size(ptr);
	block = alloc_waiting(heap, &request, timeout, key);
	if (block != NULL && block != ptr) {
		__builtin_memcpy(block, ptr, old_bytes); /* it grows: smaller is done in place */
		k_heap_free(heap, ptr);
	}
	return block;
}

void *k_malloc(size_t size)
{
	return alloc(&system_heap, size, K_NO_WAIT);
}

void *k_aligned_alloc(size_t align, size_t size)
{
	return k_heap_aligned_alloc(&system_heap, align, size, K_NO_WAIT);
}

void *k_calloc(size_t nmemb, size_t size)
{
	return k_heap_calloc(&system_heap, nmemb, size, K_NO_WAIT);
}

void *k_realloc(void *ptr, size_t size)
{
	return k_heap_realloc(&system_heap, ptr, size, K_NO_WAIT);
}

void k_free(void *ptr)
{
	give_back(&system_heap, ptr);
}

struct k_heap *k_system_heap(void)
{
	return CONFIG_HEAP_MEM_POOL_SIZE == 0 ? NULL : &system_heap;
}
