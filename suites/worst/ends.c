/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends of calls that sixteen waiters do not bring about: calls that wait, each in the longest way to
 * its wait that is known; what returns at once because there is nothing to wait for; and what hands
 * over to a thread that a call of its kind seldom finds there.
 *
 * The longest way to a wait: the caller was preempted, so it is queued; the clock is a tick behind;
 * its time-out is the next alarm; and it goes in front of one less urgent, behind thirteen
 * priorities.
 */
#include "worst.h"

#define CROWD      15 /* waiters that are there already */
#define AHEAD      13 /* of these, each of another priority, and none less urgent than the caller */
#define A_TICK_US  110
#define ROW        4 /* of threads that join one another */
#define LARGE      3000
#define MEMORY     4096
#define NEXT_ALARM K_TICKS(3)

static struct k_thread crowd[CROWD + 1];
static K_THREAD_STACK_ARRAY_DEFINE(crowd_stacks, CROWD + 1, 1024);
static struct k_thread preemptor;
static K_THREAD_STACK_DEFINE(preemptor_stack, 1024);
static K_SEM_DEFINE(preempt, 0, 1);
static K_SEM_DEFINE(go_on, 0, 1);

static struct k_heap heap;
static char __aligned(8) memory[MEMORY];
static struct k_msgq msgq;
static struct k_stack stack;
static struct k_queue queue;
static struct k_event event;
static struct k_pipe pipe;
static struct k_mem_slab slab;
static struct k_sem sem;
static struct k_timer timer;
static struct k_mutex mutex;
static struct k_condvar condvar;
static struct k_work work;
static struct k_work_delayable delayable;
static struct k_work_q works;
static struct k_work_sync sync;
static K_THREAD_STACK_DEFINE(works_stack, 1024);
static char __aligned(8) buffer[64];
static uintptr_t items[4];
static volatile uintptr_t seen; /* so that no call is a tail call, which nobody sees as one */

static void create(int number, k_thread_entry_t entry, void *argument, int prio)
{
	(void)k_thread_create(&crowd[number], crowd_stacks[number], 1024, entry, argument, NULL,
			      NULL, prio, 0, K_NO_WAIT);
}

static void end(int number)
{
	k_thread_abort(&crowd[number]);
}

/* ---- the longest way to a wait ---- */

static void preempt_entry(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: none, it is aborted. */
	while (k_sem_take(&preempt, K_FOREVER) == 0) {
		seen++;
	}
}

static void begin_preempting(void)
{
	(void)k_thread_create(&preemptor, preemptor_stack, K_THREAD_STACK_SIZEOF(preemptor_stack),
			      preempt_entry, NULL, NULL, NULL, -16, 0, K_NO_WAIT);
}

/* The caller is preempted, and the clock is behind. */
static void be_late(void)
{
	k_busy_wait(A_TICK_US);
	k_sem_give(&preempt);
}

static void joins(void *object, void *number, void *unused)
{
	((const struct object *)object)->wait(K_FOREVER, (unsigned int)(uintptr_t)number);
	seen++;
}

static void joins_late(void *object, void *number, void *unused)
{
	be_late();
	((const struct object *)object)->wait(NEXT_ALARM, (unsigned int)(uintptr_t)number);
	seen++;
}

void worst_join(const struct object *object)
{
	begin_preempting();
	object->before();
	k_thread_priority_set(k_current_get(), LAST);
	/* Bound: CROWD. */
	for (int i = 0; i < CROWD; i++) {
		create(i, joins, (void *)(uintptr_t)object, i < AHEAD ? i - AHEAD + 1 : LAST - 1);
	}
	create(CROWD, joins_late, (void *)(uintptr_t)object, 0);
	/* Bound: CROWD + 1. */
	for (int i = 0; i <= CROWD; i++) {
		end(i);
	}
	k_thread_abort(&preemptor);
}

/* ---- memory that others wait for ---- */

