/* SPDX-License-Identifier: Apache-2.0 */
/* The report for people: threads, and how many objects of each type there are. */
#include "kernel/hooks/object.h"
#include "kernel/hooks/thread_cycles.h"

CALLS_DIRECTLY(k_thread_stack_space_get);

#define NAME_WIDTH 16

#ifdef CONFIG_THREAD_USAGE
static int add_thread(struct k_obj_core *core, void *sum)
{
	k_thread_runtime_stats_t stats;

	(void)k_thread_runtime_stats_get(CONTAINER_OF(core, struct k_thread, obj_core), &stats);
	*(uint64_t *)sum += stats.total_cycles;
	return 0;
}

/* A share is one of what the listed threads have executed by now: printing takes its time, too. */
static void print_usage(struct k_thread *thread)
{
	k_thread_runtime_stats_t stats;
	unsigned int per_mille;
	uint64_t all = 0;

	(void)k_thread_runtime_stats_get(thread, &stats);
	(void)k_obj_type_walk_locked(&obj_type_thread, add_thread, &all);
	per_mille = all == 0 ? 0 : (unsigned int)(stats.total_cycles * 1000U / all);
	printk(" %3u.%u %% %9u %12llu %12llu\n", per_mille / 10U, per_mille % 10U, stats.switches,
	       (unsigned long long)stats.average_cycles, (unsigned long long)stats.peak_cycles);
}

static void print_system(void)
{
	k_thread_runtime_stats_t stats;

	(void)k_thread_runtime_stats_all_get(&stats);
	printk("%llu cycles, %llu of them idle, %u times idle\n",
	       (unsigned long long)stats.execution_cycles, (unsigned long long)stats.idle_cycles,
	       stats.switches);
}
#else
static void print_usage(struct k_thread *thread)
{
	printk(" %7s %9s %12s %12s\n", "-", "-", "-", "-");
}

static void print_system(void)
{
}
#endif

static int print_thread(struct k_obj_core *core, void *data)
{
	struct k_thread *thread = CONTAINER_OF(core, struct k_thread, obj_core);
	const char *name = k_obj_core_name_get(core);
	char state[32];
	char stack[24];
	size_t unused;

	if (k_thread_stack_space_get(thread, &unused) == 0) {
		(void)snprintk(stack, sizeof(stack), "%u/%u",
			       (unsigned int)(thread->stack_size - unused),
			       (unsigned int)thread->stack_size);
	} else {
		(void)snprintk(stack, sizeof(stack), "-/%u", (unsigned int)thread->stack_size);
	}
	printk("%p %-*s %4d %-18s %11s", (void *)thread, NAME_WIDTH, name[0] == '\0' ? "-" : name,
	       (int)thread->prio, k_thread_state_str(thread, state, sizeof(state)), stack);
	print_usage(thread);
	return 0;
}

static int count_object(struct k_obj_core *core, void *count)
{
	++*(unsigned int *)count;
	return 0;
}

static void print_objects(void)
{
	static const uint32_t ids[] = {
		K_OBJ_TYPE_THREAD_ID,  K_OBJ_TYPE_SEM_ID,      K_OBJ_TYPE_MUTEX_ID,
		K_OBJ_TYPE_CONDVAR_ID, K_OBJ_TYPE_FIFO_ID,     K_OBJ_TYPE_LIFO_ID,
		K_OBJ_TYPE_STACK_ID,   K_OBJ_TYPE_EVENT_ID,    K_OBJ_TYPE_TIMER_ID,
		K_OBJ_TYPE_MSGQ_ID,    K_OBJ_TYPE_MEM_SLAB_ID, K_OBJ_TYPE_HEAP_ID,
		K_OBJ_TYPE_PIPE_ID,    K_OBJ_TYPE_MBOX_ID,     K_OBJ_TYPE_ENDPOINT_ID,
		K_OBJ_TYPE_GATE_ID,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(ids); i++) {
		unsigned int count = 0;

		(void)k_obj_type_walk_locked(k_obj_type_find(ids[i]), count_object, &count);
		printk("%s%c%c%c%c %u", i == 0 ? "objects: " : ", ", (char)(ids[i] >> 24),
		       (char)(ids[i] >> 16), (char)(ids[i] >> 8), (char)ids[i], count);
	}
	printk("\n");
}

void k_kernel_report(void)
{
	print_system();
	printk("%-10s %-*s %4s %-18s %11s %7s %9s %12s %12s\n", "thread", NAME_WIDTH, "name",
	       "prio", "state", "stack", "cpu", "switches", "average", "peak");
	(void)k_obj_type_walk_unlocked(&obj_type_thread, print_thread, NULL);
	print_objects();
}
