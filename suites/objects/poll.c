/* SPDX-License-Identifier: Apache-2.0 */
/* Polling of one semaphore, and signals. */
#include "objects.h"

static K_SEM_DEFINE(sem, 0, 1);
static struct k_poll_signal signal = K_POLL_SIGNAL_INITIALIZER(signal);
static MEASURE_SHARED struct k_poll_event sem_event, signal_event;

MEASURE_WINDOW(poll_sem_now, result = k_poll(&sem_event, 1, K_NO_WAIT))
MEASURE_WINDOW(poll_sem, result = k_poll(&sem_event, 1, K_FOREVER))
MEASURE_WINDOW(poll_signal, result = k_poll(&signal_event, 1, K_FOREVER))
MEASURE_WINDOW(poll_sem_timed, result = k_poll(&sem_event, 1, K_SECONDS(100)))
MEASURE_WINDOW(poll_signal_timed, result = k_poll(&signal_event, 1, K_SECONDS(100)))
MEASURE_WINDOW(give, k_sem_give(&sem))
MEASURE_WINDOW(raise, result = k_poll_signal_raise(&signal, 7))
MEASURE_WINDOW(reset, k_poll_signal_reset(&signal))

static void event_back(void)
{
	sem_event.state = K_POLL_STATE_NOT_READY;
}

static void sem_there(void)
{
	event_back();
	k_sem_give(&sem);
}

static void sem_found(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "found", result == 0 && sem_event.state == K_POLL_STATE_SEM_AVAILABLE);
	measure_witness(row, "taken", k_sem_take(&sem, K_NO_WAIT) == 0);
}

static void nothing_found(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused",
			result == -EAGAIN && sem_event.state == K_POLL_STATE_NOT_READY);
}

static void raised(struct measure_row *row, intptr_t result)
{
	unsigned int is_raised = 0;
	int number = 0;

	k_poll_signal_check(&signal, &is_raised, &number);
	measure_witness(row, "raised", result == 0 && is_raised == 1 && number == 7);
}

static void not_raised(struct measure_row *row, intptr_t result)
{
	unsigned int is_raised = 1;
	int number = 0;

	k_poll_signal_check(&signal, &is_raised, &number);
	measure_witness(row, "reset", is_raised == 0);
}

static void was_signalled(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "signalled",
			result == 0 && signal_event.state == K_POLL_STATE_SIGNALED);
	signal_event.state = K_POLL_STATE_NOT_READY;
	k_poll_signal_reset(&signal);
}

static void was_reported(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "told", signal_event.state == K_POLL_STATE_NOT_READY);
}

static void was_given(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "taken_by_who_polled", k_sem_count_get(&sem) == 0);
}

static void grant(k_tid_t thread)
{
	k_thread_access_grant(thread, &sem, &signal);
}

static void measure_users(void)
{
	measure_user_open(grant);
	measure_user_single(&(struct measure_operation){"poll.immediate.user",
							"Poll a semaphore that is there",
							poll_sem_now, sem_there, sem_found});
	measure_user_turns(&(struct measure_operation){"poll.signal.raise.immediate.user",
						       "Raise a signal (no ctx switch)", raise,
						       NULL, raised},
			   &(struct measure_operation){"poll.signal.reset.user", "Reset a signal",
						       reset, NULL, not_raised});
	measure_user_close();
}

static void polls_signal_once(void)
{
	struct k_poll_event event;

	k_poll_event_init(&event, K_POLL_TYPE_SIGNAL, K_POLL_MODE_NOTIFY_ONLY, &signal);
	(void)k_poll(&event, 1, K_FOREVER);
	k_poll_signal_reset(&signal);
}

static void polls_sem_once(void)
{
	struct k_poll_event event;

	k_poll_event_init(&event, K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &sem);
	(void)k_poll(&event, 1, K_FOREVER);
	(void)k_sem_take(&sem, K_NO_WAIT);
}

