/* SPDX-License-Identifier: Apache-2.0 */
/* Signals: a semaphore's token and an event's bits, to nobody yet, and to a thread of the other domain that waits. */
#include "ipc.h"

static K_SEM_DEFINE(sem, 0, 1);
static K_EVENT_DEFINE(event);

MEASURE_WINDOW(give, k_sem_give(&sem))
MEASURE_WINDOW(take, result = k_sem_take(&sem, K_FOREVER))
MEASURE_WINDOW(post, result = (intptr_t)k_event_post(&event, 1U))
MEASURE_WINDOW(await, result = (intptr_t)k_event_wait_safe(&event, 1U, false, K_FOREVER))

static void grant(k_tid_t thread)
{
	k_thread_access_grant(thread, &sem, &event);
	domains_place(thread);
}

#ifdef CONFIG_USERSPACE
static void reset(void)
{
	k_sem_reset(&sem);
	(void)k_event_clear(&event, 1U);
}

static void given(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "signalled", k_sem_count_get(&sem) == 1);
}

static void posted(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "signalled", k_event_test(&event, 1U) == 1U);
}

static void measure_without_switch(void)
{
	measure_user_open(grant);
	measure_user_single(&(struct measure_operation){
		"signal.sem.user", "Signal by a semaphore, nobody waits", give, reset, given});
	measure_user_single(&(struct measure_operation){
		"signal.event.user", "Signal by an event, nobody waits", post, reset, posted});
	measure_user_close();
	reset();
}
#else
static void measure_without_switch(void)
{
}
#endif

static void taken(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "taken", result == 0);
	measure_witness(row, "its_domain", domains_server_is_there());
}

static void awaited(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "taken", result == 1);
	measure_witness(row, "its_domain", domains_server_is_there());
}

static void measure_with_switch(enum where where)
{
	static char ids[4][32];
	bool is_user = where != KERNEL;

	domains_begin(where);
	(void)snprintk(ids[0], sizeof(ids[0]), "signal.sem.wait.%s", where_names[where]);
	(void)snprintk(ids[1], sizeof(ids[1]), "signal.sem.wake.%s", where_names[where]);
	(void)snprintk(ids[2], sizeof(ids[2]), "signal.event.wait.%s", where_names[where]);
	(void)snprintk(ids[3], sizeof(ids[3]), "signal.event.wake.%s", where_names[where]);
	measure_pair(&(struct measure_pair){
		.wait = {ids[0], "Wait for a semaphore's signal", take, NULL, taken},
		.wake = {ids[1], "Signal by a semaphore, with the switch", give, NULL, NULL},
		.wait_q = &sem.wait_q,
		.waiter_is_user = is_user,
		.waker_is_user = is_user,
		.grant = grant,
	});
	measure_pair(&(struct measure_pair){
		.wait = {ids[2], "Wait for an event's signal", await, NULL, awaited},
		.wake = {ids[3], "Signal by an event, with the switch", post, NULL, NULL},
		.wait_q = &event.wait_q,
		.waiter_is_user = is_user,
		.waker_is_user = is_user,
		.grant = grant,
	});
}

void measure_signals(void)
{
	enum where last = IS_ENABLED(CONFIG_USERSPACE) ? INTER : KERNEL;

	measure_without_switch();
	for (enum where where = KERNEL; where <= last; where++) {
		measure_with_switch(where);
	}
}
