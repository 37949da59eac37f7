/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that polls is ended, in steps, and at each place where interrupts are open something happens: by a handler, or by a
 * thread that it wakes, which is more urgent than who ends it. Before, nobody was told; or the thread was, and has not looked; or
 * another one was, whose events are still leaving; or it is still looking itself,
 * and as urgent as nobody else that polls.
 *
 * Whatever comes is somebody's: nobody waits for what is there, nobody is told twice of one, and who has ended is in no list.
 */
#include <stdio.h>
#include <stdlib.h>

#include <host.h>
#include "check.h"
#include "engine.h"
#include "kernel/base/kernel.h"

#define SEMS       3
#define EACH       (CONFIG_MASKED_STEPS + 1) /* events of a poller for each */
#define POLLED     (SEMS * EACH)             /* more than two steps */
#define POLLERS    4
#define STACK_SIZE 8192
#define LINE       5
#define ENDER_PRIO 5

enum event {
	NONE,
	GIVE_FIRST,
	GIVE_LAST,
	GIVE_BOTH,
	END_IT, /* too */
	SUSPEND_IT, /* and resume it */
	RAISE_IT, /* where it was told and is not stopped yet, it goes on */
	END_NEXT,
	LOWER_NEXT,
	JOIN_LATE,      /* another one begins to poll, between others */
	GIVE_JOIN_LATE, /* when the handler has told one of those, whose events leave */
	END_ENDER,
	SUSPEND_ENDER,
	EVENTS,
};

enum before {
	UNTOLD,
	TOLD,
	ANOTHER_TOLD,
	ENTERING, /* it is on its way past NEXT and OTHER, in one of its places */
	STATES = ENTERING + 3 * POLLED,
};

/* Those that poll: the one that ends, one behind it, one that was told, and one that comes late. */
enum {
	IT,
	NEXT,
	OTHER,
	LATE,
};

static struct k_sem sems[SEMS];
static struct k_thread pollers[POLLERS], ender, urgent;
K_THREAD_STACK_ARRAY_DEFINE(poller_stacks, POLLERS + 2, STACK_SIZE);
static struct k_sem turn; /* the urgent thread's */
static int given, taken[POLLERS];
static int place, places, looked;
static enum event now;
static int before; /* enum before */
static bool by_thread;
static bool has_begun; /* the end */

static __attribute__((noreturn)) void stop(const char *what, const char *file, int line)
{
	host_cpu.before_lock = NULL;
	printf("does not hold: %s at %s:%d\nevent %d at place %d, before %d%s\n", what, file, line,
	       now, place, before, by_thread ? ", by a thread" : "");
	fflush(stdout);
	abort();
}

static void give(int which)
{
	given++;
	k_sem_give(&sems[which]);
}

/* Polls from one end or from the other, and takes what there is. */
static void poll_main(void *p1, void *p2, void *p3)
{
	const int n = (int)(intptr_t)p1;
	struct k_poll_event events[POLLED];

	for (;;) {
		for (int i = 0; i < POLLED; i++) {
			k_poll_event_init(&events[i], K_POLL_TYPE_SEM_AVAILABLE,
					  K_POLL_MODE_NOTIFY_ONLY,
					  &sems[(n % 2 == 0 ? i : POLLED - 1 - i) % SEMS]);
		}
		(void)k_poll(events, POLLED, K_FOREVER);
		for (int i = 0; i < SEMS; i++) {
			while (k_sem_take(&sems[i], K_NO_WAIT) == 0) {
				taken[n]++;
			}
		}
	}
}

static void start(struct k_thread *thread, int stack, k_thread_entry_t entry, int prio)
{
	(void)k_thread_create(thread, poller_stacks[stack], STACK_SIZE, entry,
			      (void *)(intptr_t)stack, NULL, NULL, prio, 0, K_FOREVER);
	if (thread != &pollers[LATE] && thread != &ender) {
		k_thread_start(thread);
	}
}

static void act(void)
{
	switch (now) {
	case GIVE_FIRST:
		give(0);
		break;
	case GIVE_LAST:
		give(SEMS - 1);
		break;
	case GIVE_BOTH:
		give(0);
		give(SEMS - 1);
		break;
	case END_IT:
		k_thread_abort(&pollers[IT]);
		break;
	case SUSPEND_IT:
		k_thread_suspend(&pollers[IT]);
		k_thread_resume(&pollers[IT]);
		break;
	case RAISE_IT:
		k_thread_priority_set(&pollers[IT], ENDER_PRIO - 2);
		break;
	case END_NEXT:
		k_thread_abort(&pollers[NEXT]);
		break;
	case LOWER_NEXT:
		k_thread_priority_set(&pollers[NEXT], ENDER_PRIO + 6);
		break;
	case JOIN_LATE:
	case GIVE_JOIN_LATE:
		k_thread_start(&pollers[LATE]);
		break;
	case END_ENDER:
		k_thread_abort(&ender);
		break;
	case SUSPEND_ENDER:
		k_thread_suspend(&ender);
		break;
	default:
		break;
	}
}

static void isr(const void *arg)
{
	if (!has_begun && before >= ENTERING) {
		k_thread_priority_set(&pollers[IT], ENDER_PRIO + 2);
		k_thread_start(&ender);
	} else if (!has_begun) {
		give(1);
	} else {
		if (now == GIVE_JOIN_LATE) {
			give(0);
		}
		if (by_thread) {
			k_sem_give(&turn);
		} else {
			act();
		}
	}
}

