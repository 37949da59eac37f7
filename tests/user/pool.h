/* SPDX-License-Identifier: Apache-2.0 */
/* The resource pool of the tests of allocated objects: what is free in it tells what was freed. */
#ifndef USER_POOL_H
#define USER_POOL_H

#include "user.h"

#define POOL_SIZE (256 * sizeof(void *))
extern struct k_heap pool;

/* Bytes of its largest block; and it is this thread's pool from now on. */
size_t pool_free(void);

/* As user_prepare(), and it is that thread's pool. */
k_tid_t prepare_with_pool(k_thread_entry_t entry, void *p1, void *p2, void *p3);

#endif /* USER_POOL_H */
