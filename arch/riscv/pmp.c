/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the PMP is spent on in user mode, in this order: the stack guard if there is one; code and
 * constants, which lie together; the thread's stack; the domain's partitions. Ranges (TOR) take two
 * entries, or one where they begin where the one before them ends; a partition that is a power of
 * two, and aligned to it, takes one (NAPOT, or NA4 for a word), and those of
 * K_APPMEM_PARTITION_DEFINE() are. docs/security.md has the table.
 *
 * Only the guard is locked, so machine mode is bound by that one alone. With CONFIG_RISCV_PMP_MML
 * it is not: there machine mode has no access to entries of user mode, and none that is not said to
 * memory of an entry, so all but the guard are shared ones, of which user mode executes code
 * without reading it.
 */
#include "arch/arch.h"
#include "kernel/base/kernel.h"
#include <foliot/mem_domain.h>
#include <board.h>
#ifdef CONFIG_STACK_GUARD_HW
#include <arch_guard.h>
#endif

#define TOR   0x08U
#define READ  0x01U
#define WRITE 0x02U
#define EXEC  0x04U

#define CY         1U         /* of mcounteren: cycle, and neither time nor instret */
#define SUPERVISOR (1U << 18) /* of misa */

#define LOCKED 0x80U
#define NA4    0x10U
#define NAPOT  0x18U

#ifdef CONFIG_RISCV_PMP_MML
#define GUARD            (LOCKED | NAPOT | READ) /* machine mode reads, user mode nothing */
/* it reads and executes, user mode executes */
#define CODE             (LOCKED | TOR | WRITE | EXEC)
#define CONSTANTS        (LOCKED | TOR | READ | WRITE | EXEC) /* both read */
#define SHARED_WRITE     (WRITE | EXEC) /* both read and write */
#define SHARED_READ      WRITE /* machine mode writes, too */
#define SHARED_EXEC      (LOCKED | WRITE | EXEC)
#define SHARED_NOT       (LOCKED | READ | WRITE) /* machine mode's */
#define MSECCFG_BITS     "5" /* RLB, MML */
#define CONSTANTS_START_ riscv_text_end
#else
#define GUARD            (LOCKED | NAPOT) /* nobody's: it binds both modes */
#define CODE             (TOR | READ | EXEC) /* constants, too */
#define SHARED_WRITE     (READ | WRITE)
#define SHARED_READ      READ
#define SHARED_EXEC      (READ | EXEC)
#define SHARED_NOT       0U
#define MSECCFG_BITS     "4" /* RLB: what is locked can be moved */
#define CONSTANTS_START_ riscv_text_start
#endif

/*
 * Entries 0 to 3, and what of 4 to 7 is no domain's; which pmpaddr are the stack's, user.inc says.
 */
#if ARCH_DOMAIN_FIRST == 4
#define CFG0 (CODE << 8 | (TOR | SHARED_WRITE) << 24)
#define CFG1 0U
#elif ARCH_DOMAIN_FIRST == 5
#define CFG0 (GUARD | CODE << 16)
#define CFG1 (TOR | SHARED_WRITE)
#else
#define CFG0 (GUARD | CODE << 16 | CONSTANTS << 24)
#define CFG1 ((TOR | SHARED_WRITE) << 8)
#endif

/*
 * Configurations stand in registers of a byte an entry: RV32 has pmpcfg0 to 3, RV64 the even ones.
 * FIXED: the first that a domain has a part in, without it.
 */
#if __riscv_xlen == 64
#define FIXED                     ((uintptr_t)CFG1 << 32 | CFG0)
#define SET_FIXED_CONFIGURATION() SET("pmpcfg0", FIXED)
#else
#define FIXED CFG1
#define SET_FIXED_CONFIGURATION()      \
	do {                           \
		SET("pmpcfg0", CFG0);  \
		SET("pmpcfg1", FIXED); \
	} while (0)
#endif

extern char riscv_text_start[], riscv_text_end[], riscv_rodata_end[];

const struct k_mem_domain *riscv_domain_loaded ARCH_NEAR;

#define SET(csr, value) __asm__ volatile("csrw " csr ", %0" ::"r"(value) : "memory")

