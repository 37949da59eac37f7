/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that outlive a thread, by a user thread that knows the kernel: a thread in an allocated block ends, and its block
 * becomes a message queue's buffer, which the user fills with a thread of its own making. Nobody takes that for the
 * one that ended. And an event that is polled brings nothing with it but what it is about.
 */
#include "forged.h"
#include "pool.h"

K_HEAP_DEFINE(ghosts_pool, 2048 + 4 * sizeof(struct k_thread));
static struct forged forged; /* kernel memory, which the forged thread leads to */
K_APP_BMEM(shared) static struct k_thread made_up;
static struct k_mutex ghosts_mutex;
#ifdef CONFIG_IPC
static struct k_ipc_endpoint ghosts_endpoint;
static struct k_ipc_gate ghosts_gate;
#endif

/* `entry` runs in an allocated block, ends, and its block is a queue's, with `made_up` in it. */
static void haunt(k_thread_entry_t entry)
{
	struct k_msgq *msgq = k_object_alloc(K_OBJ_MSGQ);
	struct k_thread *ghost = k_object_alloc(K_OBJ_THREAD);
	struct k_sem *sems[2];

	(void)k_thread_create(ghost, other_stack, USER_STACK_SIZE, entry, NULL, NULL, NULL,
			      USER_PRIO, K_USER | K_INHERIT_PERMS, K_NO_WAIT);
	(void)k_thread_join(ghost, K_FOREVER);
	for (int i = 0; i < 2; i++) { /* so that no call holds the thread any more */
		sems[i] = k_object_alloc(K_OBJ_SEM);
		(void)k_sem_init(sems[i], 1, 1);
		(void)k_sem_take(sems[i], K_NO_WAIT);
	}
	k_object_release(ghost);
	seen[0] = (intptr_t)ghost;
	k_sleep(K_TICKS(4)); /* made_up is made up meanwhile */
	seen[1] = k_msgq_alloc_init(msgq, sizeof(struct k_thread), 1);
	seen[2] = k_msgq_put(msgq, &made_up, K_NO_WAIT);
}

static k_tid_t prepare_haunted(k_thread_entry_t entry)
{
	k_tid_t thread = user_prepare(entry, NULL, NULL, NULL);

	k_thread_heap_assign(thread, &ghosts_pool);
	k_thread_access_grant(thread, other_stack, &ghosts_mutex);
	return thread;
}

/* In each state that a thread may look to be in. */
static void haunt_in_all_states(k_thread_entry_t entry, const uint32_t *generation)
{
	static const uint8_t states[] = {0, K_THREAD_QUEUED, K_THREAD_PENDING,
					 K_THREAD_PENDING | K_THREAD_TIMED, K_THREAD_SUSPENDED};

	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		k_tid_t thread;

		(void)k_mutex_init(&ghosts_mutex);
		thread = prepare_haunted(entry);
#ifdef CONFIG_IPC
		k_ipc_endpoint_init(&ghosts_endpoint);
		k_ipc_gate_init(&ghosts_gate, &ghosts_endpoint, 1);
		k_thread_access_grant(thread, &ghosts_endpoint, &ghosts_gate);
#endif
		k_thread_start(thread);
		k_sleep(K_TICKS(2));
		CHECK(seen[0] != 0);
		forged_fill(&forged, &made_up, *generation, states[i]);
		/* Bound: ten. */
		for (int n = 0; n < 10 && seen[5] == 0; n++) {
			k_sleep(K_TICKS(2));
		}
		CHECK(seen[1] == 0 && seen[2] == 0 && seen[4] == -EAGAIN && seen[5] == 1);
		/* It lies where its thread was, whole, and what it leads to is as it was. */
		CHECK(forged_holds(&forged, (struct k_thread *)seen[0]));
		k_thread_abort(thread);
	}
}

static void locks(void *p1, void *p2, void *p3)
{
	(void)k_mutex_lock(&ghosts_mutex, K_FOREVER);
}

static void waits_for_a_ghosts_mutex(void *p1, void *p2, void *p3)
{
	haunt(locks);
	seen[4] = k_mutex_lock(&ghosts_mutex, K_TICKS(2));
	seen[5] = 1;
	k_sleep(K_FOREVER);
}

TEST(ghosts_of_owners_are_lent_nothing)
{
	haunt_in_all_states(waits_for_a_ghosts_mutex, &ghosts_mutex.generation);
}

#ifdef CONFIG_IPC
static void receives(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.capacity = 0};

	(void)k_ipc_receive(&ghosts_endpoint, &message, K_NO_WAIT);
}

static void calls_a_ghost(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.capacity = 0};

	haunt(receives);
	seen[4] = k_ipc_call(&ghosts_gate, &message, K_TICKS(2));
	seen[5] = 1;
	k_sleep(K_FOREVER);
}

TEST(ghosts_of_receivers_are_lent_nothing)
{
	haunt_in_all_states(calls_a_ghost, &ghosts_endpoint.callers.generation);
}
#endif
