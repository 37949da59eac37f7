/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Misuse, one kind a run: the fake machine's command line says which, and the named
 * assertion ends the run. `list` prints the kinds; one that is not caught prints so.
 */
#include <foliot/kernel.h>
#include <zephyr/spinlock.h>
#include <zephyr/sys/ring_buffer.h>
#include <host.h>

#define STACK_SIZE 1024

static struct k_thread thread;
K_THREAD_STACK_DEFINE(stack, STACK_SIZE);
K_SEM_DEFINE(sem, 0, 1);
K_MUTEX_DEFINE(mutex);
K_CONDVAR_DEFINE(condvar);
K_MSGQ_DEFINE(msgq, 4, 1, 4);
K_HEAP_DEFINE(heap, 256);
K_MEM_SLAB_DEFINE(slab, 16, 2, 8);

static void entry(void *p1, void *p2, void *p3)
{
}

static void take_sem(void)
{
	(void)k_sem_take(&sem, K_TICKS(3));
}

static void get_message(void)
{
	char message[4];

	(void)k_msgq_get(&msgq, message, K_FOREVER);
}

static void make_queue_of_no_messages(void)
{
	struct k_msgq q;
	char buffer[1];

	k_msgq_init(&q, buffer, 1, 0);
}

static void make_queue_of_empty_messages(void)
{
	struct k_msgq q;
	char buffer[1];

	k_msgq_init(&q, buffer, 0, 1);
}

static void alloc_more_than_there_is(void)
{
	(void)k_heap_alloc(&heap, 250, K_NO_WAIT);
	(void)k_heap_alloc(&heap, 250, K_FOREVER);
}

static void sleep_a_while(void)
{
	(void)k_msleep(1);
}

static void lock_mutex(void)
{
	(void)k_mutex_lock(&mutex, K_NO_WAIT);
}

static void unlock_mutex(void)
{
	(void)k_mutex_unlock(&mutex);
}

static void wait_condvar(void)
{
	(void)k_condvar_wait(&condvar, &mutex, K_FOREVER);
}

static void unlock_as_successor(void *p1, void *p2, void *p3)
{
	unlock_mutex();
}

static void wait_as_successor(void *p1, void *p2, void *p3)
{
	wait_condvar();
}

static void create_thread(void)
{
	(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), entry, NULL, NULL, NULL,
			      3, 0, K_FOREVER);
}

static void create_twice(void)
{
	create_thread();
	create_thread();
}

/* The one that runs is in no list but that of the living. */
static void create_over_the_running_thread(void)
{
	(void)k_thread_create(k_current_get(), stack, K_THREAD_STACK_SIZEOF(stack), entry, NULL,
			      NULL, NULL, 3, 0, K_FOREVER);
}

static void create_of_priority(volatile int prio)
{
	(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), entry, NULL, NULL, NULL,
			      prio, 0, K_FOREVER);
}

static void create_thread_of_too_low_a_priority(void)
{
	create_of_priority(K_LOWEST_THREAD_PRIO + 1);
}

static void create_thread_of_idles_priority(void)
{
	create_of_priority(K_IDLE_PRIO);
}

static void create_thread_of_too_high_a_priority(void)
{
	create_of_priority(K_HIGHEST_THREAD_PRIO - 1);
}

static void create_thread_without_a_stack(void)
{
	volatile size_t none = 0;

	(void)k_thread_create(&thread, stack, none, entry, NULL, NULL, NULL, 3, 0, K_FOREVER);
}

static void lock_and_end(void *p1, void *p2, void *p3)
{
	(void)k_mutex_lock(&mutex, K_FOREVER);
}

/* A thread in the place of one that ended while it held the mutex. */
static void become_successor(k_thread_entry_t successor)
{
	(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), lock_and_end, NULL,
			      NULL, NULL, -1, 0, K_NO_WAIT);
	(void)k_thread_join(&thread, K_FOREVER);
	(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), successor, NULL, NULL,
			      NULL, -1, 0, K_NO_WAIT);
	(void)k_thread_join(&thread, K_FOREVER);
}

static void set_no_priority(void)
{
	k_thread_priority_set(k_current_get(), K_HIGHEST_THREAD_PRIO - 1);
}

static void unlock_predecessors(void)
{
	become_successor(unlock_as_successor);
}

static void wait_with_predecessors(void)
{
	become_successor(wait_as_successor);
}

static void set_idles_priority(void)
{
	k_thread_priority_set(k_current_get(), K_IDLE_PRIO);
}

