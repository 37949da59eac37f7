/* SPDX-License-Identifier: Apache-2.0 */
/* What attackers may use, two of each kind, and what the kernel does with it meanwhile. */
#include "attack.h"
#include "kernel/base/object_table.h"

static K_SEM_DEFINE(sem, 0, 5);
static K_SEM_DEFINE(other_sem, 2, 2);
static K_MUTEX_DEFINE(mutex);
static K_MUTEX_DEFINE(other_mutex);
static K_CONDVAR_DEFINE(condvar);
static K_EVENT_DEFINE(event);
static K_EVENT_DEFINE(other_event);
static K_TIMER_DEFINE(timer, NULL, NULL);
static K_FIFO_DEFINE(fifo);
K_STACK_DEFINE(words, 4);
K_MSGQ_DEFINE(msgq, 16, 4, 4);
K_MSGQ_DEFINE(long_msgq, 80, 2, 4); /* more than goes through the stack of system calls */
K_PIPE_DEFINE(pipe, 8, 4);
K_PIPE_DEFINE(bare_pipe, 0, 4); /* from hand to hand */
static struct k_poll_signal signal = K_POLL_SIGNAL_INITIALIZER(signal);
static struct k_sem stand_in;
K_IPC_ENDPOINT_DEFINE(endpoint);
K_IPC_ENDPOINT_DEFINE(other_endpoint);
K_IPC_GATE_DEFINE(gate, &endpoint, GATE_BADGE);
K_IPC_GATE_DEFINE(other_gate, &other_endpoint, GATE_BADGE + 1U);
static K_IPC_GATE_DEFINE(fault_gate, &endpoint, FAULT_BADGE); /* no attacker's to call */

uintptr_t shared_buffer[PAGE / sizeof(uintptr_t)] __aligned(PAGE_ALIGN);
K_MEM_PARTITION_DEFINE(buffers, shared_buffer, PAGE, K_MEM_PARTITION_P_RW_U_RW);

struct k_thread attacker_threads[NUM_ATTACKERS], child_threads[NUM_CHILDREN], essential;
__aligned(STACK_ALIGN_) K_THREAD_STACK_ARRAY_DEFINE(attacker_stacks, NUM_ATTACKERS, STACK_SIZE_);
__aligned(STACK_ALIGN_) K_THREAD_STACK_ARRAY_DEFINE(child_stacks, NUM_CHILDREN, STACK_SIZE_);
__aligned(STACK_ALIGN_) K_THREAD_STACK_DEFINE(essential_stack, STACK_SIZE_);

static void sleeps_on(void *p1, void *p2, void *p3)
{
	for (;;) {
		k_sleep(K_FOREVER);
	}
}

void objects_prepare(void)
{
	const uintptr_t allowed[DATA][NUM_ALLOWED] = {
		[SEM] = {(uintptr_t)&sem, (uintptr_t)&other_sem},
		[MUTEX] = {(uintptr_t)&mutex, (uintptr_t)&other_mutex},
		[CONDVAR] = {(uintptr_t)&condvar, (uintptr_t)&condvar},
		[EVENT] = {(uintptr_t)&event, (uintptr_t)&other_event},
		[WORDS] = {(uintptr_t)&words, (uintptr_t)&words},
		[QUEUE] = {(uintptr_t)&fifo, (uintptr_t)&fifo},
		[MSGQ] = {(uintptr_t)&msgq, (uintptr_t)&long_msgq},
		[TIMER] = {(uintptr_t)&timer, (uintptr_t)&timer},
		[PIPE] = {(uintptr_t)&pipe, (uintptr_t)&bare_pipe},
		[SIGNAL] = {(uintptr_t)&signal, (uintptr_t)&signal},
		[THREAD] = {(uintptr_t)&child_threads[0], (uintptr_t)&child_threads[1]},
		[STACK] = {(uintptr_t)child_stacks[0], (uintptr_t)child_stacks[1]},
		[GATE] = {(uintptr_t)&gate, (uintptr_t)&other_gate},
		[ENDPOINT] = {(uintptr_t)&endpoint, (uintptr_t)&other_endpoint},
	};

	for (unsigned int i = SEM; i < NUM_OBJECTS; i++) {
		arena.objects[i][0] = allowed[i][0];
		arena.objects[i][1] = allowed[i][1];
	}
	(void)k_mem_domain_add_partition(&k_mem_domain_default, &attackers);
	(void)k_mem_domain_add_partition(&k_mem_domain_default, &buffers);
	(void)k_thread_create(&essential, essential_stack, STACK_SIZE_, sleeps_on, NULL, NULL, NULL,
			      PRIO_ + 3, K_USER | K_ESSENTIAL, K_NO_WAIT);
}

