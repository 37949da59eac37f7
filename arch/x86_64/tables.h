/* SPDX-License-Identifier: Apache-2.0 */
/* What stands in page tables: mmu.c has the kernel's view, views.c each domain's. */
#ifndef FOLIOT_X86_64_TABLES_H
#define FOLIOT_X86_64_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#define ENTRIES 512U /* of a table */

#define PRESENT      (1UL << 0)
#define WRITABLE     (1UL << 1)
#define USERS        (1UL << 2)
#define NOT_CACHED   (3UL << 3) /* PCD, PWT: the reset value of the PAT makes that UC */
#define IS_LARGE     (1UL << 7)
#define GLOBAL       (1UL << 8)
#define NEVER_RUN    (1UL << 63)
#define ADDRESS_BITS 0xFFFFFFFFFF000UL

/*
 * With domains, RAM's data may be in one's partition: an entry of all views would be found beside
 * that.
 */
#ifdef CONFIG_USERSPACE
#define VARIABLES (PRESENT | NEVER_RUN | WRITABLE)
#else
#define VARIABLES (PRESENT | NEVER_RUN | WRITABLE | GLOBAL)
#endif

/* The error code of a page fault. */
#define PAGE_PRESENT  (1UL << 0)
#define PAGE_WRITE    (1UL << 1)
#define PAGE_USER     (1UL << 2)
#define PAGE_RESERVED (1UL << 3)
#define PAGE_FETCH    (1UL << 4)

/*
 * The kernel's: the top is its first; what that leads to; the entry of a page of RAM, as one of 4
 * KiB has it.
 */
extern uint64_t x86_64_tables[][ENTRIES];
const uint64_t *x86_64_kernels_directories(void);
uint64_t x86_64_kernels_entry(uintptr_t address);
uint64_t *x86_64_kernels_page(uintptr_t address); /* that entry itself: CONFIG_STACK_GUARD_PAGES */

/* ring3.c: what a core keeps ring 3 from beside memory, and ring 0 from what is ring 3's. */
#define CR4_TSD (1UL << 2)
#define CR4_PCE (1UL << 8)
void x86_64_user_start_core(void);
extern bool x86_64_has_smap;
void x86_64_change_cr4(uintptr_t clear, uintptr_t set);

#endif /* FOLIOT_X86_64_TABLES_H */
