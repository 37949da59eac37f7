/* SPDX-License-Identifier: Apache-2.0 */
/* What the test cases' threads do: count, and send a text. */
#include "cases.h"
#include "drivers/uart2.h"

#define PROBE_COUNTS 1000U

static uint32_t probe_units; /* PROBE_COUNTS counts take */

__noinline void work_count(uint32_t counts)
{
	/* Bound: COUNTS, as many as it is told of. */
	while (counts != 0) {
		__asm__ volatile("" : "+r"(counts));
		counts--;
	}
}

void work_calibrate(void)
{
	uint32_t start = arch_cycles();

	work_count(PROBE_COUNTS);
	probe_units = (uint32_t)((uint64_t)(arch_cycles() - start) * BOARD_CYCLES_DEN /
				 BOARD_CYCLES_NUM);
}

uint32_t work_counts(uint32_t units)
{
	return (uint32_t)((uint64_t)units * PROBE_COUNTS / probe_units);
}

/* 38,400 Bd at the seed's 125 MHz: the tick's million cycles are 8 ms. */
#define CLOCKS_PER_BIT (125000000U / 38400U)

static const char text[] = "The quick brown fox jumps over the lazy dog again.";

#ifdef BOARD_UART2_BASE
void work_print_init(const struct periodic_case *c, k_ticks_t first)
{
	uart2_init(CLOCKS_PER_BIT, K_TICKS(UNITS_TO_TICKS(c->tick_units)), first);
}

void work_print(const struct periodic_case *c)
{
	if (c->print_mode == PRINT_SLEEPING) {
		(void)uart2_send(text, c->characters, K_FOREVER);
	} else {
		uart2_send_spinning(text, c->characters);
	}
}
#else
/* Without a UART that takes its time the text goes into a buffer. */
static char buffer[sizeof(text)];

void work_print_init(const struct periodic_case *c, k_ticks_t first)
{
}

void work_print(const struct periodic_case *c)
{
	/* Bound: CHARACTERS, the text's. */
	for (unsigned int i = 0; i < c->characters; i++) {
		((volatile char *)buffer)[i] = text[i];
	}
}
#endif
