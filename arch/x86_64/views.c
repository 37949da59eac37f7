/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What user mode may touch. There are two kinds of views on memory, all with every address its own:
 *
 *   the kernel's (mmu.c), in which nothing is user mode's;
 *   a domain's, in which user mode has the application's code and constants, the domain's
 *   partitions
 *   and, of the threads' stacks, the running thread's alone. All else is as in the kernel's.
 *
 * A user thread's view is loaded on its way to user mode, and stays through its system calls and
 * while kernel threads run, until another user thread's comes: so neither costs a switch of views.
 * SMEP and SMAP are on, and bite there: what a system call does of its own is the kernel's code on
 * the kernel's memory, and user memory is touched by the guarded copy only. What rightly meets the
 * user's pages in ring 0 is the application's code, which both modes run, and what kernel threads
 * and handlers do with partitions: that faults once, and goes on in the kernel's view
 * (x86_64_needs_kernels_view()). Rejected: the kernel's view from each entry on, which costs every
 * call two switches, and in which SMAP keeps it from nothing; AC set in kernel threads, which helps
 * with data, and not with code.
 *
 * Stacks lie in tables of their own, which all domains share, so one is opened and closed there at
 * once for all. A view is always loaded by CR3 and none of what differs between two is global, so
 * nothing stale is left in the TLB, whatever was changed meanwhile. Rejected: PCID, which would
 * spare that, and which QEMU's emulation does not have, so that nobody could try it; tables for
 * each thread, four pages each.
 */
#include "arch/arch.h"
#include "kernel/base/kernel.h"
#include "kernel/hooks/user.h"
#include "lib/string.h"
#include <foliot/mem_domain.h>
#include "frames.h"
#include "tables.h"

#define RAM_TABLES (BOARD_RAM_SIZE / ARCH_TABLE_BYTES)

BUILD_ASSERT(BOARD_RAM_BASE % ARCH_TABLE_BYTES == 0 && BOARD_RAM_SIZE % ARCH_TABLE_BYTES == 0 &&
		     BOARD_RAM_BASE + BOARD_RAM_SIZE <= 1UL << 30,
	     "a domain's tables: RAM is by whole tables, in the first GiB");
BUILD_ASSERT(CONFIG_PRIVILEGED_STACK_SIZE % 16 == 0, "the core aligns it");

extern char x86_64_user_start[], x86_64_text_end[], x86_64_user_words[], x86_64_user_end[];
extern char _user_stacks_start[], _user_stacks_end[];

const struct k_thread *x86_64_user_loaded ARCH_NEAR;
uint32_t x86_64_view_faults;

/* What domains without partitions in there have: all of RAM, page by page. */
static struct x86_64_table shared[RAM_TABLES];

struct x86_64_stack x86_64_open; /* of whose view is loaded; first is 0: nobody's */

/* user.S, trap.S and boot.S call or name these. */
void x86_64_user_load(const struct k_thread *thread);
bool x86_64_needs_kernels_view(uintptr_t error, uintptr_t address, uintptr_t rflags);
extern struct {
	uint32_t reserved;
	uint32_t kernel_stack[2];
} x86_64_task_state;
void x86_64_irq_end_lost(void); /* irq.c */

static void load_tables(const void *top)
{
	__asm__ volatile("mov %0, %%cr3" ::"r"(top) : "memory");
}

/* The entry of RAM's page at `address`, in tables that are contiguous. */
static uint64_t *page_entry(struct x86_64_table *tables, uintptr_t address)
{
	return &tables->entries[(address - BOARD_RAM_BASE) / ARCH_PAGE];
}

static void set(uint64_t *entry, uintptr_t start, size_t size, uint64_t attributes)
{
	/* Bound: the range's pages. */
	for (uintptr_t at = start; at < start + size; at += ARCH_PAGE) {
		*entry++ = at | attributes;
	}
}

/* ---- which view is loaded; interrupts masked ---- */

static void close_stack(void)
{
	/* Bound: the stack's pages. */
	for (intptr_t i = x86_64_open.first; i < 0; i++) {
		x86_64_open.end[i] &= ~USERS;
	}
	x86_64_open.first = 0;
}

void x86_64_user_unload(void)
{
	unsigned int key = arch_irq_lock();

	if (x86_64_user_loaded != NULL) {
		x86_64_user_loaded = NULL;
		close_stack();
		load_tables(x86_64_tables[0]);
	}
	arch_irq_unlock(key);
}

