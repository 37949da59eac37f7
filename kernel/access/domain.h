/* SPDX-License-Identifier: Apache-2.0 */
/* Memory domains, for the rest of the boundary: see include/foliot/mem_domain.h. */
#ifndef FOLIOT_KERNEL_DOMAIN_H
#define FOLIOT_KERNEL_DOMAIN_H

#include "kernel/hooks/user.h"
#include <foliot/mem_domain.h>

/* At start: the application's partitions get their sizes, the default domain exists. */
void domain_start(void);

/*
 * Can threads of any domain touch a byte of that range? Or is it a stack of theirs? Masked, but all
 * domains are asked with interrupts as `key` has them: the answer is as of the end, and what
 * else the caller has seen may be old then.
 */
bool domain_reaches(uintptr_t start, size_t size, unsigned int key);

/* object_rights.c: does an object that threads may use have a byte there? Masked. */
/*@ logic integer bytes_of_kind(integer kind) =
  @   kind == K_OBJ_CONDVAR ? sizeof(struct k_condvar) :
  @   kind == K_OBJ_EVENT ? sizeof(struct k_event) :
  @   kind == K_OBJ_MSGQ ? sizeof(struct k_msgq) :
  @   kind == K_OBJ_MUTEX ? sizeof(struct k_mutex) :
  @   kind == K_OBJ_PIPE ? sizeof(struct k_pipe) :
  @   kind == K_OBJ_POLL_SIGNAL ? sizeof(struct k_poll_signal) :
  @   kind == K_OBJ_QUEUE ? sizeof(struct k_queue) :
  @   kind == K_OBJ_SEM ? sizeof(struct k_sem) :
  @   kind == K_OBJ_STACK ? sizeof(struct k_stack) :
  @   kind == K_OBJ_THREAD ? sizeof(struct k_thread) :
  @   kind == K_OBJ_TIMER ? sizeof(struct k_timer) :
  @   kind == K_OBJ_THREAD_STACK_ELEMENT ? ARCH_USER_STACK_RESERVED :
  @   kind == K_OBJ_IPC_ENDPOINT ? sizeof(struct k_ipc_endpoint) :
  @   kind == K_OBJ_IPC_GATE ? sizeof(struct k_ipc_gate) : 0;
  @ logic integer end_of{L}(struct object_entry *entry) = (uintptr_t)entry->object +
  @   bytes_of_kind(entry->kind % 32) + entry->size;
  @ predicate objects_are_sound{L} = \forall integer i; 0 <= i < CONFIG_USER_OBJECTS ==>
  @   object_table[i].kind % 32 < K_OBJ_LAST_ && end_of(&object_table[i]) <= UINTPTR_MAX;
  @ predicate object_meets{L}(struct object_entry *entry, integer start, integer size) =
  @   (uintptr_t)entry->object != 0 && (uintptr_t)entry->object < start + size &&
  @   start < end_of(entry);
  @*/
/*@ requires start + size <= UINTPTR_MAX && objects_are_sound;
  @ assigns \nothing;
  @ ensures \result <==> \exists integer i; 0 <= i < CONFIG_USER_OBJECTS &&
  @   object_meets(&object_table[i], start, size);
  @*/
bool object_lies_in(uintptr_t start, size_t size);

#endif /* FOLIOT_KERNEL_DOMAIN_H */
