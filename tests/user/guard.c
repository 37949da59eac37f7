/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With CONFIG_STACK_GUARD: the stack of system calls overflows, in each of the ways that it can; that
 * ends its thread, and nobody else notices. (Without, nothing lies between that stack and others.)
 */
#include "own_calls.h"
#include "user.h"

/* At the low end: the tag, what aligns the guard, the guard. */
#ifdef CONFIG_STACK_GUARD_PAGES
#define UNUSABLE (2 * (int)ARCH_PAGE)
#else
#define UNUSABLE (2 * CONFIG_STACK_GUARD_SIZE)
#endif
#define IS_FAR (ARCH_USER_STACK_RESERVED - 250) /* bytes left: room for anything */

static void calls_deep(void *left, void *then, void *p3)
{
	seen[0] = 1;
	(void)own_deep((int)(intptr_t)left, (enum own_bottom)(intptr_t)then);
	seen[1] = 1;
}

static void prepare_call(int left, enum own_bottom then)
{
	(void)user_prepare(calls_deep, (void *)(intptr_t)left, (void *)(intptr_t)then, NULL);
}

/* Another one than user_prepare()'s: its domain is the default one, with `seen` for as long as it runs. */
static bool runs_on(k_thread_stack_t *stack, size_t size, k_thread_entry_t entry, int left,
		    uint32_t options)
{
	bool by_itself;

	(void)user_prepare(entry, NULL, NULL, NULL);
	k_thread_abort(&user_thread);
	(void)k_thread_create(&user_thread, stack, size, entry, (void *)(intptr_t)left,
			      (void *)OWN_RETURNS, NULL, USER_PRIO, options, K_FOREVER);
	CHECK_EQ(k_mem_domain_add_partition(&k_mem_domain_default, &shared), 0);
	by_itself = user_finish();
	CHECK_EQ(k_mem_domain_remove_partition(&k_mem_domain_default, &shared), 0);
	return by_itself;
}

static void its_stack_is_as_good_as_before(void)
{
	prepare_call(IS_FAR, OWN_RETURNS);
	CHECK(user_finish());
	CHECK_EQ(seen[1], 1);
}

static void ended_by_its_guard(void)
{
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(fatal_count, 1);
	CHECK_EQ(fatal_reason, K_ERR_STACK_CHK_FAIL);
	its_stack_is_as_good_as_before();
}

TEST(guard_is_out_of_the_way_of_calls_that_are_not_deep)
{
	its_stack_is_as_good_as_before();
	prepare_call(IS_FAR, OWN_SWITCHES);
	CHECK(user_finish());
}

TEST(guard_ends_a_thread_that_overflows_in_a_system_call)
{
	prepare_call(0, OWN_RETURNS);
	CHECK(!user_finish());
	ended_by_its_guard();
}

/* A kernel thread that is there meanwhile. */
static void beside(k_thread_entry_t entry, void *arg, int prio)
{
	(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, entry, arg, NULL, NULL,
			      prio, 0, K_NO_WAIT);
}

/*
 * From so little room that a call has none, up to enough. Somewhere between lies where the call succeeds and
 * the switch's frame has none.
 */
static void at_each_distance(enum own_bottom then, k_thread_entry_t other, int other_prio)
{
	bool first = true;
	bool last = true;

	/* Bound: 12 with registers of 32 bits, whose frames take half as much as those of 64. */
	for (int room = 0; room < 3 * (int)sizeof(uintptr_t) * 28; room += 28) {
		prepare_call(UNUSABLE + room, then);
		beside(other, NULL, other_prio);
		last = !user_finish();
		CHECK_EQ(k_thread_join(&other_thread, K_FOREVER), 0);
		CHECK_EQ(seen[2], 1);
		CHECK_EQ(seen[1], last ? 0 : 1);
		CHECK(!last || fatal_reason == K_ERR_STACK_CHK_FAIL);
		first = first && (room != 0 || last);
	}
	CHECK(first);
	CHECK(!last);
	its_stack_is_as_good_as_before();
}

/* With size before speed k_yield() has a frame of its own, masked: an overflow in there ends the run, as it has to. */
#ifndef CONFIG_SIZE_OPTIMIZATIONS
static void does_little(void *p1, void *p2, void *p3)
{
	seen[2]++;
}

TEST(guard_ends_a_thread_that_has_no_room_to_be_switched_from)
{
	at_each_distance(OWN_SWITCHES, does_little, USER_PRIO);
}
#endif

static void comes_in_between(void *aborted, void *p2, void *p3)
{
	k_sleep(K_TICKS(2));
	seen[2]++;
	seen[3] = own_is_at_bottom;
	if (aborted != NULL) {
		k_thread_abort(aborted);
	}
	own_is_at_bottom = false;
}

TEST(guard_ends_a_thread_that_has_no_room_to_be_interrupted)
{
	at_each_distance(OWN_IS_PREEMPTED, comes_in_between, USER_PRIO - 1);
}

static void becomes_a_user(void *left, void *then, void *p3)
{
	k_thread_user_mode_enter(calls_deep, left, then, p3);
}