/*
 * The segment registers say nothing in 64-bit mode, but another thread could read what one left
 * there. Between two threads that send each other messages user.inc does the same
 * (load_view_instead).
 */
void x86_64_user_load(const struct k_thread *thread)
{
	close_stack();
	x86_64_open = thread->user.arch.stack;
	/* Bound: the stack's pages. */
	for (intptr_t i = x86_64_open.first; i < 0; i++) {
		x86_64_open.end[i] |= USERS;
	}
	load_tables(&thread->user.domain->arch.top);
	x86_64_task_state.kernel_stack[0] = (uint32_t)(uintptr_t)thread->stack_start;
	x86_64_user_loaded = thread;
	__asm__ volatile("mov %0, %%ds\n\tmov %0, %%es\n\tmov %0, %%fs\n\tmov %0, %%gs" ::"r"(0));
}

/*
 * Ring 0 met a page of user mode's, by what it fetched (SMEP) or touched (SMAP), or may not write
 * what user mode only reads. Application code that both modes run, and its constants; a kernel
 * thread or a handler: these go on in the kernel's view, and so does a copy to user memory that it
 * opened, since another domain's thread may write what this one only reads. In a system call's own
 * time all else is a fault, and the kernel's own code has none: what it shares with user mode it
 * has a copy of (kernel_names.h). Context: of an exception, masked.
 */
bool x86_64_needs_kernels_view(uintptr_t error, uintptr_t address, uintptr_t rflags)
{
	bool is_opened = (rflags & RFLAGS_AC) != 0 || !x86_64_has_smap; /* which alone tells */
	bool is_shared = address - (uintptr_t)x86_64_user_start <
			 (uintptr_t)(x86_64_user_end - x86_64_user_start);
	bool is_needed;

	if ((error & (PAGE_PRESENT | PAGE_USER | PAGE_RESERVED)) != PAGE_PRESENT) {
		return false;
	}
	if ((error & (PAGE_FETCH | PAGE_WRITE)) != PAGE_WRITE && is_shared) {
		is_needed = true;
	} else {
		is_needed = (error & PAGE_FETCH) == 0 &&
			    (is_opened || arch_in_isr() || !user_is_running());
	}
	if (is_needed) {
		x86_64_view_faults++;
		x86_64_user_unload();
		if ((rflags & RFLAGS_IF) != 0 && !arch_in_isr()) {
			x86_64_irq_end_lost(); /* it may be an interrupt's frame that met it */
		}
	}
	return is_needed;
}

void arch_user_prepare(struct k_thread *thread)
{
	size_t size = ROUND_UP(thread->stack_size, ARCH_PAGE);

	thread->stack_size = size;
	thread->user.arch.stack = (struct x86_64_stack){
		page_entry(shared, (uintptr_t)thread->stack_start + size),
		-(intptr_t)(size / ARCH_PAGE),
	};
	/* which may be that of who lived in the block or on the stack before */
	x86_64_user_unload();
}

extern const char x86_64_message_stubs[], x86_64_message_stubs_end[]; /* ipc_stubs.S */

static bool is_message_stub(uintptr_t pc)
{
	return IS_ENABLED(CONFIG_IPC) && pc >= (uintptr_t)x86_64_message_stubs &&
	       pc < (uintptr_t)x86_64_message_stubs_end;
}

/* The word that its stub was called from, if that is in its stack; else where the SYSCALL was. */
uintptr_t x86_64_call_pc(const char *stack)
{
	const uintptr_t *frame = (const uintptr_t *)(const void *)stack;
	uintptr_t sp = frame[-1];
	uintptr_t pc = frame[-2];

	if (is_message_stub(pc)) {
		sp += sizeof(pc); /* which keeps a word of its own there */
	}

	if (sp % sizeof(pc) == 0 && sp - (uintptr_t)stack < k_cpu.current->stack_size) {
		(void)arch_copy_guarded(&pc, (const void *)sp, sizeof(pc), ARCH_COPY_FROM);
	}
	return pc;
}

/* ---- domains ---- */

static uint64_t rights(k_mem_partition_attr_t attr)
{
	if ((attr & K_MEM_PARTITION_WRITE_) != 0) {
		return VARIABLES | USERS;
	}
	if ((attr & K_MEM_PARTITION_EXEC_) != 0) {
		return PRESENT | USERS;
	}
	return (attr & K_MEM_PARTITION_READ_) != 0 ? PRESENT | NEVER_RUN | USERS : VARIABLES;
}

static uint64_t entry_to(const struct x86_64_table *table)
{
	return (uintptr_t)table | PRESENT | WRITABLE | USERS;
}

