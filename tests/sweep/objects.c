/* SPDX-License-Identifier: Apache-2.0 */
/* Contests for semaphores, mutexes, events, queues, stacks, message queues, heaps, what is polled. */
#include "contest.h"

static struct k_sem sem;
static struct k_mutex mutex;
static struct k_condvar condvar;
static struct k_event event;
static struct k_queue queue;
static struct k_stack stack;
static stack_data_t words[2], word;
static struct k_msgq msgq;
static char ring[8];
static uint32_t got, sent;
static struct k_futex futex;
static struct k_poll_signal raised;
K_HEAP_DEFINE(heap, 512);
static struct {
	void *kernels;
	uint32_t value;
} items[2];
static void *block, *other_block;

/* ---- semaphores ---- */

static void empty_sem(void)
{
	(void)k_sem_init(&sem, 0, 5);
}

static void one_in_sem(void)
{
	(void)k_sem_init(&sem, 1, 5);
}

static void wait_for_sem(void)
{
	(void)k_sem_take(&sem, K_FOREVER);
}

static void sem_with_waiter(void)
{
	empty_sem();
	helper_starts(wait_for_sem);
}

static intptr_t take(void)
{
	return k_sem_take(&sem, K_FOREVER);
}

static intptr_t take_timed(void)
{
	return k_sem_take(&sem, sooner_than_any());
}

static intptr_t take_now(void)
{
	return k_sem_take(&sem, K_NO_WAIT);
}

static intptr_t give(void)
{
	k_sem_give(&sem);
	return 0;
}

static intptr_t reset(void)
{
	k_sem_reset(&sem);
	return 0;
}

static void rival_gives(void)
{
	k_sem_give(&sem);
}

static void rival_takes(void)
{
	got = (uint32_t)k_sem_take(&sem, K_NO_WAIT);
}

static void rival_resets(void)
{
	k_sem_reset(&sem);
}

static uint32_t sem_count(void)
{
	return k_sem_count_get(&sem);
}

static uint32_t sem_and_rival(void)
{
	return k_sem_count_get(&sem) * 16U + (got == 0 ? 1U : 0U);
}

static uint32_t sem_and_waiter(void)
{
	return k_sem_count_get(&sem) * 2U + helper_ends();
}

/* ---- a wait with a time-out, whose thread handlers do something to ---- */

static void rival_suspends_subject(void)
{
	k_thread_suspend(&subject);
}

static void rival_aborts_subject(void)
{
	k_thread_abort(&subject);
}

static void rival_moves_subject(void)
{
	k_thread_priority_set(&subject, SUBJECT_PRIO + 1);
}

/* Who is suspended where it waits goes on waiting, for as long as it asked to. */
static uint32_t subject_waits(void)
{
	bool waits = (subject.state & K_THREAD_PENDING) != 0; /* else it is just about to */
	uint32_t timed = waits && (subject.state & K_THREAD_TIMED) != 0 ? 1U : 0U;
	uint32_t long_yet = k_thread_timeout_remaining_ticks(&subject) > 1 ? 2U : 0U;
	uint32_t prio = (uint32_t)k_thread_priority_get(&subject);
	uint32_t first = sem.wait_q.head == &subject ? 4U : 0U;

	return ((uint32_t)(subject.state & (K_THREAD_PENDING | K_THREAD_SUSPENDED)) * 8U + timed +
		(timed != 0 ? long_yet : 0U) + first) *
		       64U +
	       prio;
}

/* ---- mutexes and condition variables: a handler ends the owner, or signals ---- */

static void own_mutex(void)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	(void)k_sem_take(&sem, K_FOREVER);
}

static void owned_mutex(void)
{
	empty_sem();
	(void)k_mutex_init(&mutex);
	helper_starts(own_mutex);
}

static intptr_t lock_for_a_while(void)
{
	return k_mutex_lock(&mutex, sooner_than_any());
}

