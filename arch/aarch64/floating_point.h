/* SPDX-License-Identifier: Apache-2.0 */
/* What assembly asks of floating_point.c, and that of floating_point.S. Interrupts masked. */
#ifndef FOLIOT_AARCH64_FLOATING_POINT_H
#define FOLIOT_AARCH64_FLOATING_POINT_H

#include <arch_fpu.h>

/*
 * They have trapped: the running thread, or the handler, has them from now on, with zeros in them.
 */
void aarch64_fpu_used(void);
/*
 * The running thread is as one that has never used them: user mode begins, and does not find what
 * kernel mode left.
 */
void aarch64_fpu_drop(void);
/*
 * They are on for who has them saved there, or off (NULL); what is in them is saved for its owner.
 */
void aarch64_fpu_turn_to(struct arch_fpu *fpu);

#endif /* FOLIOT_AARCH64_FLOATING_POINT_H */
