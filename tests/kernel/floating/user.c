/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same beside user threads (CONFIG_USERSPACE): user mode keeps what it computes, and finds in the registers what it
 * left there itself, or zeros. Threads and handlers that fill all of them run meanwhile, in either mode.
 */
#include <string.h>
#include <foliot/ipc.h>
#include "test.h"
#include "unit.h"

#define ROUNDS 20

K_APPMEM_PARTITION_DEFINE(shared);
static K_APP_BMEM(shared) volatile unsigned int foreign, lost, readings;
static K_APP_BMEM(shared) volatile bool stop;

static K_THREAD_STACK_DEFINE(stack_1, UNIT_STACK);
static K_THREAD_STACK_DEFINE(stack_2, UNIT_STACK);
static struct k_thread thread_1, thread_2;

static K_THREAD_STACK_DEFINE(filler_stack, UNIT_STACK);
static struct k_thread filler;

static K_SEM_DEFINE(turn, 0, 1);
static K_IPC_ENDPOINT_DEFINE(endpoint);
static K_IPC_GATE_DEFINE(gate, &endpoint, 1);

/* Fill all with words from `pattern` on, call between() (or spin), and look. Any mode. */
static void fill_and_look(uint32_t pattern, void (*between)(void), struct registers *found)
{
	uintptr_t words[UNIT_WORDS];

	for (unsigned int i = 0; i < UNIT_WORDS; i++) {
		words[i] = pattern + i;
	}
	unit_fill_and_look(words, between, found);
}

static unsigned int count_not_zero(const struct registers *found)
{
	unsigned int n = found->status != 0;

	for (unsigned int i = 0; i < UNIT_WORDS; i++) {
		n += found->words[i] != 0;
	}
	return n;
}

/* As long as nobody is called it keeps all; a call may change what a function may, to nothing of others'. */
static void look(const struct registers *found, uint32_t pattern, bool called)
{
	for (unsigned int i = 0; i < UNIT_WORDS; i++) {
		bool is_own = found->words[i] == pattern + i;

		lost += !is_own && (UNIT_KEEPS(i) || !called);
		foreign += !is_own && found->words[i] != 0;
	}
	readings++;
}

static void yield(void)
{
	k_yield();
}

static void sleep_a_tick(void)
{
	k_sleep(K_TICKS(1));
}

static void wait_a_turn(void)
{
	(void)k_sem_take(&turn, K_TICKS(1));
}

static UNIT_LEAVES_ALONE void call(void)
{
	struct k_ipc_message message = {.words = {1, 2, 3, 4}};

	lost += k_ipc_call(&gate, &message, K_FOREVER) != 0 || message.words[0] != 2;
}

/* In user mode, but also in kernel mode: `between` says how it gives the CPU away; NULL: it is taken from it. */
static void keep(void *between, void *first, void *rounds)
{
	struct registers found = {.status = 0};

	for (unsigned int i = 0; i < (unsigned int)(uintptr_t)rounds && !stop; i++) {
		uint32_t pattern = (uint32_t)(uintptr_t)first + i * 64U;

		fill_and_look(pattern, (void (*)(void))between, &found);
		look(&found, pattern, between != NULL);
	}
}

static void read_what_is_there(void *p1, void *p2, void *p3)
{
	struct registers found = {.status = 0};

	unit_read(&found);
	foreign += count_not_zero(&found);
	readings++;
}

static void serve(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.size = 0};
	struct registers found = {.status = 0};
	int result = k_ipc_receive(&endpoint, &message, K_FOREVER);

	while (result == 0) {
		fill_and_look(0x55550000, NULL, &found);
		message.words[0]++;
		result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
}

static void fill_in_handler(struct k_timer *timer)
{
	struct registers found = {.status = 0};

	fill_and_look(0x77770000, NULL, &found);
}

