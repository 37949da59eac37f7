/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line that rises so many units (cycles, or instructions under QEMU) from now, of a device that
 * the kernel does not use: for tests that let an interrupt come at each one of something. A board
 * that has such a device names its header, BOARD_INJECTOR, which defines
 *
 *     INJECT_IRQ                     the line
 *     void inject_init(void)         before the first use
 *     void inject_in(uint32_t n)     lower it, and raise it n units from now; 0: not at all
 *     void inject_lower(void)        its handler's part
 *     uint32_t inject_rose(void)     in its handler: arch_cycles() at the moment it rose
 *
 * The kernel's own alarm would not do: whatever has a time-out moves it.
 */
#ifndef FOLIOT_DRIVERS_INJECT_H
#define FOLIOT_DRIVERS_INJECT_H

#include <stdint.h>
#include <board.h>

#ifdef BOARD_INJECTOR
#include BOARD_INJECTOR
#endif

#endif /* FOLIOT_DRIVERS_INJECT_H */
