/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that wake all who wait, interrupted at each of their places, one after the other. They
 * open interrupts after each waiter, so a handler may find the traversal half done: and end,
 * suspend or move the traversing thread or somebody who waits, let their time run out, or begin the
 * same walk itself. Then the same once more by a thread that the handler wakes, which is more urgent than all of
 * them and so runs between two steps of the traversal; it may wait there itself, too.
 *
 * Each waiter is woken exactly once, with the call's result, or by its time-out where that
 * came; in its order; and a traversal that was begun is finished, whatever happens to the traversing thread. Who joins it is not woken.
 */
#include <stdio.h>
#include <stdlib.h>

#include <board.h>
#include <host.h>
#include "check.h"
#include "engine.h"
#include "kernel/base/kernel.h"

#define WAITERS_MAX     64
#define PASSED          20
#define STACK_SIZE      8192
#define LINE            5
#define CALLER_PRIO     5
#define PATIENCE        50 /* ticks */
#define CYCLES_PER_TICK (BOARD_TIMER_HZ / CONFIG_SYS_CLOCK_TICKS_PER_SEC)
#define UNFINISHED      (-9999)

enum event {
	NONE,
	END_CALLER,
	SUSPEND_CALLER,
	LOWER_CALLER,
	END_FIRST,
	END_LAST,
	SUSPEND_FIRST,
	SUSPEND_LAST,
	RAISE_LAST,
	END_PASSED,
	LOWER_PASSED,
	EXPIRE,
	REPEAT,
	JOIN, /* of a thread's alone */
	EVENTS,
};

static struct k_condvar condvar;
static struct k_sem sem;
static struct k_msgq msgq;
static char ring[4];
static struct k_event event;
static struct k_timer timer;
static struct k_queue queue;
static struct k_pipe pipe;
static uintptr_t
	items[2][WAITERS_MAX + 1]; /* each the next one's address first: that is what an item is */
static int lists; /* that were appended */
static struct k_heap heap;
static char heap_memory[1 << 14] __aligned(8);
static void *all_of_it; /* of the heap's memory, one block */
static struct k_thread urgent;
static struct k_sem turn; /* its */
static bool by_thread; /* what happens is the urgent thread's doing */
static bool joined, left; /* it has begun to wait with the others; that is over */
static int half_done; /* how often it has found any of them waiting */
static struct k_futex futexes[9]; /* the first and the last share a wait queue of the kernel's */
static struct k_thread passed[PASSED]; /* they wait at the last, in between */
K_THREAD_STACK_ARRAY_DEFINE(passed_stacks, PASSED, STACK_SIZE);
static struct k_thread target; /* that others join; never started */
static struct k_thread caller;
static struct k_thread waiters[WAITERS_MAX];
static struct k_mutex mutexes[WAITERS_MAX + 1];
K_THREAD_STACK_ARRAY_DEFINE(traverse_stacks, WAITERS_MAX + 3, STACK_SIZE);

static int results[WAITERS_MAX];
static int order[WAITERS_MAX]; /* who went on, as they did */
static int num_done;
static int count; /* of waiters */
static int returned; /* by the call, and by the handler's */
static bool has_ended; /* the call */
static int place;
static int places;
static enum event now;

/* ---- the calls, and how one waits for them ---- */

static int wait_condvar(int i, k_timeout_t timeout)
{
	(void)k_mutex_init(&mutexes[i]);
	(void)k_mutex_lock(&mutexes[i], K_NO_WAIT);
	return k_condvar_wait(&condvar, &mutexes[i], timeout);
}

static int broadcast(void)
{
	return k_condvar_broadcast(&condvar);
}

static int wait_sem(int i, k_timeout_t timeout)
{
	return k_sem_take(&sem, timeout);
}

static int reset(void)
{
	k_sem_reset(&sem);
	return 0;
}

static int wait_msgq(int i, k_timeout_t timeout)
{
	return k_msgq_put(&msgq, ring, timeout);
}

static int purge(void)
{
	k_msgq_purge(&msgq);
	return 0;
}

static int wait_event(int i, k_timeout_t timeout)
{
	return (int)k_event_wait(&event, 6, false, timeout);
}

static int post(void)
{
	(void)k_event_post(&event, 2);
	return 0;
}

static int wait_timer(int i, k_timeout_t timeout)
{
	return (int)k_timer_status_sync(&timer);
}

static int stop_timer(void)
{
	k_timer_stop(&timer);
	return 0;
}

static int wait_target(int i, k_timeout_t timeout)
{
	return k_thread_join(&target, timeout);
}

static int end_target(void)
{
	k_thread_abort(&target);
	return 0;
}

