/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From an interrupt into the thread that it wakes, through each object that a handler may
 * use. Windows: from the handler's first instruction to the stamp behind the waiting
 * thread's call; the handler lowers its line first.
 */
#include "interrupt.h"

#include <board.h>
#include <drivers/soft_irq.h>

/* A way to wake: what the handler calls, what the thread waits in. */
struct way {
	const char *id;
	const char *text;
	irq_handler_t handler;
	measure_window_fn wait;
	bool (*is_right)(intptr_t result);
};

static struct measure_row row;
static const struct way *way;
static volatile uint32_t handler_start;
static volatile uint32_t entered;

static K_SEM_DEFINE(sem, 0, 1);
static K_FIFO_DEFINE(fifo);
static K_LIFO_DEFINE(lifo);
static K_EVENT_DEFINE(event);
K_STACK_DEFINE(words, 4);
K_MSGQ_DEFINE(messages, 4, 4, 4);
static K_CONDVAR_DEFINE(condvar);
static K_MUTEX_DEFINE(mutex);
static uintptr_t item[2];
static stack_data_t word;
static uint32_t message = 7;
static uint32_t received;
static struct k_thread waiter;
static K_THREAD_STACK_DEFINE(waiter_stack, 1024);

/*
 * A handler: behind the stamp nothing but a tail call, so that its first instruction is the
 * stamp's.
 */
#define HANDLER(name, ...)                                           \
	static __attribute__((noipa)) void name##_behind_stamp(void) \
	{                                                            \
		entered++;                                           \
		soft_irq_clear();                                    \
		__VA_ARGS__;                                         \
	}                                                            \
                                                                     \
	static __attribute__((noipa)) void name(const void *unused)  \
	{                                                            \
		uint32_t start = measure_stamp();                    \
                                                                     \
		measure_fence_stamp(start);                          \
		handler_start = start;                               \
		name##_behind_stamp();                               \
	}

HANDLER(give_sem, k_sem_give(&sem))
HANDLER(put_fifo, k_fifo_put(&fifo, item))
HANDLER(put_lifo, k_lifo_put(&lifo, item))
HANDLER(set_event, (void)k_event_set(&event, 1))
HANDLER(push_stack, (void)k_stack_push(&words, 7))
HANDLER(put_msgq, (void)k_msgq_put(&messages, &message, K_NO_WAIT))
HANDLER(signal_condvar, (void)k_condvar_signal(&condvar))
HANDLER(resume_thread, k_thread_resume(&waiter))

MEASURE_WINDOW(take_sem, result = k_sem_take(&sem, K_FOREVER))
MEASURE_WINDOW(get_fifo, result = (intptr_t)k_fifo_get(&fifo, K_FOREVER))
MEASURE_WINDOW(get_lifo, result = (intptr_t)k_lifo_get(&lifo, K_FOREVER))
MEASURE_WINDOW(wait_event, result = (intptr_t)k_event_wait(&event, 1, true, K_FOREVER))
MEASURE_WINDOW(pop_stack, result = k_stack_pop(&words, &word, K_FOREVER))
MEASURE_WINDOW(get_msgq, result = k_msgq_get(&messages, &received, K_FOREVER))
MEASURE_WINDOW(wait_condvar, result = k_condvar_wait(&condvar, &mutex, K_FOREVER))
MEASURE_WINDOW(suspend_self, k_thread_suspend(&waiter))

static bool is_zero(intptr_t result)
{
	return result == 0;
}

static bool is_item(intptr_t result)
{
	return result == (intptr_t)item;
}

static bool is_one(intptr_t result)
{
	return result == 1;
}

static bool is_word(intptr_t result)
{
	bool right = result == 0 && word == 7;

	word = 0;
	return right;
}

static bool is_message(intptr_t result)
{
	bool right = result == 0 && received == message;

	received = 0;
	return right;
}

static const struct way ways[] = {
	{"isr.give.wake+ctx.kernel", "Handler gives a semaphore, to the waiting thread", give_sem,
	 take_sem, is_zero},
	{"isr.fifo.put.wake+ctx.kernel", "Handler puts into a fifo, to the waiting thread",
	 put_fifo, get_fifo, is_item},
	{"isr.lifo.put.wake+ctx.kernel", "Handler puts into a lifo, to the waiting thread",
	 put_lifo, get_lifo, is_item},
	{"isr.events.set.wake+ctx.kernel", "Handler sets an event, to the waiting thread",
	 set_event, wait_event, is_one},
	{"isr.stack.push.wake+ctx.kernel", "Handler pushes a word, to the waiting thread",
	 push_stack, pop_stack, is_word},
	{"isr.msgq.put.wake+ctx.kernel", "Handler puts a message, to the waiting thread", put_msgq,
	 get_msgq, is_message},
	{"isr.condvar.signal.wake+ctx.kernel", "Handler signals a condvar, to the waiting thread",
	 signal_condvar, wait_condvar, is_zero},
	{"isr.thread.resume.wake+ctx.kernel", "Handler resumes a thread, to that thread",
	 resume_thread, suspend_self, is_zero},
};

static void waiter_entry(void *unused_1, void *unused_2, void *unused_3)
{
	(void)k_mutex_lock(&mutex, K_FOREVER); /* of the condition variable */
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		struct measure_window window;
		intptr_t result = way->wait(&window);

		measure_add(&row, handler_start, window.end);
		measure_witness(&row, "received", way->is_right(result));
	}
	(void)k_mutex_unlock(&mutex);
}

static unsigned int key;

MEASURE_WINDOW(open_interrupts, irq_unlock(key))

static void measure_way(void)
{
	measure_row_begin(&row, way->id, way->text);
	(void)irq_connect_dynamic(BOARD_SOFT_IRQ, MEASURE_IRQ_PRIO, way->handler, NULL, 0);
	(void)k_thread_create(&waiter, waiter_stack, K_THREAD_STACK_SIZEOF(waiter_stack),
			      waiter_entry, NULL, NULL, NULL, INTERRUPT_PRIO - 1, 0, K_NO_WAIT);
	/* Bound: SAMPLES. */
	for (uint32_t i = 0; sweep_wants(i); i++) {
		uint32_t entered_before = entered;
		struct measure_window window;
		bool blocked = (waiter.state & (K_THREAD_PENDING | K_THREAD_SUSPENDED)) != 0;

		key = irq_lock();
		soft_irq_raise();
		(void)open_interrupts(&window);
		measure_witness(&row, "blocked", blocked);
		measure_witness(&row, "interrupts", entered == entered_before + 1);
	}
	k_thread_abort(&waiter);
	measure_row_end(&row);
}

void interrupt_to_thread(void)
{
	irq_enable(BOARD_SOFT_IRQ);
	/* Bound: the ways there are. */
	for (way = ways; way < ways + ARRAY_SIZE(ways); way++) {
		measure_way();
	}
	irq_disable(BOARD_SOFT_IRQ);
}
