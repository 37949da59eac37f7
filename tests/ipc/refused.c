/* SPDX-License-Identifier: Apache-2.0 */
/* What a user thread may not name in a message: who does ends, or is told, and nobody else notices. */
#include "users.h"

static struct k_sem not_a_gate;
static char kernels[BYTES];
static const char constant[BYTES] = {1};
K_IPC_ENDPOINT_DEFINE(another);
K_IPC_GATE_DEFINE(not_granted, &endpoint, 1);

enum { CALL, SEND, RECEIVE, REPLY, REPLY_RECEIVE, NUM_CALLS };

struct attempt {
	intptr_t call;
	void *object;
	struct k_ipc_message *message; /* NULL: one on its stack */
	void *data;
	size_t size, capacity;
};

K_APP_BMEM(client_memory) static struct attempt attempt;
K_APPMEM_PARTITION_DECLARE(client_memory);

static void tries(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message own = {
		.data = attempt.data, .size = attempt.size, .capacity = attempt.capacity};
	struct k_ipc_message *message = attempt.message != NULL ? attempt.message : &own;

	clients.word = 1;
	switch (attempt.call) {
	case CALL:
		clients.result = k_ipc_call(attempt.object, message, K_TICKS(2));
		break;
	case SEND:
		clients.result = k_ipc_send(attempt.object, message, K_NO_WAIT);
		break;
	case RECEIVE:
		clients.result = k_ipc_receive(attempt.object, message, K_NO_WAIT);
		break;
	case REPLY:
		clients.result = k_ipc_reply(message);
		break;
	default:
		clients.result = k_ipc_reply_receive(attempt.object, message, K_NO_WAIT);
		break;
	}
	clients.is_done = true;
}

/* True: it came back from the call; else the call was its end. */
static bool goes_on(struct attempt what)
{
	prepare_client(tries, NULL, NULL);
	k_thread_access_grant(&client, &another);
	attempt = what;
	k_thread_start(&client);
	CHECK_EQ(k_thread_join(&client, K_FOREVER), 0);
	CHECK_EQ(clients.word, 1);
	CHECK_EQ(faults, clients.is_done ? 0 : 1);
	if (faults != 0) {
		/* By the kernel, or by itself, where a port reads the message in user mode. */
		CHECK(last_reason == K_ERR_KERNEL_OOPS || last_reason == K_ERR_CPU_EXCEPTION);
	}
	return clients.is_done;
}

static void *object_of(intptr_t call)
{
	return call == CALL || call == SEND ? (void *)&gate : (void *)&another;
}

TEST(ipc_a_gate_or_endpoint_that_is_not_granted_is_the_end)
{
	void *const forged[] = {NULL,
				&not_a_gate,
				(char *)&gate + 4,
				(void *)((uintptr_t)&gate - 4),
				kernels,
				(void *)(uintptr_t)constant,
				clients.bytes,
				(void *)UINTPTR_MAX,
				&endpoint};

	begin();
	(void)k_sem_init(&not_a_gate, 0, 1);
	for (unsigned int i = 0; i < ARRAY_SIZE(forged); i++) {
		for (intptr_t call = 0; call < NUM_CALLS; call++) {
			if (call != REPLY) {
				CHECK(!goes_on(
					(struct attempt){.call = call, .object = forged[i]}));
			}
		}
	}
	CHECK(!goes_on((struct attempt){.call = CALL, .object = &not_granted}));
	CHECK(!goes_on((struct attempt){.call = CALL, .object = &another})); /* no gate */
	CHECK(!goes_on((struct attempt){.call = RECEIVE, .object = &gate})); /* no endpoint */
	CHECK(goes_on((struct attempt){.call = CALL, .object = &gate}));
	CHECK_EQ(clients.result, -EAGAIN);
	CHECK(goes_on((struct attempt){.call = RECEIVE, .object = &another}));
	CHECK_EQ(clients.result, -EBUSY);
}

TEST(ipc_a_port_that_delivers_no_faults_says_so)
{
	begin();
	prepare_client(tries, NULL, NULL);
	CHECK_EQ(k_ipc_fault_gate_set(&client, &gate, K_FOREVER),
		 IS_ENABLED(CONFIG_ARCH_IPC_FAULTS) ? 0 : -ENOTSUP);
	end_both();
}

TEST(ipc_a_gate_that_was_freed_or_revoked_is_the_end)
{
	static struct k_ipc_gate mortal;

	begin();
	k_ipc_gate_init(&mortal, &endpoint, 3);
	prepare_client(tries, NULL, NULL);
	k_thread_access_grant(&client, &mortal);
	attempt = (struct attempt){.call = CALL, .object = &mortal};
	k_object_access_revoke(&mortal, &client);
	k_thread_start(&client);
	CHECK_EQ(faults, 1);
	prepare_client(tries, NULL, NULL);
	k_thread_access_grant(&client, &mortal);
	k_object_free(&mortal);
	k_thread_start(&client);
	CHECK_EQ(faults, 1);
}

