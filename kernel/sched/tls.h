/* SPDX-License-Identifier: Apache-2.0 */
/* Thread-local storage: see tls.c. */
#ifndef FOLIOT_KERNEL_TLS_H
#define FOLIOT_KERNEL_TLS_H

#include "kernel/base/kernel.h"

#ifdef CONFIG_THREAD_LOCAL_STORAGE

/* The most that tls_carve() takes of a stack, bytes. */
size_t tls_room(void);

/*
 * Make `thread` its copy of the thread-local variables, with their initial values, in front of the
 * stack's end, where there are tls_room() bytes. Returns where the stack ends now.
 */
char *tls_carve(struct k_thread *thread, char *end);

#else

static inline size_t tls_room(void)
{
	return 0;
}

static inline char *tls_carve(struct k_thread *thread, char *end)
{
	return end;
}

#endif

#endif /* FOLIOT_KERNEL_TLS_H */
