/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers of each core's floating-point unit, as words: all of them filled, and looked at. A port's words that a function keeps
 * (UNIT_KEEPS) a thread finds again behind any call; the others it may find as nothing.
 */
#ifndef FLOATING_UNIT_H
#define FLOATING_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#define ROUNDING (3U << 22) /* how to round, in the word of control */

#if defined(__arm__)
#define UNIT_WORDS        32
#define UNIT_KEEPS(word)  ((word) >= 16)
#define UNIT_SPINS        3000 /* half a tick of an emulator's */
#define UNIT_STACK        1536
#define UNIT_LEAVES_ALONE /* a function whose code uses none, though it might */
#define UNIT_NOWHERE      0xC0000000 /* no device of any board */

struct registers {
	uintptr_t words[UNIT_WORDS];
	uintptr_t status;
};

static inline bool unit_is_on(void)
{
	unsigned int control;

	__asm__ volatile("mrs %0, control" : "=r"(control));
	return (control & 4U) != 0;
}

static inline unsigned int unit_control(void)
{
	unsigned int fpscr;

	__asm__ volatile("vmrs %0, fpscr" : "=r"(fpscr));
	return fpscr;
}

static inline void unit_control_set(unsigned int fpscr)
{
	__asm__ volatile("vmsr fpscr, %0" ::"r"(fpscr) : "memory");
}

static inline void unit_fill_and_look(const uintptr_t *words, void (*between)(void),
				      struct registers *found)
{
	__asm__ volatile("vldmia %0, {s0-s31}\n\t"
			 "mov r4, %1\n\t"
			 "mov r5, %2\n\t"
			 "mov r6, %3\n\t"
			 "cbz r4, 1f\n\t"
			 "blx r4\n\t"
			 "b 2f\n"
			 "1:\tsubs r6, #1\n\t"
			 "bne 1b\n"
			 "2:\tvstmia r5, {s0-s31}\n\t"
			 :
			 : "r"(words), "r"(between), "r"(found), "r"(UNIT_SPINS)
			 : "r4", "r5", "r6", "r0", "r1", "r2", "r3", "r12", "lr", "cc", "memory",
			   "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11",
			   "s12", "s13", "s14", "s15", "s16", "s17", "s18", "s19", "s20", "s21",
			   "s22", "s23", "s24", "s25", "s26", "s27", "s28", "s29", "s30", "s31");
}

static inline void unit_read(struct registers *found)
{
	__asm__ volatile("vstmia %0, {s0-s31}\n\tvmrs r3, fpscr\n\tstr r3, [%0, #128]"
			 :
			 : "r"(found)
			 : "r3", "memory");
}

/* Four bytes long. */
static inline void unit_store_nowhere(void)
{
	__asm__ volatile("str.w r0, [%0]" ::"r"(UNIT_NOWHERE) : "memory");
}
#elif defined(__aarch64__)
#include <arch_level.h>

#define UNIT_WORDS        64
#define UNIT_KEEPS(word)  ((word) >= 16 && (word) < 32 && (word) % 2 == 0) /* d8 to d15 */
#define UNIT_SPINS        200000
#define UNIT_STACK        4096
#define UNIT_LEAVES_ALONE __attribute__((target("general-regs-only")))
#define UNIT_NOWHERE      0x1C0000000

struct registers {
	uintptr_t words[UNIT_WORDS];
	uintptr_t status;
};

/* In kernel mode. */
static inline bool unit_is_on(void)
{
	uint64_t control;

#ifdef CONFIG_AARCH64_STAGE2
	AARCH64_READ(cptr_el2, control);
	return (control & 1U << 10) == 0;
#else
	AARCH64_READ(cpacr_el1, control);
	return (control & 3U << 20) != 0;
#endif
}

static inline unsigned int unit_control(void)
{
	uint64_t fpcr;

	AARCH64_READ(fpcr, fpcr);
	return (unsigned int)fpcr;
}

static inline void unit_control_set(unsigned int fpcr)
{
	AARCH64_WRITE(fpcr, fpcr);
}

#define UNIT_EIGHT(instruction, at)                                                            \
	instruction " {v0.2d-v3.2d}, [" at "], #64\n\t" instruction " {v4.2d-v7.2d}, [" at     \
		    "], #64\n\t" instruction " {v8.2d-v11.2d}, [" at "], #64\n\t" instruction  \
		    " {v12.2d-v15.2d}, [" at "], #64\n\t" instruction " {v16.2d-v19.2d}, [" at \
		    "], #64\n\t" instruction " {v20.2d-v23.2d}, [" at "], #64\n\t" instruction \
		    " {v24.2d-v27.2d}, [" at "], #64\n\t" instruction " {v28.2d-v31.2d}, [" at \
		    "], #64\n\t"

