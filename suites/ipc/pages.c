/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A page of memory in a domain's page tables: mapped, protected (from then on only read) and unmapped, by the calls for
 * partitions, with what the TLB has to forget. A user thread of that domain has read and written the page right before, so that
 * the TLB knows it, and tries both again behind each sample: what it may not do any more has to fault, which a
 * handler of its faults tells. There is no call that protects alone: the page is taken away and given back.
 */
#include "ipc.h"

#if defined(CONFIG_ARCH_HAS_PAGES) && defined(CONFIG_USERSPACE) && defined(CONFIG_ARCH_IPC_FAULTS)
K_IPC_ENDPOINT_DEFINE(page_faults);
K_IPC_GATE_DEFINE(page_gate, &page_faults, 79);

static struct k_thread handler;
static K_THREAD_STACK_DEFINE(handler_stack, CONFIG_MEASURE_WAITER_STACK_SIZE);

static uintptr_t page[ARCH_PAGE / sizeof(uintptr_t)] __aligned(ARCH_PAGE);
static struct k_mem_partition writable = {(uintptr_t)page, ARCH_PAGE, K_MEM_PARTITION_P_RW_U_RW};
static struct k_mem_partition readable = {(uintptr_t)page, ARCH_PAGE, K_MEM_PARTITION_P_RO_U_RO};

enum { NOTHING, READS, WRITES, READS_AND_WRITES };

#define REFUSED 4321

static intptr_t is_refused(void)
{
	return REFUSED;
}

/* Leaves without a frame: refused, they go on at is_refused(), which returns to their caller. */
static intptr_t loads(void)
{
	return *(volatile intptr_t *)page;
}

static intptr_t stores(void)
{
	*(volatile intptr_t *)page = 1;
	return 1;
}

static MEASURE_SHARED intptr_t (*volatile load)(void);
static MEASURE_SHARED intptr_t (*volatile store)(void);

/* In the client. */
static intptr_t touches(struct measure_window *window)
{
	return (load() != REFUSED ? READS : NOTHING) | (store() != REFUSED ? WRITES : NOTHING);
}

static void handle(void *unused_1, void *unused_2, void *unused_3)
{
	struct k_ipc_message message = {.capacity = 0};
	int result = k_ipc_receive(&page_faults, &message, K_FOREVER);

	/* Bound: the suite, which ends it. */
	while (result == 0) {
		bool is_it = message.words[K_IPC_FAULT_ADDRESS] == (uintptr_t)page;

		message.words[K_IPC_FAULT_KIND] = is_it ? K_IPC_FAULT_RESUME : K_IPC_FAULT_OTHER;
		message.words[K_IPC_FAULT_PC] = (uintptr_t)is_refused;
		result = k_ipc_reply_receive(&page_faults, &message, K_FOREVER);
	}
}

static bool may_just(intptr_t expected)
{
	struct measure_window window;

	return measure_user_call(touches, &window) == expected && measure_user_was_user();
}

static int give(struct k_mem_partition *part)
{
	return k_mem_domain_add_partition(&k_mem_domain_default, part);
}

static int take(struct k_mem_partition *part)
{
	return k_mem_domain_remove_partition(&k_mem_domain_default, part);
}

static int protect(void)
{
	int result = take(&writable);

	return result != 0 ? result : give(&readable);
}

MEASURE_WINDOW(mapping, result = give(&writable))
MEASURE_WINDOW(protecting, result = protect())
MEASURE_WINDOW(unmapping, result = take(&writable))

static bool was_as_expected;

static void before_mapping(void)
{
	was_as_expected = may_just(NOTHING);
}

static void after_mapping(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "out_of_reach_before", was_as_expected);
	measure_witness(row, "reads_and_writes", result == 0 && may_just(READS_AND_WRITES));
	(void)take(&writable);
}

static void before_less(void)
{
	was_as_expected = give(&writable) == 0 && may_just(READS_AND_WRITES);
}

static void after_protecting(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "read_and_wrote_before", was_as_expected);
	measure_witness(row, "reads_only", result == 0 && may_just(READS));
	(void)take(&readable);
}

static void after_unmapping(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "read_and_wrote_before", was_as_expected);
	measure_witness(row, "out_of_reach", result == 0 && may_just(NOTHING));
}

static void set_gate(k_tid_t thread)
{
	(void)k_ipc_fault_gate_set(thread, &page_gate, K_FOREVER);
}

void measure_pages(void)
{
	load = loads;
	store = stores;
	measure_user_open(set_gate);
	(void)k_thread_create(&handler, handler_stack, K_THREAD_STACK_SIZEOF(handler_stack), handle,
			      NULL, NULL, NULL, k_thread_priority_get(k_current_get()) - 2, K_USER,
			      K_FOREVER);
	k_thread_access_grant(&handler, &page_faults);
	k_thread_start(&handler);
	measure_single(&(struct measure_operation){"page.map", "A page more in a domain", mapping,
						   before_mapping, after_mapping});
	measure_single(&(struct measure_operation){"page.protect",
						   "A page of a domain is only read from now on",
						   protecting, before_less, after_protecting});
	measure_single(&(struct measure_operation){"page.unmap", "A page of a domain taken away",
						   unmapping, before_less, after_unmapping});
	measure_user_close();
	k_thread_abort(&handler);
}
#else
void measure_pages(void)
{
}
#endif
