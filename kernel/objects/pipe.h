/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes, as verifiers and the calls of before see them. */
#ifndef FOLIOT_KERNEL_PIPE_H
#define FOLIOT_KERNEL_PIPE_H

#include "kernel/base/kernel.h"

/*
 * k_pipe_write(), k_pipe_read(). `user`: the calling user thread, whose memory is looked at as it
 * is copied; what is not the thread's, or no longer, is a violation. NULL: kernel code's.
 */
int pipe_write(struct k_pipe *pipe, const uint8_t *data, size_t len, k_timeout_t timeout,
	       const struct k_thread *user);
int pipe_read(struct k_pipe *pipe, uint8_t *data, size_t len, k_timeout_t timeout,
	      const struct k_thread *user);

/* k_pipe_init() with a buffer from the running thread's resource pool. Returns 0 or -ENOMEM. */
int pipe_alloc_init(struct k_pipe *pipe, size_t size);
/* That buffer goes back, if there is one. */
void pipe_give_back(struct k_pipe *pipe);

#endif /* FOLIOT_KERNEL_PIPE_H */