static void urgent_main(void *p1, void *p2, void *p3)
{
	(void)k_sem_take(&turn, K_FOREVER);
	act();
}

/* Called wherever interrupts are open: is this the place? */
static void at_place(void)
{
	if (!has_begun) {
		if (k_cpu.current == &pollers[IT] && host_cpu.isr_depth == 0 &&
		    ++looked == before - ENTERING + 1) {
			host_irq_raise(LINE);
		}
		return;
	}
	if (k_cpu.current == &ender && host_cpu.isr_depth == 0 && ++places == place) {
		host_irq_raise(LINE);
	}
}

static void end_main(void *p1, void *p2, void *p3)
{
	host_cpu.before_lock = NULL;
	if (before == TOLD || before == ANOTHER_TOLD) {
		host_irq_raise(LINE); /* so that nothing leaves before the end begins */
	}
	has_begun = true;
	host_cpu.before_lock = at_place;
	k_thread_abort(&pollers[IT]);
	host_cpu.before_lock = NULL;
}

static bool is_alive(const struct k_thread *thread)
{
	return (thread->state & K_THREAD_DEAD) == 0;
}

static bool waits(const struct k_thread *thread)
{
	return is_alive(thread) && (thread->state & K_THREAD_PENDING) != 0;
}

/* All that is there is in its places, and whoever waits is there once. */
static void check_lists(void)
{
	for (int i = 0; i < SEMS; i++) {
		const struct k_poll_event *event = sems[i].pollers;
		int found = 0, waiting = 0;

		for (int n = 0; n < POLLERS; n++) {
			waiting += waits(&pollers[n]);
			CHECK(is_alive(&pollers[n]) || pollers[n].poller == NULL);
		}
		CHECK(waiting == 0 || sems[i].count == 0);
		while (event != NULL && found <= EACH * waiting) {
			CHECK(event->poller->is_polling && event->next->prev == event);
			CHECK(event->next == sems[i].pollers ||
			      event->poller->prio <= event->next->poller->prio);
			found++;
			event = event->next == sems[i].pollers ? NULL : event->next;
		}
		CHECK(found == EACH * waiting);
	}
}

static bool run(void)
{
	int sum = 0, left = 0;

	given = 0;
	places = 0;
	looked = 0;
	has_begun = false;
	for (int i = 0; i < SEMS; i++) {
		(void)k_sem_init(&sems[i], 0, K_SEM_MAX_LIMIT);
	}
	for (int n = 0; n < POLLERS; n++) {
		taken[n] = 0;
	}
	(void)k_sem_init(&turn, 0, 1);
	start(&urgent, POLLERS + 1, urgent_main, 0);
	if (before == ANOTHER_TOLD) {
		start(&pollers[OTHER], OTHER, poll_main, ENDER_PRIO + 1);
	}
	start(&pollers[LATE], LATE, poll_main, ENDER_PRIO + (by_thread ? -1 : 1));
	start(&ender, POLLERS, end_main, ENDER_PRIO);
	start(&pollers[NEXT], NEXT, poll_main, ENDER_PRIO + 3);
	if (before >= ENTERING) {
		start(&pollers[OTHER], OTHER, poll_main, ENDER_PRIO + 4);
		host_cpu.before_lock = at_place;
	}
	start(&pollers[IT], IT, poll_main, ENDER_PRIO + (before >= ENTERING ? -2 : 2));
	host_cpu.before_lock = NULL;
	k_thread_start(&ender); /* if it has not begun */
	host_cpu.before_lock = NULL; /* of an ender that did not come to it */
	k_thread_resume(&ender);
	CHECK(!is_alive(&ender));
	if (now == END_ENDER) {
		k_thread_abort(&pollers[IT]); /* in vain, or it had not begun */
	}
	CHECK(!is_alive(&pollers[IT]));
	check_lists();
	for (int i = 0; i < SEMS; i++) {
		give(i);
	}
	check_lists();
	for (int i = 0; i < SEMS; i++) {
		left += (int)sems[i].count;
	}
	for (int n = 0; n < POLLERS; n++) {
		sum += taken[n];
		k_thread_abort(&pollers[n]);
	}
	k_thread_abort(&urgent);
	CHECK(sum + left == given);
	check_lists();
	return places >= place;
}

int pollers_test(void)
{
	unsigned long runs = 0;

	check_handler = stop;
	host_read_cost_cycles = 0;
	host_limit_cycles = UINT64_MAX;
	k_thread_priority_set(k_current_get(), K_LOWEST_APPLICATION_THREAD_PRIO);
	(void)irq_connect_dynamic(LINE, 0, isr, NULL, 0);
	irq_enable(LINE);
	for (int n = 0; n < POLLERS; n++) {
		start(&pollers[n], n, poll_main, ENDER_PRIO);
		k_thread_abort(&pollers[n]); /* so that all were there once */
	}
	for (int n = 0; n < 2 * STATES * EVENTS; n++) {
		by_thread = n % 2 != 0;
		before = n / 2 % STATES;
		now = (enum event)(n / 2 / STATES);
		for (place = 1; run(); place++) {
			runs++;
		}
		CHECK(place > POLLED / CONFIG_MASKED_STEPS); /* interrupts were let in between */
	}
	printf("PASS pollers, %lu runs\n", runs);
	return 0;
}
