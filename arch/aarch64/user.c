/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What user mode may touch. Each domain has tables of all RAM, page by page, under an ASID of its
 * own: the kernel's pages as the kernel has them, and its partitions. Of the threads' stacks only
 * the running thread's is open there: it is opened on the thread's way to user mode, where another
 * one of its domain had been, and that one's closed. So the threads of a domain cannot reach each
 * other's stacks, and a switch to another domain writes one register.
 *
 * The kernel runs on whichever tables are loaded, since it is in all of them alike. Only what users
 * may read and not write it cannot write there either (AArch64 has no such right): the fault loads
 * the kernel's own tables, in which it can (user.inc: try_again). Rejected: loading these on each
 * way into the kernel, which every call would pay.
 *
 * Where the core has PAN the kernel cannot touch in them what user mode can, either. That bites in
 * system calls, whose way to user memory is the guarded copy. What rightly meets it otherwise goes
 * on with the kernel's own tables, too, in which nothing is user mode's: kernel threads and
 * handlers, whoever reads code or constants of the application's, and the application's functions
 * that are called in a system call. Rejected: PAN off in kernel threads, which makes it a matter of
 * each switch.
 *
 * ASIDs are given when a domain is first loaded. When they are used up all domains lose theirs,
 * with all that the TLB knows. Rejected: tables for each thread, three pages each.
 */
#include "arch/arch.h"
#include "kernel/base/kernel.h"
#include <foliot/mem_domain.h>
#include <board.h>
#include "tables.h"
#include "frames.h"
#include "user.h"
#include "lib/string.h"
#include <arch_level.h>

#define ASIDS      256U /* what every core has; 0 is the kernel's own */
#define ASID_SHIFT 48

#define PMUSERENR_CYCLES 4U

/* More pages than that are forgotten all at once. */
#define PAGES_BY_ONE 64U

BUILD_ASSERT(BOARD_RAM_BASE / GIB == (BOARD_RAM_BASE + BOARD_RAM_SIZE - 1) / GIB &&
		     BOARD_RAM_BASE % BLOCK == 0,
	     "a domain's tables: RAM is in one GiB, and begins at a block");
#ifdef CONFIG_AARCH64_STAGE2
BUILD_ASSERT(USER_WRITES == (STAGE2_OPEN_LOW | STAGE2_OPEN_HIGH) && USER_NOTHING == 0, "user.inc");
#else
BUILD_ASSERT(USER_WRITES == (USER_NOTHING | TABLE_USERS), "user.inc: a stack is opened by one bit");
#endif
BUILD_ASSERT(ARCH_TABLE_ENTRIES == ENTRIES &&
		     sizeof(((struct aarch64_space *)0)->top) == 8 * TOP_ENTRIES,
	     "arch_user.h");
BUILD_ASSERT(offsetof(struct aarch64_space, blocks) % PAGE == 0 &&
		     offsetof(struct aarch64_space, top) % (8 * TOP_ENTRIES) == 0,
	     "where tables may begin");

/* Behind the constants is what the kernel writes and user mode reads, if there is anything. */
extern char aarch64_rodata_end[], aarch64_text_start[], aarch64_text_end[], aarch64_users_start[],
	aarch64_user_words_end[];

const struct k_thread *aarch64_user_loaded ARCH_NEAR;

static unsigned int asids_used; /* from 1 on */

/* Consecutive pages of RAM, by their numbers. */
struct pages {
	uint32_t first, end;
};

static struct pages pages_of(uintptr_t start, size_t size)
{
	return (struct pages){(uint32_t)((start - BOARD_RAM_BASE) / PAGE),
			      (uint32_t)((start - BOARD_RAM_BASE + size) / PAGE)};
}

/*
 * A stack's, in one word, so that one page is told from several, and from STACK_OF_NOBODY, by its
 * upper half.
 */
static uint64_t packed(struct pages pages)
{
	return (uint64_t)(pages.end - pages.first - 1U) << 32 | pages.first;
}

static struct pages unpacked(uint64_t stack)
{
	uint32_t first = (uint32_t)stack;

	if (stack == STACK_OF_NOBODY) {
		return (struct pages){0, 0};
	}
	return (struct pages){first, first + (uint32_t)(stack >> 32) + 1U};
}

