/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rest of assumed.h, which speaks of the kernel's own types: read behind each source. Where a
 * source has a contract of its own for one of these, that counts and is proved.
 */
#ifndef FOLIOT_PROVE_ASSUMED_OF_OBJECTS_H
#define FOLIOT_PROVE_ASSUMED_OF_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include "kernel/hooks/user.h"

/*
 * The quick look at an object reads a right at an address that it computes of the thread's and the
 * index, which WP's memory has no words for. On the image's bytes it is proved for each verifier.
 * Tried by: tests/lab/test_prove_assembly.py (verifiers of objects), tests/user/access.c
 */
/*@ requires \valid_read(k_cpu.current) && tag_offset <= UINT16_MAX && is_plain(kind);
  @ requires BOARD_RAM_BASE <= (uintptr_t)((uintptr_t)object + tag_offset) <
  @   BOARD_RAM_BASE + BOARD_RAM_SIZE;
  @ assigns \nothing;
  @ ensures \result ==> is_there((void *)object, tag_offset, kind) &&
  @   !is_counted(&object_table[place_of((uintptr_t)object, tag_offset)]);
  @*/
static inline bool object_is_usable_with_tag(const void *object, size_t tag_offset,
					     unsigned int kind);

/*
 * A pointer is an address: so many bytes behind a pointer is where the sum of both as numbers is.
 * Tried by: tests/user/memory.c, tests/user/fuzz
 */
/*@ assigns \nothing;
  @ ensures \result == (void *)((char *)start + offset);
  @ ensures (uintptr_t)\result == (uintptr_t)((uintptr_t)start + offset);
  @*/
static void *at_offset(const void *start, size_t offset);

/*
 * For sources that do not see what its contract speaks of; there it is proved.
 * Tried by: tests/lab/test_prove.py (kernel/access/user_pointer.c), tests/ipc
 */
/*@ assigns *known; */
bool user_know(struct user_known *known, const struct k_thread *user, uintptr_t address,
	       size_t left, bool write);
/* Tried by: tests/lab/test_prove.py (kernel/access/object_rights.c), tests/user/access.c */
/*@ requires kind < K_OBJ_LAST_;
  @ assigns \nothing;
  @ ensures \result <= UINT16_MAX && \result == tag_offset_of(kind);
  @*/
size_t object_tag_offset(unsigned int kind);
/* Tried by: tests/lab/test_prove.py (kernel/access/object_rights.c), tests/user/access.c */
/*@ assigns \nothing;
  @ ensures kind >= K_OBJ_THREAD_STACK_ELEMENT ==> \result == 0;
  @ ensures \result == size_of_kind(kind);
  @*/
size_t object_size(unsigned int kind);
/* Tried by: tests/lab/test_prove.py (kernel/access/object_rights.c), tests/user/access.c */
/*@ requires \valid(tag) && \separated(tag, &object_table[0 .. CONFIG_USER_OBJECTS - 1]);
  @ assigns *tag, object_table[0 .. CONFIG_USER_OBJECTS - 1].kind,
  @   object_names[0 .. CONFIG_USER_OBJECTS - 1];
  @*/
void user_object_ready(const void *object, struct k_object_tag *tag, uint16_t index);

/*
 * What verifiers go on with behind an operation, which may write everything: who is in the call is
 * sound again when it goes on, and a message queue's messages are as long as they were.
 * Tried by: tests/user/fuzz, tests/user/memory.c
 */
/*@ requires some_may_be_used((void *)stack, K_OBJ_STACK) && is_wait(timeout.ticks);
  @ requires \valid(data);
  @ ensures caller_is_sound && \result == answered;
  @*/
int k_stack_pop(struct k_stack *stack, stack_data_t *data, k_timeout_t timeout);
/* Tried by: tests/user/fuzz, tests/user/memory.c */
/*@ requires some_may_be_used((void *)msgq, K_OBJ_MSGQ) && is_wait(timeout.ticks);
  @ requires \valid((char *)data + (0 .. msgq->msg_size - 1));
  @ ensures caller_is_sound && \valid_read(msgq) && msgq->msg_size == \old(msgq->msg_size);
  @*/
int k_msgq_get(struct k_msgq *msgq, void *data, k_timeout_t timeout);
/* Tried by: tests/user/fuzz, tests/user/memory.c */
/*@ requires some_may_be_used((void *)msgq, K_OBJ_MSGQ);
  @ requires \valid((char *)data + (0 .. msgq->msg_size - 1));
  @ ensures caller_is_sound && \valid_read(msgq) && msgq->msg_size == \old(msgq->msg_size);
  @*/
