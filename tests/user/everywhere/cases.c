/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls that the victim makes, one a case: each of the list (kernel/base/syscalls.h) that takes an object, memory or
 * time, in the states in which it goes another way; test_everywhere.py misses one that has no case. Structures are full
 * of kernel addresses (`lies`), but for the fields that a call has to believe to go on.
 */
#include "everywhere.h"
#include "kernel/syscall/verify.h"
#include "lib/string.h"

/* In front of memory that is the victim's: what a structure of its looks like. */
K_APP_DMEM(buffers) static struct k_poll_event events[4] = {{.type = 1}};
K_APP_DMEM(buffers) static struct k_ipc_message message = {.capacity = 1};
K_APP_DMEM(buffers) static char name[8] = "name";

static struct k_poll_event *lying_events(void)
{
	memcpy(events, lies, sizeof(events));
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		events[i].type = K_POLL_TYPE_IGNORE;
		events[i].mode = K_POLL_MODE_NOTIFY_ONLY;
		events[i].state = 0;
	}
	events[1].type = K_POLL_TYPE_SEM_AVAILABLE;
	events[1].sem = objects.sem;
	events[2].type = K_POLL_TYPE_SIGNAL;
	events[2].signal = objects.signal;
	events[3].type = K_POLL_TYPE_MSGQ_DATA_AVAILABLE;
	events[3].msgq = objects.msgq;
	return events;
}

static struct k_poll_event *ready_events(void)
{
	(void)lying_events();
	events[3].type = K_POLL_TYPE_SEM_AVAILABLE;
	events[3].sem = objects.given;
	return events;
}

static struct k_ipc_message *lying_message(size_t size, size_t room)
{
	memcpy(&message, lies, sizeof(message));
	message.data = lies;
	message.size = size;
	message.capacity = room;
	return &message;
}

static const char *short_name(void)
{
	memcpy(name, "name", sizeof("name"));
	return name;
}

/* It is there still when all is looked at. */
static void entry(void *p1, void *p2, void *p3)
{
	k_sleep(K_TICKS(20));
}

/* As user_side.c packs them, but where a sibling may write. */
K_APP_DMEM(theirs) static struct thread_create_args packed = {.prio = 1};

static const struct thread_create_args *packed_args(void)
{
	packed = (struct thread_create_args){
		.thread = objects.thread,
		.stack = spare_stack,
		.size = STACK,
		.begins = {.entry = entry},
		.prio = 12,
		.options = K_USER | K_INHERIT_PERMS,
		.caller = (uintptr_t)decoys,
	};
	return &packed;
}

/* Each field becomes one that a look would have refused; a call has copied what it looked at. */
void case_changes(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		events[i].type = K_POLL_TYPE_SEM_AVAILABLE;
		events[i].sem = (struct k_sem *)zeros;
		events[i].next = (struct k_poll_event *)decoys;
		events[i].prev = (struct k_poll_event *)decoys;
		events[i].pollers = (struct k_poll_event **)decoys;
		events[i].poller = (struct k_poller *)decoys;
	}
	message.data = decoys;
	message.size = sizeof(decoys);
	message.capacity = sizeof(decoys);
	packed.thread = (struct k_thread *)decoys;
	packed.stack = (k_thread_stack_t *)decoys;
	packed.size = 4 * STACK;
	packed.prio = 1;
	packed.options = 0;
}