static void wants(void *of, void *bytes, void *unused)
{
	seen += (uintptr_t)k_heap_alloc(of, (size_t)(uintptr_t)bytes, K_FOREVER);
	(void)k_sem_take(&go_on, K_FOREVER);
}

static void somebody_wants(struct k_heap *of)
{
	(void)k_thread_create(&crowd[0], crowd_stacks[0], 1024, wants, of,
			      (void *)(uintptr_t)(LARGE / 2), NULL, 1, 0, K_NO_WAIT);
}

static void is_served(void)
{
	end(0);
	k_heap_init(&heap, memory, sizeof(memory));
	seen++;
}

static void gives_memory_back(void)
{
	void *block = k_heap_alloc(&heap, LARGE, K_NO_WAIT);

	somebody_wants(&heap);
	block = k_heap_realloc(&heap, block, 16, K_NO_WAIT);
	is_served();
	(void)k_msgq_alloc_init(&msgq, 100, LARGE / 100);
	somebody_wants(&heap);
	(void)k_msgq_cleanup(&msgq);
	is_served();
	(void)k_stack_alloc_init(&stack, LARGE / sizeof(stack_data_t));
	somebody_wants(&heap);
	(void)k_stack_cleanup(&stack);
	is_served();
	block = k_malloc(LARGE);
	somebody_wants(k_system_heap());
	k_free(block);
	end(0);
	seen += (uintptr_t)block;
}

static void waits_for_memory(void *unused_1, void *unused_2, void *unused_3)
{
	void *block = k_heap_alloc(&heap, LARGE / 2, K_NO_WAIT);

	be_late();
	seen += (uintptr_t)k_heap_calloc(&heap, 1, LARGE, NEXT_ALARM);
	be_late();
	seen += (uintptr_t)k_heap_aligned_alloc(&heap, 64, LARGE, NEXT_ALARM);
	be_late();
	seen += (uintptr_t)k_heap_realloc(&heap, block, LARGE, NEXT_ALARM);
	k_heap_free(&heap, block);
	seen++;
}

/* ---- waits of one thread ---- */

static void waits(void *unused_1, void *unused_2, void *unused_3)
{
	be_late();
	seen += k_event_wait_safe(&event, 1, false, NEXT_ALARM);
	be_late();
	seen += k_event_wait_all_safe(&event, 3, false, NEXT_ALARM);
	be_late();
	seen += k_event_wait_all(&event, 3, false, NEXT_ALARM);
	be_late();
	seen += (uintptr_t)k_sleep(NEXT_ALARM);
	be_late();
	seen += (uintptr_t)k_msleep(1);
	be_late();
	seen += (uintptr_t)k_usleep(A_TICK_US);
	be_late();
	seen += (uintptr_t)k_pipe_read(&pipe, (uint8_t *)buffer, 1, NEXT_ALARM);
	be_late();
	seen += (uintptr_t)k_thread_join(k_current_get(), K_NO_WAIT);
}

/* For so long that a division of 64 bits is needed. */
static void sleeps_long(void *in_us, void *unused_2, void *unused_3)
{
	be_late();
	seen += (uintptr_t)(in_us == NULL ? k_msleep(INT32_MAX) : k_usleep(INT32_MAX));
}

static void waits_for_event(void *unused_1, void *unused_2, void *unused_3)
{
	seen += k_event_wait(&event, 4, false, K_TICKS(1000));
}

static void waits_for_end(void *of, void *unused_2, void *unused_3)
{
	be_late();
	seen += (uintptr_t)k_thread_join(of, K_TICKS(1000));
	seen++;
}

