/* SPDX-License-Identifier: Apache-2.0 */
/* This port's part of the trace signals (kernel/hooks/trace.h); nothing without CONFIG_TRACE. */
#ifndef FOLIOT_ARCH_HOST_SIGNALS_H
#define FOLIOT_ARCH_HOST_SIGNALS_H

#ifdef CONFIG_TRACE
#include "kernel/hooks/trace.h"

static inline void signal_isr_enter(void)
{
	trace_isr_enter();
}

static inline void signal_thread_in(void)
{
	trace_thread_in();
}
#else
static inline void signal_isr_enter(void)
{
}

static inline void signal_thread_in(void)
{
}
#endif

#endif /* FOLIOT_ARCH_HOST_SIGNALS_H */
