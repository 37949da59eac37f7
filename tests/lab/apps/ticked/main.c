/* SPDX-License-Identifier: Apache-2.0 */
/* Three rows: no tick comes; one comes now and then; one comes in every sample. */
#include <measure.h>

static volatile uint32_t work;

static intptr_t spin(uint32_t rounds)
{
	for (uint32_t i = 0; i < rounds; i++) {
		work++;
	}
	return 0;
}

MEASURE_WINDOW(short_spin, result = spin(20))
MEASURE_WINDOW(tick_long, k_busy_wait(1000000 / CONFIG_SYS_CLOCK_TICKS_PER_SEC); result = 0)

static void is_done(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "done", result == 0);
}

int main(void)
{
	static struct k_timer timer;

	measure_begin("ticked");
	measure_single(
		&(struct measure_operation){"spin.alone", "A loop", short_spin, NULL, is_done});
	k_timer_init(&timer, NULL, NULL);
	k_timer_start(&timer, K_TICKS(1), K_TICKS(1));
	measure_single(&(struct measure_operation){"spin.ticked", "A loop, and a timer", short_spin,
						   NULL, is_done});
	measure_single(&(struct measure_operation){"spin.tick_long", "A tick's time", tick_long,
						   NULL, is_done});
	k_timer_stop(&timer);
	k_exit(measure_end());
}
