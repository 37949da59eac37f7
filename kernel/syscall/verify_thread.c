/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls: threads, and who may use what. A user thread makes others of its own kind only:
 * users', not more urgent than it may be itself, on stacks and in blocks that it was given.
 */
#define VERIFIER_OF_OTHERS
#include "kernel/syscall/verify.h"
#include "kernel/sched/sched.h"
#include "lib/string.h"

/*@ requires caller_is_sound; */
void verify_k_thread_start(k_tid_t thread)
{
	if (verify_thread(thread)) {
		k_thread_start(thread);
	}
}

/*@ requires caller_is_sound; */
void verify_k_thread_suspend(k_tid_t thread)
{
	if (verify_thread(thread)) {
		k_thread_suspend(thread);
	}
}

/*@ requires caller_is_sound; */
void verify_k_thread_resume(k_tid_t thread)
{
	if (verify_thread(thread)) {
		k_thread_resume(thread);
	}
}

/*@ requires caller_is_sound && threads_are_there; */
void verify_k_thread_abort(k_tid_t thread)
{
	user_reap(); /* before there is more of it: references_end() */
	if (!verify_thread(thread)) {
		return;
	}
	if ((thread->options & K_ESSENTIAL) != 0) {
		user_violation("an essential thread is not a user's to abort");
	}
	k_thread_abort(thread);
	user_reap(); /* what it had, in the caller's time, and in no other domain's */
}

/*@ requires caller_is_sound;
  @ ensures is_there{Pre}((void *)thread, TAG_OF_THREAD, K_OBJ_THREAD)
  @   ? \result == answered : \result == 0;
  @*/
int verify_k_thread_join(k_tid_t thread, k_timeout_t timeout)
{
	int result = 0;

	if (verify_thread(thread)) {
		result = k_thread_join(thread, verify_timeout(timeout));
		user_reap(); /* as behind k_thread_abort() */
	}
	return result;
}

/*@ requires caller_is_sound;
  @ ensures !is_there{Pre}((void *)thread, TAG_OF_THREAD, K_OBJ_THREAD) ==> \result == 0;
  @*/
int verify_k_thread_priority_get(k_tid_t thread)
{
	return verify_thread(thread) ? k_thread_priority_get(thread) : 0;
}

/*@ requires caller_is_sound; */
void verify_k_thread_priority_set(k_tid_t thread, int prio)
{
	if (!verify_thread(thread)) {
		return;
	}
	K_SYSCALL_NARROW(prio);
	if (!is_permitted_prio(prio)) {
		user_violation("a priority that the thread may not give");
	}
	k_thread_priority_set(thread, prio);
}

void verify_k_reschedule(void)
{
	k_reschedule();
}

#ifdef CONFIG_SCHED_DEADLINE
/*@ requires caller_is_sound; */
void verify_k_thread_deadline_set(k_tid_t thread, int deadline)
{
	if (!verify_thread(thread)) {
		return;
	}
	K_SYSCALL_NARROW(deadline);
	if (deadline <= 0) {
		user_violation("a deadline that is not ahead");
	}
	k_thread_deadline_set(thread, deadline);
}

/*@ requires caller_is_sound; */
void verify_k_thread_absolute_deadline_set(k_tid_t thread, int deadline)
{
	if (verify_thread(thread)) {
		k_thread_absolute_deadline_set(thread, deadline);
	}
}
#endif

/*@ requires caller_is_sound;
  @ ensures !is_there{Pre}((void *)thread, TAG_OF_THREAD, K_OBJ_THREAD) ==> \result == 0;
  @*/
k_ticks_t verify_k_thread_timeout_remaining_ticks(k_tid_t thread)
{
	return verify_thread(thread) ? k_thread_timeout_remaining_ticks(thread) : 0;
}

/*@ requires caller_is_sound;
  @ ensures !is_there{Pre}((void *)thread, TAG_OF_THREAD, K_OBJ_THREAD) ==> \result == 0;
  @*/
k_ticks_t verify_k_thread_timeout_expires_ticks(k_tid_t thread)
{
	return verify_thread(thread) ? k_thread_timeout_expires_ticks(thread) : 0;
}

/*@ requires caller_is_sound; */
void verify_k_wakeup(k_tid_t thread)
{
	if (verify_thread(thread)) {
		k_wakeup(thread);
	}
}

#ifdef CONFIG_THREAD_NAME
int verify_k_thread_name_set(k_tid_t thread, const char *name)
{
	struct k_thread *named = thread == NULL ? k_cpu.current : thread;
	char copy[CONFIG_THREAD_MAX_NAME_LEN];
	int length;

	if (named != k_cpu.current && !verify_thread(named)) {
		return 0;
	}
	length = user_copy_string(copy, name, sizeof(copy));
	if (length == -EFAULT) {
		user_violation("a name that the thread may not read");
	}
	if (length < 0) {
		return length;
	}
	return k_thread_name_set(named, copy);
}
#else
int verify_k_thread_name_set(k_tid_t thread, const char *name)
{
	return -ENOSYS;
}
#endif

