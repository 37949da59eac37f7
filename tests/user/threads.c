/* SPDX-License-Identifier: Apache-2.0 */
/* User threads' lives: how they begin and end, and what they may do to others. */
#include "kernel/access/object_rights.h"
#include "kernel/syscall/verify.h" /* the words of a creation */
#include "lib/string.h"
#include "user.h"

static void looks(void *p1, void *p2, void *p3)
{
	seen[0] = (intptr_t)p1;
	seen[1] = (intptr_t)p2;
	seen[2] = (intptr_t)p3;
	seen[3] = k_is_user_context();
	seen[4] = (intptr_t)k_current_get();
}

TEST(user_a_thread_begins_with_its_arguments_in_user_mode)
{
	CHECK(!k_is_user_context());
	CHECK(user_run(looks, (void *)1, (void *)2, (void *)3));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 2);
	CHECK_EQ(seen[2], 3);
	CHECK_EQ(seen[3], 1);
	CHECK_EQ(seen[4], (intptr_t)&user_thread);
}

static void enters(void *p1, void *p2, void *p3)
{
	CHECK(!k_is_user_context());
	k_thread_user_mode_enter(looks, p1, p2, p3);
}

/* Its end as a user thread would else be the system's. */
TEST(user_who_becomes_a_user_thread_is_no_longer_essential)
{
	(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, enters, NULL, NULL, NULL,
			      USER_PRIO, K_ESSENTIAL, K_FOREVER);
	CHECK(user_run(looks, NULL, NULL, NULL));
	(void)k_mem_domain_add_thread(user_thread.user.domain, &other_thread);
	fatal_count = 0;
	k_thread_start(&other_thread);
	CHECK_EQ(k_thread_join(&other_thread, K_FOREVER), 0);
	CHECK_EQ(fatal_count, 0);
}

TEST(user_a_kernel_thread_becomes_a_user_thread)
{
	struct k_mem_domain *domain;

	CHECK(user_run(looks, NULL, NULL, NULL));
	domain = user_thread.user.domain;
	(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, enters, (void *)4,
			      (void *)5, (void *)6, USER_PRIO, 0, K_FOREVER);
	(void)k_mem_domain_add_thread(domain, &other_thread);
	k_thread_start(&other_thread);
	CHECK_EQ(k_thread_join(&other_thread, K_FOREVER), 0);
	CHECK_EQ(seen[0], 4);
	CHECK_EQ(seen[2], 6);
	CHECK_EQ(seen[3], 1);
	CHECK_EQ(seen[4], (intptr_t)&other_thread);
	CHECK_EQ(fatal_count, 0);
}

static void writes_a_word(void *p1, void *p2, void *p3)
{
	*(volatile unsigned int *)p1 = 1;
}

K_TIMER_DEFINE(reports_tick, NULL, NULL);

/* As long as its console takes, others go on; and a line that they cut off comes anew. */
TEST(user_who_reports_a_fault_holds_nobody_up)
{
	const unsigned int parts = 40;
	bool is_met = false;

	/* Where a report is shorter than a tick, one of these is under way at a tick. */
	for (unsigned int part = 0; part < parts && !is_met; part++) {
		k_thread_priority_set(user_prepare(writes_a_word, &fatal_reason, NULL, NULL),
				      USER_PRIO + 1);
		(void)k_sleep(K_TICKS(1));
		k_busy_wait(1000000U / CONFIG_SYS_CLOCK_TICKS_PER_SEC * part / parts);
		k_timer_start(&reports_tick, K_TICKS(1), K_NO_WAIT); /* the next */
		k_thread_start(&user_thread);
		(void)k_timer_status_sync(&reports_tick);
		if (k_thread_join(&user_thread, K_NO_WAIT) != 0) {
			printk("in its midst\n");
			is_met = true;
		}
		CHECK_EQ(k_thread_join(&user_thread, K_FOREVER), 0);
		CHECK_EQ(fatal_count, 1);
	}
	CHECK(is_met);
}

K_KERNEL_STACK_DEFINE(kernel_stack, USER_STACK_SIZE);

