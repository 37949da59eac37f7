/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The supply of ST's STM32H745/H747 where the switching regulator alone feeds the core. After
 * power-on both regulators run, and until PWR_CR3 has been written the chip is in the mode that
 * RM0399 calls Run*, in which RAM should not be written and the voltage can't be changed. So the
 * linear one goes off, as in ST's start-up code, before anything else. The register's low byte can
 * be written once after power-on; after any other reset the write changes nothing, and the voltage
 * is ready at once. Where it does not get ready the chip goes on as it is, slowly, and
 * drivers/clock/stm32h7.c says so.
 */
#ifndef FOLIOT_DRIVERS_SUPPLY_STM32H7_SMPS_H
#define FOLIOT_DRIVERS_SUPPLY_STM32H7_SMPS_H

#include <stdbool.h>
#include <stdint.h>
#include "drivers/clock/wait.h"

#define SUPPLY_PWR_CR3    0x5802480CU
#define SUPPLY_PWR_CSR1   0x58024804U
#define SUPPLY_LDO_ON     (1UL << 1)
#define SUPPLY_ACTVOS_RDY (1UL << 13)

static inline bool supply_settled(void)
{
	return (*(volatile uint32_t *)SUPPLY_PWR_CSR1 & SUPPLY_ACTVOS_RDY) != 0;
}

static inline void supply_start(void)
{
	*(volatile uint32_t *)SUPPLY_PWR_CR3 &= ~SUPPLY_LDO_ON;
	(void)clock_wait(SUPPLY_PWR_CSR1, SUPPLY_ACTVOS_RDY, SUPPLY_ACTVOS_RDY);
}

#endif /* FOLIOT_DRIVERS_SUPPLY_STM32H7_SMPS_H */