int verify_k_thread_name_copy(k_tid_t thread, char *buf, size_t size)
{
	if (!IS_ENABLED(CONFIG_THREAD_NAME)) {
		return k_thread_name_copy(thread, NULL, 0);
	}

	/*
	 * A block in which no thread has ever lived has none. Looked at once: others may change it.
	 */
	const char *name = verify_thread(thread) ? k_thread_name_get(thread) : "";
	size_t bytes = strlen(name) + 1U;

	if (bytes > size) {
		return -ENOSPC;
	}
	user_copy_out_steps(buf, name, bytes);
	return 0;
}

#ifdef CONFIG_THREAD_CUSTOM_DATA
void verify_k_thread_custom_data_set(void *value)
{
	k_thread_custom_data_set(value);
}

void *verify_k_thread_custom_data_get(void)
{
	return k_thread_custom_data_get();
}
#endif

/*@ requires caller_is_sound;
  @ ensures \result == 0 ==>
  @   caller_may_touch{Pre}((uintptr_t)unused_bytes, sizeof(*unused_bytes), (boolean)1);
  @ ensures \result == answered;
  @*/
int verify_k_thread_stack_space_get(k_tid_t thread, size_t *unused_bytes)
{
	size_t unused = 0;
	int result;

	(void)verify_thread(thread);
	result = k_thread_stack_space_get(thread, &unused);
	if (result == 0) {
		user_copy_out(unused_bytes, &unused, sizeof(unused));
	}
	return result;
}

k_tid_t verify_k_current_get(void)
{
	return k_current_get();
}

int verify_k_is_preempt_thread(void)
{
	return k_is_preempt_thread();
}

/* Of the thread only: a panic would be the whole system's. */
/*@ requires reason == raised;
  @ ensures 0 == 1;
  @*/
void verify_k_fatal_raise(unsigned int reason)
{
	user_fatal(reason == K_ERR_STACK_CHK_FAIL ? reason : K_ERR_KERNEL_OOPS,
		   "raised by a user thread");
}

/* What is passed on has to be known, and the caller's own. */
/*@ requires caller_is_sound && threads_lie_apart;
  @ ensures may_pass_on{Pre}((void *)object) && \result == 0;
  @*/
int verify_k_object_grant_(const void *object, unsigned int kind, size_t size,
			   struct k_thread *thread)
{
	K_SYSCALL_NARROW(kind);
	(void)verify_thread(thread);
	if (!user_set_grant(object, kind, thread, true)) {
		user_violation("not an object that the thread may pass on");
	}
	return 0;
}

void *verify_k_object_alloc(enum k_objects otype)
{
	return k_object_alloc(otype);
}

void *verify_k_object_alloc_size(enum k_objects otype, size_t size)
{
	return k_object_alloc_size(otype, size);
}

k_thread_stack_t *verify_k_thread_stack_alloc(size_t size, int flags)
{
	return k_thread_stack_alloc(size, flags);
}

/*@ requires caller_is_sound;
  @ ensures !is_there{Pre}((void *)stack, 0, K_OBJ_THREAD_STACK_ELEMENT) ==>
  @   \result == -EBUSY && may_pass_on_as{Pre}((void *)stack, K_OBJ_THREAD_STACK_ELEMENT);
  @*/
int verify_k_thread_stack_free(k_thread_stack_t *stack)
{
	if (object_hold(stack, 0, K_OBJ_THREAD_STACK_ELEMENT)) { /* it is nobody else's meanwhile */
		int result = k_thread_stack_free(stack);

		user_reap();
		return result;
	}
	if (!user_holds(stack, K_OBJ_THREAD_STACK_ELEMENT)) {
		user_violation("not a stack that the thread may use");
	}
	return -EBUSY;
}

/*@ requires caller_is_sound && threads_lie_apart;
  @ ensures may_pass_on{Pre}((void *)object);
  @*/
void verify_k_object_revoke_(const void *object, unsigned int kind, struct k_thread *thread)
{
	K_SYSCALL_NARROW(kind);
	(void)verify_thread(thread);
	if (!user_set_grant(object, kind, thread, false)) {
		user_violation("not an object that the thread may use");
	}
	user_reap();
}

void verify_k_object_release_(const void *object, unsigned int kind)
{
	K_SYSCALL_NARROW(kind);
	k_object_release_(object, kind);
}
