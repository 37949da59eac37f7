/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of user threads as messages: who mends them, what the thread has of it, and every end that is none. */
#include "users.h"

#define FAULT_BADGE  55U
#define KERNELS_PRIO (MAIN_PRIO - 3)

int registers_spin(unsigned long seed, volatile uint32_t *stop); /* arch/.../tests/registers.S */

K_APPMEM_PARTITION_DEFINE(late_memory);
static K_APP_BMEM(late_memory) volatile uint32_t late_word;
K_APPMEM_PARTITION_DECLARE(client_memory);

K_IPC_ENDPOINT_DEFINE(faults_arrive);
K_IPC_GATE_DEFINE(fault_gate, &faults_arrive, FAULT_BADGE);

static struct k_thread handler;
static K_THREAD_STACK_DEFINE(handler_stack, 1024);
static struct k_ipc_message found; /* what came last */
static unsigned int came;

enum { MENDS, LEADS_ELSEWHERE, REFUSES, ENDS, SLEEPS, LEADS_NOWHERE };

#define NOT_CANONICAL ((uintptr_t)1 << (sizeof(uintptr_t) * 6)) /* x86-64: no address */

static void goes_on_here(void)
{
	clients.word = 77;
	clients.is_done = true;
	k_thread_abort(k_current_get());
}

static void handles(void *how, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};

	CHECK_EQ(k_ipc_receive(&faults_arrive, &message, K_FOREVER), 0);
	for (;;) {
		found = message;
		came++;
		message.words[K_IPC_FAULT_KIND] = K_IPC_FAULT_RESUME;
		switch ((intptr_t)how) {
		case MENDS:
			CHECK_EQ(k_mem_domain_add_partition(&client_domain, &late_memory), 0);
			break;
		case LEADS_ELSEWHERE:
			message.words[K_IPC_FAULT_PC] = (uintptr_t)goes_on_here;
			break;
		case REFUSES:
			message.words[K_IPC_FAULT_KIND] = 3;
			break;
		case ENDS:
			return;
		case LEADS_NOWHERE:
			message.words[K_IPC_FAULT_PC] = NOT_CANONICAL;
			how = (void *)(uintptr_t)REFUSES;
			break;
		default:
			k_sleep(K_FOREVER);
			break;
		}
		CHECK_EQ(k_ipc_reply_receive(&faults_arrive, &message, K_FOREVER), 0);
	}
}

static void start_handler(intptr_t how)
{
	begin();
	k_ipc_endpoint_init(&faults_arrive);
	came = 0;
	(void)k_thread_create(&handler, handler_stack, K_THREAD_STACK_SIZEOF(handler_stack),
			      handles, (void *)how, NULL, NULL, KERNELS_PRIO, 0, K_NO_WAIT);
}

/* Runs the client, not yet started, until it has ended or waits for ever. */
static void run_client(k_timeout_t timeout)
{
	CHECK_EQ(k_ipc_fault_gate_set(&client, &fault_gate, timeout), 0);
	k_thread_start(&client);
	k_sleep(K_TICKS(10));
}

static void finish(void)
{
	k_thread_abort(&client);
	k_thread_abort(&handler);
	(void)k_mem_domain_remove_partition(&client_domain, &late_memory);
}

static void spins(void *word, void *unused_2, void *unused_3)
{
	clients.result = registers_spin(0x5a000000UL, word);
	clients.is_done = true;
}

TEST(ipc_fault_that_is_mended_leaves_every_register_as_it_was)
{
	start_handler(MENDS);
	prepare_client(spins, (void *)&late_word, NULL);
	late_word = 1;
	run_client(K_FOREVER);
	CHECK(clients.is_done);
	CHECK_EQ(clients.result, 0);
	CHECK_EQ(came, 1);
	CHECK_EQ(faults, 0);
	CHECK_EQ(found.badge, FAULT_BADGE);
	CHECK_EQ(found.words[K_IPC_FAULT_ADDRESS], (uintptr_t)&late_word);
	CHECK(found.words[K_IPC_FAULT_KIND] == K_IPC_FAULT_LOAD ||
	      found.words[K_IPC_FAULT_KIND] == K_IPC_FAULT_ACCESS);
	CHECK(found.words[K_IPC_FAULT_PC] >= (uintptr_t)registers_spin);
	CHECK(found.words[K_IPC_FAULT_CAUSE] != 0);
	finish();
}

