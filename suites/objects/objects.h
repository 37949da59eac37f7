/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What those objects cost that Zephyr's benchmark does not measure: work queues, polling and signals, pipes, mailboxes,
 * futexes. At once and with a switch, as the rows of `latency` are; and beside others, where a list is traversed: such
 * a row's name ends with their number, and `foliot` names the order in which it grows.
 *
 * Windows: one call; in a pair, one call until the other thread's own call has returned; where a row says
 * so, from a call to a handler, or from there back.
 *
 * A row OPERATION/STATE is one of those that suite `states` enumerates (../states/states.h): who calls, who waits, what the object holds.
 */
#ifndef OBJECTS_H
#define OBJECTS_H

#include <measure.h>
#include <measure_user.h>
#include "suites/states/states.h"

#define OBJECTS_PRIO STATES_PRIO
#define SAMPLES      ((uint32_t)CONFIG_MEASURE_SAMPLES)

/* One family a file. Each runs in the main thread, and leaves its objects as found. */
void objects_work(void);
void objects_poll(void);
void objects_pipe(void);
void objects_mbox(void);
void objects_futex(void);
/* Those beside others. */
void objects_traversals(void);

#endif /* OBJECTS_H */
