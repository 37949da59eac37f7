/* SPDX-License-Identifier: Apache-2.0 */
/* On whose priority a call is served, along chains, and what the server falls back to. */
#include "server.h"

#define LOW  (MAIN_PRIO + 3)
#define HIGH (MAIN_PRIO - 3)

static void serves(void *unused)
{
	struct k_ipc_message message = {.capacity = 0};

	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	for (;;) {
		see(k_thread_priority_get(k_current_get()));
		CHECK_EQ(k_ipc_reply_receive(&endpoint, &message, K_FOREVER), 0);
	}
}

TEST(ipc_a_call_is_served_on_the_more_urgent_priority_of_both)
{
	struct k_ipc_message message = {.capacity = 0};
	k_tid_t server;

	begin();
	server = start(serves, NULL, LOW);
	k_sleep(K_TICKS(1));
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
	CHECK_EQ(seen_order[0], MAIN_PRIO);
	CHECK_EQ(k_thread_priority_get(server), LOW);
	CHECK_EQ(k_ipc_call(&gate, &message, TIMEOUT), 0);
	CHECK_EQ(seen_order[1], MAIN_PRIO);
	CHECK_EQ(k_thread_priority_get(server), LOW);
	k_thread_abort(server);
	(void)start(serves, NULL, HIGH);
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
	CHECK_EQ(seen_order[2], HIGH);
}

static void runs(void *what)
{
	see((int)(intptr_t)what);
}

/* A thread between both priorities does not come in between; one above both does. */
TEST(ipc_nobody_less_urgent_than_the_caller_runs_before_the_answer)
{
	struct k_ipc_message message = {.capacity = 0};

	begin();
	(void)start(serves, NULL, LOW);
	k_sleep(K_TICKS(1));
	(void)start(runs, (void *)100, MAIN_PRIO + 1);
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
	CHECK_EQ(seen, 1);
	CHECK_EQ(seen_order[0], MAIN_PRIO);
	k_sched_lock();
	(void)start(runs, (void *)50, MAIN_PRIO - 1);
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
	k_sched_unlock();
	CHECK_EQ(seen_order[1], 50);
	CHECK_EQ(seen_order[2], MAIN_PRIO);
}

/* ---- where who calls, and who answers, stands in the ready queue ---- */

static K_SEM_DEFINE(comes_between, 0, 1);

static void comes_and_goes(void *unused)
{
	/* Bound: until the test ends. */
	while (k_sem_take(&comes_between, K_FOREVER) == 0) {
	}
}

/* Whom a more urgent thread has preempted is queued, and stays so when it goes on. */
static void be_queued(void)
{
	k_sem_give(&comes_between);
}

enum place { IN_NO_QUEUE, ALONE, FIRST, SECOND, PLACES };

/* The running thread, of MAIN_PRIO, takes that place beside an equal of its own, which is ready. */
static void take_place(enum place place)
{
	if (place == IN_NO_QUEUE) {
		return;
	}
	if (place != ALONE) {
		if (place == SECOND) {
			k_thread_priority_set(k_current_get(), MAIN_PRIO - 1);
		}
		(void)start(runs, (void *)100, MAIN_PRIO);
	}
	be_queued();
	if (place == SECOND) {
		k_thread_priority_set(k_current_get(), MAIN_PRIO);
	}
}

TEST(ipc_who_calls_may_stand_anywhere_in_the_ready_queue)
{
	struct k_ipc_message message = {.capacity = 0};

	k_sem_reset(&comes_between);
	(void)start(comes_and_goes, NULL, HIGH - 1);
	/* Bound: the places. */
	for (enum place place = IN_NO_QUEUE; place < PLACES; place++) {
		k_tid_t server;

		begin();
		server = start(serves, NULL, LOW);
		k_sleep(K_TICKS(1));
		take_place(place);
		CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
		CHECK_EQ(seen, 1);
		CHECK_EQ(seen_order[0], MAIN_PRIO);
		k_sleep(K_TICKS(1));
		CHECK_EQ(seen, place >= FIRST ? 2 : 1);
		k_thread_abort(server);
	}
}

/* Before it answers it is where `place` says, and says so. */
static void serves_queued(void *place)
{
	struct k_ipc_message message = {.capacity = 0};

	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	for (;;) {
		if ((enum place)(intptr_t)place != IN_NO_QUEUE) {
			be_queued();
		}
		see(k_thread_priority_get(k_current_get()));
		CHECK_EQ(k_ipc_reply_receive(&endpoint, &message, K_FOREVER), 0);
	}
}

TEST(ipc_who_answers_may_stand_anywhere_in_the_ready_queue)
{
	struct k_ipc_message message = {.capacity = 0};

	k_sem_reset(&comes_between);
	(void)start(comes_and_goes, NULL, HIGH - 1);
	/* Bound: the places. */
	for (enum place place = IN_NO_QUEUE; place < SECOND; place++) {
		k_tid_t server;

		begin();
		server = start(serves_queued, (void *)(intptr_t)place, LOW);
		k_sleep(K_TICKS(1));
		if (place == FIRST) {
			(void)start(runs, (void *)100, MAIN_PRIO);
		}
		CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
		CHECK_EQ(seen, 1);
		CHECK_EQ(seen_order[0], MAIN_PRIO);
		CHECK_EQ(k_thread_priority_get(server), LOW);
		k_sleep(K_TICKS(1));
		CHECK_EQ(seen, place == FIRST ? 2 : 1);
		k_thread_abort(server);
	}
}

