/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paging: every address is its own, and what it may be used for is said by page. Code is read
 * and executed, constants are read, everything else of RAM is read and written and never
 * executed; devices are not cached; elsewhere is nothing, so a NULL pointer faults. Nobody
 * outside of ring 0 has access to anything: what user mode sees is views.c's.
 *
 * 4 KiB pages under four levels of tables, and pages of 2 MiB where a range allows it and none of
 * its pages is ever taken out (a stack's guard).
 */
#include "kernel/base/kernel.h"
#include "tables.h"

#define PAGE  0x1000UL
#define LARGE 0x200000UL

/*
 * The top, its only entry's, one of 1 GiB for RAM and one for devices; RAM's; a device page's each.
 */
#define TABLES (4U + BOARD_RAM_SIZE / LARGE + 2U + 2U)

#define CODE      (PRESENT | GLOBAL)
#define CONSTANTS (PRESENT | GLOBAL | NEVER_RUN)
#define DEVICES   (VARIABLES | GLOBAL | NOT_CACHED)

uint64_t x86_64_tables[TABLES][ENTRIES] __aligned(PAGE);
static unsigned int tables_used;

/* boot.S calls it. */
void x86_64_mmu_init(void);

/* The table that an entry leads to, which is made where there is none. */
static uint64_t *table_of(uint64_t *entry)
{
	if ((*entry & PRESENT) == 0) {
		*entry = (uintptr_t)x86_64_tables[tables_used++] | PRESENT | WRITABLE;
	}
	return (uint64_t *)(*entry & ADDRESS_BITS);
}

/* Both a multiple of a page. Tables suffice for RAM and for pages of devices: TABLES. */
static void map(uintptr_t start, uintptr_t end, uint64_t attributes)
{
	uintptr_t at = start;

	/* Bound: the range's pages. */
	while (at < end) {
		uint64_t *directories = table_of(&x86_64_tables[0][at >> 39]);
		uint64_t *directory = table_of(&directories[(at >> 30) % ENTRIES]);
		uint64_t *large = &directory[(at >> 21) % ENTRIES];

		if (!IS_ENABLED(CONFIG_STACK_GUARD_PAGES) && at % LARGE == 0 && end - at >= LARGE) {
			*large = at | attributes | IS_LARGE;
			at += LARGE;
		} else {
			table_of(large)[(at >> 12) % ENTRIES] = at | attributes;
			at += PAGE;
		}
	}
}

extern char x86_64_text_start[], x86_64_text_end[], x86_64_rodata_end[];

#ifdef CONFIG_USERSPACE
/*
 * What user mode has too, in its views, is global in none; and its canaries' word is the kernel's
 * to write.
 */
static void map_constants(void)
{
	extern char x86_64_user_start[], x86_64_user_words[], x86_64_user_end[];

	map((uintptr_t)x86_64_text_start, (uintptr_t)x86_64_user_start, CODE);
	map((uintptr_t)x86_64_user_start, (uintptr_t)x86_64_text_end, CODE & ~GLOBAL);
	map((uintptr_t)x86_64_text_end, (uintptr_t)x86_64_user_words, CONSTANTS & ~GLOBAL);
	map((uintptr_t)x86_64_user_words, (uintptr_t)x86_64_user_end, VARIABLES);
	map((uintptr_t)x86_64_user_end, (uintptr_t)x86_64_rodata_end, CONSTANTS);
}

const uint64_t *x86_64_kernels_directories(void)
{
	return table_of(&x86_64_tables[0][0]);
}

#ifdef CONFIG_STACK_GUARD_PAGES
uint64_t *x86_64_kernels_page(uintptr_t address)
{
	uint64_t *directory = table_of(&table_of(&x86_64_tables[0][0])[0]);

	return &table_of(&directory[address >> 21])[(address >> 12) % ENTRIES];
}
#endif

uint64_t x86_64_kernels_entry(uintptr_t address)
{
	uint64_t *directory = table_of(&table_of(&x86_64_tables[0][0])[0]);
	uint64_t *large = &directory[address >> 21];

	if ((*large & PRESENT) == 0) {
		return 0;
	}
	if ((*large & IS_LARGE) != 0) {
		return (*large & ~(ADDRESS_BITS | IS_LARGE)) | address;
	}
	return table_of(large)[(address >> 12) % ENTRIES];
}
#else
static void map_constants(void)
{
	map((uintptr_t)x86_64_text_start, (uintptr_t)x86_64_text_end, CODE);
	map((uintptr_t)x86_64_text_end, (uintptr_t)x86_64_rodata_end, CONSTANTS);
}
#endif

void x86_64_mmu_init(void)
{
	extern char x86_64_gates[];
	uintptr_t gates = (uintptr_t)x86_64_gates;

	tables_used = 1; /* the top */
	map(BOARD_HPET_BASE, BOARD_HPET_BASE + PAGE, DEVICES);
	map(BOARD_LAPIC_BASE, BOARD_LAPIC_BASE + PAGE, DEVICES);
	map_constants();
	map((uintptr_t)x86_64_rodata_end, gates, VARIABLES);
	map(gates, gates + PAGE, CONSTANTS);
	map(gates + PAGE, BOARD_RAM_BASE + BOARD_RAM_SIZE, VARIABLES);
	__asm__ volatile("mov %0, %%cr3" ::"r"(x86_64_tables[0]) : "memory");
}
