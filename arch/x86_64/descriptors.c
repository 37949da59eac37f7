/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables that the core asks: segments, which long mode hardly uses; the task state, of
 * which stacks are left; and where vectors lead. An interrupt stays on the stack of what it
 * interrupts (of a user thread: on that of its system calls), an exception goes to one of its own,
 * since the thread's may be what is wrong, or not there yet: a system call's first instruction has
 * the user's. A double fault, an NMI, a machine check and a debug exception have theirs, because
 * they come in exceptions too.
 */
#include "kernel/base/kernel.h"
#include "frames.h"
#include <arch_descriptors.h>

#define EXCEPTION_STACK_SIZE 512U

enum { STACK_EXCEPTION = 1, STACK_DOUBLE_FAULT, STACK_NMI, STACK_DEBUG, STACK_MACHINE, STACKS };

#define DESCRIPTOR_CODE   0x00AF9A000000FFFFUL
#define DESCRIPTOR_DATA   0x00CF92000000FFFFUL
#define DESCRIPTOR_RING_3 0x0000600000000000UL
#define DESCRIPTOR_TSS    0x0000890000000000UL /* present, available */

#define INTERRUPT_GATE 0x8EU

struct task_state {
	uint32_t reserved;
	uint32_t kernel_stacks[6];
	uint32_t reserved_2[2];
	uint32_t stacks[7][2]; /* of gates, counted from 1; halves, since they are not aligned */
	uint32_t reserved_3[2];
	uint16_t reserved_4;
	uint16_t io_map; /* behind the end: none */
};

BUILD_ASSERT(sizeof(struct task_state) == 104, "the architecture's");
BUILD_ASSERT(offsetof(struct task_state, kernel_stacks) == TSS_KERNEL_STACK, "frames.h");
BUILD_ASSERT(sizeof(struct gate) == 16, "the architecture's");

static uint64_t segments[SELECTOR_TSS / 8 + 2];
struct task_state x86_64_task_state; /* views.c writes the kernel's stack */
static char stacks[STACKS - 1][EXCEPTION_STACK_SIZE] __aligned(16);

/* A page, which mmu.c maps for reading only: who writes there has all of the kernel. */
struct gate x86_64_gates[GATES] __aligned(4096);

/* How many there were. */
uint32_t x86_64_nmis;

/* trap.S: their code, 16 bytes each. */
extern const char x86_64_lines[];
extern const char x86_64_exceptions[];
extern const char x86_64_spurious[];

/* boot.S calls it. */
void x86_64_descriptors_init(void);

struct gate gate_to(uintptr_t handler, unsigned int stack)
{
	return (struct gate){
		.offset_low = (uint16_t)handler,
		.selector = SELECTOR_CODE,
		.stack = (uint8_t)stack,
		.type = INTERRUPT_GATE,
		.offset_middle = (uint16_t)(handler >> 16),
		.offset_high = (uint32_t)(handler >> 32),
	};
}

static void init_segments(void)
{
	uintptr_t base = (uintptr_t)&x86_64_task_state;
	struct table_pointer pointer = {sizeof(segments) - 1, (uintptr_t)segments};

	for (unsigned int i = 0; i < STACKS - 1; i++) {
		uintptr_t end = (uintptr_t)stacks[i] + sizeof(stacks[i]);

		x86_64_task_state.stacks[i][0] = (uint32_t)end;
		x86_64_task_state.stacks[i][1] = (uint32_t)(end >> 32);
	}
	x86_64_task_state.io_map = sizeof(x86_64_task_state);
	segments[SELECTOR_CODE / 8] = DESCRIPTOR_CODE;
	segments[SELECTOR_DATA / 8] = DESCRIPTOR_DATA;
#ifdef CONFIG_USERSPACE
	segments[SELECTOR_USER_DATA / 8] = DESCRIPTOR_DATA | DESCRIPTOR_RING_3;
	segments[SELECTOR_USER_CODE / 8] = DESCRIPTOR_CODE | DESCRIPTOR_RING_3;
#endif
	segments[SELECTOR_TSS / 8] = DESCRIPTOR_TSS | (sizeof(x86_64_task_state) - 1) |
				     (base & 0xFFFFFFUL) << 16 | (base >> 24 & 0xFFUL) << 56;
	segments[SELECTOR_TSS / 8 + 1] = base >> 32;
	__asm__ volatile("lgdt %0\n\tltr %1" ::"m"(pointer), "r"((uint16_t)SELECTOR_TSS)
			 : "memory");
}

static unsigned int stack_of(unsigned int exception)
{
	switch (exception) {
	case VECTOR_NMI:
		return STACK_NMI;
	case VECTOR_DOUBLE_FAULT:
		return STACK_DOUBLE_FAULT;
	case VECTOR_DEBUG:
		return STACK_DEBUG;
	case VECTOR_MACHINE:
		return STACK_MACHINE;
	default:
		return STACK_EXCEPTION;
	}
}

void x86_64_descriptors_init(void)
{
	struct table_pointer pointer = {sizeof(x86_64_gates) - 1, (uintptr_t)x86_64_gates};

	init_segments();
	for (unsigned int i = 0; i < VECTOR_EXCEPTIONS; i++) {
		x86_64_gates[i] = gate_to((uintptr_t)x86_64_exceptions + 16UL * i, stack_of(i));
	}
	/* Bound: the vectors. Those of no line stay absent, which is an exception. */
	for (unsigned int i = VECTOR_EXCEPTIONS; i < GATES; i++) {
		if (i % VECTOR_LINES < ARCH_NUM_IRQS) {
			x86_64_gates[i] = gate_to(
				(uintptr_t)x86_64_lines + 16UL * (i % VECTOR_LINES), 0);
		}
	}
	x86_64_gates[VECTOR_SPURIOUS] = gate_to((uintptr_t)x86_64_spurious, 0);
	__asm__ volatile("lidt %0" ::"m"(pointer) : "memory");
}
