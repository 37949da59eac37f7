/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults that a user thread of another domain handles, which ports have a fast path for: whatever the answer is, and
 * whatever happens to either of the two meanwhile.
 */
#include "users.h"

#define FAULT_BADGE  56U
#define KERNELS_PRIO (MAIN_PRIO - 3)
#define SEED         0x5a000000UL

int registers_spin(unsigned long seed, volatile uint32_t *stop); /* arch/.../tests/registers.S */

K_APPMEM_PARTITION_DEFINE(mended_memory);
static K_APP_BMEM(mended_memory) volatile uint32_t mended_word;

K_IPC_ENDPOINT_DEFINE(handlers_endpoint);
K_IPC_GATE_DEFINE(handlers_gate, &handlers_endpoint, FAULT_BADGE);
static K_SEM_DEFINE(broken, 0, 1);

enum { MENDS, MENDS_AND_REPLIES, MENDS_WITH_BYTES, REFUSES, ENDS, RECEIVES_ANEW, SLEEPS, LEADS };

static struct k_thread mender;
static K_THREAD_STACK_DEFINE(mender_stack, 1024);

/* Outranks all, so that it has mended as soon as it is told. */
static void mends(void *unused_1, void *unused_2, void *unused_3)
{
	CHECK_EQ(k_sem_take(&broken, K_FOREVER), 0);
	CHECK_EQ(k_mem_domain_add_partition(&client_domain, &mended_memory), 0);
}

static void goes_on_there(void)
{
	clients.word = 77; /* in its own domain's memory */
	clients.is_done = true;
	k_thread_abort(k_current_get());
}

static void answer(intptr_t how, struct k_ipc_message *message)
{
	message->words[K_IPC_FAULT_KIND] = K_IPC_FAULT_RESUME;
	if (how <= MENDS_WITH_BYTES) {
		k_sem_give(&broken);
	}
	switch (how) {
	case MENDS_AND_REPLIES:
		servers.word = k_ipc_reply(message);
		servers.result = k_ipc_receive(&handlers_endpoint, message, K_FOREVER);
		return;
	case MENDS_WITH_BYTES: /* none of them, but it could receive some */
		message->data = servers.bytes;
		message->capacity = 8;
		break;
	case REFUSES:
		message->words[K_IPC_FAULT_KIND] = 3;
		break;
	case LEADS:
		message->words[K_IPC_FAULT_PC] = (uintptr_t)goes_on_there;
		break;
	case ENDS:
		k_thread_abort(k_current_get());
		break;
	case RECEIVES_ANEW:
		servers.result = k_ipc_receive(&handlers_endpoint, message, K_FOREVER);
		return;
	case SLEEPS:
		k_sleep(K_TICKS(5));
		servers.word = k_ipc_reply(message);
		break;
	default:
		break;
	}
	servers.result = k_ipc_reply_receive(&handlers_endpoint, message, K_FOREVER);
}

/* By an answer to nobody at first, its right to the endpoint is remembered, and so its first answer may be fast. */
static void handles(void *how, void *is_known, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};

	servers.result = is_known != NULL
				 ? k_ipc_reply_receive(&handlers_endpoint, &message, K_FOREVER)
				 : k_ipc_receive(&handlers_endpoint, &message, K_FOREVER);
	while (servers.result == 0) {
		servers.bytes[0]++; /* how many came */
		servers.bytes[1] = (char)message.badge;
		servers.bytes[2] = (char)message.words[K_IPC_FAULT_KIND];
		answer((intptr_t)how, &message);
	}
}

static void spins(void *word, void *unused_2, void *unused_3)
{
	clients.result = registers_spin(SEED, word);
	clients.is_done = true;
}

/* The client faults, for whose answer it waits so long; the handler waits by then. */
static void start_both(intptr_t how, bool is_known, k_timeout_t timeout)
{
	begin();
	k_ipc_endpoint_init(&handlers_endpoint);
	k_sem_reset(&broken);
	(void)k_thread_create(&mender, mender_stack, K_THREAD_STACK_SIZEOF(mender_stack), mends,
			      NULL, NULL, NULL, KERNELS_PRIO, 0, K_NO_WAIT);
	prepare_server(handles, (void *)how, is_known ? &server : NULL);
	k_thread_access_grant(&server, &handlers_endpoint, &broken);
	prepare_client(spins, (void *)&mended_word, NULL);
	mended_word = 1;
	CHECK_EQ(k_ipc_fault_gate_set(&client, &handlers_gate, timeout), 0);
	k_thread_start(&server);
}

