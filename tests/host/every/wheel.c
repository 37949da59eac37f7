/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeout wheel: timeouts are armed, near and far, and cancelled; the clock goes on, in small
 * steps and large ones, with the interrupt early, on time and late; one of them arms itself anew
 * when it expires. In each window that an expiry opens another interrupt may come, which cancels or
 * arms one. The model is a row by tick, and by who came first.
 *
 * Ticks begin where BASE says: 16 of them before they wrap, for one.
 */
#define FOLIOT_KERNEL_CLOCK_H /* this clock is the test's own */

#include <host.h>

#include "kernel/base/kernel.h"
#include "kernel/time/arithmetic.h"

static timeout_tick_t tick_now, alarm_tick;

static inline timeout_tick_t clock_ticks(void)
{
	return tick_now;
}

static inline timeout_tick_t clock_latest(void)
{
	return tick_now;
}

static inline bool clock_is_behind(void)
{
	return false;
}

static inline void clock_alarm(timeout_tick_t ahead)
{
	alarm_tick = tick_now + ahead;
}

#include "kernel/time/timeout.c"
#include "tests/host/every/every.h"
#include "tests/host/wheel_places.h"

#ifndef BASE
#define BASE 0xFFFFFFF0U
#endif
#ifndef TIMEOUTS
#define TIMEOUTS 3
#endif
#define AGAIN 16 /* ticks, of the one that arms itself anew */

/* Digits' ends and beyond, and as far as a wait reaches. */
static const timeout_tick_t distances[] = {1, 2, 15, 16, 31, 256, 0x7FFFFFFF};
/* To the alarm, beyond it, less far; what the clock skips where interrupts were masked. */
enum { TO_ALARM, PAST_ALARM, ONE, SIXTEEN, FAR, NONE, STEPS };
#define DISTANCES (int)ARRAY_SIZE(distances)
#define WINDOWS   2 /* of an expiry, in one of which an interrupt comes; 0: it does not */
#define ACTS      (TIMEOUTS + 2) /* cancels that one, or arms one for the next tick, or for 16 on */

struct host_cpu host_cpu;

static struct timeout timeouts[TIMEOUTS];
static bool pending[TIMEOUTS];
static struct {
	struct {
		timeout_tick_t when;
		int order;
		bool is_pending, is_again;
	} of[TIMEOUTS];
	int order_of_first; /* who arms itself as the first comes before all who did so already */
} model;
static int window_left, act; /* of the interrupt to come */

void host_deliver(void)
{
}

/* ---- both ---- */

static bool is_earlier(int a, int b)
{
	timeout_tick_t x = model.of[a].when - wheel.base;
	timeout_tick_t y = model.of[b].when - wheel.base;

	return x != y ? x < y : model.of[a].order < model.of[b].order;
}

static int earliest_of_model(void)
{
	int found = -1;

	for (int i = 0; i < TIMEOUTS; i++) {
		if (model.of[i].is_pending && (found < 0 || is_earlier(i, found))) {
			found = i;
		}
	}
	return found;
}

static bool is_due(int i)
{
	return (int32_t)(tick_now - model.of[i].when) >= 0;
}

static void expire(struct timeout *timeout)
{
	int i = (int)(timeout - timeouts);

	check(pending[i] && model.of[i].is_pending, "who expires was armed");
	check(i == earliest_of_model(), "who expires is the first");
	check(is_due(i), "nobody expires early");
	check(timeout->when == model.of[i].when, "its tick");
	pending[i] = false;
	model.of[i].is_pending = false;
	if (model.of[i].is_again) {
		model.of[i].is_again = false;
		model.of[i].when += AGAIN;
		model.of[i].order = --model.order_of_first;
		model.of[i].is_pending = true;
		pending[i] = true;
		timeout_add_first(timeout, timeout->when + AGAIN);
	}
}

static void arm(int i, timeout_tick_t ahead, bool is_again)
{
	model.of[i].when = tick_now + ahead;
	model.of[i].order = TIMEOUTS + 1;
	model.of[i].is_pending = true;
	model.of[i].is_again = is_again;
	timeouts[i].expire = expire;
	pending[i] = true;
	timeout_add(&timeouts[i], tick_now + ahead);
}

static void cancel(int i)
{
	timeout_cancel(&timeouts[i]);
	pending[i] = false;
	model.of[i].is_pending = false;
}

static int first_free(void)
{
	for (int i = 0; i < TIMEOUTS; i++) {
		if (!pending[i]) {
			return i;
		}
	}
	return -1;
}

/* By tick, and of one tick by who came first: so that states that are alike are one. */
static void rank(void)
{
	int order[TIMEOUTS];

	for (int i = 0; i < TIMEOUTS; i++) {
		order[i] = 0;
		for (int j = 0; j < TIMEOUTS; j++) {
			order[i] += model.of[i].is_pending && model.of[j].is_pending && j != i &&
				    is_earlier(j, i);
		}
	}
	for (int i = 0; i < TIMEOUTS; i++) {
		model.of[i].order = order[i];
	}
	model.order_of_first = 0;
}