TEST(user_a_kernel_stack_is_no_user_threads)
{
	CHECK(k_thread_create(&other_thread, kernel_stack, K_KERNEL_STACK_SIZEOF(kernel_stack),
			      looks, NULL, NULL, NULL, USER_PRIO, K_USER, K_NO_WAIT) == NULL);
	/* Nor is it made known as one. */
	(void)user_prepare(looks, NULL, NULL, NULL);
	CHECK_EQ(k_object_grant_(kernel_stack, K_OBJ_THREAD_STACK_ELEMENT, sizeof(kernel_stack),
				 &user_thread),
		 -EINVAL);
	k_thread_abort(&user_thread);
	/* Nor becomes a thread that lives on one a user's. */
	fatal_count = 0;
	seen[0] = 0;
	fatal_is_expected = true;
	(void)k_thread_create(&other_thread, kernel_stack, K_KERNEL_STACK_SIZEOF(kernel_stack),
			      enters, (void *)4, NULL, NULL, USER_PRIO, 0, K_NO_WAIT);
	CHECK_EQ(k_thread_join(&other_thread, K_FOREVER), 0);
	fatal_is_expected = false;
	CHECK_EQ(fatal_count, 1);
	CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	CHECK_EQ(seen[0], 0);
}

/* Interrupts of user mode, and threads between, leave its registers and its mode alone. */
static void spins(void *p1, void *p2, void *p3)
{
	int64_t start = k_uptime_ticks();
	uintptr_t x = 1;

	while (k_uptime_ticks() - start < 30) {
		for (volatile int i = 0; i < 50; i++) {
			x = x * 3 + 1;
		}
		seen[0]++;
	}
	seen[1] = x != 0;
	seen[3] = k_is_user_context();
}

static void wakes_often(void *arg)
{
	for (int i = 0; i < 20; i++) {
		k_sleep(K_TICKS(1));
		(*(int *)arg)++;
	}
}

TEST(user_mode_is_interrupted_and_preempted)
{
	int rounds = 0;

	(void)start(wakes_often, &rounds, USER_PRIO - 2);
	CHECK(user_run(spins, NULL, NULL, NULL));
	CHECK(rounds > 2);
	CHECK(seen[0] > 10);
	CHECK_EQ(seen[3], 1);
}

/* Behind a call, and without another one: how it came back is how it goes on. */
static void spins_behind_a_call(void *p1, void *p2, void *p3)
{
	seen[0] = k_thread_priority_get(&user_thread);
	for (unsigned int i = 0; i < 20000000U && seen[2] == 0; i++) {
	}
	seen[1] = seen[2];
}

static void tells_it_soon(void *arg)
{
	k_sleep(K_TICKS(2));
	seen[2] = 1;
}

TEST(user_mode_is_interrupted_behind_a_call)
{
	(void)user_prepare(spins_behind_a_call, NULL, NULL, NULL);
	(void)start(tells_it_soon, NULL, USER_PRIO - 2);
	CHECK(user_finish());
	CHECK_EQ(seen[0], USER_PRIO);
	CHECK_EQ(seen[1], 1);
}

static void oops(void *p1, void *p2, void *p3)
{
	k_oops();
	seen[0] = 1;
}

static void panics(void *p1, void *p2, void *p3)
{
	k_panic();
	seen[0] = 1;
}

TEST(user_an_oops_and_a_panic_of_a_user_end_that_thread)
{
	CHECK(!user_run(oops, NULL, NULL, NULL));
	CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	CHECK(!user_run(panics, NULL, NULL, NULL));
	CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	CHECK_EQ(seen[0], 0);
}

static void sleeps(void *p1, void *p2, void *p3)
{
	int64_t before = k_uptime_ticks();

	seen[0] = k_sleep(K_TICKS(2));
	seen[1] = (intptr_t)(k_uptime_ticks() - before);
	k_yield();
	seen[2] = k_usleep(1);
	seen[3] = k_uptime_get() > 0 || k_uptime_get_32() == 0;
}

TEST(user_sleeping_takes_time)
{
	CHECK(user_run(sleeps, NULL, NULL, NULL));
	CHECK_EQ(seen[0], 0);
	CHECK(seen[1] >= 2);
	CHECK_EQ(seen[3], 1);
}

static void child(void *p1, void *p2, void *p3)
{
	*(volatile intptr_t *)p1 = (intptr_t)p2;
}

static void creates(void *p1, void *p2, void *p3)
{
	k_tid_t thread = k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, child,
					 (void *)(uintptr_t)&seen[1], (void *)7, NULL, USER_PRIO,
					 K_USER, K_NO_WAIT);

	seen[0] = (intptr_t)thread;
	seen[2] = k_thread_join(&other_thread, K_FOREVER);
}