/* A kernel thread that computes all the time, less urgent than all others. */
static void fill_always(void *p1, void *p2, void *p3)
{
	struct registers found = {.status = 0};

	for (;;) {
		fill_and_look(0x33330000, NULL, &found);
		fill_and_look(0x22220000, yield, &found);
	}
}

static struct k_timer timer;

static void others_begin(void)
{
	static bool once;

	if (!once) {
		(void)k_mem_domain_add_partition(&k_mem_domain_default, &shared);
		once = true;
	}
	foreign = 0;
	lost = 0;
	readings = 0;
	stop = false;
	k_timer_init(&timer, fill_in_handler, NULL);
	k_timer_start(&timer, K_TICKS(1), K_TICKS(1));
	(void)k_thread_create(&filler, filler_stack, K_THREAD_STACK_SIZEOF(filler_stack),
			      fill_always, NULL, NULL, NULL, MAIN_PRIO + 4, 0, K_NO_WAIT);
}

static void others_end(void)
{
	k_timer_stop(&timer);
	k_thread_abort(&filler);
	CHECK_EQ(foreign, 0);
	CHECK_EQ(lost, 0);
}

static k_tid_t user_start(struct k_thread *thread, k_thread_stack_t *stack, k_thread_entry_t entry,
			  void *between, uint32_t first, unsigned int rounds, int prio)
{
	k_tid_t tid = k_thread_create(thread, stack, UNIT_STACK, entry, between,
				      (void *)(uintptr_t)first, (void *)(uintptr_t)rounds, prio,
				      K_USER, K_FOREVER);

	k_thread_access_grant(tid, &turn, &endpoint, &gate);
	k_thread_start(tid);
	return tid;
}

TEST(fpu_user_a_new_thread_finds_zeros_whoever_has_computed)
{
	others_begin();
	for (unsigned int i = 0; i < ROUNDS; i++) {
		k_sleep(K_TICKS(1)); /* the others compute */
		user_start(&thread_1, stack_1, read_what_is_there, NULL, 0, 0,
			   MAIN_PRIO + i % 3 - 1);
		CHECK_EQ(k_thread_join(&thread_1, K_FOREVER), 0);
	}
	CHECK_EQ(readings, ROUNDS);
	others_end();
}

TEST(fpu_user_threads_keep_theirs_in_each_kind_of_switch)
{
	void (*const ways[])(void) = {yield, sleep_a_tick, wait_a_turn, NULL};

	others_begin();
	for (unsigned int i = 0; i < ARRAY_SIZE(ways); i++) {
		for (unsigned int j = 0; j < ARRAY_SIZE(ways); j++) {
			user_start(&thread_1, stack_1, keep, (void *)ways[i], 0x11000000, ROUNDS,
				   MAIN_PRIO + 1);
			user_start(&thread_2, stack_2, keep, (void *)ways[j], 0x44000000, ROUNDS,
				   MAIN_PRIO + (int)j % 2);
			CHECK_EQ(k_thread_join(&thread_2, K_FOREVER), 0);
			CHECK_EQ(k_thread_join(&thread_1, K_FOREVER), 0);
		}
	}
	CHECK_EQ(readings, 2 * ROUNDS * ARRAY_SIZE(ways) * ARRAY_SIZE(ways));
	others_end();
}

TEST(fpu_user_threads_keep_theirs_while_they_call_a_server_that_computes)
{
	others_begin();
	user_start(&thread_2, stack_2, serve, NULL, 0, 0, MAIN_PRIO - 1);
	user_start(&thread_1, stack_1, keep, (void *)call, 0x66000000, ROUNDS, MAIN_PRIO - 1);
	CHECK_EQ(k_thread_join(&thread_1, K_FOREVER), 0);
	CHECK_EQ(readings, ROUNDS);
	k_thread_abort(&thread_2);
	others_end();
}

/* calls.c: a system call of the application's that computes; user mode has its own, or nothing. */
int computes(void);

static UNIT_LEAVES_ALONE void call_what_computes(void)
{
	(void)computes();
}

