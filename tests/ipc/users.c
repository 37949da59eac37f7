/* SPDX-License-Identifier: Apache-2.0 */
/* The two user threads: see users.h. */
#include "users.h"

#define USER_STACK_SIZE 1024

K_APPMEM_PARTITION_DEFINE(client_memory);
K_APPMEM_PARTITION_DEFINE(server_memory);
K_APP_BMEM(client_memory) struct side clients;
K_APP_BMEM(server_memory) struct side servers;

struct k_thread client, server;
K_THREAD_STACK_DEFINE(client_stack, USER_STACK_SIZE);
K_THREAD_STACK_DEFINE(server_stack, USER_STACK_SIZE);
struct k_mem_domain client_domain, server_domain;
unsigned int faults, last_reason;

/* Who faults ends, and the run goes on; a kernel thread's fault would be this program's. */
void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame)
{
	last_reason = reason;
	faults++;
	if ((k_current_get()->options & K_USER) == 0) {
		k_exit(1);
	}
}

static void make_domains(void)
{
	static bool is_done;
	struct k_mem_partition *client_parts[] = {&client_memory};
	struct k_mem_partition *server_parts[] = {&server_memory};

	if (!is_done) {
		is_done = true;
		CHECK_EQ(k_mem_domain_init(&client_domain, 1, client_parts), 0);
		CHECK_EQ(k_mem_domain_init(&server_domain, 1, server_parts), 0);
	}
}

static void make(struct k_thread *thread, k_thread_stack_t *stack, struct k_mem_domain *domain,
		 struct side *side, k_thread_entry_t entry, void *p1, void *p2, int prio)
{
	make_domains();
	*side = (struct side){.result = 99};
	faults = 0;
	(void)k_thread_create(thread, stack, USER_STACK_SIZE, entry, p1, p2, NULL, prio, K_USER,
			      K_FOREVER);
	CHECK_EQ(k_mem_domain_add_thread(domain, thread), 0);
}

void prepare_client(k_thread_entry_t entry, void *p1, void *p2)
{
	make(&client, client_stack, &client_domain, &clients, entry, p1, p2, MAIN_PRIO - 1);
	k_thread_access_grant(&client, &gate);
}

void prepare_server(k_thread_entry_t entry, void *p1, void *p2)
{
	make(&server, server_stack, &server_domain, &servers, entry, p1, p2, MAIN_PRIO - 2);
	k_thread_access_grant(&server, &endpoint);
}

void end_both(void)
{
	k_thread_abort(&client);
	k_thread_abort(&server);
	CHECK(endpoint.callers.wait_q.head == NULL);
	CHECK(endpoint.receivers.head == NULL);
}
