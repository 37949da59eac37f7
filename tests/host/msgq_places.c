/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Message queues, interrupted at each place of each call, one after the other: nothing left to
 * chance, as it is in a storm. The calls by how full the queue is and who waits; the interrupts
 * by what they do; and, at a depth of 2, each place of the handler's own call, too, where another
 * handler comes. Then the same once more by a thread that the handler wakes, more urgent than all: for threads each
 * call is one step, so it finds the caller's done, or not begun.
 *
 * Each message is there exactly once, whole, in its order; what was purged, or was on its way
 * from or to a thread that ended, at most once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <board.h>
#include <host.h>
#include "check.h"
#include "engine.h"
#include "kernel/base/kernel.h"
#include "kernel/sched/sched.h"
#include "messages.h"

#define PLACES          3
#define STACK_SIZE      8192
#define LINE            5 /* and the next one for the second handler */
#define PLACES_MAX      300 /* a call of 4 KiB has 64 steps, and its writer's message as many */
#define CYCLES_PER_TICK (BOARD_TIMER_HZ / CONFIG_SYS_CLOCK_TICKS_PER_SEC)
#define UNFINISHED      (-9999)

/* What messages say: by it they are known, and their order is checked. */
enum { BLANK = MESSAGE_BLANK, FIRST, CALLERS = 4, WRITERS, HANDLERS = 7, NUMBERS = HANDLERS + 2 };

enum call { GET, PUT, PUT_FRONT, PEEK, PURGE, CALLS, END = CALLS, SUSPEND, PRIORITY, WAKE, EXPIRE };
enum victim { CALLER, FIRST_WAITER, SECOND_WAITER };

static const struct event {
	enum call call;
	enum victim victim;
} events[] = {
	{GET, CALLER},
	{PUT, CALLER},
	{PUT_FRONT, CALLER},
	{PEEK, CALLER},
	{PURGE, CALLER},
	{END, CALLER},
	{END, FIRST_WAITER},
	{SUSPEND, CALLER},
	{SUSPEND, FIRST_WAITER},
	{PRIORITY, CALLER},
	{PRIORITY, FIRST_WAITER},
	{WAKE, FIRST_WAITER},
	{EXPIRE, FIRST_WAITER},
	{END, SECOND_WAITER},
};

/* Somebody who calls: a thread, or a handler. */
struct party {
	enum call call;
	int result;
	struct message message;
	uint32_t number; /* that it puts, or BLANK */
	bool done;
};

static struct scenario {
	enum call call;
	uint32_t fill;
	int waiters;
	const struct event *event[2];
	int place[2]; /* of the caller, of the first handler: the n-th from 1 on */
	bool by_thread;
} now;

static struct k_msgq queue;
static char buffer[PLACES * MESSAGE_BYTES_MAX];
static struct party parties[5]; /* the caller, two that wait, two handlers */
static struct k_thread urgent;
static K_SEM_DEFINE(turn, 0, 1);
static struct k_thread threads[3];
static bool is_gone[3];
K_THREAD_STACK_ARRAY_DEFINE(places_stacks, 4, STACK_SIZE);
static int places[2];
static bool purged, has_begun;
static unsigned long runs;

static __attribute__((noreturn)) void stop(const char *what, const char *file, int line)
{
	host_cpu.before_lock = NULL;
	printf("does not hold: %s at %s:%d\ncall %d, %u in the queue, %d wait", what, file, line,
	       now.call, now.fill, now.waiters);
	for (int i = 0; i < 2 && now.event[i] != NULL; i++) {
		printf("; call %d to %d at place %d", now.event[i]->call, now.event[i]->victim,
		       now.place[i]);
	}
	printf("%s\n", now.by_thread ? ", by a thread" : "");
	fflush(stdout);
	abort();
}

/* ---- who calls ---- */

static void check_counts(void)
{
	CHECK(k_msgq_num_used_get(&queue) + k_msgq_num_free_get(&queue) <= PLACES);
}

static void call(struct party *party, k_timeout_t timeout)
{
	switch (party->call) {
	case GET:
		party->result = k_msgq_get(&queue, &party->message, timeout);
		break;
	case PUT:
		party->result = k_msgq_put(&queue, &party->message, timeout);
		break;
	case PUT_FRONT:
		party->result = k_msgq_put_front(&queue, &party->message);
		break;
	case PEEK:
		party->result = k_msgq_peek(&queue, &party->message);
		break;
	default:
		purged = true;
		k_msgq_purge(&queue);
		party->result = 0;
		break;
	}
	party->done = true;
}

