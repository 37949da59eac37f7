/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of the list (kernel/base/syscalls.h), one a case, as both domains make them. Who
 * waits in one is let go by the helper of its own domain (case_help()), so that no turn ends by
 * it; a time-out is due after both turns. test_secrets_in_time.py misses a call that has no
 * case.
 */
#include "secrets.h"

#define T        K_TICKS(LATER)
/* The helper is less urgent: it runs once its own waits, and does that. */
#define GO(what) (me->wanted = (what), k_sem_give(me->go))

enum wanted {
	GIVE = 1,
	SIGNAL,
	POST,
	PUSH,
	APPEND,
	PUT,
	GET,
	READ,
	WRITE,
	RAISE,
	WAKE,
	SERVE,
	RECEIVE
};

static struct k_poll_event *events(struct side *me, struct k_sem *sem)
{
	me->events[0] = (struct k_poll_event){
		.type = K_POLL_TYPE_SEM_AVAILABLE, .mode = K_POLL_MODE_NOTIFY_ONLY, .sem = sem};
	me->events[1] = (struct k_poll_event){
		.type = K_POLL_TYPE_SIGNAL, .mode = K_POLL_MODE_NOTIFY_ONLY, .signal = me->signal};
	return me->events;
}

static struct k_ipc_message *message(struct side *me, size_t size)
{
	me->message = (struct k_ipc_message){.data = me->words, .size = size, .capacity = 64};
	return &me->message;
}

static void entry(void *p1, void *p2, void *p3)
{
}

static k_tid_t create(struct side *me, k_timeout_t delay)
{
	return k_thread_create(me->block, me->spare_stack, STACK, entry, NULL, NULL, NULL, me->prio,
			       K_USER | K_INHERIT_PERMS, delay);
}

/* In the pool: a block that is free, and in front of one that is not. */
static void leave_a_hole(void)
{
	void *hole = k_object_alloc(K_OBJ_SEM);

	(void)k_object_alloc(K_OBJ_SEM);
	k_object_release_(hole, K_OBJ_SEM);
}

