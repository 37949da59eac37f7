/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address translation: every address is its own, and what it may be used for is said by page.
 * Code is read and executed, constants are read, everything else of RAM is read and written and
 * never executed; devices are Device-nGnRE; elsewhere is nothing, so a NULL pointer faults.
 * Nobody below EL1 has access to anything.
 *
 * 4 KiB pages and 39 bits of address, which begin at a table of 1 GiB entries. Blocks of
 * 2 MiB where a range allows it: fewer tables, and fewer entries of the TLB.
 *
 * Runs before translation is on: memory is Device then, and accesses must be aligned.
 */
#include "kernel/core/kernel.h"

#define PAGE    0x1000UL
#define BLOCK   0x200000UL
#define ENTRIES 512U

/* RAM's own tables for its first blocks, cut up by the image; two of 1 GiB's; the top. */
#define TABLES (3U + BOARD_RAM_SIZE / BLOCK + 1U)

#define VALID        1UL
#define TABLE        2UL /* in the last level: a page */
#define DEVICE       (0UL << 2)
#define NORMAL       (1UL << 2)
#define READ_ONLY    (2UL << 6)
#define SHARED_INNER (3UL << 8)
#define ACCESSED     (1UL << 10)
#define NEVER_BY_EL1 (1UL << 53)
#define NEVER_BY_EL0 (1UL << 54)
#define ADDRESS_BITS 0xFFFFFFFFF000UL

#define ALWAYS    (VALID | ACCESSED | NEVER_BY_EL0)
#define CODE      (ALWAYS | NORMAL | SHARED_INNER | READ_ONLY)
#define CONSTANTS (CODE | NEVER_BY_EL1)
#define VARIABLES (ALWAYS | NORMAL | SHARED_INNER | NEVER_BY_EL1)
#define DEVICES   (ALWAYS | DEVICE | NEVER_BY_EL1)

#define MAIR     0xFF04UL /* 0: Device-nGnRE; 1: Normal, write-back, allocating */
#define TCR_T0SZ 25UL     /* 39 bits */
#define TCR_WALK (0x35UL << 8) /* the walks' accesses: write-back, inner shareable */
#define TCR_EPD1 (1UL << 23)   /* nothing in the upper half */

#define SCTLR_M   (1UL << 0)
#define SCTLR_C   (1UL << 2)
#define SCTLR_SA  (1UL << 3)
#define SCTLR_I   (1UL << 12)
#define SCTLR_WXN (1UL << 19) /* what can be written is not executed, whatever a page says */

static uint64_t tables[TABLES][ENTRIES] __aligned(PAGE);
static unsigned int tables_used;

/* boot.S calls it. */
void aarch64_mmu_init(void);

/* The table that an entry leads to, which is made where there is none. */
static uint64_t *table_of(uint64_t *entry)
{
	if ((*entry & VALID) == 0) {
		*entry = (uintptr_t)tables[tables_used++] | TABLE | VALID;
	}
	return (uint64_t *)(*entry & ADDRESS_BITS);
}

/* Both a multiple of a page. Tables suffice for RAM and for devices in whole blocks: TABLES. */
static void map(uintptr_t start, uintptr_t end, uint64_t attributes)
{
	uintptr_t at = start;

	/* Bound: the range's pages. */
	while (at < end) {
		uint64_t *blocks = table_of(&tables[0][at >> 30]);
		uint64_t *block = &blocks[(at >> 21) % ENTRIES];

		if (at % BLOCK == 0 && end - at >= BLOCK) {
			*block = at | attributes;
			at += BLOCK;
		} else {
			table_of(block)[(at >> 12) % ENTRIES] = at | attributes | TABLE;
			at += PAGE;
		}
	}
}

void aarch64_mmu_init(void)
{
	extern char aarch64_text_start[], aarch64_text_end[], aarch64_rodata_end[];
	uint64_t sctlr;

	tables_used = 1; /* the top */
	map(BOARD_DEVICES_BASE, BOARD_DEVICES_BASE + BOARD_DEVICES_SIZE, DEVICES);
	map((uintptr_t)aarch64_text_start, (uintptr_t)aarch64_text_end, CODE);
	map((uintptr_t)aarch64_text_end, (uintptr_t)aarch64_rodata_end, CONSTANTS);
	map((uintptr_t)aarch64_rodata_end, BOARD_RAM_BASE + BOARD_RAM_SIZE, VARIABLES);
	__asm__ volatile("msr mair_el1, %0\n\t"
			 "msr tcr_el1, %1\n\t"
			 "msr ttbr0_el1, %2\n\t"
			 "dsb sy\n\t"
			 "tlbi vmalle1\n\t"
			 "ic iallu\n\t"
			 "dsb sy\n\t"
			 "isb"
			 :
			 : "r"(MAIR), "r"(TCR_T0SZ | TCR_WALK | TCR_EPD1), "r"(tables[0])
			 : "memory");
	__asm__ volatile("mrs %0, sctlr_el1" : "=r"(sctlr));
	sctlr |= SCTLR_M | SCTLR_C | SCTLR_SA | SCTLR_I | SCTLR_WXN;
	__asm__ volatile("msr sctlr_el1, %0\n\tisb" ::"r"(sctlr) : "memory");
}
