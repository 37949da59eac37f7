/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeout wheel by itself: many timeouts from one tick to 2^31 ahead (2^63 where ticks have 64
 * bits), cancelled and armed anew by random and by each other while they expire, over the wraps of the counter
 * and of the ticks, with the timer's interrupt early (nothing is due) and late (masked).
 *
 * An expiry lets interrupts in at many points: after each timeout that expired or moved
 * down, and while the next slot is searched. At the n-th of them, for any n,
 * an interrupt cancels another timeout or arms it. Which point that is, is the kernel's
 * business: so the kernel's log says between which expiries it was, and the model does it
 * there, too.
 */
#include <stdio.h>
#include <string.h>

#include <board.h>
#include <host.h>
#include "engine.h"
#include "model.h"
#include "wheel_places.h"
#include "kernel/time/timeout.h"

#define TIMEOUTS        48
#define LOG_MAX         4096
#define WINDOWS         12 /* points of an expiry that interrupts are tried at */
#define CYCLES_PER_TICK (BOARD_TIMER_HZ / CONFIG_SYS_CLOCK_TICKS_PER_SEC)

/*
 * What a timeout does when it expires: nothing, arms itself again, in front of what is due then
 * or behind it, cancels another, or has an interrupt come that cancels or arms another.
 */
enum then { NOTHING, RELATIVE, PERIODIC, FIRST, CANCEL, LATER_CANCEL, LATER_ARM };

struct reaction {
	enum then then;
	uint64_t ticks;
	int other;
};

static struct timeout timeouts[TIMEOUTS];
static bool pending[TIMEOUTS];
static struct reaction reactions[TIMEOUTS];
static int real_times[TIMEOUTS]; /* how often yet: a long leap must come to an end */
static int model_times[TIMEOUTS];

static struct {
	bool pending;
	int64_t when;
	int64_t order;
} expected[TIMEOUTS];
static int64_t orders;
static int64_t now; /* tick, not wrapped */

/* What expired: its number; what an interrupt did: INTERRUPT, the other's number, and when. */
#define INTERRUPT 1000
#define ARMS      500

static struct log {
	int length;
	int id[LOG_MAX];
	int64_t when[LOG_MAX]; /* what it armed for; of no interest to the comparison */
} real_log, model_log;

/* The interrupt to come. */
static struct {
	unsigned int windows; /* until then; 0: none */
	bool arms;
	int other;
	uint64_t ticks;
} later;

static void note(struct log *log, int id)
{
	if (log->length < LOG_MAX) {
		log->id[log->length++] = id;
	}
}

/* ---- the kernel's side; interrupts masked ---- */

static void expire(struct timeout *timeout);

/* In one go, or in the two parts that callers have who end in a call of something else. */
static void real_add(int id, timeout_tick_t when)
{
	timeouts[id].expire = expire;
	if (when % 2 == 0) {
		timeout_add(&timeouts[id], when);
	} else {
		int number = timeout_link(&timeouts[id], when);

		if (number >= 0) {
			timeout_alarm(number, when);
		}
	}
	pending[id] = true;
}

/* The same from now on, as timers do it. */
static void real_start(int id, uint64_t ticks, unsigned int key)
{
	timeouts[id].expire = expire;
	pending[id] = true;
	timeout_start(&timeouts[id], (timeout_tick_t)ticks, key);
}

static void real_cancel(int id)
{
	if (pending[id]) {
		timeout_cancel(&timeouts[id]);
		pending[id] = false;
	}
}

static void have_interrupt(const struct reaction *r)
{
	later.windows = 1 + (unsigned int)(r->ticks % WINDOWS);
	later.arms = r->then == LATER_ARM;
	later.other = r->other;
	later.ticks = r->ticks;
}

static void interrupt(const void *unused)
{
	unsigned int key = irq_lock();

	host_cpu.pending &= ~(uint32_t)BIT(BOARD_SOFT_IRQ);
	if (real_log.length < LOG_MAX) {
		real_log.when[real_log.length] = k_uptime_ticks() + (int64_t)later.ticks + 1;
	}
	note(&real_log, INTERRUPT + later.other + (later.arms ? ARMS : 0));
	real_cancel(later.other);
	if (later.arms) {
		real_add(later.other, timeout_deadline(K_TICKS(later.ticks)));
	}
	irq_unlock(key);
}