static int wait_caller(int i, k_timeout_t timeout)
{
	return k_thread_join(&caller, timeout);
}

static int end_caller(void)
{
	k_thread_abort(&caller);
	return 0;
}

static int wait_futex(int i, k_timeout_t timeout)
{
	return k_futex_wait(&futexes[0], 0, timeout);
}

static int wake_futex(void)
{
	return k_futex_wake(&futexes[0], true);
}

static int wait_queue(int i, k_timeout_t timeout)
{
	return k_queue_get(&queue, timeout) != NULL;
}

static int append_list(void)
{
	uintptr_t *list = items[lists];

	if (lists == 2) {
		return 0;
	}
	lists++;
	for (int i = 0; i < count; i++) { /* one more than there are waiters */
		list[i] = (uintptr_t)&list[i + 1];
	}
	list[count] = 0;
	(void)k_queue_append_list(&queue, &list[0], &list[count]);
	return 0;
}

static int wait_heap(int i, k_timeout_t timeout)
{
	return k_heap_aligned_alloc(&heap, 1U << i % 8, 64, timeout) != NULL;
}

static int free_all(void)
{
	void *block = all_of_it;

	all_of_it = NULL;
	k_heap_free(&heap, block);
	return 0;
}

static int wait_pipe(int i, k_timeout_t timeout)
{
	return k_pipe_write(&pipe, (const uint8_t *)"", 1, timeout);
}

static int close_pipe(void)
{
	k_pipe_close(&pipe);
	return 0;
}

static const struct walk {
	const char *name;
	int (*wait)(int i, k_timeout_t timeout);
	int (*call)(void);
	int woken; /* what a waiter gets */
	int timed_out; /* if its time was over */
} walks[] = {
	{"k_condvar_broadcast", wait_condvar, broadcast, 0, -EAGAIN},
	{"k_sem_reset", wait_sem, reset, -EAGAIN, -EAGAIN},
	{"k_msgq_purge", wait_msgq, purge, -ENOMSG, -EAGAIN},
	{"k_event_post", wait_event, post, 2, 0},
	{"k_timer_stop", wait_timer, stop_timer, 0, 0},
	{"k_thread_abort", wait_target, end_target, 0, -EAGAIN},
	{"k_thread_abort of the caller", wait_caller, end_caller, 0, -EAGAIN},
	{"k_futex_wake", wait_futex, wake_futex, 0, -ETIMEDOUT},
	{"k_queue_append_list", wait_queue, append_list, 1, 0},
	{"k_heap_free", wait_heap, free_all, 1, 0},
	{"k_pipe_close", wait_pipe, close_pipe, -EPIPE, -EAGAIN},
};
static const struct walk *walk;

static __attribute__((noreturn)) void stop(const char *what, const char *file, int line)
{
	host_cpu.before_lock = NULL;
	printf("does not hold: %s at %s:%d\n%s, %d waiters, event %d at place %d%s\n", what, file,
	       line, walk->name, count, now, place, by_thread ? ", by a thread" : "");
	fflush(stdout);
	abort();
}

/* ---- the handler, and the urgent thread ---- */

static void act(void)
{
	struct k_thread *last = &waiters[count - 1];

	switch (now) {
	case END_CALLER:
		k_thread_abort(&caller);
		break;
	case SUSPEND_CALLER:
		k_thread_suspend(&caller);
		break;
	case LOWER_CALLER:
		k_thread_priority_set(&caller, CALLER_PRIO + 2);
		break;
	case END_FIRST:
		k_thread_abort(&waiters[0]);
		break;
	case END_LAST:
		k_thread_abort(last);
		break;
	case SUSPEND_FIRST:
		k_thread_suspend(&waiters[0]);
		break;
	case SUSPEND_LAST:
		k_thread_suspend(last);
		break;
	case RAISE_LAST:
		k_thread_priority_set(last, 1);
		break;
	case END_PASSED:
		k_thread_abort(&passed[PASSED / 2]);
		break;
	case LOWER_PASSED:
		k_thread_priority_set(&passed[7], CALLER_PRIO + 3);
		break;
	case JOIN:
		joined = true;
		(void)walk->wait(WAITERS_MAX, K_FOREVER);
		left = true;
		break;
	default:
		returned += walk->call();
		break;
	}
}

static void isr(const void *arg)
{
	if (by_thread) {
		k_sem_give(&turn);
	} else {
		act();
	}
}

static void urgent_main(void *p1, void *p2, void *p3)
{
	(void)k_sem_take(&turn, K_FOREVER);
	for (int i = 0; i < count; i++) {
		if ((waiters[i].state & K_THREAD_PENDING) != 0) {
			half_done++;
			break;
		}
	}
	act();
}