static void set(struct aarch64_space *space, struct pages pages, uint64_t attributes)
{
	/* Bound: the range's pages. */
	for (uint32_t page = pages.first; page < pages.end; page++) {
		space->pages[page] = (BOARD_RAM_BASE + page * PAGE) | attributes;
	}
}

static void load_tables(uint64_t ttbr)
{
	AARCH64_WRITE(AARCH64_USER_TTBR, ttbr);
	__asm__ volatile("isb" ::: "memory");
}

#ifdef CONFIG_AARCH64_STAGE2
#define VTCR                                         \
	(31UL | 1UL << 6 | 0x35UL << 8 | 1UL << 16 | \
	 1UL << 31) /* 33 bits, from the GiB's level on */

/*
 * What the TLB knows of a domain's pages. By the VMID that is loaded, so this domain's is, from now
 * on.
 */
static void forget(const struct arch_mem_domain *arch, struct pages pages)
{
	if (arch->ttbr == 0) {
		return; /* it was never in use */
	}
	load_tables(arch->ttbr);
	aarch64_user_loaded = NULL;
	__asm__ volatile("tlbi vmalls12e1" ::: "memory");
}

static void forget_all(void)
{
	__asm__ volatile("dsb ishst\n\ttlbi alle1\n\tdsb ish\n\tisb" ::: "memory");
}

/* No domain's: there is nothing in it. */
static void load_kernels(void)
{
	load_tables(0);
	aarch64_user_loaded = NULL;
}

static void start_regime(void)
{
	AARCH64_WRITE(vtcr_el2, VTCR);
	load_kernels();
}
#else
/* What the TLB knows of a domain's pages, under its ASID. */
static void forget(const struct arch_mem_domain *arch, struct pages pages)
{
	uint64_t asid = arch->ttbr >> ASID_SHIFT << ASID_SHIFT;

	if (arch->ttbr == 0) {
		return; /* it was never in use */
	}
	if (pages.end - pages.first > PAGES_BY_ONE) {
		__asm__ volatile("tlbi aside1, %0" ::"r"(asid) : "memory");
		return;
	}
	/* Bound: PAGES_BY_ONE. */
	for (uint32_t page = pages.first; page < pages.end; page++) {
		uint64_t address = BOARD_RAM_BASE + page * PAGE;

		__asm__ volatile("tlbi vae1, %0" ::"r"(asid | address >> 12) : "memory");
	}
}

static void forget_all(void)
{
	__asm__ volatile("dsb ishst\n\ttlbi vmalle1\n\tdsb ish\n\tisb" ::: "memory");
}

static void load_kernels(void)
{
	load_tables((uintptr_t)aarch64_kernel_top);
	aarch64_user_loaded = NULL;
}

static void start_regime(void)
{
}
#endif

static void change(struct arch_mem_domain *arch, struct pages pages, uint64_t attributes)
{
	set(&arch->space, pages, attributes);
	TABLES_WRITTEN();
	forget(arch, pages);
	TLB_DONE();
}

static uint64_t rights(k_mem_partition_attr_t attr)
{
	if ((attr & K_MEM_PARTITION_WRITE_) != 0) {
		return USER_WRITES;
	}
	if ((attr & K_MEM_PARTITION_EXEC_) != 0) {
		return USER_CODE;
	}
	return (attr & K_MEM_PARTITION_READ_) != 0 ? USER_READS : USER_NOTHING;
}

/* ---- which tables are loaded ---- */

static void give_asid(struct arch_mem_domain *arch)
{
	asids_used++;
	if (asids_used == ASIDS) {
		load_kernels(); /* what is loaded has an ASID that may be given anew */
		/* Bound: the number of domains. */
		for (struct k_mem_domain *each = domain_first(); each != NULL; each = each->next) {
			set(&each->arch.space, unpacked(each->arch.open), USER_NOTHING);
			/* so that none is loaded but by aarch64_user_load() */
			each->arch.open = STACK_OF_NOBODY;
			each->arch.ttbr = 0;
		}
		forget_all();
		asids_used = 1;
	}
	arch->ttbr = (uint64_t)asids_used << ASID_SHIFT | (uintptr_t)arch->space.top;
	arch->forget = (uint64_t)asids_used << ASID_SHIFT | BOARD_RAM_BASE / PAGE;
}

