/* SPDX-License-Identifier: Apache-2.0 */
/* I/O ports, which x86 has beside memory: what PCs' old devices are reached by. Either context. */
#ifndef FOLIOT_DRIVERS_PORT_IO_PORT_IO_H
#define FOLIOT_DRIVERS_PORT_IO_PORT_IO_H

#include <stdint.h>

static inline void port_write8(uint16_t port, uint8_t value)
{
	__asm__ volatile("outb %0, %1" ::"a"(value), "Nd"(port) : "memory");
}

static inline void port_write32(uint16_t port, uint32_t value)
{
	__asm__ volatile("outl %0, %1" ::"a"(value), "Nd"(port) : "memory");
}

static inline uint8_t port_read8(uint16_t port)
{
	uint8_t value;

	__asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port) : "memory");
	return value;
}

#endif /* FOLIOT_DRIVERS_PORT_IO_PORT_IO_H */
