/* SPDX-License-Identifier: Apache-2.0 */
/* What the verifiers of an application's own system calls ask: see include/foliot/syscall.h. */
#include <foliot/syscall.h>
#include "kernel/access/object_rights.h"

/*@ ensures 0 == 1; */
void k_syscall_refuse(void)
{
	user_violation("a system call that the application refuses");
}

/*@ requires caller_is_sound;
  @ assigns WRITTEN_TO_HOLD;
  @ ensures \result ==>
  @   some_may_be_used((void *)object, otype) && otype < K_OBJ_THREAD_STACK_ELEMENT;
  @ ensures \result <==> size_of_kind(otype) != 0 &&
  @   is_there{Pre}((void *)object, tag_offset_of(otype), otype);
  @*/
bool k_syscall_may_use(const void *object, enum k_objects otype)
{
	size_t offset;

	if (object_size(otype) == 0) {
		return false;
	}
	offset = object_tag_offset(otype);
	return object_is_usable(object, offset, otype) || object_hold(object, offset, otype);
}

/*@ requires caller_is_sound;
  @ assigns \nothing;
  @ ensures \result <==> caller_may_touch((uintptr_t)address, size, (boolean)write);
  @*/
bool k_syscall_may_access(const void *address, size_t size, bool write)
{
	unsigned int key = irq_lock();
	bool may = user_may_access(address, size, write);

	irq_unlock(key);
	return may;
}

/*@ requires caller_is_sound && size <= INT32_MAX;
  @ assigns ((char *)dst)[0 .. size - 1];
  @ ensures \result == 0 ==> steps_may_be_touched{Pre}(\at(k_cpu.current, Pre), (uintptr_t)src,
  @   size, (boolean)0);
  @ ensures \result == 0 || \result == -EFAULT;
  @*/
int k_usermode_from_copy(void *dst, const void *src, size_t size)
{
	return user_try_copy_in(dst, src, size) ? 0 : -EFAULT;
}

/*@ requires caller_is_sound && size <= INT32_MAX;
  @ assigns ((char *)dst)[0 .. size - 1];
  @ ensures \result == 0 ==> steps_may_be_touched{Pre}(\at(k_cpu.current, Pre), (uintptr_t)dst,
  @   size, (boolean)1);
  @ ensures \result == 0 || \result == -EFAULT;
  @*/
int k_usermode_to_copy(void *dst, const void *src, size_t size)
{
	return user_try_copy_out(dst, src, size) ? 0 : -EFAULT;
}

/*@ requires caller_is_sound && \valid(dst + (0 .. maxlen - 1)) && maxlen <= INT32_MAX;
  @ assigns dst[0 .. maxlen - 1];
  @ ensures \result == 0 ==> \exists integer i; 0 <= i < maxlen && dst[i] == 0;
  @ ensures \result == 0 || \result == -EFAULT || \result == -EINVAL;
  @*/
int k_usermode_string_copy(char *dst, const char *src, size_t maxlen)
{
	int length = user_copy_string(dst, src, maxlen);

	return length < 0 ? length : 0;
}
