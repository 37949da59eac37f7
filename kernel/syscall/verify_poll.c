/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls: polling. The events are copied onto the stack of system calls, looked at there, and
 * waited for there; what goes back is their states. Rejected: the caller's resource pool for the
 * copy, as in Zephyr: a thread that is ended in the call would leave it behind.
 */
#define VERIFIER_OF_OTHERS
#include "kernel/syscall/verify.h"
#include "kernel/access/references.h"

#define VERIFY_SIGNAL(signal) VERIFY_OBJECT(signal, struct k_poll_signal, K_OBJ_POLL_SIGNAL)
#define VERIFY_SEM(sem)       VERIFY_OBJECT(sem, struct k_sem, K_OBJ_SEM)
#define VERIFY_QUEUE(queue)   VERIFY_OBJECT(queue, struct k_queue, K_OBJ_QUEUE)
#define VERIFY_MSGQ(msgq)     VERIFY_OBJECT(msgq, struct k_msgq, K_OBJ_MSGQ)
#define VERIFY_PIPE(pipe)     VERIFY_OBJECT(pipe, struct k_pipe, K_OBJ_PIPE)

/*@ requires caller_is_sound; */
void verify_k_poll_signal_init(struct k_poll_signal *sig)
{
	unsigned int key = verify_init_begin(sig, OBJECT_TAG_OFFSET(struct k_poll_signal),
					     K_OBJ_POLL_SIGNAL);

	k_poll_signal_init(sig);
	irq_unlock(key);
}

/*@ requires caller_is_sound; */
void verify_k_poll_signal_reset(struct k_poll_signal *sig)
{
	VERIFY_SIGNAL(sig);
	k_poll_signal_reset(sig);
}

/*@ requires caller_is_sound;
  @ ensures caller_may_touch{Pre}((uintptr_t)signaled, sizeof(*signaled), (boolean)1);
  @ ensures caller_may_touch{Pre}((uintptr_t)result, sizeof(*result), (boolean)1);
  @*/
void verify_k_poll_signal_check(struct k_poll_signal *sig, unsigned int *signaled, int *result)
{
	unsigned int is_raised;
	int number;

	VERIFY_SIGNAL(sig);
	k_poll_signal_check(sig, &is_raised, &number);
	user_copy_out(signaled, &is_raised, sizeof(is_raised));
	user_copy_out(result, &number, sizeof(number));
}

/*@ requires caller_is_sound; */
int verify_k_poll_signal_raise(struct k_poll_signal *sig, int result)
{
	VERIFY_SIGNAL(sig);
	return k_poll_signal_raise(sig, result);
}

/* ---- what is polled: each of these holds it until the call ends ---- */

/*@ requires caller_is_sound;
  @ assigns WRITTEN_TO_HOLD, *k_cpu.current->user.polled;
  @ ensures some_may_be_used{Pre}((void *)signal, K_OBJ_POLL_SIGNAL);
  @*/
static void poll_signal(struct k_poll_signal *signal)
{
	VERIFY_SIGNAL(signal);
	reference_poll(signal, OBJECT_TAG_OFFSET(struct k_poll_signal));
}

/*@ requires caller_is_sound;
  @ assigns WRITTEN_TO_HOLD, *k_cpu.current->user.polled;
  @ ensures some_may_be_used{Pre}((void *)sem, K_OBJ_SEM);
  @*/
static void poll_sem(struct k_sem *sem)
{
	VERIFY_SEM(sem);
	reference_poll(sem, OBJECT_TAG_OFFSET(struct k_sem));
}

/*@ requires caller_is_sound;
  @ assigns WRITTEN_TO_HOLD, *k_cpu.current->user.polled;
  @ ensures some_may_be_used{Pre}((void *)queue, K_OBJ_QUEUE);
  @*/
static void poll_queue(struct k_queue *queue)
{
	VERIFY_QUEUE(queue);
	reference_poll(queue, OBJECT_TAG_OFFSET(struct k_queue));
}

/*@ requires caller_is_sound;
  @ assigns WRITTEN_TO_HOLD, *k_cpu.current->user.polled;
  @ ensures some_may_be_used{Pre}((void *)msgq, K_OBJ_MSGQ);
  @*/
static void poll_msgq(struct k_msgq *msgq)
{
	VERIFY_MSGQ(msgq);
	reference_poll(msgq, OBJECT_TAG_OFFSET(struct k_msgq));
}

/*@ requires caller_is_sound;
  @ assigns WRITTEN_TO_HOLD, *k_cpu.current->user.polled;
  @ ensures some_may_be_used{Pre}((void *)pipe, K_OBJ_PIPE);
  @*/
static void poll_pipe(struct k_pipe *pipe)
{
	VERIFY_PIPE(pipe);
	reference_poll(pipe, OBJECT_TAG_OFFSET(struct k_pipe));
}

