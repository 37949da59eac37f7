/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client and a server in two domains: neither can touch the other's memory, and all that they
 * know of one another is a gate and an endpoint. The server keeps accounts; who may change which is
 * told by the gate that it comes through.
 *
 *     ./foliot run samples/bank --board qemu_riscv32
 *
 * To copy: an endpoint, a gate for each client with a badge of its own, a domain for each side; the
 * server is granted the endpoint, the client its gate. The rest is a loop around
 * k_ipc_reply_receive(), and k_ipc_call().
 */
#include <foliot/kernel.h>

#define STACK_SIZE 1024
#define ACCOUNTS   2

/* What the first word of a message asks for. */
enum { DEPOSIT, BALANCE };

K_APPMEM_PARTITION_DEFINE(server_memory);
K_APP_BMEM(server_memory) static intptr_t accounts[ACCOUNTS];

K_APPMEM_PARTITION_DEFINE(client_memory);
K_APP_BMEM(client_memory) static volatile intptr_t balance[ACCOUNTS];

K_IPC_ENDPOINT_DEFINE(bank);
static struct k_ipc_gate gates[ACCOUNTS]; /* the badge is the account */

static struct k_mem_domain server_domain, client_domain;
static struct k_thread server, clients[ACCOUNTS];
K_THREAD_STACK_DEFINE(server_stack, STACK_SIZE);
K_THREAD_STACK_ARRAY_DEFINE(client_stacks, ACCOUNTS, STACK_SIZE);

static void serve(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};
	int result = k_ipc_receive(&bank, &message, K_FOREVER);

	while (result == 0) {
		if (message.words[0] == DEPOSIT) {
			accounts[message.badge] += (intptr_t)message.words[1];
		}
		message.words[0] = (uintptr_t)accounts[message.badge];
		result = k_ipc_reply_receive(&bank, &message, K_FOREVER);
	}
}

static void deposit(void *account, void *sum, void *unused)
{
	struct k_ipc_gate *gate =
		&gates[(intptr_t)account]; /* a name: its use is what was granted */
	struct k_ipc_message message = {.words = {DEPOSIT, (uintptr_t)sum}};

	if (k_ipc_call(gate, &message, K_MSEC(100)) == 0) {
		message.words[0] = BALANCE;
		(void)k_ipc_call(gate, &message, K_MSEC(100));
		balance[(intptr_t)account] = (intptr_t)message.words[0];
	}
	accounts[0] = 1000000; /* it would like to: that is its end */
}

static void start_client(int account, intptr_t sum)
{
	k_tid_t client = k_thread_create(&clients[account], client_stacks[account], STACK_SIZE,
					 deposit, (void *)(intptr_t)account, (void *)sum, NULL,
					 K_PRIO_PREEMPT(5), K_USER, K_FOREVER);

	(void)k_thread_name_set(client, "client");
	(void)k_mem_domain_add_thread(&client_domain, client);
	k_ipc_gate_init(&gates[account], &bank, (uintptr_t)account);
	k_thread_access_grant(client, &gates[account]);
	k_thread_start(client);
	(void)k_thread_join(client, K_FOREVER);
}

int main(void)
{
	struct k_mem_partition *servers[] = {&server_memory};
	struct k_mem_partition *of_clients[] = {&client_memory};

	(void)k_mem_domain_init(&server_domain, 1, servers);
	(void)k_mem_domain_init(&client_domain, 1, of_clients);
	(void)k_thread_create(&server, server_stack, K_THREAD_STACK_SIZEOF(server_stack), serve,
			      NULL, NULL, NULL, K_PRIO_PREEMPT(4), K_USER, K_FOREVER);
	(void)k_thread_name_set(&server, "server");
	(void)k_mem_domain_add_thread(&server_domain, &server);
	k_thread_access_grant(&server, &bank);
	k_thread_start(&server);

	start_client(0, 12);
	start_client(1, 30);
	printk("balances: %d and %d\n", (int)balance[0], (int)balance[1]);
	if (accounts[0] != 12) {
		printk("a client has written to the server's memory: nothing protects it here\n");
	}
	k_exit(balance[0] == 12 && balance[1] == 30 && accounts[0] == 12 ? 0 : 1);
}
