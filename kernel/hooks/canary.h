/* SPDX-License-Identifier: Apache-2.0 */
/* The stack canaries' value. Nothing without CONFIG_STACK_CANARIES. */
#ifndef FOLIOT_KERNEL_CANARY_H
#define FOLIOT_KERNEL_CANARY_H

#ifdef CONFIG_STACK_CANARIES
/* Draw it, once, before the first thread exists. */
void canary_init(void);
#else
static inline void canary_init(void)
{
}
#endif

#endif /* FOLIOT_KERNEL_CANARY_H */
