/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the core is told at start: where SYSCALL leads, what ring 3 may not do, and what ring 0
 * shall not do to what is ring 3's. SMEP, SMAP and UMIP are on where the core offers them; without
 * SMAP its two instructions are no instructions, and become NOPs. Floating point stays off in both
 * rings (boot.S), so there is none to leak.
 */
#include "arch/arch.h"
#include "kernel/base/kernel.h"
#include "lib/string.h"
#include "frames.h"
#include "tables.h"

#define MSR_STAR  0xC0000081U
#define MSR_LSTAR 0xC0000082U
#define MSR_FMASK 0xC0000084U
#define MSR_EFER  0xC0000080U
#define EFER_SCE  1U

/* What a call begins without, whatever its caller set: AC, NT, IOPL, DF, IF, TF. */
#define CALL_CLEARS 0x47700U

#define CR4_UMIP (1UL << 11)
#define CR4_SMEP (1UL << 20)
#define CR4_SMAP (1UL << 21)
#define CR0_WP   (1UL << 16)

#define CPUID_FEATURES  7U
#define FEATURES_B_SMEP (1U << 7)
#define FEATURES_B_SMAP (1U << 20)
#define FEATURES_C_UMIP (1U << 2)

void x86_64_call(void);

bool x86_64_has_smap;

static void write_msr(uint32_t msr, uint64_t value)
{
	__asm__ volatile("wrmsr" ::"c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
			 : "memory");
}

static uint64_t read_msr(uint32_t msr)
{
	uint32_t low, high;

	__asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
	return (uint64_t)high << 32 | low;
}

void x86_64_change_cr4(uintptr_t clear, uintptr_t set)
{
	uintptr_t cr4;

	__asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
	__asm__ volatile("mov %0, %%cr4" ::"r"((cr4 & ~clear) | set) : "memory");
}

/* STAC and CLAC become NOPs. Code is not to be written, for that long it is. */
static void remove_smap_instructions(void)
{
	extern uint8_t *const x86_64_smap_sites[], *const x86_64_smap_sites_end[];
	static const uint8_t nop[] = {0x0F, 0x1F, 0x00};
	uintptr_t cr0;

	__asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
	__asm__ volatile("mov %0, %%cr0" ::"r"(cr0 & ~CR0_WP) : "memory");
	for (uint8_t *const *site = x86_64_smap_sites; site != x86_64_smap_sites_end; site++) {
		memcpy(*site, nop, sizeof(nop));
	}
	__asm__ volatile("mov %0, %%cr0" ::"r"(cr0) : "memory");
}

void x86_64_user_start_core(void)
{
	uint32_t leaves = 0, b = 0, c = 0, d = 0;
	uintptr_t bits = CR4_TSD;

	__asm__ volatile("cpuid" : "+a"(leaves), "=b"(b), "+c"(c), "=d"(d));
	b = 0;
	c = 0;
	if (leaves >= CPUID_FEATURES) {
		uint32_t a = CPUID_FEATURES;

		__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	}
	bits |= (b & FEATURES_B_SMEP) != 0 ? CR4_SMEP : 0;
	bits |= (b & FEATURES_B_SMAP) != 0 ? CR4_SMAP : 0;
	bits |= (c & FEATURES_C_UMIP) != 0 ? CR4_UMIP : 0;
	x86_64_has_smap = (bits & CR4_SMAP) != 0;
	if (!x86_64_has_smap) {
		remove_smap_instructions();
	}
	x86_64_change_cr4(0, bits);
	write_msr(MSR_STAR,
		  (uint64_t)(SELECTOR_USER_DATA - 8) << 48 | (uint64_t)SELECTOR_CODE << 32);
	write_msr(MSR_LSTAR, (uintptr_t)x86_64_call);
	write_msr(MSR_FMASK, CALL_CLEARS);
	write_msr(MSR_EFER, read_msr(MSR_EFER) | EFER_SCE);
}
