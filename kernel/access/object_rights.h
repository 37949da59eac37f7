/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validation: is what a user thread passed an object, of this kind, initialised, and one that it
 * may use? In constant time, and exact.
 *
 * Each object holds an index into the table of known objects; the entry there holds the object's
 * address. So whatever lies at a forged address, the entry that it leads to does not lead back:
 * a pair (object, entry) that agrees exists for real objects only, since the entries are
 * the kernel's. The rights are the thread's, a bit an entry: they end with the thread, by
 * being cleared in the next one's, without a traversal over objects.
 *
 * Rejected: a magic number in the object alone, since user threads may write words of
 * their choice into kernel memory (a stack's, a message queue's buffer); a hash or a sorted list of
 * addresses, since it is neither constant nor as quick; rights in the object, since each end of
 * a thread would have to traverse all objects.
 */
#ifndef FOLIOT_KERNEL_OBJECT_RIGHTS_H
#define FOLIOT_KERNEL_OBJECT_RIGHTS_H

#include "kernel/access/user_range.h"
#include "kernel/base/object_table.h"

/* The running thread made a call that it had no right to make: a report, and its end. */
void user_violation(const char *what) __attribute__((noreturn));
/*
 * The same with another reason: the report is of where the call came from, not of who refused it.
 */
void user_fatal(unsigned int reason, const char *what) __attribute__((noreturn));

/*
 * The checks below read the entry and the right one after the other, with interrupts open. Were the
 * entry freed and another object's in between, the right would be to that one. So they count for
 * nothing where an entry was taken meanwhile: then, as for allocated objects, they are made again,
 * masked. (Two readings agree falsely after 2^32 new objects within one check.) Rejected: masking
 * all of them, which on these cores costs as much as both readings, on RISC-V more.
 */
static inline uint32_t object_table_age(void)
{
	uint32_t age;

	__asm__ volatile("" ::: "memory"); /* what is read stays on its side */
	age = k_cpu.objects_named;
	__asm__ volatile("" ::: "memory");
	return age;
}

/* May the running thread use `object`, of that kind and ready, which nobody allocated? */
/*@ requires \valid_read(k_cpu.current) && tag_offset <= UINT16_MAX && kind < OBJECT_PUBLIC;
  @ assigns \nothing;
  @ ensures \result ==> is_there((void *)object, tag_offset, kind) &&
  @   !is_counted(&object_table[place_of((uintptr_t)object, tag_offset)]);
  @ ensures \result ==> some_may_be_used((void *)object, kind);
  @*/
static inline bool object_is_usable(const void *object, size_t tag_offset, unsigned int kind)
{
	uint32_t age = object_table_age();

	return likely(object_is_usable_masked(object, tag_offset, kind) &&
		      age == object_table_age());
}

/* The rest of that, masked. If it was allocated, it is held from now on. */
/*@ predicate is_held_if_counted{L}(integer i) =
  @   is_counted(&object_table[i]) ==> is_held(k_cpu.current, i);
  @*/
/*@ predicate rights_stay{K, L} = \forall integer i, kind, void *object;
  @   may_be_used{K}(i, object, kind) <==> may_be_used{L}(i, object, kind);
  @*/
/*@ requires held_are_entries(k_cpu.current) && tag_offset <= UINT16_MAX;
  @ assigns WRITTEN_TO_HOLD;
  @ ensures \result <==> is_there{Pre}((void *)object, tag_offset, kind);
  @ ensures \result ==> some_may_be_used((void *)object, kind);
  @ ensures rights_stay{Pre, Post};
  @ ensures held_are_entries(k_cpu.current);
  @ ensures \result ==> is_held_if_counted(place_of((uintptr_t)object, tag_offset));
  @ ensures !\result || !is_counted{Pre}(&object_table[place_of((uintptr_t)object, tag_offset)]) ==>
  @   held_stay{Pre, Post}(k_cpu.current);
  @*/
