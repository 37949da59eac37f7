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

void latency_condvar(void)
{
	measure_pair(&(struct measure_pair){
		.wait = {"condvar.wait.blocking.k_to_k", "Wait for a condvar (context switch)",
			 wait, wait_before, wait_after},
		.wake = {"condvar.signal.wake+ctx.k_to_k", "Signal a condvar (context switch)",
			 signal, NULL, signal_after},
		.wait_q = &condvar.wait_q,
	});
}