TEST(user_a_thread_creates_another_and_joins_it)
{
	k_thread_abort(&other_thread);
	k_thread_access_grant(user_prepare(creates, NULL, NULL, NULL), &other_thread, other_stack);
	CHECK(user_finish());
	CHECK_EQ(seen[0], (intptr_t)&other_thread);
	CHECK_EQ(seen[1], 7);
	CHECK_EQ(seen[2], 0);
}

/* A stack is named by a pointer to its array, too: its size is the array's all the same. */
TEST(user_a_stack_is_named_by_its_address)
{
	static K_THREAD_STACK_ARRAY_DEFINE(stacks, 2, USER_STACK_SIZE);
	size_t named = K_OBJECT_SIZE_(&stacks[1]);

	CHECK_EQ(named, K_OBJECT_SIZE_(stacks[1]));
	CHECK_EQ(K_OBJECT_KIND_(&stacks[1]), K_OBJ_THREAD_STACK_ELEMENT);
	CHECK_EQ(k_object_access_grant(&stacks[1], &user_thread), 0);
	CHECK(user_usable_stack(stacks[1], USER_STACK_SIZE) == NULL); /* not ours */
	CHECK_EQ(k_object_access_grant(&stacks[1], k_current_get()), 0);
	CHECK(user_usable_stack(stacks[1], USER_STACK_SIZE) != NULL);
	CHECK(user_usable_stack(stacks[1], named) == NULL);
	k_object_free(stacks[1]);
	k_thread_abort(&other_thread);
	k_object_free(other_stack); /* so that it is new to the kernel */
	k_thread_access_grant(user_prepare(creates, NULL, NULL, NULL), &other_thread, &other_stack);
	CHECK(user_finish());
	CHECK_EQ(seen[0], (intptr_t)&other_thread);
	CHECK_EQ(seen[2], 0);
}

/* What a creation's words may be packed in: any memory that the thread may read, aligned or not, and no other. */
static K_APP_BMEM(shared) struct thread_create_args packed;

static void packs(struct thread_create_args *args, k_timeout_t delay)
{
	*args = (struct thread_create_args){
		.thread = &other_thread,
		.stack = other_stack,
		.size = USER_STACK_SIZE,
		.begins = {child, (void *)(uintptr_t)&seen[1], (void *)7, NULL},
		.prio = USER_PRIO,
		.options = K_USER,
		.delay = delay,
	};
}

static void creates_from(void *place, void *p2, void *p3)
{
	char room[sizeof(struct thread_create_args) + sizeof(uintptr_t)];
	struct thread_create_args args;

	packs(&args, K_TICKS(2));
	packs(&packed, K_NO_WAIT);
	memcpy(room + 1, &args, sizeof(args));
	seen[2] = 1;
	(void)user_thread_create_packed(place == NULL ? (void *)(room + 1) : place);
	(void)k_thread_join(&other_thread, K_FOREVER);
	seen[3] = 1;
}

static bool creates_by_words_at(const void *place)
{
	k_thread_abort(&other_thread);
	k_thread_access_grant(user_prepare(creates_from, (void *)(uintptr_t)place, NULL, NULL),
			      &other_thread, other_stack);
	return user_finish() && seen[1] == 7 && seen[3] == 1;
}

TEST(user_the_words_of_a_creation_are_read_where_the_thread_may)
{
	const char *end = user_thread.stack_start + user_thread.stack_size;

	CHECK(creates_by_words_at(NULL));
	CHECK(creates_by_words_at(&packed));
	CHECK_EQ(seen[2], 1);
	CHECK(!creates_by_words_at(end - sizeof(uintptr_t)));
	CHECK(!creates_by_words_at(user_thread.stack_start - sizeof(uintptr_t)));
	CHECK(!creates_by_words_at(&user_thread));
	CHECK(!creates_by_words_at((void *)(UINTPTR_MAX - sizeof(uintptr_t) + 1U)));
	CHECK_EQ(seen[2], 1);
	CHECK_EQ(seen[3], 0);
}

/* ---- what is refused ---- */

static void creates_with(void *prio, void *options, void *size)
{
	seen[0] = 1;
	(void)k_thread_create(&other_thread, other_stack, (size_t)size, child, NULL, NULL, NULL,
			      (int)(intptr_t)prio, (uint32_t)(uintptr_t)options, K_NO_WAIT);
	seen[1] = 1;
}

