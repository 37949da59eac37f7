/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guard pages (CONFIG_STACK_GUARD_PAGES): read only in the kernel's tables and every domain's when
 * a thread first lives above them, for good: what is a stack's stays a stack's. Domains that begin
 * later copy the kernel's. The kernel may read them, since user mode may name one as an object
 * (object_index_at()); an overflow writes first. Rejected: a page that comes and goes with its
 * thread, which costs each switch two changes of the tables and of the TLB.
 */
#include "arch/arch.h"
#include "kernel/base/kernel.h"
#include <foliot/mem_domain.h>
#include <board.h>
#include "tables.h"

#ifdef CONFIG_AARCH64_STAGE2
#define FORGET_EVERYBODYS "tlbi vae2, %0"
#else
#define FORGET_EVERYBODYS "tlbi vaae1, %0"
#endif

/* Behind stage 2 domains have no page of the kernel's anyway. */
static void protect_in_domains(uintptr_t page)
{
	if (IS_ENABLED(CONFIG_AARCH64_STAGE2)) {
		return;
	}
	/* Bound: the number of domains. */
	for (struct k_mem_domain *each = domain_first(); each != NULL; each = each->next) {
		each->arch.space.pages[(page - BOARD_RAM_BASE) / PAGE] |= READ_ONLY;
	}
}

void arch_guard_page(uintptr_t page)
{
	uint64_t *entry = &aarch64_kernel_pages(page)[page / PAGE % ENTRIES];
	unsigned int key;

	if ((*entry & READ_ONLY) != 0) {
		return;
	}
	key = arch_irq_lock(); /* no domain begins meanwhile */
	*entry |= READ_ONLY;
	protect_in_domains(page);
	TABLES_WRITTEN();
	__asm__ volatile(FORGET_EVERYBODYS ::"r"(page >> 12) : "memory");
	TLB_DONE();
	arch_irq_unlock(key);
}
