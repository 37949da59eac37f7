/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated SoC's second UART: 32 bytes of FIFO, 8N1. sim/README.md has its registers. */
#include <board.h>
#include "drivers/uart2.h"

#define REG(n)  (*(volatile uint32_t *)(BOARD_UART2_BASE + (n)))
#define DATA    REG(0x00)
#define STATUS  REG(0x04)
#define DIVISOR REG(0x08)
#define CONTROL REG(0x0c)

#define STATUS_FULL  1U
#define STATUS_EMPTY 2U
#define CONTROL_IRQ  1U

void uart2_send_spinning(const char *text, size_t length)
{
	/* Bound: CHARACTERS, `length` of them. */
	while (length-- != 0) {
		/* Bound: FULL, at the baud rate; none while there is room. */
		while ((STATUS & STATUS_FULL) != 0) {
		}
		DATA = (uint8_t)*text++;
	}
}

#ifdef CONFIG_PERIODIC

static K_FLAGS_DEFINE(fifo, &STATUS, 0);

static void fifo_empty(const void *arg)
{
	CONTROL = 0; /* the line stays up as long as the FIFO is empty */
	k_flags_check(&fifo);
}

void uart2_init(uint32_t clocks_per_bit, k_timeout_t poll, k_ticks_t first)
{
	DIVISOR = clocks_per_bit;
	CONTROL = 0;
	k_flags_poll_set(&fifo, poll, first);
	if (fifo.poll == 0) {
		(void)irq_connect_dynamic(BOARD_UART2_IRQ, 0, fifo_empty, NULL, 0);
		irq_enable(BOARD_UART2_IRQ);
	}
}

size_t uart2_send(const char *text, size_t length, k_timeout_t timeout)
{
	for (size_t sent = 0; sent < length; sent++) {
		if ((STATUS & STATUS_FULL) != 0) {
			if (fifo.poll == 0) {
				CONTROL = CONTROL_IRQ;
			}
			if (k_flags_await(&fifo, STATUS_EMPTY, STATUS_EMPTY, timeout) != 0) {
				return sent;
			}
		}
		DATA = (uint8_t)text[sent];
	}
	return length;
}

#endif /* CONFIG_PERIODIC */