TEST(ipc_a_message_in_memory_that_is_not_the_threads_is_the_end)
{
	/* Behind its end, too: a partition may be longer than what lies in it. */
	void *const refused[] = {NULL,
				 kernels,
				 servers.bytes,
				 (void *)(uintptr_t)kernels,
				 (void *)(client_memory.start + client_memory.size - 4),
				 (void *)UINTPTR_MAX};

	begin();
	for (unsigned int i = 0; i < ARRAY_SIZE(refused); i++) {
		for (intptr_t call = 0; call < NUM_CALLS; call++) {
			struct attempt what = {.call = call, .object = object_of(call)};

			if (refused[i] != NULL) {
				what.message = refused[i];
				CHECK(!goes_on(what));
				what.message = NULL;
			}
			what.data = refused[i];
			what.size = 8;
			what.capacity = 0;
			CHECK(goes_on(what) == (call == RECEIVE)); /* which sends nothing */
			what.size = 0;
			what.capacity = 8;
			CHECK(goes_on(what) == (call == SEND || call == REPLY));
		}
	}
	/* A constant may be sent, and is no room. */
	CHECK(goes_on((struct attempt){
		.call = SEND, .object = &gate, .data = (void *)(uintptr_t)constant, .size = 8}));
	CHECK_EQ(clients.result, -EBUSY);
	CHECK(!goes_on((struct attempt){.call = RECEIVE,
					.object = &another,
					.data = (void *)(uintptr_t)constant,
					.capacity = 8}));
}

TEST(ipc_sizes_that_wrap_are_refused)
{
	begin();
	CHECK(goes_on((struct attempt){.call = CALL, .object = &gate, .size = SIZE_MAX}));
	CHECK_EQ(clients.result, -EINVAL);
	CHECK(!goes_on((struct attempt){
		.call = CALL, .object = &gate, .data = clients.bytes, .capacity = SIZE_MAX}));
	CHECK(!goes_on((struct attempt){.call = RECEIVE,
					.object = &another,
					.data = clients.bytes,
					.capacity = SIZE_MAX - 16}));
}

/* ---- memory that is taken away while its thread waits ---- */

static K_MEM_PARTITION_DEFINE(lent, 0, 0, K_MEM_PARTITION_P_RW_U_RW);
#define LENT MAX(256U, ARCH_PARTITION_ALIGN)
static char lent_memory[LENT] __aligned(LENT);

static void lend(struct k_mem_domain *domain)
{
	lent.start = (uintptr_t)lent_memory;
	lent.size = sizeof(lent_memory);
	CHECK_EQ(k_mem_domain_add_partition(domain, &lent), 0);
}

static void waits_with(void *data, void *is_call, void *unused)
{
	struct k_ipc_message message = {.data = data, .size = BYTES, .capacity = BYTES};

	clients.result = is_call != NULL ? k_ipc_call(&gate, &message, K_FOREVER)
					 : k_ipc_send(&gate, &message, K_FOREVER);
	clients.is_done = true;
}

static void waits_for(void *data, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.data = data, .capacity = BYTES};

	servers.result = k_ipc_receive(&endpoint, &message, K_FOREVER);
	servers.is_done = true;
}

TEST(ipc_bytes_of_who_may_no_longer_read_them_are_not_sent)
{
	static char room[BYTES];
	struct k_ipc_message message = {.data = room, .capacity = BYTES};

	begin();
	prepare_client(waits_with, lent_memory, NULL);
	lend(&client_domain);
	lent_memory[0] = 5;
	k_thread_start(&client);
	CHECK(!clients.is_done);
	CHECK_EQ(k_mem_domain_remove_partition(&client_domain, &lent), 0);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_NO_WAIT), -EBUSY);
	k_sleep(K_TICKS(1));
	CHECK_EQ(room[0], 0);
	CHECK(clients.is_done);
	CHECK_EQ(clients.result, -EFAULT);
	end_both();
}

TEST(ipc_nothing_is_received_in_memory_that_was_taken_away)
{
	static char bytes[BYTES] = {7};
	struct k_ipc_message message = {.data = bytes, .size = BYTES};

	begin();
	prepare_server(waits_for, lent_memory, NULL);
	lend(&server_domain);
	lent_memory[0] = 5;
	k_thread_start(&server);
	CHECK_EQ(k_mem_domain_remove_partition(&server_domain, &lent), 0);
	CHECK_EQ(k_ipc_send(&gate, &message, K_NO_WAIT), -EBUSY);
	k_sleep(K_TICKS(1));
	CHECK_EQ(lent_memory[0], 5);
	CHECK(servers.is_done);
	CHECK_EQ(servers.result, -EFAULT);
	end_both();
}

