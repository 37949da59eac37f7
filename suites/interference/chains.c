/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that wait for one another, and queues that somebody joins in front of many. Here helpers are of several priorities,
 * below the attacker's; the last of them runs when nobody else does, and says so.
 */
#include "interference.h"

#define WAITERS (HELPERS - 1) /* helpers but the last */
#define EVENTS  8             /* that a thread polls */
#define RIGHTS  30

K_APP_BMEM(attack_memory) static k_tid_t thread_of[WAITERS];
K_APP_BMEM(attack_memory) static k_tid_t calling; /* the attacker */
K_APP_BMEM(attack_memory) static struct k_futex quiet;
K_APP_BMEM(attack_memory) static volatile bool wants_sem, wants_message;
K_APP_BMEM(attack_memory) static unsigned int num_unlocked;
K_APP_BMEM(attack_memory) static void *held[RIGHTS];
K_APP_BMEM(attack_memory) static struct k_poll_event held_events[EVENTS];

static struct k_mutex mutexes[WAITERS];
static K_SEM_DEFINE(awaited, 0, 1);
static K_SEM_DEFINE(polled, 0, 1);
static struct k_msgq told;
static char reported_ring[WAITERS];
static struct k_thread spare;
static K_THREAD_STACK_DEFINE(spare_stack, 1024);

/* ---- the kernel's: who may name whom ---- */

static k_tid_t admitted[HELPERS + 1]; /* the attacker first */
static unsigned int num_admitted;

static void forget_admitted(void)
{
	num_admitted = 0;
	num_unlocked = 0;
}

static void admit(k_tid_t thread)
{
	k_thread_access_grant(thread, &awaited, &polled, &told, &spare, &spare_stack);
	for (int i = 0; i < WAITERS; i++) {
		k_thread_access_grant(thread, &mutexes[i]);
	}
	if (num_admitted == ARRAY_SIZE(admitted)) {
		return;
	}
	admitted[num_admitted] = thread;
	if (num_admitted !=
	    0) { /* the attacker its helpers, each helper the attacker and the one before it */
		k_thread_access_grant(admitted[0], thread);
		k_thread_access_grant(thread, admitted[0], admitted[num_admitted - 1]);
	}
	num_admitted++;
}

static void begin(void)
{
	for (int i = 0; i < WAITERS; i++) {
		(void)k_mutex_init(&mutexes[i]);
	}
	k_msgq_init(&told, reported_ring, 1, sizeof(reported_ring));
	num_admitted = ARRAY_SIZE(admitted);
}

/* ---- helpers ---- */

/* The last of them. */
static void say_when_quiet(void)
{
	char message = 0;

	k_thread_priority_set(k_current_get(), K_LOWEST_APPLICATION_THREAD_PRIO);
	for (;;) {
		(void)k_futex_wake(&quiet, false);
		if (wants_sem) {
			wants_sem = false;
			k_sem_reset(&awaited); /* the attacker is not the first */
		}
		if (wants_message) {
			wants_message = false;
			(void)k_msgq_put(&told, &message, K_NO_WAIT);
		}
	}
}

/* Of the attacker: everybody else runs until he waits. */
static void let_settle(void)
{
	(void)k_futex_wait(&quiet, 0, K_FOREVER);
}

/* The same, and as many priorities are above it as below. */
static void let_settle_between(void)
{
	k_thread_priority_set(k_current_get(),
			      (ATTACKER_PRIO + K_LOWEST_APPLICATION_THREAD_PRIO) / 2);
	let_settle();
}

/* Others have other priorities: as many as there are below the attacker's. */
static void fall_back(int helper)
{
	int spread = K_LOWEST_APPLICATION_THREAD_PRIO - ATTACKER_PRIO - 1;

	if (helper == WAITERS) {
		say_when_quiet();
	}
	thread_of[helper] = k_current_get();
	k_thread_priority_set(k_current_get(), ATTACKER_PRIO + 1 + helper % spread);
}

static void take(int helper)
{
	fall_back(helper);
	for (;;) {
		(void)k_sem_take(&awaited, K_FOREVER);
	}
}

static void poll(struct k_poll_event *events)
{
	for (int i = 0; i < EVENTS - 1; i++) {
		k_poll_event_init(&events[i], K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY,
				  &polled);
	}
	k_poll_event_init(&events[EVENTS - 1], K_POLL_TYPE_MSGQ_DATA_AVAILABLE,
			  K_POLL_MODE_NOTIFY_ONLY, &told);
	(void)k_poll(events, EVENTS, K_FOREVER);
}

