/* SPDX-License-Identifier: Apache-2.0 */
/* The interrupt descriptor table, for its makers and for those who make another: suites/floor.c. */
#ifndef FOLIOT_ARCH_DESCRIPTORS_H
#define FOLIOT_ARCH_DESCRIPTORS_H

#include <stdint.h>

struct gate {
	uint16_t offset_low;
	uint16_t selector;
	uint8_t stack; /* 0: the current one, else which of the TSS */
	uint8_t type;
	uint16_t offset_middle;
	uint32_t offset_high;
	uint32_t reserved;
};

#define GATES 256U

/* What LIDT and LGDT take. */
struct table_pointer {
	uint16_t limit;
	uintptr_t base;
} __attribute__((packed));

/* One that masks interrupts. */
struct gate gate_to(uintptr_t handler, unsigned int stack);

#endif /* FOLIOT_ARCH_DESCRIPTORS_H */