/* Called wherever interrupts are open: is this the place? */
static void at_place(void)
{
	if (k_cpu.current != &caller || host_cpu.isr_depth != 0 || ++places != place) {
		return;
	}
	if (now == EXPIRE) {
		host_advance(2ULL * PATIENCE * CYCLES_PER_TICK);
	} else if (now != NONE) {
		host_irq_raise(LINE);
	}
}

/* ---- threads ---- */

/* Whatever its priority has become, the traversing thread wakes all before any of them goes on. */
static void check_all_are_woken(void)
{
	for (int i = 0; i < count; i++) {
		CHECK((waiters[i].state & (K_THREAD_PENDING | K_THREAD_DEAD)) != K_THREAD_PENDING);
	}
}

static void waiter_main(void *p1, void *p2, void *p3)
{
	int i = (int)(intptr_t)p1;
	int result = walk->wait(i, K_TICKS(PATIENCE));

	if (now == NONE || now == LOWER_CALLER) {
		check_all_are_woken();
	}
	CHECK(results[i] == UNFINISHED);
	results[i] = result;
	order[num_done++] = i;
}

static void caller_main(void *p1, void *p2, void *p3)
{
	host_cpu.before_lock = at_place;
	returned += walk->call();
	host_cpu.before_lock = NULL;
	has_ended = true;
}

static void passed_main(void *p1, void *p2, void *p3)
{
	(void)k_futex_wait(&futexes[ARRAY_SIZE(futexes) - 1], 0, K_FOREVER);
}

static void target_main(void *p1, void *p2, void *p3)
{
}

/* Around the caller's. */
static int prio_of(int i)
{
	return CALLER_PRIO - 1 + i % 3;
}

static void start(struct k_thread *thread, int stack, k_thread_entry_t entry, int i, int prio,
		  k_timeout_t delay)
{
	(void)k_thread_create(thread, traverse_stacks[stack], STACK_SIZE, entry,
			      (void *)(intptr_t)i, NULL, NULL, prio, 0, delay);
}

static void begin(void)
{
	(void)k_condvar_init(&condvar);
	(void)k_sem_init(&sem, 0, 1);
	k_msgq_init(&msgq, ring, sizeof(ring), 1);
	(void)k_msgq_put(&msgq, "abc", K_NO_WAIT);
	k_event_init(&event);
	k_timer_init(&timer, NULL, NULL);
	k_timer_start(&timer, K_TICKS(100000), K_NO_WAIT);
	k_queue_init(&queue);
	k_pipe_init(&pipe, NULL, 0);
	lists = 0;
	k_heap_init(&heap, heap_memory, sizeof(heap_memory));
	all_of_it = k_heap_alloc(&heap, sizeof(heap_memory) - 2048, K_NO_WAIT);
	CHECK(all_of_it != NULL);
	while (k_heap_alloc(&heap, 64, K_NO_WAIT) != NULL) {
	}
	(void)k_sem_init(&turn, 0, 1);
	joined = false;
	left = false;
	num_done = 0;
	returned = 0;
	has_ended = false;
	places = 0;
	start(&target, WAITERS_MAX, target_main, 0, CALLER_PRIO, K_FOREVER);
	start(&caller, WAITERS_MAX + 1, caller_main, 0, CALLER_PRIO, K_FOREVER);
	start(&urgent, WAITERS_MAX + 2, urgent_main, 0, 0, K_NO_WAIT);
	for (int i = 0; i < PASSED; i++) {
		(void)k_thread_create(&passed[i], passed_stacks[i], STACK_SIZE, passed_main, NULL,
				      NULL, NULL, prio_of(i), 0, K_NO_WAIT);
	}
	for (int i = 0; i < count; i++) {
		results[i] = UNFINISHED;
		start(&waiters[i], i, waiter_main, i, prio_of(i), K_NO_WAIT);
	}
	CHECK(num_done == 0);
}

/* ---- what must hold ---- */

static bool is_victim(int i)
{
	bool first = now == END_FIRST || now == SUSPEND_FIRST;
	bool last = now == END_LAST || now == SUSPEND_LAST || now == RAISE_LAST;

	return (first && i == 0) || (last && i == count - 1);
}

static void check_order(void)
{
	for (int n = 1; n < num_done; n++) {
		int before = order[n - 1];
		int behind = order[n];

		if (now == EXPIRE || is_victim(before) || is_victim(behind)) {
			continue;
		}
		CHECK(prio_of(before) < prio_of(behind) ||
		      (prio_of(before) == prio_of(behind) && before < behind));
	}
}