void aarch64_user_load(const struct k_thread *thread)
{
	struct arch_mem_domain *arch = &thread->user.domain->arch;
	uint64_t stack = thread->user.arch.stack_pages;

	if (arch->ttbr == 0) {
		give_asid(arch);
	}
	if (arch->open != stack) {
		struct pages before = unpacked(arch->open);
		struct pages now = unpacked(stack);

		set(&arch->space, before, USER_NOTHING);
		set(&arch->space, now, USER_WRITES);
		TABLES_WRITTEN();
		forget(arch, before);
		forget(arch, now);
		TLB_DONE();
		arch->open = stack;
	}
	load_tables(arch->ttbr);
	__asm__ volatile("msr tpidr_el0, xzr"); /* user mode writes it, so the one before has */
	aarch64_user_loaded = thread;
}

void arch_user_prepare(struct k_thread *thread)
{
	struct pages pages;

	thread->stack_size = ROUND_UP(thread->stack_size, PAGE);
	pages = pages_of((uintptr_t)thread->stack_start, thread->stack_size);
	thread->user.arch.stack_pages = packed(pages);
	if (aarch64_user_loaded == thread) {
		aarch64_user_loaded = NULL; /* which lived in that block before, on another stack */
	}
	if (IS_ENABLED(CONFIG_AARCH64_PAN)) { /* its stack is wiped, which may be open there */
		unsigned int key = arch_irq_lock();

		load_kernels();
		arch_irq_unlock(key);
	}
}

/* ---- domains ---- */

#ifdef CONFIG_AARCH64_STAGE2
/* Code and constants, since all else of the kernel's is on tables of its own. */
static void copy_kernels(struct aarch64_space *space)
{
	const struct pages code = pages_of((uintptr_t)aarch64_text_start,
					   (size_t)(aarch64_text_end - aarch64_text_start));
	const struct pages constants = pages_of((uintptr_t)aarch64_users_start,
						(size_t)(aarch64_rodata_end - aarch64_users_start));

	memset(space, 0, sizeof(*space));
	set(space, code, USER_CODE);
	set(space, constants, USER_READS);
}
#else
/* Eight entries a time: by pairs of registers, of which each is written at once. */
static void copy_entries(uint64_t *to, const uint64_t *from, unsigned int entries)
{
	struct eight {
		uint64_t entry[8];
	};

	/* Bound: entries / 8. */
	for (unsigned int i = 0; i < entries; i += 8) {
		*(struct eight *)(void *)&to[i] = *(const struct eight *)(const void *)&from[i];
	}
}

/* All that the kernel has: it runs on them. */
static void copy_kernels(struct aarch64_space *space)
{
	copy_entries(space->pages, aarch64_kernel_pages(BOARD_RAM_BASE), ARCH_RAM_TABLES * ENTRIES);
	copy_entries(space->blocks, aarch64_kernel_blocks(BOARD_RAM_BASE), ENTRIES);
	copy_entries(space->top, aarch64_kernel_top, TOP_ENTRIES);
#ifdef CONFIG_AARCH64_PAN
	set(space,
	    pages_of((uintptr_t)aarch64_text_start,
		     (size_t)(aarch64_text_end - aarch64_text_start)),
	    DOMAINS_CODE);
	set(space,
	    pages_of((uintptr_t)aarch64_users_start,
		     (size_t)(aarch64_rodata_end - aarch64_users_start)),
	    DOMAINS_CONSTANTS);
#endif
}
#endif

/*
 * The kernel's memory and nothing else, under an ASID that is to be given. If it is loaded the
 * kernel goes on running on it: each entry that it needs is valid at any time.
 */
