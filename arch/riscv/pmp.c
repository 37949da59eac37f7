/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the PMP is spent on in user mode. Entries 0 and 1: code and constants, which lie
 * together; 2 and 3: the thread's stack; from 4 on two a partition, or one where it begins where the
 * one before it ends. All are ranges (TOR): no size has to be a power of two. None is locked, so
 * machine mode is not bound. docs/security.md has the table.
 */
#include "kernel/core/kernel.h"
#include <foliot/mem_domain.h>
#include <board.h>

#define TOR   0x08U
#define READ  0x01U
#define WRITE 0x02U
#define EXEC  0x04U

#define CY         1U         /* of mcounteren: cycle, and neither time nor instret */
#define SUPERVISOR (1U << 18) /* of misa */

#define CODE_AND_STACK ((TOR | READ | EXEC) << 8 | (TOR | READ | WRITE) << 24)

extern char riscv_text_start[], riscv_rodata_end[];

static const struct k_mem_domain *loaded;

void arch_user_start(void)
{
	__asm__ volatile("csrw pmpaddr0, %0\n\t"
			 "csrw pmpaddr1, %1\n\t"
			 "csrw pmpcfg0, %2\n\t"
			 "csrw pmpcfg1, zero\n\t"
			 "csrw mcounteren, zero\n\t" /* nor the counters: arch_user_cycles() */
			 :
			 : "r"((uintptr_t)riscv_text_start >> 2),
			   "r"((uintptr_t)riscv_rodata_end >> 2), "r"(CODE_AND_STACK)
			 : "memory");
}

#define LOAD(n, entry) __asm__ volatile("csrw pmpaddr" #n ", %0" ::"r"(arch->addresses[entry]))

static void load(const struct arch_mem_domain *arch)
{
	LOAD(4, 0);
	LOAD(5, 1);
	LOAD(6, 2);
	LOAD(7, 3);
	__asm__ volatile("csrw pmpcfg1, %0" ::"r"(arch->configurations[0]) : "memory");
#if BOARD_PMP_ENTRIES > 8
	LOAD(8, 4);
	LOAD(9, 5);
	LOAD(10, 6);
	LOAD(11, 7);
	LOAD(12, 8);
	LOAD(13, 9);
	LOAD(14, 10);
	LOAD(15, 11);
	__asm__ volatile("csrw pmpcfg2, %0" ::"r"(arch->configurations[1]) : "memory");
	__asm__ volatile("csrw pmpcfg3, %0" ::"r"(arch->configurations[2]) : "memory");
#endif
}

void arch_user_switch(const struct k_thread *thread)
{
	uintptr_t start = (uintptr_t)thread->stack_start;

	__asm__ volatile("csrw pmpaddr2, %0\n\tcsrw pmpaddr3, %1" ::"r"(start >> 2),
			 "r"((start + thread->stack_size) >> 2)
			 : "memory");
#ifdef CONFIG_RISCV_PMP_REWRITE
	__asm__ volatile("csrw pmpcfg0, %0" ::"r"(CODE_AND_STACK) : "memory");
#endif
	if (thread->user.domain != loaded) {
		loaded = thread->user.domain;
		load(&loaded->arch);
	}
}

static uint32_t rights(k_mem_partition_attr_t attr)
{
	return ((attr & K_MEM_PARTITION_READ_) != 0 ? READ : 0U) |
	       ((attr & K_MEM_PARTITION_WRITE_) != 0 ? READ | WRITE : 0U) |
	       ((attr & K_MEM_PARTITION_EXEC_) != 0 ? EXEC : 0U);
}

/* The partition with the lowest address at or above `from`, or NULL. */
static const struct k_mem_partition *lowest(const struct k_mem_domain *domain, uintptr_t from)
{
	const struct k_mem_partition *found = NULL;

	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < domain->num_partitions; i++) {
		const struct k_mem_partition *part = &domain->partitions[i];

		if (part->start >= from && (found == NULL || part->start < found->start)) {
			found = part;
		}
	}
	return found;
}

/* In ascending order, so that neighbours share an address; all of it, or nothing. */
int arch_domain_update(struct k_mem_domain *domain)
{
	struct arch_mem_domain arch = {0};
	const struct k_mem_partition *part = lowest(domain, 0);
	uintptr_t last = 0;
	unsigned int n = 0;

	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	while (part != NULL) {
		uintptr_t end = part->start + part->size;

		if (n + (part->start != last) >= ARCH_DOMAIN_ENTRIES) {
			return -ENOSPC;
		}
		if (part->start != last) {
			arch.addresses[n++] = part->start >> 2;
		}
		arch.addresses[n] = end >> 2;
		arch.configurations[n / 4] |= (TOR | rights(part->attr)) << (n % 4 * 8);
		n++;
		last = end;
		part = lowest(domain, end);
	}
	domain->arch = arch;
	if (domain == loaded) {
		load(&domain->arch);
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
	uint32_t extensions;

	__asm__ volatile("csrr %0, misa\n\tcsrw mcounteren, %1" : "=r"(extensions) : "r"(CY));
	if ((extensions & SUPERVISOR) != 0) { /* then it has a word in it, too */
		__asm__ volatile("csrw scounteren, %0" ::"r"(CY));
	}
	return false;
#endif
}

bool arch_user_constant(uintptr_t start, size_t bytes)
{
	size_t size = (size_t)(riscv_rodata_end - riscv_text_start);
	uintptr_t offset = start - (uintptr_t)riscv_text_start;

	return offset <= size && bytes <= size - offset;
}