void objects_grant(struct k_thread *thread)
{
	k_thread_access_grant(thread, &sem, &other_sem, &mutex, &other_mutex, &condvar, &event);
	k_thread_access_grant(thread, &other_event, &timer, &fifo, &words, &msgq, &long_msgq);
	k_thread_access_grant(thread, &gate, &other_gate, &endpoint, &other_endpoint);
	k_thread_access_grant(thread, &pipe, &bare_pipe, &signal);
	for (unsigned int i = 0; i < NUM_CHILDREN; i++) {
		/* Not where attackers have filled the kernel's table with what they allocated. */
		(void)k_object_access_grant(&child_threads[i], thread);
		(void)k_object_access_grant(child_stacks[i], thread);
	}
}

void objects_handle_faults(struct k_thread *thread, k_timeout_t timeout)
{
	(void)k_ipc_fault_gate_set(thread, &fault_gate, timeout);
}

#define CHANGE(object, thread, granted)                               \
	((granted) ? (void)k_object_access_grant(&(object), (thread)) \
		   : k_object_access_revoke(&(object), (thread)))

void objects_change(struct k_thread *thread, unsigned int which, bool granted)
{
	switch (which) {
	case 0:
		CHANGE(sem, thread, granted);
		break;
	case 1:
		CHANGE(mutex, thread, granted);
		break;
	case 2:
		CHANGE(condvar, thread, granted);
		break;
	case 3:
		CHANGE(event, thread, granted);
		break;
	case 4:
		CHANGE(words, thread, granted);
		break;
	case 5:
		CHANGE(fifo, thread, granted);
		break;
	case 6:
		CHANGE(msgq, thread, granted);
		break;
	case 7:
		CHANGE(gate, thread, granted);
		break;
	case 8:
		CHANGE(endpoint, thread, granted);
		break;
	case 9:
		CHANGE(pipe, thread, granted);
		break;
	case 10:
		CHANGE(signal, thread, granted);
		break;
	default:
		CHANGE(timer, thread, granted);
		break;
	}
}

/*
 * While threads wait for it, hold its entry's right, or are in a call with it. The stand-in takes
 * the entry, and may be used by nobody: an attacker that can has a right of the semaphore's left.
 */
void objects_swap(void)
{
	k_object_free(&other_sem);
	(void)k_sem_init(&stand_in, 1, 1);
	(void)k_object_access_grant(&stand_in, k_current_get());
	arena.objects[SEM][1] = (uintptr_t)&stand_in;
	k_sleep(K_TICKS(2));
	arena.objects[SEM][1] = (uintptr_t)&other_sem;
	k_object_free(&stand_in);
	for (unsigned int i = 0; i < NUM_ATTACKERS; i++) {
		(void)k_object_access_grant(&other_sem, &attacker_threads[i]);
	}
}

/* Who waits for messages gets one, and who sends or calls is received, and answered at its next time or never. */
static void talk(unsigned int which)
{
	static uintptr_t bytes[4];
	struct k_ipc_message message = {
		.words = {WORD_OF(1), WORD_OF(2), WORD_OF(3), WORD_OF(which)},
		.data = bytes,
		.size = which % 3 == 0 ? sizeof(bytes) : 0,
		.capacity = which % 2 == 0 ? sizeof(bytes) : 0,
	};

	(void)k_ipc_reply(&message);
	if (which % 4 == 0) {
		(void)k_ipc_receive(&endpoint, &message, K_NO_WAIT);
	} else {
		(void)k_ipc_send(which % 4 == 1 ? &other_gate : &gate, &message, K_NO_WAIT);
	}
}