static void stores(void *word, void *unused_2, void *unused_3)
{
	*(volatile uint32_t *)word = 5;
	clients.is_done = true;
}

TEST(ipc_fault_of_a_store_is_mended_and_the_store_is_made)
{
	start_handler(MENDS);
	prepare_client(stores, (void *)&late_word, NULL);
	late_word = 0;
	run_client(TIMEOUT);
	CHECK(clients.is_done);
	CHECK_EQ(late_word, 5);
	CHECK(found.words[K_IPC_FAULT_KIND] == K_IPC_FAULT_STORE ||
	      found.words[K_IPC_FAULT_KIND] == K_IPC_FAULT_ACCESS);
	finish();
}

/* ---- kinds ---- */

#ifdef __arm__
#define THUMB 1U
#else
#define THUMB 0U
#endif

static void executes_nothing(void *unused_1, void *unused_2, void *unused_3)
{
#ifdef __arm__
	__asm__ volatile("udf #1");
#elif defined(__riscv)
	__asm__ volatile(".word 0");
#elif defined(__aarch64__)
	__asm__ volatile("udf #1");
#elif defined(__x86_64__)
	__asm__ volatile("ud2");
#endif
	clients.result = 1;
}

static void executes_data(void *unused_1, void *unused_2, void *unused_3)
{
	((void (*)(void))((uintptr_t)clients.bytes | THUMB))();
	clients.is_done = true;
}

#ifdef __arm__
/* In a state that Cortex-M does not have: who is led elsewhere goes on in the one that it has. */
static void executes_without_thumb(void *unused_1, void *unused_2, void *unused_3)
{
	((void (*)(void))((uintptr_t)executes_nothing & ~(uintptr_t)THUMB))();
	clients.result = 1;
}
#endif

static void goes_below_its_stack(void *unused_1, void *unused_2, void *unused_3)
{
	volatile uint32_t here = 1;

	/* Its stack has 1024 bytes, or a page, and in front of it the kernel's begins. */
	*(volatile uint32_t *)((uintptr_t)&here - MAX(1024U, ARCH_PARTITION_ALIGN)) = 1;
	clients.result = 1;
}

TEST(ipc_fault_of_any_kind_may_be_led_elsewhere)
{
	static const struct {
		k_thread_entry_t entry;
		uintptr_t kind;
	} kinds[] = {
		{executes_data, K_IPC_FAULT_EXECUTE},
		{executes_nothing, K_IPC_FAULT_INSTRUCTION},
#ifdef __arm__
		{executes_without_thumb, K_IPC_FAULT_OTHER},
#endif
		{goes_below_its_stack, K_IPC_FAULT_STACK},
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		start_handler(LEADS_ELSEWHERE);
		prepare_client(kinds[i].entry, NULL, NULL);
		run_client(K_FOREVER);
		CHECK(clients.is_done);
		CHECK_EQ(clients.word, 77);
		CHECK_EQ(clients.result, 99);
		CHECK_EQ(came, 1);
		CHECK_EQ(found.words[K_IPC_FAULT_KIND], kinds[i].kind);
		CHECK_EQ(faults, 0);
		finish();
	}
}

/* ---- ends ---- */

TEST(ipc_fault_that_nobody_mends_ends_the_thread_with_a_report)
{
	/* Who waits for ever goes by the fast path, where ports can; and nobody ends its sleep. */
	for (intptr_t how = 2 * REFUSES; how <= 2 * SLEEPS; how++) {
		start_handler(how / 2);
		prepare_client(stores, (void *)&late_word, NULL);
		run_client(how % 2 == 0 ? TIMEOUT : K_FOREVER);
		CHECK(!clients.is_done);
		CHECK_EQ(faults, 1);
		CHECK_EQ(last_reason, K_ERR_CPU_EXCEPTION);
		CHECK_EQ(k_thread_join(&client, K_NO_WAIT), 0);
		CHECK_EQ(came, 1);
		finish();
	}
}

