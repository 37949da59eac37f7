/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Abort everywhere. A user thread, the victim, makes a system call; at one instruction of it, in kernel mode, a line rises.
 * Its handler wakes the judge, a kernel thread, and a sibling of the victim's, a more urgent user thread with the same
 * rights: one of them ends the victim, takes something from it, or changes what it passed (actions.c). Then all that is free
 * is filled with what user mode would like the kernel to believe. It goes on for some ticks, everything is freed, and
 * nothing may have been written that the forged pointers lead to, nor a fault of the kernel's have come.
 *
 * It runs on the simulator of instructions (sim/iss), which forks in front of each instruction of each window; a window's number
 * is the action's and the case's. Where the line never rose the next one follows; where it did the run ends, with 0 if
 * all held. Without a sweep all cases are run through, untouched.
 *
 * Where nothing can be forked (QEMU, the core in RTL) each arrival is a run of its own, all in one boot, by an interrupt
 * that is injected (CONFIG_EVERYWHERE_STEP). What a call does after everybody waited is not tried then.
 */
#include "everywhere.h"
#include "kernel/access/object_rights.h"
#include "kernel/hooks/user.h"
#include "lib/string.h"
#include <board.h>

K_APPMEM_PARTITION_DEFINE(theirs);
K_APPMEM_PARTITION_DEFINE(buffers);

uintptr_t decoys[DECOYS];
uintptr_t zeros[DECOYS];
K_APP_BMEM(buffers) uintptr_t lies[LIES];
K_APP_BMEM(theirs) struct k_thread made_up;
struct objects objects K_APP_BMEM(theirs);
K_APP_BMEM(theirs) static volatile unsigned int action;

K_HEAP_DEFINE(pool, 8192);
struct k_mem_domain users_domain;
struct k_thread sibling, helper;
K_MUTEX_DEFINE(saved_mutex);
static struct k_thread judge;
K_THREAD_STACK_DEFINE(victim_stack, STACK);
K_THREAD_STACK_DEFINE(spare_stack, STACK);
K_THREAD_STACK_DEFINE(sibling_stack, STACK);
K_THREAD_STACK_DEFINE(helper_stack, STACK);
K_THREAD_STACK_DEFINE(judge_stack, STACK);
struct k_ipc_endpoint endpoint, served;
struct k_ipc_gate gate, served_gate;
K_SEM_DEFINE(go, 0, 1);
static K_SEM_DEFINE(judges_go, 0, 1);
static volatile unsigned int came; /* the line rose */
static volatile bool came_to_idle; /* while everybody waited */
static volatile unsigned int refused; /* calls, whose threads ended by that */

static void line_isr(const void *arg)
{
#ifdef BOARD_SOFT_CLEAR
	*(volatile uint32_t *)BOARD_SOFT_CLEAR = 1;
#endif
	everywhere_window(0);
	/* What user mode would have to guess. */
	made_up.generation = objects.victim->generation;
	if (saved_mutex.generation != 0) {
		made_up.generation = saved_mutex.generation;
	}
	came++;
	came_to_idle = k_cpu.current->base_prio == K_IDLE_PRIO;
	k_sem_give(&judges_go);
	k_sem_give(&go);
}

/* ---- the threads ---- */

static void judge_main(void *p1, void *p2, void *p3)
{
	(void)k_sem_take(&judges_go, K_FOREVER);
	action_of_judge(action);
}

static void sibling_main(void *p1, void *p2, void *p3)
{
	(void)k_sem_take(&go, K_FOREVER);
	action_of_sibling(action);
}

static void victim_main(void *number, void *window, void *p3)
{
	everywhere_window((unsigned int)(uintptr_t)window);
	case_run((unsigned int)(uintptr_t)number);
	everywhere_window(0);
}