static void check_results(bool was_begun)
{
	int woken = 0;
	int late = 0;

	for (int i = 0; i < count; i++) {
		bool was_ended = is_victim(i) && (now == END_FIRST || now == END_LAST);

		CHECK(results[i] == walk->woken || results[i] == walk->timed_out ||
		      (was_ended && results[i] == UNFINISHED));
		woken += results[i] == walk->woken;
		late += results[i] == walk->timed_out;
	}
	if (walk->woken != walk->timed_out) {
		CHECK(late == 0 || now == EXPIRE || !was_begun);
		CHECK(woken == 0 || was_begun);
	}
	if ((walk->call == broadcast || walk->call == wake_futex) && has_ended &&
	    now != END_FIRST && now != END_LAST) {
		CHECK(returned == woken + (joined && left));
	}
}

static void check_nobody_waits(void)
{
	CHECK(k_cpu.walker == NULL);
	CHECK(condvar.wait_q.head == NULL && sem.wait_q.head == NULL);
	CHECK(msgq.wait_q.head == NULL && event.wait_q.head == NULL);
	CHECK(timer.wait_q.head == NULL && target.joiners.head == NULL);
	CHECK(caller.joiners.head == NULL && queue.wait_q.head == NULL);
	CHECK(heap.wait_q.head == NULL);
	CHECK(pipe.readers.head == NULL && pipe.writers.head == NULL);
}

/* Where the call leaves nothing to find, who came when its traversal had its ceiling waits on: behind the lock, and a window. */
static void check_who_joined(void)
{
	bool finds_nothing = walk->call == broadcast || walk->call == reset ||
			     walk->call == wake_futex;

	if (joined && finds_nothing) {
		CHECK(left == (place <= 2));
	}
	k_thread_abort(&urgent);
}

/* Were there that many places? */
static bool run(void)
{
	bool was_begun;
	int woken_others;

	begin();
	k_thread_start(&caller);
	host_cpu.before_lock = NULL; /* of a caller that did not come to it */
	/*
	 * One that was ended before its first lock has done nothing, and one that aborts nothing in its
	 * first window; nobody else is kept from it.
	 */
	was_begun = !(now == END_CALLER && place <= (walk->call == end_target ? 2 : 1)) ||
		    walk->call == end_caller;
	CHECK(k_cpu.walker == NULL);
	check_who_joined();
	k_thread_resume(&caller);
	k_thread_resume(&waiters[0]);
	k_thread_resume(&waiters[count - 1]);
	CHECK(has_ended || now == END_CALLER || walk->call == end_caller);
	CHECK(k_thread_join(&caller, K_NO_WAIT) == 0);
	CHECK(was_begun == (num_done + (now == END_FIRST || now == END_LAST) >= count) ||
	      now == EXPIRE);
	check_order();
	if (!was_begun) {
		host_advance(2ULL * PATIENCE * CYCLES_PER_TICK);
	}
	k_timer_stop(&timer);
	k_thread_abort(&target);
	check_results(was_begun);
	for (int i = 0; i < count; i++) {
		CHECK(k_thread_join(&waiters[i], K_NO_WAIT) == 0);
	}
	check_nobody_waits();
	woken_others = k_futex_wake(&futexes[ARRAY_SIZE(futexes) - 1], true);
	CHECK(woken_others == PASSED || (woken_others == PASSED - 1 && now == END_PASSED));
	return places >= place;
}

int traversals_test(int num_waiters)
{
	unsigned long runs = 0;

	if (num_waiters < 1 || num_waiters > WAITERS_MAX) {
		printf("1 to %d waiters\n", WAITERS_MAX);
		return 2;
	}
	count = num_waiters;
	check_handler = stop;
	host_read_cost_cycles = 0;
	host_limit_cycles = UINT64_MAX;
	k_thread_priority_set(k_current_get(), K_LOWEST_APPLICATION_THREAD_PRIO);
	(void)irq_connect_dynamic(LINE, 0, isr, NULL, 0);
	irq_enable(LINE);
	for (size_t w = 0; w < ARRAY_SIZE(walks); w++) {
		walk = &walks[w];
		for (int n = 0; n < EVENTS + JOIN; n++) {
			by_thread = n >= JOIN;
			now = by_thread ? (enum event)(n - JOIN) : (enum event)n;
			place = 1;
			half_done = 0;
			while (run()) {
				place++;
				runs++;
			}
			CHECK(place > count); /* interrupts were let in after each */
			CHECK(!by_thread || now == NONE || now == EXPIRE || half_done >= count);
		}
	}
	printf("PASS walks, %d waiters, %lu runs\n", count, runs);
	return 0;
}
