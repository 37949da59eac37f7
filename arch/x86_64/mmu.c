/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paging: every address is its own, and what it may be used for is said by page. Code is read
 * and executed, constants are read, everything else of RAM is read and written and never
 * executed; devices are not cached; elsewhere is nothing, so a NULL pointer faults. Nobody
 * outside of ring 0 has access to anything.
 *
 * 4 KiB pages under four levels of tables, and pages of 2 MiB where a range allows it.
 */
#include "kernel/core/kernel.h"

#define PAGE    0x1000UL
#define LARGE   0x200000UL
#define ENTRIES 512U

/* The top, its only entry's, one of 1 GiB for RAM and one for devices; RAM's; a device page's each. */
#define TABLES (4U + BOARD_RAM_SIZE / LARGE + 2U + 2U)

#define PRESENT      (1UL << 0)
#define WRITABLE     (1UL << 1)
#define NOT_CACHED   (3UL << 3) /* PCD, PWT: the reset value of the PAT makes that UC */
#define IS_LARGE     (1UL << 7)
#define GLOBAL       (1UL << 8)
#define NEVER_RUN    (1UL << 63)
#define ADDRESS_BITS 0xFFFFFFFFFF000UL

#define CODE      (PRESENT | GLOBAL)
#define CONSTANTS (PRESENT | GLOBAL | NEVER_RUN)
#define VARIABLES (PRESENT | GLOBAL | NEVER_RUN | WRITABLE)
#define DEVICES   (VARIABLES | NOT_CACHED)

static uint64_t tables[TABLES][ENTRIES] __aligned(PAGE);
static unsigned int tables_used;

/* boot.S calls it. */
void x86_64_mmu_init(void);

/* The table that an entry leads to, which is made where there is none. */
static uint64_t *table_of(uint64_t *entry)
{
	if ((*entry & PRESENT) == 0) {
		*entry = (uintptr_t)tables[tables_used++] | PRESENT | WRITABLE;
	}
	return (uint64_t *)(*entry & ADDRESS_BITS);
}

/* Both a multiple of a page. Tables suffice for RAM and for pages of devices: TABLES. */
static void map(uintptr_t start, uintptr_t end, uint64_t attributes)
{
	uintptr_t at = start;

	/* Bound: the range's pages. */
	while (at < end) {
		uint64_t *directories = table_of(&tables[0][at >> 39]);
		uint64_t *directory = table_of(&directories[(at >> 30) % ENTRIES]);
		uint64_t *large = &directory[(at >> 21) % ENTRIES];

		if (at % LARGE == 0 && end - at >= LARGE) {
			*large = at | attributes | IS_LARGE;
			at += LARGE;
		} else {
			table_of(large)[(at >> 12) % ENTRIES] = at | attributes;
			at += PAGE;
		}
	}
}

void x86_64_mmu_init(void)
{
	extern char x86_64_text_start[], x86_64_text_end[], x86_64_rodata_end[], x86_64_gates[];
	uintptr_t gates = (uintptr_t)x86_64_gates;

	tables_used = 1; /* the top */
	map(BOARD_HPET_BASE, BOARD_HPET_BASE + PAGE, DEVICES);
	map(BOARD_LAPIC_BASE, BOARD_LAPIC_BASE + PAGE, DEVICES);
	map((uintptr_t)x86_64_text_start, (uintptr_t)x86_64_text_end, CODE);
	map((uintptr_t)x86_64_text_end, (uintptr_t)x86_64_rodata_end, CONSTANTS);
	map((uintptr_t)x86_64_rodata_end, gates, VARIABLES);
	map(gates, gates + PAGE, CONSTANTS);
	map(gates + PAGE, BOARD_RAM_BASE + BOARD_RAM_SIZE, VARIABLES);
	__asm__ volatile("mov %0, %%cr3" ::"r"(tables[0]) : "memory");
}
