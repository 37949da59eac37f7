/* SPDX-License-Identifier: Apache-2.0 */
/* Of user mode what is the same with either MPU: mpu.c, mpu_v8.c. */
#include "kernel/base/kernel.h"
#include <foliot/mem_domain.h>
#include <board.h>
#include "mpu.h"

/*
 * Where a system call goes on whose frame lay anywhere else, as in a partition that others may
 * write, too: user.S. In kernel mode, on the stack of system calls.
 */
void cortex_m_not_its_stack(uintptr_t pc);

void cortex_m_not_its_stack(uintptr_t pc)
{
	fatal_raise_at(K_ERR_KERNEL_OOPS, "a system call from a stack that is not the thread's",
		       pc);
}

bool arch_user_constant(uintptr_t start, size_t bytes)
{
	uintptr_t first = BOARD_ROM_BASE + VECTORS_SIZE;
	size_t size = (uintptr_t)_rodata_end - first;
	uintptr_t offset = start - first;

	return offset <= size && bytes <= size - offset;
}

bool arch_user_cycles(struct k_mem_partition *part)
{
	*part = (struct k_mem_partition){ROUND_DOWN(ARCH_CYCLES_REG, ARCH_PARTITION_ALIGN),
					 ARCH_PARTITION_ALIGN, K_MEM_PARTITION_P_RW_U_RO};
	return true;
}