static void begin_domain(struct arch_mem_domain *arch)
{
	struct aarch64_space *space = &arch->space;

	copy_kernels(space);
	set(space,
	    pages_of((uintptr_t)aarch64_rodata_end,
		     (size_t)(aarch64_user_words_end - aarch64_rodata_end)),
	    USER_READS);
	/* Bound: ARCH_RAM_TABLES. */
	for (unsigned int i = 0; i < ARCH_RAM_TABLES; i++) {
		space->blocks[BOARD_RAM_BASE / BLOCK % ENTRIES + i] =
			(uintptr_t)&space->pages[i * ENTRIES] | TABLE | VALID;
	}
	space->top[BOARD_RAM_BASE / GIB] = (uintptr_t)space->blocks | TABLE | VALID;
	arch->open = STACK_OF_NOBODY;
	arch->ttbr = 0;
	arch->num_mapped = 0;
	aarch64_user_loaded = NULL;
}

static bool overlap(uintptr_t start, size_t size, const char *from, const char *to)
{
	return start < (uintptr_t)to && (uintptr_t)from < start + size;
}

/* Variables, and not where threads' stacks are, which are opened and closed. */
static bool may_be_partition(const struct k_mem_partition *part)
{
	extern char _user_stacks_start[], _user_stacks_end[];
	uintptr_t start = part->start;

	return start >= (uintptr_t)aarch64_user_words_end &&
	       start + part->size <= BOARD_RAM_BASE + BOARD_RAM_SIZE &&
	       !overlap(start, part->size, _user_stacks_start, _user_stacks_end);
}

/* Is that partition in the tables, at that place of the list? */
static bool is_mapped_at(const struct arch_mem_domain *arch, unsigned int place,
			 const struct k_mem_partition *part)
{
	struct pages pages = pages_of(part->start, part->size);

	return arch->mapped[place].first == pages.first && arch->mapped[place].end == pages.end &&
	       arch->mapped[place].attr == part->attr;
}

static bool is_mapped(const struct arch_mem_domain *arch, const struct k_mem_partition *part)
{
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < arch->num_mapped; i++) {
		if (is_mapped_at(arch, i, part)) {
			return true;
		}
	}
	return false;
}

static bool is_wanted(const struct k_mem_domain *domain, unsigned int place)
{
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < domain->num_partitions; i++) {
		if (is_mapped_at(&domain->arch, place, &domain->partitions[i])) {
			return true;
		}
	}
	return false;
}

/* Only what is another than it was: the pages of one partition, in the usual case. */
int arch_domain_update(struct k_mem_domain *domain)
{
	struct arch_mem_domain *arch = &domain->arch;
	const struct k_mem_partition *newest = &domain->partitions[domain->num_partitions - 1];

	if (domain->num_partitions == 0) {
		begin_domain(arch); /* prepared anew, perhaps in memory that holds anything */
		return 0;
	}
	if (!may_be_partition(newest)) {
		return -EINVAL;
	}
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < arch->num_mapped;) {
		if (is_wanted(domain, i)) {
			i++;
			continue;
		}
		change(arch, (struct pages){arch->mapped[i].first, arch->mapped[i].end},
		       USER_NOTHING);
		arch->mapped[i] = arch->mapped[--arch->num_mapped];
	}
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < domain->num_partitions; i++) {
		const struct k_mem_partition *part = &domain->partitions[i];
		struct pages pages = pages_of(part->start, part->size);

		if (!is_mapped(arch, part)) {
			change(arch, pages, rights(part->attr));
			arch->mapped[arch->num_mapped].first = pages.first;
			arch->mapped[arch->num_mapped].end = pages.end;
			arch->mapped[arch->num_mapped++].attr = part->attr;
		}
	}
	return 0;
}

/* ---- the rest of the contract ---- */

void arch_user_start(void)
{
	AARCH64_WRITE(pmuserenr_el0, 0);
	AARCH64_WRITE(cntkctl_el1, 0);
	start_regime();
	ARCH_USER_CLOSE();
}

bool arch_user_cycles(struct k_mem_partition *part)
{
	AARCH64_WRITE(pmuserenr_el0, PMUSERENR_CYCLES);
	return false;
}

static bool lies_in(uintptr_t start, size_t bytes, const char *from, const char *to)
{
	size_t size = (size_t)(to - from);
	uintptr_t offset = start - (uintptr_t)from;

	return offset <= size && bytes <= size - offset;
}

bool arch_user_constant(uintptr_t start, size_t bytes)
{
	return lies_in(start, bytes, aarch64_text_start, aarch64_text_end) ||
	       lies_in(start, bytes, aarch64_users_start, aarch64_user_words_end);
}
