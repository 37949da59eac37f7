/* SPDX-License-Identifier: Apache-2.0 */
/* What is done to a condition variable by who may wake: operation.h. */

OPERATION(int, k_condvar_signal, (struct k_condvar *condvar), (condvar),
	  IS_USABLE(condvar, struct k_condvar, K_OBJ_CONDVAR))
{
	struct k_thread *waiter = condvar->wait_q.head;

	if (waiter != NULL) {
		return WAKE(&condvar->wait_q, waiter, 0, IN_FULL(k_condvar_signal, condvar));
	}
	/* Model: condvar.signal_nobody */
	return done(0, key);
}