/* Interrupts are open and about to be masked: in a handler, that is the end of a window. */
static void window(void)
{
	if (arch_in_isr() && later.windows != 0) {
		later.windows--;
		if (later.windows == 0) {
			host_irq_raise(BOARD_SOFT_IRQ);
		}
	}
}

static void expire(struct timeout *timeout)
{
	int id = (int)(timeout - timeouts);
	const struct reaction *r = &reactions[id];

	note(&real_log, id);
	pending[id] = false;
	switch (real_times[id]-- > 0 ? r->then : NOTHING) {
	case RELATIVE:
		real_add(id, timeout_deadline(K_TICKS(r->ticks)));
		break;
	case PERIODIC:
		real_add(id, timeout->when + (timeout_tick_t)r->ticks);
		break;
	case FIRST:
		pending[id] = true;
		timeout_add_first(timeout, timeout->when + (timeout_tick_t)r->ticks);
		break;
	case CANCEL:
		real_cancel(r->other);
		break;
	case LATER_CANCEL:
	case LATER_ARM:
		have_interrupt(r);
		break;
	default:
		break;
	}
}

/* ---- the model's ---- */

static void model_add(int id, int64_t when)
{
	expected[id].pending = true;
	expected[id].when = when;
	expected[id].order = orders++;
}

static int earliest(void)
{
	int first = NOBODY;

	for (int id = 0; id < TIMEOUTS; id++) {
		if (expected[id].pending &&
		    (first == NOBODY || expected[id].when < expected[first].when ||
		     (expected[id].when == expected[first].when &&
		      expected[id].order < expected[first].order))) {
			first = id;
		}
	}
	return first;
}

static void model_expire(int id)
{
	const struct reaction *r = &reactions[id];

	note(&model_log, id);
	expected[id].pending = false;
	switch (model_times[id]-- > 0 ? r->then : NOTHING) {
	case RELATIVE:
		model_add(id, now + (int64_t)r->ticks + 1);
		break;
	case PERIODIC:
		model_add(id, expected[id].when + (int64_t)r->ticks);
		break;
	case FIRST:
		model_add(id, expected[id].when + (int64_t)r->ticks);
		expected[id].order = -expected[id].order;
		break;
	case CANCEL:
		expected[r->other].pending = false;
		break;
	default:
		break;
	}
}

/* What interrupts did in the kernel at this place. */
static void model_interrupts(void)
{
	int next;

	while ((next = model_log.length) < real_log.length && real_log.id[next] >= INTERRUPT) {
		int other = (real_log.id[next] - INTERRUPT) % ARMS;

		note(&model_log, real_log.id[next]);
		expected[other].pending = false;
		if (real_log.id[next] >= INTERRUPT + ARMS) {
			model_add(other, real_log.when[next]);
		}
	}
}

/* Time goes on to `until`; unmasked, each timeout expires on its tick, masked all at the end. */
static void model_advance(int64_t until, bool masked)
{
	int id;

	if (masked) {
		now = until;
	}
	model_interrupts();
	while ((id = earliest()) != NOBODY && expected[id].when <= until) {
		now = MAX(now, expected[id].when);
		model_expire(id);
		model_interrupts();
	}
	now = until;
}

/* ---- both ---- */

/* Of any length up to `bits`, all lengths alike. */
static uint64_t random_ticks(unsigned int bits)
{
	unsigned int length = 1 + random_below(bits);

	if (length <= 31) {
		return random_below(1U << length);
	}
	return (uint64_t)random_below(1U << (length - 31)) << 31 | random_below(1U << 31);
}
#define TIMEOUT_BITS (TICK_BITS - 2U)

/* So far ahead that only the highest digit tells them apart. */
static uint64_t random_far_ticks(void)
{
	return (uint64_t)random_below(8) << (TICK_BITS - 4U);
}

static void random_reaction(int id)
{
	struct reaction *r = &reactions[id];

	r->then = one_in(3) ? (enum then)(1 + random_below(6)) : NOTHING;
	r->ticks = 1 + random_ticks(TIMEOUT_BITS);
	r->other = (int)random_below(TIMEOUTS);
	real_times[id] = (int)random_below(30);
	model_times[id] = real_times[id];
}

