/* SPDX-License-Identifier: Apache-2.0 */
/* Memory domains, for the rest of the boundary: see include/foliot/mem_domain.h. */
#ifndef FOLIOT_KERNEL_DOMAIN_H
#define FOLIOT_KERNEL_DOMAIN_H

#include "kernel/hooks/user.h"
#include "kernel/base/object_table.h"
#include <foliot/mem_domain.h>

/* At start: the application's partitions get their sizes, the default domain exists. */
void domain_start(void);

/*
 * Can threads of any domain touch a byte of that range? Or is it a stack of theirs? Masked, but all
 * domains are asked with interrupts as `key` has them: the answer is as of the end, and what
 * else the caller has seen may be old then.
 */
bool domain_reaches(uintptr_t start, size_t size, unsigned int key);

/* Bytes of an object of each kind, but for a stack. */
extern const uint16_t object_sizes[K_OBJ_LAST_];

/*@ logic integer object_bytes(integer kind) = kind == K_OBJ_THREAD_STACK_ELEMENT ?
  @   ARCH_USER_STACK_RESERVED : object_sizes[kind];
  @ predicate table_is_sound{L} = (\forall integer i; 0 <= i < CONFIG_USER_OBJECTS ==>
  @   object_table[i].kind % 32 < K_OBJ_LAST_) && \forall integer i;
  @   0 <= i < CONFIG_USER_OBJECTS ==> (uintptr_t)object_table[i].object +
  @     object_bytes(object_table[i].kind % 32) + object_table[i].size <= UINTPTR_MAX;
  @ predicate object_meets{L}(integer i, integer start, integer size) =
  @   (uintptr_t)object_table[i].object != 0 &&
  @   (uintptr_t)object_table[i].object < start + size && start <
  @     (uintptr_t)object_table[i].object + object_bytes(object_table[i].kind % 32) +
  @     object_table[i].size;
  @ predicate objects_meet{L}(integer start, integer size) = \exists integer i;
  @   0 <= i < CONFIG_USER_OBJECTS && object_meets(i, start, size);
  @*/
/* object_rights.c: does an object that threads may use have a byte there? Masked. */
/*@ requires start + size <= UINTPTR_MAX && table_is_sound;
  @ assigns \nothing;
  @ ensures \result ==> objects_meet(start, size);
  @ ensures objects_meet(start, size) ==> \result;
  @*/
bool object_lies_in(uintptr_t start, size_t size);

#endif /* FOLIOT_KERNEL_DOMAIN_H */
