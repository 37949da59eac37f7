/* SPDX-License-Identifier: Apache-2.0 */
/* See struct cpu: the IPSR tells the depth of interrupts, PendSV that a switch is pending. */
#ifndef FOLIOT_ARCH_CPU_H
#define FOLIOT_ARCH_CPU_H

struct arch_cpu {
};

#endif /* FOLIOT_ARCH_CPU_H */
