/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The whole kernel API in one include. One header an object; each says in which
 * context (thread, ISR, either) its functions may be called, what they return and
 * in which unit they count.
 */
#ifndef FOLIOT_KERNEL_H
#define FOLIOT_KERNEL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include <foliot/util.h>
#include <foliot/errno.h>
#include <foliot/assert.h>
#include <foliot/irq.h>
#include <foliot/time.h>
#include <foliot/wait_q.h>
#include <foliot/thread.h>
#include <foliot/sem.h>
#include <foliot/mutex.h>
#include <foliot/condvar.h>
#include <foliot/queue.h>
#include <foliot/stack.h>
#include <foliot/event.h>
#include <foliot/heap.h>
#include <foliot/timer.h>
#include <foliot/flags.h>
#include <foliot/trace.h>
#include <foliot/futex.h>
#include <foliot/msgq.h>
#include <foliot/pipe.h>
#include <foliot/idle.h>
#include <foliot/mbox.h>
#include <foliot/work.h>
#include <foliot/poll.h>
#include <foliot/mem_slab.h>
#include <foliot/console.h>
#include <foliot/fatal.h>
#include <foliot/obj_core.h>
#include <foliot/slice.h>
#include <foliot/usage.h>
#include <foliot/object.h>
#include <foliot/user.h>
#include <foliot/syscall.h>
#include <foliot/mem_domain.h>
#include <foliot/ipc.h>
#include <foliot/work_user.h>

#ifdef __cplusplus
}
#endif

#endif /* FOLIOT_KERNEL_H */
