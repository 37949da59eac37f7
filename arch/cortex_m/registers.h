/* SPDX-License-Identifier: Apache-2.0 */
/* What a fault left in the system control block. */
#ifndef FOLIOT_CORTEX_M_REGISTERS_H
#define FOLIOT_CORTEX_M_REGISTERS_H

#include <stdint.h>

#ifdef CONFIG_CORTEX_M_V6M
#define CFSR 0U /* there is none: a hard fault does not say why */
#else
#define CFSR (*(volatile uint32_t *)0xE000ED28)
#endif
#define HFSR  (*(volatile uint32_t *)0xE000ED2C)
#define SHCSR (*(volatile uint32_t *)0xE000ED24)
#define MMFAR (*(volatile uint32_t *)0xE000ED34)
#define BFAR  (*(volatile uint32_t *)0xE000ED38)
#define FPCCR (*(volatile uint32_t *)0xE000EF34)

#define CFSR_DACCVIOL    (1UL << 1)
#define CFSR_MUNSTKERR   (1UL << 3)
#define CFSR_MSTKERR     (1UL << 4)
#define CFSR_MMARVALID   (1UL << 7)
#define CFSR_PRECISERR   (1UL << 9)
#define CFSR_IMPRECISERR (1UL << 10)
#define CFSR_MLSPERR     (1UL << 5)
#define CFSR_LSPERR      (1UL << 13)
#define CFSR_UNSTKERR    (1UL << 11)
#define CFSR_STKERR      (1UL << 12)
#define CFSR_BFARVALID   (1UL << 15)
#define CFSR_UNDEFINSTR  (1UL << 16)
#define CFSR_INVPC       (1UL << 18)
#define CFSR_STKOF       (1UL << 20) /* ARMv8-M */

/* The core had no room for its frame, or could not read it: the registers in it are lost. */
#define CFSR_NO_FRAME (CFSR_STKERR | CFSR_UNSTKERR | CFSR_MSTKERR | CFSR_MUNSTKERR)

#define HFSR_FORCED (1UL << 30)

#define FPCCR_LSPEN  (1UL << 30)
#define FPCCR_LSPACT 1UL /* room is kept for registers of the floating-point unit */

#define SHCSR_USGFAULTPENDED (1UL << 12)
#define SHCSR_MEMFAULTPENDED (1UL << 13)
#define SHCSR_BUSFAULTPENDED (1UL << 14)
#define SHCSR_SVCALLPENDED   (1UL << 15)
#define SHCSR_FAULTS_PENDED  (SHCSR_USGFAULTPENDED | SHCSR_MEMFAULTPENDED | SHCSR_BUSFAULTPENDED)

/* Exceptions by number. */
#define EXC_HARD_FAULT    3U
#define EXC_PENDSV        14U
#define EXC_INTERRUPT     16U /* the first line */
#define EXC_RETURN_THREAD 8U
#define EXC_RETURN_NO_FPU 16U
#define EXC_RETURN_SECURE 64U /* ARMv8-M */
#define XPSR_EXC_NUMBER   0x1FFU

/* What it said has been looked at. Both are cleared by writing ones. */
static inline void fault_forget(uint32_t cfsr)
{
#ifdef CONFIG_CORTEX_M_V6M
	(void)cfsr;
#else
	CFSR = cfsr;
	HFSR = HFSR_FORCED;
#endif
}

#endif /* FOLIOT_CORTEX_M_REGISTERS_H */
