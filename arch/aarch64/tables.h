/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in translation tables: mmu.c has the kernel's, user.c each domain's. */
#ifndef FOLIOT_AARCH64_TABLES_H
#define FOLIOT_AARCH64_TABLES_H

#include <stdint.h>

#define PAGE    0x1000UL
#define BLOCK   0x200000UL
#define GIB     0x40000000UL
#define ENTRIES 512U

/* 33 bits of address: the top has 8 entries, of 1 GiB, and fits a domain's own. */
#define TOP_ENTRIES 8U

#define VALID        1UL
#define TABLE        2UL /* in the last level: a page */
#define DEVICE       (0UL << 2)
#define NORMAL       (1UL << 2)
#define USERS        (1UL << 6) /* EL0 has access, too: to read, or as the kernel has it */
#define READ_ONLY    (2UL << 6)
#define SHARED_INNER (3UL << 8)
#define ACCESSED     (1UL << 10)
#define NOT_GLOBAL   (1UL << 11) /* of one ASID */
#define NEVER_BY_EL1 (1UL << 53)
#define NEVER_BY_EL0 (1UL << 54)
#define ADDRESS_BITS 0xFFFFFFFFF000UL

/*
 * The kernel's tables. User mode on the same ones reads constants that are not the kernel's own,
 * and executes code. All else is the kernel's alone, until a domain says otherwise, and is of one
 * ASID in all tables: an entry of all ASIDs would go on to be found beside a domain's. With PAN
 * (CONFIG_AARCH64_PAN) nothing in them is user mode's, since the kernel may not touch that: code
 * and constants are so in a domain's only. In EL2's own regime there is nobody else, nor an ASID:
 * USERS is a bit that has to be set, and one bit is never executed.
 */
#if defined(CONFIG_AARCH64_STAGE2)
#define ALWAYS            (VALID | ACCESSED | USERS)
#define NEVER_RUN         NEVER_BY_EL0
#define CODE              (ALWAYS | NORMAL | SHARED_INNER | READ_ONLY)
#define VARIABLES         (ALWAYS | NORMAL | SHARED_INNER | NEVER_RUN)
#define CONSTANTS         (CODE | NEVER_RUN)
#define KERNELS_CONSTANTS CONSTANTS
#elif defined(CONFIG_USERSPACE)
#define ALWAYS            (VALID | ACCESSED)
#define NEVER_RUN         (NEVER_BY_EL1 | NEVER_BY_EL0)
#define VARIABLES         (ALWAYS | NORMAL | SHARED_INNER | NEVER_RUN | NOT_GLOBAL)
#define KERNELS_CONSTANTS (ALWAYS | NORMAL | SHARED_INNER | READ_ONLY | NEVER_RUN)
#ifdef CONFIG_AARCH64_PAN
#define CODE              (ALWAYS | NORMAL | SHARED_INNER | READ_ONLY | NEVER_BY_EL0 | NOT_GLOBAL)
#define CONSTANTS         (CODE | NEVER_RUN)
#define DOMAINS_CODE      ((CODE | TABLE | USERS) & ~NEVER_BY_EL0)
#define DOMAINS_CONSTANTS (CONSTANTS | TABLE | USERS)
#else
#define CODE      (ALWAYS | NORMAL | SHARED_INNER | READ_ONLY | USERS)
#define CONSTANTS (CODE | NEVER_RUN)
#endif
#else
#define ALWAYS            (VALID | ACCESSED)
#define NEVER_RUN         (NEVER_BY_EL1 | NEVER_BY_EL0)
#define CODE              (ALWAYS | NORMAL | SHARED_INNER | READ_ONLY | NEVER_BY_EL0)
#define VARIABLES         (ALWAYS | NORMAL | SHARED_INNER | NEVER_RUN)
#define CONSTANTS         (CODE | NEVER_RUN)
#define KERNELS_CONSTANTS CONSTANTS
#endif
#define DEVICES (ALWAYS | DEVICE | NEVER_RUN)

/*
 * A domain's pages. Behind stage 2 (CONFIG_AARCH64_STAGE2) they are user mode's alone, and the
 * kernel's are not in them; else the kernel runs on the same tables.
 */
#ifdef CONFIG_AARCH64_STAGE2
#define STAGE2_NORMAL (15UL << 2)
#define STAGE2_READS  (1UL << 6)
#define STAGE2_WRITES (2UL << 6)
#define USER_CODE     (VALID | TABLE | ACCESSED | STAGE2_NORMAL | SHARED_INNER | STAGE2_READS)
#define USER_READS    (USER_CODE | NEVER_BY_EL0)
#define USER_WRITES   (USER_READS | STAGE2_WRITES)
#define USER_NOTHING  0UL
#else
#define USER_CODE    ((VARIABLES | TABLE | USERS | READ_ONLY) & ~NEVER_BY_EL0)
#define USER_READS   (USER_CODE | NEVER_BY_EL0)
#define USER_WRITES  (VARIABLES | TABLE | USERS)
#define USER_NOTHING (VARIABLES | TABLE)
#endif

/* Instructions that make changes of tables seen. */
#define TABLES_WRITTEN() __asm__ volatile("dsb ishst" ::: "memory")
#define TLB_DONE()       __asm__ volatile("dsb ish\n\tisb" ::: "memory")

/* The kernel's own: its top, and the table of the blocks or pages that `address` lies in. */
extern uint64_t aarch64_kernel_top[TOP_ENTRIES];
uint64_t *aarch64_kernel_blocks(uintptr_t address);
uint64_t *aarch64_kernel_pages(uintptr_t address);

#endif /* FOLIOT_AARCH64_TABLES_H */
