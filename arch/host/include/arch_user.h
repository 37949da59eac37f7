/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User mode on the fake machine: the second, optional part of the port's contract
 * (arch/README.md). A user thread is one whose calls go through the system calls' entry, on a stack
 * of their own, to the verifiers, as on the targets; and whose memory is what the registers of a
 * fake protection unit say. NOTHING IS PROTECTED: it is one process, and the unit is asked by who
 * wants to know (host_user_may()). It is there so that fuzzers and sanitizers see the boundary.
 */
#ifndef FOLIOT_ARCH_USER_H
#define FOLIOT_ARCH_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes in front of each user stack: for its system calls, and a tag of its own. */
#define ARCH_USER_STACK_RESERVED CONFIG_PRIVILEGED_STACK_SIZE
/* Where the call returns to that runs on the stack in front of `stack`: user.S. */
#define ARCH_USER_CALL_PC(stack) (((const uintptr_t *)(const void *)(stack))[-2])
/* Both ends of a partition are multiples of it. */
#define ARCH_PARTITION_ALIGN     8U

/* A stack of `size` bytes for user mode, and that in front: what it takes, where it begins. */
#define ARCH_USER_STACK_ALIGN(size) ARCH_STACK_ALIGN
#define ARCH_USER_STACK_LEN(size) \
	(ROUND_UP_CONST_(size, ARCH_STACK_ALIGN) + ARCH_USER_STACK_RESERVED)

struct k_thread;
struct k_mem_domain;
struct k_mem_partition;
struct user_entry;

/* In each thread: nothing, a stack's two addresses say all. */
struct arch_user_thread {
};

/* The unit has registers for so many partitions: fewer than a domain may have. */
#define ARCH_DOMAIN_REGIONS 5

struct arch_region {
	uintptr_t start;
	size_t size; /* 0: off */
	uint32_t rights; /* K_MEM_PARTITION_READ_ and the like */
};

struct arch_mem_domain {
	struct arch_region regions[ARCH_DOMAIN_REGIONS];
};

extern bool host_user_mode;

static inline bool arch_is_user_context(void)
{
	return host_user_mode;
}

/* Once, before threads. */
void arch_user_start(void);
/* It becomes a user's: its stack is known by now, and the whole of what was defined is its own. */
void arch_user_prepare(struct k_thread *thread);
/* The thread's stack and domain are what user mode may touch. Interrupts masked. */
void arch_user_switch(const struct k_thread *thread);
/*
 * Let user mode read what arch_cycles() reads. Returns true if that is memory, which has to be a
 * partition of its threads' domain then: `part`.
 */
bool arch_user_cycles(struct k_mem_partition *part);

/* The ends of a fast path (kernel/syscall/fast.h), which returns to the entry. */
static inline intptr_t arch_user_call_done(intptr_t result)
{
	return result;
}

static inline intptr_t arch_user_call_ended(void)
{
	return 0;
}

#endif /* FOLIOT_ARCH_USER_H */