bool object_hold(const void *object, size_t tag_offset, unsigned int kind);
/* The same, or it is a violation. */
/*@ requires held_are_entries(k_cpu.current) && tag_offset <= UINT16_MAX;
  @ assigns WRITTEN_TO_HOLD;
  @ ensures is_there{Pre}((void *)object, tag_offset, kind);
  @ ensures some_may_be_used((void *)object, kind) && rights_stay{Pre, Post};
  @ ensures held_are_entries(k_cpu.current);
  @ ensures is_held_if_counted(place_of((uintptr_t)object, tag_offset));
  @*/
void verify_allocated(const void *object, size_t tag_offset, unsigned int kind);

/*
 * At the head of a system call: return from here means that the object may be used, and goes
 * on to be that object until the call ends, whatever others do meanwhile. One that is defined stays
 * ready for ever; one that was allocated is held by the thread (references.h).
 */
#define VERIFY_OBJECT(object, type, kind)                                                 \
	do {                                                                              \
		if (unlikely(!object_is_usable(object, OBJECT_TAG_OFFSET(type), kind))) { \
			verify_allocated(object, OBJECT_TAG_OFFSET(type), kind);          \
		}                                                                         \
	} while (0)

/*
 * Before a user thread initialises an object: one that is initialised already may have waiters.
 * Masks interrupts until it is, so that nobody else does it meanwhile.
 */
/*@ requires \valid_read(k_cpu.current) && tag_offset <= UINT16_MAX;
  @ requires kind < OBJECT_PUBLIC;
  @ assigns \nothing;
  @ ensures is_key(\result);
  @ ensures is_there((void *)object, tag_offset, kind + OBJECT_NOT_READY);
  @ ensures some_may_be_used((void *)object, kind + OBJECT_NOT_READY);
  @*/
unsigned int verify_init_begin(const void *object, size_t tag_offset, unsigned int kind);

/*
 * The same for kinds that may be initialised again by who may use them. Returns true: it is one
 * that is initialised, and is held as VERIFY_OBJECT() does: threads may wait at it. Masks
 * interrupts in either case.
 */
/*@ requires held_are_entries(k_cpu.current) && tag_offset <= UINT16_MAX;
  @ requires \valid(key) && \separated(key, &object_table[0 .. CONFIG_USER_OBJECTS - 1]);
  @ requires \separated(key, k_cpu.current, &user_has_orphans,
  @   &orphans[0 .. CONFIG_USER_OBJECTS / 32 - 1]);
  @ requires kind < OBJECT_PUBLIC;
  @ assigns *key, WRITTEN_TO_HOLD;
  @ ensures is_key(*key) && held_are_entries(k_cpu.current) && rights_stay{Pre, Post};
  @ ensures \result <==> is_there((void *)object, tag_offset, kind);
  @ ensures \result ==> is_held_if_counted(place_of((uintptr_t)object, tag_offset));
  @ ensures !\result ==> is_there((void *)object, tag_offset, kind + OBJECT_NOT_READY);
  @ ensures some_may_be_used((void *)object, \result ? kind : kind + OBJECT_NOT_READY);
  @*/
bool verify_init_again(const void *object, size_t tag_offset, unsigned int kind, unsigned int *key);

/* The rest of verify_thread(), as verify_allocated() is of the others. */
/*@ predicate thread_is_there{L}(struct k_thread *thread) =
  @   is_there((void *)thread, TAG_OF_THREAD, K_OBJ_THREAD) ||
  @   is_there((void *)thread, TAG_OF_THREAD, K_OBJ_THREAD + OBJECT_NOT_READY);
  @ predicate a_thread_may_be_used{L}(struct k_thread *thread) =
  @   some_may_be_used((void *)thread, K_OBJ_THREAD) ||
  @   some_may_be_used((void *)thread, K_OBJ_THREAD + OBJECT_NOT_READY);
  @*/
/*@ requires held_are_entries(k_cpu.current);
  @ assigns WRITTEN_TO_HOLD;
  @ ensures thread_is_there{Pre}((struct k_thread *)thread);
  @ ensures \result <==> is_there{Pre}((void *)thread, TAG_OF_THREAD, K_OBJ_THREAD);
  @ ensures \result ==> some_may_be_used((void *)thread, K_OBJ_THREAD);
  @ ensures a_thread_may_be_used((struct k_thread *)thread) && rights_stay{Pre, Post};
  @ ensures held_are_entries(k_cpu.current);
  @ ensures is_held_if_counted(place_of((uintptr_t)thread, TAG_OF_THREAD));
  @ ensures !is_counted{Pre}(&object_table[place_of((uintptr_t)thread, TAG_OF_THREAD)]) ==>
  @   held_stay{Pre, Post}(k_cpu.current);
  @*/
