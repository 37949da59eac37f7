/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Switching the guard region on: read only, so that a report can look at the stack.
 *
 * With mseccfg.MML the locked regions are machine mode's own rules, and RLB keeps them
 * changeable. RLB alone would do on Ibex, but QEMU 7.2 then takes locked regions for
 * unlocked ones, which do not bind machine mode. The price is small, and something is
 * gained: code needs a region to be executable at all, so data are not, and code is not
 * writable.
 */
#include <arch_guard.h>
#include <stdint.h>

#define MSECCFG     "0x747"
#define MSECCFG_MML "1"
#define MSECCFG_RLB "4"

#define LOCKED 0x80U
#define NAPOT  0x18U
#define TOR    0x08U
#define READ   0x01U
#define EXEC   0x04U

extern char riscv_text_start[], riscv_text_end[];

void arch_guard_init(void)
{
	uintptr_t regions = (LOCKED | NAPOT | READ) | (LOCKED | TOR | READ | EXEC) << 16;

	__asm__ volatile("csrsi " MSECCFG ", " MSECCFG_RLB "\n\t"
			 "csrw pmpaddr0, zero\n\t"
			 "csrw pmpaddr1, %0\n\t" /* where region 2 begins */
			 "csrw pmpaddr2, %1\n\t"
			 "csrw pmpcfg0, %2\n\t"
			 "csrsi " MSECCFG ", " MSECCFG_MML
			 :
			 : "r"((uintptr_t)riscv_text_start >> 2),
			   "r"((uintptr_t)riscv_text_end >> 2), "r"(regions)
			 : "memory");
}