static void do_nothing(const void *arg)
{
}

static void offload(void)
{
	irq_offload(do_nothing, NULL);
}

static void lock_too_deep(void)
{
	for (int i = 0; i <= UINT8_MAX; i++) {
		k_sched_lock();
	}
}

static void free_block_twice(void)
{
	void *block;

	(void)k_mem_slab_alloc(&slab, &block, K_NO_WAIT);
	k_mem_slab_free(&slab, block);
	k_mem_slab_free(&slab, block);
}

static void free_half_a_block(void)
{
	char *block;

	(void)k_mem_slab_alloc(&slab, (void **)&block, K_NO_WAIT);
	k_mem_slab_free(&slab, block + 8);
}

static void free_below_the_slab(void)
{
	void *block;

	(void)k_mem_slab_alloc(&slab, &block, K_NO_WAIT);
	k_mem_slab_free(&slab, (char *)block - 16);
}

static void free_what_was_never_taken(void)
{
	void *block;

	(void)k_mem_slab_alloc(&slab, &block, K_NO_WAIT);
	k_mem_slab_free(&slab, (char *)block + 16);
}

static void free_memory_twice(void)
{
	void *block = k_heap_alloc(&heap, 24, K_NO_WAIT);

	k_heap_free(&heap, block);
	k_heap_free(&heap, block);
}

static void free_somebody_elses_memory(void)
{
	k_heap_free(&heap, &heap);
}

/* What an overflow leaves of the word in front of a block, or of the one behind it. */
static size_t *header_of(void *block)
{
	return (size_t *)block - 1;
}

#define PREV_FREE ((size_t)4) /* in it: the block in front is free (kernel/memory/sys_heap.h) */

static char *block_of(size_t bytes)
{
	return k_heap_alloc(&heap, bytes, K_NO_WAIT);
}

static void free_half_a_unit(void)
{
	k_heap_free(&heap, block_of(24) + 4);
}

static void free_behind_the_heap(void)
{
	(void)block_of(24);
	k_heap_free(&heap, (char *)heap.heap.end + 64);
}

static void free_what_was_never_given(void)
{
	k_heap_free(&heap, block_of(24) + 128);
}

static void free_with_a_small_header(void)
{
	char *block = block_of(24);

	*header_of(block) = 0;
	k_heap_free(&heap, block);
}

static void free_with_a_large_header(void)
{
	char *block = block_of(24);

	*header_of(block) = (size_t)1 << 20;
	k_heap_free(&heap, block);
}

/* Freed already, though what has been put together with what lies around it is none any more. */
static void free_one_of_three_twice(void)
{
	char *block[3] = {block_of(24), block_of(24), block_of(24)};

	k_heap_free(&heap, block[1]);
	(void)block_of(40); /* the heap's last one goes elsewhere */
	k_heap_free(&heap, block[1]);
}

static void free_in_front_of_a_broken_one(void)
{
	char *front = block_of(24);
	char *behind = block_of(24);

	(void)block_of(24);
	*header_of(behind) = (size_t)1 << 20;
	k_heap_free(&heap, front);
}

static void free_in_front_of_one_that_says_it_is_free(void)
{
	char *front = block_of(24);
	char *behind = block_of(24);

	(void)block_of(24);
	*header_of(behind) |= PREV_FREE;
	k_heap_free(&heap, front);
}

static void free_behind_none(void)
{
	char *block = block_of(24);

	block = block_of(24);
	*header_of(block) |= PREV_FREE;
	k_heap_free(&heap, block);
}

static void align_to_24(void)
{
	(void)k_heap_aligned_alloc(&heap, 24, 8, K_NO_WAIT);
}

static void align_to_3(void)
{
	(void)k_aligned_alloc(3, 8);
}

static void align_to_6_in_vain(void)
{
	(void)k_heap_aligned_alloc(&heap, 6, 1000, K_NO_WAIT);
}

static void sleep_no_time(void)
{
	(void)k_usleep(0);
}

static struct k_spinlock spinlock;

static void take_spinlock_twice(void)
{
	(void)k_spin_lock(&spinlock);
	(void)k_spin_lock(&spinlock);
}

static void try_spinlock_twice(void)
{
	k_spinlock_key_t key;

	(void)k_spin_trylock(&spinlock, &key);
	(void)k_spin_trylock(&spinlock, &key);
}

static void release_free_spinlock(void)
{
	k_spin_release(&spinlock);
}

static void unlock_spinlock_in_isr(const void *key)
{
	k_spin_unlock(&spinlock, *(const k_spinlock_key_t *)key);
}

