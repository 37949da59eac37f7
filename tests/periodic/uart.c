/* SPDX-License-Identifier: Apache-2.0 */
/* The UART that lets its thread sleep: by its interrupt, by the tick, and for so long only. */
#include <board.h>
#include "drivers/uart2.h"
#include "test.h"

#ifdef BOARD_UART2_BASE

#define CLOCKS_PER_BIT 20U /* 200 cycles a character */
#define LENGTH         80U /* more than two FIFOs */

static const char text[LENGTH];

static struct {
	size_t sent;
	enum k_trigger why;
	k_timeout_t timeout;
} seen;

static void sender(void *arg)
{
	seen.sent = uart2_send(text, LENGTH, seen.timeout);
	seen.why = k_trigger_get();
	note('s');
}

TEST(a_sender_sleeps_until_the_uart_interrupts)
{
	seen.timeout = K_FOREVER;
	uart2_init(CLOCKS_PER_BIT, K_FOREVER, 0);
	(void)start(sender, NULL, MAIN_PRIO - 1);
	CHECK_NOTES(""); /* it sleeps, and main() runs */
	k_busy_wait(LENGTH * 10U * CLOCKS_PER_BIT / 100U);
	CHECK_NOTES("s");
	CHECK_EQ(seen.sent, LENGTH);
	CHECK_EQ(seen.why, K_TRIGGER_FLAGS);
}

TEST(a_sender_sleeps_until_a_tick_finds_room)
{
	/* 400 us, in which the UART sends what it holds: ticks are shorter or longer than that. */
	const uint32_t look = MAX(2U, CONFIG_SYS_CLOCK_TICKS_PER_SEC / 2500U);

	seen.timeout = K_FOREVER;
	next_tick();
	uart2_init(CLOCKS_PER_BIT, K_TICKS(look), tick());
	(void)start(sender, NULL, MAIN_PRIO - 1);
	(void)k_sleep(K_TICKS(look));
	CHECK_NOTES(""); /* twice more for the rest */
	(void)k_sleep(K_TICKS(2U * look - 1U));
	CHECK_NOTES("s");
	CHECK_EQ(seen.sent, LENGTH);
}

TEST(a_sender_gives_up_in_time)
{
	seen.timeout = K_TICKS(1);
	uart2_init(60000U, K_FOREVER, 0); /* slower than slow */
	(void)start(sender, NULL, MAIN_PRIO - 1);
	(void)k_sleep(K_TICKS(3));
	CHECK_NOTES("s");
	CHECK(seen.sent >= 32U && seen.sent < LENGTH);
	CHECK_EQ(seen.why, K_TRIGGER_DELAY);
}

#endif /* BOARD_UART2_BASE */