static void add(int id)
{
	uint64_t ticks = one_in(4)   ? random_below(4)
			 : one_in(8) ? random_far_ticks()
				     : random_ticks(TIMEOUT_BITS);
	unsigned int key = irq_lock();

	real_cancel(id);
	random_reaction(id);
	if (one_in(2)) {
		real_start(id, ticks + 1, key);
	} else {
		real_add(id, timeout_deadline(K_TICKS(ticks)));
		irq_unlock(key);
	}
	model_add(id, now + (int64_t)ticks + 1);
}

static void cancel(int id)
{
	unsigned int key = irq_lock();

	real_cancel(id);
	irq_unlock(key);
	expected[id].pending = false;
}

/* The kernel has to see the counter before it wraps, so masked only for a while. */
static void advance(void)
{
	bool masked = one_in(4);
	uint64_t leap = random_ticks(TICK_BITS == 64U && one_in(8) ? 34 : 30);
	uint64_t ticks = masked ? MIN(leap, 0x40000000U / CYCLES_PER_TICK) : leap;
	unsigned int key = masked ? irq_lock() : 0;

	host_advance(ticks * CYCLES_PER_TICK);
	if (masked) {
		irq_unlock(key);
	}
	model_advance(now + (int64_t)ticks, masked);
}

static void print_difference(void)
{
	int i = 0;

	while (i < real_log.length && i < model_log.length && real_log.id[i] == model_log.id[i]) {
		i++;
	}
	printf("tick %llx; expired number %d of %d: %d, of %d in the model: %d\n",
	       (unsigned long long)k_uptime_ticks(), i, real_log.length,
	       i < real_log.length ? real_log.id[i] : NOBODY, model_log.length,
	       i < model_log.length ? model_log.id[i] : NOBODY);
	for (int id = 0; id < TIMEOUTS; id++) {
		if (pending[id] || expected[id].pending) {
			printf("%d: pending %d until %llx, expected %d until %llx\n", id,
			       pending[id], (unsigned long long)timeouts[id].when,
			       expected[id].pending, (unsigned long long)expected[id].when);
		}
	}
}

static bool agree(void)
{
	unsigned int key = irq_lock();
	bool same;

	model_interrupts();
	same = real_log.length == model_log.length &&
	       memcmp(real_log.id, model_log.id, sizeof(int) * (size_t)real_log.length) == 0;

	for (int id = 0; id < TIMEOUTS && same; id++) {
		same = pending[id] == expected[id].pending &&
		       (!pending[id] || timeout_remaining(&timeouts[id]) ==
						(timeout_tick_t)(expected[id].when - now));
	}
	same = same && wheel_places_hold(timeouts, pending, TIMEOUTS);
	irq_unlock(key);
	if (!same) {
		print_difference();
	}
	real_log.length = 0;
	model_log.length = 0;
	return same;
}

int wheel_test(uint64_t seed, int steps)
{
	if (!wheel_digits_are_found()) {
		return 1;
	}
	random_seed(seed);
	host_read_cost_cycles = 0;
	host_limit_cycles = UINT64_MAX;
	host_cpu.before_lock = window;
	(void)irq_connect_dynamic(BOARD_SOFT_IRQ, 0, interrupt, NULL, 0);
	irq_enable(BOARD_SOFT_IRQ);
	now = k_uptime_ticks();
	while (k_uptime_ticks() == now) {
		host_advance(1);
	}
	now++;
	for (int step = 0; step < steps; step++) {
		int id = (int)random_below(TIMEOUTS);

		switch (random_below(9)) {
		case 8: /* seldom all, so that those that are far ahead come first */
			for (id = 0; id < TIMEOUTS && step % 20 == 0; id++) {
				cancel(id);
			}
			break;
		case 0:
		case 1:
			cancel(id);
			break;
		case 2:
		case 3:
			advance();
			break;
		case 4:
			host_irq_raise(BOARD_TIMER_IRQ);
			break;
		default:
			add(id);
			break;
		}
		if (!agree()) {
			printf("FAIL wheel, seed %llu, step %d\n", (unsigned long long)seed, step);
			return 1;
		}
	}
	printf("PASS wheel, seed %llu, %d steps, to tick %lld\n", (unsigned long long)seed, steps,
	       (long long)now);
	return 0;
}