static void prepare(struct party *party, enum call what, uint32_t number)
{
	party->call = what;
	party->result = UNFINISHED;
	party->done = false;
	party->number = what == PUT || what == PUT_FRONT ? number : BLANK;
	party->message.number = BLANK;
	if (party->number != BLANK) {
		message_write(&party->message, number);
	}
}

static void disturb(const struct event *event)
{
	struct k_thread *victim = &threads[event->victim];
	switch (event->call) {
	case END:
		k_thread_abort(victim);
		if (event->victim != CALLER && (victim->state & K_THREAD_DEAD) != 0) {
			memset(victim, 0xff, sizeof(*victim)); /* its block is somebody else's */
			is_gone[event->victim] = true;
		}
		break;
	case SUSPEND:
		k_thread_suspend(victim);
		break;
	case PRIORITY:
		k_thread_priority_set(victim, 6);
		break;
	default:
		k_wakeup(victim);
		break;
	}
}

/* In a purge, once it has emptied the queue: what msgq.h says of an ISR that comes there. */
static bool is_in_purge(void)
{
	return now.call == PURGE && now.event[1] == NULL && purged && queue.used_msgs == 0;
}

static void check_in_purge(const struct party *party, bool has_writers)
{
	CHECK(party->call != GET || party->result == -ENOMSG);
	CHECK(party->call != PUT || party->result == (has_writers ? -ENOMSG : 0));
	CHECK(party->call != PUT_FRONT || party->result == 0);
}

/* Handler `i`; the first has interrupts open where a second one is to come. */
static void handle(int i)
{
	struct party *party = &parties[3 + i];
	const struct event *event = now.event[i];
	bool in_purge;
	bool has_writers;

	check_counts();
	if (event->call >= CALLS) {
		disturb(event);
		return;
	}
	prepare(party, event->call, HANDLERS + (uint32_t)i);
	if (i == 0 && now.event[1] != NULL) {
		arch_irq_unlock(ARCH_IRQ_KEY_ISR);
	}
	in_purge = is_in_purge();
	has_writers = now.fill == PLACES && queue.wait_q.head != NULL;
	call(party, K_NO_WAIT);
	if (in_purge) {
		check_in_purge(party, has_writers);
	}
	(void)arch_irq_lock();
	check_counts();
}

/* Has the caller's call begun when the handler comes? A long message's does with the copy, behind some steps. */
static void note_beginning(int depth)
{
	if (depth == 0 && places[0] != 0 && places[0] < now.place[0]) {
		has_begun |= message_bytes <= CONFIG_MSGQ_MASKED_SIZE || now.call == PURGE ||
			     queue.copying != NULL;
	}
}

/* Called wherever interrupts are open: is this the place? */
static void at_place(void)
{
	int i = (int)host_cpu.isr_depth;

	if (k_cpu.current != &threads[0]) {
		return;
	}
	note_beginning(i);
	if (i > 1 || now.event[i] == NULL || ++places[i] != now.place[i]) {
		return;
	}
	if (now.event[i]->call == EXPIRE) {
		host_advance(100ULL * CYCLES_PER_TICK);
	} else {
		host_irq_raise((unsigned int)(LINE + i));
	}
}

static void isr(const void *arg)
{
	if (now.by_thread) {
		k_sem_give(&turn);
	} else {
		handle((int)(intptr_t)arg);
	}
}

/* The caller has begun, so its message is there, or taken, and who waited for that has it. */
static void check_is_done(const struct party *party)
{
	if (now.call == PUT || now.call == PUT_FRONT) {
		CHECK(party->call != GET || now.fill == PLACES || now.waiters != 0 ||
		      party->result == 0);
		CHECK(party->call != PUT || now.fill != PLACES - 1 || party->result == -ENOMSG);
	}
	if (now.call == GET && now.fill != 0) {
		CHECK(party->call != PUT || party->result == (now.waiters == 0 ? 0 : -ENOMSG));
		CHECK(party->call != GET || (now.fill == 1) == (party->result == -ENOMSG));
	}
	CHECK(now.call != PURGE || party->call != GET || party->result == -ENOMSG);
}

