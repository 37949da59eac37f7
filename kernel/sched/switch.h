/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What features have to do at every switch of threads, in one place. Nothing by default,
 * and then a switch is arch_switch() called from where it is decided. With a feature on
 * (CONFIG_SWITCH_HOOKS) it is a function of its own, switch.c, so that the callers, which
 * end in a tail call of it, stay as they are and save no registers for the hooks.
 */
#ifndef FOLIOT_KERNEL_SWITCH_H
#define FOLIOT_KERNEL_SWITCH_H

#include "kernel/base/kernel.h"
#include "kernel/hooks/stackguard.h"
#include "kernel/hooks/user.h"
#include "kernel/hooks/trace.h"
#include "kernel/hooks/thread_cycles.h"
#include "kernel/sched/metairq.h"
#include "kernel/hooks/slice.h"

/* From `out`, which still is k_cpu.current, to `in`. Interrupts masked. */
static inline void switch_hooks(struct k_thread *out, struct k_thread *in)
{
	trace_switch(out, in);
	usage_switch(out);
	user_switch(in);
	metairq_switch(out, in);
	if (slice_is_on()) {
		slice_switch(out, in);
	}
}

#endif /* FOLIOT_KERNEL_SWITCH_H */