void objects_use(unsigned int which)
{
	static unsigned int turn;
	uint32_t message[4] = {1, 2, 3, 4};
	stack_data_t word;

	switch (which) {
	case 0:
		k_sem_give(&sem);
		break;
	case 1:
		(void)k_condvar_broadcast(&condvar);
		break;
	case 2:
		(void)k_event_post(&event, 0xffU);
		break;
	case 3:
		(void)k_stack_pop(&words, &word, K_NO_WAIT);
		break;
	case 4:
		(void)k_msgq_put(&msgq, message, K_NO_WAIT);
		break;
	case 5:
		(void)k_msgq_get(&msgq, message, K_NO_WAIT);
		break;
	case 6:
		(void)k_queue_get(&fifo._queue, K_NO_WAIT);
		break;
	case 7:
		k_timer_start(&timer, K_TICKS(1), K_TICKS(1));
		break;
	case 8:
		(void)k_pipe_write(&pipe, (const uint8_t *)message, 6, K_NO_WAIT);
		break;
	case 9:
		(void)k_pipe_read(&bare_pipe, (uint8_t *)message, 6, K_NO_WAIT);
		break;
	case 10: /* closed by attackers, it would be so for ever */
		if (pipe.pollers == NULL) {
			k_pipe_close(&pipe);
			k_pipe_init(&pipe, pipe.buffer, pipe.size);
		}
		(void)k_poll_signal_raise(&signal, 5);
		break;
	default:
		talk(turn++);
		break;
	}
}

/* Nobody is left who could hold it but the essential thread, which may have been given anything. */
void objects_drain(void)
{
	for (unsigned int i = 0; i < CONFIG_USER_OBJECTS; i++) {
		if ((object_table[i].kind & OBJECT_ALLOCATED) != 0) {
			k_object_free((void *)(uintptr_t)object_table[i].object);
		}
	}
	k_timer_stop(&timer);
	k_msgq_purge(&msgq);
	k_msgq_purge(&long_msgq);
	/* Bound: what the heap has room for. */
	while (k_queue_get(&fifo._queue, K_NO_WAIT) != NULL || !k_queue_is_empty(&fifo._queue)) {
	}
	(void)k_mutex_init(&mutex);
	(void)k_mutex_init(&other_mutex);
	(void)k_ipc_reply(&(struct k_ipc_message){.size = 0}); /* the judge's last caller */
}

/* Masked: a receiver's time may be over between two of these. */
static bool is_broken(const struct k_ipc_endpoint *of)
{
	unsigned int key = irq_lock();
	const struct k_thread *receiver = of->receivers.head;
	bool broken = receiver != NULL && (of->callers.wait_q.head != NULL ||
					   (receiver->state & K_THREAD_PENDING) == 0 ||
					   receiver->pended_on != &of->receivers);

	irq_unlock(key);
	return broken;
}

/* Who has ended may have had its aborter's priority, while it finished what it was in. */
static bool has_priority(const struct k_thread *thread)
{
	return (thread->state & K_THREAD_DEAD) != 0 ||
	       (thread->base_prio >= PRIO_ && thread->prio >= PRIO_);
}

/* A user thread may change them, but not break them; and nobody is more urgent than was allowed. */
const char *objects_check(void)
{
	if (k_sem_count_get(&sem) > sem.limit || k_sem_count_get(&other_sem) > other_sem.limit) {
		return "a semaphore that attackers may use";
	}
	if (stand_in.limit != 0 && k_sem_count_get(&stand_in) != 1) {
		return "the semaphore that took another one's entry";
	}
	if (words.next < words.base || words.next > words.top) {
		return "a stack that attackers may use";
	}
	if (k_msgq_num_used_get(&msgq) > 4) {
		return "a queue of short messages that attackers may use";
	}
	if (k_msgq_num_used_get(&long_msgq) > 2) {
		return "a queue of long messages that attackers may use";
	}
	if (is_broken(&endpoint) || is_broken(&other_endpoint)) {
		return "an endpoint that attackers may use";
	}
	if (pipe.used > 8 || pipe.first >= 8 || bare_pipe.used != 0) {
		return "a pipe that attackers may use";
	}
	for (unsigned int i = 0; i < NUM_ATTACKERS; i++) {
		if (!has_priority(&attacker_threads[i])) {
			return "an attacker's priority";
		}
	}
	for (unsigned int i = 0; i < NUM_CHILDREN; i++) {
		const struct k_thread *child = &child_threads[i];

		if (child->stack_start != NULL &&
		    (!has_priority(child) || (child->options & K_USER) == 0 ||
		     child->stack_size != STACK_SIZE_)) {
			return "a thread that an attacker has made";
		}
	}
	if ((essential.state & K_THREAD_DEAD) != 0) {
		return "the essential thread";
	}
	return NULL;
}
