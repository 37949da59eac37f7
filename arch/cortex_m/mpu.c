/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the MPU of ARMv7-M (PMSAv7) is spent on in user mode; where regions overlap the higher one
 * rules.
 *
 *   0     code and constants: read and executed, written by nobody
 *   1     in there the vectors, and so address 0: kernel mode's
 *   2, 3  the thread's stack; with CONFIG_STACK_CANARIES 3 is the word that user mode reads
 *   4 ... the domain's partitions
 *   7     with CONFIG_STACK_GUARD the guard (guard.c), else one more for partitions
 *
 * All other memory is kernel mode's, by the default map, and user mode's fault. A region is a power
 * of two, naturally aligned, whose eighths can be left out from 256 bytes on. What has to be
 * covered is covered exactly, with as few as that takes: one for a partition of
 * K_APPMEM_PARTITION_DEFINE(), since the linker script aligns it, and one for a stack that is not
 * many times as large as the one of its calls.
 */
#include "kernel/base/kernel.h"
#include <foliot/mem_domain.h>
#include <board.h>
#include "mpu.h"

#define RBAR_VALID 0x10U /* the region's number is in the lowest bits */

#define RASR_ENABLE     1U
#define RASR_USER_NONE  (1UL << 24) /* kernel mode reads and writes */
#define RASR_USER_READ  (2UL << 24)
#define RASR_USER_WRITE (3UL << 24)
#define RASR_ALL_READ   (6UL << 24) /* nobody writes */
#define RASR_NO_EXECUTE (1UL << 28)
#define RASR_ALLOCATE   (1UL << 19) /* TEX: a store, too, brings a line in */
#define RASR_CACHEABLE  (1UL << 17)
#define RASR_BUFFERABLE (1UL << 16)
#define RASR_SHAREABLE  (1UL << 18)
#define RASR_DISABLED   0U

/*
 * As the architecture's default map has RAM, by which the kernel reaches it too while the region is
 * not loaded.
 */
#define MEMORY (RASR_ALLOCATE | RASR_CACHEABLE | RASR_BUFFERABLE)

#define REGION_CODE    0U
#define REGION_VECTORS 1U
#define REGION_STACK   2U
#define REGION_WORDS   3U
#define REGION_DOMAIN  4U

#define LEAST_WITH_EIGHTHS 8U /* of bits: 256 bytes, whose eighths are multiples of 32 */

BUILD_ASSERT(
	CONFIG_PRIVILEGED_STACK_SIZE % 256 == 0,
	"CONFIG_PRIVILEGED_STACK_SIZE: a multiple of 256, so that a region can begin behind it");

struct arch_user_now cortex_m_user_now;

/*
 * As much as one region can of [start, end) from `start` on; returns where it ends. That is the
 * smallest one with both in it, unless its eighths are too large for one to begin at `start`: then
 * the largest one whose eighths are not, which ends before `end` does. Masked when a thread is
 * created, so it is computed at once: trying each size took 1800 instructions.
 */
static uintptr_t cover_first(struct arch_region *region, uintptr_t start, uintptr_t end)
{
	uint32_t around = 32U - (uint32_t)__builtin_clz(start ^ (end - 1U));
	uint32_t most = start == 0 ? 31U : MIN(31U, (uint32_t)__builtin_ctz(start) + 3U);
	uint32_t bits = MIN(MAX(around, LEAST_WITH_EIGHTHS), most);
	uint32_t part_bits = bits - 3U;
	uintptr_t base = start & ~((1UL << bits) - 1U);
	uint32_t first = (start - base) >> part_bits;
	uint32_t behind = MIN((end - base) >> part_bits, 8U);
	uint32_t left_out = (0xFFU & ~(0xFFU << first)) | (0xFFU & (0xFFU << behind));

	region->rbar = base;
	region->rasr = left_out << 8 | (bits - 1U) << 1 | RASR_ENABLE;
	return base + (behind << part_bits);
}

/*
 * [start, end), multiples of 32, exactly, in `max` regions from number `first` on; those left
 * over are switched off. Returns how many it took, more than `max` where they do not suffice.
 */
static unsigned int cover(struct arch_region *regions, unsigned int first, unsigned int max,
			  uintptr_t start, uintptr_t end, uint32_t rights)
{
	unsigned int n = 0;

	/* Bound: `max`. */
	while (start != end && n < max) {
		start = cover_first(&regions[n], start, end);
		regions[n].rasr |= rights;
		regions[n].rbar |= RBAR_VALID | (first + n);
		n++;
	}
	/* Bound: `max`. */
	for (unsigned int i = n; i < max; i++) {
		regions[i] = (struct arch_region){RBAR_VALID | (first + i), RASR_DISABLED};
	}
	return start == end ? n : max + 1U;
}

static void load(const struct arch_region *regions, unsigned int n)
{
	/* Bound: ARCH_DOMAIN_REGIONS. */
	for (unsigned int i = 0; i < n; i++) {
		MOVE_PAIR(REGIONS, 0, &regions[i], 0);
	}
}

void arch_user_start(void)
{
	struct arch_region region;

	/* Bound: eight, all there are. After a reset they may be anything. */
	for (unsigned int i = 0; i < 8U; i++) {
		(void)cover(&region, i, 1, 0, 0, 0);
		load(&region, 1);
	}
	(void)cover(&region, REGION_CODE, 1, BOARD_ROM_BASE, (uintptr_t)_user_rom_end,
		    RASR_ALL_READ | RASR_CACHEABLE);
	load(&region, 1);
	(void)cover(&region, REGION_VECTORS, 1, BOARD_ROM_BASE, BOARD_ROM_BASE + VECTORS_SIZE,
		    RASR_USER_NONE | RASR_CACHEABLE);
	load(&region, 1);
	if (IS_ENABLED(CONFIG_STACK_CANARIES)) {
		(void)cover(&region, REGION_WORDS, 1, (uintptr_t)_user_words,
			    (uintptr_t)_user_words + 32U,
			    RASR_USER_READ | RASR_NO_EXECUTE | MEMORY);
		load(&region, 1);
	}
	MPU_CTRL = CTRL_ENABLE | CTRL_PRIVDEFENA;
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}