TEST(guard_is_that_of_a_thread_that_became_a_users)
{
	CHECK(!runs_on(user_stack, USER_STACK_SIZE, becomes_a_user, 0, 0));
	ended_by_its_guard();
	CHECK(runs_on(user_stack, USER_STACK_SIZE, becomes_a_user, IS_FAR, 0));
}

TEST(guard_is_a_kernel_threads_too_that_has_such_a_stack)
{
	fatal_is_expected = true;
	CHECK(!runs_on(user_stack, USER_STACK_SIZE, calls_deep, 0, 0));
	fatal_is_expected = false;
	ended_by_its_guard();
}

TEST(guard_of_a_stack_that_is_freed_goes_to_who_lives_there_next)
{
	/* Bound: four. */
	for (int i = 0; i < 4; i++) {
		k_thread_stack_t *stack = k_thread_stack_alloc(512, K_USER);
		bool overflows = i % 2 == 0;

		CHECK(stack != NULL);
		CHECK_EQ(runs_on(stack, 512, calls_deep, overflows ? 0 : IS_FAR, K_USER),
			 !overflows);
		CHECK_EQ(k_thread_stack_free(stack), 0);
	}
}

/* Its guard is the one that is loaded, whoever ends it. */
TEST(guard_of_a_thread_that_is_aborted_in_a_system_call_harms_nobody)
{
	prepare_call(IS_FAR, OWN_IS_PREEMPTED);
	beside(comes_in_between, &user_thread, USER_PRIO - 1);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[3], 1);
	CHECK_EQ(k_thread_join(&other_thread, K_FOREVER), 0);
	its_stack_is_as_good_as_before();
}

/* A stack pointer of its own choice is no overflow, wherever its memory lies: as those of coroutines do. */
static K_APP_BMEM(shared) char elsewhere[512] __aligned(16);

static void spins_elsewhere(void *p1, void *p2, void *p3)
{
	seen[0] = 1;
#if defined(__riscv)
	__asm__ volatile(
		"mv s1, sp\n\tmv sp, %0\n1:\tlw t0, 0(%1)\n\tbeqz t0, 1b\n\tmv sp, s1" ::"r"(
			elsewhere + sizeof(elsewhere)),
		"r"(&seen[2])
		: "s1", "t0", "memory");
#elif defined(__aarch64__)
	__asm__ volatile(
		"mov x19, sp\n\tmov sp, %0\n1:\tldr x20, [%1]\n\tcbz x20, 1b\n\tmov sp, x19" ::"r"(
			elsewhere + sizeof(elsewhere)),
		"r"(&seen[2])
		: "x19", "x20", "memory");
#elif defined(__x86_64__)
	__asm__ volatile(
		"mov %%rsp, %%r12\n\tmov %0, %%rsp\n1:\tcmpq $0, (%1)\n\tje 1b\n\tmov %%r12, %%rsp" ::
			"r"(elsewhere + sizeof(elsewhere)),
		"r"(&seen[2])
		: "r12", "cc", "memory");
#else
	__asm__ volatile(
		"mov r4, sp\n\tmov sp, %0\n1:\tldr r5, [%1]\n\tcmp r5, #0\n\tbeq 1b\n\tmov sp, r4" ::
			"r"(elsewhere + sizeof(elsewhere)),
		"r"(&seen[2])
		: "r4", "r5", "cc", "memory");
#endif
	seen[1] = 1;
}

/* ARMv8-M's guard is a limit, which ends who goes below it. */
#ifdef CONFIG_CORTEX_M_PSPLIM
#define MINDS true
#else
#define MINDS false
#endif

TEST(guard_does_not_mind_where_a_users_stack_pointer_is)
{
	(void)user_prepare(spins_elsewhere, NULL, NULL, NULL);
	beside(comes_in_between, NULL, USER_PRIO - 1);
	CHECK_EQ(user_finish(), !MINDS);
	CHECK_EQ(seen[1], MINDS ? 0 : 1);
	CHECK_EQ(k_thread_join(&other_thread, K_FOREVER), 0);
}

static void names_a_semaphore(void *object, void *p2, void *p3)
{
	seen[0] = 1;
	k_sem_give(object);
	seen[1] = 1;
}

static void names_a_thread(void *object, void *p2, void *p3)
{
	seen[0] = 1;
	k_thread_abort(object);
	seen[1] = 1;
}

/* What stands there is read (object_index_at()), by a call in short and by one that is looked at at length. */
TEST(guard_that_is_named_as_an_object_is_none)
{
	const uintptr_t step = UNUSABLE / 32;
	uintptr_t start = (uintptr_t)user_stack - 2 * step;

	for (uintptr_t at = start; at < start + UNUSABLE + 4 * step; at += step) {
		CHECK(!user_run(names_a_semaphore, (void *)at, NULL, NULL));
		CHECK(seen[0] == 1 && seen[1] == 0);
		CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
		CHECK(!user_run(names_a_thread, (void *)at, NULL, NULL));
		CHECK(seen[0] == 1 && seen[1] == 0);
		CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	}
}
