/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables; the mutex is free when one is signalled. */
#include "states.h"

static K_CONDVAR_DEFINE(condvar);
static K_MUTEX_DEFINE(mutex);

MEASURE_WINDOW(wait, result = k_condvar_wait(&condvar, &mutex, K_FOREVER))
MEASURE_WINDOW(wait_timed, result = k_condvar_wait(&condvar, &mutex, K_SECONDS(100)))
MEASURE_WINDOW(signal, result = k_condvar_signal(&condvar))
MEASURE_WINDOW(broadcast, result = k_condvar_broadcast(&condvar))

static void wait_before(void)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
}

static void wait_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "locked_again", result == 0 && mutex.owner == k_current_get());
	(void)k_mutex_unlock(&mutex);
}

static void signalled(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "signalled", result == 0);
}

static void wait_once(void)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	(void)k_condvar_wait(&condvar, &mutex, K_FOREVER);
	(void)k_mutex_unlock(&mutex);
}

void states_condvar(void)
{
	states_single(&(struct measure_operation){"condvar.signal.immediate.kernel",
						  "Signal a condvar (no waiters)", signal, NULL,
						  signalled},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"condvar.broadcast.immediate.kernel",
						  "Broadcast a condvar (no waiters)", broadcast,
						  NULL, signalled},
		      CALLERS_ALL);
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"condvar.wait.blocking.k_to_k",
				  "Wait for a condvar (context switch)", wait, wait_before,
				  wait_after},
			 .wake = {"condvar.signal.wake+ctx.k_to_k",
				  "Signal a condvar (context switch)", signal, NULL, signalled},
			 .wait_q = &condvar.wait_q},
		.wait_timed = wait_timed,
		.wait_once = wait_once,
		.no_switch_id = "condvar.signal.wake.kernel",
	});
}