static void lowered(void)
{
	k_poll_signal_reset(&signal);
}

static void up(void)
{
	(void)k_poll_signal_raise(&signal, 0);
}

static void measure_single_states(void)
{
	states_single(&(struct measure_operation){"poll.immediate.kernel",
						  "Poll a semaphore that is there", poll_sem_now,
						  sem_there, sem_found},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"poll.immediate.waiting.kernel",
						  "Poll a semaphore that is there, ready to wait",
						  poll_sem, sem_there, sem_found},
		      CALLERS_THREADS);
	states_single(&(struct measure_operation){"poll.refused.kernel",
						  "Poll in vain, not waiting", poll_sem_now,
						  event_back, nothing_found},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"poll.signal.raise.immediate.kernel",
						  "Raise a signal (no ctx switch)", raise, lowered,
						  raised},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"poll.signal.raise.again.kernel",
						  "Raise a signal that is raised", raise, up,
						  raised},
		      CALLERS_ALL);
	lowered();
}

static void measure_states(void)
{
	measure_single_states();
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"poll.signal.blocking.k_to_k", "Poll a signal (w/ ctx switch)",
				  poll_signal, NULL, was_signalled},
			 .wake = {"poll.signal.raise.wake+ctx.k_to_k",
				  "Raise a signal (w/ ctx switch)", raise, NULL, was_reported},
			 .wait_q = MEASURE_OWN_QUEUE},
		.wait_timed = poll_signal_timed,
		.wait_once = polls_signal_once,
		.no_switch_id = "poll.signal.raise.wake.kernel",
	});
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"poll.semaphore.blocking.k_to_k",
				  "Poll a semaphore (w/ ctx switch)", poll_sem, event_back,
				  sem_found},
			 .wake = {"poll.semaphore.give.wake+ctx.k_to_k",
				  "Give a semaphore that is polled (w/ ctx switch)", give, NULL,
				  was_given},
			 .wait_q = MEASURE_OWN_QUEUE},
		.wait_timed = poll_sem_timed,
		.wait_once = polls_sem_once,
		.no_switch_id = "poll.semaphore.give.wake.kernel",
	});
}

void objects_poll(void)
{
	k_poll_event_init(&sem_event, K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &sem);
	k_poll_event_init(&signal_event, K_POLL_TYPE_SIGNAL, K_POLL_MODE_NOTIFY_ONLY, &signal);
	measure_single(&(struct measure_operation){"poll.immediate.kernel",
						   "Poll a semaphore that is there", poll_sem_now,
						   sem_there, sem_found});
	measure_single(&(struct measure_operation){"poll.refused.kernel",
						   "Poll in vain, not waiting", poll_sem_now,
						   event_back, nothing_found});
	measure_turns(&(struct measure_operation){"poll.signal.raise.immediate.kernel",
						  "Raise a signal (no ctx switch)", raise, NULL,
						  raised},
		      &(struct measure_operation){"poll.signal.reset.kernel", "Reset a signal",
						  reset, NULL, not_raised});
	measure_users();
	measure_pair(&(struct measure_pair){
		.wait = {"poll.signal.blocking.k_to_k", "Poll a signal (w/ ctx switch)",
			 poll_signal, NULL, was_signalled},
		.wake = {"poll.signal.raise.wake+ctx.k_to_k", "Raise a signal (w/ ctx switch)",
			 raise, NULL, was_reported},
		.wait_q = MEASURE_OWN_QUEUE,
	});
	measure_pair(&(struct measure_pair){
		.wait = {"poll.semaphore.blocking.k_to_k", "Poll a semaphore (w/ ctx switch)",
			 poll_sem, event_back, sem_found},
		.wake = {"poll.semaphore.give.wake+ctx.k_to_k",
			 "Give a semaphore that is polled (w/ ctx switch)", give, NULL, was_given},
		.wait_q = MEASURE_OWN_QUEUE,
	});
	measure_states();
}