/* Each joins the one before; the first sleeps. The last has the whole row to look along. */
static void joins_in_a_row(void)
{
	create(0, waits_for_event, NULL, 1);
	/* Bound: ROW. */
	for (int i = 1; i < ROW; i++) {
		create(i, waits_for_end, &crowd[i - 1], 1);
	}
	seen += (uintptr_t)k_thread_join(&crowd[ROW - 1], K_TICKS(2));
	create(ROW, waits_for_end, &crowd[ROW - 1], 1);
	/* Bound: ROW. */
	for (int i = ROW; i >= 0; i--) {
		end(i);
	}
}

/* ---- what returns at once ---- */

static void objects_begin(void)
{
	(void)k_sem_init(&sem, 0, 1);
	seen++;
	k_stack_init(&stack, (stack_data_t *)(void *)buffer, 4);
	seen++;
	k_pipe_init(&pipe, (uint8_t *)buffer, sizeof(buffer));
	seen++;
	k_event_init(&event);
	k_queue_init(&queue);
	(void)k_mem_slab_init(&slab, buffer, 16, 1);
	k_timer_init(&timer, NULL, NULL);
	(void)k_mutex_init(&mutex);
	(void)k_condvar_init(&condvar);
	k_heap_init(&heap, memory, sizeof(memory));
	k_thread_system_pool_assign(k_current_get());
	seen++;
	k_thread_heap_assign(k_current_get(), &heap);
}

static void does_not_wait(void)
{
	struct sys_memory_stats stats;
	size_t unused;
	void *block;

	seen += (uintptr_t)k_mem_slab_alloc(&slab, &block, K_NO_WAIT);
	seen += (uintptr_t)k_mem_slab_alloc(&slab, &block, K_NO_WAIT);
	seen += (uintptr_t)k_mem_slab_runtime_stats_get(&slab, &stats);
	seen += (uintptr_t)k_mem_slab_runtime_stats_reset_max(&slab);
	seen += k_event_wait_safe(&event, 1, false, K_NO_WAIT);
	seen += k_event_wait_all_safe(&event, 3, false, K_NO_WAIT);
	seen += k_event_wait_all(&event, 3, false, K_NO_WAIT);
	seen += k_event_wait(&event, 1, false, K_NO_WAIT);
	seen += k_event_set_masked(&event, 1, 1);
	seen += (uintptr_t)k_sem_take(&sem, K_NO_WAIT);
	seen += (uintptr_t)k_stack_pop(&stack, (stack_data_t *)(void *)buffer, K_NO_WAIT);
	seen += (uintptr_t)k_sleep(K_NO_WAIT) + (uintptr_t)k_msleep(0) + (uintptr_t)k_usleep(0);
	seen += k_timer_status_sync(&timer);
	seen += (uintptr_t)k_thread_stack_alloc(64, 0);
	seen += (uintptr_t)k_thread_stack_free(NULL);
	seen += (uintptr_t)k_thread_stack_space_get(k_current_get(), &unused);
	(void)k_mutex_lock(&mutex, K_FOREVER);
	seen += (uintptr_t)k_condvar_wait(&condvar, &mutex, K_NO_WAIT);
	(void)k_mutex_unlock(&mutex);
	seen++;
}

/*
 * A handler may not wait, which a debug build reports; this one goes on, and each call is on its
 * longest way to a return that there is without a wait.
 */
static void waits_in_handler(const void *unused)
{
	static struct k_futex futex;
	void *block;

	seen += (uintptr_t)k_sem_take(&sem, K_FOREVER);
	seen += (uintptr_t)k_stack_pop(&stack, (stack_data_t *)(void *)buffer, K_FOREVER);
	seen += (uintptr_t)k_mem_slab_alloc(&slab, &block, K_FOREVER);
	seen += (uintptr_t)k_futex_wait(&futex, 0, K_FOREVER);
	seen += k_event_wait(&event, 2, false, K_FOREVER);
	seen += k_event_wait_all(&event, 2, false, K_FOREVER);
	seen += k_event_wait_safe(&event, 2, false, K_FOREVER);
	seen += k_event_wait_all_safe(&event, 2, false, K_FOREVER);
	seen += (uintptr_t)k_queue_get(&queue, K_FOREVER);
	seen += (uintptr_t)k_sleep(NEXT_ALARM);
	seen += (uintptr_t)k_msleep(INT32_MAX) + (uintptr_t)k_usleep(INT32_MAX);
	k_timer_start(&timer, K_TICKS(1000), K_NO_WAIT);
	seen += k_timer_status_sync(&timer);
	k_timer_stop(&timer);
	seen++;
}

