/* SPDX-License-Identifier: Apache-2.0 */
/* What a fault left in the system control block. */
#ifndef FOLIOT_CORTEX_M_REGISTERS_H
#define FOLIOT_CORTEX_M_REGISTERS_H

#include <stdint.h>

#define CFSR  (*(volatile uint32_t *)0xE000ED28)
#define HFSR  (*(volatile uint32_t *)0xE000ED2C)
#define SHCSR (*(volatile uint32_t *)0xE000ED24)
#define MMFAR (*(volatile uint32_t *)0xE000ED34)
#define BFAR  (*(volatile uint32_t *)0xE000ED38)

#define CFSR_DACCVIOL    (1UL << 1)
#define CFSR_MSTKERR     (1UL << 4)
#define CFSR_MMARVALID   (1UL << 7)
#define CFSR_PRECISERR   (1UL << 9)
#define CFSR_IMPRECISERR (1UL << 10)
#define CFSR_BFARVALID   (1UL << 15)

#define HFSR_FORCED (1UL << 30)

#endif /* FOLIOT_CORTEX_M_REGISTERS_H */