/* It holds a mutex, serves an endpoint, and fills a pipe. */
static void helper_main(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.data = NULL};

	(void)k_mutex_lock(objects.other_mutex, K_FOREVER);
	(void)k_ipc_receive(&served, &message, K_TICKS(2));
	(void)k_ipc_reply_receive(&served, &message, K_TICKS(1));
	(void)k_mutex_unlock(objects.other_mutex);
	k_sleep(K_TICKS(1));
}

static void make(struct k_thread *thread, k_thread_stack_t *stack, k_thread_entry_t main, int prio,
		 uint32_t options, unsigned int number, unsigned int window)
{
	(void)k_thread_create(thread, stack, STACK, main, (void *)(uintptr_t)number,
			      (void *)(uintptr_t)window, NULL, prio, options, K_FOREVER);
	(void)k_mem_domain_add_thread(&users_domain, thread);
	k_thread_heap_assign(thread, &pool);
}

/* ---- what they have ---- */

static void grant_all(struct k_thread *thread)
{
	k_thread_access_grant(thread, objects.sem, objects.given, objects.mutex,
			      objects.other_mutex, objects.condvar, objects.event);
	k_thread_access_grant(thread, objects.msgq, objects.full, objects.stack, objects.queue);
	k_thread_access_grant(thread, objects.short_empty, objects.short_full);
	k_thread_access_grant(thread, objects.pipe, objects.empty, objects.timer, objects.signal);
	k_thread_access_grant(thread, objects.spare[0], objects.spare[1], objects.spare[2]);
	k_thread_access_grant(thread, objects.thread, &endpoint, &gate, &served, &served_gate);
	k_thread_access_grant(thread, objects.victim, &sibling, &helper, &go, victim_stack,
			      spare_stack, &saved_mutex);
}

static void give_up_all(void)
{
	const void *const *each = (const void *const *)&objects;
	static const uint8_t kinds[] = {
		K_OBJ_SEM,  K_OBJ_SEM,  K_OBJ_MUTEX, K_OBJ_MUTEX,       K_OBJ_CONDVAR, K_OBJ_EVENT,
		K_OBJ_MSGQ, K_OBJ_MSGQ, K_OBJ_MSGQ,  K_OBJ_MSGQ,        K_OBJ_STACK,   K_OBJ_QUEUE,
		K_OBJ_PIPE, K_OBJ_PIPE, K_OBJ_TIMER, K_OBJ_POLL_SIGNAL, K_OBJ_THREAD,  K_OBJ_THREAD,
		K_OBJ_MSGQ, K_OBJ_MSGQ, K_OBJ_MSGQ};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		k_object_release_(each[i], kinds[i]);
	}
}

static void make_objects(void)
{
	objects = (struct objects){
		.sem = k_object_alloc(K_OBJ_SEM),
		.given = k_object_alloc(K_OBJ_SEM),
		.mutex = k_object_alloc(K_OBJ_MUTEX),
		.other_mutex = k_object_alloc(K_OBJ_MUTEX),
		.condvar = k_object_alloc(K_OBJ_CONDVAR),
		.event = k_object_alloc(K_OBJ_EVENT),
		.msgq = k_object_alloc(K_OBJ_MSGQ),
		.full = k_object_alloc(K_OBJ_MSGQ),
		.short_empty = k_object_alloc(K_OBJ_MSGQ),
		.short_full = k_object_alloc(K_OBJ_MSGQ),
		.stack = k_object_alloc(K_OBJ_STACK),
		.queue = k_object_alloc(K_OBJ_QUEUE),
		.pipe = k_object_alloc(K_OBJ_PIPE),
		.empty = k_object_alloc(K_OBJ_PIPE),
		.timer = k_object_alloc(K_OBJ_TIMER),
		.signal = k_object_alloc(K_OBJ_POLL_SIGNAL),
		.thread = k_object_alloc(K_OBJ_THREAD),
		.victim = k_object_alloc(K_OBJ_THREAD),
	};
	for (int i = 0; i < SPARE; i++) {
		objects.spare[i] = k_object_alloc(K_OBJ_MSGQ);
	}
	(void)k_sem_init(objects.sem, 0, 1);
	(void)k_sem_init(objects.given, 1, 1);
	(void)k_mutex_init(&saved_mutex);
	(void)k_mutex_init(objects.mutex);
	(void)k_mutex_init(objects.other_mutex);
	(void)k_condvar_init(objects.condvar);
	k_event_init(objects.event);
	(void)k_msgq_alloc_init(objects.msgq, 80, 1);
	(void)k_msgq_alloc_init(objects.full, 80, 1);
	(void)k_msgq_put(objects.full, lies, K_NO_WAIT);
	(void)k_msgq_alloc_init(objects.short_empty, 16, 1);
	(void)k_msgq_alloc_init(objects.short_full, 16, 1);
	(void)k_msgq_put(objects.short_full, lies, K_NO_WAIT);
	(void)k_stack_alloc_init(objects.stack, 4);
	k_queue_init(objects.queue);
	k_pipe_init(objects.pipe, NULL, 0);
	k_pipe_init(objects.empty, NULL, 0);
	k_timer_init(objects.timer, NULL, NULL);
	k_poll_signal_init(objects.signal);
	k_ipc_endpoint_init(&endpoint);
	k_ipc_endpoint_init(&served);
	k_ipc_gate_init(&gate, &endpoint, 1);
	k_ipc_gate_init(&served_gate, &served, 2);
}