/* ---- time that nobody has asked for since its tick ended ---- */

static void asks_what_time_it_is(void)
{
	int64_t since = 0;

	k_timer_start(&timer, K_TICKS(1000), K_NO_WAIT);
	k_busy_wait(A_TICK_US);
	seen += (uintptr_t)k_timer_remaining_ticks(&timer);
	k_busy_wait(A_TICK_US);
	seen += (uintptr_t)k_timer_remaining_get(&timer);
	k_busy_wait(A_TICK_US);
	seen += (uintptr_t)k_uptime_ticks();
	k_busy_wait(A_TICK_US);
	seen += (uintptr_t)k_cycle_get_64();
	k_busy_wait(10 * A_TICK_US);
	seen += (uintptr_t)k_uptime_get();
	k_busy_wait(10 * A_TICK_US);
	seen += k_uptime_get_32();
	k_busy_wait(10 * A_TICK_US);
	seen += (uintptr_t)k_uptime_delta(&since);
	k_timer_stop(&timer);
	k_busy_wait(A_TICK_US);
	seen += (uintptr_t)k_timer_expires_ticks(&timer);
	k_busy_wait(A_TICK_US);
	seen += (uintptr_t)k_work_delayable_expires_get(&delayable);
	k_busy_wait(A_TICK_US);
	seen += (uintptr_t)k_thread_timeout_expires_ticks(k_current_get());
	k_busy_wait(A_TICK_US);
	k_timer_start(&timer, K_TICKS(1000), K_TICKS(1000));
	create(0, waits, NULL, 1);
	k_busy_wait(A_TICK_US);
	seen += (uintptr_t)k_thread_timeout_remaining_ticks(&crowd[0]);
	end(0);
	k_timer_stop(&timer);
	k_busy_wait(A_TICK_US);
	(void)k_thread_create(&crowd[0], crowd_stacks[0], 1024, waits, NULL, NULL, NULL, 1, 0,
			      NEXT_ALARM);
	end(0);
}

/* ---- who goes on though somebody more urgent is ready ---- */

static void takes(void *unused_1, void *unused_2, void *unused_3)
{
	(void)k_sem_take(&go_on, K_FOREVER);
	seen++;
}

static void outranked_in_handler(const void *unused)
{
	k_sem_give(&go_on);
	k_yield();
	k_reschedule();
	seen++;
}

static void stopped_in_handler(const void *thread)
{
	k_thread_suspend((k_tid_t)(uintptr_t)thread);
	seen++;
}

static void is_stopped(void *unused_1, void *unused_2, void *unused_3)
{
	irq_offload(stopped_in_handler, k_current_get());
}

static void goes_on_though_outranked(void)
{
	unsigned int key;

	create(0, takes, NULL, 1);
	key = irq_lock();
	k_sem_give(&go_on);
	k_reschedule();
	irq_unlock(key);
	end(0);
	create(0, takes, NULL, 1);
	k_sched_lock();
	key = irq_lock();
	k_sem_give(&go_on);
	k_sched_unlock();
	irq_unlock(key);
	end(0);
	create(0, takes, NULL, 1);
	irq_offload(outranked_in_handler, NULL);
	end(0);
	create(0, is_stopped, NULL, 1);
	end(0);
	k_thread_priority_set(k_current_get(), LAST - 1);
	create(0, takes, NULL, -3);
	be_late();
	k_thread_priority_set(k_current_get(), -2);
	k_sem_give(&go_on);
	k_yield();
	end(0);
	k_thread_priority_set(k_current_get(), LAST);
}

