/* SPDX-License-Identifier: Apache-2.0 */
/*
 * x86-64: a client in user mode calls a server in user mode, and makes fast and other calls, all the time, while
 * test_x86_64.py has QEMU raise NMIs. They come at any instruction, the entry's first included, where the core is in
 * ring 0 on the user's stack: whatever they meet is to go on as if they had not come.
 */
#include <board.h>
#include <foliot/kernel.h>

/* The local APIC's pin for NMIs, which the kernel masks. */
#define LVT_LINT1 (*(volatile uint32_t *)(BOARD_LAPIC_BASE + 0x360U))
#define LVT_NMI   0x400U

#define ROUNDS 150000U
#define BADGE  7U
#define STACK  1024

extern uint32_t x86_64_nmis; /* arch/x86_64/descriptors.c */

K_APPMEM_PARTITION_DEFINE(shared);
K_APP_BMEM(shared) static volatile uint32_t wrong, calls;

K_IPC_ENDPOINT_DEFINE(endpoint);
K_IPC_GATE_DEFINE(gate, &endpoint, BADGE);
static K_SEM_DEFINE(sem, 0, 10);
static struct k_thread server, client;
static K_THREAD_STACK_DEFINE(server_stack, STACK);
static K_THREAD_STACK_DEFINE(client_stack, STACK);

static void serves(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.capacity = 0};
	int result = k_ipc_receive(&endpoint, &message, K_FOREVER);

	/* Bound: the client's calls; main() ends it. */
	while (result == 0) {
		wrong += message.badge != BADGE;
		message.words[1] = ~message.words[2];
		result = k_ipc_reply_receive(&endpoint, &message, K_FOREVER);
	}
}

static void calls_much(void *p1, void *p2, void *p3)
{
	struct k_ipc_message message = {.capacity = 0};

	/* Bound: so many. */
	for (uint32_t i = 0; i < ROUNDS; i++) {
		message.words[2] = i;
		wrong += k_ipc_call(&gate, &message, K_FOREVER) != 0;
		wrong += message.words[1] != ~(uintptr_t)i || message.words[2] != i;
		k_sem_give(&sem);
		wrong += k_sem_take(&sem, K_NO_WAIT) != 0;
		wrong += k_current_get() != &client;
		calls += 4;
	}
}

static void make(struct k_thread *thread, k_thread_stack_t *stack, k_thread_entry_t entry, int prio)
{
	(void)k_thread_create(thread, stack, STACK, entry, NULL, NULL, NULL, prio, K_USER,
			      K_FOREVER);
	k_thread_access_grant(thread, &endpoint, &gate, &sem, thread);
	k_thread_start(thread);
}

int main(void)
{
	if (k_mem_domain_add_partition(&k_mem_domain_default, &shared) != 0) {
		return 1;
	}
	LVT_LINT1 = LVT_NMI;
	printk("begins\n");
	make(&server, server_stack, serves, 1);
	make(&client, client_stack, calls_much, 2);
	(void)k_thread_join(&client, K_FOREVER);
	k_thread_abort(&server);
	printk("%u calls, %u wrong, %s NMI\n", calls, wrong, x86_64_nmis != 0 ? "an" : "no");
	return 0;
}
