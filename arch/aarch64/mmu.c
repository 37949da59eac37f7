/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address translation: every address is its own, and what it may be used for is said by page.
 * Code is read and executed, constants are read, everything else of RAM is read and written and
 * never executed; devices are Device-nGnRE; elsewhere is nothing, so a NULL pointer faults.
 * User mode has code and constants, and what its domain's own tables say (user.c).
 *
 * 4 KiB pages and 33 bits of address, which begin at a table of 1 GiB entries. Blocks of
 * 2 MiB where a range allows it: fewer tables, and fewer entries of the TLB. With user threads
 * RAM is pages alone, since a page that is not everybody's cannot be cut out of a block in use.
 *
 * Runs before translation is on: memory is Device then, and accesses must be aligned.
 */
#include "kernel/base/kernel.h"
#include "tables.h"
#include <arch_level.h>

/* RAM's own tables for its first blocks, cut up by the image; two of 1 GiB's. */
#define TABLES (2U + BOARD_RAM_SIZE / BLOCK + 1U)

#define MAIR     0xFF04UL /* 0: Device-nGnRE; 1: Normal, write-back, allocating */
/*
 * 33 bits (TOP_ENTRIES), and 36 of physical addresses; the traversals' accesses are write-back,
 * inner shareable.
 */
#define TCR_T0SZ 31UL
#define TCR_WALK (0x35UL << 8)
/* EL2's own regime, which has no upper half; two bits have to be set */
#ifdef CONFIG_AARCH64_STAGE2
#define TCR            (TCR_T0SZ | TCR_WALK | 1UL << 16 | 1UL << 23 | 1UL << 31)
#define TLB_FORGET_ALL "tlbi alle2\n\ttlbi alle1\n\t"
#else
#define TCR_EPD1       (1UL << 23) /* nothing in the upper half */
#define TCR            (TCR_T0SZ | TCR_WALK | TCR_EPD1 | 1UL << 32)
#define TLB_FORGET_ALL "tlbi vmalle1\n\t"
#endif

#define CTR_DATA_LINE 16U /* of CTR_EL0: the shortest line, words by power of two */

#define SCTLR_M   (1UL << 0)
#define SCTLR_C   (1UL << 2)
#define SCTLR_SA  (1UL << 3)
#define SCTLR_SA0 (1UL << 4)
#define SCTLR_I   (1UL << 12)
#define SCTLR_WXN (1UL << 19) /* what can be written is not executed, whatever a page says */

uint64_t aarch64_kernel_top[TOP_ENTRIES] __aligned(TOP_ENTRIES * 8);
static uint64_t tables[TABLES][ENTRIES] __aligned(PAGE);
static unsigned int tables_used;

BUILD_ASSERT(BOARD_RAM_BASE + BOARD_RAM_SIZE <= TOP_ENTRIES * GIB &&
		     BOARD_DEVICES_BASE + BOARD_DEVICES_SIZE <= TOP_ENTRIES * GIB,
	     "33 bits of address");

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

uint64_t *aarch64_kernel_blocks(uintptr_t address)
{
	return table_of(&aarch64_kernel_top[address / GIB]);
}

uint64_t *aarch64_kernel_pages(uintptr_t address)
{
	return table_of(&aarch64_kernel_blocks(address)[address / BLOCK % ENTRIES]);
}

/* Both a multiple of a page. Tables suffice for RAM and for devices in whole blocks: TABLES. */
static void map(uintptr_t start, uintptr_t end, uint64_t attributes, bool by_blocks)
{
	uintptr_t at = start;

	/* Bound: the range's pages. */
	while (at < end) {
		if (by_blocks && at % BLOCK == 0 && end - at >= BLOCK) {
			aarch64_kernel_blocks(at)[at / BLOCK % ENTRIES] = at | attributes;
			at += BLOCK;
		} else {
			aarch64_kernel_pages(at)[at / PAGE % ENTRIES] = at | attributes | TABLE;
			at += PAGE;
		}
	}
}

/*
 * What was written until here went past the caches. Nothing in them is newer (a loader cleans its
 * image to memory), but lines from before may hold what was there then. Bound: the image's
 * variables, by lines.
 */
static void forget_cached(uintptr_t start, uintptr_t end)
{
	uint64_t type;
	uintptr_t line;

	AARCH64_READ(ctr_el0, type);
	line = 4UL << (type >> CTR_DATA_LINE & 15U);
	for (uintptr_t at = ROUND_DOWN(start, line); at < end; at += line) {
		__asm__ volatile("dc ivac, %0" ::"r"(at) : "memory");
	}
}

void aarch64_mmu_init(void)
{
	extern char aarch64_text_start[], aarch64_text_end[], aarch64_users_start[],
		aarch64_rodata_end[], _bss_start[], _image_end[];
	const bool by_blocks = !IS_ENABLED(CONFIG_USERSPACE);
	uint64_t sctlr;

	tables_used = 0;
	map(BOARD_DEVICES_BASE, BOARD_DEVICES_BASE + BOARD_DEVICES_SIZE, DEVICES, true);
	map((uintptr_t)aarch64_text_start, (uintptr_t)aarch64_text_end, CODE, by_blocks);
	map((uintptr_t)aarch64_text_end, (uintptr_t)aarch64_users_start, KERNELS_CONSTANTS,
	    by_blocks);
	map((uintptr_t)aarch64_users_start, (uintptr_t)aarch64_rodata_end, CONSTANTS, by_blocks);
	map((uintptr_t)aarch64_rodata_end, BOARD_RAM_BASE + BOARD_RAM_SIZE, VARIABLES, by_blocks);
	AARCH64_WRITE(AARCH64_OWN(mair), MAIR);
	AARCH64_WRITE(AARCH64_OWN(tcr), TCR);
	AARCH64_WRITE(AARCH64_OWN(ttbr0), (uintptr_t)aarch64_kernel_top);
	forget_cached((uintptr_t)_bss_start, (uintptr_t)_image_end);
	__asm__ volatile("dsb sy\n\t" TLB_FORGET_ALL "ic iallu\n\t"
			 "dsb sy\n\t"
			 "isb" ::
				 : "memory");
	AARCH64_READ(AARCH64_OWN(sctlr), sctlr);
	sctlr |= SCTLR_M | SCTLR_C | SCTLR_SA | SCTLR_SA0 | SCTLR_I | SCTLR_WXN;
	AARCH64_WRITE(AARCH64_OWN(sctlr), sctlr);
	__asm__ volatile("isb" ::: "memory");
}