#define OF_BLOCK 1U
#define OF_STACK 2U
#define OF_BOTH  (OF_BLOCK | OF_STACK)

static void create_is_refused(int prio, uint32_t options, size_t size, unsigned int granted)
{
	k_tid_t thread = user_prepare(creates_with, (void *)(intptr_t)prio,
				      (void *)(uintptr_t)options, (void *)size);

	if ((granted & OF_BLOCK) != 0) {
		CHECK_EQ(k_object_access_grant(&other_thread, thread), 0);
	}
	if ((granted & OF_STACK) != 0) {
		k_thread_access_grant(thread, other_stack);
	}
	CHECK(!user_finish());
	CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 0);
}

TEST(user_what_thread_a_user_may_not_create)
{
	create_is_refused(USER_PRIO, 0, USER_STACK_SIZE, OF_BOTH); /* a kernel thread */
	create_is_refused(USER_PRIO, K_USER | K_ESSENTIAL, USER_STACK_SIZE, OF_BOTH);
	create_is_refused(USER_PRIO - 1, K_USER, USER_STACK_SIZE, OF_BOTH);
	create_is_refused(K_LOWEST_THREAD_PRIO, K_USER, USER_STACK_SIZE, OF_BOTH);
	create_is_refused(USER_PRIO, K_USER, USER_STACK_SIZE + 16, OF_BOTH);
	create_is_refused(USER_PRIO, K_USER, SIZE_MAX, OF_BOTH);
	create_is_refused(USER_PRIO, K_USER, MIN(16U, ARCH_STACK_MIN - 1U), OF_BOTH);
	create_is_refused(USER_PRIO, K_USER, ARCH_STACK_MIN - 16, OF_BOTH);
	/* Both are known by now, and of one of them, or both, it has no right. */
	create_is_refused(USER_PRIO, K_USER, USER_STACK_SIZE, OF_BLOCK);
	create_is_refused(USER_PRIO, K_USER, USER_STACK_SIZE, OF_STACK);
	create_is_refused(USER_PRIO, K_USER, USER_STACK_SIZE, 0);
}

static void creates_on_own_stack(void *p1, void *p2, void *p3)
{
	(void)k_thread_create(&other_thread, user_stack, USER_STACK_SIZE, child, NULL, NULL, NULL,
			      USER_PRIO, K_USER, K_NO_WAIT);
	seen[1] = 1;
}

static void creates_over_itself(void *p1, void *p2, void *p3)
{
	(void)k_thread_create(&user_thread, other_stack, USER_STACK_SIZE, child, NULL, NULL, NULL,
			      USER_PRIO, K_USER, K_NO_WAIT);
	seen[1] = 1;
}

TEST(user_a_stack_or_a_block_in_use_is_nobody_elses)
{
	k_thread_access_grant(user_prepare(creates_on_own_stack, NULL, NULL, NULL), &other_thread,
			      user_stack);
	CHECK(!user_finish());
	k_thread_access_grant(user_prepare(creates_over_itself, NULL, NULL, NULL), other_stack);
	CHECK(!user_finish());
	CHECK_EQ(seen[1], 0);
}

static void raises_itself(void *prio, void *p2, void *p3)
{
	k_thread_priority_set(k_current_get(), USER_PRIO + 1);
	seen[0] = k_thread_priority_get(k_current_get());
	k_thread_priority_set(k_current_get(), (int)(intptr_t)prio);
	seen[1] = 1;
}

TEST(user_a_thread_lowers_itself_and_does_not_rise)
{
	CHECK(!user_run(raises_itself, (void *)USER_PRIO, NULL, NULL));
	CHECK_EQ(seen[0], USER_PRIO + 1);
	CHECK(!user_run(raises_itself, (void *)-16, NULL, NULL));
	CHECK(!user_run(raises_itself, (void *)127, NULL, NULL));
	CHECK(!user_run(raises_itself, (void *)(intptr_t)K_LOWEST_THREAD_PRIO, NULL, NULL));
	CHECK_EQ(seen[1], 0);
}

static void waits(void *arg)
{
	k_sleep(K_FOREVER);
}

#ifdef CONFIG_SCHED_DEADLINE
/* All of the register is the caller's: a user's program is not bound to what its upper half should be. */
static void sets_a_deadline(void *thread, void *cycles, void *p3)
{
	void (*volatile set)(k_tid_t, void *) = (void (*)(k_tid_t, void *))(
		void (*)(void))k_thread_deadline_set;

	set(thread, cycles);
	seen[0]++;
	k_thread_absolute_deadline_set(thread, 0);
	seen[1]++;
	k_reschedule();
}

