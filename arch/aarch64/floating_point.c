/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who has the floating-point registers: floating_point.inc. Here is what happens once a thread, and
 * in handlers. Interrupts masked.
 */
#include "arch/arch.h"
#include "kernel/base/kernel.h"
#include "floating_point.h"
#include "frames.h"

BUILD_ASSERT(offsetof(struct aarch64_fpu, on) == 0 && offsetof(struct aarch64_fpu, owner) == 8,
	     "floating_point.S");

struct aarch64_fpu aarch64_fpu;

/* Zeros, which a handler begins with, and what its registers are called. They are saved nowhere. */
static struct arch_fpu of_handlers;

void aarch64_fpu_used(void)
{
	struct k_thread *current = k_cpu.current;

	if (arch_in_isr() || current == NULL) {
		aarch64_fpu_turn_to(&of_handlers);
		aarch64_fpu.owner = NULL;
		return;
	}
	current->fpu_state = (struct arch_fpu){.control = 0};
	current->fpu = &current->fpu_state;
	aarch64_fpu_turn_to(current->fpu);
}

void aarch64_fpu_drop(void)
{
	struct k_thread *current = k_cpu.current;

	current->fpu = NULL;
	arch_fpu_forget(&current->fpu_state);
	aarch64_fpu_turn_to(NULL);
}