static inline void unit_fill_and_look(const uintptr_t *words, void (*between)(void),
				      struct registers *found)
{
	__asm__ volatile("mov x19, %1\n\t"
			 "mov x20, %2\n\t"
			 "mov x21, %3\n\t"
			 "mov x9, %0\n\t" UNIT_EIGHT("ld1", "x9") "cbz x19, 1f\n\t"
								  "blr x19\n\t"
								  "b 2f\n"
								  "1:\tsubs x21, x21, #1\n\t"
								  "b.ne 1b\n"
								  "2:\t" UNIT_EIGHT("st1", "x20")
			 :
			 : "r"(words), "r"(between), "r"(found), "r"((uint64_t)UNIT_SPINS)
			 : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
			   "x12", "x13", "x14", "x15", "x16", "x17", "x19", "x20", "x21", "x30",
			   "cc", "memory", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8",
			   "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18",
			   "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28",
			   "v29", "v30", "v31");
}

static inline void unit_read(struct registers *found)
{
	__asm__ volatile("mov x9, %0\n\t" UNIT_EIGHT("st1", "x9") "mrs x10, fpcr\n\t"
								  "mrs x11, fpsr\n\t"
								  "orr x10, x10, x11\n\t"
								  "str x10, [x9]"
			 :
			 : "r"(found)
			 : "x9", "x10", "x11", "memory");
}

/* Four bytes long. */
static inline void unit_store_nowhere(void)
{
	__asm__ volatile("str xzr, [%0]" ::"r"(UNIT_NOWHERE) : "memory");
}
#elif defined(__x86_64__)
#define UNIT_WORDS        32
#define UNIT_KEEPS(word)  false
#define UNIT_SPINS        200000
#define UNIT_STACK        4096
#define UNIT_LEAVES_ALONE /* where nothing is computed, none is used: arch.cmake */
#define UNIT_NOWHERE      0x40000000
#define CONTROL_AT_RESET  0x1F80U /* MXCSR */
#define X87_AT_RESET      0x37FU

#undef ROUNDING
#define ROUNDING (3U << 13)

struct registers {
	uintptr_t words[UNIT_WORDS];
	uintptr_t status;
};

/* In kernel mode. */
static inline bool unit_is_on(void)
{
	uint64_t cr0;

	__asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
	return (cr0 & 8U) == 0;
}

static inline unsigned int unit_control(void)
{
	unsigned int mxcsr;

	__asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
	return mxcsr ^ CONTROL_AT_RESET;
}

static inline void unit_control_set(unsigned int rounding)
{
	unsigned int mxcsr = CONTROL_AT_RESET | rounding;

	__asm__ volatile("ldmxcsr %0" ::"m"(mxcsr));
}

#define UNIT_ALL(macro)                                                                           \
	macro(0) macro(1) macro(2) macro(3) macro(4) macro(5) macro(6) macro(7) macro(8) macro(9) \
		macro(10) macro(11) macro(12) macro(13) macro(14) macro(15)
#define UNIT_LOAD(n)  "movdqu 16*" #n "(%%rdi), %%xmm" #n "\n\t"
#define UNIT_STORE(n) "movdqu %%xmm" #n ", 16*" #n "(%%r13)\n\t"

static inline void unit_fill_and_look(const uintptr_t *words, void (*between)(void),
				      struct registers *found)
{
	register void (*r12)(void) __asm__("r12") = between;
	register struct registers *r13 __asm__("r13") = found;
	register uint64_t r14 __asm__("r14") = UNIT_SPINS;

	__asm__ volatile(UNIT_ALL(UNIT_LOAD) "testq %%r12, %%r12\n\t"
					     "jz 1f\n\t"
					     "movq %%rsp, %%rbx\n\t"
					     "andq $-16, %%rsp\n\t"
					     "call *%%r12\n\t"
					     "movq %%rbx, %%rsp\n\t"
					     "jmp 2f\n"
					     "1:\tdecq %%r14\n\t"
					     "jnz 1b\n"
					     "2:\t" UNIT_ALL(UNIT_STORE)
			 : "+D"(words), "+r"(r12), "+r"(r13), "+r"(r14)
			 :
			 : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc",
			   "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
			   "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

static inline void unit_read(struct registers *found)
{
	unsigned short x87;

	__asm__ volatile("movq %0, %%r13\n\t" UNIT_ALL(UNIT_STORE)::"r"(found) : "r13", "memory");
	__asm__ volatile("fnstcw %0" : "=m"(x87));
	found->status = unit_control() | (x87 ^ X87_AT_RESET);
}

/* Four bytes long. */
static inline void unit_store_nowhere(void)
{
	__asm__ volatile("movq %%rax, 8(%%rax)" ::"a"((uint64_t)UNIT_NOWHERE) : "memory");
}
#else
#error "which registers has it?"
#endif

#endif /* FLOATING_UNIT_H */
