/* SPDX-License-Identifier: Apache-2.0 */
/* The other timers, what rows are called, and interrupts that wait until they are let in. */
#include "time.h"

static struct k_timer others[CONFIG_TIME_OTHERS_MAX];
static unsigned int outstanding;
static volatile unsigned int expired;
static unsigned int key;

MEASURE_WINDOW(open_interrupts, irq_unlock(key))

static void count(struct k_timer *timer)
{
	expired++;
}

unsigned int others_number(unsigned int n)
{
	static const unsigned int numbers[NUMBERS] = {1, 16, 64, 256};

	return numbers[n] <= ARRAY_SIZE(others) ? numbers[n] : 0;
}

static void begin(unsigned int number, k_ticks_t ticks, k_ticks_t apart, k_ticks_t within)
{
	outstanding = number;
	expired = 0;
	/* Bound: `number`. */
	for (unsigned int i = 0; i < number; i++) {
		k_timer_init(&others[i], count, NULL);
		k_timer_start(&others[i], K_TICKS(ticks + i * apart % within), K_NO_WAIT);
	}
}

void others_begin(unsigned int number, k_ticks_t ticks, k_ticks_t apart)
{
	begin(number, ticks, apart, K_TICKS_MAX);
}

void others_begin_within(unsigned int number, k_ticks_t ticks, k_ticks_t within)
{
	begin(number, ticks, 1, within);
}

void others_end(void)
{
	/* Bound: the others. */
	for (unsigned int i = 0; i < outstanding; i++) {
		k_timer_stop(&others[i]);
	}
	outstanding = 0;
}

static K_TIMER_DEFINE(soon, NULL, NULL);

void settle(void)
{
	k_timer_start(&soon, K_TICKS(1), K_NO_WAIT);
	(void)k_timer_status_sync(&soon);
}

bool others_are_pending(void)
{
	return expired == 0;
}

const char *row_id(const char *operation, const char *words, unsigned int number)
{
	static char ids[2][64]; /* rows come in pairs */
	static unsigned int last;

	last ^= 1U;
	(void)snprintk(ids[last], sizeof(ids[last]), "%s.%s%s%u", operation, words,
		       words[0] == '\0' ? "" : ".", number);
	return ids[last];
}

/*
 * Counts by which an alarm may come late: QEMU rounds the time up to which it lets a machine
 * run, on RISC-V by what had gone of a count when the alarm was set.
 */
#define LATEST 2U

/*
 * By the counter: a call that looked at the kernel's clock would spare the alarm's interrupt
 * the work.
 */
void hold_back(uint32_t start, k_ticks_t ticks)
{
	key = irq_lock();
	/* Bound: `ticks`. */
	while (k_cycle_get_32() - start < ticks * TICK_CYCLES + LATEST) {
	}
}

uint32_t next_tick(void)
{
	int64_t now = k_uptime_ticks();

	while (k_uptime_ticks() == now) { /* Bound: a tick. */
	}
	return k_cycle_get_32();
}

bool arrive(struct measure_window *window)
{
	static uint32_t nothing; /* what opening takes where no interrupt comes, stamps included */
	uint32_t took;

	if (nothing == 0) {
		unsigned int arrived = key;

		irq_unlock(arrived);
		key = irq_lock();
		(void)open_interrupts(window);
		nothing = window->end - window->start;
		return false;
	}
	(void)open_interrupts(window);
	took = window->end - window->start;
	return took > 4U * nothing;
}
