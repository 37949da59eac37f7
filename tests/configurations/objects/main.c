/* SPDX-License-Identifier: Apache-2.0 */
/* Object cores and statistics: what is listed, found, named, counted and switched off. */
#include <board.h>
#include "test.h"

K_SEM_DEFINE(static_sem, 0, 1);
static K_MUTEX_DEFINE(static_mutex);
static K_FIFO_DEFINE(static_fifo);
K_STACK_DEFINE(static_stack, 4);
K_MSGQ_DEFINE(static_msgq, 4, 4, 4);
K_MEM_SLAB_DEFINE(static_slab, 8, 4, 8);
static K_CONDVAR_DEFINE(static_condvar);
static K_EVENT_DEFINE(static_event);
static K_TIMER_DEFINE(static_timer, NULL, NULL);
static K_LIFO_DEFINE(static_lifo);
K_IPC_ENDPOINT_DEFINE(static_endpoint);
K_IPC_GATE_DEFINE(static_gate, &static_endpoint, 7);

static struct k_thread other;
static K_THREAD_STACK_DEFINE(other_stack, 1024);

struct search {
	const void *object;
	unsigned int found;
	unsigned int all;
	const char *name;
};

static int look_for(struct k_obj_core *core, void *data)
{
	struct search *search = data;

	search->all++;
	if ((const char *)core - core->type->obj_core_offset == (const char *)search->object) {
		search->found++;
		search->name = k_obj_core_name_get(core);
	}
	return 0;
}

static struct search search(uint32_t type, const void *object)
{
	struct search result = {.object = object, .name = "?"};

	CHECK(k_obj_type_find(type) != NULL);
	CHECK(k_obj_type_walk_locked(k_obj_type_find(type), look_for, &result) == 0);
	return result;
}