/* False: there is no such type or mode. */
/*@ predicate event_may_be_polled{L}(struct k_poll_event *event) =
  @   event->type == K_POLL_TYPE_IGNORE ||
  @   event->type == K_POLL_TYPE_SIGNAL &&
  @     some_may_be_used((void *)event->signal, K_OBJ_POLL_SIGNAL) ||
  @   event->type == K_POLL_TYPE_SEM_AVAILABLE &&
  @     some_may_be_used((void *)event->sem, K_OBJ_SEM) ||
  @   event->type == K_POLL_TYPE_DATA_AVAILABLE &&
  @     some_may_be_used((void *)event->queue, K_OBJ_QUEUE) ||
  @   event->type == K_POLL_TYPE_MSGQ_DATA_AVAILABLE &&
  @     some_may_be_used((void *)event->msgq, K_OBJ_MSGQ) ||
  @   event->type == K_POLL_TYPE_PIPE_DATA_AVAILABLE &&
  @     some_may_be_used((void *)event->pipe, K_OBJ_PIPE);
  @*/
/*@ requires caller_is_sound && \valid_read(event) && \separated(event, k_cpu.current);
  @ requires \separated(event, k_cpu.current->user.polled, &object_table[0 ..], &user_has_orphans,
  @   &orphans[0 .. CONFIG_USER_OBJECTS / 32 - 1]);
  @ ensures \result ==> event_may_be_polled{Pre}((struct k_poll_event *)event);
  @ ensures \result ==> event->mode == K_POLL_MODE_NOTIFY_ONLY;
  @*/
static bool verify_event(const struct k_poll_event *event)
{
	switch (event->type) {
	case K_POLL_TYPE_IGNORE:
		break;
	case K_POLL_TYPE_SIGNAL:
		poll_signal(event->signal);
		break;
	case K_POLL_TYPE_SEM_AVAILABLE:
		poll_sem(event->sem);
		break;
	case K_POLL_TYPE_DATA_AVAILABLE:
		poll_queue(event->queue);
		break;
	case K_POLL_TYPE_MSGQ_DATA_AVAILABLE:
		poll_msgq(event->msgq);
		break;
	case K_POLL_TYPE_PIPE_DATA_AVAILABLE:
		poll_pipe(event->pipe);
		break;
	default:
		return false;
	}
	return event->mode == K_POLL_MODE_NOTIFY_ONLY;
}

/* What of an event is its user's: all but the kernel's own, which it begins without. */
struct asked {
	uint8_t tag;
	uint8_t type;
	uint8_t state;
	uint8_t mode;
	uintptr_t object;
};

#define ASKED_OFFSET(member) \
	(offsetof(struct k_poll_event, member) - offsetof(struct k_poll_event, tag))
BUILD_ASSERT(ASKED_OFFSET(type) == offsetof(struct asked, type) &&
		     ASKED_OFFSET(state) == offsetof(struct asked, state) &&
		     ASKED_OFFSET(mode) == offsetof(struct asked, mode) &&
		     ASKED_OFFSET(obj) == offsetof(struct asked, object),
	     "struct asked is the end of struct k_poll_event");

/* As a number: what a user passed as a pointer may be none, and wrap. */
static void *part_of(const struct k_poll_event *events, int i, size_t offset)
{
	return (void *)((uintptr_t)events + (size_t)i * sizeof(*events) + offset);
}

/*@ requires thread_is_sound(k_cpu.current);
  @ assigns \nothing;
  @*/
static struct k_poll_event copy_event(const struct k_poll_event *events, int i)
{
	struct asked asked;

	user_copy_in(&asked, part_of(events, i, offsetof(struct k_poll_event, tag)), sizeof(asked));
	return (struct k_poll_event){
		.tag = asked.tag,
		.type = asked.type,
		.state = asked.state,
		.mode = asked.mode,
		.obj = (void *)asked.object,
	};
}

int verify_k_poll(struct k_poll_event *events, int num_events, k_timeout_t timeout)
{
	struct k_poll_event kept[CONFIG_POLL_USER_EVENTS];
	struct references_polled polled;
	int result = 0;

	K_SYSCALL_NARROW(num_events);
	if (num_events < 0 || num_events > CONFIG_POLL_USER_EVENTS) {
		return num_events < 0 ? -EINVAL : -ENOMEM;
	}
	references_polled_begin(&polled);
	for (int i = 0; i < num_events && result == 0; i++) {
		kept[i] = copy_event(events, i);
		result = verify_event(&kept[i]) ? 0 : -EINVAL;
	}
	if (result == 0) {
		result = k_poll(kept, num_events, verify_timeout(timeout));
		for (int i = 0; i < num_events; i++) {
			user_copy_out(part_of(events, i, offsetof(struct k_poll_event, state)),
				      &kept[i].state, sizeof(kept[i].state));
		}
	}
	references_polled_end();
	return result;
}
