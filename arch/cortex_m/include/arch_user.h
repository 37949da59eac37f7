/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User mode on ARMv7-M and ARMv8-M: the second, optional part of the port's contract
 * (arch/README.md). Regions of the MPU (PMSAv7, PMSAv8) bind user mode; kernel mode has the default
 * memory map behind them. mpu.c and mpu_v8.c say which region is for what, user.S how a system call
 * goes.
 */
#ifndef FOLIOT_ARCH_USER_H
#define FOLIOT_ARCH_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes in front of each user stack: for its system calls, and a tag of its own. */
#define ARCH_USER_STACK_RESERVED CONFIG_PRIVILEGED_STACK_SIZE
/* Both ends of a partition are multiples of it: of no less consists a region. */
#define ARCH_PARTITION_ALIGN     32U

#ifdef CONFIG_CORTEX_M_PMSAV8
#define ARCH_USER_STACK_ALIGN(size) MAX(32U, ARCH_STACK_ALIGN)
#define ARCH_USER_STACK_LEN(size) \
	ROUND_UP_CONST_((size) + ARCH_USER_STACK_RESERVED, ARCH_USER_STACK_ALIGN(size))
#else
/*
 * A region is a power of two, of which eighths can be left out. So a stack begins at a multiple of
 * the power of two that it fits in, together with what lies in front, and is made of its eighths.
 */
#define ARCH_POW2_CEIL_(x) (1U << (32 - __builtin_clz((unsigned int)(x) - 1U)))
#define ARCH_USER_STACK_ALIGN(size) \
	ARCH_POW2_CEIL_(ROUND_UP_CONST_(size, 32U) + ARCH_USER_STACK_RESERVED)
#define ARCH_USER_STACK_LEN(size) \
	ROUND_UP_CONST_((size) + ARCH_USER_STACK_RESERVED, ARCH_USER_STACK_ALIGN(size) / 8U)
#endif

/*
 * Where the call returns to that runs on the stack in front of `stack`: user.S has left word of
 * where the caller's registers lie, on the caller's own stack. It may have changed them, and
 * deceives its report.
 */
#define ARCH_USER_CALL_PC(stack) \
	((*(const uintptr_t *const *)((uintptr_t)(stack) - 8U))[3] & ~(uintptr_t)1)

/*
 * A stack is wiped by two stores of eight registers a time; `end` is a multiple of 64 bytes behind
 * `start`.
 */
static inline void cortex_m_fill(void *start, const void *end, uint32_t pattern)
{
	/* Bound: the bytes / 64. */
	__asm__ volatile("mov r3, %2\n\tmov r4, %2\n\tmov r5, %2\n\tmov r6, %2\n\t"
			 "mov r8, %2\n\tmov r9, %2\n\tmov r10, %2\n\tmov r12, %2\n"
			 "1:\tstmia %0!, {r3, r4, r5, r6, r8, r9, r10, r12}\n\t"
			 "stmia %0!, {r3, r4, r5, r6, r8, r9, r10, r12}\n\t"
			 "cmp %0, %1\n\tbne 1b"
			 : "+r"(start)
			 : "r"(end), "r"(pattern)
			 : "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r12", "cc", "memory");
}

#define ARCH_USER_FILL cortex_m_fill

/* Of a message's bytes (kernel/ipc/fast_bytes.c): aligned to words. */
#define ARCH_COPY_TWO_WORDS(to, from)                                                  \
	do {                                                                           \
		uint32_t first_, second_;                                              \
                                                                                       \
		__asm__ volatile("ldrd %2, %3, [%1], #8\n\tstrd %2, %3, [%0], #8"      \
				 : "+r"(to), "+r"(from), "=&r"(first_), "=&r"(second_) \
				 :                                                     \
				 : "memory");                                          \
	} while (0)

struct k_thread;
struct k_mem_domain;
struct k_mem_partition;
struct user_entry;

/* A region as the MPU has it: two registers. */
struct arch_region {
	uint32_t rbar;
#ifdef CONFIG_CORTEX_M_PMSAV8
	uint32_t rlar;
#else
	uint32_t rasr;
#endif
};

#ifdef CONFIG_CORTEX_M_PMSAV8
#define ARCH_STACK_REGIONS  1U
#define ARCH_DOMAIN_REGIONS 5U
#else
/*
 * Of the eight: code, vectors, the stack's two. With the stack guard its own is the last. Canaries'
 * word takes one of a stack's.
 */
#ifdef CONFIG_STACK_CANARIES
#define ARCH_STACK_REGIONS 1U
#else
#define ARCH_STACK_REGIONS 2U
#endif
#ifdef CONFIG_STACK_GUARD_HW
#define ARCH_DOMAIN_REGIONS 3U
#else
#define ARCH_DOMAIN_REGIONS 4U
#endif
#endif

struct arch_mem_domain {
	struct arch_region regions[ARCH_DOMAIN_REGIONS];
};

/* Where a user thread's own stack begins, and how far from there an exception's frame may. */
struct arch_user_stack {
	uintptr_t start; /* and the end of the stack of its system calls */
	size_t last_frame; /* bytes */
};

struct arch_user_thread {
	struct arch_region regions[ARCH_STACK_REGIONS];
	struct arch_user_stack stack;
};

/*
 * The process stack pointer tells: user mode reads it as 0, by the architecture, and in kernel
 * mode, handlers included, it never is. (CONTROL.nPRIV alone does not: it stays set in handlers.)
 */
static inline bool arch_is_user_context(void)
{
	uintptr_t psp;

	__asm__ volatile("mrs %0, psp" : "=r"(psp));
	return psp == 0;
}

/*
 * Whose regions are loaded, by its stack; start 0: nobody's. They bind user mode only, and are
 * looked at on the way to it (user.S, user.inc), so a switch of threads leaves them as they are.
 * What user mode asks for lies in that stack, too.
 */
struct arch_user_now {
	uintptr_t start; /* these two: struct arch_user_stack */
	size_t last_frame;
	const struct k_mem_domain *domain; /* whose regions are loaded, whoever's stack */
};

extern struct arch_user_now cortex_m_user_now;

/*
 * The ends of a fast path (kernel/syscall/fast.h), which runs in the handler of the
 * supervisor call and returns as that does: its result is put where the core takes the caller's r0
 * from, which is as it was where there is none.
 */
static inline intptr_t arch_user_call_done(intptr_t result)
{
	intptr_t *frame; /* and what is returned, which nobody looks at: one move less */

	__asm__ volatile("mrs %0, psp\n\tstr %1, [%0]" : "=&r"(frame) : "r"(result) : "memory");
	return (intptr_t)frame;
}

static inline intptr_t arch_user_call_ended(void)
{
	intptr_t anything;

	__asm__("" : "=r"(anything)); /* nobody looks at it either */
	return anything;
}

/*
 * What goes on behind that handler finds the caller's words in its frame: who sends it there may
 * have lost them.
 */
#define ARCH_USER_CALL_KEEPS_WORDS

/* Once, before threads: the regions that never change. */
void arch_user_start(void);
/* It becomes a user's: its stack is known by now. */
void arch_user_prepare(struct k_thread *thread);
/* The thread's stack or domain is another one from now on. Interrupts masked. */
void arch_user_switch(const struct k_thread *thread);
/*
 * Let user mode read what arch_cycles() reads. Returns true if that is memory, which has to be a
 * partition of its threads' domain then: `part`.
 */
bool arch_user_cycles(struct k_mem_partition *part);

#endif /* FOLIOT_ARCH_USER_H */