TEST(ipc_fault_below_its_stack_that_nobody_mends_is_reported_as_that)
{
	for (int i = 0; i < 2; i++) {
		start_handler(REFUSES);
		prepare_client(goes_below_its_stack, NULL, NULL);
		run_client(i == 0 ? TIMEOUT : K_FOREVER);
		CHECK_EQ(clients.result, 99);
		CHECK_EQ(faults, 1);
		CHECK_EQ(last_reason, K_ERR_STACK_CHK_FAIL);
		CHECK_EQ(came, 1);
		finish();
	}
}

#ifdef __arm__
/* Its stack pointer in memory that is its own, and no stack: the core's frame lies there. */
static void stores_from_elsewhere(void *word, void *stack, void *unused_3)
{
	__asm__ volatile("mov sp, %0\n\tstr %1, [%1]" ::"r"(stack), "r"(word) : "memory");
	clients.is_done = true;
}

TEST(ipc_fault_whose_frame_is_not_in_its_stack_ends_the_thread)
{
	for (int i = 0; i < 2; i++) {
		start_handler(MENDS);
		prepare_client(stores_from_elsewhere, (void *)&late_word,
			       (void *)ROUND_UP((uintptr_t)clients.bytes + 64U, 8U));
		run_client(i == 0 ? TIMEOUT : K_FOREVER);
		CHECK(!clients.is_done);
		CHECK_EQ(came, 0);
		CHECK_EQ(faults, 1);
		finish();
	}
}
#endif

TEST(ipc_fault_without_anybody_at_the_endpoint_waits_for_its_time_out)
{
	start_handler(MENDS);
	k_thread_abort(&handler);
	prepare_client(stores, (void *)&late_word, NULL);
	CHECK_EQ(k_ipc_fault_gate_set(&client, &fault_gate, TIMEOUT), 0);
	k_thread_start(&client);
	CHECK_EQ(faults, 0);
	k_sleep(K_TICKS(10));
	CHECK_EQ(faults, 1);
	finish();
}

TEST(ipc_fault_without_a_gate_or_that_may_not_wait_ends_the_thread)
{
	for (int i = 0; i < 2; i++) {
		start_handler(MENDS);
		k_thread_abort(&handler);
		prepare_client(stores, (void *)&late_word, NULL);
		CHECK_EQ(k_ipc_fault_gate_set(&client, i == 0 ? NULL : &fault_gate, K_NO_WAIT), 0);
		k_thread_start(&client);
		CHECK_EQ(faults, 1);
		finish();
	}
}

/* It handles its own: it has received from the endpoint before. */
static void handles_its_own(void *word, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};

	clients.result = k_ipc_receive(&faults_arrive, &message, K_NO_WAIT);
	stores(word, NULL, NULL);
}

TEST(ipc_fault_of_a_thread_that_would_have_to_handle_it_ends_it)
{
	start_handler(MENDS);
	k_thread_abort(&handler);
	prepare_client(handles_its_own, (void *)&late_word, NULL);
	k_thread_access_grant(&client, &faults_arrive);
	run_client(K_FOREVER);
	CHECK_EQ(clients.result, -EBUSY);
	CHECK(!clients.is_done);
	CHECK_EQ(faults, 1);
	finish();
}

/* A user thread in another domain that handles, and faults in doing so. */
static void handles_and_faults(void *word, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};

	servers.result = k_ipc_receive(&faults_arrive, &message, K_FOREVER);
	servers.word = (intptr_t)message.badge;
	*(volatile uint32_t *)word = 6;
	message.words[K_IPC_FAULT_KIND] = K_IPC_FAULT_RESUME;
	message.words[K_IPC_FAULT_PC] = (uintptr_t)goes_on_here;
	servers.result = k_ipc_reply_receive(&faults_arrive, &message, K_FOREVER);
}