/* As urgent as the attacker or more. */
static void poll_first(int helper)
{
	struct k_poll_event events[EVENTS];

	if (helper == WAITERS) {
		say_when_quiet();
	}
	for (;;) {
		for (int i = 0; i < EVENTS; i++) {
			k_poll_event_init(&events[i], K_POLL_TYPE_SEM_AVAILABLE,
					  K_POLL_MODE_NOTIFY_ONLY, &polled);
		}
		(void)k_poll(events, EVENTS, K_FOREVER);
	}
}

static void poll_last(int helper)
{
	struct k_poll_event events[EVENTS];

	fall_back(helper);
	for (;;) {
		poll(events);
	}
}

/* Each holds one mutex and waits for the one before it. All are of the lowest priority. */
static void chain(int helper)
{
	if (helper == WAITERS) {
		say_when_quiet();
	}
	(void)k_mutex_lock(&mutexes[helper], K_FOREVER);
	thread_of[helper] = k_current_get();
	k_thread_priority_set(k_current_get(), K_LOWEST_APPLICATION_THREAD_PRIO - 1);
	if (helper > 0) {
		(void)k_mutex_lock(&mutexes[helper - 1], K_FOREVER);
	}
	for (;;) {
		attack_rest();
	}
}

static void lock_one(int helper)
{
	fall_back(helper);
	for (;;) {
		(void)k_mutex_lock(&mutexes[helper], K_FOREVER);
		(void)k_mutex_unlock(&mutexes[helper]);
	}
}

static void lock_one_and_rest(int helper)
{
	fall_back(helper);
	for (;;) {
		attack_rest();
		(void)k_mutex_lock(&mutexes[helper], K_FOREVER);
		(void)k_mutex_unlock(&mutexes[helper]);
	}
}

static void join_chain(int helper)
{
	if (helper == WAITERS) {
		say_when_quiet();
	}
	thread_of[helper] = k_current_get();
	k_thread_priority_set(k_current_get(), K_LOWEST_APPLICATION_THREAD_PRIO - 1);
	(void)k_thread_join(helper == 0 ? calling : thread_of[helper - 1], K_FOREVER);
}

static void lock_all(void)
{
	for (int i = 0; i < WAITERS; i++) {
		(void)k_mutex_lock(&mutexes[i], K_FOREVER);
	}
}

static void own_all(void *p1, void *p2, void *p3)
{
	lock_all();
	for (;;) {
		attack_rest();
	}
}

static void idle(void *p1, void *p2, void *p3)
{
}

/* ---- the calls ---- */

static void take_first(void)
{
	wants_sem = true;
	(void)k_sem_take(&awaited, K_FOREVER);
}

static void drain(void)
{
	(void)k_sem_take(&polled, K_NO_WAIT);
	k_msgq_purge(&told);
}

static void empty_and_settle(void)
{
	drain();
	let_settle();
}

static void poll_behind(void)
{
	struct k_poll_event events[EVENTS];

	wants_message = true;
	poll(events);
}

/* All are told of a message, and none of them runs yet. */
static void tell_all(void)
{
	char message = 0;

	drain();
	let_settle(); /* they poll again */
	for (int i = 0; i < WAITERS; i++) {
		(void)k_msgq_put(&told, &message, K_NO_WAIT);
	}
}

static void give_polled(void)
{
	k_sem_give(&polled);
}

static void lower_last(void)
{
	k_thread_priority_set(thread_of[WAITERS - 1], K_LOWEST_APPLICATION_THREAD_PRIO - 1);
}

static void raise_last(void)
{
	k_thread_priority_set(thread_of[WAITERS - 1], ATTACKER_PRIO);
}

static void settle_and_lower(void)
{
	let_settle();
	lower_last();
}

/* Several rises, each as far as one goes, and the last one is behind all. */
static void raise_all(void)
{
	let_settle();
	for (int i = WAITERS - 1; i > 0; i -= CONFIG_MUTEX_CHAIN_MAX) {
		k_thread_priority_set(thread_of[i], ATTACKER_PRIO);
	}
	for (int i = WAITERS - 2; i > 0; i--) {
		k_thread_priority_set(thread_of[i], K_LOWEST_APPLICATION_THREAD_PRIO - 1);
	}
}

/* The one that was locked longest ago. */
static void unlock_oldest(void)
{
	(void)k_mutex_unlock(&mutexes[num_unlocked++ % WAITERS]);
}

/* The one that was unlocked last; at first all. */
static void lock_again(void)
{
	if (num_unlocked == 0) {
		lock_all();
	} else {
		(void)k_mutex_lock(&mutexes[(num_unlocked - 1) % WAITERS], K_FOREVER);
	}
	let_settle();
}