bool verify_allocated_thread(const struct k_thread *thread);

/*
 * A thread that the caller may name: true while it is alive. One that has ended is no violation,
 * since that may happen at any time: the caller then does nothing.
 */
/*@ requires held_are_entries(k_cpu.current);
  @ assigns WRITTEN_TO_HOLD;
  @ ensures thread_is_there{Pre}((struct k_thread *)thread);
  @ ensures \result <==> is_there{Pre}((void *)thread, TAG_OF_THREAD, K_OBJ_THREAD);
  @ ensures \result ==> some_may_be_used((void *)thread, K_OBJ_THREAD);
  @ ensures a_thread_may_be_used((struct k_thread *)thread) && rights_stay{Pre, Post};
  @ ensures held_are_entries(k_cpu.current);
  @ ensures is_held_if_counted(place_of((uintptr_t)thread, TAG_OF_THREAD));
  @*/
static inline bool verify_thread(const struct k_thread *thread)
{
	return object_is_usable(thread, OBJECT_TAG_OFFSET(struct k_thread), K_OBJ_THREAD) ||
	       verify_allocated_thread(thread);
}

/*@ predicate threads_are_there{L} = \forall struct k_thread *thread;
  @   some_may_be_used((void *)thread, K_OBJ_THREAD) ==> \valid_read(thread);
  @*/
/* May the running thread pass `object` on? Whether or not it is initialised. */
/*@ predicate may_pass_on{L}(void *object) = \exists integer i; 0 <= i < CONFIG_USER_OBJECTS &&
  @   object_table[i].object == object &&
  @   (thread_holds(k_cpu.current, i) || (object_table[i].kind / OBJECT_PUBLIC) % 2 == 1);
  @ predicate may_pass_on_as{L}(void *object, integer kind) = \exists integer i;
  @   0 <= i < CONFIG_USER_OBJECTS && object_table[i].object == object &&
  @   (kind == K_OBJ_ANY || object_table[i].kind % 32 == kind) &&
  @   (thread_holds(k_cpu.current, i) || (object_table[i].kind / OBJECT_PUBLIC) % 2 == 1);
  @*/
/*@ requires \valid_read(k_cpu.current);
  @ assigns \nothing;
  @ ensures \result ==> may_pass_on_as((void *)object, kind);
  @*/
bool user_holds(const void *object, unsigned int kind);
/* It does, to `thread`, if that is one and alive, or takes it away. False: it may not. */
/*@ predicate grants_lie_apart{L}(struct k_thread *thread) = \valid(thread) &&
  @   \separated(thread, &object_table[0 .. CONFIG_USER_OBJECTS - 1], &user_has_orphans,
  @     &orphans[0 .. CONFIG_USER_OBJECTS / 32 - 1]);
  @ predicate threads_lie_apart{L} =
  @   \forall struct k_thread *one; a_thread_may_be_used(one) ==> grants_lie_apart(one);
  @*/
/*@ requires \valid_read(k_cpu.current) && a_thread_may_be_used(thread) && grants_lie_apart(thread);
  @ ensures \result ==> may_pass_on{Pre}((void *)object);
  @ ensures !\result ==> \forall integer i; 0 <= i < CONFIG_USER_OBJECTS / 32 ==>
  @   thread->user.grants[i] == \old(thread->user.grants[i]);
  @*/
bool user_set_grant(const void *object, unsigned int kind, struct k_thread *thread, bool granted);
/*
 * May it create a thread in that block, on that stack? Nobody lives there. Returns the entry; NULL:
 * it may not. Masked.
 */