/* ---- a thread that is handed what the call brings, and outranks the caller ---- */

static void takes_item(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: none, it is aborted. */
	while (k_queue_get(&queue, K_TICKS(1000)) != NULL) {
		seen++;
	}
}

/*
 * Masked, as who switches to it leaves interrupts then: so that a switch that was asked for as well,
 * which comes as an interrupt, does not come ahead of the switch that is seen.
 */
static void takes_item_masked(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: none, it is aborted. */
	while (true) {
		unsigned int key = irq_lock();

		seen += (uintptr_t)k_queue_get(&queue, K_TICKS(1000));
		irq_unlock(key);
	}
}

static void reads_pipe(void *unused_1, void *unused_2, void *unused_3)
{
	seen += (uintptr_t)k_pipe_read(&pipe, (uint8_t *)buffer, 1, K_TICKS(1000));
}

enum over { OVER_AT_ONCE, OVER_LATER, OVER_SUSPENDED, OVERS }; /* whether the caller switches */

static void begin_over(enum over how)
{
	k_sleep(K_TICKS(1));
	if (how == OVER_SUSPENDED) {
		k_thread_suspend(&crowd[0]);
		k_thread_suspend(&crowd[1]);
	}
}

static void end_over(enum over how)
{
	if (how == OVER_SUSPENDED) {
		k_thread_resume(&crowd[0]);
		k_thread_resume(&crowd[1]);
	}
	k_sleep(K_TICKS(1));
}

static void hands_over_items(enum over how)
{
	void *head = &items[0], *tail = &items[0];

	items[0] = 0;
	begin_over(how);
	seen += (uintptr_t)k_queue_append_list(&queue, &items[0], &items[0]);
	end_over(how);
	begin_over(how);
	seen += (uintptr_t)k_queue_merge_list_(&queue, &head, &tail);
	end_over(how);
	begin_over(how);
	k_queue_insert(&queue, NULL, &items[1]);
	end_over(how);
	begin_over(how);
	seen += (uintptr_t)k_queue_unique_append(&queue, &items[1]);
	end_over(how);
	begin_over(how);
	k_queue_prepend(&queue, &items[1]);
	end_over(how);
	begin_over(how);
	seen += (uintptr_t)k_queue_alloc_append(&queue, &items[2]);
	end_over(how);
	begin_over(how);
	seen += (uintptr_t)k_queue_alloc_prepend(&queue, &items[2]);
	end_over(how);
}

static void hands_over(void)
{
	create(0, takes_item_masked, NULL, 1);
	seen += (uintptr_t)k_queue_unique_append(&queue, &items[1]);
	end(0);
	/* Bound: OVERS. */
	for (enum over how = 0; how < OVERS; how++) {
		create(0, takes_item, NULL, 1);
		create(1, takes_item, NULL, 1);
		k_thread_priority_set(k_current_get(), how == OVER_LATER ? -1 : LAST);
		hands_over_items(how);
		end(1);
		end(0);
		create(0, waits_for_event, NULL, 1);
		seen += k_event_set_masked(&event, 4, 4);
		k_sleep(K_TICKS(1));
		end(0);
		create(0, reads_pipe, NULL, 1);
		k_pipe_reset(&pipe);
		seen++;
		end(0);
	}
	k_thread_priority_set(k_current_get(), LAST);
}

/* ---- work: of a queue that is more urgent than the caller, and one that is less ---- */

static void nothing(struct k_work *unused)
{
	seen++;
}

static unsigned int key_of_works;

/* Its thread waits for more with interrupts masked, until it is told otherwise. */
static void masks(struct k_work *unused)
{
	key_of_works = irq_lock();
}

static void opens(struct k_work *unused)
{
	irq_unlock(key_of_works);
}