/* ---- who cannot be preempted ---- */

static void serves_locked(void *unused)
{
	k_sched_lock();
	serves(unused);
}

/* A caller that is cooperative makes its server so, for as long as it serves. */
TEST(ipc_a_server_is_cooperative_with_its_caller_or_by_its_own_lock)
{
	struct k_ipc_message message = {.capacity = 0};
	k_tid_t server;

	begin();
	server = start(serves, NULL, LOW);
	k_sleep(K_TICKS(1));
	k_thread_priority_set(k_current_get(), -1);
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
	CHECK_EQ(seen_order[0], -1);
	CHECK_EQ(k_thread_priority_get(server), LOW);
	k_thread_priority_set(k_current_get(), MAIN_PRIO);
	k_thread_abort(server);

	begin();
	server = start(serves_locked, NULL, LOW);
	k_sleep(K_TICKS(1));
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
	CHECK_EQ(seen_order[1], MAIN_PRIO);
	CHECK_EQ(k_thread_priority_get(server), LOW);
	k_thread_abort(server);

	begin();
	server = start(serves, NULL, -1);
	k_thread_priority_set(k_current_get(), -2);
	k_sleep(K_TICKS(1));
	CHECK_EQ(k_ipc_call(&gate, &message, K_FOREVER), 0);
	CHECK_EQ(seen_order[0], -2);
	CHECK_EQ(k_thread_priority_get(server), -1);
	k_thread_priority_set(k_current_get(), MAIN_PRIO);
}

static void calls(void *timeout)
{
	struct k_ipc_message message = {.capacity = 0};

	see(k_ipc_call(&gate, &message, timeout == NULL ? K_FOREVER : *(k_timeout_t *)timeout));
}

TEST(ipc_who_queues_lends_to_who_serves_until_its_time_is_over)
{
	k_timeout_t timeout = TIMEOUT;
	struct k_ipc_message message = {.capacity = 0};
	k_tid_t caller;

	begin();
	k_thread_priority_set(k_current_get(), LOW);
	(void)start(calls, NULL, LOW - 1);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	CHECK_EQ(k_thread_priority_get(k_current_get()), LOW - 1);
	(void)start(calls, &timeout, HIGH);
	CHECK_EQ(k_thread_priority_get(k_current_get()), HIGH);
	k_sleep(K_TICKS(6));
	CHECK_EQ(seen_order[0], -EAGAIN);
	CHECK_EQ(k_thread_priority_get(k_current_get()), LOW - 1);
	caller = start(calls, NULL, HIGH);
	k_thread_priority_set(caller, HIGH + 1);
	CHECK_EQ(k_thread_priority_get(k_current_get()), HIGH + 1);
	CHECK_EQ(k_ipc_reply(&message), 0);
	CHECK_EQ(k_thread_priority_get(k_current_get()), HIGH + 1);
	k_thread_abort(caller);
	CHECK_EQ(k_thread_priority_get(k_current_get()), LOW);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_NO_WAIT), -EBUSY);
	k_thread_priority_set(k_current_get(), MAIN_PRIO);
}

/* ---- chains ---- */

#define LINKS 4

static struct k_ipc_endpoint ends[LINKS];
static struct k_ipc_gate gates[LINKS];
static k_tid_t links[LINKS];
K_MUTEX_DEFINE(last);

/* Serves one call by a call of the next; the last one needs a mutex that main() holds. */
static void passes_on(void *place)
{
	intptr_t n = (intptr_t)place;
	struct k_ipc_message message = {.capacity = 0};

	CHECK_EQ(k_ipc_receive(&ends[n], &message, K_FOREVER), 0);
	if (n == LINKS - 1) {
		CHECK_EQ(k_mutex_lock(&last, K_FOREVER), 0);
		CHECK_EQ(k_mutex_unlock(&last), 0);
	} else {
		CHECK_EQ(k_ipc_call(&gates[n + 1], &message, K_FOREVER), 0);
	}
	message.words[0]++;
	CHECK_EQ(k_ipc_reply(&message), 0);
}

static void calls_the_first(void *unused)
{
	struct k_ipc_message message = {.capacity = 0};

	CHECK_EQ(k_ipc_call(&gates[0], &message, K_FOREVER), 0);
	see((int)message.words[0]);
}

TEST(ipc_a_chain_of_calls_and_a_mutex_lends_to_its_end_and_falls_back)
{
	begin();
	for (intptr_t n = 0; n < LINKS; n++) {
		k_ipc_endpoint_init(&ends[n]);
		k_ipc_gate_init(&gates[n], &ends[n], 0);
		links[n] = start(passes_on, (void *)n, LOW + (int)n % 2);
	}
	k_thread_priority_set(k_current_get(), LOW + 2);
	CHECK_EQ(k_mutex_lock(&last, K_FOREVER), 0);
	(void)start(calls_the_first, NULL, HIGH);
	for (int n = 0; n < LINKS; n++) {
		CHECK_EQ(k_thread_priority_get(links[n]), HIGH);
	}
	CHECK_EQ(k_thread_priority_get(k_current_get()), HIGH);
	CHECK_EQ(k_mutex_unlock(&last), 0);
	CHECK_EQ(seen, 1);
	CHECK_EQ(seen_order[0], LINKS);
	CHECK_EQ(k_thread_priority_get(k_current_get()), LOW + 2);
	k_thread_priority_set(k_current_get(), MAIN_PRIO);
}
