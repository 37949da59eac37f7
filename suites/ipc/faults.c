/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fault delivered to a handler, and back: a user thread calls what it may not execute, and its handler, another user
 * thread, has it go on at a function that returns to the caller. So no figure depends on the length of an
 * instruction; one call and one return are in it.
 */
#include "ipc.h"

#ifdef CONFIG_ARCH_IPC_FAULTS
#define BADGE 78U

K_IPC_ENDPOINT_DEFINE(fault_endpoint);
K_IPC_GATE_DEFINE(fault_gate, &fault_endpoint, BADGE);

static struct k_thread handler;
static K_THREAD_STACK_DEFINE(handler_stack, CONFIG_MEASURE_WAITER_STACK_SIZE);

/* Data, which nobody may execute. */
static MEASURE_SHARED uint32_t not_code[4];
static MEASURE_SHARED intptr_t (*volatile not_executable)(void);
static MEASURE_SHARED volatile uint32_t handled;
static MEASURE_SHARED volatile bool is_as_expected;

#define RESULT 1234

static intptr_t goes_on_here(void)
{
	return RESULT;
}

MEASURE_WINDOW(fault, result = not_executable())

static void handle(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};
	int result = k_ipc_receive(&fault_endpoint, &message, K_FOREVER);

	/* Bound: the suite, which ends it. */
	while (result == 0) {
		handled++;
		is_as_expected = message.badge == BADGE &&
				 message.words[K_IPC_FAULT_KIND] == K_IPC_FAULT_EXECUTE &&
				 message.words[K_IPC_FAULT_ADDRESS] == (uintptr_t)not_code &&
				 domains_server_is_there();
		message.words[K_IPC_FAULT_KIND] = K_IPC_FAULT_RESUME;
		message.words[K_IPC_FAULT_PC] = (uintptr_t)goes_on_here;
		result = k_ipc_reply_receive(&fault_endpoint, &message, K_FOREVER);
	}
}

static void set_gate(k_tid_t thread)
{
	(void)k_ipc_fault_gate_set(thread, &fault_gate, K_FOREVER);
}

static void before(void)
{
	handled = 0;
	is_as_expected = false;
}

static void after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "handled", handled == 1 && is_as_expected);
	measure_witness(row, "went_on", result == RESULT);
}

static void measure_fault(enum where where)
{
	static char id[32];

	domains_begin(where);
	(void)snprintk(id, sizeof(id), "fault.round.%s", where_names[where]);
	/* Bit 0: of Thumb code, which other cores have none of. */
	not_executable = (intptr_t (*)(void))((uintptr_t)not_code | ((uintptr_t)goes_on_here & 1U));
	measure_user_open(set_gate);
	(void)k_thread_create(&handler, handler_stack, K_THREAD_STACK_SIZEOF(handler_stack), handle,
			      NULL, NULL, NULL, k_thread_priority_get(k_current_get()) - 2, K_USER,
			      K_FOREVER);
	k_thread_access_grant(&handler, &fault_endpoint);
	domains_place_server(&handler);
	k_thread_start(&handler);
	measure_user_single(&(struct measure_operation){id, "A fault to its handler and back",
							fault, before, after});
	measure_user_close();
	k_thread_abort(&handler);
}

void measure_faults(void)
{
	measure_fault(INTRA);
	measure_fault(INTER);
}
#else
void measure_faults(void)
{
}
#endif