static void finish(void)
{
	k_thread_abort(&mender);
	(void)k_mem_domain_remove_partition(&client_domain, &mended_memory);
	end_both();
	CHECK(handlers_endpoint.callers.wait_q.head == NULL);
	CHECK(handlers_endpoint.receivers.head == NULL);
}

TEST(ipc_fault_mended_by_a_user_thread_leaves_every_register_as_it_was)
{
	for (intptr_t how = 0; how < 4 * (MENDS_WITH_BYTES + 1); how++) {
		start_both(how / 4, (how & 2) != 0, (how & 1) == 0 ? K_FOREVER : K_TICKS(50));
		k_thread_start(&client);
		CHECK(clients.is_done);
		CHECK_EQ(clients.result, 0);
		CHECK_EQ(servers.bytes[0], 1);
		CHECK_EQ(servers.bytes[1], FAULT_BADGE);
		CHECK(servers.bytes[2] == K_IPC_FAULT_LOAD ||
		      servers.bytes[2] == K_IPC_FAULT_ACCESS);
		CHECK_EQ(faults, 0);
		CHECK((server.state & K_THREAD_PENDING) != 0); /* for the next */
		finish();
	}
}

TEST(ipc_fault_that_a_user_thread_does_not_mend_ends_the_thread_once)
{
	for (intptr_t how = 2 * REFUSES; how < 2 * (RECEIVES_ANEW + 1); how++) {
		start_both(how / 2, how % 2 != 0, K_FOREVER);
		k_thread_start(&client);
		CHECK(!clients.is_done);
		CHECK_EQ(faults, 1);
		CHECK_EQ(last_reason, K_ERR_CPU_EXCEPTION);
		CHECK_EQ(k_thread_join(&client, K_NO_WAIT), 0);
		CHECK_EQ(servers.bytes[0], 1);
		finish();
	}
}

TEST(ipc_fault_lends_its_threads_priority_to_its_handler)
{
	start_both(SLEEPS, false, K_FOREVER);
	k_thread_priority_set(&server, MAIN_PRIO + 1);
	k_sleep(K_TICKS(1)); /* so that it waits */
	k_thread_start(&client);
	CHECK_EQ(servers.bytes[0], 1);
	CHECK_EQ(k_thread_priority_get(&server), MAIN_PRIO - 1);
	k_thread_abort(&client);
	CHECK_EQ(k_thread_priority_get(&server), MAIN_PRIO + 1);
	k_sleep(K_TICKS(10));
	CHECK_EQ(servers.word, -ESRCH); /* the answer is to nobody */
	CHECK_EQ(faults, 0);
	finish();
}

TEST(ipc_fault_of_a_thread_that_is_suspended_is_answered_when_it_goes_on)
{
	start_both(SLEEPS, false, K_FOREVER);
	mended_word = 1;
	k_thread_start(&client);
	k_thread_suspend(&client);
	CHECK_EQ(k_mem_domain_add_partition(&client_domain, &mended_memory), 0);
	k_sleep(K_TICKS(10));
	CHECK_EQ(servers.word, 0);
	CHECK(!clients.is_done);
	k_thread_resume(&client);
	CHECK(clients.is_done);
	CHECK_EQ(clients.result, 0);
	CHECK_EQ(faults, 0);
	finish();
}

/* Nothing comes in between: its answer is fast, from the other domain. */
TEST(ipc_fault_led_elsewhere_by_a_user_thread_goes_on_in_its_own_domain)
{
	for (int is_known = 0; is_known < 2; is_known++) {
		start_both(LEADS, is_known != 0, K_FOREVER);
		k_thread_start(&client);
		CHECK(clients.is_done);
		CHECK_EQ(clients.word, 77);
		CHECK_EQ(servers.bytes[0], 1);
		CHECK_EQ(faults, 0);
		finish();
	}
}