/*@ requires \valid_read(k_cpu.current);
  @ assigns \nothing;
  @ ensures \result != \null <==>
  @   is_there((void *)block, TAG_OF_THREAD, K_OBJ_THREAD + OBJECT_NOT_READY);
  @ ensures \result != \null ==>
  @   \result == &object_table[place_of((uintptr_t)block, TAG_OF_THREAD)];
  @*/
struct object_entry *user_usable_block(const struct k_thread *block);
/*@ predicate stack_is_there{L}(char *stack, integer size) =
  @   is_there((void *)stack, 0, K_OBJ_THREAD_STACK_ELEMENT) &&
  @   ARCH_STACK_MIN <= size <= object_table[place_of((uintptr_t)stack, 0)].size;
  @*/
/*@ requires \valid_read(k_cpu.current);
  @ assigns \nothing;
  @ ensures \result != \null <==> stack_is_there((char *)stack, size);
  @ ensures \result != \null ==> \result == &object_table[place_of((uintptr_t)stack, 0)];
  @*/
struct object_entry *user_usable_stack(const char *stack, size_t size);

/* ---- the table's own (object_rights.c), for who allocates; interrupts masked ---- */

/* The entry of an object, if it is known; a traversal where the kind is not. */
struct object_entry *object_find(const void *object, unsigned int kind);
/*
 * The entry of an object, a new one if it is named for the first time. Returns 0, -EINVAL or
 * -ENOMEM. Whether it may be one where it lies is looked at with interrupts as `key` has them.
 */
int object_make_known(const void *object, unsigned int kind, size_t size,
		      struct object_entry **entry, unsigned int key);
/* Give or take a right; nothing for a thread that is not alive. */
void object_set_grant(struct k_thread *thread, const struct object_entry *entry, bool granted);
/* So that a thread with rights is in the table, where k_object_free() finds it. */
int object_make_thread_known(struct k_thread *thread, unsigned int key);
/* Where the tag of an object of a kind lies, which is one. */
size_t object_tag_offset(unsigned int kind);
struct k_object_tag *object_tag(const void *object, unsigned int kind);
/* Bytes of an object of that kind; 0: it is not of a size of its own. */
size_t object_size(unsigned int kind);

/* ---- threads ---- */

/*
 * What a thread may use of itself that becomes a user's. thread_marks.h has its beginning and its
 * end.
 */
void user_access_self(struct k_thread *thread);

/* ---- memory ---- */

/*
 * May the running thread read (write) `bytes` from `address` on? Its stack, or wholly in one
 * partition of its domain. Interrupts masked, or the answer may be old.
 */
/*@ predicate user_may_touch{L}(struct k_thread *thread, integer address, integer bytes,
  @                             boolean write) =
  @   write ? user_owns(thread, address, bytes, K_MEM_PARTITION_WRITE_)
  @         : user_owns(thread, address, bytes, K_MEM_PARTITION_READ_) ||
  @             constants_have(address, bytes);
  @*/
/*@ requires thread_is_sound(k_cpu.current);
  @ assigns \nothing;
  @ ensures \result <==>
  @   user_may_touch(k_cpu.current, (uintptr_t)address, bytes, (boolean)write);
  @*/
bool user_may_access(const void *address, size_t bytes, bool write);

/* What holds of who is in a system call, and what is written to hold an object leaves alone. */
/*@ predicate caller_is_sound{L} =
  @   thread_is_sound(k_cpu.current) && held_are_entries(k_cpu.current) &&
  @   \separated(k_cpu.current, k_cpu.current->user.domain, &k_cpu, &user_has_orphans,
  @     &orphans[0 .. CONFIG_USER_OBJECTS / 32 - 1], &object_table[0 .. CONFIG_USER_OBJECTS - 1]);
  @ predicate caller_may_touch{L}(integer address, integer bytes, boolean write) =
  @   user_may_touch(k_cpu.current, address, bytes, write);
  @*/

/* A violation where it is not; nothing is copied yet. */
/*@ requires thread_is_sound(k_cpu.current);
  @ assigns \nothing;
  @ ensures user_may_touch(k_cpu.current, (uintptr_t)address, bytes, (boolean)0);
  @*/
