/* SPDX-License-Identifier: Apache-2.0 */
/* Awaited flags: by the tick, by an interrupt, with a time-out, and what they don't disturb. */
#include "test.h"

#define READY 4U
#define POLL  3U

static volatile uint32_t reg;
static K_FLAGS_DEFINE(polled, &reg, POLL);
static K_FLAGS_DEFINE(signalled, &reg, 0);

static struct {
	int result;
	uint32_t at;
	enum k_trigger why;
	k_timeout_t timeout;
} seen;

static void await(void *arg)
{
	seen.result = k_flags_await(arg, READY, READY, seen.timeout);
	seen.at = tick();
	seen.why = k_trigger_get();
	note('w');
}

TEST(flags_that_are_set_are_not_waited_for)
{
	reg = READY | 1U;
	CHECK_EQ(k_flags_await(&polled, READY, READY, K_FOREVER), 0);
	CHECK_EQ(k_flags_await(&polled, READY, 0, K_NO_WAIT), -EBUSY);
	CHECK_EQ(k_flags_await(&polled, 2, 0, K_NO_WAIT), 0);
}

static void await_in_isr(void *arg)
{
	seen.result = k_flags_await(arg, READY, READY, K_TICKS(3));
}

/* Two wait: the tick looks once for both. Nobody waits: a look of one's own wakes nobody. */
TEST(who_joins_is_looked_for_at_the_same_tick)
{
	struct k_flags never;

	reg = 0;
	seen.timeout = K_FOREVER;
	k_flags_check(&signalled);
	k_flags_init(&never, &reg, K_FOREVER); /* no tick looks */
	CHECK_EQ(k_flags_await(&never, READY, READY, K_TICKS(2)), -EAGAIN);
	next_tick();
	k_flags_poll_set(&polled, K_TICKS(POLL), tick());
	(void)start(await, &polled, MAIN_PRIO - 1);
	(void)start(await, &polled, MAIN_PRIO - 1);
	reg = READY;
	CHECK_NOTES("");
	(void)k_sleep(K_TICKS(POLL));
	CHECK_NOTES("ww");
	if (!ASSERTIONS) {
		reg = 0;
		in_isr(await_in_isr, &signalled);
		CHECK_EQ(seen.result, -EWOULDBLOCK);
	}
	reg = READY;
}

TEST(the_tick_looks_on_its_grid)
{
	uint32_t first;

	reg = 0;
	seen.timeout = K_FOREVER;
	next_tick();
	first = tick();
	k_flags_poll_set(&polled, K_TICKS(POLL), first);
	(void)start(await, &polled, MAIN_PRIO - 1);
	(void)k_sleep(K_TICKS(POLL)); /* one look, in vain */
	CHECK_NOTES("");
	reg = READY;
	(void)k_sleep(K_TICKS(POLL));
	CHECK_NOTES("w");
	CHECK_EQ(seen.result, 0);
	CHECK_EQ(seen.why, K_TRIGGER_FLAGS);
	CHECK_EQ(seen.at - first, 2U * POLL);
}

TEST(nobody_waits_nobody_looks)
{
	reg = 0;
	seen.timeout = K_TICKS(1);
	(void)start(await, &polled, MAIN_PRIO - 1);
	(void)k_sleep(K_TICKS(2U * POLL));
	CHECK_NOTES("w");
	CHECK_EQ(seen.result, -EAGAIN);
	CHECK_EQ(seen.why, K_TRIGGER_DELAY);
	CHECK(!polled.polling);
}

TEST(a_look_that_is_due_may_be_moved)
{
	reg = 0;
	seen.timeout = K_FOREVER;
	next_tick();
	(void)start(await, &polled, MAIN_PRIO - 1);
	k_flags_poll_set(&polled, K_FOREVER, 0);
	reg = READY;
	(void)k_sleep(K_TICKS(2U * POLL));
	CHECK_NOTES("");
	k_flags_poll_set(&polled, K_TICKS(POLL), tick());
	(void)k_sleep(K_TICKS(POLL));
	CHECK_NOTES("w");
}

static void handler(const void *arg)
{
	reg = READY;
	k_flags_check(&signalled);
}

TEST(an_interrupt_wakes_at_once)
{
	reg = 0;
	seen.timeout = K_FOREVER;
	(void)start(await, &signalled, MAIN_PRIO - 1);
	k_flags_check(&signalled);
	CHECK_NOTES("");
	irq_offload(handler, NULL);
	CHECK_NOTES("w");
	CHECK_EQ(seen.why, K_TRIGGER_FLAGS);
}

TEST(each_waits_for_its_own_flags)
{
	reg = 0;
	seen.timeout = K_FOREVER;
	(void)start(await, &signalled, MAIN_PRIO - 1);
	(void)start(await, &signalled, MAIN_PRIO - 2);
	reg = 1;
	k_flags_check(&signalled);
	CHECK_NOTES("");
	reg = READY;
	k_flags_check(&signalled);
	CHECK_NOTES("ww");
}

TEST(who_is_aborted_is_not_looked_for)
{
	k_tid_t thread;

	reg = 0;
	seen.timeout = K_FOREVER;
	k_flags_poll_set(&polled, K_TICKS(POLL), tick());
	thread = start(await, &polled, MAIN_PRIO - 1);
	k_thread_abort(thread);
	reg = READY;
	(void)k_sleep(K_TICKS(2U * POLL));
	CHECK_NOTES("");
	CHECK(!polled.polling);
}
