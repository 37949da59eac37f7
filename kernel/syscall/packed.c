/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands behind the calls that user_side.c makes: each takes its words, or gives its result,
 * through memory. By itself, so that the verifiers' files define no system call and call all of
 * them directly (VERIFIER_OF_OTHERS).
 */
#include "kernel/syscall/verify.h"

CALLS_DIRECTLY(k_thread_create);
CALLS_DIRECTLY(k_uptime_ticks);

k_tid_t user_thread_create_packed(const struct thread_create_args *args)
{
	const struct user_entry *begins = &args->begins;

	return k_thread_create(args->thread, args->stack, args->size, begins->entry, begins->p1,
			       begins->p2, begins->p3, args->prio, args->options, args->delay);
}

void user_uptime_read(int64_t *ticks)
{
	*ticks = k_uptime_ticks();
}
