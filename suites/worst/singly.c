/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that nobody waits for, one by one, in their longest way that is known; and work. */
#include "worst.h"

#include <drivers/soft_irq.h>

#define ITEMS 16

static struct k_heap heap;
static char __aligned(8) memory[1024];
static struct k_timer timer;
static struct k_work work;
static struct k_work_delayable delayable;
static struct k_work_q works;
static K_THREAD_STACK_DEFINE(works_stack, 1024);
static struct k_msgq msgq;
static struct k_stack stack;
static struct k_queue queue;
static uintptr_t items[ITEMS];
static struct k_thread thread;
static K_THREAD_STACK_DEFINE(stack_of_thread, 1024);
static struct measure_row row;
static unsigned int failed;
static volatile uintptr_t seen; /* so that no call is a tail call, which nobody sees as one */

static void expect(bool held)
{
	failed += held ? 0 : 1;
	seen++;
}

static void handler(const void *unused)
{
}

static void interrupts(void)
{
	expect(irq_connect_dynamic(BOARD_SOFT_IRQ, 0, handler, NULL, 0) >= 0);
	irq_enable(BOARD_SOFT_IRQ);
	expect(irq_is_enabled(BOARD_SOFT_IRQ) != 0);
	irq_disable(BOARD_SOFT_IRQ);
	expect(irq_is_enabled(BOARD_SOFT_IRQ) == 0);
	expect(irq_disconnect_dynamic(BOARD_SOFT_IRQ, 0, handler, NULL, 0) == 0);
}

static void heaps(void)
{
	k_heap_init(&heap, memory, sizeof(memory));
	void *one = k_heap_alloc(&heap, 100, K_NO_WAIT);
	void *aligned = k_heap_aligned_alloc(&heap, 64, 64, K_NO_WAIT);
	void *cleared = k_heap_calloc(&heap, 1, 16, K_NO_WAIT);

	expect(one != NULL && aligned != NULL && cleared != NULL);
	one = k_heap_realloc(&heap, one, 16, K_NO_WAIT);
	k_heap_free(&heap, aligned);
	k_heap_free(&heap, one);
	k_heap_free(&heap, cleared);
	one = k_malloc(100);
	aligned = k_aligned_alloc(64, 64);
	cleared = k_calloc(1, 16);
	expect(one != NULL && aligned != NULL && cleared != NULL);
	k_free(one);
	cleared = k_realloc(cleared, 16);
	k_free(aligned);
	k_free(cleared);
	seen++;
}

static void timers(void)
{
	k_timer_init(&timer, NULL, NULL);
	k_timer_start(&timer, K_TICKS(1000), K_TICKS(1000));
	k_timer_start(&timer, K_TICKS(10), K_TICKS(1000));
	expect(k_timer_remaining_ticks(&timer) != 0);
	expect(k_timer_remaining_get(&timer) < 1000);
	expect(k_timer_expires_ticks(&timer) != 0);
	expect(k_timer_status_get(&timer) == 0);
	expect(k_timer_status_sync(&timer) == 1);
	k_timer_stop(&timer);
	int64_t since = k_uptime_get();

	expect(k_uptime_delta(&since) >= 0);
	seen += k_uptime_get_32() + (uintptr_t)k_uptime_ticks() + (uintptr_t)k_cycle_get_64();
	k_msleep(1);
	k_usleep(1);
	seen++;
}

static void work_handler(struct k_work *unused)
{
	k_sleep(K_TICKS(2));
}