/* ---- lies ---- */

static uintptr_t decoy(unsigned int i)
{
	return (uintptr_t)&decoys[(i * 5 + 1) % (DECOYS / 2)];
}

static void lie(void)
{
	for (unsigned int i = 0; i < DECOYS; i++) {
		decoys[i] = decoy(i);
	}
	for (unsigned int i = 0; i < LIES; i++) {
		lies[i] = decoy(i);
	}
	memset(&made_up, 0xA5, sizeof(made_up));
	for (size_t i = 0; i < sizeof(made_up) / sizeof(uintptr_t); i++) {
		((uintptr_t *)&made_up)[i] = decoy((unsigned int)i);
	}
	made_up.prio = 12;
	made_up.threshold = 12;
	made_up.base_prio = 12;
	made_up.state = K_THREAD_PENDING;
	made_up.wait_flags = 0;
	made_up.contended = NULL;
}

static bool decoys_hold(void)
{
	for (unsigned int i = 0; i < DECOYS; i++) {
		if (decoys[i] != decoy(i)) {
			return false;
		}
	}
	return true;
}

/* The thread that a call has made is as it was asked for when that was looked at. */
static bool made_holds(void)
{
	unsigned int key = irq_lock();
	const struct k_thread *made = objects.thread;
	const struct object_entry *entry = object_find(made, K_OBJ_THREAD);
	bool holds = entry == NULL || (entry->kind & OBJECT_NOT_READY) != 0 ||
		     (made->stack_start == (char *)spare_stack + ARCH_USER_STACK_RESERVED &&
		      made->base_prio >= 10 && made->stack_size <= STACK &&
		      (made->options & K_USER) != 0);

	irq_unlock(key);
	return holds;
}

void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame)
{
	if (!user_is_running()) {
		k_exit(1);
	}
	refused++;
}

/* If it lives: then its block is there. */
static void end_thread(struct k_thread *thread)
{
	unsigned int key = irq_lock(); /* or it ends, and its entry is free, in between */
	const struct object_entry *entry = object_find(thread, K_OBJ_THREAD);

	if (entry != NULL && (entry->kind & OBJECT_NOT_READY) == 0) {
		k_thread_abort(thread);
	}
	irq_unlock(key);
}