static void works_masked(void)
{
	static struct k_work first;

	k_work_queue_init(&works);
	k_work_queue_start(&works, works_stack, K_THREAD_STACK_SIZEOF(works_stack), 1, NULL);
	k_work_init(&first, masks);
	k_work_init_delayable(&delayable, opens);
	(void)k_work_submit_to_queue(&works, &first);
	seen += (uintptr_t)k_work_schedule_for_queue(&works, &delayable, K_NO_WAIT);
	(void)k_work_submit_to_queue(&works, &first);
	seen += (uintptr_t)k_work_reschedule_for_queue(&works, &delayable, K_NO_WAIT);
	(void)k_work_submit(&first);
	seen += (uintptr_t)k_work_schedule(&delayable, K_NO_WAIT);
	(void)k_work_submit(&first);
	seen += (uintptr_t)k_work_reschedule(&delayable, K_NO_WAIT);
	seen += (uintptr_t)k_work_queue_drain(&works, true);
	seen += (uintptr_t)k_work_queue_stop(&works, K_FOREVER);
}

static void flushes(void *unused_1, void *unused_2, void *unused_3)
{
	seen += k_work_flush(&delayable.work, &sync);
}

static void works_are_done(int prio_of_queue)
{
	k_work_queue_init(&works);
	k_work_queue_start(&works, works_stack, K_THREAD_STACK_SIZEOF(works_stack), prio_of_queue,
			   NULL);
	k_work_init(&work, nothing);
	k_work_init_delayable(&delayable, nothing);
	seen += k_work_flush(&work, &sync);
	seen += k_work_flush_delayable(&delayable, &sync);
	seen += k_work_cancel_sync(&work, &sync);
	seen += k_work_cancel_delayable_sync(&delayable, &sync);
	seen += (uintptr_t)k_work_schedule_for_queue(&works, &delayable, K_NO_WAIT);
	(void)k_work_flush_delayable(&delayable, &sync);
	seen += (uintptr_t)k_work_reschedule_for_queue(&works, &delayable, K_NO_WAIT);
	(void)k_work_flush_delayable(&delayable, &sync);
	seen += (uintptr_t)k_work_submit_to_queue(&works, &work);
	(void)k_work_flush(&work, &sync);
	seen += (uintptr_t)k_work_schedule(&delayable, K_NO_WAIT);
	seen += (uintptr_t)k_work_reschedule(&delayable, K_NO_WAIT);
	seen += (uintptr_t)k_work_submit(&work);
	(void)k_work_flush(&work, &sync);
	k_sched_lock();
	seen += (uintptr_t)k_work_submit(&work);
	k_sched_unlock();
	seen += (uintptr_t)k_work_queue_drain(&works, false);
	k_sleep(K_TICKS(1));
	seen += (uintptr_t)k_work_queue_drain(&works, true);
	seen += (uintptr_t)k_work_queue_stop(&works, K_FOREVER);
	seen += (uintptr_t)k_work_queue_stop(&works, K_FOREVER);
}

static void submitted_in_handler(const void *unused)
{
	seen += (uintptr_t)k_work_submit_to_queue(&works, &work);
}

static void scheduled_in_handler(const void *unused)
{
	seen += (uintptr_t)k_work_schedule_for_queue(&works, &delayable, K_NO_WAIT);
}

static void rescheduled_in_handler(const void *unused)
{
	seen += (uintptr_t)k_work_reschedule_for_queue(&works, &delayable, K_NO_WAIT);
}

static void systems_in_handler(const void *number)
{
	if (number == NULL) {
		seen += (uintptr_t)k_work_submit(&work);
	} else if (number == &work) {
		seen += (uintptr_t)k_work_schedule(&delayable, K_NO_WAIT);
	} else {
		seen += (uintptr_t)k_work_reschedule(&delayable, K_NO_WAIT);
	}
}