/* CASE(what is called), in the domain `me`. */
#define CASES                                                                                    \
	CASE(k_object_alloc(K_OBJ_SEM))                                                          \
	CASE(k_sem_take(me->given, T))                                                           \
	CASE(k_sem_take(me->sem, K_NO_WAIT))                                                     \
	CASE((GO(GIVE), k_sem_take(me->sem, T)))                                                 \
	CASE((GO(GIVE), k_sem_take(me->sem, K_FOREVER)))                                         \
	CASE(k_sem_give(me->sem))                                                                \
	CASE(k_sem_reset(me->sem))                                                               \
	CASE(k_sem_count_get(me->sem))                                                           \
	CASE(k_sem_init(me->raw_sem, 1, 2))                                                      \
	CASE(k_mutex_lock(me->mutex, T))                                                         \
	CASE(k_mutex_unlock(me->mutex))                                                          \
	CASE(k_mutex_init(me->raw_mutex))                                                        \
	CASE((k_mutex_lock(me->mutex, T), GO(SIGNAL), k_condvar_wait(me->condvar, me->mutex, T), \
	      k_mutex_unlock(me->mutex)))                                                        \
	CASE(k_condvar_signal(me->condvar))                                                      \
	CASE(k_condvar_broadcast(me->condvar))                                                   \
	CASE(k_condvar_init(me->raw_condvar))                                                    \
	CASE(k_event_post(me->event, 1))                                                         \
	CASE(k_event_set(me->event, 2))                                                          \
	CASE(k_event_set_masked(me->event, 2, 3))                                                \
	CASE(k_event_clear(me->event, 7))                                                        \
	CASE(k_event_test(me->event, 1))                                                         \
	CASE((GO(POST), k_event_wait(me->event, 4, false, T)))                                   \
	CASE((GO(POST), k_event_wait_all(me->event, 12, false, T)))                              \
	CASE((GO(POST), k_event_wait_safe(me->event, 16, false, T)))                             \
	CASE((GO(POST), k_event_wait_all_safe(me->event, 96, false, T)))                         \
	CASE(k_event_init(me->raw_event))                                                        \
	CASE(k_stack_push(me->stack, 5))                                                         \
	CASE(k_stack_pop(me->filled, me->places, T))                                             \
	CASE((k_stack_pop(me->stack, me->places, K_NO_WAIT), GO(PUSH),                           \
	      k_stack_pop(me->stack, me->places, T)))                                            \
	CASE(k_stack_alloc_init(me->raw_stack, 4))                                               \
	CASE(k_queue_alloc_append(me->queue, me->words))                                         \
	CASE(k_queue_alloc_prepend(me->queue, me->words))                                        \
	CASE(k_queue_get(me->items, T))                                                          \
	CASE((GO(APPEND), k_queue_get(me->nothing, T)))                                          \
	CASE(k_queue_is_empty(me->queue))                                                        \
	CASE(k_queue_peek_head(me->items))                                                       \
	CASE(k_queue_peek_tail(me->items))                                                       \
	CASE(k_queue_cancel_wait(me->queue))                                                     \
	CASE(k_queue_init(me->raw_queue))                                                        \
	CASE(k_msgq_put(me->msgq, me->words, T))                                                 \
	CASE(k_msgq_put_front(me->msgq, me->words))                                              \
	CASE(k_msgq_get(me->full, me->words, T))                                                 \
	CASE((GO(GET), k_msgq_put(me->crammed, me->words, T)))                                   \
	CASE((k_msgq_purge(me->crammed), GO(PUT), k_msgq_get(me->crammed, me->words, T)))        \
	CASE(k_msgq_peek(me->full, me->words))                                                   \
	CASE(k_msgq_peek_at(me->full, me->words, 1))                                             \
	CASE(k_msgq_purge(me->msgq))                                                             \
	CASE(k_msgq_num_free_get(me->full))                                                      \
	CASE(k_msgq_num_used_get(me->full))                                                      \
	CASE(k_msgq_get_attrs(me->full, (void *)me->words))                                      \
	CASE(k_msgq_alloc_init(me->raw_msgq, 8, 2))                                              \
	CASE(k_timer_start(me->timer, T, K_NO_WAIT))                                             \
	CASE(k_timer_start(me->running, K_TICKS(LATER + 2), T))                                  \
	CASE(k_timer_remaining_ticks(me->running))                                               \
	CASE(k_timer_remaining_get(me->running))                                                 \
	CASE(k_timer_expires_ticks(me->running))                                                 \
	CASE(k_timer_status_get(me->running))                                                    \
	CASE(k_timer_stop(me->timer))                                                            \
	CASE(k_timer_status_sync(me->timer))                                                     \
	CASE(k_timer_user_data_set(me->timer, me->words))                                        \
	CASE(k_timer_user_data_get(me->timer))                                                   \
	CASE(k_thread_join(me->helper, K_NO_WAIT))                                               \
	CASE(k_thread_priority_get(me->helper))                                                  \
	CASE(k_thread_priority_set(me->helper, 12))                                              \
	CASE(k_thread_suspend(me->helper))                                                       \
	CASE(k_thread_resume(me->helper))                                                        \
	CASE(k_reschedule())                                                                     \
	CASE(k_thread_name_set(me->helper, "helper"))                                            \
	CASE(k_thread_name_copy(me->helper, (char *)me->words, 8))                               \
	CASE(k_thread_stack_space_get(me->helper, (size_t *)me->words))                          \
	CASE(k_thread_timeout_remaining_ticks(me->helper))                                       \
	CASE(k_thread_timeout_expires_ticks(me->helper))                                         \
	CASE((create(me, K_FOREVER), k_thread_abort(me->block)))                                 \
	CASE((create(me, T), k_wakeup(me->block), k_thread_abort(me->block)))                    \
	CASE((create(me, K_FOREVER), k_thread_start(me->block), k_thread_join(me->block, T)))    \
	CASE(k_wakeup(me->helper))                                                               \
	CASE(k_yield())                                                                          \
	CASE(k_sleep(K_NO_WAIT))                                                                 \
	CASE(k_msleep(0))                                                                        \
	CASE(k_usleep(0))                                                                        \
	CASE(k_current_get())                                                                    \
	CASE(k_is_preempt_thread())                                                              \
	CASE(k_uptime_ticks())                                                                   \
	CASE(k_uptime_get())                                                                     \
	CASE(k_uptime_get_32())                                                                  \
	CASE(k_uptime_delta(&me->since))                                                         \
	CASE(k_cycle_get_32())                                                                   \
	CASE(k_busy_wait(1))                                                                     \
	CASE(k_object_grant_(me->sem, K_OBJ_SEM, 0, me->helper))                                 \
	CASE(k_object_access_revoke(me->given, me->helper))                                      \
	CASE(k_object_alloc(K_OBJ_THREAD))                                                       \
	CASE(k_object_alloc_size(K_OBJ_SEM, 200))                                                \
	CASE(k_object_release_(k_object_alloc(K_OBJ_MUTEX), K_OBJ_MUTEX))                        \
	CASE(k_thread_stack_alloc(STACK, K_USER))                                                \
	CASE(k_thread_stack_free(k_thread_stack_alloc(STACK, K_USER)))                           \
	CASE((GO(RECEIVE), k_ipc_send(me->gate, message(me, 8), T)))                             \
	CASE(k_ipc_receive(me->endpoint, message(me, 0), K_NO_WAIT))                             \
	CASE((GO(SERVE), k_ipc_call(me->gate, message(me, 8), T)))                               \
	CASE((GO(SERVE), k_ipc_call(me->gate, message(me, 64), K_FOREVER)))                      \
	CASE(k_ipc_reply(message(me, 8)))                                                        \
	CASE(k_ipc_reply_receive(me->endpoint, message(me, 0), K_NO_WAIT))                       \
	CASE(k_pipe_init(me->raw_pipe, NULL, 0))                                                 \
	CASE((GO(READ), k_pipe_write(me->pipe, (uint8_t *)me->words, 64, T)))                    \
	CASE((GO(WRITE), k_pipe_read(me->pipe, (uint8_t *)me->words, 64, T)))                    \
	CASE(k_pipe_read(me->pipe, (uint8_t *)me->words, 64, K_NO_WAIT))                         \
	CASE(k_pipe_reset(me->pipe))                                                             \
	CASE(k_pipe_close(me->other_pipe))                                                       \
	CASE((GO(WAKE), k_futex_wait(&me->futex, 0, T)))                                         \
	CASE(k_futex_wake(&me->futex, true))                                                     \
	CASE(k_poll(events(me, me->given), 2, T))                                                \
	CASE((k_poll_signal_reset(me->signal), k_poll(events(me, me->raised), 2, K_NO_WAIT)))    \
	CASE((GO(RAISE), k_poll(events(me, me->raised), 2, T)))                                  \
	CASE(k_poll_signal_init(me->raw_signal))                                                 \
	CASE(k_poll_signal_raise(me->signal, 3))                                                 \
	CASE(k_poll_signal_check(me->signal, me->words, (int *)&me->words[1]))                   \
	CASE(k_poll_signal_reset(me->signal))