#define STACK_RIGHTS (RASR_USER_WRITE | RASR_NO_EXECUTE | MEMORY)

/*
 * A stack whose lowest part is no whole eighth: two regions. Of a very long one they may leave out
 * the lowest bytes, up to a 64th of it: then it overflows that much earlier. With one region it is
 * up to an eighth.
 */
static void cover_long_stack(struct arch_region *regions, uintptr_t start, uintptr_t end)
{
	uint32_t align = 32;

	/* Bound: 27; most often one. */
	while (cover(regions, REGION_STACK, ARCH_STACK_REGIONS, ROUND_UP(start, align), end,
		     STACK_RIGHTS) > ARCH_STACK_REGIONS) {
		align *= 2U;
	}
}

/* With what lies in front it begins at a multiple of a power of two that it fits in. */
void arch_user_prepare(struct k_thread *thread)
{
	struct arch_region *regions = thread->user.arch.regions;
	uintptr_t start = (uintptr_t)thread->stack_start;
	uintptr_t base = start - ARCH_USER_STACK_RESERVED;
	size_t size = ARCH_USER_STACK_RESERVED + thread->stack_size;
	uint32_t bits = 32U - (uint32_t)__builtin_clz((unsigned int)size - 1U);
	uint32_t part = 1UL << (bits - 3U);
	uint32_t first = ARCH_USER_STACK_RESERVED >> (bits - 3U);
	uint32_t end = (size + part - 1U) >> (bits - 3U);

	if (cortex_m_user_now.start == start) {
		cortex_m_user_now.start = 0; /* another thread's, which lived there before */
	}
	thread->user.arch.stack = (struct arch_user_stack){start,
							   thread->stack_size - EXC_MAX_SIZE};
	if (ARCH_USER_STACK_RESERVED % part != 0 || base % (8U * part) != 0) {
		cover_long_stack(regions, start, base + end * part);
		return;
	}
	regions[0].rbar = base | RBAR_VALID | REGION_STACK;
	regions[0].rasr = (~(0xFFU << first) & 0xFFU) << 8 | (0xFFU << end & 0xFFU) << 8 |
			  (bits - 1U) << 1 | RASR_ENABLE | STACK_RIGHTS;
	if (ARCH_STACK_REGIONS > 1) {
		regions[ARCH_STACK_REGIONS - 1] = (struct arch_region){
			RBAR_VALID | (REGION_STACK + 1U), RASR_DISABLED};
	}
}

/*
 * user.S, user.inc: on a way to user mode that is not the one's whose regions are loaded. Masked.
 */
void cortex_m_user_load(const struct k_thread *thread);

void cortex_m_user_load(const struct k_thread *thread)
{
	MOVE_PAIR(REGIONS, 0, thread, offsetof(struct k_thread, user.arch.regions[0]));
	if (ARCH_STACK_REGIONS > 1) {
		MOVE_PAIR(REGIONS, 8, thread,
			  offsetof(struct k_thread, user.arch.regions[ARCH_STACK_REGIONS - 1]));
	}
	MOVE_PAIR(&cortex_m_user_now, 0, thread, offsetof(struct k_thread, user.arch.stack));
	if (thread->user.domain != cortex_m_user_now.domain) {
		cortex_m_user_now.domain = thread->user.domain;
		load(cortex_m_user_now.domain->arch.regions, ARCH_DOMAIN_REGIONS);
	}
	__asm__ volatile("dsb" ::: "memory"); /* and on the way to user mode an isb */
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
static uint32_t kind_of_memory(uintptr_t start)
{
	bool is_device = (start >= 0x40000000U && start < 0x60000000U) || start >= 0xA0000000U;

	return is_device ? RASR_SHAREABLE | RASR_BUFFERABLE : MEMORY;
}

static uint32_t rights(const struct k_mem_partition *part)
{
	uint32_t access = (part->attr & K_MEM_PARTITION_WRITE_) != 0  ? RASR_USER_WRITE
			  : (part->attr & K_MEM_PARTITION_READ_) != 0 ? RASR_USER_READ
								      : RASR_USER_NONE;

	return access | kind_of_memory(part->start) |
	       ((part->attr & K_MEM_PARTITION_EXEC_) != 0 ? 0U : RASR_NO_EXECUTE);
}

/* All of it, or nothing. */
int arch_domain_update(struct k_mem_domain *domain)
{
	struct arch_mem_domain arch;
	unsigned int used = 0;

	(void)cover(arch.regions, REGION_DOMAIN, ARCH_DOMAIN_REGIONS, 0, 0, 0);
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < domain->num_partitions; i++) {
		const struct k_mem_partition *part = &domain->partitions[i];

		used += cover(&arch.regions[used], REGION_DOMAIN + used, ARCH_DOMAIN_REGIONS - used,
			      part->start, part->start + part->size, rights(part));
		if (used > ARCH_DOMAIN_REGIONS) {
			return -ENOSPC;
		}
	}
	domain->arch = arch;
	if (domain == cortex_m_user_now.domain) {
		load(domain->arch.regions, ARCH_DOMAIN_REGIONS);
		__asm__ volatile("dsb\n\tisb" ::: "memory");
	}
	return 0;
}
