/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timers that run beside the one that is started, stopped, or expires. The others are due in
 * two to three minutes, each at a tick of its own; none expires while a row is measured.
 */
#include "growth.h"

#define FAR_MS   120000
#define LATER_MS 240000

static struct k_timer others[CONFIG_GROWTH_MAX];
static struct k_timer subject;
static k_timeout_t duration;

MEASURE_WINDOW(start, k_timer_start(&subject, duration, K_NO_WAIT))
MEASURE_WINDOW(stop, k_timer_stop(&subject))

static void start_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "runs", k_timer_remaining_ticks(&subject) != 0);
}

static void stop_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "stopped", k_timer_remaining_ticks(&subject) == 0);
}

static void measure_timer(const char *start_id, const char *start_text, const char *stop_id,
			  const char *stop_text, k_timeout_t due)
{
	duration = due;
	measure_turns(&(struct measure_operation){start_id, start_text, start, NULL, start_after},
		      &(struct measure_operation){stop_id, stop_text, stop, NULL, stop_after});
}

void growth_timeouts(uint32_t n)
{
	static char names[4][40];
	static const char *const ids[] = {"growth.timeouts.add_last", "growth.timeouts.cancel_last",
					  "growth.timeouts.add_first",
					  "growth.timeouts.cancel_first"};

	for (uint32_t i = 0; i < ARRAY_SIZE(ids); i++) {
		(void)snprintk(names[i], sizeof(names[i]), "%s", growth_name(ids[i], n));
	}
	k_timer_init(&subject, NULL, NULL);
	for (uint32_t i = 0; i < n; i++) {
		k_timer_init(&others[i], NULL, NULL);
		k_timer_start(&others[i], K_MSEC(FAR_MS + (int)i * 200), K_NO_WAIT);
	}
	measure_timer(names[0], "Start a timer that expires after so many", names[1], "Stop it",
		      K_MSEC(LATER_MS));
	measure_timer(names[2], "Start a timer that expires before so many", names[3], "Stop it",
		      K_MSEC(FAR_MS / 2));
	for (uint32_t i = 0; i < n; i++) {
		k_timer_stop(&others[i]);
	}
}
