/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's messages as ipc.pml has them. What a thread sends or receives as bytes lies in its
 * domain's partition, as a user thread's does; that is taken away and given back.
 */
#include <stdio.h>

#include <foliot/mem_domain.h>
#include "kernel/base/kernel.h"
#include "kernel/ipc/ipc.h"
#include "kernel/objects/mutex.h"
#include "machine.h"

#define BYTES 64

enum { CALL, SEND, RECEIVE, REPLY, REPLY_RECEIVE, NUM_CALLS };
enum { EXPIRE = NUM_CALLS, END, START, PRIO, REVOKE, COMMANDS };

static struct k_ipc_endpoint endpoint;
static struct k_ipc_gate gate;
static unsigned char memory[THREADS][BYTES] __aligned(BYTES);
static struct k_mem_partition partitions[THREADS];
static struct k_mem_domain domains[THREADS];
static bool is_revoked[THREADS];

static void init(void)
{
	k_ipc_endpoint_init(&endpoint);
	k_ipc_gate_init(&gate, &endpoint, 1);
	for (int t = 0; t < THREADS; t++) {
		struct k_mem_partition *parts[] = {&partitions[t]};

		partitions[t] = (struct k_mem_partition){(uintptr_t)memory[t], BYTES,
							 K_MEM_PARTITION_P_RW_U_RW};
		(void)k_mem_domain_init(&domains[t], 1, parts);
	}
}

static bool is_call(int what)
{
	return what < NUM_CALLS;
}

static long call(const struct command *command)
{
	const struct k_ipc_message message = {
		.data = memory[command->t], .size = command->a != 0 ? BYTES : 0, .capacity = BYTES};
	const k_timeout_t timeout = timeout_of(command->b);
	unsigned int key;

	(void)k_mem_domain_add_thread(&domains[command->t], k_current_get());
	key = arch_irq_lock();
	ipc_take_in(&message, true);
	switch (command->what) {
	case CALL:
		return ipc_put_away(ipc_call(&gate, timeout, key));
	case SEND:
		return ipc_put_away(ipc_send(&gate, timeout, key));
	case RECEIVE:
		return ipc_put_away(ipc_receive(&endpoint, timeout, key));
	case REPLY:
		return ipc_put_away(ipc_reply(key));
	default:
		return ipc_put_away(ipc_reply_receive(&endpoint, timeout, key));
	}
}

static void revoke(int t)
{
	is_revoked[t] = !is_revoked[t];
	(void)(is_revoked[t] ? k_mem_domain_remove_partition(&domains[t], &partitions[t])
			     : k_mem_domain_add_partition(&domains[t], &partitions[t]));
}

static void happen(const struct command *command)
{
	if (command->what == REVOKE) {
		revoke(command->t);
	} else {
		happen_to_thread(command, EXPIRE);
	}
}

static bool may_come(const struct command *command)
{
	const int t = command->t;

	switch (command->what) {
	case EXPIRE:
		return is_timed(t);
	case END:
		return !is_dead(t) && below(4) == 0;
	case START:
		return is_dead(t);
	case PRIO:
		return !is_dead(t) && below(2) == 0;
	case REVOKE:
		return below(is_revoked[t] ? 2 : 6) == 0;
	default:
		return is_idle(t);
	}
}

static void choose(struct command *command)
{
	do {
		command->what = (int)below(COMMANDS);
		command->t = (int)below(THREADS);
		command->a = command->what == PRIO       ? (int)below(THREADS + 2)
			     : command->what < NUM_CALLS ? (int)below(2)
							 : 0;
		command->b = command->what < NUM_CALLS ? (int)below(3) : 0;
	} while (!may_come(command));
}

static void show(void)
{
	const struct k_thread *last = mutex_owner(&endpoint.callers);
	const _wait_q_t *queues[2 + THREADS] = {&endpoint.callers.wait_q, &endpoint.receivers};

	for (int t = 0; t < THREADS; t++) {
		queues[2 + t] = &threads[t].ipc.served.wait_q;
	}
	show_threads(queues, 2 + THREADS);
	show_queue(last == NULL ? NOBODY : number_of(last), queues[0]);
	show_queue(NOBODY, queues[1]);
	for (int t = 0; t < THREADS; t++) {
		show_queue(t, queues[2 + t]);
	}
}

const struct machine machine_ipc = {
	"ipc", init, is_call, call, happen, choose, show, NULL, 1,
};
