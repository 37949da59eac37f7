/* SPDX-License-Identifier: Apache-2.0 */
/* See struct cpu: the fake machine's own registers are struct host_cpu's. */
#ifndef FOLIOT_ARCH_CPU_H
#define FOLIOT_ARCH_CPU_H

struct arch_cpu {
};

#endif /* FOLIOT_ARCH_CPU_H */
