/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Condition variables. Windows: k_condvar_wait(), its mutex held, until the signaller's
 * previous call has returned; k_condvar_signal(), the mutex free, until the waiter's
 * k_condvar_wait() has returned with the mutex locked again.
 */
#include "latency.h"

static K_CONDVAR_DEFINE(condvar);
static K_MUTEX_DEFINE(mutex);

MEASURE_WINDOW(wait, result = k_condvar_wait(&condvar, &mutex, K_FOREVER))
MEASURE_WINDOW(signal, result = k_condvar_signal(&condvar))

static void wait_before(void)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
}

static void wait_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "locked_again", result == 0 && mutex.owner == &measure_waiter);
	(void)k_mutex_unlock(&mutex);
}

static void signal_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "signalled", result == 0);
	measure_witness(row, "unlocked_by_waiting", mutex.owner == NULL);
}

/* User threads can't see the owner; unlocking one that is not the caller's own is refused. */
static void wait_after_in_user(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "locked_again", result == 0 && k_mutex_unlock(&mutex) == 0);
}

static void signal_after_in_user(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "signalled", result == 0);
}

static void grant(k_tid_t thread)
{
	k_thread_access_grant(thread, &condvar, &mutex);
}

void latency_condvar(void)
{
	measure_pair(&(struct measure_pair){
		.wait = {"condvar.wait.blocking.k_to_k", "Wait for a condvar (context switch)",
			 wait, wait_before, wait_after},
		.wake = {"condvar.signal.wake+ctx.k_to_k", "Signal a condvar (context switch)",
			 signal, NULL, signal_after},
		.wait_q = &condvar.wait_q,
	});
	latency_pair_users(&(struct measure_pair){
		.wait = {"condvar.wait.blocking", "Wait for a condvar (context switch)", wait,
			 wait_before, wait_after_in_user},
		.wake = {"condvar.signal.wake+ctx", "Signal a condvar (context switch)", signal,
			 NULL, signal_after_in_user},
		.wait_q = &condvar.wait_q,
		.grant = grant,
	});
}
