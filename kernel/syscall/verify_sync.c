/* SPDX-License-Identifier: Apache-2.0 */
/* System calls: semaphores, mutexes, condition variables, events. */
#include "kernel/syscall/slow.h" /* first: by which label calls are called */
#include "kernel/objects/event_flags.h"
#include "kernel/objects/mutex.h"
#include "kernel/objects/sem.h"
#include "kernel/objects/sem_ops.h"
#include "kernel/objects/condition_variable_ops.h"
#include "kernel/objects/event_ops.h"
#include "kernel/objects/mutex_ops.h"

#define VERIFY_SEM(sem)         VERIFY_OBJECT(sem, struct k_sem, K_OBJ_SEM)
#define VERIFY_MUTEX(mutex)     VERIFY_OBJECT(mutex, struct k_mutex, K_OBJ_MUTEX)
#define VERIFY_CONDVAR(condvar) VERIFY_OBJECT(condvar, struct k_condvar, K_OBJ_CONDVAR)
#define VERIFY_EVENT(event)     VERIFY_OBJECT(event, struct k_event, K_OBJ_EVENT)

/* Contracts know no offsetof(). */
enum { TAG_OF_SEM = OBJECT_TAG_OFFSET(struct k_sem) };
enum { TAG_OF_MUTEX = OBJECT_TAG_OFFSET(struct k_mutex) };
/*@ requires caller_is_sound;
  @ ensures !is_there{Pre}((void *)sem, TAG_OF_SEM, K_OBJ_SEM) ==>
  @   (0 < limit && initial <= limit ? \result == 0 : \result == -EINVAL);
  @*/
int verify_k_sem_init(struct k_sem *sem, unsigned int initial, unsigned int limit)
{
	unsigned int key;
	int result;

	K_SYSCALL_NARROW(initial);
	K_SYSCALL_NARROW(limit);
	if (verify_init_again(sem, OBJECT_TAG_OFFSET(struct k_sem), K_OBJ_SEM, &key)) {
		return sem_init_again(sem, initial, limit, key);
	}
	result = k_sem_init(sem, initial, limit);
	irq_unlock(key);
	return result;
}

/*@ requires caller_is_sound; */
void verify_k_sem_reset(struct k_sem *sem)
{
	VERIFY_SEM(sem);
	k_sem_reset(sem);
}

/*@ requires caller_is_sound; */
unsigned int verify_k_sem_count_get(const struct k_sem *sem)
{
	VERIFY_SEM(sem);
	return k_sem_count_get(sem);
}

/*@ predicate mutex_is_sound{L}(struct k_mutex *mutex) =
  @   some_may_be_used((void *)mutex, K_OBJ_MUTEX) ==> \valid_read(mutex);
  @*/
/*
 * Again only while nobody holds it: nobody waits at it then, and it is as it would be afterwards.
 */
/*@ requires caller_is_sound && mutex_is_sound(mutex);
  @ ensures is_there{Pre}((void *)mutex, TAG_OF_MUTEX, K_OBJ_MUTEX) ==>
  @   \old(mutex->generation) == GENERATION_NOBODY;
  @ ensures \result == 0;
  @*/
int verify_k_mutex_init(struct k_mutex *mutex)
{
	unsigned int key;
	bool is_again = verify_init_again(mutex, OBJECT_TAG_OFFSET(struct k_mutex), K_OBJ_MUTEX,
					  &key);
	bool is_held = is_again && mutex->generation != GENERATION_NOBODY;

	if (!is_again) {
		(void)k_mutex_init(mutex);
	}
	irq_unlock(key);
	if (is_held) {
		user_violation("a mutex that somebody holds is not initialised");
	}
	return 0;
}

/* Is it the caller's? */
/*@ requires \valid_read(mutex) && \valid_read(k_cpu.current);
  @ assigns \nothing;
  @ ensures \result <==> mutex->generation == k_cpu.current->generation;
  @*/
static bool holds(const struct k_mutex *mutex)
{
	return mutex_is_held_by(mutex, k_cpu.current);
}

/*@ requires caller_is_sound && mutex_is_sound(mutex);
  @ requires some_may_be_used((void *)mutex, K_OBJ_MUTEX);
  @ ensures \old(mutex->generation) == \old(k_cpu.current->generation) &&
  @   \old(mutex->lock_count) == UINT32_MAX ? \result == -EINVAL : \result == answered;
  @*/
int checked_k_mutex_lock(struct k_mutex *mutex, k_timeout_t timeout)
{
	if (unlikely(holds(mutex) && mutex->lock_count == UINT32_MAX)) {
		return -EINVAL;
	}
	return k_mutex_lock(mutex, verify_timeout(timeout));
}

/*@ requires caller_is_sound;
  @ ensures \result == 0;
  @*/
int verify_k_condvar_init(struct k_condvar *condvar)
{
	unsigned int key;

	/* Again it has nothing but those who wait, and they go on waiting. */
	if (!verify_init_again(condvar, OBJECT_TAG_OFFSET(struct k_condvar), K_OBJ_CONDVAR, &key)) {
		(void)k_condvar_init(condvar);
	}
	irq_unlock(key);
	return 0;
}

/*@ requires caller_is_sound && mutex_is_sound(mutex);
  @ ensures \old(mutex->generation) != \old(k_cpu.current->generation) ==> \result == -EPERM;
  @*/
int verify_k_condvar_wait(struct k_condvar *condvar, struct k_mutex *mutex, k_timeout_t timeout)
{
	VERIFY_CONDVAR(condvar);
	VERIFY_MUTEX(mutex);
	if (unlikely(!holds(mutex))) {
		return -EPERM;
	}
	return k_condvar_wait(condvar, mutex, verify_timeout(timeout));
}

/*@ requires caller_is_sound; */
int verify_k_condvar_broadcast(struct k_condvar *condvar)
{
	VERIFY_CONDVAR(condvar);
	return k_condvar_broadcast(condvar);
}

/*@ requires caller_is_sound; */
void verify_k_event_init(struct k_event *event)
{
	unsigned int key = verify_init_begin(event, OBJECT_TAG_OFFSET(struct k_event), K_OBJ_EVENT);

	k_event_init(event);
	irq_unlock(key);
}

/*@ requires caller_is_sound; */
uint32_t verify_k_event_set_masked(struct k_event *event, uint32_t events, uint32_t mask)
{
	VERIFY_EVENT(event);
	return k_event_set_masked(event, events, mask);
}

/*@ requires caller_is_sound; */
uint32_t verify_k_event_clear(struct k_event *event, uint32_t events)
{
	VERIFY_EVENT(event);
	return k_event_clear(event, events);
}

/*@ requires caller_is_sound; */
uint32_t verify_k_event_wait_safe(struct k_event *event, uint32_t events, bool reset,
				  k_timeout_t timeout)
{
	VERIFY_EVENT(event);
	return k_event_wait_safe(event, events, reset, verify_timeout(timeout));
}

/*@ requires caller_is_sound; */
uint32_t verify_k_event_wait_all_safe(struct k_event *event, uint32_t events, bool reset,
				      k_timeout_t timeout)
{
	VERIFY_EVENT(event);
	return k_event_wait_all_safe(event, events, reset, verify_timeout(timeout));
}

/*@ requires caller_is_sound; */
uint32_t verify_k_event_test(const struct k_event *event, uint32_t mask)
{
	VERIFY_EVENT(event);
	return k_event_test(event, mask);
}