void user_verify_readable(const void *address, size_t bytes);
/*@ requires thread_is_sound(k_cpu.current);
  @ assigns \nothing;
  @ ensures user_may_touch(k_cpu.current, (uintptr_t)address, bytes, (boolean)1);
  @*/
void user_verify_writable(const void *address, size_t bytes);

/*
 * Copy out of (into) the running thread's memory, checked in one with the copy: interrupts are
 * masked, so few bytes only. A violation where it is not the thread's.
 */
#define USER_COPY_MAX 64U
/*@ requires thread_is_sound(k_cpu.current);
  @ assigns ((char *)to)[0 .. bytes - 1];
  @ ensures user_may_touch{Pre}(\at(k_cpu.current, Pre), (uintptr_t)user, bytes, (boolean)0);
  @ ensures was_copied(ARCH_COPY_FROM, (uintptr_t)to, (uintptr_t)user, bytes);
  @*/
void user_copy_in(void *to, const void *user, size_t bytes);
/*@ requires thread_is_sound(k_cpu.current);
  @ assigns ((char *)user)[0 .. bytes - 1];
  @ ensures user_may_touch{Pre}(\at(k_cpu.current, Pre), (uintptr_t)user, bytes, (boolean)1);
  @ ensures was_copied(ARCH_COPY_TO, (uintptr_t)user, (uintptr_t)from, bytes);
  @*/
void user_copy_out(void *user, const void *from, size_t bytes);

/* The same for any number of bytes: interrupts come in after each USER_COPY_MAX. */
/*@ predicate steps_may_be_touched{L}(struct k_thread *thread, integer address, integer bytes,
  @                                   boolean write) =
  @   bytes <= USER_COPY_MAX ? user_may_touch(thread, address, bytes, write)
  @     : \forall integer i; 0 <= i < bytes && i % USER_COPY_MAX == 0 ==> user_may_touch(thread,
  @         (uintptr_t)(address + i), MIN(bytes - i, USER_COPY_MAX), write);
  @*/
/*@ requires thread_is_sound(k_cpu.current) && bytes <= INT32_MAX;
  @ assigns ((char *)user)[0 .. bytes - 1];
  @ ensures steps_may_be_touched{Pre}(\at(k_cpu.current, Pre), (uintptr_t)user, bytes, (boolean)1);
  @*/
void user_copy_out_steps(void *user, const void *from, size_t bytes);

/* The same, and false where it is not the thread's. */
/*@ requires thread_is_sound(k_cpu.current) && bytes <= INT32_MAX;
  @ assigns ((char *)to)[0 .. bytes - 1];
  @ ensures \result ==> steps_may_be_touched{Pre}(\at(k_cpu.current, Pre), (uintptr_t)user, bytes,
  @   (boolean)0);
  @*/
bool user_try_copy_in(void *to, const void *user, size_t bytes);
/*@ requires thread_is_sound(k_cpu.current) && bytes <= INT32_MAX;
  @ assigns ((char *)user)[0 .. bytes - 1];
  @ ensures \result ==> steps_may_be_touched{Pre}(\at(k_cpu.current, Pre), (uintptr_t)user, bytes,
  @   (boolean)1);
  @*/
bool user_try_copy_out(void *user, const void *from, size_t bytes);

/*
 * Copy a string into `to`, of `size` bytes. Each byte is read once, so that what was looked at
 * is what was copied. Returns its length; -EINVAL: it does not fit with its end; -EFAULT: it is
 * not the thread's to read.
 */
/*@ requires thread_is_sound(k_cpu.current) && \valid(to + (0 .. size - 1)) && size <= INT32_MAX;
  @ assigns to[0 .. size - 1];
  @ ensures \result == -EFAULT || \result == -EINVAL || 0 <= \result < size && to[\result] == 0;
  @ ensures \forall integer i; 0 <= i <= \result ==>
  @   user_may_touch{Pre}(\at(k_cpu.current, Pre), (uintptr_t)((uintptr_t)user + i), 1, (boolean)0);
  @*/
int user_copy_string(char *to, const char *user, size_t size);

#endif /* FOLIOT_KERNEL_OBJECT_RIGHTS_H */
