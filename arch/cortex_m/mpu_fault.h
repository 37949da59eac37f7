/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores of kernel mode that the MPU of ARMv8-M refuses and kernel mode may do: into a partition
 * that user mode reads, since there is no region that only user mode may not write (mpu_v8.c).
 * Nothing elsewhere.
 */
#ifndef FOLIOT_CORTEX_M_MPU_FAULT_H
#define FOLIOT_CORTEX_M_MPU_FAULT_H

#include "kernel/base/kernel.h"
#include "registers.h"

#if defined(CONFIG_USERSPACE) && defined(CONFIG_CORTEX_M_PMSAV8)
#include <foliot/mem_domain.h>

/*
 * True: the domain's regions are out, and the store is to be done again. A handler may have done it
 * that returns straight to user mode, so PendSV comes in between, which loads them (user.inc).
 */
static inline bool store_is_kernels(void)
{
	void cortex_m_user_unload(void);
	const struct k_mem_domain *domain = cortex_m_user_now.domain;
	uint32_t cfsr = CFSR;
	uintptr_t address = MMFAR;

	if (cfsr != (CFSR_DACCVIOL | CFSR_MMARVALID) || domain == NULL) {
		return false;
	}
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < domain->num_partitions; i++) {
		const struct k_mem_partition *part = &domain->partitions[i];

		if (address - part->start < part->size) {
			cortex_m_user_unload();
			fault_forget(cfsr);
			arch_request_switch();
			return true;
		}
	}
	return false;
}
#else
static inline bool store_is_kernels(void)
{
	return false;
}
#endif

#endif /* FOLIOT_CORTEX_M_MPU_FAULT_H */
