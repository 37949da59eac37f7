/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * sys_mutex: a k_mutex by another name. A user thread needs access to it: k_object_access_grant()
 * of its member kernel_mutex, which lies in the kernel's memory, where Zephyr has it in the
 * application's.
 */
#ifndef ZEPHYR_SYS_MUTEX_H
#define ZEPHYR_SYS_MUTEX_H

#include <foliot/kernel.h>
#include <zephyr/sys/util.h>

EXTERN_C_BEGIN_

/** A mutex. */
struct sys_mutex {
	struct k_mutex kernel_mutex; /**< for k_object_access_grant() */
};

/** Define a mutex, not locked, ready before any code runs; at file scope. */
#define SYS_MUTEX_DEFINE(name) struct sys_mutex name = {K_MUTEX_INITIALIZER}

/** Prepare a mutex that is not locked. Context: either. */
static inline void sys_mutex_init(struct sys_mutex *mutex)
{
	(void)k_mutex_init(&mutex->kernel_mutex);
}

/** k_mutex_lock(). Returns 0, -EBUSY or -EAGAIN as that. Context: thread. */
static inline int sys_mutex_lock(struct sys_mutex *mutex, k_timeout_t timeout)
{
	return k_mutex_lock(&mutex->kernel_mutex, timeout);
}

/** k_mutex_unlock(). Returns 0, -EINVAL or -EPERM as that. Context: thread. */
static inline int sys_mutex_unlock(struct sys_mutex *mutex)
{
	return k_mutex_unlock(&mutex->kernel_mutex);
}

EXTERN_C_END_

#endif /* ZEPHYR_SYS_MUTEX_H */
