/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User mode on AArch64, EL0 behind page tables: the second, optional part of the port's contract
 * (arch/README.md). A domain has page tables and an ASID of its own; user.c says what stands in
 * them.
 */
#ifndef FOLIOT_ARCH_USER_H
#define FOLIOT_ARCH_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <board.h>

#define ARCH_PAGE 4096U

/*
 * Pages in front of each user stack: for its system calls, and a tag of its own. With the guard the
 * tag is by itself, since it stays, and the page that is not there lies between both.
 */
#define ARCH_USER_STACK_RESERVED \
	(ROUND_UP_CONST_(CONFIG_PRIVILEGED_STACK_SIZE, ARCH_PAGE) + ARCH_USER_GUARD_PAGES_)
#ifdef CONFIG_STACK_GUARD_PAGES
#define ARCH_USER_GUARD_PAGES_ (2U * ARCH_PAGE)
#else
#define ARCH_USER_GUARD_PAGES_ 0U
#endif
/* Where the call returns to that runs on the stack in front of `stack`: user.inc. */
#define ARCH_USER_CALL_PC(stack) (((const uintptr_t *)(const void *)(stack))[-2])
/* A message's bytes that go by registers, at most: x9 to x15. */
#define ARCH_IPC_REGISTERS_MAX   56U
/* Both ends of a partition are multiples of it. */
#define ARCH_PARTITION_ALIGN     ARCH_PAGE

/* A stack of `size` bytes for user mode, and that in front: what it takes, where it begins. */
#define ARCH_USER_STACK_ALIGN(size) ARCH_PAGE
#define ARCH_USER_STACK_LEN(size)   (ROUND_UP_CONST_(size, ARCH_PAGE) + ARCH_USER_STACK_RESERVED)

struct k_thread;
struct k_mem_domain;
struct k_mem_partition;
struct user_entry;

/* In each thread: which pages its stack is, as arch_mem_domain's `open` has them. */
struct arch_user_thread {
	uint64_t stack_pages;
};

/* RAM's pages, by whole tables: each has 512, of 2 MiB. */
#define ARCH_TABLE_ENTRIES 512U
#define ARCH_RAM_TABLES    ((BOARD_RAM_SIZE + 0x1FFFFFU) / 0x200000U)

/* Tables of all RAM, page by page, so that a page's entry is found by its address. */
struct aarch64_space {
	uint64_t pages[ARCH_RAM_TABLES * ARCH_TABLE_ENTRIES] __attribute__((aligned(ARCH_PAGE)));
	uint64_t blocks[ARCH_TABLE_ENTRIES]; /* of RAM's GiB: where the tables above are */
	uint64_t top[8]; /* a GiB each; aligned to its size */
};

struct arch_mem_domain {
	/* First, for assembly: */
	/* whose stack is user mode's in these tables: stack_pages, or STACK_OF_NOBODY */
	uint64_t open __attribute__((aligned(ARCH_PAGE)));
	/*
	 * the tables, and their ASID; 0: it has none yet, or has lost it, and nobody's stack is
	 * open
	 */
	uint64_t ttbr;
	uint64_t forget; /* by which the TLB forgets RAM's first page, under that ASID */
	uint8_t num_mapped; /* partitions that are in the tables */
	struct {
		uint32_t first, end; /* pages of RAM */
		uint32_t attr;
	} mapped[CONFIG_MAX_DOMAIN_PARTITIONS];
	struct aarch64_space space;
};

/*
 * x18 tells: no code uses it otherwise (-ffixed-x18), the kernel sets it when it goes to user mode,
 * and clears it when it comes from there. A user thread that changes it deceives nobody but itself.
 */
static inline bool arch_is_user_context(void)
{
	uintptr_t is_user;

	__asm__ volatile("mov %0, x18" : "=r"(is_user));
	return is_user != 0;
}

/* PAN: around what the kernel reads of user mode's memory otherwise than by a guarded copy. */
#ifdef CONFIG_AARCH64_PAN
#define ARCH_USER_OPEN()  __asm__ volatile("msr pan, #0" ::: "memory")
#define ARCH_USER_CLOSE() __asm__ volatile("msr pan, #1" ::: "memory")
#else
#define ARCH_USER_OPEN()  ((void)0)
#define ARCH_USER_CLOSE() ((void)0)
#endif

/*
 * The ends of a fast path (kernel/syscall/fast.h), which is a jump here, and of one
 * without a result.
 */
intptr_t arch_user_call_done(intptr_t result);

static inline intptr_t arch_user_call_ended(void)
{
	return arch_user_call_done(0);
}

/* Once, before threads: the tables are made. */
void arch_user_start(void);

/*
 * Whose domain and stack are loaded, if anybody's: they are on the way to user mode, where they are
 * another thread's (CONFIG_ARCH_USER_LOADS_LATE).
 */
extern const struct k_thread *aarch64_user_loaded;

/* It becomes a user's: its stack is known by now, and the whole of its pages becomes its own. */
void arch_user_prepare(struct k_thread *thread);

/* The thread's stack or domain is another one from now on. Interrupts masked. */
static inline void arch_user_switch(const struct k_thread *thread)
{
	aarch64_user_loaded = NULL;
}

/* Let user mode read what arch_cycles() reads. Returns false: no memory. */
bool arch_user_cycles(struct k_mem_partition *part);

#endif /* FOLIOT_ARCH_USER_H */
