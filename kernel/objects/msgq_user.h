/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message queues as their verifiers see them: the calls of the API with long messages, over
 * USER_COPY_MAX bytes, in buffers of the calling user thread's. Those are looked at as they are
 * copied; one that is not the thread's, or no longer, is a violation.
 */
#ifndef FOLIOT_KERNEL_MSGQ_USER_H
#define FOLIOT_KERNEL_MSGQ_USER_H

#include "kernel/core/kernel.h"

int msgq_user_put(struct k_msgq *msgq, const void *data, k_timeout_t timeout);
int msgq_user_put_front(struct k_msgq *msgq, const void *data);
int msgq_user_get(struct k_msgq *msgq, void *data, k_timeout_t timeout);
int msgq_user_peek_at(struct k_msgq *msgq, void *data, uint32_t idx);

#endif /* FOLIOT_KERNEL_MSGQ_USER_H */