int k_msgq_peek_at(struct k_msgq *msgq, void *data, uint32_t idx);
/* Tried by: tests/user/fuzz, tests/user/memory.c */
/*@ ensures caller_is_sound; */
int64_t k_uptime_ticks(void);
/* Tried by: tests/user/fuzz, tests/user/memory.c */
/*@ requires is_key(key);
  @ ensures caller_is_sound;
  @ ensures word_seen == \old(word_seen) && moment_of_word == \old(moment_of_word);
  @*/
bool sched_arm_first(k_timeout_t timeout, int timeout_value, unsigned int key);
/* Tried by: tests/user/polls.c, tests/user/fuzz */
/*@ ensures word_seen == \old(word_seen); */
void sched_disarm(void);

/*
 * What an operation answers has a name, and nothing more is said of it; who hands it on does so.
 * Tried by: tests/user/pipes.c, tests/user/fuzz
 */
/*@ requires some_may_be_used((void *)pipe, K_OBJ_PIPE + OBJECT_NOT_READY);
  @ ensures \result == answered;
  @*/
int pipe_alloc_init(struct k_pipe *pipe, size_t size);
/* Tried by: tests/user/threads.c, tests/user/fuzz */
/*@ requires some_may_be_used((void *)thread, K_OBJ_THREAD) && is_wait(timeout.ticks);
  @ ensures \result == answered;
  @*/
int k_thread_join(k_tid_t thread, k_timeout_t timeout);
/* Tried by: tests/user/calls.c, tests/user/fuzz */
/*@ requires some_may_be_used((void *)mutex, K_OBJ_MUTEX) && is_wait(timeout.ticks);
  @ requires mutex->generation != k_cpu.current->generation || mutex->lock_count < UINT32_MAX;
  @ ensures \result == answered;
  @*/
int k_mutex_lock(struct k_mutex *mutex, k_timeout_t timeout);
/*
 * Nobody has woken since the word was read.
 * Tried by: tests/user/polls.c, tests/user/everywhere
 */
/*@ requires is_key(key) && is_wait(timeout.ticks);
  @ requires wakes_at(moment) == wakes_at(moment_of_word);
  @ ensures \result == answered && word_seen == \old(word_seen);
  @*/
int futex_wait(const struct k_futex *futex, k_timeout_t timeout, unsigned int key);
/*
 * A counter that others change is another at each look.
 * Tried by: tests/user/everywhere
 */
/*@ assigns moment;
  @ ensures \result == wakes_at(moment);
  @*/
static inline uint32_t futex_wakes_now(void);
#ifdef CONFIG_IPC
/* Tried by: tests/ipc, tests/user/fuzz */
/*@ requires some_may_be_used((void *)gate, K_OBJ_IPC_GATE) && is_wait(timeout.ticks);
  @ requires is_key(key) && hands_are_own && takes_nothing && all_is_sent;
  @ ensures caller_is_sound;
  @*/
int ipc_send(struct k_ipc_gate *gate, k_timeout_t timeout, unsigned int key);
/* Tried by: tests/ipc, tests/user/fuzz */
/*@ requires is_key(key) && hands_are_own && takes_nothing && all_is_sent;
  @ ensures caller_is_sound;
  @*/
int ipc_reply(unsigned int key);
/* Tried by: tests/ipc, tests/user/fuzz */
/*@ requires some_may_be_used((void *)gate, K_OBJ_IPC_GATE) && is_wait(timeout.ticks);
  @ requires is_key(key) && hands_are_own && all_is_sent && all_has_room;
  @ ensures caller_is_sound;
  @*/
int ipc_call(struct k_ipc_gate *gate, k_timeout_t timeout, unsigned int key);
/* Tried by: tests/ipc, tests/user/fuzz */
/*@ requires some_may_be_used((void *)endpoint, K_OBJ_IPC_ENDPOINT) && is_wait(timeout.ticks);
  @ requires is_key(key) && hands_are_own && sends_nothing && all_has_room;
  @ ensures caller_is_sound;
  @*/
int ipc_receive(struct k_ipc_endpoint *endpoint, k_timeout_t timeout, unsigned int key);
/* Tried by: tests/ipc, tests/user/fuzz */
/*@ requires some_may_be_used((void *)endpoint, K_OBJ_IPC_ENDPOINT) && is_wait(timeout.ticks);
  @ requires is_key(key) && hands_are_own && all_is_sent && all_has_room;
  @ ensures caller_is_sound;
  @*/