/* What only A does, since the turn of who does it ends. */
#define ENDS                                                                \
	CASE(k_sleep(T))                                                    \
	CASE(k_sem_take(me->raised, K_FOREVER))                             \
	CASE(k_queue_get(me->nothing, T))                                   \
	CASE(k_ipc_call(me->gate, message(me, 8), T))                       \
	CASE(k_thread_suspend(k_current_get()))                             \
	CASE(k_thread_abort(k_current_get()))                               \
	CASE(k_thread_abort(me->helper))                                    \
	CASE((k_object_alloc(K_OBJ_MSGQ), k_thread_abort(k_current_get()))) \
	CASE(k_sem_give((struct k_sem *)me->words))                         \
	CASE(k_msgq_put(me->msgq, NULL, T))

/* Likewise, and once more each with the seed of that place (secrets.h); without it they tell no more than others. */
#define SEEDED                                                       \
	CASE(k_sem_give(me->foreign))                                \
	CASE(k_timer_start(me->timer, K_TICKS(me->due), K_TICKS(1))) \
	CASE(leave_a_hole())                                         \
	CASE(k_object_alloc_size(K_OBJ_SEM, SIZE_MAX))

#define CASE(expression) +1
unsigned int cases_count(enum cases which)
{
	static const uint8_t counts[] = {[OF_BOTH] = CASES, [OF_A] = CASES ENDS SEEDED};

	return counts[which];
}
#undef CASE

const char *case_name(unsigned int number)
{
	static const char *const names[] = {
#define CASE(expression) #expression,
		CASES ENDS SEEDED
#undef CASE
	};

	return names[number];
}

void case_run(unsigned int number, struct side *me)
{
	enum { FIRST = __COUNTER__ + 1 };

	switch (number) {
#define CASE(expression)            \
	case __COUNTER__ - FIRST:   \
		(void)(expression); \
		break;
		CASES ENDS SEEDED
#undef CASE
			default : break;
	}
}

/* ---- the helper ---- */

static void serve(struct side *me, bool replies)
{
	struct k_ipc_message got = {.data = me->got, .capacity = sizeof(me->got)};

	if (k_ipc_receive(me->endpoint, &got, K_NO_WAIT) >= 0 && replies) {
		got.size = 8;
		(void)k_ipc_reply(&got);
	}
}

static void help(struct side *me, enum wanted wanted)
{
	switch (wanted) {
	case GIVE:
		k_sem_give(me->sem);
		break;
	case SIGNAL:
		(void)k_condvar_signal(me->condvar);
		break;
	case POST:
		(void)k_event_post(me->event, 124);
		break;
	case PUSH:
		(void)k_stack_push(me->stack, 1);
		break;
	case APPEND:
		(void)k_queue_alloc_append(me->nothing, me->words);
		break;
	case PUT:
		(void)k_msgq_put(me->crammed, me->got, K_NO_WAIT);
		break;
	case GET:
		(void)k_msgq_get(me->crammed, me->got, K_NO_WAIT);
		break;
	case READ:
		(void)k_pipe_read(me->pipe, (uint8_t *)me->got, 64, T);
		break;
	case WRITE:
		(void)k_pipe_write(me->pipe, (uint8_t *)me->got, 64, T);
		break;
	case RAISE:
		(void)k_poll_signal_raise(me->signal, 1);
		break;
	case WAKE:
		(void)k_futex_wake(&me->futex, true);
		break;
	case SERVE:
		serve(me, true);
		break;
	case RECEIVE:
		serve(me, false);
		break;
	default:
		break;
	}
}

void case_help(struct side *me)
{
	for (;;) {
		(void)k_sem_take(me->go, K_FOREVER);
		help(me, me->wanted);
	}
}
