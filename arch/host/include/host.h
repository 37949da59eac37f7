/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a test can do to the fake machine that firmware on a real board cannot: raise
 * any line, let time pass, look at the command line. Nothing in kernel/ includes this.
 */
#ifndef FOLIOT_HOST_H
#define FOLIOT_HOST_H

#include <foliot/util.h>
#include <arch_inline.h>

/*
 * Raise `line`: its handler runs at once if interrupts are open, else as soon as they
 * are. A line that is raised again before it was taken is taken once. Either context.
 */
void host_irq_raise(unsigned int line);

/*
 * Virtual time, in cycles of BOARD_CLOCK_HZ since the machine started. It passes only
 * when the idle thread runs, in host_advance(), and by host_read_cost_cycles each
 * time the counter is read, so that a loop that waits for a time comes to an end.
 */
uint64_t host_now_cycles(void);
extern uint32_t host_read_cost_cycles;

/*
 * Let `cycles` pass as if the caller computed that long: the alarm is raised on its
 * cycle, and whatever is more urgent runs then, at that time. Thread, interrupts open.
 */
void host_advance(uint64_t cycles);

/* The run ends with status 3 when virtual time comes to this; --limit-s sets it too. */
extern uint64_t host_limit_cycles;

#ifdef CONFIG_USERSPACE
/*
 * Does the fake protection unit let user mode read (write) those bytes, as it is loaded? Nothing
 * else keeps a user thread from doing so: it has to ask. Either mode.
 */
bool host_user_may(const void *address, size_t bytes, bool write);
#endif

/* The program's arguments, without those that the machine takes for itself. */
extern int host_argc;
extern char **host_argv;

#endif /* FOLIOT_HOST_H */