static void urgent_main(void *p1, void *p2, void *p3)
{
	(void)k_sem_take(&turn, K_FOREVER);
	host_cpu.before_lock = NULL;
	if (now.event[0]->call >= CALLS) {
		disturb(now.event[0]);
	} else {
		prepare(&parties[3], now.event[0]->call, HANDLERS);
		call(&parties[3], K_NO_WAIT);
		if (has_begun) {
			check_is_done(&parties[3]);
		}
	}
	CHECK(now.event[0]->call == PEEK || now.event[0]->call >= CALLS || queue.copying == NULL);
	host_cpu.before_lock = parties[0].done ? NULL : at_place;
}

static void thread_main(void *p1, void *p2, void *p3)
{
	struct party *party = p1;

	if (party == &parties[0]) {
		host_cpu.before_lock = at_place;
		call(party, K_NO_WAIT);
		host_cpu.before_lock = NULL;
	} else {
		call(party, K_TICKS(50));
	}
}

static void start(int i, int prio)
{
	(void)k_thread_create(&threads[i], places_stacks[i], STACK_SIZE, thread_main, &parties[i],
			      NULL, NULL, prio, 0, K_NO_WAIT);
}

/* ---- what must hold ---- */

/* How often each message was seen by those who got it. */
static void count_got(int *seen)
{
	for (int i = 0; i < 5; i++) {
		const struct party *party = &parties[i];

		if (party->call == PEEK && party->result == 0) {
			message_check(&party->message);
		}
		if (party->call != GET) {
			continue;
		}
		/* As it was, or one message; one that is there without a result was on its way, or still is. */
		if (party->message.number != BLANK &&
		    (party->done || message_is_whole(&party->message))) {
			message_check(&party->message);
			seen[party->message.number]++;
		}
		CHECK(!party->done || (party->result == 0) == (party->message.number != BLANK));
	}
}

/* In front of all, there from the start, behind them. */
static int group_of(uint32_t number)
{
	if (number >= FIRST && number < CALLERS) {
		return 1;
	}
	for (int i = 0; i < 5; i++) {
		if (parties[i].number == number && parties[i].call == PUT_FRONT) {
			return 0;
		}
	}
	return 2;
}

static bool is_event(enum call what)
{
	return now.event[0]->call == what || (now.event[1] != NULL && now.event[1]->call == what);
}

static void check_order(uint32_t before, uint32_t behind)
{
	CHECK(group_of(before) <= group_of(behind));
	if (group_of(before) == 1 && group_of(behind) == 1) {
		CHECK(before < behind);
	}
	/* A handler's is behind what was begun before it came; and so are writers, if none moved. */
	if (group_of(before) == 2 && group_of(behind) == 2 && has_begun && now.place[1] != 1 &&
	    !is_event(PRIORITY)) {
		CHECK(before < behind);
	}
}

static void drain(int *seen)
{
	static struct message message;
	uint32_t before = BLANK;

	while (k_msgq_get(&queue, &message, K_NO_WAIT) == 0) {
		message_check(&message);
		seen[message.number]++;
		if (before != BLANK) {
			check_order(before, message.number);
		}
		before = message.number;
	}
	CHECK(k_msgq_num_free_get(&queue) == PLACES);
}

static void check_each_once(const int *seen)
{
	for (uint32_t number = FIRST; number < FIRST + now.fill; number++) {
		CHECK(seen[number] == 1 || (purged && seen[number] == 0));
	}
	for (int i = 0; i < 5; i++) {
		const struct party *party = &parties[i];

		if (party->number == BLANK) {
			continue;
		}
		CHECK(seen[party->number] <= (party->result == 0 || !party->done));
		CHECK(seen[party->number] == 1 || party->result != 0 || purged);
	}
}

static void check_at_rest(void)
{
	const struct k_thread *waiter = queue.wait_q.head;

	CHECK(k_cpu.walker == NULL);
	CHECK(queue.writers == 0 && queue.readers == 0);
	CHECK(queue.writing == 0 && queue.reading == 0);
	if (waiter != NULL) {
		CHECK(queue.used_msgs == (waiter->wait_flags != 0 ? PLACES : 0));
	}
}

/* ---- one run, and all ---- */

static void begin(void)
{
	static struct message message;

	k_msgq_init(&queue, buffer, message_bytes, PLACES);
	/* The ring begins anywhere. */
	message_write(&message, FIRST);
	for (unsigned long i = runs++ % PLACES; i > 0; i--) {
		(void)k_msgq_put(&queue, &message, K_NO_WAIT);
		(void)k_msgq_get(&queue, &message, K_NO_WAIT);
	}
	for (uint32_t i = 0; i < now.fill; i++) {
		message_write(&message, FIRST + i);
		(void)k_msgq_put(&queue, &message, K_NO_WAIT);
	}
	memset(parties, 0, sizeof(parties));
	for (int i = 0; i < 5; i++) {
		prepare(&parties[i], PURGE, BLANK); /* those who do nothing */
	}
	purged = false;
	has_begun = false;
	places[0] = 0;
	places[1] = 0;
}