/* ---- an interrupt in a window ---- */

static void window(void)
{
	if (window_left == 0 || --window_left != 0) {
		return;
	}
	if (act < TIMEOUTS) {
		if (pending[act]) {
			cancel(act);
		}
	} else if (first_free() >= 0) {
		arm(first_free(), act == TIMEOUTS ? 1 : AGAIN, false);
	}
	rank();
}

/* ---- operations ---- */

#define ARMS    (2 * DISTANCES)
#define CANCELS TIMEOUTS
#define GOES    (STEPS * (1 + WINDOWS * ACTS))

static bool may(int number)
{
	if (number < ARMS) {
		return first_free() >= 0;
	}
	if (number < ARMS + CANCELS) {
		return pending[number - ARMS];
	}
	return true;
}

static timeout_tick_t step_of(int step)
{
	switch (step) {
	case TO_ALARM: /* which may be far, and is then looked at earlier: clock.h */
		return alarm_tick - tick_now > 0x40000000U ? 0x40000000U : alarm_tick - tick_now;
	case PAST_ALARM:
		return alarm_tick - tick_now > 0x40000000U ? 0x40000000U
							   : alarm_tick - tick_now + 17;
	case ONE:
		return 1;
	case SIXTEEN:
		return 16;
	case FAR:
		return 0x10000001U;
	default:
		return 0;
	}
}

static void go(int number)
{
	int with = number / STEPS; /* 0: no interrupt */

	window_left = with == 0 ? 0 : 1 + (with - 1) / ACTS;
	act = with == 0 ? 0 : (with - 1) % ACTS;
	tick_now += step_of(number % STEPS);
	host_cpu.masked = true;
	timeout_announce(tick_now);
	window_left = 0;
	act = 0;
	check(earliest_of_model() < 0 || !is_due(earliest_of_model()), "who is due has expired");
}

/* What nobody may read: of who is not armed, and of a slot that is not marked. */
static void forget(void)
{
	for (int i = 0; i < TIMEOUTS; i++) {
		if (!pending[i]) {
			timeouts[i] = (struct timeout){0};
			model.of[i].when = 0;
			model.of[i].is_again = false;
		}
	}
	for (unsigned int i = 0; i < NOWHERE; i++) {
		if ((wheel.marked[i / WORD_BITS] & BIT(i % WORD_BITS)) == 0) {
			timeout_slots[i] = (struct slot){0};
		}
	}
}

static void apply(int number)
{
	if (number < ARMS) {
		arm(first_free(), distances[number % DISTANCES], number >= DISTANCES);
	} else if (number < ARMS + CANCELS) {
		cancel(number - ARMS);
	} else {
		go(number - ARMS - CANCELS);
	}
	rank();
	check(wheel_places_hold(timeouts, pending, TIMEOUTS), "each in its place");
	check(earliest_of_model() < 0 ||
		      alarm_tick - tick_now <= model.of[earliest_of_model()].when - tick_now,
	      "the alarm is no later than who is first");
	forget();
}

static void show(int number, FILE *out)
{
	static const char *const steps[] = {"to the alarm", "past the alarm", "1 tick", "16 ticks",
					    "far",          "nowhere"};

	if (number < ARMS) {
		fprintf(out, "arm, %u ticks ahead%s", (unsigned int)distances[number % DISTANCES],
			number < DISTANCES ? "" : ", and again");
		return;
	}
	number -= ARMS;
	if (number < CANCELS) {
		fprintf(out, "cancel %d", number);
		return;
	}
	number -= CANCELS;
	fprintf(out, "the clock goes %s", steps[number % STEPS]);
	number /= STEPS;
	if (number > 0) {
		fprintf(out, ", and in window %d %s %d", 1 + (number - 1) / ACTS,
			(number - 1) % ACTS < TIMEOUTS ? "cancels" : "arms", (number - 1) % ACTS);
	}
}

int main(int argc, char **argv)
{
	static struct every every = {"timeout wheel", {{0}}, 0, ARMS + CANCELS + GOES, may,
				     apply,           show};

	every_part(&every, &wheel, sizeof(wheel));
	every_part(&every, timeout_slots, sizeof(timeout_slots));
	every_part(&every, timeouts, sizeof(timeouts));
	every_part(&every, pending, sizeof(pending));
	every_part(&every, &model, sizeof(model));
	every_part(&every, &tick_now, sizeof(tick_now));
	every_part(&every, &alarm_tick, sizeof(alarm_tick));
	tick_now = BASE;
	host_cpu.masked = true;
	host_cpu.before_lock = window;
	timeout_init();
	forget();
	return every_sequence(&every, every_depth(argc, argv));
}
