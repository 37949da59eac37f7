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
	/* Its data was taken: free it; restores key. */
	void (*done)(struct mbox_async *async, unsigned int key);
};

/*
 * Who waits for a message, or NULL; masked on return, by `key` before, and the caller may have
 * waited.
 */
struct k_thread *mbox_receiver_for(const struct k_mbox *mbox, const struct k_mbox_msg *tx_msg,
				   const struct k_thread *from, unsigned int key);
/* It gets the message; no switch. */
void mbox_hand_over(struct k_mbox_msg *tx_msg, struct k_thread *from, struct k_thread *receiver,
		    struct mbox_async *async);

#endif /* FOLIOT_KERNEL_MBOX_H */
