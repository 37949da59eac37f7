/* SPDX-License-Identifier: Apache-2.0 */
/* Futexes: nobody waits, the value is another one, and a waiter that is woken. */
#include "objects.h"

static MEASURE_SHARED struct k_futex futex;
static struct k_thread prober;
static K_THREAD_STACK_DEFINE(prober_stack, 1024);

MEASURE_WINDOW(wake, result = k_futex_wake(&futex, false))
MEASURE_WINDOW(wait_in_vain, result = k_futex_wait(&futex, 1, K_FOREVER))
MEASURE_WINDOW(wait, result = k_futex_wait(&futex, 0, K_FOREVER))
MEASURE_WINDOW(wait_timed, result = k_futex_wait(&futex, 0, K_SECONDS(100)))
MEASURE_WINDOW(wait_now, result = k_futex_wait(&futex, 0, K_NO_WAIT))

static void nobody(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "nobody_waits", result == 0);
}

static void changed(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", result == -EAGAIN);
}

static void woken(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "woken", result == 0);
}

static void woke_one(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "woke_one", result == 1);
}

static void waits(void *p1, void *p2, void *p3)
{
	(void)k_futex_wait(&futex, 0, K_FOREVER);
}

/* Where threads wait at that futex: asked of one that does. */
static const _wait_q_t *where_they_wait(void)
{
	const _wait_q_t *wait_q;

	(void)k_thread_create(&prober, prober_stack, K_THREAD_STACK_SIZEOF(prober_stack), waits,
			      NULL, NULL, NULL, OBJECTS_PRIO - 1, 0, K_NO_WAIT);
	wait_q = prober.pended_on;
	k_thread_abort(&prober);
	return wait_q;
}

static void grant(k_tid_t thread)
{
	ARG_UNUSED(thread); /* whoever may write the word may */
}

static void too_late(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", result == -ETIMEDOUT);
}

static void wait_once(void)
{
	(void)k_futex_wait(&futex, 0, K_FOREVER);
}

static void measure_states(void)
{
	states_single(&(struct measure_operation){"futex.wake.immediate.kernel",
						  "Wake nobody at a futex", wake, NULL, nobody},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"futex.wait.refused.kernel",
						  "Wait at a futex of another value", wait_in_vain,
						  NULL, changed},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"futex.wait.expired.kernel",
						  "Wait at a futex, not waiting", wait_now, NULL,
						  too_late},
		      CALLERS_ALL);
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"futex.wait.blocking.k_to_k", "Wait at a futex (w/ ctx switch)",
				  wait, NULL, woken},
			 .wake = {"futex.wake.wake+ctx.k_to_k",
				  "Wake one at a futex (w/ ctx switch)", wake, NULL, woke_one},
			 .wait_q = where_they_wait()},
		.wait_timed = wait_timed,
		.wait_once = wait_once,
		.no_switch_id = "futex.wake.wake.kernel",
	});
}

void objects_futex(void)
{
	const struct measure_operation wakes_nobody = {
		"futex.wake.immediate.kernel", "Wake nobody at a futex", wake, NULL, nobody};
	const struct measure_operation in_vain = {"futex.wait.refused.kernel",
						  "Wait at a futex of another value", wait_in_vain,
						  NULL, changed};

	measure_turns(&wakes_nobody, &in_vain);
	measure_user_open(grant);
	measure_user_turns(&(struct measure_operation){"futex.wake.immediate.user",
						       wakes_nobody.text, wake, NULL, nobody},
			   &(struct measure_operation){"futex.wait.refused.user", in_vain.text,
						       wait_in_vain, NULL, changed});
	measure_user_close();
	measure_pair(&(struct measure_pair){
		.wait = {"futex.wait.blocking.k_to_k", "Wait at a futex (w/ ctx switch)", wait,
			 NULL, woken},
		.wake = {"futex.wake.wake+ctx.k_to_k", "Wake one at a futex (w/ ctx switch)", wake,
			 NULL, woke_one},
		.wait_q = where_they_wait(),
	});
	measure_states();
}