/* Were there that many places? */
static bool run(void)
{
	int seen[NUMBERS] = {0};

	begin();
	for (int i = 1; i <= now.waiters; i++) {
		prepare(&parties[i], now.fill == 0 ? GET : PUT, WRITERS + (uint32_t)i - 1);
		start(i, 2 + i);
	}
	prepare(&parties[0], now.call, CALLERS);
	if (now.by_thread) {
		(void)k_sem_init(&turn, 0, 1);
		(void)k_thread_create(&urgent, places_stacks[3], STACK_SIZE, urgent_main, NULL,
				      NULL, NULL, 0, 0, K_NO_WAIT);
	}
	start(0, 5);
	host_cpu.before_lock = NULL; /* of a caller that was ended */
	check_at_rest();
	for (int i = 0; i <= now.waiters; i++) {
		if (!is_gone[i]) {
			k_thread_resume(&threads[i]);
		}
	}
	CHECK(parties[0].done || is_event(END));
	if (now.by_thread) {
		k_thread_abort(&urgent);
	}
	drain(seen);
	host_advance(100ULL * CYCLES_PER_TICK);
	for (int i = 0; i <= now.waiters; i++) {
		if (is_gone[i]) {
			memset(&threads[i], 0, sizeof(threads[i]));
			is_gone[i] = false;
		} else {
			CHECK(k_thread_join(&threads[i], K_NO_WAIT) == 0);
		}
	}
	drain(seen);
	count_got(seen);
	check_each_once(seen);
	return places[0] >= now.place[0] && (now.event[1] == NULL || places[1] >= now.place[1]);
}

/* At each place of the handler; false: the caller has no such place. */
static bool run_second(void)
{
	bool caller_has;

	now.place[1] = 1;
	do {
		CHECK(now.place[1] < PLACES_MAX);
		(void)run();
		caller_has = places[0] >= now.place[0];
	} while (places[1] >= now.place[1]++);
	return caller_has;
}

static void run_event(const struct event *first, const struct event *second)
{
	now.event[0] = first;
	now.event[1] = second;
	now.place[0] = 0;
	now.place[1] = 0;
	do {
		now.place[0]++;
		CHECK(now.place[0] < PLACES_MAX);
	} while (second == NULL ? run() : run_second());
}

static void run_events(bool nested)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		if ((int)events[i].victim > now.waiters) {
			continue;
		}
		run_event(&events[i], NULL);
		now.by_thread = events[i].call != EXPIRE;
		run_event(&events[i], NULL);
		now.by_thread = false;
		for (size_t k = 0; nested && events[i].call < CALLS && k < ARRAY_SIZE(events) - 1;
		     k++) {
			if ((int)events[k].victim <= now.waiters) {
				run_event(&events[i], &events[k]);
			}
		}
	}
}

int places_test(size_t bytes, bool nested)
{
	static const enum call calls[] = {GET, PUT, PUT_FRONT, PEEK, PURGE};

	if (bytes < 5 || bytes > MESSAGE_BYTES_MAX) {
		printf("messages of 5 to %d bytes\n", MESSAGE_BYTES_MAX);
		return 2;
	}
	message_bytes = bytes;
	check_handler = stop;
	host_read_cost_cycles = 0;
	host_limit_cycles = UINT64_MAX;
	k_thread_priority_set(k_current_get(), K_LOWEST_APPLICATION_THREAD_PRIO);
	for (unsigned int i = 0; i < 2; i++) {
		(void)irq_connect_dynamic(LINE + i, 0, isr, (const void *)(uintptr_t)i, 0);
		irq_enable(LINE + i);
	}
	for (size_t c = 0; c < ARRAY_SIZE(calls); c++) {
		now.call = calls[c];
		for (now.fill = 0; now.fill <= PLACES; now.fill++) {
			bool end = now.fill == 0 || now.fill == PLACES;

			for (now.waiters = 0; now.waiters <= (end ? 2 : 0); now.waiters++) {
				run_events(nested);
			}
		}
	}
	printf("PASS places msgq, %zu bytes, depth %d, %lu runs\n", bytes, nested ? 2 : 1, runs);
	return 0;
}