TEST(user_deadline_ahead_only_and_of_threads_it_may_use)
{
	k_tid_t other = start(waits, NULL, MAIN_PRIO + 1);

	CHECK(!user_run(sets_a_deadline, other, (void *)1, NULL));
	CHECK_EQ(seen[0], 0);
	k_thread_access_grant(user_prepare(sets_a_deadline, other, (void *)1, NULL), other);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 1);
	k_thread_access_grant(user_prepare(sets_a_deadline, other, (void *)0, NULL), other);
	CHECK(!user_finish());
	k_thread_access_grant(user_prepare(sets_a_deadline, other, (void *)-1, NULL), other);
	CHECK(!user_finish());
	k_thread_access_grant(
		user_prepare(sets_a_deadline, other, (void *)(uintptr_t)0xffffffffU, NULL), other);
	CHECK(!user_finish());
	CHECK_EQ(seen[0], 0);
	CHECK(!user_run(sets_a_deadline, NULL, (void *)1, NULL));
	k_thread_abort(other);
	/* That it has ended is no violation. */
	k_thread_access_grant(user_prepare(sets_a_deadline, other, (void *)1, NULL), other);
	CHECK(user_finish());
	CHECK_EQ(seen[1], 1);
}
#endif

static void aborts(void *thread, void *p2, void *p3)
{
	k_thread_abort(thread);
	seen[0] = 1;
}

TEST(user_threads_are_aborted_only_by_whom_may)
{
	k_tid_t victim = start(waits, NULL, MAIN_PRIO - 1);

	CHECK(!user_run(aborts, victim, NULL, NULL));
	CHECK_EQ(k_thread_join(victim, K_NO_WAIT), -EBUSY);
	k_thread_access_grant(user_prepare(aborts, victim, NULL, NULL), victim);
	CHECK(user_finish());
	CHECK_EQ(k_thread_join(victim, K_NO_WAIT), 0);
	/* That it has ended is no violation: it might have, at any time. */
	k_thread_access_grant(user_prepare(aborts, victim, NULL, NULL), victim);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 1);
	k_object_free(victim);
}

/* ---- threads that others stop, and let go on ---- */

static volatile unsigned int counted;

static void counts(void *p1, void *p2, void *p3)
{
	/* Bound: until the test ends it. */
	for (;;) {
		counted++;
		k_sleep(K_TICKS(1));
	}
}

static bool counts_on(void)
{
	unsigned int before = counted;

	k_sleep(K_TICKS(4));
	return counted != before;
}

static void starts(void *thread, void *p2, void *p3)
{
	k_thread_start(thread);
	seen[0] = 1;
}

static void suspends(void *thread, void *p2, void *p3)
{
	k_thread_suspend(thread);
	seen[0] = 1;
}

static void resumes(void *thread, void *p2, void *p3)
{
	k_thread_resume(thread);
	seen[0] = 1;
}

/* Does it nothing, and ends who calls it, without a right; and with one what it is for? */
static void only_with_a_right(k_thread_entry_t call, k_tid_t thread, bool is_running)
{
	CHECK(!user_run(call, thread, NULL, NULL));
	CHECK_EQ(seen[0], 0);
	CHECK(counts_on() != is_running);
	k_thread_access_grant(user_prepare(call, thread, NULL, NULL), thread);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 1);
	CHECK(counts_on() == is_running);
}

TEST(user_threads_are_started_and_suspended_only_by_whom_may)
{
	const k_thread_entry_t calls[] = {starts, suspends, resumes};
	k_tid_t thread;

	k_thread_abort(&other_thread);
	thread = k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, counts, NULL, NULL,
				 NULL, USER_PRIO - 1, 0, K_FOREVER);
	only_with_a_right(starts, thread, true);
	only_with_a_right(suspends, thread, false);
	only_with_a_right(resumes, thread, true);
	k_thread_abort(thread);
	/* Bound: the calls. That it has ended is no violation: it might have, at any time. */
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		k_thread_access_grant(user_prepare(calls[i], thread, NULL, NULL), thread);
		CHECK(user_finish());
		CHECK_EQ(seen[0], 1);
		CHECK(!counts_on());
	}
}
