/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the MPU of ARMv8-M (PMSAv8) is spent on. A region has any two ends that are multiples of 32,
 * so each thing takes one; but where two of them overlap every access is a fault, the kernel's,
 * too. So a partition that reaches into what has a region already is refused.
 *
 *   0        code and constants behind the vectors: read and executed, written by nobody
 *   1        with CONFIG_STACK_CANARIES the word that user mode reads
 *   2, 3     two more for partitions
 *   4        the thread's stack
 *   5, 6, 7  the domain's partitions
 *
 * Those that change most are reached without a look at MPU_RNR, which stays at 4: the registers
 * that follow RBAR and RLAR are those of the next three regions. All other memory is kernel mode's,
 * by the default map. What user mode may read and not write is so for kernel mode, too: there is no
 * other kind. So the kernel's stores into such partitions fault, if they are loaded; then they are
 * taken out, and loaded once more before user mode (mpu_fault.h).
 */
#include "kernel/base/kernel.h"
#include <foliot/mem_domain.h>
#include <board.h>
#include "mpu.h"

#define MPU_RNR   (*(volatile uint32_t *)0xE000ED98)
#define MPU_MAIR0 (*(volatile uint32_t *)0xE000EDC0)

/* By their index: memory, written back and allocated as the default map has RAM; devices, nGnRE. */
#define MAIR_MEMORY 0xFFU
#define MAIR_DEVICE (0x04U << 8)

#define RBAR_NO_EXECUTE   1U
#define RBAR_KERNEL_WRITE (0U << 1) /* user mode nothing */
#define RBAR_ALL_WRITE    (1U << 1)
#define RBAR_ALL_READ     (3U << 1) /* nobody writes */
#define RBAR_SHAREABLE    (3U << 3)

#define RLAR_ENABLE  1U
#define RLAR_DEVICE  2U
#define RLAR_NOTHING 0U

#define REGION_CODE  0U
#define REGION_WORDS 1U
#define REGION_MORE  2U
#define REGION_STACK 4U

#define DIRECT_REGIONS 3U /* a domain's that lie behind the stack's */

BUILD_ASSERT(
	CONFIG_PRIVILEGED_STACK_SIZE % ARCH_PARTITION_ALIGN == 0,
	"CONFIG_PRIVILEGED_STACK_SIZE: a multiple of 32, so that a region can begin behind it");

extern char _user_stacks_start[], _user_stacks_end[];

struct arch_user_now cortex_m_user_now;

/* [start, end), multiples of 32. */
static inline struct arch_region region_of(uintptr_t start, uintptr_t end, uint32_t rights)
{
	return (struct arch_region){start | rights, (end - 32U) | RLAR_ENABLE};
}

/* Once, at start-up, by number. */
static void set(unsigned int number, struct arch_region region)
{
	MPU_RNR = number;
	REGIONS[0] = region.rbar;
	REGIONS[1] = region.rlar;
}

void arch_user_start(void)
{
	/* Bound: eight, all that are used. After a reset they may be anything, but off. */
	for (unsigned int i = 0; i < 8U; i++) {
		set(i, (struct arch_region){0, RLAR_NOTHING});
	}
	MPU_MAIR0 = MAIR_MEMORY | MAIR_DEVICE;
	set(REGION_CODE,
	    region_of(BOARD_ROM_BASE + VECTORS_SIZE, (uintptr_t)_user_rom_end, RBAR_ALL_READ));
	if (IS_ENABLED(CONFIG_STACK_CANARIES)) {
		set(REGION_WORDS, region_of((uintptr_t)_user_words, (uintptr_t)_user_words + 32U,
					    RBAR_ALL_READ | RBAR_NO_EXECUTE | RBAR_SHAREABLE));
	}
	MPU_RNR = REGION_STACK;
	MPU_CTRL = CTRL_ENABLE | CTRL_PRIVDEFENA;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}

void arch_user_prepare(struct k_thread *thread)
{
	uintptr_t start = (uintptr_t)thread->stack_start;

	if (cortex_m_user_now.start == start) {
		cortex_m_user_now.start = 0; /* another thread's, which lived there before */
	}
	thread->user.arch.stack = (struct arch_user_stack){start,
							   thread->stack_size - EXC_MAX_SIZE};
	thread->user.arch.regions[0] = region_of(start, ROUND_UP(start + thread->stack_size, 32U),
						 RBAR_ALL_WRITE | RBAR_NO_EXECUTE | RBAR_SHAREABLE);
}

/*
 * The old ones are off before the first new one has its beginning and not yet its end: what
 * that is in between may reach over code and stacks. A stack's is harmless: in between it reaches
 * over stacks.
 */
