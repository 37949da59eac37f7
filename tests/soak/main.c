/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the loads, looks at them each round, and at the clock; says what they came to. */
#include "soak.h"

#define MOST_THREADS 28
/* Of a reading of two counters, one after the other, with interrupts between them. */
#define SLACK_TICKS  2

static struct load *const loads[] = {
	&load_sem,  &load_limit, &load_mutex,  &load_event,   &load_poll, &load_timer,
	&load_work, &load_msgq,  &load_pipe,   &load_queue,   &load_mbox, &load_ipc,
	&load_slab, &load_heap,  &load_memory, &load_threads,
};

volatile bool soak_ends;
static struct k_thread threads[MOST_THREADS];
K_THREAD_STACK_ARRAY_DEFINE(stacks, MOST_THREADS, STACK_SIZE);
static unsigned int num_threads;

void soak_failed(const char *text, const char *file, int line)
{
	(void)irq_lock();
	printk("FAIL: %s at %s:%d, tick %u\n", text, file, line, (unsigned int)k_uptime_ticks());
	k_exit(1);
}

void soak_start(k_thread_entry_t entry, void *argument, int prio)
{
	HOLDS(num_threads < MOST_THREADS);
	(void)k_thread_create(&threads[num_threads], stacks[num_threads],
			      K_THREAD_STACK_SIZEOF(stacks[num_threads]), entry, argument, NULL,
			      NULL, prio, 0, K_NO_WAIT);
	num_threads++;
}

/* ---- the clock ---- */

static struct {
	uint32_t last_cycles;
	uint64_t cycles;
	uint32_t last_tick;
	uint64_t ticks;
	unsigned int wraps;
} clock;

static void clock_begin(void)
{
	(void)k_sleep(K_TICKS(1));
	clock.last_tick = (uint32_t)k_uptime_ticks();
	clock.last_cycles = k_cycle_get_32();
}

/* Both counters have gone on alike, and forwards, whatever wrapped. */
static void clock_check(void)
{
	unsigned int key = irq_lock();
	uint32_t tick = (uint32_t)k_uptime_ticks(), cycles = k_cycle_get_32();
	uint64_t per_tick = sys_clock_hw_cycles_per_sec() / CONFIG_SYS_CLOCK_TICKS_PER_SEC;
	uint64_t passed;

	irq_unlock(key);
	clock.wraps += cycles < clock.last_cycles;
	clock.ticks += tick - clock.last_tick;
	clock.cycles += cycles - clock.last_cycles;
	clock.last_tick = tick;
	clock.last_cycles = cycles;
	passed = clock.cycles / per_tick;
	HOLDS(passed + SLACK_TICKS >= clock.ticks && clock.ticks + SLACK_TICKS >= passed);
}

/* ---- all of it ---- */

static void rounds(void)
{
	uint32_t begun = (uint32_t)k_uptime_ticks();

	for (uint32_t round = 1; round <= CONFIG_SOAK_ROUNDS; round++) {
		uint32_t left = begun + round * CONFIG_SOAK_ROUND_TICKS -
				(uint32_t)k_uptime_ticks();

		if (left <= CONFIG_SOAK_ROUND_TICKS) {
			(void)k_sleep(K_TICKS(left));
		}
		clock_check();
		for (size_t i = 0; i < ARRAY_SIZE(loads); i++) {
			if (loads[i]->round != NULL) {
				loads[i]->round();
			}
		}
		if (round % 1000U == 0) {
			printk("round %u, %u threads begun\n", (unsigned int)round,
			       (unsigned int)load_threads.done);
		}
	}
}

int main(void)
{
	clock_begin();
	for (size_t i = 0; i < ARRAY_SIZE(loads); i++) {
		loads[i]->begin();
	}
	rounds();
	soak_ends = true;
	for (unsigned int i = 0; i < num_threads; i++) {
		HOLDS(k_thread_join(&threads[i], K_TICKS(1000)) == 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(loads); i++) {
		loads[i]->end();
		HOLDS(loads[i]->done != 0);
		printk("%s: %u\n", loads[i]->name, (unsigned int)loads[i]->done);
	}
	clock_check();
	printk("ticks %u, wraps of the cycle counter %u\n", (unsigned int)clock.ticks, clock.wraps);
	printk("SOAK PASS\n");
	k_exit(0);
	return 0;
}