/* Whose thread is suspended as well: it is woken, and goes on later. */
static void works_suspended(void)
{
	k_thread_suspend(&works.thread);
	k_thread_suspend(&k_sys_work_q.thread);
	submitted_in_handler(NULL);
	systems_in_handler(NULL);
	k_thread_resume(&works.thread);
	k_thread_resume(&k_sys_work_q.thread);
	k_sleep(K_TICKS(1));
	k_thread_suspend(&works.thread);
	k_thread_suspend(&k_sys_work_q.thread);
	scheduled_in_handler(NULL);
	k_thread_resume(&works.thread);
	k_sleep(K_TICKS(1));
	systems_in_handler(&work);
	k_thread_resume(&k_sys_work_q.thread);
	k_sleep(K_TICKS(1));
	k_thread_suspend(&works.thread);
	k_thread_suspend(&k_sys_work_q.thread);
	rescheduled_in_handler(NULL);
	k_thread_resume(&works.thread);
	k_sleep(K_TICKS(1));
	systems_in_handler(&works);
	k_thread_resume(&k_sys_work_q.thread);
	k_sleep(K_TICKS(1));
}

/* Whose thread is woken behind the handler. */
static void works_in_handlers(void)
{
	k_work_queue_init(&works);
	k_work_queue_start(&works, works_stack, K_THREAD_STACK_SIZEOF(works_stack), 1, NULL);
	k_work_init(&work, nothing);
	k_work_init_delayable(&delayable, nothing);
	irq_offload(submitted_in_handler, NULL);
	irq_offload(scheduled_in_handler, NULL);
	irq_offload(rescheduled_in_handler, NULL);
	irq_offload(systems_in_handler, NULL);
	irq_offload(systems_in_handler, &work);
	irq_offload(systems_in_handler, &works);
	works_suspended();
	seen += (uintptr_t)k_work_queue_drain(&works, true);
	seen += (uintptr_t)k_work_queue_stop(&works, K_FOREVER);
}

/* An item that somebody more urgent waits for, and that has not begun. */
static void work_is_canceled(bool is_delayed)
{
	k_work_queue_init(&works);
	k_work_queue_start(&works, works_stack, K_THREAD_STACK_SIZEOF(works_stack), LAST, NULL);
	k_work_init_delayable(&delayable, nothing);
	k_sched_lock();
	(void)k_work_schedule_for_queue(&works, &delayable, K_NO_WAIT);
	k_thread_priority_set(k_current_get(), LAST - 1);
	k_sched_unlock();
	create(0, flushes, NULL, 1);
	if (is_delayed) {
		seen += (uintptr_t)k_work_cancel_delayable(&delayable);
	} else {
		seen += (uintptr_t)k_work_cancel(&delayable.work);
	}
	end(0);
	k_thread_priority_set(k_current_get(), LAST);
	k_sleep(K_TICKS(1));
	seen += (uintptr_t)k_work_queue_drain(&works, true);
	seen += (uintptr_t)k_work_queue_stop(&works, K_FOREVER);
}

void worst_ends(void)
{
	k_thread_priority_set(k_current_get(), LAST);
	begin_preempting();
	objects_begin();
	does_not_wait();
	irq_offload(waits_in_handler, NULL);
	asks_what_time_it_is();
	gives_memory_back();
	create(0, waits_for_memory, NULL, 1);
	k_sleep(K_TICKS(20));
	end(0);
	objects_begin();
	create(0, waits, NULL, 1);
	k_sleep(K_TICKS(40));
	end(0);
	create(0, sleeps_long, NULL, 1);
	create(1, sleeps_long, &timer, 1);
	end(1);
	end(0);
	goes_on_though_outranked();
	joins_in_a_row();
	hands_over();
	works_are_done(1);
	works_are_done(LAST);
	works_masked();
	works_in_handlers();
	work_is_canceled(false);
	work_is_canceled(true);
	k_thread_abort(&preemptor);
}
