/* SPDX-License-Identifier: Apache-2.0 */
/* The address of a device, which no user thread is to reach. */
#ifndef TESTS_DEVICE_H
#define TESTS_DEVICE_H

#include <board.h>

#ifdef BOARD_UART_BASE
#define A_DEVICE BOARD_UART_BASE
#elif __STDC_HOSTED__ /* a process has none, but addresses that are not RAM */
#define A_DEVICE 0x1000U
#else /* a PC's, which is reached by ports */
#define A_DEVICE BOARD_LAPIC_BASE
#endif

#endif /* TESTS_DEVICE_H */