static bool same(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static void check_static(uint32_t type, const void *object, const char *name)
{
	struct search result = search(type, object);

	CHECK(result.found == 1);
	CHECK(same(result.name, name));
}

static int stop_at_once(struct k_obj_core *core, void *data)
{
	++*(int *)data;
	return 42;
}

TEST(objects_of_every_type_are_listed)
{
	static struct k_sem dynamic;
	unsigned int before = search(K_OBJ_TYPE_SEM_ID, NULL).all;
	int calls = 0;

	check_static(K_OBJ_TYPE_SEM_ID, &static_sem, "static_sem");
	check_static(K_OBJ_TYPE_MUTEX_ID, &static_mutex, "static_mutex");
	check_static(K_OBJ_TYPE_FIFO_ID, &static_fifo, "static_fifo");
	check_static(K_OBJ_TYPE_LIFO_ID, &static_lifo, "static_lifo");
	check_static(K_OBJ_TYPE_STACK_ID, &static_stack, "static_stack");
	check_static(K_OBJ_TYPE_MSGQ_ID, &static_msgq, "static_msgq");
	check_static(K_OBJ_TYPE_MEM_SLAB_ID, &static_slab, "static_slab");
	check_static(K_OBJ_TYPE_CONDVAR_ID, &static_condvar, "static_condvar");
	check_static(K_OBJ_TYPE_EVENT_ID, &static_event, "static_event");
	check_static(K_OBJ_TYPE_TIMER_ID, &static_timer, "static_timer");
	check_static(K_OBJ_TYPE_HEAP_ID, k_system_heap(), "system_heap");
	check_static(K_OBJ_TYPE_ENDPOINT_ID, &static_endpoint, "static_endpoint");
	check_static(K_OBJ_TYPE_GATE_ID, &static_gate, "static_gate");

	CHECK(k_sem_init(&dynamic, 0, 1) == 0);
	CHECK(search(K_OBJ_TYPE_SEM_ID, &dynamic).found == 1);
	CHECK(k_sem_init(&dynamic, 1, 1) == 0); /* once more: listed once all the same */
	CHECK(k_sem_init(&static_sem, 0, 1) == 0);
	CHECK(search(K_OBJ_TYPE_SEM_ID, &dynamic).found == 1);
	CHECK(search(K_OBJ_TYPE_SEM_ID, &static_sem).found == 1);
	CHECK(search(K_OBJ_TYPE_SEM_ID, NULL).all == before + 1);
	k_obj_core_name_set(K_OBJ_CORE(&dynamic), "mine");
	CHECK(same(search(K_OBJ_TYPE_SEM_ID, &dynamic).name, "mine"));
	k_obj_core_unlink(K_OBJ_CORE(&dynamic));
	k_obj_core_unlink(K_OBJ_CORE(&dynamic));
	CHECK(search(K_OBJ_TYPE_SEM_ID, NULL).all == before);
	k_obj_core_link(K_OBJ_CORE(&dynamic));
	CHECK(search(K_OBJ_TYPE_SEM_ID, &dynamic).found == 1);

	CHECK(k_obj_type_find(K_OBJ_TYPE_ID_GEN("none")) == NULL);
	CHECK(k_obj_type_walk_unlocked(k_obj_type_find(K_OBJ_TYPE_SEM_ID), stop_at_once, &calls) ==
	      42);
	CHECK(calls == 1);
	CHECK(search(K_OBJ_TYPE_KERNEL_ID, NULL).all == 1);
	CHECK(search(K_OBJ_TYPE_CPU_ID, NULL).all == 1);
}

TEST(endpoints_and_gates_that_are_made_are_listed_but_nothing_within_them)
{
	static struct k_ipc_endpoint endpoint;
	static struct k_ipc_gate gate;
	unsigned int mutexes = search(K_OBJ_TYPE_MUTEX_ID, NULL).all;

	k_ipc_endpoint_init(&endpoint);
	k_ipc_gate_init(&gate, &endpoint, 1);
	k_ipc_endpoint_init(&endpoint); /* once more: listed once all the same */
	k_ipc_gate_init(&gate, &endpoint, 2);
	CHECK(search(K_OBJ_TYPE_ENDPOINT_ID, &endpoint).found == 1);
	CHECK(search(K_OBJ_TYPE_GATE_ID, &gate).found == 1);
	CHECK(search(K_OBJ_TYPE_MUTEX_ID, NULL).all == mutexes);
	k_obj_core_unlink(K_OBJ_CORE(&endpoint));
	k_obj_core_unlink(K_OBJ_CORE(&gate));
	CHECK(search(K_OBJ_TYPE_ENDPOINT_ID, &endpoint).found == 0);
	CHECK(search(K_OBJ_TYPE_GATE_ID, &gate).found == 0);
}

TEST(an_own_type_is_listed_too)
{
	static struct thing {
		int value;
		struct k_obj_core obj_core;
	} thing;
	static struct k_obj_type type;
	uint32_t id = K_OBJ_TYPE_ID_GEN("MINE");

	CHECK(k_obj_type_init(&type, id, offsetof(struct thing, obj_core)) == &type);
	k_obj_core_init_and_link(K_OBJ_CORE(&thing), &type);
	CHECK(search(id, &thing).found == 1);
	CHECK(k_obj_core_stats_reset(K_OBJ_CORE(&thing)) == -ENOTSUP);
}

/* Linked twice, it is listed once; and a look through all may be stopped, masked too. */
TEST(objects_that_are_linked_twice_are_listed_once)
{
	static struct k_sem sem;
	unsigned int before = search(K_OBJ_TYPE_SEM_ID, NULL).all;
	int calls = 0;

	CHECK(k_sem_init(&sem, 0, 1) == 0);
	k_obj_core_link(K_OBJ_CORE(&sem));
	k_obj_core_link(K_OBJ_CORE(&static_sem));
	CHECK(search(K_OBJ_TYPE_SEM_ID, NULL).all == before + 1);
	CHECK(search(K_OBJ_TYPE_SEM_ID, &sem).found == 1);
	k_obj_core_unlink(K_OBJ_CORE(&sem));
	CHECK(search(K_OBJ_TYPE_SEM_ID, NULL).all == before);
	CHECK(k_obj_type_walk_locked(k_obj_type_find(K_OBJ_TYPE_SEM_ID), stop_at_once, &calls) ==
	      42);
	CHECK(calls == 1);
}

TEST(statistics_are_refused_where_there_are_none)
{
	struct k_obj_core *mutex = K_OBJ_CORE(&static_mutex); /* of a type that has none */
	struct k_obj_core *thread = K_OBJ_CORE(k_current_get());
	void *own = thread->stats;
	k_thread_runtime_stats_t query;
	struct k_cycle_stats raw;

	CHECK(k_obj_core_stats_register(mutex, &raw, sizeof(raw)) == -ENOTSUP);
	CHECK(k_obj_core_stats_deregister(mutex) == -ENOTSUP);
	CHECK(k_obj_core_stats_raw(mutex, &raw, sizeof(raw)) == -ENOTSUP);
	CHECK(k_obj_core_stats_query(mutex, &query, sizeof(query)) == -ENOTSUP);
	CHECK(k_obj_core_stats_disable(mutex) == -ENOTSUP);
	CHECK(k_obj_core_stats_enable(mutex) == -ENOTSUP);
	CHECK(k_obj_core_stats_register(thread, NULL, sizeof(raw)) == -ENOTSUP);
	CHECK(k_obj_core_stats_register(thread, &raw, sizeof(raw) - 1) == -EINVAL);
	CHECK(thread->stats == own);
	CHECK(k_obj_core_stats_query(thread, &query, sizeof(query) - 1) == -EINVAL);
	CHECK(k_obj_core_stats_deregister(thread) == 0);
	CHECK(k_obj_core_stats_raw(thread, &raw, sizeof(raw)) == -ENOTSUP);
	CHECK(k_obj_core_stats_reset(thread) == -ENOTSUP);
	CHECK(k_obj_core_stats_register(thread, own, sizeof(raw)) == 0);
	CHECK(k_obj_core_stats_raw(thread, &raw, sizeof(raw)) == 0);
}

/* ---- threads ---- */

static void nothing(void *p1, void *p2, void *p3)
{
}

static void count_thread(const struct k_thread *thread, void *data)
{
	((struct search *)data)->all++;
	((struct search *)data)->found += thread == ((struct search *)data)->object;
}

static struct search threads(void)
{
	struct search result = {.object = &other};

	k_thread_foreach(count_thread, &result);
	return result;
}

static void create_other(k_thread_entry_t entry, int prio)
{
	(void)k_thread_create(&other, other_stack, K_THREAD_STACK_SIZEOF(other_stack), entry, NULL,
			      NULL, NULL, prio, 0, K_FOREVER);
}

TEST(threads_are_listed_from_creation_to_their_end)
{
	char state[32];

	k_thread_priority_set(k_current_get(), 4);
	CHECK(threads().all == 2 && threads().found == 0); /* main and idle */
	create_other(nothing, 5);
	(void)k_thread_name_set(&other, "other");
	CHECK(threads().all == 3 && threads().found == 1);
	CHECK(same(search(K_OBJ_TYPE_THREAD_ID, &other).name, "other"));
	CHECK(same(k_thread_state_str(&other, state, sizeof(state)), "sleeping"));
	k_thread_suspend(&other);
	CHECK(same(k_thread_state_str(&other, state, sizeof(state)), "sleeping+suspended"));
	CHECK(same(k_thread_state_str(&other, state, 5), "slee"));
	CHECK(same(k_thread_state_str(k_current_get(), state, sizeof(state)), "queued"));
	CHECK(same(k_thread_state_str(&other, state, 0), ""));
	CHECK(same(k_thread_state_str(&other, NULL, 9), ""));
	k_thread_abort(&other); /* never started */
	CHECK(threads().all == 2 && threads().found == 0);
	create_other(nothing, 5);
	k_thread_start(&other);
	k_thread_abort(&other); /* ready */
	CHECK(threads().all == 2);
	create_other(nothing, 5);
	k_thread_start(&other);
	CHECK(k_thread_join(&other, K_FOREVER) == 0); /* came to its end */
	CHECK(threads().all == 2);
}

/* Its end looks for it in no list; and made anew, it is listed again. */
TEST(a_thread_that_was_taken_out_of_the_list_may_end)
{
	k_thread_priority_set(k_current_get(), 4);
	for (int ends = 0; ends < 3; ends++) {
		create_other(nothing, 5);
		k_obj_core_unlink(K_OBJ_CORE(&other));
		k_obj_core_unlink(K_OBJ_CORE(&other));
		CHECK(threads().all == 2 && threads().found == 0);
		if (ends != 0) {
			k_thread_start(&other);
		}
		if (ends == 1) {
			k_thread_abort(&other); /* ready */
		} else if (ends == 2) {
			CHECK(k_thread_join(&other, K_FOREVER) == 0);
		}
		k_thread_abort(&other); /* never started, or ended already */
		CHECK(threads().all == 2 && threads().found == 0);
		create_other(nothing, 5);
		CHECK(threads().all == 3 && threads().found == 1);
		k_thread_abort(&other);
	}
}

static void waits(void *object, void *p2, void *p3)
{
	if (object == NULL) {
		k_sleep(K_FOREVER);
	} else {
		(void)k_sem_take(object, K_TICKS(1000));
	}
}

static bool is_in_state(const char *expected)
{
	char state[32];

	return same(k_thread_state_str(&other, state, sizeof(state)), expected);
}

TEST(threads_that_wait_are_pending_or_asleep)
{
	static struct k_sem sem;

	CHECK(k_sem_init(&sem, 0, 1) == 0);
	for (int sleeps = 0; sleeps < 2; sleeps++) {
		(void)k_thread_create(&other, other_stack, K_THREAD_STACK_SIZEOF(other_stack),
				      waits, sleeps ? NULL : &sem, NULL, NULL, -1, 0, K_NO_WAIT);
		k_sleep(K_TICKS(1));
		CHECK(is_in_state(sleeps ? "sleeping" : "pending"));
		k_thread_suspend(&other);
		CHECK(is_in_state(sleeps ? "sleeping+suspended" : "pending+suspended"));
		k_sem_give(&sem);
		k_wakeup(&other);
		CHECK(is_in_state("suspended"));
		k_kernel_report();
		k_thread_resume(&other);
		CHECK(is_in_state("dead"));
	}
}

TEST(a_block_that_was_never_a_threads_has_no_stack)
{
	static struct k_thread none;
	size_t unused = 5;

	CHECK(k_thread_stack_space_get(&none, &unused) == -EINVAL);
	CHECK(unused == 5);
}

/* ---- what they execute ---- */

static volatile uint32_t spins;

static void spin(uint32_t rounds)
{
	for (uint32_t i = 0; i < rounds; i++) {
		spins += k_cycle_get_32(); /* on the host, time passes by asking for it */
	}
}

/* Known work, between waits for two gives. */
static void work(void *p1, void *p2, void *p3)
{
	for (;;) {
		(void)k_sem_take(&static_sem, K_FOREVER);
		spin(2000);
	}
}

static k_thread_runtime_stats_t stats_of(k_tid_t thread)
{
	k_thread_runtime_stats_t stats;

	CHECK(k_thread_runtime_stats_get(thread, &stats) == 0);
	return stats;
}

TEST(threads_count_what_they_execute)
{
	k_thread_runtime_stats_t first, second, third;
	struct k_cycle_stats raw;

	create_other(work, -1);
	k_thread_start(&other);
	first = stats_of(&other);
	CHECK(first.switches == 1 && first.current_cycles == first.execution_cycles);
	k_sem_give(&static_sem);
	second = stats_of(&other);
	CHECK(second.switches == 2);
	CHECK(second.execution_cycles >= first.execution_cycles + 2000);
	CHECK(second.peak_cycles >= 2000 && second.peak_cycles <= second.execution_cycles);
	CHECK(second.average_cycles == second.execution_cycles / 2);
	CHECK(second.current_cycles == second.execution_cycles - first.execution_cycles);
	k_sem_give(&static_sem);
	third = stats_of(&other);
	/* The same work twice costs about the same. */
	CHECK(third.execution_cycles - second.execution_cycles <
	      (second.execution_cycles - first.execution_cycles) * 3 / 2);

	CHECK(k_thread_runtime_stats_disable(&other) == 0);
	CHECK(!k_thread_runtime_stats_is_enabled(&other));
	third = stats_of(&other);
	CHECK(third.current_cycles >= 2000);
	k_sem_give(&static_sem);
	CHECK(stats_of(&other).execution_cycles == third.execution_cycles);
	CHECK(stats_of(&other).current_cycles == third.current_cycles);
	CHECK(stats_of(&other).switches == third.switches);
	CHECK(k_thread_runtime_stats_enable(&other) == 0);
	CHECK(stats_of(&other).current_cycles == 0);
	k_sem_give(&static_sem);
	CHECK(stats_of(&other).switches == third.switches + 1);
	CHECK(stats_of(&other).execution_cycles > third.execution_cycles);

	CHECK(k_obj_core_stats_raw(K_OBJ_CORE(&other), &raw, sizeof(raw)) == 0);
	CHECK(raw.total == stats_of(&other).execution_cycles && raw.track_usage);
	CHECK(raw.num_windows == third.switches + 1);
	CHECK(k_obj_core_stats_query(K_OBJ_CORE(&other), &first, sizeof(first)) == 0);
	CHECK(first.execution_cycles == raw.total);
	CHECK(k_obj_core_stats_raw(K_OBJ_CORE(&other), &raw, 1) == -EINVAL);
	CHECK(k_obj_core_stats_disable(K_OBJ_CORE(&other)) == 0);
	CHECK(!k_thread_runtime_stats_is_enabled(&other));
	CHECK(k_obj_core_stats_enable(K_OBJ_CORE(&other)) == 0);
	CHECK(k_obj_core_stats_reset(K_OBJ_CORE(&other)) == 0);
	CHECK(stats_of(&other).execution_cycles == 0 && stats_of(&other).switches == 0);
	CHECK(k_obj_core_stats_deregister(K_OBJ_CORE(&other)) == 0);
	CHECK(k_obj_core_stats_query(K_OBJ_CORE(&other), &first, sizeof(first)) == -ENOTSUP);
	CHECK(k_obj_core_stats_register(K_OBJ_CORE(&other), &raw, sizeof(raw)) == 0);
	CHECK(k_thread_runtime_stats_get(NULL, &first) == -EINVAL);
	CHECK(stats_of(k_current_get()).current_cycles > 0);
	k_thread_abort(&other);
}

static void find_idle(const struct k_thread *thread, void *found)
{
	if (thread->prio == K_IDLE_PRIO) {
		*(k_tid_t *)found = (k_tid_t)(uintptr_t)thread;
	}
}

/* The first of all: when nobody has executed anything yet that counts. */
TEST(a_bare_report_divides_by_nothing)
{
	CHECK(k_thread_runtime_stats_disable(k_current_get()) == 0);
	CHECK(k_thread_runtime_stats_reset(k_current_get()) == 0);
	CHECK(stats_of(k_current_get()).execution_cycles == 0);
	CHECK(stats_of(k_current_get()).average_cycles == 0);
	k_kernel_report();
	CHECK(k_thread_runtime_stats_enable(k_current_get()) == 0);
}

TEST(gathering_is_steered_of_threads_but_not_of_none_nor_of_the_idle_one)
{
	k_thread_runtime_stats_t stats;
	k_tid_t idle = NULL;
	uint32_t switches;

	k_thread_foreach(find_idle, &idle);
	CHECK(k_thread_runtime_stats_enable(NULL) == -EINVAL);
	CHECK(k_thread_runtime_stats_disable(NULL) == -EINVAL);
	CHECK(k_thread_runtime_stats_reset(NULL) == -EINVAL);
	CHECK(k_thread_runtime_stats_enable(idle) == -EINVAL);
	CHECK(k_thread_runtime_stats_disable(idle) == -EINVAL);
	CHECK(k_thread_runtime_stats_reset(idle) == -EINVAL);
	CHECK(k_thread_runtime_stats_is_enabled(idle));
	CHECK(k_thread_runtime_stats_get(idle, NULL) == -EINVAL);
	CHECK(k_thread_runtime_stats_all_get(NULL) == -EINVAL);
	CHECK(k_thread_runtime_stats_cpu_get(1, &stats) == -EINVAL);
	CHECK(k_thread_runtime_stats_cpu_get(-1, &stats) == -EINVAL);
	/* The longest window stays the longest, though one that is shorter is open. */
	spin(3000);
	k_sleep(K_TICKS(1));
	CHECK(k_thread_runtime_stats_disable(k_current_get()) == 0);
	CHECK(stats_of(k_current_get()).peak_cycles >= 3000);
	CHECK(stats_of(k_current_get()).current_cycles < 3000);
	CHECK(k_thread_runtime_stats_enable(k_current_get()) == 0);
	CHECK(stats_of(k_current_get()).peak_cycles >= 3000);
	/* What is on already, or off, stays as it is, and no window begins. */
	create_other(work, -1);
	k_thread_start(&other);
	k_sem_give(&static_sem);
	switches = stats_of(&other).switches;
	CHECK(k_thread_runtime_stats_enable(&other) == 0);
	CHECK(stats_of(&other).switches == switches);
	for (int i = 0; i < 2; i++) {
		CHECK(k_thread_runtime_stats_disable(&other) == 0);
		CHECK(stats_of(&other).switches == switches);
		k_sem_give(&static_sem);
	}
	k_thread_abort(&other);
	CHECK(k_thread_runtime_stats_all_get(&stats) == 0);
	switches = stats.switches;
	k_sys_runtime_stats_enable();
	CHECK(k_thread_runtime_stats_all_get(&stats) == 0);
	CHECK(stats.switches == switches);
	k_sys_runtime_stats_disable();
	k_sleep(K_TICKS(1)); /* a window of the system ends, which does not count */
	CHECK(k_thread_runtime_stats_all_get(&stats) == 0);
	CHECK(stats.switches == switches);
	k_sys_runtime_stats_enable();
}

#if __STDC_HOSTED__ /* elsewhere that takes minutes */
#include <host.h>

#define BEYOND 0x280000000ULL /* counts: over two wraps of the counter */

static void spins_beyond_a_wrap(void *p1, void *p2, void *p3)
{
	(void)k_sem_take(&static_sem, K_FOREVER);
	for (uint64_t passed = 0; passed < BEYOND; passed += 1U << 20) {
		host_advance(1U << 20);
	}
	CHECK(stats_of(&other).current_cycles >= BEYOND); /* its own, while it goes on */
	(void)k_sem_take(&static_sem, K_FOREVER);
	spin(10);
	CHECK(stats_of(&other).current_cycles < 1000);
	for (int i = 0; i < 1 << 10; i++) {
		host_advance(1U << 20); /* long again, but not as long */
	}
	(void)k_sem_take(&static_sem, K_FOREVER);
}

/* The part before the last look at the counter is kept of the window that was last. */
TEST(a_window_may_be_longer_than_the_counter_is_wide)
{
	k_thread_runtime_stats_t stats;

	create_other(spins_beyond_a_wrap, -1);
	k_thread_start(&other);
	k_sem_give(&static_sem);
	stats = stats_of(&other);
	CHECK(stats.current_cycles >= BEYOND && stats.current_cycles < BEYOND + (1U << 21));
	CHECK(stats.peak_cycles >= BEYOND && stats.execution_cycles >= BEYOND);
	CHECK(k_thread_runtime_stats_disable(&other) == 0);
	CHECK(stats_of(&other).current_cycles == stats.current_cycles);
	CHECK(stats_of(&other).peak_cycles == stats.peak_cycles);
	CHECK(k_thread_runtime_stats_enable(&other) == 0);
	k_sem_give(&static_sem);
	CHECK(stats_of(&other).current_cycles < BEYOND / 2);
	/* The longest that 32 bits hold. */
	CHECK(stats_of(&other).peak_cycles == UINT32_MAX);
	k_thread_abort(&other);
}
#endif

/* Before anybody has slept: tests run in the order of their names. */
TEST(a_first_window_ends_where_the_system_idles_first)
{
	k_thread_runtime_stats_t before, after, later;

	spin(5000);
	CHECK(k_thread_runtime_stats_all_get(&before) == 0);
	CHECK(before.switches == 0 && before.average_cycles == 0);
	CHECK(before.current_cycles == before.total_cycles);
	k_sleep(K_TICKS(1));
	CHECK(k_thread_runtime_stats_all_get(&after) == 0);
	CHECK(after.switches == 1 && after.average_cycles == after.total_cycles);
	CHECK(after.peak_cycles >= before.current_cycles);
	CHECK(after.current_cycles < before.current_cycles);
	spin(100);
	k_sleep(K_TICKS(1));
	CHECK(k_thread_runtime_stats_all_get(&later) == 0);
	CHECK(later.switches == 2 && later.average_cycles == later.total_cycles / 2);
	CHECK(later.peak_cycles == after.peak_cycles);
}

static k_thread_runtime_stats_t stats_of_all(void)
{
	k_thread_runtime_stats_t stats;

	CHECK(k_thread_runtime_stats_all_get(&stats) == 0);
	return stats;
}

/* The window that was open is the longest: it stays that, whoever asks. */
TEST(peaks_do_not_fall_when_gathering_stops)
{
	const uint32_t long_enough = 20000;
	k_thread_runtime_stats_t before, own;
	uint32_t switches;

	k_sys_runtime_stats_reset();
	CHECK(k_thread_runtime_stats_reset(k_current_get()) == 0);
	spin(long_enough);
	before = stats_of_all();
	own = stats_of(k_current_get());
	CHECK(before.peak_cycles == before.current_cycles);
	switches = own.switches;
	CHECK(k_thread_runtime_stats_disable(k_current_get()) == 0);
	k_sys_runtime_stats_disable();
	CHECK(stats_of_all().peak_cycles >= before.peak_cycles);
	CHECK(stats_of(k_current_get()).peak_cycles >= own.peak_cycles);
	k_sys_runtime_stats_enable();
	CHECK(k_thread_runtime_stats_enable(k_current_get()) == 0);
	CHECK(stats_of_all().peak_cycles >= before.peak_cycles);
	CHECK(stats_of_all().current_cycles < long_enough);
	CHECK(stats_of_all().switches == before.switches + 1);
	CHECK(stats_of(k_current_get()).peak_cycles >= own.peak_cycles);
	CHECK(stats_of(k_current_get()).switches == switches + 1);
}

TEST(the_system_counts_what_all_execute)
{
	k_thread_runtime_stats_t before, after;

	CHECK(k_thread_runtime_stats_all_get(&before) == 0);
	CHECK(before.execution_cycles == before.total_cycles + before.idle_cycles);
	k_sleep(K_TICKS(3));
	CHECK(k_thread_runtime_stats_all_get(&after) == 0);
	/* Three ticks at least have passed, nearly all of them idle. */
	CHECK(after.execution_cycles - before.execution_cycles >=
	      3ULL * BOARD_CLOCK_HZ / CONFIG_SYS_CLOCK_TICKS_PER_SEC);
	CHECK((after.idle_cycles - before.idle_cycles) * 10 >
	      (after.execution_cycles - before.execution_cycles) * 7);
	k_sleep(K_TICKS(2));
	CHECK(k_thread_runtime_stats_all_get(&after) == 0);
	CHECK(after.switches > before.switches);
	CHECK(after.peak_cycles > 0 && after.average_cycles > 0);

	spin(100);
	CHECK(k_thread_runtime_stats_all_get(&after) == 0);
	CHECK(after.peak_cycles >= after.current_cycles);
	k_sys_runtime_stats_disable();
	CHECK(k_thread_runtime_stats_all_get(&before) == 0);
	CHECK(before.current_cycles >= after.current_cycles);
	spin(100);
	CHECK(k_thread_runtime_stats_cpu_get(0, &after) == 0);
	CHECK(after.execution_cycles == before.execution_cycles);
	CHECK(after.current_cycles == before.current_cycles);
	k_sys_runtime_stats_enable();
	spin(100);
	CHECK(k_thread_runtime_stats_all_get(&after) == 0);
	CHECK(after.execution_cycles >= before.execution_cycles + 100);
	k_sys_runtime_stats_reset();
	CHECK(k_thread_runtime_stats_all_get(&after) == 0);
	CHECK(after.execution_cycles < before.execution_cycles);
	/* Never idle since: the window is all there was, and the longest. */
	CHECK(after.current_cycles == after.total_cycles);
	CHECK(after.peak_cycles == after.current_cycles);
}

TEST(the_report_lists_without_harm)
{
	k_kernel_report();
}