#define TEXT_START  ((uintptr_t)riscv_text_start >> 2)
#define TEXT_END    ((uintptr_t)riscv_text_end >> 2)
#define RODATA_END  ((uintptr_t)riscv_rodata_end >> 2)
#define HAS_MML     IS_ENABLED(CONFIG_RISCV_PMP_MML)
#define GUARD_FIRST IS_ENABLED(CONFIG_STACK_GUARD_HW) /* in front of the code */

#ifndef MSECCFG_BITS
#define MSECCFG_BITS "0" /* without a guard nothing is locked */
#endif

/* The code and the constants, behind the guard's entry where there is one. */
static void set_fixed_addresses(void)
{
	if (!GUARD_FIRST) {
		SET("pmpaddr0", TEXT_START);
		SET("pmpaddr1", RODATA_END);
		return;
	}
	__asm__ volatile("csrsi 0x747, 4"); /* mseccfg.RLB, before anything is locked */
	SET("pmpaddr0", 0);
	SET("pmpaddr1", TEXT_START);
	SET("pmpaddr2", HAS_MML ? TEXT_END : RODATA_END);
	if (HAS_MML) {
		SET("pmpaddr3", RODATA_END);
	}
}

void arch_user_start(void)
{
	set_fixed_addresses();
	SET_FIXED_CONFIGURATION();
	if (GUARD_FIRST) {
		__asm__ volatile("csrsi 0x747, " MSECCFG_BITS ::: "memory");
	}
	SET("mcounteren", 0); /* nor the counters: arch_user_cycles() */
}

#ifdef CONFIG_STACK_GUARD_HW
/* It is on from arch_user_start() on, of no place: machine mode's memory at 0, which nobody has. */
void arch_guard_init(void)
{
}
#endif

#if BOARD_PMP_ENTRIES > 8
uintptr_t riscv_long_is_loaded
	ARCH_NEAR; /* the domain that is loaded goes on behind the eighth entry */
#endif

void riscv_domain_load(const struct k_mem_domain *domain); /* user.S */

void arch_user_prepare(struct k_thread *thread)
{
	uintptr_t start = (uintptr_t)thread->stack_start;

	thread->user.arch.stack_start = start >> 2;
	thread->user.arch.stack_end = (start + thread->stack_size) >> 2;
	if (riscv_user_stack_loaded() == thread->user.arch.stack_start) {
		/* who lived there before may have had less of it, or another domain */
		riscv_user_forget();
	}
}

/*@ assigns \nothing;
  @ ensures (attr & K_MEM_PARTITION_WRITE_) != 0 ==> \result == (SHARED_WRITE);
  @ ensures (attr & K_MEM_PARTITION_WRITE_) == 0 && (attr & K_MEM_PARTITION_EXEC_) != 0 ==>
  @   \result == (SHARED_EXEC);
  @ ensures (attr & (K_MEM_PARTITION_WRITE_ | K_MEM_PARTITION_EXEC_)) == 0 ==>
  @   \result == ((attr & K_MEM_PARTITION_READ_) != 0 ? SHARED_READ : SHARED_NOT);
  @*/
static uint32_t rights(k_mem_partition_attr_t attr)
{
	if ((attr & K_MEM_PARTITION_WRITE_) != 0) {
		return SHARED_WRITE;
	}
	if ((attr & K_MEM_PARTITION_EXEC_) != 0) {
		return SHARED_EXEC;
	}
	return (attr & K_MEM_PARTITION_READ_) != 0 ? SHARED_READ : SHARED_NOT;
}

/* The partition with the lowest address at or above `from`, or NULL. */
/*@ requires domain_is_sound(domain);
  @ assigns \nothing;
  @ ensures \result == \null <==> \forall integer i; 0 <= i < domain->num_partitions ==>
  @   domain->partitions[i].start < from;
  @ ensures \result != \null ==> \result->start >= from &&
  @   \exists integer i; 0 <= i < domain->num_partitions && \result == &domain->partitions[i];
  @ ensures \result != \null ==> \forall integer i; 0 <= i < domain->num_partitions &&
  @   domain->partitions[i].start >= from ==> \result->start <= domain->partitions[i].start;
  @*/
