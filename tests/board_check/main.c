/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a board says of itself the first time it runs, for `./foliot board-check`, which judges it: nothing is judged here, since who
 * is not right can't be asked. Each line is "@check " and a JSON object with its number, so that a lost one is noticed.
 *
 *   board    whose image this is, and the clocks that it was built for
 *   text     all letters that a console has to carry, in a known order
 *   signal   what the port of the signals' pins holds after each was raised and lowered
 *   sleeps   just before each sleep, so that one that never ends is told from silence
 *   beat     how long that sleep was, and how far the counter and the ticks went in a stretch without sleep
 *
 * Beats go on for a minute: whoever listens has enough when it has enough, and takes its own time of each.
 */
#include <board.h>
#include <foliot/kernel.h>

#ifdef CONFIG_TRACE
#include "drivers/trace_levels.h"
#endif
#include "drivers/clock.h"

#define BEATS       600
#define SLEEP_MS    40
#define TEXT_LINES  8
#define TEXT_LENGTH 80U
#define FIRST       ' '
#define LETTERS     95U
#define TICK_HZ     CONFIG_SYS_CLOCK_TICKS_PER_SEC
#define SPIN_TICKS  (TICK_HZ > 100 ? TICK_HZ / 100 : 1)
#define SPINS_MOST  20000000U /* readings of ticks that stand still */

static unsigned int number;

static void begin(const char *type)
{
	printk("@check {\"n\":%u,\"type\":\"%s\"", number++, type);
}

static void say_board(void)
{
	begin("board");
	printk(",\"board\":\"%s\",\"clock_hz\":%u,\"tick_hz\":%u", CONFIG_BOARD,
	       (unsigned int)BOARD_CLOCK_HZ, (unsigned int)TICK_HZ);
	printk(",\"counter\":{\"name\":\"%s\",\"bits\":%u,\"num\":%u,\"den\":%u}",
	       BOARD_CYCLES_NAME, (unsigned int)BOARD_CYCLES_BITS, (unsigned int)BOARD_CYCLES_NUM,
	       (unsigned int)BOARD_CYCLES_DEN);
	if (clock_fallback() != NULL) {
		printk(",\"fallback\":\"%s\"", clock_fallback());
	}
	printk("}\n");
}

/* The letters of a line follow each other from another one on; what JSON quotes is left out. */
static void say_text(unsigned int line)
{
	begin("text");
	printk(",\"line\":%u,\"text\":\"", line);
	/* Bound: TEXT_LENGTH. */
	for (unsigned int i = 0; i < TEXT_LENGTH; i++) {
		char letter = (char)(FIRST + (line * 11U + i) % LETTERS);

		printk("%c", letter == '"' || letter == '\\' ? '.' : letter);
	}
	printk("\"}\n");
}

#if defined(CONFIG_TRACE) && defined(BOARD_SIGNALS)
static void say_signal(const char *name, uint32_t level)
{
	unsigned int key = irq_lock();
	uint32_t pin = BOARD_SIGNALS_ON_PINS(level);
	uint32_t raised, lowered;

	trace_levels_raise(level);
	raised = TRACE_PINS_(BOARD_SIGNALS) & pin;
	trace_levels_lower(level);
	lowered = TRACE_PINS_(BOARD_SIGNALS) & pin;
	irq_unlock(key);
	begin("signal");
	printk(",\"signal\":\"%s\",\"raised\":%u,\"lowered\":%u}\n", name,
	       raised == pin && pin != 0, lowered == 0);
}

static void say_signals(void)
{
	say_signal("thread_any", K_SIGNAL_THREAD_ANY);
	say_signal("scheduler", K_SIGNAL_SCHEDULER);
	say_signal("queueing", K_SIGNAL_QUEUEING);
	say_signal("isr", K_SIGNAL_ISR);
	say_signal("thread_0", K_SIGNAL_THREAD(0));
}
#else
static void say_signals(void)
{
}
#endif

/* Wait without sleeping until the ticks have come to `ticks`; false where they stand still. */
static bool spin_to(int64_t ticks)
{
	/* Bound: SPINS_MOST. */
	for (unsigned int i = 0; i < SPINS_MOST; i++) {
		if (k_uptime_ticks() >= ticks) {
			return true;
		}
	}
	return false;
}

static void beat(void)
{
	int64_t before = k_uptime_ticks();
	int64_t slept, from;
	uint32_t counter;
	bool ticks_come;

	(void)k_msleep(SLEEP_MS);
	slept = k_uptime_ticks() - before;
	from = k_uptime_ticks() + 1;
	ticks_come = spin_to(from);
	counter = arch_cycles();
	ticks_come = spin_to(from + SPIN_TICKS) && ticks_come;
	counter = arch_cycles() - counter;
	begin("beat");
	printk(",\"ticks\":%lld,\"slept\":%lld,\"asked\":%u,\"counted\":%u,\"spun\":%u}\n",
	       (long long)k_uptime_ticks(), (long long)slept,
	       (unsigned int)(SLEEP_MS * TICK_HZ / 1000U), (unsigned int)counter,
	       ticks_come ? (unsigned int)SPIN_TICKS : 0U);
}

int main(void)
{
	say_board();
	/* Bound: TEXT_LINES. */
	for (unsigned int line = 0; line < TEXT_LINES; line++) {
		say_text(line);
	}
	say_signals();
	/* Bound: BEATS. */
	for (unsigned int i = 0; i < BEATS; i++) {
		begin("sleeps");
		printk("}\n");
		beat();
	}
	begin("end");
	printk("}\n");
	k_exit(0);
}