static void run(unsigned int number, unsigned int which)
{
	unsigned int window = which * 1000 + number + 1;

	action = which;
	refused = 0;
	lie();
	make_objects();
	make(objects.victim, victim_stack, victim_main, 10, K_USER, number, window);
	make(&sibling, sibling_stack, sibling_main, 6, K_USER, 0, 0);
	make(&helper, helper_stack, helper_main, 8, K_USER, 0, 0);
	grant_all(objects.victim);
	grant_all(&sibling);
	grant_all(&helper);
	give_up_all();
	(void)k_thread_create(&judge, judge_stack, STACK, judge_main, NULL, NULL, NULL, 4, 0,
			      K_NO_WAIT);
	k_thread_start(&sibling);
	k_thread_start(&helper);
	k_thread_start(objects.victim);
	k_sleep(K_TICKS(8));
	for (unsigned int i = 0; i < DECOYS; i++) {
		if (zeros[i] != 0) { /* while it waits: what it was led to is put back in the end */
			printk("FAIL %s: a word of the kernel's is written\n", case_name(number));
			k_exit(1);
		}
	}
	if (!made_holds()) {
		printk("FAIL %s, whose caller %s: a thread that it may not make\n",
		       case_name(number), action_name(which));
		k_exit(1);
	}
	if (memory_was_used()) {
		printk("FAIL %s, whose caller %s: the kernel used what it has no more\n",
		       case_name(number), action_name(which));
		k_exit(1);
	}
	end_thread(objects.thread);
	end_thread(objects.victim);
	k_thread_abort(&helper);
	k_thread_abort(&sibling);
	k_thread_abort(&judge);
	everywhere_window(0);
	k_sleep(K_TICKS(2));
	(void)k_sem_take(&go, K_NO_WAIT);
	(void)k_sem_take(&judges_go, K_NO_WAIT);
	if (!decoys_hold()) {
		printk("FAIL %s, whose caller %s: a word of the kernel's was written\n",
		       case_name(number), action_name(which));
		k_exit(1);
	}
	if (came != 0 && CONFIG_EVERYWHERE_STEP == 0) {
		k_exit(0);
	}
	if (refused != 0 && which == 0) {
		printk("refused: %s\n", case_name(number));
	}
}

/* What of the calls' time was tried. */
static unsigned int arrivals, possible;

/* Until the call has ended without one, or, as all that follows would, one comes while everybody waits. */
static void run_at_each_unit(unsigned int number, unsigned int which)
{
	units_to_injection = 1 + (number + which) % MAX(CONFIG_EVERYWHERE_STEP, 1);
	/* Bound: the units that a call takes. */
	do {
		came = 0;
		came_to_idle = false;
		run(number, which);
		arrivals += came;
		units_to_injection += CONFIG_EVERYWHERE_STEP;
	} while (came != 0 && !came_to_idle);
	possible += units_to_injection - CONFIG_EVERYWHERE_STEP - 1;
	units_to_injection = 0;
}

static bool is_wanted(unsigned int number)
{
	return !IS_ENABLED(CONFIG_EVERYWHERE_SHORTEST) || case_is_short(number);
}

int main(void)
{
	struct k_mem_partition *parts[] = {&theirs, &buffers};

	(void)k_mem_domain_init(&users_domain, ARRAY_SIZE(parts), parts);
	keeper = k_current_get();
	k_thread_heap_assign(keeper, &pool);
	k_thread_priority_set(k_current_get(), 14);
#ifdef BOARD_SOFT_IRQ
	(void)irq_connect_dynamic(BOARD_SOFT_IRQ, 0, line_isr, NULL, 0);
	irq_enable(BOARD_SOFT_IRQ);
#endif
	inject_start(line_isr);
	for (unsigned int which = 0; which < actions_count(); which++) {
		/* Bound: the cases. */
		for (unsigned int number = 0; number < cases_count(); number++) {
			if (CONFIG_EVERYWHERE_STEP == 0) {
				run(number, which);
			} else if (is_wanted(number)) {
				run_at_each_unit(number, which);
			}
		}
	}
	printk("%u arrivals of %u possible\n", arrivals, possible);
	printk("%u cases, %u actions\nPROJECT EXECUTION SUCCESSFUL\n", cases_count(),
	       actions_count());
	k_exit(0);
}