static unsigned int table_of_ram(uintptr_t address)
{
	return (unsigned int)((address - BOARD_RAM_BASE) / ARCH_TABLE_BYTES);
}

static uint64_t *directory_entry(struct arch_mem_domain *arch, unsigned int which)
{
	return &arch->directory.entries[BOARD_RAM_BASE / ARCH_TABLE_BYTES + which];
}

/* The kernel's memory and what all user threads have. It is not loaded. */
static void begin_domain(struct arch_mem_domain *arch)
{
	memset(arch, 0, sizeof(*arch));
	memcpy(&arch->directories, x86_64_kernels_directories(), sizeof(arch->directories));
	arch->top.entries[0] = entry_to(&arch->directories);
	arch->directories.entries[0] = entry_to(&arch->directory);
	/* Bound: RAM's tables. */
	for (unsigned int i = 0; i < RAM_TABLES; i++) {
		*directory_entry(arch, i) = entry_to(&shared[i]);
	}
}

/*
 * The domain's own table of those 2 MiB, which begins as all have it; ARCH_DOMAIN_TABLES: there is
 * none left.
 */
static unsigned int own_table(struct arch_mem_domain *arch, unsigned int which)
{
	unsigned int free = ARCH_DOMAIN_TABLES;

	/* Bound: ARCH_DOMAIN_TABLES. */
	for (unsigned int i = 0; i < ARCH_DOMAIN_TABLES; i++) {
		if (arch->used[i] != 0 && arch->which[i] == which) {
			return i;
		}
		if (arch->used[i] == 0) {
			free = i;
		}
	}
	if (free != ARCH_DOMAIN_TABLES) {
		arch->which[free] = (uint16_t)which;
		memcpy(&arch->pages[free], &shared[which], sizeof(shared[which]));
		*directory_entry(arch, which) = entry_to(&arch->pages[free]);
	}
	return free;
}

/* The part of a range that lies in the table it begins in. */
static size_t in_one_table(uintptr_t start, size_t size)
{
	return MIN(size, ARCH_TABLE_BYTES - start % ARCH_TABLE_BYTES);
}

static void unmap(struct arch_mem_domain *arch, uintptr_t start, size_t size)
{
	/* Bound: ARCH_DOMAIN_TABLES. */
	while (size != 0) {
		size_t part = in_one_table(start, size);
		unsigned int i = own_table(arch, table_of_ram(start));
		uint64_t *entry = &arch->pages[i].entries[start / ARCH_PAGE % ARCH_TABLE_ENTRIES];

		memcpy(entry, page_entry(shared, start), part / ARCH_PAGE * sizeof(*entry));
		arch->used[i]--;
		if (arch->used[i] == 0) {
			*directory_entry(arch, arch->which[i]) = entry_to(&shared[arch->which[i]]);
		}
		start += part;
		size -= part;
	}
}

/* RAM's behind the constants, and not that of stacks. */
static bool is_mappable(uintptr_t start, uintptr_t end)
{
	extern char x86_64_rodata_end[];

	return start >= (uintptr_t)x86_64_rodata_end && end <= BOARD_RAM_BASE + BOARD_RAM_SIZE &&
	       (start >= (uintptr_t)_user_stacks_end || end <= (uintptr_t)_user_stacks_start);
}

/* All of it, or nothing. */
static int map(struct arch_mem_domain *arch, const struct k_mem_partition *partition)
{
	uintptr_t start = partition->start;
	uintptr_t end = start + partition->size;

	if (!is_mappable(start, end)) {
		return -EINVAL;
	}
	/* Bound: RAM's tables. */
	while (start < end) {
		size_t part = in_one_table(start, end - start);
		unsigned int i = own_table(arch, table_of_ram(start));

		if (i == ARCH_DOMAIN_TABLES) {
			unmap(arch, partition->start, start - partition->start);
			return -ENOSPC;
		}
		arch->used[i]++;
		set(&arch->pages[i].entries[start / ARCH_PAGE % ARCH_TABLE_ENTRIES], start, part,
		    rights(partition->attr));
		start += part;
	}
	arch->mapped[arch->num_mapped].start = partition->start;
	arch->mapped[arch->num_mapped].size = partition->size;
	arch->mapped[arch->num_mapped].attr = partition->attr;
	arch->num_mapped++;
	return 0;
}

static bool is_same(const struct arch_mem_domain *arch, unsigned int i,
		    const struct k_mem_partition *part)
{
	return arch->mapped[i].start == part->start && arch->mapped[i].size == part->size &&
	       arch->mapped[i].attr == part->attr;
}