TEST(ipc_an_answer_to_memory_that_was_taken_away_is_to_nobody)
{
	static char room[BYTES];
	struct k_ipc_message message = {.data = room, .capacity = BYTES};

	begin();
	prepare_client(waits_with, lent_memory, lent_memory);
	lend(&client_domain);
	k_thread_start(&client);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	CHECK_EQ(k_mem_domain_remove_partition(&client_domain, &lent), 0);
	lent_memory[0] = 9;
	CHECK_EQ(k_ipc_reply(&message), -ESRCH);
	k_sleep(K_TICKS(1));
	CHECK_EQ(lent_memory[0], 9);
	CHECK_EQ(clients.result, -EFAULT);
	CHECK_EQ(faults, 0);
	end_both();
}

/* Its message's structure lies in memory that goes while it waits: the answer has no place. */
static void waits_at(void *place, void *unused_2, void *unused_3)
{
	struct k_ipc_message *message = place;

	*message = message_of(1);
	message->size = 0;
	message->capacity = 0;
	clients.result = k_ipc_call(&gate, message, K_FOREVER);
	clients.is_done = true;
}

TEST(ipc_an_answer_to_a_message_that_was_taken_away_is_its_threads_end)
{
	struct k_ipc_message message = {.capacity = 0};

	begin();
	prepare_client(waits_at, lent_memory, NULL);
	lend(&client_domain);
	k_thread_start(&client);
	CHECK_EQ(k_ipc_receive(&endpoint, &message, K_FOREVER), 0);
	CHECK_EQ(k_mem_domain_remove_partition(&client_domain, &lent), 0);
	((struct k_ipc_message *)lent_memory)->words[0] = 42;
	message.words[0] = 43;
	CHECK_EQ(k_ipc_reply(&message), 0);
	k_sleep(K_TICKS(1));
	CHECK(!clients.is_done);
	CHECK_EQ(faults, 1);
	CHECK_EQ(((struct k_ipc_message *)lent_memory)->words[0], 42);
	end_both();
}

/* ---- one thing is wrong, and all else right ---- */

static struct k_ipc_endpoint blank_endpoint;
static struct k_ipc_gate blank_gate;

/* Granted, and of the kind that is wanted. */
TEST(ipc_a_gate_or_endpoint_that_nobody_has_initialised_is_the_end)
{
	begin();
	for (intptr_t call = 0; call < NUM_CALLS; call++) {
		void *object = call == CALL || call == SEND ? (void *)&blank_gate
							    : (void *)&blank_endpoint;

		for (size_t size = 0; call != REPLY && size < 2; size++) {
			prepare_client(tries, NULL, NULL);
			k_thread_access_grant(&client, &blank_gate, &blank_endpoint);
			attempt = (struct attempt){call, object, NULL, clients.bytes, size, size};
			k_thread_start(&client);
			CHECK_EQ(k_thread_join(&client, K_TICKS(20)), 0);
			CHECK(!clients.is_done);
			k_thread_abort(&client);
		}
	}
	k_object_free(&blank_gate);
	k_object_free(&blank_endpoint);
}

/* Nobody receives and nobody calls. `bytes`: of words alone, and not. */
static void waits_too_long(void *number, void *bytes, void *unused_3)
{
	const k_timeout_t too_long = {(k_ticks_t)INT32_MAX + 1000U};
	struct k_ipc_message message = {.data = clients.bytes, .size = (size_t)(uintptr_t)bytes};

	clients.word = 1;
	switch ((intptr_t)number) {
	case CALL:
		(void)k_ipc_call(&gate, &message, too_long);
		break;
	case SEND:
		(void)k_ipc_send(&gate, &message, too_long);
		break;
	case RECEIVE:
		(void)k_ipc_receive(&another, &message, too_long);
		break;
	default:
		(void)k_ipc_reply_receive(&another, &message, too_long);
		break;
	}
	clients.is_done = true;
}

TEST(ipc_waits_longer_than_the_longest_are_that_long)
{
	begin();
	for (intptr_t call = 0; call < NUM_CALLS; call++) {
		for (uintptr_t bytes = 0; sizeof(k_timeout_t) == 4 && bytes < 2; bytes++) {
			if (call == REPLY) {
				continue;
			}
			prepare_client(waits_too_long, (void *)call, (void *)bytes);
			k_thread_access_grant(&client, &another);
			k_thread_start(&client);
			k_sleep(K_TICKS(3));
			CHECK_EQ(clients.word, 1);
			CHECK(!clients.is_done);
			CHECK(k_thread_timeout_remaining_ticks(&client) > INT32_MAX / 2);
			k_thread_abort(&client);
		}
	}
}