#define T K_TICKS(2)
/* Each is CASE(call of the list, what is called). */
#define CASES                                                                                     \
	CASE(k_sem_take, k_sem_take(objects.given, T))                                            \
	CASE(k_sem_take, k_sem_take(objects.sem, T))                                              \
	CASE(k_sem_take, k_sem_take(objects.sem, K_FOREVER))                                      \
	CASE(k_sem_give, k_sem_give(objects.sem))                                                 \
	CASE(k_sem_reset, k_sem_reset(objects.sem))                                               \
	CASE(k_sem_count_get, k_sem_count_get(objects.sem))                                       \
	CASE(k_sem_init, k_sem_init(k_object_alloc(K_OBJ_SEM), 1, 2))                             \
	CASE(k_sem_init, k_sem_init(objects.sem, 1, 2))                                           \
	CASE(k_mutex_init, k_mutex_init(objects.mutex))                                           \
	CASE(k_condvar_init, k_condvar_init(objects.condvar))                                     \
	CASE(k_mutex_lock, k_mutex_lock(objects.mutex, T))                                        \
	CASE(k_mutex_lock, k_mutex_lock(objects.other_mutex, T))                                  \
	CASE(k_mutex_lock, k_mutex_lock(objects.other_mutex, K_FOREVER))                          \
	CASE(k_mutex_lock, k_mutex_lock(&saved_mutex, T))                                         \
	CASE(k_mutex_unlock, (k_mutex_lock(objects.mutex, T), k_mutex_unlock(objects.mutex)))     \
	CASE(k_mutex_init, k_mutex_init(k_object_alloc(K_OBJ_MUTEX)))                             \
	CASE(k_condvar_wait,                                                                      \
	     (k_mutex_lock(objects.mutex, T), k_condvar_wait(objects.condvar, objects.mutex, T))) \
	CASE(k_condvar_signal, k_condvar_signal(objects.condvar))                                 \
	CASE(k_condvar_broadcast, k_condvar_broadcast(objects.condvar))                           \
	CASE(k_condvar_init, k_condvar_init(k_object_alloc(K_OBJ_CONDVAR)))                       \
	CASE(k_event_post, k_event_post(objects.event, 1))                                        \
	CASE(k_event_set, k_event_set(objects.event, 2))                                          \
	CASE(k_event_set_masked, k_event_set_masked(objects.event, 2, 3))                         \
	CASE(k_event_clear, k_event_clear(objects.event, 1))                                      \
	CASE(k_event_test, k_event_test(objects.event, 1))                                        \
	CASE(k_event_init, (k_event_init(k_object_alloc(K_OBJ_EVENT)), 0))                        \
	CASE(k_event_wait, k_event_wait(objects.event, 4, false, T))                              \
	CASE(k_event_wait, k_event_wait(objects.event, 4, true, K_FOREVER))                       \
	CASE(k_event_wait_all, k_event_wait_all(objects.event, 5, false, T))                      \
	CASE(k_event_wait_safe, k_event_wait_safe(objects.event, 4, false, T))                    \
	CASE(k_event_wait_all_safe, k_event_wait_all_safe(objects.event, 5, false, T))            \
	CASE(k_stack_push, k_stack_push(objects.stack, (stack_data_t) & decoys[3]))               \
	CASE(k_stack_pop, k_stack_pop(objects.stack, (stack_data_t *)lies, T))                    \
	CASE(k_stack_alloc_init, k_stack_alloc_init(k_object_alloc(K_OBJ_STACK), 4))              \
	CASE(k_queue_alloc_append, k_queue_alloc_append(objects.queue, &decoys[5]))               \
	CASE(k_queue_alloc_prepend, k_queue_alloc_prepend(objects.queue, lies))                   \
	CASE(k_queue_get, (intptr_t)k_queue_get(objects.queue, T))                                \
	CASE(k_queue_is_empty, k_queue_is_empty(objects.queue))                                   \
	CASE(k_queue_peek_head, (intptr_t)k_queue_peek_head(objects.queue))                       \
	CASE(k_queue_peek_tail, (intptr_t)k_queue_peek_tail(objects.queue))                       \
	CASE(k_queue_cancel_wait, (k_queue_cancel_wait(objects.queue), 0))                        \
	CASE(k_queue_init, (k_queue_init(k_object_alloc(K_OBJ_QUEUE)), 0))                        \
	CASE(k_msgq_put, k_msgq_put(objects.msgq, lies, T))                                       \
	CASE(k_msgq_put, k_msgq_put(objects.full, lies, T))                                       \
	CASE(k_msgq_put, k_msgq_put(objects.short_full, lies, T))                                 \
	CASE(k_msgq_put_front, k_msgq_put_front(objects.msgq, lies))                              \
	CASE(k_msgq_put_front, k_msgq_put_front(objects.short_empty, lies))                       \
	CASE(k_msgq_get, k_msgq_get(objects.full, lies, T))                                       \
	CASE(k_msgq_get, k_msgq_get(objects.msgq, lies, T))                                       \
	CASE(k_msgq_get, k_msgq_get(objects.short_empty, lies, T))                                \
	CASE(k_msgq_peek, k_msgq_peek(objects.full, lies))                                        \
	CASE(k_msgq_peek_at, k_msgq_peek_at(objects.short_full, lies, 0))                         \
	CASE(k_msgq_peek_at, k_msgq_peek_at(objects.full, lies, 0))                               \
	CASE(k_msgq_purge, (k_msgq_purge(objects.full), 0))                                       \
	CASE(k_msgq_num_free_get, k_msgq_num_free_get(objects.full))                              \
	CASE(k_msgq_num_used_get, k_msgq_num_used_get(objects.full))                              \
	CASE(k_msgq_get_attrs, (k_msgq_get_attrs(objects.full, (void *)lies), 0))                 \
	CASE(k_msgq_alloc_init, k_msgq_alloc_init(k_object_alloc(K_OBJ_MSGQ), 8, 2))              \
	CASE(k_timer_start, (k_timer_start(objects.timer, T, T), 0))                              \
	CASE(k_timer_stop, (k_timer_stop(objects.timer), 0))                                      \
	CASE(k_timer_status_get, k_timer_status_get(objects.timer))                               \
	CASE(k_timer_status_sync,                                                                 \
	     (k_timer_start(objects.timer, T, K_NO_WAIT), k_timer_status_sync(objects.timer)))    \
	CASE(k_timer_remaining_ticks, k_timer_remaining_ticks(objects.timer))                     \
	CASE(k_timer_remaining_get, k_timer_remaining_get(objects.timer))                         \
	CASE(k_timer_expires_ticks, k_timer_expires_ticks(objects.timer))                         \
	CASE(k_timer_user_data_set, (k_timer_user_data_set(objects.timer, decoys), 0))            \
	CASE(k_timer_user_data_get, (intptr_t)k_timer_user_data_get(objects.timer))               \
	CASE(k_thread_abort, (k_thread_abort(&helper), 0))                                        \
	CASE(k_thread_join, k_thread_join(&helper, T))                                            \
	CASE(k_thread_priority_get, k_thread_priority_get(&helper))                               \
	CASE(k_thread_priority_set, (k_thread_priority_set(&helper, 12), 0))                      \
	CASE(k_thread_start, (k_thread_start(&helper), 0))                                        \
	CASE(k_thread_suspend, (k_thread_suspend(&helper), 0))                                    \
	CASE(k_thread_resume, (k_thread_resume(&helper), 0))                                      \
	CASE(k_thread_name_set, k_thread_name_set(&helper, (const char *)lies))                   \
	CASE(k_thread_name_set, k_thread_name_set(&helper, short_name()))                         \
	CASE(k_thread_name_copy, k_thread_name_copy(&helper, (char *)lies, 8))                    \
	CASE(k_thread_stack_space_get, k_thread_stack_space_get(&helper, (size_t *)lies))         \
	CASE(k_thread_timeout_remaining_ticks, k_thread_timeout_remaining_ticks(&helper))         \
	CASE(k_thread_timeout_expires_ticks, k_thread_timeout_expires_ticks(&helper))             \
	CASE(k_yield, (k_yield(), 0))                                                             \
	CASE(k_sleep, k_sleep(T))                                                                 \
	CASE(k_wakeup, (k_wakeup(&helper), 0))                                                    \
	CASE(k_object_grant_, k_object_grant_(objects.sem, K_OBJ_SEM, 0, &helper))                \
	CASE(k_object_revoke_, (k_object_access_revoke(objects.sem, &helper), 0))                 \
	CASE(k_object_release_, (k_object_release(objects.sem), 0))                               \
	CASE(k_object_alloc, (intptr_t)k_object_alloc(K_OBJ_SEM))                                 \
	CASE(k_object_alloc_size, (intptr_t)k_object_alloc_size(K_OBJ_THREAD, 0))                 \
	CASE(k_thread_stack_alloc, (intptr_t)k_thread_stack_alloc(STACK, K_USER))                 \
	CASE(k_ipc_send, k_ipc_send(&gate, lying_message(8, 0), T))                               \
	CASE(k_ipc_receive, k_ipc_receive(&endpoint, lying_message(0, 64), T))                    \
	CASE(k_ipc_receive, k_ipc_receive(&endpoint, lying_message(0, 64), K_NO_WAIT))            \
	CASE(k_ipc_reply, k_ipc_reply(lying_message(8, 0)))                                       \
	CASE(k_ipc_call, k_ipc_call(&gate, lying_message(0, 0), T))                               \
	CASE(k_ipc_call, k_ipc_call(&served_gate, lying_message(0, 0), K_FOREVER))                \
	CASE(k_ipc_call, k_ipc_call(&served_gate, lying_message(96, 96), K_FOREVER))              \
	CASE(k_ipc_reply_receive, k_ipc_reply_receive(&endpoint, lying_message(0, 96), T))        \
	CASE(k_pipe_write, k_pipe_write(objects.pipe, (const uint8_t *)lies, 100, T))             \
	CASE(k_pipe_read, k_pipe_read(objects.pipe, (uint8_t *)lies, 100, T))                     \
	CASE(k_pipe_read, k_pipe_read(objects.empty, (uint8_t *)lies, 100, T))                    \
	CASE(k_pipe_reset, (k_pipe_reset(objects.pipe), 0))                                       \
	CASE(k_pipe_close, (k_pipe_close(objects.pipe), 0))                                       \
	CASE(k_futex_wait, k_futex_wait((struct k_futex *)lies, (int)lies[0], T))                 \
	CASE(k_futex_wake, k_futex_wake((struct k_futex *)lies, true))                            \
	CASE(k_poll, k_poll(lying_events(), 4, T))                                                \
	CASE(k_poll, k_poll(lying_events(), 4, K_FOREVER))                                        \
	CASE(k_poll, k_poll(ready_events(), 4, T))                                                \
	CASE(k_poll_signal_raise, k_poll_signal_raise(objects.signal, 3))                         \
	CASE(k_poll_signal_reset, (k_poll_signal_reset(objects.signal), 0))                       \
	CASE(k_poll_signal_check,                                                                 \
	     (k_poll_signal_check(objects.signal, (unsigned int *)lies, (int *)&lies[1]), 0))     \
	CASE(user_thread_create_packed, (intptr_t)user_thread_create_packed(packed_args()))       \
	CASE(k_thread_create,                                                                     \
	     (intptr_t)k_thread_create(objects.thread, spare_stack, STACK, entry, decoys, decoys, \
				       decoys, 12, K_USER | K_INHERIT_PERMS, K_NO_WAIT))

unsigned int cases_count(void)
{
#define CASE(call, expression) +1
	return 0 CASES;
#undef CASE
}

const char *case_name(unsigned int number)
{
	static const char *const names[] = {
#define CASE(call, expression) #expression,
		CASES
#undef CASE
	};

	return names[number];
}

bool case_is_short(unsigned int number)
{
	return strcmp(case_name(number), "k_sem_give(objects.sem)") == 0 ||
	       strcmp(case_name(number), "k_sem_take(objects.given, T)") == 0 ||
	       strcmp(case_name(number), "k_event_test(objects.event, 1)") == 0;
}

void case_run(unsigned int number)
{
	enum { FIRST = __COUNTER__ + 1 };

	switch (number) {
#define CASE(call, expression)      \
	case __COUNTER__ - FIRST:   \
		(void)(expression); \
		break;
		CASES
#undef CASE
	default:
		break;
	}
}