static void works_worst(void)
{
	static struct k_work_sync sync;

	k_work_queue_init(&works);
	k_work_queue_start(&works, works_stack, K_THREAD_STACK_SIZEOF(works_stack), LAST - 1, NULL);
	k_work_init(&work, work_handler);
	k_work_init_delayable(&delayable, work_handler);
	expect(k_work_submit_to_queue(&works, &work) == 1);
	expect(k_work_busy_get(&work) != 0);
	expect(k_work_flush(&work, &sync));
	expect(k_work_submit_to_queue(&works, &work) == 1);
	(void)k_work_cancel(&work);
	(void)k_work_cancel_sync(&work, &sync);
	expect(k_work_schedule_for_queue(&works, &delayable, K_TICKS(100)) == 1);
	expect(k_work_delayable_remaining_get(&delayable) != 0);
	expect(k_work_delayable_expires_get(&delayable) != 0);
	expect(k_work_delayable_busy_get(&delayable) != 0);
	expect(k_work_reschedule_for_queue(&works, &delayable, K_TICKS(50)) >= 0);
	(void)k_work_cancel_delayable(&delayable);
	expect(k_work_reschedule_for_queue(&works, &delayable, K_NO_WAIT) >= 0);
	(void)k_work_cancel_delayable_sync(&delayable, &sync);
	expect(k_work_schedule_for_queue(&works, &delayable, K_TICKS(100)) == 1);
	(void)k_work_flush_delayable(&delayable, &sync);
	(void)k_work_submit_to_queue(&works, &work);
	expect(k_work_queue_drain(&works, true) >= 0);
	expect(k_work_queue_unplug(&works) == 0);
	expect(k_work_submit(&work) == 1);
	(void)k_work_flush(&work, &sync);
	(void)k_work_schedule(&delayable, K_TICKS(2));
	(void)k_work_reschedule(&delayable, K_TICKS(1));
	(void)k_work_flush_delayable(&delayable, &sync);
	expect(k_work_queue_drain(&works, true) >= 0);
	expect(k_work_queue_stop(&works, K_FOREVER) == 0);
}

static void queues(void)
{
	struct k_msgq_attrs attrs;
	uint32_t message = 1;

	expect(k_msgq_alloc_init(&msgq, sizeof(message), 4) == 0);
	expect(k_msgq_put(&msgq, &message, K_NO_WAIT) == 0);
	expect(k_msgq_peek(&msgq, &message) == 0);
	expect(k_msgq_peek_at(&msgq, &message, 0) == 0);
	k_msgq_get_attrs(&msgq, &attrs);
	expect(k_msgq_num_free_get(&msgq) == 3);
	k_msgq_purge(&msgq);
	expect(k_msgq_cleanup(&msgq) == 0);
	expect(k_stack_alloc_init(&stack, 4) == 0);
	expect(k_stack_cleanup(&stack) == 0);
	k_queue_init(&queue);
	/* Bound: ITEMS. */
	for (int i = 0; i < ITEMS; i++) {
		k_queue_append(&queue, &items[i]);
	}
	expect(k_queue_peek_head(&queue) == &items[0]);
	expect(k_queue_peek_tail(&queue) == &items[ITEMS - 1]);
	expect(k_queue_remove(&queue, &items[ITEMS - 1]));
	expect(k_queue_unique_append(&queue, &items[ITEMS - 1]));
	expect(k_queue_remove(&queue, &items[ITEMS - 1]));
	k_queue_insert(&queue, &items[0], &items[ITEMS - 1]);
	k_queue_cancel_wait(&queue);
	seen++;
}

static void sleeper(void *unused_1, void *unused_2, void *unused_3)
{
	k_sleep(K_TICKS(100));
}

static void threads(void)
{
	char name[8];

	(void)k_thread_create(&thread, stack_of_thread, K_THREAD_STACK_SIZEOF(stack_of_thread),
			      sleeper, NULL, NULL, NULL, 1, 0, K_NO_WAIT);
	seen += (uintptr_t)k_thread_timeout_remaining_ticks(&thread);
	seen += (uintptr_t)k_thread_timeout_expires_ticks(&thread);
	(void)k_thread_name_set(&thread, "sleeper");
	seen += (uintptr_t)k_thread_name_get(&thread);
	seen += (uintptr_t)k_thread_name_copy(&thread, name, sizeof(name));
	k_thread_heap_assign(&thread, &heap);
	seen += k_can_yield() + k_is_pre_kernel();
	k_sched_lock();
	k_wakeup(&thread);
	k_sched_unlock();
	(void)k_thread_join(&thread, K_FOREVER);
	(void)k_thread_create(&thread, stack_of_thread, K_THREAD_STACK_SIZEOF(stack_of_thread),
			      sleeper, NULL, NULL, NULL, 1, 0, K_TICKS(100));
	k_reschedule();
	k_thread_start(&thread);
	(void)k_thread_join(&thread, K_FOREVER);
}

MEASURE_WINDOW(uptime, result = (intptr_t)k_uptime_get())

void worst_singly(void)
{
	struct measure_window window;

	k_thread_priority_set(k_current_get(), LAST);
	measure_row_begin(&row, "singly.worst", "What is called once; the uptime in ms");
	interrupts();
	heaps();
	timers();
	works_worst();
	queues();
	threads();
	(void)uptime(&window);
	measure_witness(&row, "all_did", failed == 0);
	measure_add(&row, window.start, window.end);
	measure_row_end(&row);
}