static void unlock_anothers_spinlock(void)
{
	k_spinlock_key_t key = k_spin_lock(&spinlock);

	irq_offload(unlock_spinlock_in_isr, &key);
}

static void make_too_large_a_ring(void)
{
	struct ring_buf ring;
	uint8_t byte;

	ring_buf_init(&ring, RING_BUF_MAX_SIZE + 1U, &byte);
}

static void wait_for_a_period(void)
{
	(void)k_period_wait();
}

K_IPC_ENDPOINT_DEFINE(endpoint);
K_IPC_GATE_DEFINE(gate, &endpoint, 1);

static void call_through_gate(void)
{
	struct k_ipc_message message = {0};

	(void)k_ipc_call(&gate, &message, K_NO_WAIT);
}

static struct k_work_q work_queue;
static struct k_work work;
static K_THREAD_STACK_DEFINE(work_stack, 1024);

static void submit_nothing(void)
{
	k_work_init(&work, NULL);
	(void)k_work_submit(&work);
}

static void schedule_nothing(void)
{
	static struct k_work_delayable delayed;

	k_work_init_delayable(&delayed, NULL);
	(void)k_work_schedule(&delayed, K_TICKS(3));
}

static void flush_itself(struct k_work *item)
{
	struct k_work_sync sync;

	(void)k_work_flush(item, &sync);
}

static void start_queue(void)
{
	k_work_init(&work, flush_itself);
	k_work_queue_start(&work_queue, work_stack, K_THREAD_STACK_SIZEOF(work_stack), -1, NULL);
}

static void start_queue_twice(void)
{
	start_queue();
	start_queue();
}

static void run_queue_twice(void)
{
	start_queue();
	k_work_queue_run(&work_queue, NULL);
}

static void wait_for_itself(void)
{
	start_queue();
	(void)k_work_submit_to_queue(&work_queue, &work);
}

static void flush_in_isr(void)
{
	k_work_queue_init(&work_queue);
	work.queue = &work_queue;
	work.flags = K_WORK_RUNNING;
	flush_itself(&work);
}

static void drain_in_isr(void)
{
	(void)k_work_queue_drain(&work_queue, true);
}

static struct k_mbox mbox;
static struct k_mbox_msg mbox_msg;

static void put_mail(void)
{
	(void)k_mbox_put(&mbox, &mbox_msg, K_NO_WAIT);
}

static void get_mail(void)
{
	(void)k_mbox_get(&mbox, &mbox_msg, NULL, K_NO_WAIT);
}

static void put_mail_and_go_on(void)
{
	k_mbox_async_put(&mbox, &mbox_msg, NULL);
}

static struct k_poll_event poll_event;

static void poll_for_two_types(void)
{
	k_poll_event_init(&poll_event, K_POLL_TYPE_SIGNAL | K_POLL_TYPE_SEM_AVAILABLE,
			  K_POLL_MODE_NOTIFY_ONLY, &mbox);
	(void)k_poll(&poll_event, 1, K_NO_WAIT);
}

static void poll_and_wait(void)
{
	k_poll_event_init(&poll_event, K_POLL_TYPE_SEM_AVAILABLE, K_POLL_MODE_NOTIFY_ONLY, &sem);
	(void)k_poll(&poll_event, 1, K_TICKS(2));
}

/*
 * Not what a caller can do: a waiter that is marked as a mutex's, and waits at no mutex. That it
 * never is is what `foliot bound` counts on (lab/foliot/bound/never.py).
 */
static struct k_mutex no_mutex;
static struct k_sem *const marked = (struct k_sem *)(void *)&no_mutex.wait_q;

static void take_marked(void *p1, void *p2, void *p3)
{
	(void)k_sem_take(marked, K_FOREVER);
}

static void begin_marked(void)
{
	static struct k_mutex *elsewhere;

	(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), take_marked, NULL, NULL,
			      NULL, -1, 0, K_NO_WAIT);
	k_sleep(K_TICKS(1));
	thread.wait_flags = 0x80; /* WAIT_FLAG_MUTEX */
	no_mutex.link = &elsewhere;
}

static void give_marked(void)
{
	begin_marked();
	k_sem_give(marked);
}

static void reset_marked(void)
{
	begin_marked();
	k_sem_reset(marked);
}

static void abort_marked(void)
{
	begin_marked();
	k_thread_abort(&thread);
}