static bool is_in(const struct k_mem_domain *domain, unsigned int i)
{
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int n = 0; n < domain->num_partitions; n++) {
		if (is_same(&domain->arch, i, &domain->partitions[n])) {
			return true;
		}
	}
	return false;
}

static bool is_mapped(const struct arch_mem_domain *arch, const struct k_mem_partition *part)
{
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < arch->num_mapped; i++) {
		if (is_same(arch, i, part)) {
			return true;
		}
	}
	return false;
}

/*
 * One partition has come or gone, so only that one's pages are written. Without any, all is made
 * anew: what a domain begins with, whatever its memory held.
 */
int arch_domain_update(struct k_mem_domain *domain)
{
	struct arch_mem_domain *arch = &domain->arch;
	int result = 0;

	x86_64_user_unload();
	if (domain->num_partitions == 0) {
		begin_domain(arch);
		return 0;
	}
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = arch->num_mapped; i-- > 0;) {
		if (!is_in(domain, i)) {
			unmap(arch, arch->mapped[i].start, arch->mapped[i].size);
			arch->mapped[i] = arch->mapped[--arch->num_mapped];
		}
	}
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int n = 0; n < domain->num_partitions && result == 0; n++) {
		if (!is_mapped(arch, &domain->partitions[n])) {
			result = map(arch, &domain->partitions[n]);
		}
	}
	return result;
}

bool arch_user_constant(uintptr_t start, size_t bytes)
{
	size_t size = (size_t)(x86_64_user_end - x86_64_user_start);
	uintptr_t offset = start - (uintptr_t)x86_64_user_start;

	return offset <= size && bytes <= size - offset;
}

/* ---- guards ---- */

#ifdef CONFIG_STACK_GUARD_PAGES
/*
 * Read only in all tables, when a thread first lives above it, and for good: what is a stack's
 * stays a stack's. Domains that begin later have the shared tables. The kernel may read it, since
 * user mode may name it as an object (object_index_at()); an overflow writes first. Rejected: a
 * page that comes and goes with its thread, which costs each switch two changes and the TLB.
 */
void arch_guard_page(uintptr_t page)
{
	uint64_t *entry = x86_64_kernels_page(page);
	unsigned int key;

	if ((*entry & WRITABLE) == 0) {
		return;
	}
	key = arch_irq_lock(); /* no domain begins meanwhile */
	*entry &= ~WRITABLE;
	*page_entry(shared, page) = *entry;
	/* Bound: the number of domains. */
	for (struct k_mem_domain *each = domain_first(); each != NULL; each = each->next) {
		/* Bound: ARCH_DOMAIN_TABLES. */
		for (unsigned int i = 0; i < ARCH_DOMAIN_TABLES; i++) {
			if (each->arch.used[i] != 0 && each->arch.which[i] == table_of_ram(page)) {
				each->arch.pages[i].entries[page / ARCH_PAGE % ARCH_TABLE_ENTRIES] =
					*entry;
			}
		}
	}
	__asm__ volatile("invlpg (%0)" ::"r"(page) : "memory"); /* other views are loaded by CR3 */
	arch_irq_unlock(key);
}
#endif

/* ---- at start ---- */

/* As the kernel's view has it (mmu.c), but user mode's code and constants. */
static void init_shared(void)
{
	uintptr_t start = (uintptr_t)x86_64_user_start;
	size_t code = (size_t)(x86_64_text_end - x86_64_user_start);
	size_t constants = (size_t)(x86_64_user_end - x86_64_text_end);

	/* Bound: RAM's pages. */
	for (uintptr_t at = BOARD_RAM_BASE; at < BOARD_RAM_BASE + BOARD_RAM_SIZE; at += ARCH_PAGE) {
		*page_entry(shared, at) = x86_64_kernels_entry(at);
	}
	set(page_entry(shared, start), start, code, PRESENT | USERS);
	set(page_entry(shared, start + code), start + code, constants, PRESENT | USERS | NEVER_RUN);
}

#ifdef ARCH_FIXED_COUNTER
#define LET_USERS_COUNT() x86_64_change_cr4(0, CR4_PCE)
#else
#define LET_USERS_COUNT() x86_64_change_cr4(CR4_TSD, 0)
#endif

bool arch_user_cycles(struct k_mem_partition *part)
{
	LET_USERS_COUNT();
	return false;
}

void arch_user_start(void)
{
	init_shared();
	x86_64_user_start_core();
}