int ipc_reply_receive(struct k_ipc_endpoint *endpoint, k_timeout_t timeout, unsigned int key);
#endif
/* Tried by: tests/user/fuzz, tests/user/access.c */
/*@ ensures caller_is_sound && threads_are_there && answered == \old(answered); */
void references_reap(void);

/*
 * What initialises an object writes that, and what the table says of it.
 * Tried by: tests/lab/test_prove.py::test_what_initialises_a_mutex_writes_what_is_assumed
 */
/*@ requires some_may_be_used((void *)mutex, K_OBJ_MUTEX + OBJECT_NOT_READY);
  @ assigns *mutex, object_table[0 .. CONFIG_USER_OBJECTS - 1].kind,
  @   object_names[0 .. CONFIG_USER_OBJECTS - 1];
  @*/
int k_mutex_init(struct k_mutex *mutex);
/* Tried by: tests/lab/test_prove.py (kernel/objects/condition_variable.c) */
/*@ requires some_may_be_used((void *)condvar, K_OBJ_CONDVAR + OBJECT_NOT_READY);
  @ assigns *condvar, object_table[0 .. CONFIG_USER_OBJECTS - 1].kind,
  @   object_names[0 .. CONFIG_USER_OBJECTS - 1];
  @*/
int k_condvar_init(struct k_condvar *condvar);
/* Tried by: tests/lab/test_prove.py (kernel/objects/sem.c) */
/*@ requires some_may_be_used((void *)sem, K_OBJ_SEM + OBJECT_NOT_READY);
  @ assigns *sem, object_table[0 .. CONFIG_USER_OBJECTS - 1].kind,
  @   object_names[0 .. CONFIG_USER_OBJECTS - 1];
  @ ensures 0 < limit && initial <= limit ? \result == 0 : \result == -EINVAL;
  @*/
int k_sem_init(struct k_sem *sem, unsigned int initial, unsigned int limit);
/*
 * A thread's generation is of three places.
 * Tried by: tests/lab/test_prove.py (kernel/sched/generation.c)
 */
/*@ requires \valid(thread);
  @ assigns thread->generation, thread->next_named, generation_places[0 .. GENERATION_PLACES - 1];
  @*/
uint32_t generation_give(struct k_thread *thread);

/*
 * One more in the list of what is polled, which is there and has room (verify_k_poll()).
 * Tried by: tests/user/polls.c, tests/user/fuzz
 */
/*@ assigns object_table[0 .. CONFIG_USER_OBJECTS - 1].references, *k_cpu.current->user.polled; */
void reference_poll(const void *object, size_t tag_offset);

/*
 * The same of those that only read, and are proved where they stand.
 * Tried by: tests/lab/test_prove.py (kernel/objects/msgq.c)
 */
/*@ requires some_may_be_used((void *)msgq, K_OBJ_MSGQ) && \valid(attrs);
  @ assigns *attrs;
  @*/
void k_msgq_get_attrs(const struct k_msgq *msgq, struct k_msgq_attrs *attrs);
/* Tried by: tests/lab/test_prove.py (kernel/objects/poll.c) */
/*@ requires some_may_be_used((void *)sig, K_OBJ_POLL_SIGNAL);
  @ requires \valid(signaled) && \valid(result);
  @ assigns *signaled, *result;
  @*/
void k_poll_signal_check(struct k_poll_signal *sig, unsigned int *signaled, int *result);

/* Tried by: tests/user/threads.c, tests/user/fuzz */
/*@ requires thread_is_there((struct k_thread *)thread) && \valid(unused_bytes);
  @ assigns *unused_bytes, answered;
  @ ensures \result == answered;
  @*/
int k_thread_stack_space_get(k_tid_t thread, size_t *unused_bytes);
/*
 * As user_violation(), for reasons that are a thread's own.
 * Tried by: tests/user/memory.c, tests/user/access.c
 */
/*@ requires reason == (raised == K_ERR_STACK_CHK_FAIL ? raised : K_ERR_KERNEL_OOPS);
  @ assigns \nothing;
  @ ensures 0 == 1;
  @*/
void user_fatal(unsigned int reason, const char *what);

#endif /* FOLIOT_PROVE_ASSUMED_OF_OBJECTS_H */