static uint32_t mutex_of_subject(void)
{
	uint32_t owned = mutex.owner == &subject ? 2U : 0U;
	uint32_t prio = (uint32_t)k_thread_priority_get(&subject);

	return (owned + helper_ends()) * 64U + prio;
}

static void free_condvar(void)
{
	(void)k_mutex_init(&mutex);
	(void)k_condvar_init(&condvar);
}

static intptr_t wait_for_condvar(void)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
	return k_condvar_wait(&condvar, &mutex, K_FOREVER);
}

static void rival_signals(void)
{
	(void)k_condvar_signal(&condvar);
}

static void rival_broadcasts(void)
{
	(void)k_condvar_broadcast(&condvar);
}

static uint32_t mutex_owned(void)
{
	return mutex.owner == &subject ? 1U : 0U;
}

/* ---- events ---- */

static void no_event(void)
{
	k_event_init(&event);
}

static void wait_for_second_bit(void)
{
	(void)k_event_wait(&event, 2, false, K_FOREVER);
}

static void event_with_waiter(void)
{
	no_event();
	helper_starts(wait_for_second_bit);
}

static intptr_t wait_event(void)
{
	return (intptr_t)k_event_wait(&event, 3, false, K_FOREVER);
}

static intptr_t set_event(void)
{
	return (intptr_t)k_event_set(&event, 2);
}

static void event_of_two(void)
{
	no_event();
	(void)k_event_set(&event, 2);
}

static intptr_t clear_event(void)
{
	return (intptr_t)k_event_clear(&event, 2);
}

static void rival_posts(void)
{
	(void)k_event_post(&event, 1);
}

static void rival_clears(void)
{
	(void)k_event_clear(&event, 2);
}

static uint32_t event_bits(void)
{
	return event.events;
}

static uint32_t event_and_waiter(void)
{
	return event.events * 2U + helper_ends();
}

/* ---- queues, stacks, message queues ---- */

static void empty_queue(void)
{
	k_queue_init(&queue);
}

static void queue_of_one(void)
{
	empty_queue();
	k_queue_append(&queue, &items[0]);
}

static intptr_t get_item(void)
{
	return (intptr_t)k_queue_get(&queue, K_FOREVER);
}

static void empty_queue_and_waiter(void)
{
	empty_queue();
	event_with_waiter();
}

static intptr_t get_item_for_a_while(void)
{
	return (intptr_t)k_queue_get(&queue, sooner_than_any());
}

/* What its second call returns is not what the first one's waiter gets. */
static void rival_appends_and_posts(void)
{
	k_queue_append(&queue, &items[0]);
	got = k_event_post(&event, 2);
}

static intptr_t append_item(void)
{
	k_queue_append(&queue, &items[1]);
	return 0;
}

static void rival_appends(void)
{
	k_queue_append(&queue, &items[0]);
}

static void rival_prepends(void)
{
	k_queue_prepend(&queue, &items[0]);
}

static void rival_gets(void)
{
	got = (uint32_t)(uintptr_t)k_queue_get(&queue, K_NO_WAIT);
}

static void rival_cancels(void)
{
	k_queue_cancel_wait(&queue);
}

static uint32_t queue_content(void);

static uint32_t queue_and_waiter(void)
{
	return queue_content() * 2U + helper_ends();
}

/* Which are in it, in their order. */
static uint32_t queue_content(void)
{
	uint32_t content = got;
	void *item;

	while ((item = k_queue_get(&queue, K_NO_WAIT)) != NULL) { /* Bound: two items. */
		content = content * 3U + (item == &items[0] ? 1U : 2U);
	}
	return content;
}

static void empty_stack(void)
{
	k_stack_init(&stack, words, ARRAY_SIZE(words));
	word = 0;
}

static intptr_t pop_word(void)
{
	return k_stack_pop(&stack, &word, K_FOREVER);
}

