/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User mode on RISC-V: the second, optional part of the port's contract (arch/README.md).
 * Unlocked PMP regions bind user mode only; machine mode needs none.
 */
#ifndef FOLIOT_ARCH_USER_H
#define FOLIOT_ARCH_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <arch_width.h>

/* Bytes in front of each user stack: for its system calls, and a tag of its own. */
#define ARCH_USER_STACK_RESERVED CONFIG_PRIVILEGED_STACK_SIZE
/* Where the call returns to that runs on the stack in front of `stack`: user.inc, USER_FRAME_RA. */
#define ARCH_USER_CALL_PC(stack) (((const uintptr_t *)(const void *)(stack))[-3])
/* Both ends of a partition are multiples of it. */
#define ARCH_PARTITION_ALIGN     4U

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

/* The first PMP entry of a domain's: pmp.c has what lies in front. */
#ifndef CONFIG_STACK_GUARD_HW
#define ARCH_DOMAIN_FIRST 4
#elif !defined(CONFIG_RISCV_PMP_MML)
#define ARCH_DOMAIN_FIRST 5
#else
#define ARCH_DOMAIN_FIRST 6
#endif
#define ARCH_DOMAIN_ENTRIES (BOARD_PMP_ENTRIES - ARCH_DOMAIN_FIRST)

struct arch_mem_domain {
	uintptr_t addresses[ARCH_DOMAIN_ENTRIES]; /* pmpaddr, from the first on */
	/* RV32: pmpcfg1 ...; RV64: pmpcfg0, with what lies in front, and 2. */
	uintptr_t configurations[BOARD_PMP_ENTRIES / REGBYTES - ARCH_DOMAIN_FIRST / REGBYTES];
};

/*
 * tp tells: the kernel does not use it otherwise, sets it when it goes to user mode, and clears
 * it when it comes from there. A user thread that changes it deceives nobody but itself.
 */
static inline bool arch_is_user_context(void)
{
	uintptr_t is_user;

	__asm__ volatile("mv %0, tp" : "=r"(is_user));
	return is_user != 0;
}

/*
 * The ends of a quick call (kernel/protect/verify_quick.c), which is a jump here, and of one without a result: a
 * register is its result all the same, so that is 0.
 */
int arch_user_call_done(int result);

static inline void arch_user_call_ended(void)
{
	(void)arch_user_call_done(0);
}

/* Once, before threads: the regions that never change. */
void arch_user_start(void);
/*
 * Whose regions are loaded, if anybody's: they are on the way to user mode, where they are another
 * thread's (pmp.c, CONFIG_ARCH_USER_LOADS_LATE).
 */
extern const struct k_thread *riscv_user_loaded;

/* It becomes a user's: its stack is known by now. */
static inline void arch_user_prepare(struct k_thread *thread)
{
	if (riscv_user_loaded == thread) {
		riscv_user_loaded = NULL; /* which lived in that block before, on another stack */
	}
}

/* The thread's stack or domain is another one from now on. Interrupts masked. */
static inline void arch_user_switch(const struct k_thread *thread)
{
	riscv_user_loaded = NULL;
}
/*
 * Let user mode read what arch_cycles() reads. Returns true if that is memory, which has to be a
 * partition of its threads' domain then: `part`.
 */
bool arch_user_cycles(struct k_mem_partition *part);

#endif /* FOLIOT_ARCH_USER_H */
