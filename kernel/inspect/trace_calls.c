/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls in the ring of events: the linker leads each call by name to a function here (--wrap, by
 * CMakeLists.txt, which reads this file), which keeps its beginning and its end. So the calls
 * themselves stay as they are. One from within the file that defines it is not seen.
 */
#include <foliot/kernel.h>
#include <foliot/fatal.h>
#include <foliot/trace.h>
#include "kernel/hooks/trace.h"

#define BEGIN_(name, object) \
	trace_ring_call(TRACE_RING_CALL, (uintptr_t)(object), (uintptr_t)__real_##name)
#define END_(name, result) \
	trace_ring_call(TRACE_RING_RETURN, (uintptr_t)(result), (uintptr_t)__real_##name)

#define CALL(type, name, object, takes, given) \
	type __real_##name takes;              \
	type __wrap_##name takes;              \
	type __wrap_##name takes               \
	{                                      \
		type result;                   \
                                               \
		BEGIN_(name, object);          \
		result = __real_##name given;  \
		END_(name, result);            \
		return result;                 \
	}

#define CALL_VOID(name, object, takes, given) \
	void __real_##name takes;             \
	void __wrap_##name takes;             \
	void __wrap_##name takes              \
	{                                     \
		BEGIN_(name, object);         \
		__real_##name given;          \
		END_(name, 0);                \
	}

CALL(int, k_sem_take, sem, (struct k_sem * sem, k_timeout_t timeout), (sem, timeout))
CALL_VOID(k_sem_give, sem, (struct k_sem * sem), (sem))
CALL(int, k_mutex_lock, mutex, (struct k_mutex * mutex, k_timeout_t timeout), (mutex, timeout))
CALL(int, k_mutex_unlock, mutex, (struct k_mutex * mutex), (mutex))
CALL(int, k_condvar_wait, condvar,
     (struct k_condvar * condvar, struct k_mutex *mutex, k_timeout_t timeout),
     (condvar, mutex, timeout))
CALL(int, k_condvar_signal, condvar, (struct k_condvar * condvar), (condvar))
CALL(uint32_t, k_event_post, event, (struct k_event * event, uint32_t events), (event, events))
CALL(uint32_t, k_event_wait, event,
     (struct k_event * event, uint32_t events, bool reset, k_timeout_t timeout),
     (event, events, reset, timeout))
CALL(int, k_msgq_put, msgq, (struct k_msgq * msgq, const void *data, k_timeout_t timeout),
     (msgq, data, timeout))
CALL(int, k_msgq_get, msgq, (struct k_msgq * msgq, void *data, k_timeout_t timeout),
     (msgq, data, timeout))
CALL(void *, k_queue_get, queue, (struct k_queue * queue, k_timeout_t timeout), (queue, timeout))
CALL_VOID(k_queue_append, queue, (struct k_queue * queue, void *data), (queue, data))
CALL(int, k_stack_push, stack, (struct k_stack * stack, stack_data_t data), (stack, data))
CALL(int, k_stack_pop, stack, (struct k_stack * stack, stack_data_t *data, k_timeout_t timeout),
     (stack, data, timeout))
CALL(void *, k_heap_alloc, heap, (struct k_heap * heap, size_t bytes, k_timeout_t timeout),
     (heap, bytes, timeout))
CALL_VOID(k_heap_free, heap, (struct k_heap * heap, void *ptr), (heap, ptr))
CALL_VOID(k_timer_start, timer, (struct k_timer * timer, k_timeout_t duration, k_timeout_t period),
	  (timer, duration, period))
CALL_VOID(k_timer_stop, timer, (struct k_timer * timer), (timer))
CALL(uint32_t, k_timer_status_sync, timer, (struct k_timer * timer), (timer))
CALL_VOID(k_thread_start, thread, (k_tid_t thread), (thread))
CALL_VOID(k_thread_suspend, thread, (k_tid_t thread), (thread))
CALL_VOID(k_thread_resume, thread, (k_tid_t thread), (thread))
CALL_VOID(k_wakeup, thread, (k_tid_t thread), (thread))
CALL(int, k_thread_join, thread, (k_tid_t thread, k_timeout_t timeout), (thread, timeout))
CALL_VOID(k_yield, 0, (void), ())
CALL(int32_t, k_sleep, 0, (k_timeout_t timeout), (timeout))
CALL(int32_t, k_msleep, 0, (int32_t ms), (ms))

/* The program's end: what was kept is printed. Not a CALL(): it does not return. */
void __real_k_exit(int status) __attribute__((noreturn));
void __wrap_k_exit(int status) __attribute__((noreturn));
void __wrap_k_exit(int status)
{
	k_trace_ring_print();
	__real_k_exit(status);
}
