/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call, and an answer with the next receipt, whose message stays in the processor's registers:
 * entered by a port's trap (CONFIG_ARCH_IPC_REGISTERS), which has saved nothing yet, and looks
 * after words, registers, stacks and regions. Interrupts masked; the running thread is a user's,
 * and waits for as long as it takes.
 */
#ifndef FOLIOT_KERNEL_IPC_FAST_H
#define FOLIOT_KERNEL_IPC_FAST_H

#include <foliot/ipc.h>

/*
 * Returns the thread that runs from now on, whom the port makes k_cpu.current, while the running
 * one waits in its place. Its badge is in its block, its result is 0. Or NULL, and nothing is
 * changed: this is another case, kernel/ipc/verify_ipc_words.c's.
 */
struct k_thread *ipc_call_fast(struct k_ipc_gate *gate);
struct k_thread *ipc_reply_receive_fast(struct k_ipc_endpoint *endpoint);

#define IPC_FAST_MAX 64U /* bytes, which are copied masked */

/*
 * The same with bytes: `size` from `data` go along, and up to `capacity` may come back there. The
 * bytes are copied, the other one's number of them is in its block. NULL, and nothing is changed:
 * also for a side whose memory is not its own any more, not aligned to words or no RAM;
 * kernel/ipc/verify_ipc.c sees which.
 */
struct k_thread *ipc_call_fast_bytes(struct k_ipc_gate *gate, void *data, size_t size,
				     size_t capacity);
struct k_thread *ipc_reply_receive_fast_bytes(struct k_ipc_endpoint *endpoint, void *data,
					      size_t size, size_t capacity);

#endif /* FOLIOT_KERNEL_IPC_FAST_H */