static intptr_t push_word(void)
{
	return k_stack_push(&stack, 7);
}

static void rival_pushes(void)
{
	(void)k_stack_push(&stack, 9);
}

static uint32_t stack_content(void)
{
	uint32_t content = (uint32_t)word;
	stack_data_t top;

	while (k_stack_pop(&stack, &top, K_NO_WAIT) == 0) { /* Bound: two words. */
		content = content * 16U + (uint32_t)top;
	}
	return content;
}

static void empty_msgq(void)
{
	k_msgq_init(&msgq, ring, sizeof(uint32_t), 2);
	sent = 5;
	got = 0;
}

static void full_msgq(void)
{
	empty_msgq();
	(void)k_msgq_put(&msgq, &sent, K_NO_WAIT);
	(void)k_msgq_put(&msgq, &sent, K_NO_WAIT);
	sent = 6;
}

static intptr_t put_message(void)
{
	return k_msgq_put(&msgq, &sent, K_FOREVER);
}

static intptr_t get_message(void)
{
	return k_msgq_get(&msgq, &got, K_FOREVER);
}

static void rival_puts(void)
{
	uint32_t message = 8;

	(void)k_msgq_put(&msgq, &message, K_NO_WAIT);
}

static void rival_takes_message(void)
{
	(void)k_msgq_get(&msgq, &got, K_NO_WAIT);
}

static void rival_purges(void)
{
	k_msgq_purge(&msgq);
}

static uint32_t msgq_content(void)
{
	uint32_t content = got;
	uint32_t message;

	while (k_msgq_get(&msgq, &message, K_NO_WAIT) ==
	       0) { /* Bound: two messages, and a writer. */
		content = content * 16U + message;
	}
	return content;
}

/* ---- futexes, polls, the heap ---- */

static void futex_of_0(void)
{
	(void)atomic_set(&futex.val, 0);
}

static intptr_t wait_futex(void)
{
	return k_futex_wait(&futex, 0, K_FOREVER);
}

static void rival_wakes_futex(void)
{
	(void)atomic_set(&futex.val, 1);
	(void)k_futex_wake(&futex, true);
}

static uint32_t nothing_else(void)
{
	return 0;
}

static void nothing_to_poll(void)
{
	empty_sem();
	k_poll_signal_init(&raised);
}

static intptr_t poll_both(void)
{
	struct k_poll_event events[] = {
		K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_SEM_AVAILABLE, 0, &sem),
		K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_SIGNAL, 0, &raised),
	};
	int polled = k_poll(events, 2, K_FOREVER);

	return polled * 64 + (intptr_t)(events[0].state * 8U + events[1].state);
}

static void rival_raises(void)
{
	(void)k_poll_signal_raise(&raised, 3);
}

static void one_block(void)
{
	other_block = k_heap_alloc(&heap, 400, K_NO_WAIT);
	block = NULL;
}

static intptr_t allocate(void)
{
	block = k_heap_alloc(&heap, 100, K_FOREVER);
	return block == NULL ? 1 : 0;
}

static void rival_frees(void)
{
	k_heap_free(&heap, other_block);
}

static uint32_t heap_is_whole(void)
{
	void *all;

	k_heap_free(&heap, block);
	all = k_heap_alloc(&heap, 400, K_NO_WAIT);
	k_heap_free(&heap, all);
	return all != NULL ? 1U : 0U;
}