static void load_domain(const struct k_mem_domain *domain)
{
	const struct arch_region *regions = domain->arch.regions;

	/* Bound: DIRECT_REGIONS; so are the next ones. */
	for (unsigned int i = 1; i <= DIRECT_REGIONS; i++) {
		REGIONS[2U * i + 1U] = RLAR_NOTHING;
	}
	MPU_RNR = 0; /* so that those of 2 and 3 follow */
	REGIONS[2U * REGION_MORE + 1U] = RLAR_NOTHING;
	REGIONS[2U * (REGION_MORE + 1U) + 1U] = RLAR_NOTHING;
	MOVE_PAIR(REGIONS, 16, regions, 8 * DIRECT_REGIONS);
	MOVE_PAIR(REGIONS, 24, regions, 8 * DIRECT_REGIONS + 8);
	MPU_RNR = REGION_STACK;
	MOVE_PAIR(REGIONS, 8, regions, 0);
	MOVE_PAIR(REGIONS, 16, regions, 8);
	MOVE_PAIR(REGIONS, 24, regions, 16);
}

BUILD_ASSERT(ARCH_DOMAIN_REGIONS == DIRECT_REGIONS + 2U, "load_domain()");

/*
 * user.S, user.inc, ipc.S: on a way to user mode that is not the one's whose regions are loaded.
 * Masked.
 */
void cortex_m_user_load(const struct k_thread *thread);

void cortex_m_user_load(const struct k_thread *thread)
{
	MOVE_PAIR(REGIONS, 0, thread, offsetof(struct k_thread, user.arch.regions[0]));
	MOVE_PAIR(&cortex_m_user_now, 0, thread, offsetof(struct k_thread, user.arch.stack));
	if (thread->user.domain != cortex_m_user_now.domain) {
		cortex_m_user_now.domain = thread->user.domain;
		load_domain(cortex_m_user_now.domain);
	}
	__asm__ volatile("dsb" ::: "memory"); /* and on the way to user mode an isb */
}

/*
 * mpu_fault.h: nobody's are loaded. In a fault handler, which nothing that looks at them
 * interrupts.
 */
void cortex_m_user_unload(void);

void cortex_m_user_unload(void)
{
	static const struct k_mem_domain nothing;

	load_domain(&nothing);
	cortex_m_user_now.start = 0;
	cortex_m_user_now.domain = NULL;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}

/*
 * The running one may be in user mode, and this a handler that returns to it without a further
 * look.
 */
void arch_user_switch(const struct k_thread *thread)
{
	if (thread == k_cpu.current) {
		cortex_m_user_load(thread);
	} else if (cortex_m_user_now.start == (uintptr_t)thread->stack_start) {
		cortex_m_user_now.start = 0;
	}
}

/* What the architecture's default map calls devices stays so. */
static struct arch_region region_of_partition(const struct k_mem_partition *part)
{
	bool is_device = (part->start >= 0x40000000U && part->start < 0x60000000U) ||
			 part->start >= 0xA0000000U;
	uint32_t rights = (part->attr & K_MEM_PARTITION_WRITE_) != 0  ? RBAR_ALL_WRITE
			  : (part->attr & K_MEM_PARTITION_READ_) != 0 ? RBAR_ALL_READ
								      : RBAR_KERNEL_WRITE;
	struct arch_region region;

	if ((part->attr & K_MEM_PARTITION_EXEC_) == 0) {
		rights |= RBAR_NO_EXECUTE;
	}
	region = region_of(part->start, part->start + part->size, rights | RBAR_SHAREABLE);
	region.rlar |= is_device ? RLAR_DEVICE : 0U;
	return region;
}

static bool reaches(const struct k_mem_partition *part, uintptr_t start, uintptr_t end)
{
	return part->start < end && start < part->start + part->size;
}

static bool has_a_region_already(const struct k_mem_partition *part)
{
	if (IS_ENABLED(CONFIG_STACK_CANARIES) &&
	    reaches(part, (uintptr_t)_user_words, (uintptr_t)_user_words + 32U)) {
		return true;
	}
	return reaches(part, BOARD_ROM_BASE + VECTORS_SIZE, (uintptr_t)_user_rom_end) ||
	       reaches(part, (uintptr_t)_user_stacks_start, (uintptr_t)_user_stacks_end);
}

/* All of it, or nothing. */
int arch_domain_update(struct k_mem_domain *domain)
{
	struct arch_mem_domain arch = {{{0, RLAR_NOTHING}}};

	if (domain->num_partitions > ARCH_DOMAIN_REGIONS) {
		return -ENOSPC;
	}
	/* Bound: ARCH_DOMAIN_REGIONS. */
	for (unsigned int i = 0; i < domain->num_partitions; i++) {
		if (has_a_region_already(&domain->partitions[i])) {
			return -EINVAL;
		}
		arch.regions[i] = region_of_partition(&domain->partitions[i]);
	}
	domain->arch = arch;
	if (domain == cortex_m_user_now.domain) {
		load_domain(domain);
		__asm__ volatile("dsb\n\tisb" ::: "memory");
	}
	return 0;
}
