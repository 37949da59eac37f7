/* SPDX-License-Identifier: Apache-2.0 */
/* Messages whose senders do not wait. Interrupts masked. */
#ifndef FOLIOT_KERNEL_MBOX_H
#define FOLIOT_KERNEL_MBOX_H

#include "kernel/sched/sched.h"

struct mbox_async {
	struct mbox_async *next; /* in its mailbox, or free */
	struct k_mbox_msg msg;
	int prio;
	uint32_t number; /* k_mbox.sent when it was */
	struct k_thread *from;
	struct k_sem *sem;
	void (*done)(
		struct mbox_async *async); /* its data was taken: free it; may wake, no switch */
};

/* Give the message to a receiver that waits for it. False: none does. */
bool mbox_offer(struct k_mbox *mbox, struct k_mbox_msg *tx_msg, struct k_thread *from,
		struct mbox_async *async);

#endif /* FOLIOT_KERNEL_MBOX_H */
