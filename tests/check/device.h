/* SPDX-License-Identifier: Apache-2.0 */
/* The address of a device, which no user thread is to reach. */
#ifndef TESTS_DEVICE_H
#define TESTS_DEVICE_H

#include <board.h>

#ifdef BOARD_UART_BASE
#define A_DEVICE BOARD_UART_BASE
#else /* a PC's, which is reached by ports */
#define A_DEVICE BOARD_LAPIC_BASE
#endif

#endif /* TESTS_DEVICE_H */