#ifdef __x86_64__
/* In user mode, so that its answers go by the fast path, but for the first: there it has only received. */
static void handles_by_leading_nowhere(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};

	servers.result = k_ipc_receive(&faults_arrive, &message, K_FOREVER);
	for (int n = 1; servers.result == 0; n++) {
		servers.word = (intptr_t)message.words[K_IPC_FAULT_PC];
		message.words[K_IPC_FAULT_KIND] = n < 3 ? K_IPC_FAULT_RESUME : 3;
		if (n == 2) {
			message.words[K_IPC_FAULT_PC] = NOT_CANONICAL;
		}
		servers.result = k_ipc_reply_receive(&faults_arrive, &message, K_FOREVER);
	}
}

/* The way back would fault in ring 0; so it is made another address, at which ring 3 faults. */
TEST(ipc_fault_led_to_an_address_that_is_none_faults_again)
{
	for (int i = 0; i < 3; i++) {
		start_handler(LEADS_NOWHERE);
		if (i == 2) {
			k_thread_abort(&handler);
			prepare_server(handles_by_leading_nowhere, NULL, NULL);
			k_thread_access_grant(&server, &faults_arrive);
			k_thread_start(&server);
		}
		prepare_client(stores, (void *)&late_word, NULL);
		run_client(i == 0 ? TIMEOUT : K_FOREVER);
		CHECK(!clients.is_done);
		CHECK_EQ(faults, 1);
		if (i == 2) {
			found.words[K_IPC_FAULT_PC] = (uintptr_t)servers.word;
			end_both();
		} else {
			CHECK_EQ(came, 2);
		}
		CHECK((found.words[K_IPC_FAULT_PC] & NOT_CANONICAL) == 0);
		CHECK_EQ((uintptr_t)((intptr_t)(found.words[K_IPC_FAULT_PC] << 16) >> 16),
			 found.words[K_IPC_FAULT_PC]);
		finish();
	}
}
#endif

TEST(ipc_fault_handler_in_user_mode_that_faults_itself_ends_both)
{
	start_handler(MENDS);
	k_thread_abort(&handler);
	prepare_server(handles_and_faults, (void *)&late_word, NULL);
	k_thread_access_grant(&server, &faults_arrive);
	prepare_client(stores, (void *)&late_word, NULL);
	k_thread_start(&server);
	run_client(K_FOREVER);
	CHECK_EQ(servers.word, FAULT_BADGE);
	CHECK_EQ(faults, 2);
	CHECK(!clients.is_done);
	finish();
	end_both();
}

TEST(ipc_fault_handler_in_user_mode_leads_its_thread_elsewhere)
{
	start_handler(MENDS);
	k_thread_abort(&handler);
	prepare_server(handles_and_faults, (void *)servers.bytes, NULL);
	k_thread_access_grant(&server, &faults_arrive);
	prepare_client(stores, (void *)&late_word, NULL);
	k_thread_start(&server);
	run_client(K_FOREVER);
	CHECK_EQ(faults, 0);
	CHECK_EQ(clients.word, 77);
	finish();
	end_both();
}

TEST(ipc_fault_gate_is_for_user_threads_only)
{
	start_handler(REFUSES);
	CHECK_EQ(k_ipc_fault_gate_set(&handler, &fault_gate, K_FOREVER), -EINVAL);
	finish();
}

TEST(ipc_fault_of_a_thread_that_is_aborted_while_it_waits_is_forgotten)
{
	start_handler(SLEEPS);
	prepare_client(stores, (void *)&late_word, NULL);
	run_client(K_FOREVER);
	CHECK_EQ(came, 1);
	k_thread_abort(&client);
	CHECK_EQ(faults, 0);
	CHECK(handler.ipc.served.wait_q.head == NULL);
	finish();
}
