/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of one thread and one object: a message queue, a semaphore, a pool of blocks. */
#include "thread_metric.h"

#define WORDS 4U /* of a message */

static uint32_t sent[WORDS];
static uint32_t received[WORDS];

static bool is_the_same(void)
{
	for (uint32_t i = 0; i < WORDS; i++) {
		if (received[i] != sent[i]) {
			return false;
		}
	}
	return true;
}

/* A thread that finds something wrong ends, and the counter stops: an error. */
static inline __attribute__((always_inline)) void message(bool witnessed)
{
	for (uint32_t i = 0; i < WORDS; i++) {
		sent[i] = 0x11112222U * (2U * i + 1U);
	}
	for (;;) {
		(void)tm_queue_send(sent);
		(void)tm_queue_receive(received);
		if (witnessed) {
			tm_witness(is_the_same());
		}
		if (received[WORDS - 1U] != sent[WORDS - 1U]) {
			return;
		}
		sent[WORDS - 1U]++;
		tm_counter[0]++;
	}
}

static void message_thread(void *unused_1, void *unused_2, void *unused_3)
{
	message(false);
}

static void message_witnessed(void *unused_1, void *unused_2, void *unused_3)
{
	message(true);
}

static void message_start(bool witnessed)
{
	tm_thread_create(0, 10, witnessed ? message_witnessed : message_thread);
	tm_queue_create();
	tm_thread_resume(0);
}

static inline __attribute__((always_inline)) void synchronization(bool witnessed)
{
	for (;;) {
		if (tm_semaphore_get() != 0) {
			return;
		}
		if (witnessed) {
			/* It is really taken: nobody gets it now. */
			tm_witness(tm_semaphore_get() != 0);
		}
		tm_semaphore_put();
		tm_counter[0]++;
	}
}

static void synchronization_thread(void *unused_1, void *unused_2, void *unused_3)
{
	synchronization(false);
}

static void synchronization_witnessed(void *unused_1, void *unused_2, void *unused_3)
{
	synchronization(true);
}

static void synchronization_start(bool witnessed)
{
	tm_thread_create(0, 10, witnessed ? synchronization_witnessed : synchronization_thread);
	tm_semaphore_create();
	tm_thread_resume(0);
}

static inline __attribute__((always_inline)) void memory(bool witnessed)
{
	for (;;) {
		void *block = tm_memory_pool_allocate();

		if (block == NULL) {
			return;
		}
		if (witnessed) {
			/* It was the only one. */
			tm_witness(tm_memory_pool_allocate() == NULL);
		}
		tm_memory_pool_deallocate(block);
		tm_counter[0]++;
	}
}

static void memory_thread(void *unused_1, void *unused_2, void *unused_3)
{
	memory(false);
}

static void memory_witnessed(void *unused_1, void *unused_2, void *unused_3)
{
	memory(true);
}

static void memory_start(bool witnessed)
{
	tm_memory_pool_create();
	tm_thread_create(0, 10, witnessed ? memory_witnessed : memory_thread);
	tm_thread_resume(0);
}

void tm_objects(void)
{
	tm_run(&(struct tm_test){"thread_metric.message", "Message Processing",
				 "Send and receive 16 bytes", "Error sending/receiving messages!",
				 "received", 1, true, message_start});
	tm_run(&(struct tm_test){"thread_metric.synchronization", "Synchronization Processing",
				 "Take and give a semaphore", "Error getting/putting semaphore!",
				 "taken", 1, true, synchronization_start});
	tm_run(&(struct tm_test){
		"thread_metric.memory", "Memory Allocation", "Allocate and free 128 bytes",
		"Error allocating/deallocating memory!", "allocated", 1, true, memory_start});
}