TEST(fpu_user_threads_find_nothing_of_a_system_call_that_computes)
{
	others_begin();
	user_start(&thread_1, stack_1, keep, (void *)call_what_computes, 0x21000000, ROUNDS,
		   MAIN_PRIO - 1);
	CHECK_EQ(k_thread_join(&thread_1, K_FOREVER), 0);
	CHECK_EQ(readings, ROUNDS);
	others_end();
}

/* One that has never computed itself. */
static void call_and_read(void *p1, void *p2, void *p3)
{
	call_what_computes();
	read_what_is_there(NULL, NULL, NULL);
}

TEST(fpu_user_threads_find_nothing_of_a_system_call_that_computes_first)
{
	others_begin();
	for (unsigned int i = 0; i < ROUNDS; i++) {
		user_start(&thread_1, stack_1, call_and_read, NULL, 0, 0, MAIN_PRIO - 1);
		CHECK_EQ(k_thread_join(&thread_1, K_FOREVER), 0);
	}
	CHECK_EQ(readings, ROUNDS);
	others_end();
}

/* In kernel mode it computes, then it goes to user mode. */
static void compute_and_drop(void *p1, void *p2, void *p3)
{
	struct registers found = {.status = 0};

	fill_and_look(0x12120000, NULL, &found);
	k_thread_user_mode_enter(read_what_is_there, NULL, NULL, NULL);
}

TEST(fpu_user_mode_begins_with_zeros_after_kernel_mode_has_computed)
{
	others_begin();
	for (unsigned int i = 0; i < ROUNDS; i++) {
		(void)k_thread_create(&thread_1, stack_1, UNIT_STACK, compute_and_drop, NULL, NULL,
				      NULL, MAIN_PRIO - 1, 0, K_NO_WAIT);
		CHECK_EQ(k_thread_join(&thread_1, K_FOREVER), 0);
	}
	CHECK_EQ(readings, ROUNDS);
	others_end();
}

#ifndef CONFIG_STACK_CANARIES /* as in main.c */
static void fill_and_fault(void *p1, void *p2, void *p3)
{
	uint32_t found; /* too high up in its stack for what is stored, or no place at all */

	fill_and_look(0x13130000, NULL,
		      p1 == NULL ? (struct registers *)UNIT_NOWHERE
				 : (struct registers *)&found + 64);
}

TEST(fpu_user_a_thread_that_faults_or_is_aborted_leaves_nothing)
{
	others_begin();
	for (unsigned int i = 0; i < ROUNDS; i++) {
		user_start(&thread_1, stack_1, fill_and_fault, NULL, 0, 0, MAIN_PRIO - 1);
		CHECK_EQ(k_thread_join(&thread_1, K_FOREVER), 0);
		CHECK_NOTES("f");
		user_start(&thread_2, stack_2, read_what_is_there, NULL, 0, 0, MAIN_PRIO - 1);
		CHECK_EQ(k_thread_join(&thread_2, K_FOREVER), 0);
		user_start(&thread_1, stack_1, keep, (void *)(i % 2 == 0 ? NULL : sleep_a_tick),
			   0x17000000, 1000000, MAIN_PRIO + 1);
		k_sleep(K_TICKS(1));
		k_thread_abort(&thread_1);
		user_start(&thread_2, stack_2, read_what_is_there, NULL, 0, 0, MAIN_PRIO - 1);
		CHECK_EQ(k_thread_join(&thread_2, K_FOREVER), 0);
	}
	others_end();
}

/* Its fault is a message to a handler that computes, and lets it go on behind the store. */
static void handle(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.size = 0};
	struct registers found = {.status = 0};
	int result = k_ipc_receive(&endpoint, &message, K_FOREVER);

	while (result == 0) {
		fill_and_look(0x55550000, sleep_a_tick, &found);
		message.words[K_IPC_FAULT_PC] += 4U;
		message.words[K_IPC_FAULT_KIND] = K_IPC_FAULT_RESUME;
		result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
}