static const struct k_mem_partition *lowest(const struct k_mem_domain *domain, uintptr_t from)
{
	const struct k_mem_partition *found = NULL;

	/*@ loop invariant 0 <= i <= domain->num_partitions;
	  @ loop invariant found == \null <==> \forall integer j; 0 <= j < i ==>
	  @   domain->partitions[j].start < from;
	  @ loop invariant found != \null ==> found->start >= from &&
	  @   \exists integer j; 0 <= j < i && found == &domain->partitions[j];
	  @ loop invariant found != \null ==> \forall integer j; 0 <= j < i &&
	  @   domain->partitions[j].start >= from ==> found->start <= domain->partitions[j].start;
	  @ loop assigns i, found;
	  @ loop variant domain->num_partitions - i;
	  @*/
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < domain->num_partitions; i++) {
		const struct k_mem_partition *part = &domain->partitions[i];

		if (part->start >= from && (found == NULL || part->start < found->start)) {
			found = part;
		}
	}
	return found;
}

static bool is_napot(const struct k_mem_partition *part)
{
	return (part->size & (part->size - 1)) == 0 && part->start % part->size == 0;
}

/* Adds an entry; false: there is none left. */
static bool add_entry(struct arch_mem_domain *arch, unsigned int *n, uintptr_t address,
		      uint32_t configuration)
{
	unsigned int entry = ARCH_DOMAIN_FIRST + *n;

	if (*n == ARCH_DOMAIN_ENTRIES) {
		return false;
	}
	arch->addresses[*n] = address;
	arch->configurations[entry / REGBYTES - ARCH_DOMAIN_FIRST / REGBYTES] |=
		(uintptr_t)configuration << (entry % REGBYTES * 8);
	(*n)++;
	return true;
}

/*
 * In ascending order, so that neighbours share an address: as few entries as that can be. All of
 * it, or nothing.
 */
int arch_domain_update(struct k_mem_domain *domain)
{
	struct arch_mem_domain arch = {.configurations = {FIXED}};
	const struct k_mem_partition *part = lowest(domain, 0);
	uintptr_t range_end = 0; /* of the last entry, if it is a range */
	unsigned int n = 0;

	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	while (part != NULL) {
		uintptr_t end = part->start + part->size;
		bool fits;

		if (part->start != range_end && is_napot(part)) {
			uintptr_t ones = part->size == 4 ? 0 : part->size / 8 - 1;

			fits = add_entry(&arch, &n, part->start >> 2 | ones,
					 (part->size == 4 ? NA4 : NAPOT) | rights(part->attr));
			range_end = 0;
		} else {
			fits = (part->start == range_end ||
				add_entry(&arch, &n, part->start >> 2, 0)) &&
			       add_entry(&arch, &n, end >> 2, TOR | rights(part->attr));
			range_end = end;
		}
		if (!fits) {
			return -ENOSPC;
		}
		part = lowest(domain, end);
	}
	arch.is_long = ARCH_DOMAIN_FIRST + n > 8U;
	domain->arch = arch;
	if (domain == riscv_domain_loaded) {
		riscv_domain_load(domain);
	}
	return 0;
}

bool arch_user_cycles(struct k_mem_partition *part)
{
#ifdef BOARD_CYCLES_REG
	*part = (struct k_mem_partition){BOARD_CYCLES_REG, sizeof(uint32_t),
					 K_MEM_PARTITION_P_RW_U_RO};
	return true;
#else
	uintptr_t extensions;

	__asm__ volatile("csrr %0, misa\n\tcsrw mcounteren, %1" : "=r"(extensions) : "r"(CY));
	if ((extensions & SUPERVISOR) != 0) { /* then it has a word in it, too */
		__asm__ volatile("csrw scounteren, %0" ::"r"(CY));
	}
	return false;
#endif
}

bool arch_user_constant(uintptr_t start, size_t bytes)
{
	size_t size = (size_t)(riscv_rodata_end - CONSTANTS_START_);
	uintptr_t offset = start - (uintptr_t)CONSTANTS_START_;

	return offset <= size && bytes <= size - offset;
}
