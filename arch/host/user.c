/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fake protection unit: the registers that a port loads, and nothing behind them. They are
 * loaded at switches, as on Cortex-M, so that a switch which forgets to is seen. Rejected: page
 * tables by mprotect(), which is a call of the operating system a switch, and keeps
 * AddressSanitizer out.
 */
#define _GNU_SOURCE /* MAP_FIXED_NOREPLACE */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include <board.h>
#include <foliot/mem_domain.h>
#include "kernel/base/kernel.h"
#include "drivers/board_exit.h"
#include "fiber.h"
#include "host.h"

BUILD_ASSERT(CONFIG_PRIVILEGED_STACK_SIZE % ARCH_STACK_ALIGN == 0,
	     "CONFIG_PRIVILEGED_STACK_SIZE: this machine's stacks are multiples of 32 KiB");

bool host_user_mode;
/* The end of the running user thread's stack of system calls: user.S. */
char *host_user_calls;

static struct {
	uintptr_t stack_start;
	size_t stack_size;
	const struct k_mem_domain *domain;
	struct arch_region regions[ARCH_DOMAIN_REGIONS]; /* the domain's */
} unit;

void host_user_continue(struct user_entry *place, void (*begin)(void *, void *, void *))
	__attribute__((noreturn));

static bool lies_in(uintptr_t address, size_t bytes, uintptr_t start, size_t size)
{
	uintptr_t offset = address - start;

	return offset <= size && bytes <= size - offset;
}

/* user.S: what was masked throughout a call comes behind it. */
void host_user_call_opens(void);

void host_user_call_opens(void)
{
	arch_irq_unlock(ARCH_IRQ_KEY_OPEN);
}

#define PAGE 4096U

/* RAM has no holes, where any word may be read: those that the linker left between segments. */
void arch_user_start(void)
{
	uintptr_t ram_end = BOARD_RAM_BASE + BOARD_RAM_SIZE;

	/* Bound: the process's pages of variables. */
	for (uintptr_t page = ROUND_DOWN(BOARD_RAM_BASE, PAGE); page < ram_end; page += PAGE) {
		const void *made = mmap((void *)page, PAGE, PROT_READ,
					MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

		if (made == MAP_FAILED && errno != EEXIST) {
			board_exit(2);
		}
	}
}

void arch_user_prepare(struct k_thread *thread)
{
	/* As the macros defined it: user mode begins at its end. */
	thread->stack_size = ROUND_UP(thread->stack_size, ARCH_STACK_ALIGN);
	fiber_clean(thread->stack_start, thread->stack_size);
}

void arch_user_switch(const struct k_thread *thread)
{
	host_user_calls = thread->stack_start;
	unit.stack_start = (uintptr_t)thread->stack_start;
	unit.stack_size = thread->stack_size;
	if (unit.domain != thread->user.domain) {
		unit.domain = thread->user.domain;
		memcpy(unit.regions, unit.domain->arch.regions, sizeof(unit.regions));
	}
}

/* A register each. */
int arch_domain_update(struct k_mem_domain *domain)
{
	struct arch_mem_domain arch = {0};

	if (domain->num_partitions > ARCH_DOMAIN_REGIONS) {
		return -ENOSPC;
	}
	/* Bound: ARCH_DOMAIN_REGIONS. */
	for (unsigned int i = 0; i < domain->num_partitions; i++) {
		const struct k_mem_partition *part = &domain->partitions[i];

		arch.regions[i] = (struct arch_region){part->start, part->size, part->attr};
	}
	domain->arch = arch;
	if (domain == unit.domain) {
		memcpy(unit.regions, arch.regions, sizeof(unit.regions));
	}
	return 0;
}

bool arch_user_constant(uintptr_t start, size_t bytes)
{
	extern char __executable_start[], etext[], _constants_start[], _constants_end[];

	return lies_in(start, bytes, (uintptr_t)__executable_start,
		       (size_t)(etext - __executable_start)) ||
	       lies_in(start, bytes, (uintptr_t)_constants_start,
		       (size_t)(_constants_end - _constants_start));
}

bool arch_user_cycles(struct k_mem_partition *part)
{
	return false;
}

void arch_user_continue(struct user_entry *place, void (*begin)(void *, void *, void *))
{
	/* What this function's callers have on the stack that is left is nobody's now. */
	fiber_clean(k_cpu.current->stack_start, k_cpu.current->stack_size);
	host_user_continue(place, begin);
}

bool host_user_may(const void *address, size_t bytes, bool write)
{
	uint32_t needed = write ? K_MEM_PARTITION_WRITE_ : K_MEM_PARTITION_READ_;
	uintptr_t start = (uintptr_t)address;

	if (lies_in(start, bytes, unit.stack_start, unit.stack_size)) {
		return true;
	}
	for (unsigned int i = 0; i < ARCH_DOMAIN_REGIONS; i++) {
		const struct arch_region *region = &unit.regions[i];

		if ((region->rights & needed) != 0 && bytes != 0 &&
		    lies_in(start, bytes, region->start, region->size)) {
			return true;
		}
	}
	return !write && arch_user_constant(start, bytes);
}
