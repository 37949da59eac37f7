/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls: pipes. A buffer is looked at before anything else, so that a bad one is refused
 * whatever the pipe holds, and again with each step that is copied (pipe.c), since it may be taken
 * away meanwhile.
 */
#define VERIFIER_OF_OTHERS
#include "kernel/syscall/verify.h"
#include "kernel/objects/pipe.h"

#define VERIFY_PIPE(pipe) VERIFY_OBJECT(pipe, struct k_pipe, K_OBJ_PIPE)

/*
 * The kernel puts bytes there on behalf of others, at times when the memory may not be the caller's
 * any more: so into memory of its own.
 */
/*@ requires caller_is_sound;
  @ ensures size != 0 ==> caller_may_touch{Pre}((uintptr_t)buffer, size, (boolean)1);
  @ ensures answered == 0;
  @*/
void verify_k_pipe_init(struct k_pipe *pipe, uint8_t *buffer, size_t size)
{
	unsigned int key;
	int result;

	if (size != 0) {
		user_verify_writable(buffer, size);
	}
	key = verify_init_begin(pipe, OBJECT_TAG_OFFSET(struct k_pipe), K_OBJ_PIPE);
	result = pipe_alloc_init(pipe, size);
	irq_unlock(key);
	if (result != 0) {
		user_violation("no memory for a pipe's buffer");
	}
}

/*@ requires caller_is_sound; */
int verify_k_pipe_write(struct k_pipe *pipe, const uint8_t *data, size_t len, k_timeout_t timeout)
{
	VERIFY_PIPE(pipe);
	user_verify_readable(data, len);
	return pipe_write(pipe, data, len, verify_timeout(timeout), k_cpu.current);
}

/*@ requires caller_is_sound; */
int verify_k_pipe_read(struct k_pipe *pipe, uint8_t *data, size_t len, k_timeout_t timeout)
{
	VERIFY_PIPE(pipe);
	user_verify_writable(data, len);
	return pipe_read(pipe, data, len, verify_timeout(timeout), k_cpu.current);
}

/*@ requires caller_is_sound; */
void verify_k_pipe_reset(struct k_pipe *pipe)
{
	VERIFY_PIPE(pipe);
	k_pipe_reset(pipe);
}

/*@ requires caller_is_sound; */
void verify_k_pipe_close(struct k_pipe *pipe)
{
	VERIFY_PIPE(pipe);
	k_pipe_close(pipe);
}
