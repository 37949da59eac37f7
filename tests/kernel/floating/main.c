/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Floating point in every kind of thread and handler at once (CONFIG_FPU): threads
 * that give the CPU away by calls, threads that it is taken from, handlers that compute in the
 * middle of both, threads that begin, end and are ended meanwhile, and some that never
 * compute. ../registers.c fills all registers with patterns beside that.
 */
#include "test.h"
#include "unit.h"
#include "drivers/soft_irq.h"

#define ROUNDS 100
#define TERMS  20
#define LEFT   0x1p-19f /* of the sum of all powers of a half, in so many terms */

/* Terms of a sum whose result is known to the bit, as long as no register changes. */
static float sum_up(float from, unsigned int terms, void (*between)(void))
{
	float sum = from, term = 1.0f, ratio = 0.5f;

	for (unsigned int i = 0; i < terms; i++) {
		sum += term;
		term *= ratio;
		if (between != NULL) {
			between();
		}
	}
	return sum;
}

static void yield(void)
{
	k_yield();
}

static void sleep_a_tick(void)
{
	k_sleep(K_TICKS(1));
}

static volatile unsigned int wrong, sums, interrupts;
static volatile bool stop;

/* Volatile: a constant that the compiler knows would be added up by it. */
static volatile float two = 2.0f, three = 3.0f;

static void compute(void *between)
{
	for (unsigned int i = 0; i < ROUNDS / 20; i++) {
		wrong += sum_up(two, TERMS, (void (*)(void))between) != 4.0f - LEFT;
		sums++;
	}
	note('c');
}

/* The CPU is only taken from it. */
static void spin(void *arg)
{
	while (!stop) {
		wrong += sum_up(three, TERMS, NULL) != 5.0f - LEFT;
		sums++;
	}
	note('s');
}

static void never_compute(void *arg)
{
	while (!stop) {
		wrong += unit_is_on();
		k_sleep(K_TICKS(1));
	}
	note('n');
}

static void compute_in_handler(struct k_timer *timer)
{
	interrupts++;
	wrong += sum_up(two, TERMS, NULL) != 4.0f - LEFT;
}

TEST(fpu_all_kinds_of_threads_and_handlers_compute)
{
	static struct k_timer timer;
	void (*const ways[])(void) = {yield, sleep_a_tick, yield, sleep_a_tick};

	wrong = 0;
	sums = 0;
	interrupts = 0;
	stop = false;
	k_timer_init(&timer, compute_in_handler, NULL);
	k_timer_start(&timer, K_TICKS(1), K_TICKS(1));
	start(never_compute, NULL, 2);
	start(spin, NULL, MAIN_PRIO + 3);
	for (unsigned int i = 0; i < ARRAY_SIZE(ways); i++) {
		start(compute, (void *)ways[i], i < 2 ? 4 : MAIN_PRIO + 1);
	}
	while (sums < ROUNDS || interrupts < ROUNDS) {
		k_sleep(K_TICKS(5));
	}
	stop = true;
	k_sleep(K_TICKS(300));
	k_timer_stop(&timer);
	CHECK_EQ(wrong, 0);
	CHECK(sums > ROUNDS && interrupts >= ROUNDS);
}

/* ---- a handler that computes, interrupted by another ---- */

static volatile unsigned int inner;

static void compute_inside(const void *unused)
{
	soft_irq_clear();
	inner++;
	wrong += sum_up(three, TERMS, NULL) != 5.0f - LEFT;
}

static UNIT_LEAVES_ALONE void let_another_in(void)
{
	soft_irq_raise();
	for (unsigned int i = 0, before = inner; i < 1000 && inner == before; i++) {
		arch_isr_window();
	}
}

