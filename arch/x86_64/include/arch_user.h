/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User mode on x86-64, ring 3 behind page tables: the second, optional part of the port's contract
 * (arch/README.md). views.c says what stands in the tables.
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

/* A message's bytes that go by registers, at most: rbx, rbp, r12 to r15. */
#define ARCH_IPC_REGISTERS_MAX 48U

/* Both ends of a partition are multiples of it. */
#define ARCH_PARTITION_ALIGN ARCH_PAGE

/* A stack of `size` bytes for user mode, and that in front: what it takes, where it begins. */
#define ARCH_USER_STACK_ALIGN(size) ARCH_PAGE
#define ARCH_USER_STACK_LEN(size)   (ROUND_UP_CONST_(size, ARCH_PAGE) + ARCH_USER_STACK_RESERVED)

/* Where the call that runs on the stack in front of `stack` came from: as far as it can be told. */
uintptr_t x86_64_call_pc(const char *stack);
#define ARCH_USER_CALL_PC(stack) x86_64_call_pc(stack)

struct k_thread;
struct k_mem_domain;
struct k_mem_partition;
struct user_entry;

/*
 * A stack's entries in the tables that all domains share: where they end, and how many there are,
 * below 0, so that counting them up from there ends at 0.
 */
struct x86_64_stack {
	uint64_t *end;
	intptr_t first;
};

/* In each thread: its own. */
struct arch_user_thread {
	struct x86_64_stack stack;
};

#define ARCH_TABLE_ENTRIES 512U
#define ARCH_TABLE_BYTES   (ARCH_TABLE_ENTRIES * ARCH_PAGE) /* what a table of pages maps: 2 MiB */
/* So many of those 2 MiB of RAM may hold partitions of one domain. */
#define ARCH_DOMAIN_TABLES 2U

struct x86_64_table {
	uint64_t entries[ARCH_TABLE_ENTRIES];
} __attribute__((aligned(ARCH_PAGE)));

struct arch_mem_domain {
	struct x86_64_table top, directories, directory;
	struct x86_64_table pages[ARCH_DOMAIN_TABLES]; /* of those that hold partitions */
	uint8_t used[ARCH_DOMAIN_TABLES]; /* partitions in there */
	uint16_t which[ARCH_DOMAIN_TABLES]; /* of RAM's, where there are any */
	uint8_t num_mapped; /* what is in the tables: */
	struct {
		uintptr_t start;
		size_t size;
		uint32_t attr;
	} mapped[CONFIG_MAX_DOMAIN_PARTITIONS];
};

/* The ring is in the code segment's selector, which every mode reads. */
static inline bool arch_is_user_context(void)
{
	uint32_t selector;

	__asm__("mov %%cs, %0" : "=r"(selector));
	return (selector & 3U) != 0;
}

/* SMAP: see user.inc. */
#define ARCH_SMAP_(instruction)                                                       \
	__asm__ volatile("1:\t" instruction "\n\t.pushsection .smap_sites, \"a\"\n\t" \
			 ".quad 1b\n\t.popsection" ::                                 \
				 : "memory")
#define ARCH_USER_OPEN()  ARCH_SMAP_("stac")
#define ARCH_USER_CLOSE() ARCH_SMAP_("clac")

/* Once, before threads: the tables that all domains share; what ring 3 is kept from besides. */
void arch_user_start(void);

/*
 * Whose view is loaded, if anybody's: it is on the way to user mode, where it is another
 * thread's (CONFIG_ARCH_USER_LOADS_LATE). NULL: the kernel's.
 */
extern const struct k_thread *x86_64_user_loaded;

/*
 * How often ring 0 has met a page of ring 3's and gone on in its own view: application code, and no
 * file of the kernel's.
 */
extern uint32_t x86_64_view_faults;

/* The kernel's view from now on, in which nothing is user mode's. Either context. */
void x86_64_user_unload(void);

/*
 * It becomes a user's: its stack is known by now, and the whole of its last page becomes its own.
 */
void arch_user_prepare(struct k_thread *thread);

/* The thread's stack or domain is another one from now on. Interrupts masked. */
static inline void arch_user_switch(const struct k_thread *thread)
{
	x86_64_user_unload();
}

/* Let user mode read what arch_cycles() reads. Returns false: no memory. */
bool arch_user_cycles(struct k_mem_partition *part);

/* A fast path (kernel/syscall/fast.h) is called by the entry, and returns to it; user.S. */
static inline intptr_t arch_user_call_done(intptr_t result)
{
	return result;
}

/* Nothing of the kernel's is left in place of a result. */
static inline intptr_t arch_user_call_ended(void)
{
	return 0;
}

#endif /* FOLIOT_ARCH_USER_H */
