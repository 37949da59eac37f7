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
/*@ requires start + size <= UINTPTR_MAX;
  @ assigns \nothing;
  @*/
bool object_lies_in(uintptr_t start, size_t size);

#endif /* FOLIOT_KERNEL_DOMAIN_H */
