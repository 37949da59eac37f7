/* SPDX-License-Identifier: Apache-2.0 */
/* What a receipt has in common with an answer that is followed by one. Interrupts masked. */
#ifndef FOLIOT_KERNEL_IPC_RECEIVE_H
#define FOLIOT_KERNEL_IPC_RECEIVE_H

#include "kernel/base/kernel.h"
#include <foliot/ipc.h>

/*
 * Receive, in a traversal, which it ends. Who has the generation `answered`, if anybody, goes on at
 * once where the running thread waits.
 */
int ipc_receive_traversing(struct k_ipc_endpoint *endpoint, k_timeout_t timeout, uint32_t answered,
			   unsigned int key);

#endif /* FOLIOT_KERNEL_IPC_RECEIVE_H */
