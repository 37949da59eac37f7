/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An interrupt at every cycle (in RTL) or instruction (in QEMU) of every window of a suite.
 *
 * The suite's loops go on as they are, and so do its rows and their evidence; what changes is how
 * many samples there are. In sample i a line rises so many units behind a window's beginning, and
 * so many more the next time, until it rises behind the window's end. Its handler does one of some
 * acts (sweep.h), each at each of these moments. Then the kernel's queues are walked, the acts' own
 * threads are looked at, and the row's evidence says whether the operation's result and the objects
 * are what they are without any interrupt: acts touch nothing of the row's own. (For handlers that use the
 * very object, tests/sweep has a program of its own.)
 *
 * Latency is from the line's rise to its handler's first instruction, by way of the kernel. The
 * least of a row is what the way in takes; what is more was masked, or an instruction that cannot be interrupted.
 * Which instructions were interrupted is printed: the lab holds them against those of the window
 * (foliot sweep).
 *
 * What is to be done stands in sweep_plan, which the lab writes into the image: one build serves
 * all shares of a sweep, and the trace of the path. Rejected: a mark for each cycle tried, which a core of 16 KiB
 * has no room for.
 */
#include "sweep.h"

#include <drivers/inject.h>

#define ARRIVALS 4U /* that are remembered; a row's sample is told of at most two later */
#define ROWS     2U
#define PLACES   1024U /* interrupted instructions of a row, hashed */
#define BEHIND   3U /* so many moments behind the window's end, each with each act: it is over */
#define EARLY    3U /* units before a window's first stamp: below */
#define OPENINGS 4U /* windows whose arming is remembered: those of a pair, and who comes between */

struct sweep_plan {
	uint32_t is_path; /* no interrupt: measure two samples a row, as without the sweep */
	uint32_t first; /* the first moment, in units behind the arming */
	uint32_t step;
	uint32_t limit; /* the last */
	uint32_t acts; /* bits by enum sweep_act */
	uint32_t share; /* rows whose number, modulo `shares`, is it; the others are run through */
	uint32_t shares;
	uint32_t low; /* and whose number is from this to that */
	uint32_t high;
};

__attribute__((used)) const volatile struct sweep_plan sweep_plan = {
	.first = 1,
	.step = 1,
	.limit = 4000,
	.acts = (1U << ACTS) - 1U,
	.shares = 1,
	.high = UINT32_MAX,
};

#define OF_HANDLER 1U /* in an instruction's address, which is even: a handler was interrupted */

struct arrival {
	uint32_t rose; /* ticks */
	uint32_t stamp; /* ticks: the handler's first instruction */
	uintptr_t pc; /* what was to be executed next */
	enum sweep_act act;
	bool is_new;
};

struct place {
	uint32_t pc; /* 0: none */
	uint16_t latency; /* units, the longest */
	uint16_t at; /* of that: units behind the window's beginning */
};

struct swept {
	struct measure_row *row;
	bool is_wanted;
	uint32_t behind; /* samples in a row whose moment was behind the window's end */
	uint32_t arrivals;
	uint32_t dropped; /* places that there was no room for */
	uint32_t least; /* units */
	const char *wrong; /* the first thing */
	uint32_t wrong_at;
	struct arrival wrong_arrival;
	struct place places[PLACES];
};

static struct {
	uint32_t begun; /* rows so far */
	uint32_t active; /* rows being measured */
	volatile uint32_t sample;
	volatile uint32_t over_at; /* the first sample that is not wanted */
	volatile bool is_open;
	volatile uint32_t delay; /* units */
	volatile enum sweep_act act;
	volatile uint32_t came;
	struct arrival arrivals[ARRIVALS];
	uint32_t opened;
	uint32_t armed[OPENINGS]; /* ticks, when the line was armed */
	enum sweep_act acts[ACTS];
	uint32_t num_acts;
} sweep;

static struct swept swept[ROWS];

/* ---- the interrupt ---- */

__attribute__((used)) static void taken(uint32_t stamp, uintptr_t pc)
{
	struct arrival *arrival = &sweep.arrivals[sweep.came % ARRIVALS];

	arrival->stamp = stamp;
	arrival->rose = inject_rose();
	arrival->pc = pc;
	arrival->act = sweep.act;
	arrival->is_new = true;
	sweep.came++;
	inject_lower();
	if (sweep.is_open) {
		sweep_act(sweep.act);
	}
}

#if defined(__riscv)
#define WAY_TO_STAMP 0U

static __attribute__((noipa)) void handler(const void *unused)
{
	uint32_t stamp = measure_stamp();
	uintptr_t pc;

	measure_fence_stamp(stamp);
	__asm__ volatile("csrr %0, mepc" : "=r"(pc));
	taken(stamp, pc);
}
#elif defined(__arm__)
#define WAY_TO_STAMP 6U /* instructions */