/* Nor are these: who runs waits, or is stood on where nothing goes along, or is outranked. */
static struct k_stack words;
static stack_data_t word[1];
static struct k_queue marked_queue;

static void wait_for_word(void *p1, void *p2, void *p3)
{
	(void)k_stack_pop(&words, word, K_FOREVER);
}

static void wait_for_block(void *p1, void *p2, void *p3)
{
	void *block;

	(void)k_mem_slab_alloc(&slab, &block, K_FOREVER);
}

static void begin_stood_on(k_thread_entry_t waits)
{
	(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), waits, NULL, NULL, NULL,
			      -1, 0, K_NO_WAIT);
	k_sleep(K_TICKS(1));
	thread.state |= K_THREAD_STOOD_ON;
}

static void wake_the_running_thread(void)
{
	begin_stood_on(take_marked);
	k_cpu.current = &thread;
	thread.pended_on = NULL;
	k_wakeup(&thread);
}

static void wait_for_item(void *p1, void *p2, void *p3)
{
	(void)k_queue_get(&marked_queue, K_FOREVER);
}

static void append_stood_on(void)
{
	static void *item;

	k_queue_init(&marked_queue);
	begin_stood_on(wait_for_item);
	k_queue_append(&marked_queue, &item);
}

static void insert_stood_on(void)
{
	static void *item;

	k_queue_init(&marked_queue);
	begin_stood_on(wait_for_item);
	k_queue_insert(&marked_queue, NULL, &item);
}

static void handle_nothing(struct k_work *item)
{
}

static void submit_stood_on(void)
{
	static K_THREAD_STACK_DEFINE(works_stack, STACK_SIZE);

	k_work_init(&work, handle_nothing);
	k_work_queue_init(&work_queue);
	k_work_queue_start(&work_queue, works_stack, K_THREAD_STACK_SIZEOF(works_stack), -1, NULL);
	k_sleep(K_TICKS(1));
	work_queue.thread.state |= K_THREAD_STOOD_ON;
	(void)k_work_submit_to_queue(&work_queue, &work);
}

static void push_stood_on(void)
{
	k_stack_init(&words, word, 1);
	begin_stood_on(wait_for_word);
	(void)k_stack_push(&words, 1);
}

static void free_stood_on(void)
{
	void *block;

	(void)k_mem_slab_alloc(&slab, &block, K_NO_WAIT);
	(void)k_mem_slab_alloc(&slab, &block, K_NO_WAIT);
	begin_stood_on(wait_for_block);
	k_mem_slab_free(&slab, block);
}

static void reschedule_outranked(void)
{
	(void)k_thread_create(&thread, stack, K_THREAD_STACK_SIZEOF(stack), entry, NULL, NULL, NULL,
			      10, 0, K_NO_WAIT);
	k_cpu.current->threshold = 14;
	k_reschedule();
}

