/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second UART that takes its time: for suites and samples in which the UART itself is
 * the subject. Not the console.
 */
#ifndef FOLIOT_DRIVERS_UART2_H
#define FOLIOT_DRIVERS_UART2_H

#include <foliot/kernel.h>

/*
 * `clocks_per_bit`: the baud rate as a divisor of the board's clock. `poll`: a thread
 * that waits for the FIFO is woken by the tick, which looks this often, on a grid that
 * begins at uptime tick `first`; K_FOREVER: by the UART's interrupt. Context: thread.
 */
void uart2_init(uint32_t clocks_per_bit, k_timeout_t poll, k_ticks_t first);

/* Send, spinning while the FIFO is full. Context: either. */
void uart2_send_spinning(const char *text, size_t length);

/*
 * Send; while the FIFO is full, sleep until it is empty (CONFIG_PERIODIC). Returns the
 * number of characters taken: fewer than `length` when one such wait took longer than
 * `timeout`. Context: thread.
 */
size_t uart2_send(const char *text, size_t length, k_timeout_t timeout);

#endif /* FOLIOT_DRIVERS_UART2_H */