/* The frame that the core pushed is the interrupted thread's, or the interrupted handler's. */
__attribute__((used)) static void taken_on(const uint32_t *frame, uint32_t exc_return)
{
	uint32_t stamp = measure_stamp();

	measure_fence_stamp(stamp);
	taken(stamp, frame[6] | ((exc_return & 8U) == 0 ? OF_HANDLER : 0U));
}

static __attribute__((naked)) void handler(const void *unused)
{
	__asm__ volatile("mrs r0, psp\n\t"
			 "mov r1, lr\n\t"
			 "lsls r2, lr, #29\n\t"
			 "it pl\n\t"
			 "movpl r0, sp\n\t"
			 "b taken_on");
}
#endif

void sweep_init(void)
{
	/* Bound: ACTS. */
	for (unsigned int act = 0; act < ACTS; act++) {
		if ((sweep_plan.acts & (1U << act)) != 0) {
			sweep.acts[sweep.num_acts++] = (enum sweep_act)act;
		}
	}
	if (sweep_plan.is_path == 0) {
		sweep_acts_init();
		inject_init();
		(void)irq_connect_dynamic(INJECT_IRQ, 0, handler, NULL, 0);
		irq_enable(INJECT_IRQ);
	}
}

bool sweep_is_on(void)
{
	return sweep_plan.is_path == 0;
}

/* So far behind the arming the line rises in a sample, in units. */
static uint32_t delay_of(uint32_t sample)
{
	return sweep_plan.first + sample / sweep.num_acts * sweep_plan.step;
}

void sweep_open(void)
{
	if (k_is_user_context() || sweep.active == 0 || sweep_plan.is_path != 0) {
		return;
	}
	sweep.delay = delay_of(sweep.sample);
	sweep.act = sweep.acts[sweep.sample % sweep.num_acts];
	sweep.is_open = true;
	inject_in(sweep.delay);
	sweep.armed[sweep.opened++ % OPENINGS] = measure_stamp();
}

void sweep_close(void)
{
	if (!k_is_user_context()) {
		sweep.is_open = false;
	}
}

/* Was the line armed, for the window from `start` to `end`, to rise behind it? */
static bool was_behind(uint32_t start, uint32_t end)
{
	uint32_t armed = sweep.armed[0];

	/* Bound: OPENINGS. */
	for (uint32_t i = 1; i < OPENINGS; i++) {
		if (ticks_between(sweep.armed[i], start) < ticks_between(armed, start)) {
			armed = sweep.armed[i];
		}
	}
	return sweep.delay > ticks_to_units(ticks_between(armed, end));
}

/* ---- rows ---- */

bool sweep_wants(uint32_t i)
{
	if (k_is_user_context()) { /* sweep_skip() */
		return i < 2U;
	}
	sweep.sample = i;
	if (sweep_plan.is_path != 0) {
		return i < 2U;
	}
	return i < sweep.over_at && delay_of(i) <= sweep_plan.limit;
}

static struct swept *swept_of(const struct measure_row *row)
{
	/* Bound: ROWS. */
	for (uint32_t i = 0; i < ROWS; i++) {
		if (swept[i].row == row) {
			return &swept[i];
		}
	}
	return NULL;
}

void sweep_begin(struct measure_row *row)
{
	struct swept *one = swept_of(NULL);
	uint32_t number = sweep.begun++;

	if (one == NULL) {
		measure_fail(row, "more rows at once than a sweep knows");
		return;
	}
	*one = (struct swept){.row = row, .least = UINT32_MAX};
	/* Both rows of a pair go into one share: they begin one after the other. */
	one->is_wanted = number / ROWS % sweep_plan.shares == sweep_plan.share &&
			 number >= sweep_plan.low && number <= sweep_plan.high;
	if (sweep.active++ == 0) {
		sweep.sample = 0;
		sweep.over_at = 2U;
	}
	if (one->is_wanted) {
		sweep.over_at = UINT32_MAX;
	}
}

void sweep_skip(void)
{
	sweep.over_at = 2U;
	/* Bound: ROWS. */
	for (uint32_t i = 0; i < ROWS; i++) {
		swept[i].is_wanted = false;
	}
}

static void keep(struct swept *one, const struct arrival *arrival, uint32_t at)
{
	uint32_t latency = ticks_to_units(ticks_between(arrival->rose, arrival->stamp)) -
			   WAY_TO_STAMP;
	uint32_t pc = (uint32_t)arrival->pc;
	uint32_t tries = 0;
	struct place *place = &one->places[pc / 2U % PLACES];

	one->arrivals++;
	one->least = MIN(one->least, latency);
	/* Bound: PLACES. */
	while (place->pc != pc && place->pc != 0) {
		if (++tries == PLACES) {
			one->dropped++;
			return;
		}
		place = &one->places[(pc / 2U + tries) % PLACES];
	}
	place->pc = pc;
	if (latency > place->latency) {
		place->latency = (uint16_t)MIN(latency, UINT16_MAX);
		place->at = (uint16_t)MIN(at, UINT16_MAX);
	}
}

