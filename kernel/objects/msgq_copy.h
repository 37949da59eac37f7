/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message queues: the calls whose buffer is copied with interrupts open, or that wait or wake.
 * `user`: the calling user thread, whose buffer is looked at as it is copied; one that is not
 * the thread's, or no longer, is a violation. NULL: kernel code's. What user threads bring here is
 * long: verifiers copy up to USER_COPY_MAX bytes, and Kconfig lets no more be copied masked.
 * Threads and ISRs, as the calls of the API.
 */
#ifndef FOLIOT_KERNEL_MSGQ_COPY_H
#define FOLIOT_KERNEL_MSGQ_COPY_H

#include "kernel/objects/msgq_step.h"

/* One message of kernel code's; `side` is the thread's. False: a fault there. */
static inline bool msgq_copy_masked(const struct k_msgq *msgq, void *to, const void *from,
				    unsigned int side)
{
	return arch_copy_guarded(to, from, msgq->msg_size, side) == ARCH_COPY_DONE;
}

/* Kernel code's own buffer is not memory that it may use: does not return. */
int msgq_fault(void);

/* Interrupts masked; restore key. To a reader: a short message, and one that waits. */
int msgq_put_to_reader(struct k_msgq *msgq, const void *data, k_timeout_t timeout,
		       unsigned int key);
int msgq_put_slow(struct k_msgq *msgq, const void *data, k_timeout_t timeout, unsigned int key);
int msgq_get_slow(struct k_msgq *msgq, void *data, k_timeout_t timeout, unsigned int key);

int msgq_put_front(struct k_msgq *msgq, const void *data, const struct k_thread *user);
int msgq_peek_at(struct k_msgq *msgq, void *data, uint32_t idx, const struct k_thread *user);

/* The caller is the user thread. */
int msgq_user_put(struct k_msgq *msgq, const void *data, k_timeout_t timeout);
int msgq_user_get(struct k_msgq *msgq, void *data, k_timeout_t timeout);

#endif /* FOLIOT_KERNEL_MSGQ_COPY_H */
