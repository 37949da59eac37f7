/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slow paths of the system calls that have a fast one (fast.h), made from the heads of their bodies
 * (kernel/objects/operation.h), which are nobody's here: verify_NAME() looks at the objects, and
 * checked_NAME() is the rest, where a fast path has had that look already. One that looks at more
 * has it in a file of its own (OPERATION_LOOKED_AT).
 */
#ifndef FOLIOT_KERNEL_SLOW_H
#define FOLIOT_KERNEL_SLOW_H

#define VERIFIER_OF_OTHERS
#include "kernel/syscall/verify.h"
#include "kernel/hooks/poll.h"

#define UNPACKED(...)    __VA_ARGS__
#define TIMEOUT(timeout) verify_timeout(timeout)

/*@ requires held_are_entries(k_cpu.current) && tag_offset <= UINT16_MAX && kind < OBJECT_PUBLIC;
  @ assigns WRITTEN_TO_HOLD;
  @ ensures \result && some_may_be_used((void *)object, kind) && rights_stay{Pre, Post};
  @*/
static ALWAYS_INLINE bool verify_object(const void *object, size_t tag_offset, unsigned int kind)
{
	if (unlikely(!object_is_usable(object, tag_offset, kind))) {
		verify_allocated(object, tag_offset, kind);
	}
	return true;
}

#define IS_USABLE(object, type, kind) verify_object(object, OBJECT_TAG_OFFSET(type), kind)

#define SLOW_PATH(type, name, parameters, is_usable, rest)      \
	type verify_##name parameters                           \
	{                                                       \
		(void)(is_usable); /* or that did not return */ \
		return rest;                                    \
	}                                                       \
	static inline intptr_t body_##name(UNPACKED parameters, unsigned int key)

#define OPERATION(type, name, parameters, arguments, is_usable) \
	__typeof__(name) checked_##name;                        \
	type checked_##name parameters                          \
	{                                                       \
		return name arguments;                          \
	}                                                       \
	SLOW_PATH(type, name, parameters, is_usable, name arguments)
#define OPERATION_LOOKED_AT(type, name, parameters, arguments, is_usable) \
	SLOW_PATH(type, name, parameters, is_usable, checked_##name arguments)
#define OPERATION_UNMASKED           OPERATION
#define OPERATION_UNMASKED_LOOKED_AT OPERATION_LOOKED_AT

#define IS_FAST                 false
#define STAYS_MASKED            true
#define IN_FULL(...)            0
#define WAIT(...)               0
#define WAKE(...)               0
#define DONE_OFFERING(...)      0
#define WAKE_MATCHING(...)      0
#define RESET_AND_WAIT(...)     0
#define LOCK_CONTENDED(...)     0
#define UNLOCK_CONTENDED(...)   0
#define WAIT_FOR_FLAGS(...)     0
#define WAIT_FOR_WORD(...)      0
#define TAKE_WORD(...)          0
#define LINK_DATA(...)          0
#define GET_FROM_CONTAINER(...) 0
#define done(result, key)       ((void)(key), (intptr_t)(result))
#define done_unmasked(result)   ((intptr_t)(result))
#define MASK()                  0
#define APART                   ALWAYS_INLINE intptr_t

#endif /* FOLIOT_KERNEL_SLOW_H */