static void note_wrong(struct swept *one, const char *what)
{
	if (one->wrong == NULL && what != NULL) {
		one->wrong = what;
		one->wrong_at = sweep.delay;
		one->wrong_arrival = sweep.arrivals[(sweep.came - 1U) % ARRIVALS];
	}
}

/*
 * The arrival that came in a window, if one did. What is taken in front of the instructions behind the
 * first stamp may have risen before that: QEMU's timers expire an instruction or two late.
 */
static struct arrival *arrival_in(uint32_t start, uint32_t end)
{
	start = (start - (uint32_t)(EARLY * TICKS_NUM / TICKS_DEN)) & STAMP_MASK;
	/* Bound: ARRIVALS. */
	for (uint32_t i = 0; i < ARRIVALS; i++) {
		struct arrival *arrival = &sweep.arrivals[i];

		if (arrival->is_new &&
		    ticks_between(start, arrival->rose) <= ticks_between(start, end)) {
			return arrival;
		}
	}
	return NULL;
}

/* So far behind a window's beginning, in units. */
static uint32_t rise_in(uint32_t start, const struct arrival *arrival)
{
	uint32_t ticks = ticks_between(start, arrival->rose);

	return ticks > LONGEST_WINDOW ? 0 : ticks_to_units(ticks);
}

static void end_where_all_are_behind(void)
{
	uint32_t enough = BEHIND * sweep.num_acts;

	/* Bound: ROWS. */
	for (uint32_t i = 0; i < ROWS; i++) {
		if (swept[i].row != NULL && swept[i].is_wanted && swept[i].behind < enough) {
			return;
		}
	}
	if (sweep.over_at == UINT32_MAX) { /* the other thread of a pair may have begun the next */
		sweep.over_at = sweep.sample + 2U;
	}
}

void sweep_add(struct measure_row *row, uint32_t start, uint32_t end)
{
	struct swept *one;
	struct arrival *arrival;

	if (k_is_user_context() || sweep_plan.is_path != 0) {
		return;
	}
	one = swept_of(row);
	if (one == NULL) {
		return;
	}
	arrival = arrival_in(start, end);
	if (arrival != NULL) {
		one->behind = 0;
		keep(one, arrival, rise_in(start, arrival));
		arrival->is_new = false;
	} else if (was_behind(start, end)) {
		one->behind++;
	}
	note_wrong(one, sweep_kernel_wrong());
	note_wrong(one, sweep_acts_wrong(false));
	end_where_all_are_behind();
}

void sweep_lacked(const struct measure_row *row, const char *evidence)
{
	struct swept *one = k_is_user_context() ? NULL : swept_of(row);

	if (one != NULL) {
		note_wrong(one, evidence);
	}
}

/* ---- what is printed ---- */

static char *put_hexadecimal(char *to, uint32_t value, unsigned int digits)
{
	/* Bound: the digits of a word. */
	while (digits-- != 0) {
		*to++ = "0123456789abcdef"[value >> (4U * digits) & 15U];
	}
	return to;
}

/*
 * Of each eight digits of pc, four of the longest latency and four of where that rose: printf()
 * would be most of the run.
 */
static void print_places(const struct swept *one)
{
	char text[17];

	record_key("places");
	record_print("\"");
	/* Bound: PLACES. */
	for (uint32_t i = 0; i < PLACES; i++) {
		const struct place *place = &one->places[i];

		if (place->pc != 0) {
			char *end = put_hexadecimal(text, place->pc, 8);

			end = put_hexadecimal(end, place->latency, 4);
			*put_hexadecimal(end, place->at, 4) = '\0';
			record_print("%s", text);
		}
	}
	record_print("\"");
}

static void print(const struct swept *one)
{
	record_begin("sweep");
	record_string("id", one->row->id);
	record_integer("samples", one->row->n);
	record_integer("arrivals", one->arrivals);
	record_integer("least", one->arrivals == 0 ? 0 : one->least);
	/* The limit came before the window's end. */
	record_integer("cut", sweep.over_at == UINT32_MAX ? 1 : 0);
	record_integer("dropped", one->dropped);
	if (one->wrong != NULL) {
		record_string("wrong", one->wrong);
		record_key("wrong_at");
		record_print("{\"at\":%u,\"pc\":%u,\"act\":%u}", one->wrong_at,
			     (uint32_t)one->wrong_arrival.pc, (unsigned int)one->wrong_arrival.act);
	}
	print_places(one);
	record_end();
}

void sweep_end(struct measure_row *row)
{
	struct swept *one = swept_of(row);

	if (one == NULL) {
		return;
	}
	if (sweep_plan.is_path == 0) {
		if (one->is_wanted) {
			note_wrong(one, sweep_acts_wrong(true));
			print(one);
			if (one->wrong != NULL) {
				measure_fail(row, one->wrong);
			}
		}
	}
	one->row = NULL;
	sweep.active--;
}