static void compute_around(struct k_timer *timer)
{
	static uintptr_t words[UNIT_WORDS];
	static struct registers found;

	for (unsigned int i = 0; i < UNIT_WORDS; i++) {
		words[i] = 0x51510000U + interrupts + i;
	}
	unit_fill_and_look(words, let_another_in, &found);
	for (unsigned int i = 0; i < UNIT_WORDS; i++) {
		wrong += found.words[i] != words[i];
	}
	interrupts++;
}

TEST(fpu_a_handler_keeps_its_own_while_another_computes)
{
	static struct k_timer timer;

	wrong = 0;
	interrupts = 0;
	inner = 0;
	stop = false;
	irq_disable(BOARD_SOFT_IRQ);
	CHECK_EQ(irq_connect_dynamic(BOARD_SOFT_IRQ, 0, compute_inside, NULL, 0), BOARD_SOFT_IRQ);
	irq_enable(BOARD_SOFT_IRQ);
	k_timer_init(&timer, compute_around, NULL);
	start(spin, NULL, MAIN_PRIO + 3);
	k_timer_start(&timer, K_TICKS(1), K_TICKS(1));
	k_sleep(K_TICKS(20));
	k_timer_stop(&timer);
	stop = true;
	k_sleep(K_TICKS(50));
	irq_disable(BOARD_SOFT_IRQ);
	(void)irq_disconnect_dynamic(BOARD_SOFT_IRQ, 0, compute_inside, NULL, 0);
	CHECK_EQ(wrong, 0);
	CHECK(interrupts > 10 && inner == interrupts);
	CHECK_NOTES("s");
}

static unsigned int rounding;

static void round_slow(void *arg)
{
	unit_control_set(ROUNDING);
	k_yield();
	rounding = unit_control();
	note('r');
}

static void begin(void *arg)
{
	CHECK(!unit_is_on());
	CHECK_EQ(unit_control() & ROUNDING, 0);
	CHECK(unit_is_on());
	note('b');
}

TEST(fpu_each_thread_rounds_as_it_said_and_a_new_one_as_at_reset)
{
	start(round_slow, NULL, MAIN_PRIO + 1);
	start(begin, NULL, MAIN_PRIO + 1);
	k_sleep(K_TICKS(3));
	CHECK_EQ(rounding, ROUNDING);
	CHECK_NOTES("br");
}

/* Its registers are nobody's any more; the core may still keep room for them. */
TEST(fpu_threads_that_compute_are_aborted_wherever_they_are)
{
	for (unsigned int i = 0; i < THREADS_MAX / 2; i++) {
		k_tid_t spinning, waiting;

		stop = false;
		wrong = 0;
		spinning = start(spin, NULL, MAIN_PRIO + 1);
		waiting = start(compute, (void *)sleep_a_tick, MAIN_PRIO - 1);
		wrong += sum_up(two, TERMS, sleep_a_tick) != 4.0f - LEFT;
		k_thread_abort(i % 2 == 0 ? spinning : waiting);
		wrong += sum_up(three, TERMS, sleep_a_tick) != 5.0f - LEFT;
		k_thread_abort(i % 2 == 0 ? waiting : spinning);
		CHECK_EQ(wrong, 0);
	}
	CHECK_NOTES("");
}

#ifndef CONFIG_STACK_CANARIES /* a fault's own tests are in ../faults */
static void fault(void *arg)
{
	float sum = sum_up(two, 5, NULL);

	if (sum > two) {
		*(volatile unsigned int *)UNIT_NOWHERE = 1;
	}
	note('!');
}

void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame)
{
	note('f');
}

TEST(fpu_a_fault_of_a_thread_that_computes_ends_it_alone)
{
	wrong += sum_up(two, TERMS, yield) != 4.0f - LEFT;
	wrong = 0;
	for (unsigned int i = 0; i < 3; i++) {
		start(fault, NULL, 4);
		wrong += sum_up(two, TERMS, sleep_a_tick) != 4.0f - LEFT;
	}
	CHECK_EQ(wrong, 0);
	CHECK_NOTES("fff");
}
#endif