static void store_nowhere(void)
{
	unit_store_nowhere();
}

TEST(fpu_user_a_thread_keeps_theirs_while_its_fault_is_handled)
{
	struct k_thread *handler = &thread_2;

	others_begin();
	(void)k_thread_create(handler, stack_2, UNIT_STACK, handle, NULL, NULL, NULL, MAIN_PRIO - 1,
			      0, K_NO_WAIT);
	(void)k_thread_create(&thread_1, stack_1, UNIT_STACK, keep, (void *)store_nowhere,
			      (void *)0x19000000, (void *)ROUNDS, MAIN_PRIO - 1, K_USER, K_FOREVER);
	CHECK_EQ(k_ipc_fault_gate_set(&thread_1, &gate, K_FOREVER), 0);
	k_thread_start(&thread_1);
	CHECK_EQ(k_thread_join(&thread_1, K_FOREVER), 0);
	CHECK_EQ(readings, ROUNDS);
	k_thread_abort(handler);
	others_end();
	CHECK_NOTES("");
}

#ifdef __arm__ /* whose core pushes a frame */
#define FILLED 64U /* bytes at its stack's beginning */
static K_APP_BMEM(shared) char elsewhere[256] __aligned(32);

/* A frame of the core's that reaches over the stack's end: the thread's fault, and nobody else's. */
static void go_to_the_end(void *end, void *svc, void *filled)
{
	if (filled != NULL) {
		memset(filled, 0xA5, FILLED);
	}
	__asm__ volatile("vmov.f32 s3, #1.0\n\t"
			 "mov r4, sp\n\t"
			 "mov sp, %0\n\t"
			 "cbz %1, 1f\n\t"
			 "blx %1\n\t"
			 "b 2f\n"
			 "1:\tldr r0, =100000\n"
			 "3:\tsubs r0, #1\n\t"
			 "bne 3b\n"
			 "2:\tmov sp, r4"
			 :
			 : "r"(end), "r"(svc)
			 : "r0", "r1", "r2", "r3", "r4", "r12", "lr", "cc", "memory", "s3");
}

TEST(fpu_user_a_frame_beyond_its_stack_ends_the_thread)
{
	others_begin();
	for (unsigned int i = 0; i < 4; i++) {
		char *end = (char *)stack_1 + K_THREAD_STACK_SIZEOF(stack_1) +
			    CONFIG_PRIVILEGED_STACK_SIZE;

		(void)k_thread_create(&thread_1, stack_1, UNIT_STACK, go_to_the_end,
				      end + 8U * (i + 4U), i % 2 == 0 ? (void *)yield : NULL, NULL,
				      MAIN_PRIO - 1, K_USER, K_NO_WAIT);
		CHECK_EQ(k_thread_join(&thread_1, K_FOREVER), 0);
		CHECK_NOTES("f");
	}
	others_end();
}

/* The kernel is on the stack of its system calls then, and nowhere else. */
TEST(fpu_user_a_system_call_from_another_stack_ends_the_thread)
{
	unsigned char *start = (unsigned char *)stack_1 + CONFIG_PRIVILEGED_STACK_SIZE;
	unsigned int changed = 0;

	others_begin();
	(void)k_thread_create(&thread_1, stack_1, UNIT_STACK, go_to_the_end,
			      elsewhere + sizeof(elsewhere), (void *)yield, start, MAIN_PRIO - 1,
			      K_USER, K_NO_WAIT);
	CHECK_EQ(k_thread_join(&thread_1, K_FOREVER), 0);
	CHECK_NOTES("f");
	for (unsigned int i = 0; i < FILLED; i++) {
		changed += start[i] != 0xA5;
	}
	CHECK_EQ(changed, 0);
	user_start(&thread_2, stack_2, read_what_is_there, NULL, 0, 0, MAIN_PRIO - 1);
	CHECK_EQ(k_thread_join(&thread_2, K_FOREVER), 0);
	others_end();
}
#endif
#endif
