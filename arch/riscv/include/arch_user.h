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

/* In each thread: its stack, as the PMP has addresses. */
struct arch_user_thread {
	uintptr_t stack_start;
	uintptr_t stack_end;
};

#define ARCH_DOMAIN_ENTRIES (BOARD_PMP_ENTRIES - ARCH_DOMAIN_FIRST)

struct arch_mem_domain {
	uintptr_t addresses[ARCH_DOMAIN_ENTRIES]; /* pmpaddr, from the first on */
	/* RV32: pmpcfg1 ...; RV64: pmpcfg0, with what lies in front, and 2. */
	uintptr_t configurations[BOARD_PMP_ENTRIES / REGBYTES - ARCH_DOMAIN_FIRST / REGBYTES];
	uintptr_t is_long; /* it goes on behind the eighth */
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
 * The ends of a fast path (kernel/syscall/fast.h), which is a jump here, and of one
 * without a result: a register is its result all the same, so that is 0.
 */
intptr_t arch_user_call_done(intptr_t result);

static inline intptr_t arch_user_call_ended(void)
{
	return arch_user_call_done(0);
}

/* Once, before threads: the regions that never change. */
void arch_user_start(void);
/*
 * Whose regions are loaded, if anybody's, the PMP's entry of the stack tells (user.inc:
 * branch_if_loaded), which is the first behind the constants (pmp.c). They are on the way to user
 * mode, where they are another thread's (CONFIG_ARCH_USER_LOADS_LATE).
 */
#ifndef CONFIG_STACK_GUARD_HW
#define RISCV_PMP_STACK_START "pmpaddr2"
#elif !defined(CONFIG_RISCV_PMP_MML)
#define RISCV_PMP_STACK_START "pmpaddr3"
#else
#define RISCV_PMP_STACK_START "pmpaddr4"
#endif

static inline uintptr_t riscv_user_stack_loaded(void)
{
	uintptr_t start;

	__asm__ volatile("csrr %0, " RISCV_PMP_STACK_START : "=r"(start));
	return start;
}

/* Nobody's: a range that begins behind all memory, and has nothing in it. */
static inline void riscv_user_forget(void)
{
	__asm__ volatile("csrw " RISCV_PMP_STACK_START ", %0" ::"r"(UINTPTR_MAX) : "memory");
}

/* It becomes a user's: its stack is known by now. */
void arch_user_prepare(struct k_thread *thread);

/* The thread's stack or domain is another one from now on. Interrupts masked. */
static inline void arch_user_switch(const struct k_thread *thread)
{
	riscv_user_forget();
}
/*
 * Let user mode read what arch_cycles() reads. Returns true if that is memory, which has to be a
 * partition of its threads' domain then: `part`.
 */
bool arch_user_cycles(struct k_mem_partition *part);

#endif /* FOLIOT_ARCH_USER_H */