static void create_owner(void)
{
	(void)k_thread_create(&spare, spare_stack, K_THREAD_STACK_SIZEOF(spare_stack), own_all,
			      NULL, NULL, NULL, ATTACKER_PRIO, K_USER | K_INHERIT_PERMS, K_NO_WAIT);
	let_settle(); /* it has them */
	attack_end_rest();
	let_settle(); /* they wait */
}

static void abort_spare(void)
{
	k_thread_abort(&spare);
}

static void allocate_all(void)
{
	for (int i = 0; i < RIGHTS && held[i] == NULL; i++) {
		held[i] = k_object_alloc(K_OBJ_SEM);
	}
}

static void create_with_rights(k_thread_entry_t entry, int prio)
{
	allocate_all();
	(void)k_thread_create(&spare, spare_stack, K_THREAD_STACK_SIZEOF(spare_stack), entry, NULL,
			      NULL, NULL, prio, K_USER | K_INHERIT_PERMS, K_FOREVER);
}

static void create_heir(void)
{
	create_with_rights(idle, K_LOWEST_APPLICATION_THREAD_PRIO);
}

static void create_that_ends(void)
{
	create_with_rights(idle, ATTACKER_PRIO);
}

static void let_end(void)
{
	k_thread_start(&spare);
	(void)k_thread_join(&spare, K_FOREVER);
}

static void poll_held(void *p1, void *p2, void *p3)
{
	for (int i = 0; i < EVENTS; i++) {
		k_poll_event_init(&held_events[i], K_POLL_TYPE_SEM_AVAILABLE,
				  K_POLL_MODE_NOTIFY_ONLY, held[i]);
	}
	(void)k_poll(held_events, EVENTS, K_FOREVER);
}

static void create_poller(void)
{
	if (held[0] == NULL) {
		allocate_all();
		for (int i = 0; i < EVENTS; i++) {
			(void)k_sem_init(held[i], 0, 1);
		}
	}
	create_with_rights(poll_held, ATTACKER_PRIO);
	k_thread_start(&spare);
	k_yield(); /* it polls */
}

static void abort_heir(void)
{
	abort_spare();
	allocate_all();
}

static void be_joined(void)
{
	calling = k_current_get();
	let_settle();
}

static void join_last(void)
{
	(void)k_thread_join(thread_of[WAITERS - 1], K_FOREVER);
}

static void release_all(void)
{
	for (int i = 0; i < RIGHTS; i++) {
		held[i] = NULL;
	}
}

/* The one that was created last, too. */
static void end_and_release_all(void)
{
	k_thread_abort(&spare);
	release_all();
}

static const struct attack attacks[] = {
	{"interference.wait.front", "k_sem_take() between 23 of other priorities", forget_admitted,
	 take, let_settle_between, take_first},
	{"interference.poll.behind", "k_poll() behind 184 events of 23 threads", forget_admitted,
	 poll_first, empty_and_settle, poll_behind},
	{"interference.poll.told", "k_sem_give() past 161 events of those who were told",
	 forget_admitted, poll_last, tell_all, give_polled},
	{"interference.mutex.rise", "k_thread_priority_set() up of the last of 23 owners in a row",
	 forget_admitted, chain, settle_and_lower, raise_last},
	{"interference.mutex.fall",
	 "k_thread_priority_set() down of the last of 23 owners in a row", forget_admitted, chain,
	 raise_all, lower_last},
	{"interference.mutex.unlock", "k_mutex_unlock() of one of 23 that others wait for",
	 forget_admitted, lock_one, lock_again, unlock_oldest},
	{"interference.mutex.owner", "k_thread_abort() of the owner of 23 that others wait for",
	 forget_admitted, lock_one_and_rest, create_owner, abort_spare},
	{"interference.join.circle", "k_thread_join() of the last of 23 in a row", forget_admitted,
	 join_chain, be_joined, join_last},
	{"interference.rights.end", "k_thread_abort() of a thread with rights to 30 objects",
	 release_all, NULL, create_heir, abort_spare},
	{"interference.poll.end", "k_thread_abort() of a thread that polls 8 of 30 such objects",
	 release_all, NULL, create_poller, abort_spare},
	{"interference.rights.inherit", "k_thread_create() of a thread with rights to 30 objects",
	 release_all, NULL, abort_heir, create_heir},
	{"interference.thread.end", "a thread with rights to 30 objects ends itself",
	 end_and_release_all, NULL, create_that_ends, let_end},
};
const struct attack_group attacks_chains = {attacks, ARRAY_SIZE(attacks), begin, admit};