static const struct misuse {
	const char *name; /* and, behind a dot, of the assertion that catches it */
	void (*commit)(void);
	bool in_isr;
} kinds[] = {
	{"take-in-isr.blocking-call-in-isr", take_sem, true},
	{"get-in-isr.blocking-call-in-isr", get_message, true},
	{"alloc-in-isr.blocking-call-in-isr", alloc_more_than_there_is, true},
	{"none.msgq-of-nothing", make_queue_of_no_messages, false},
	{"empty.msgq-of-nothing", make_queue_of_empty_messages, false},
	{"sleep-in-isr.blocking-call-in-isr", sleep_a_while, true},
	{"sleep-no-time-in-isr.blocking-call-in-isr", sleep_no_time, true},
	{"lock-in-isr.mutex-in-isr", lock_mutex, true},
	{"unlock-in-isr.mutex-in-isr", unlock_mutex, true},
	{"unlock.unlock-of-a-mutex-not-owned", unlock_mutex, false},
	{"unlock-predecessors.unlock-of-a-mutex-not-owned", unlock_predecessors, false},
	{"wait.condvar-wait-without-the-mutex", wait_condvar, false},
	{"wait-predecessors.condvar-wait-without-the-mutex", wait_with_predecessors, false},
	{"create-in-isr.thread-create-in-isr", create_thread, true},
	{"create-low.bad-priority", create_thread_of_too_low_a_priority, false},
	{"create-idle.bad-priority", create_thread_of_idles_priority, false},
	{"create-high.bad-priority", create_thread_of_too_high_a_priority, false},
	{"create.stack-too-small", create_thread_without_a_stack, false},
	{"create-twice.create-over-a-live-thread", create_twice, false},
	{"create-over-itself.create-over-a-live-thread", create_over_the_running_thread, false},
	{"set.bad-priority", set_no_priority, false},
	{"set-idle.bad-priority", set_idles_priority, false},
	{"offload.irq-offload-in-isr", offload, true},
	{"yield.yield-in-isr", k_yield, true},
	{"lock.sched-lock-in-isr", k_sched_lock, true},
	{"unlock.sched-unlock-in-isr", k_sched_unlock, true},
	{"unlock.sched-unlock-without-lock", k_sched_unlock, false},
	{"lock.sched-lock-too-deep", lock_too_deep, false},
	{"free-twice.slab-double-free", free_block_twice, false},
	{"free-half.not-a-block-of-this-slab", free_half_a_block, false},
	{"free-below.not-a-block-of-this-slab", free_below_the_slab, false},
	{"free-fresh.not-a-block-of-this-slab", free_what_was_never_taken, false},
	{"free-twice.heap-double-free", free_memory_twice, false},
	{"free-other.heap-free-of-no-block", free_somebody_elses_memory, false},
	{"free-aside.heap-free-of-no-block", free_half_a_unit, false},
	{"free-behind.heap-free-of-no-block", free_behind_the_heap, false},
	{"free-unused.heap-double-free", free_what_was_never_given, false},
	{"free-small.heap-corrupt-header", free_with_a_small_header, false},
	{"free-large.heap-corrupt-header", free_with_a_large_header, false},
	{"free-middle.heap-double-free", free_one_of_three_twice, false},
	{"free-front.heap-corrupt-header", free_in_front_of_a_broken_one, false},
	{"free-marked.heap-corrupt-header", free_in_front_of_one_that_says_it_is_free, false},
	{"free-none.heap-corrupt-header", free_behind_none, false},
	{"period.period-wait-in-isr", wait_for_a_period, true},
	{"call.ipc-in-isr", call_through_gate, true},
	{"lock.spinlock-taken-twice", take_spinlock_twice, false},
	{"trylock.spinlock-taken-twice", try_spinlock_twice, false},
	{"release.spinlock-not-held", release_free_spinlock, false},
	{"unlock.spinlock-of-another", unlock_anothers_spinlock, false},
	{"init.ring-buffer-too-large", make_too_large_a_ring, false},
	{"align.heap-align-not-a-power-of-two", align_to_24, false},
	{"align-to-3.heap-align-not-a-power-of-two", align_to_3, false},
	{"submit.work-without-handler", submit_nothing, false},
	{"schedule.work-without-handler", schedule_nothing, false},
	{"start.work-queue-started-twice", start_queue_twice, false},
	{"run.work-queue-started-twice", run_queue_twice, false},
	{"flush.work-waits-for-itself", wait_for_itself, false},
	{"flush.work-wait-in-isr", flush_in_isr, true},
	{"drain.work-wait-in-isr", drain_in_isr, true},
	{"put.mbox-in-isr", put_mail, true},
	{"get.mbox-in-isr", get_mail, true},
	{"async-put.mbox-in-isr", put_mail_and_go_on, true},
	{"poll-in-isr.blocking-call-in-isr", poll_and_wait, true},
	{"two.bad-poll-type", poll_for_two_types, false},
	{"give.mutex-waiter-at-another-object", give_marked, false},
	{"reset.mutex-waiter-at-another-object", reset_marked, false},
	{"abort.inheritance-at-no-mutex", abort_marked, false},
	{"wake.wake-of-the-running-thread", wake_the_running_thread, false},
	{"push.traversal-of-a-stack", push_stood_on, false},
	{"free.traversal-of-a-slab", free_stood_on, false},
	{"append.traversal-of-a-queue", append_stood_on, false},
	{"insert.traversal-of-a-queue", insert_stood_on, false},
	{"submit.work-queue-idle-for-a-time", submit_stood_on, false},
	{"reschedule.missed-switch", reschedule_outranked, false},
	{"align-to-6.heap-align-not-a-power-of-two", align_to_6_in_vain, false},
};

static void run(const void *arg)
{
	const struct misuse *kind = arg;

	kind->commit();
}

static bool same(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (host_argc < 2 || same(host_argv[1], "list")) {
			printk("%s\n", kinds[i].name);
		} else if (same(host_argv[1], kinds[i].name)) {
			if (kinds[i].in_isr) {
				irq_offload(run, &kinds[i]);
			} else {
				run(&kinds[i]);
			}
			printk("not caught\n");
		}
	}
	k_exit(0);
}
