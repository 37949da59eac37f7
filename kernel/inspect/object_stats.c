/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics through object cores: the calls, and what threads and the system offer. */
#include <foliot/errno.h>
#include "kernel/hooks/object.h"
#include "kernel/hooks/thread_cycles.h"

int k_obj_core_stats_register(struct k_obj_core *core, void *stats, size_t len)
{
	if (core->type->stats_desc == NULL || stats == NULL) {
		return -ENOTSUP;
	}
	if (len != core->type->stats_desc->raw_size) {
		return -EINVAL;
	}
	core->stats = stats;
	return 0;
}

int k_obj_core_stats_deregister(struct k_obj_core *core)
{
	if (core->type->stats_desc == NULL) {
		return -ENOTSUP;
	}
	core->stats = NULL;
	return 0;
}

static const struct k_obj_core_stats_desc *desc_of(const struct k_obj_core *core)
{
	static const struct k_obj_core_stats_desc none;

	return core->type->stats_desc == NULL || core->stats == NULL ? &none
								     : core->type->stats_desc;
}

int k_obj_core_stats_raw(struct k_obj_core *core, void *stats, size_t len)
{
	const struct k_obj_core_stats_desc *desc = desc_of(core);
	unsigned int key;
	int result;

	if (desc->raw == NULL) {
		return -ENOTSUP;
	}
	if (len != desc->raw_size) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	result = desc->raw(core, stats);
	arch_irq_unlock(key);
	return result;
}

int k_obj_core_stats_query(struct k_obj_core *core, void *stats, size_t len)
{
	const struct k_obj_core_stats_desc *desc = desc_of(core);
	unsigned int key;
	int result;

	if (desc->query == NULL) {
		return -ENOTSUP;
	}
	if (len != desc->query_size) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	result = desc->query(core, stats);
	arch_irq_unlock(key);
	return result;
}

static int steer(struct k_obj_core *core, int (*function)(struct k_obj_core *core))
{
	unsigned int key;
	int result;

	if (function == NULL) {
		return -ENOTSUP;
	}
	key = arch_irq_lock();
	result = function(core);
	arch_irq_unlock(key);
	return result;
}

int k_obj_core_stats_reset(struct k_obj_core *core)
{
	return steer(core, desc_of(core)->reset);
}

int k_obj_core_stats_disable(struct k_obj_core *core)
{
	return steer(core, desc_of(core)->disable);
}

int k_obj_core_stats_enable(struct k_obj_core *core)
{
	return steer(core, desc_of(core)->enable);
}

/* ---- threads ---- */

static struct k_thread *thread_of(struct k_obj_core *core)
{
	return CONTAINER_OF(core, struct k_thread, obj_core);
}

static int thread_raw(struct k_obj_core *core, void *stats)
{
	usage_raw(thread_of(core), stats);
	return 0;
}

static int thread_query(struct k_obj_core *core, void *stats)
{
	return k_thread_runtime_stats_get(thread_of(core), stats);
}

static int thread_reset(struct k_obj_core *core)
{
	return k_thread_runtime_stats_reset(thread_of(core));
}

static int thread_disable(struct k_obj_core *core)
{
	return k_thread_runtime_stats_disable(thread_of(core));
}

static int thread_enable(struct k_obj_core *core)
{
	return k_thread_runtime_stats_enable(thread_of(core));
}

static const struct k_obj_core_stats_desc thread_stats = {
	.raw_size = sizeof(struct k_cycle_stats),
	.query_size = sizeof(k_thread_runtime_stats_t),
	.raw = thread_raw,
	.query = thread_query,
	.reset = thread_reset,
	.disable = thread_disable,
	.enable = thread_enable,
};

/* ---- the system: one processor, so "cpu0" and "kernel" tell the same ---- */

static int system_raw(struct k_obj_core *core, void *stats)
{
	usage_system_raw(stats);
	return 0;
}

static int system_query(struct k_obj_core *core, void *stats)
{
	return k_thread_runtime_stats_all_get(stats);
}

static int system_reset(struct k_obj_core *core)
{
	k_sys_runtime_stats_reset();
	return 0;
}

static int system_disable(struct k_obj_core *core)
{
	k_sys_runtime_stats_disable();
	return 0;
}

static int system_enable(struct k_obj_core *core)
{
	k_sys_runtime_stats_enable();
	return 0;
}

static const struct k_obj_core_stats_desc system_stats = {
	.raw_size = sizeof(struct k_cycle_stats),
	.query_size = sizeof(k_thread_runtime_stats_t),
	.raw = system_raw,
	.query = system_query,
	.reset = system_reset,
	.disable = system_disable,
	.enable = system_enable,
};

static void list_system(struct k_obj_type *type, uint32_t id, struct k_obj_core *core,
			const char *name)
{
	(void)k_obj_type_init(type, id, 0);
	type->stats_desc = &system_stats;
	object_list(core, type);
	core->name = name;
	core->stats = core; /* gathered in thread_cycles.c; not NULL says so */
}

void object_stats_start(void)
{
	static struct k_obj_type kernel_type;
	static struct k_obj_type cpu_type;
	static struct k_obj_core kernel_core;
	static struct k_obj_core cpu_core;

	obj_type_thread.stats_desc = &thread_stats;
	list_system(&kernel_type, K_OBJ_TYPE_KERNEL_ID, &kernel_core, "kernel");
	list_system(&cpu_type, K_OBJ_TYPE_CPU_ID, &cpu_core, "cpu0");
}