static const struct contest contests[] = {
	{"sem: take, given", empty_sem, take, rival_gives, sem_count, 0},
	{"sem: take with a time-out, given", empty_sem, take_timed, rival_gives, sem_count, 0},
	{"sem: take with a time-out, suspended", empty_sem, take_timed, rival_suspends_subject,
	 subject_waits, 0},
	{"sem: take with a time-out, aborted", empty_sem, take_timed, rival_aborts_subject,
	 sem_count, 0},
	{"sem: take with a time-out, moved", empty_sem, take_timed, rival_moves_subject,
	 subject_waits, 0},
	{"sem: take at once, given", empty_sem, take_now, rival_gives, sem_count, 0},
	{"sem: take, reset", empty_sem, take, rival_resets, sem_count, 0},
	{"sem: take of one, taken", one_in_sem, take_now, rival_takes, sem_and_rival, 0},
	{"sem: give, given", empty_sem, give, rival_gives, sem_count, 0},
	{"sem: give, taken", empty_sem, give, rival_takes, sem_and_rival, 0},
	{"sem: give, reset", empty_sem, give, rival_resets, sem_count, 0},
	{"sem: give to a waiter, given", sem_with_waiter, give, rival_gives, sem_and_waiter, 0},
	{"sem: give to a waiter, reset", sem_with_waiter, give, rival_resets, sem_and_waiter, 0},
	{"sem: reset with a waiter, given", sem_with_waiter, reset, rival_gives, sem_and_waiter, 1},
	{"mutex: lock, its owner let go on", owned_mutex, lock_for_a_while, rival_gives,
	 mutex_of_subject, 0},
	{"condvar: wait, signalled", free_condvar, wait_for_condvar, rival_signals, mutex_owned, 0},
	{"condvar: wait, broadcast", free_condvar, wait_for_condvar, rival_broadcasts, mutex_owned,
	 0},
	{"event: wait, posted", no_event, wait_event, rival_posts, event_bits, 0},
	{"event: set, cleared", no_event, set_event, rival_clears, event_bits, 0},
	{"event: clear, posted", event_of_two, clear_event, rival_posts, event_bits, 0},
	{"event: set for a waiter, cleared", event_with_waiter, set_event, rival_clears,
	 event_and_waiter, 0},
	{"event: set for a waiter, posted", event_with_waiter, set_event, rival_posts,
	 event_and_waiter, 0},
	{"queue: get, appended", empty_queue, get_item, rival_appends, queue_content, 0},
	{"queue: get with a time-out, appended and another woken", empty_queue_and_waiter,
	 get_item_for_a_while, rival_appends_and_posts, queue_and_waiter, 0},
	{"queue: get, cancelled", empty_queue, get_item, rival_cancels, queue_content, 0},
	{"queue: get of one, gotten", queue_of_one, get_item, rival_gets, queue_content, 0},
	{"queue: append, prepended", empty_queue, append_item, rival_prepends, queue_content, 0},
	{"queue: append, gotten", queue_of_one, append_item, rival_gets, queue_content, 0},
	{"stack: pop, pushed", empty_stack, pop_word, rival_pushes, stack_content, 0},
	{"stack: push, pushed", empty_stack, push_word, rival_pushes, stack_content, 0},
	{"msgq: put, put", empty_msgq, put_message, rival_puts, msgq_content, 0},
	{"msgq: put into a full one, gotten", full_msgq, put_message, rival_takes_message,
	 msgq_content, 0},
	{"msgq: put into a full one, purged", full_msgq, put_message, rival_purges, msgq_content,
	 0},
	{"msgq: get, put", empty_msgq, get_message, rival_puts, msgq_content, 0},
	{"msgq: get of a full one, put", full_msgq, get_message, rival_puts, msgq_content, 0},
	{"msgq: get of a full one, purged", full_msgq, get_message, rival_purges, msgq_content, 0},
	{"futex: wait, woken", futex_of_0, wait_futex, rival_wakes_futex, nothing_else, 0},
	{"poll: two, one is given", nothing_to_poll, poll_both, rival_gives, sem_count, 0},
	{"poll: two, the other is raised", nothing_to_poll, poll_both, rival_raises, sem_count, 0},
	{"heap: allocate, freed", one_block, allocate, rival_frees, heap_is_whole, 0},
};
const struct contest_group contests_of_objects = {contests, ARRAY_SIZE(contests)};
