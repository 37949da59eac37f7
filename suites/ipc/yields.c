/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Yielding to a thread of equal priority, and back: two switches, of the same domain and of two. Both calls are k_yield(),
 * and both threads have called it before; the other one's store between its two is in the figure, which is
 * how the row knows that it has run there.
 */
#include "ipc.h"

#ifdef CONFIG_USERSPACE
static K_SEM_DEFINE(begins, 0, 1);
static struct k_thread other;
static K_THREAD_STACK_DEFINE(other_stack, CONFIG_MEASURE_WAITER_STACK_SIZE);

static MEASURE_SHARED volatile uint32_t turns;
static MEASURE_SHARED volatile bool is_there;

MEASURE_WINDOW(yield, k_yield())

static void yields_back(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: the suite, which ends it. */
	while (k_sem_take(&begins, K_FOREVER) == 0) {
		is_there = domains_server_is_there();
		k_yield();
		turns = 1;
		k_yield();
	}
}

/* In the client: the other one is about to return from its first k_yield() when the window begins. */
static intptr_t yields(struct measure_window *window)
{
	k_sem_give(&begins);
	k_yield();
	(void)yield(window);
	return (intptr_t)turns;
}

static void grant(k_tid_t thread)
{
	k_thread_access_grant(thread, &begins);
}

static void before(void)
{
	turns = 0;
	is_there = false;
}

static void after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "switches", result == 1);
	measure_witness(row, "its_domain", is_there);
}

static void measure_yield(enum where where)
{
	static char id[32];

	domains_begin(where);
	(void)snprintk(id, sizeof(id), "yield.round.%s", where_names[where]);
	measure_user_open(grant);
	(void)k_thread_create(&other, other_stack, K_THREAD_STACK_SIZEOF(other_stack), yields_back,
			      NULL, NULL, NULL, k_thread_priority_get(measure_user_thread()),
			      K_USER, K_FOREVER);
	k_thread_access_grant(&other, &begins);
	domains_place_server(&other);
	k_thread_start(&other);
	measure_user_single(&(struct measure_operation){
		id, "A yield to another thread, and its yield back", yields, before, after});
	measure_user_close();
	k_thread_abort(&other);
}

void measure_yields(void)
{
	measure_yield(INTRA);
	measure_yield(INTER);
}
#else
void measure_yields(void)
{
}
#endif
