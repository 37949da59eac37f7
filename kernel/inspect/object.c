/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Object cores: the types of the kernel's own objects, and their lists. A list is doubly
 * linked through the place that points to an object, so that leaving it needs no search;
 * only an init, which cannot know whether the memory it gets is listed, looks for it.
 */
#include "kernel/hooks/object.h"
#include "lib/also_link.h"

#if CONFIG_KERNEL_REPORT_MS > 0
ALSO_LINK(kernel_report_printed); /* a thread that nobody refers to */
#endif

#define TYPE(kind, type_id)                                             \
	struct k_obj_type obj_type_##kind = {                           \
		.id = (type_id),                                        \
		.obj_core_offset = offsetof(struct k_##kind, obj_core), \
	}

TYPE(condvar, K_OBJ_TYPE_CONDVAR_ID);
TYPE(event, K_OBJ_TYPE_EVENT_ID);
TYPE(fifo, K_OBJ_TYPE_FIFO_ID);
TYPE(heap, K_OBJ_TYPE_HEAP_ID);
TYPE(ipc_endpoint, K_OBJ_TYPE_ENDPOINT_ID);
TYPE(ipc_gate, K_OBJ_TYPE_GATE_ID);
TYPE(lifo, K_OBJ_TYPE_LIFO_ID);
TYPE(mem_slab, K_OBJ_TYPE_MEM_SLAB_ID);
TYPE(msgq, K_OBJ_TYPE_MSGQ_ID);
TYPE(mutex, K_OBJ_TYPE_MUTEX_ID);
TYPE(mbox, K_OBJ_TYPE_MBOX_ID);
TYPE(pipe, K_OBJ_TYPE_PIPE_ID);
TYPE(sem, K_OBJ_TYPE_SEM_ID);
TYPE(stack, K_OBJ_TYPE_STACK_ID);
TYPE(thread, K_OBJ_TYPE_THREAD_ID);
TYPE(timer, K_OBJ_TYPE_TIMER_ID);

static struct k_obj_type *types;

struct k_obj_type *k_obj_type_init(struct k_obj_type *type, uint32_t id, size_t obj_core_offset)
{
	unsigned int key = arch_irq_lock();

	type->objects = NULL;
	type->id = id;
	type->obj_core_offset = obj_core_offset;
	type->stats_desc = NULL;
	type->next = types;
	types = type;
	arch_irq_unlock(key);
	return type;
}

struct k_obj_type *k_obj_type_find(uint32_t id)
{
	struct k_obj_type *type = types;

	/* Bound: the types. */
	while (type != NULL && type->id != id) {
		type = type->next;
	}
	return type;
}

/* Bound: the objects of the type. */
static bool is_listed(const struct k_obj_core *core, const struct k_obj_type *type)
{
	const struct k_obj_core *listed = type->objects;

	while (listed != NULL && listed != core) {
		listed = listed->next;
	}
	return listed != NULL;
}

void object_forget(const struct k_obj_core *core, struct k_obj_type *type)
{
	unsigned int key = arch_irq_lock();

	if (is_listed(core, type)) {
		object_unlink_inline((struct k_obj_core *)(uintptr_t)core);
	}
	arch_irq_unlock(key);
}

void object_list(struct k_obj_core *core, struct k_obj_type *type)
{
	unsigned int key;

	k_obj_core_init(core, type);
	key = arch_irq_lock();
	object_link_inline(core, type);
	arch_irq_unlock(key);
}

void k_obj_core_init(struct k_obj_core *core, struct k_obj_type *type)
{
	*core = (struct k_obj_core){.type = type};
}

void k_obj_core_link(struct k_obj_core *core)
{
	unsigned int key = arch_irq_lock();

	if (!is_listed(core, core->type)) {
		object_link_inline(core, core->type);
	}
	arch_irq_unlock(key);
}

void k_obj_core_init_and_link(struct k_obj_core *core, struct k_obj_type *type)
{
	object_forget(core, type);
	object_list(core, type);
}

void k_obj_core_unlink(struct k_obj_core *core)
{
	unsigned int key = arch_irq_lock();

	if (core->link != NULL) {
		object_unlink_inline(core);
	}
	arch_irq_unlock(key);
}

void k_obj_core_name_set(struct k_obj_core *core, const char *name)
{
	core->name = name;
}

void object_start(void)
{
	static struct k_obj_type *const own[] = {
		&obj_type_timer, &obj_type_thread,   &obj_type_stack,    &obj_type_sem,
		&obj_type_pipe,  &obj_type_mbox,     &obj_type_mutex,    &obj_type_msgq,
		&obj_type_lifo,  &obj_type_mem_slab, &obj_type_heap,     &obj_type_fifo,
		&obj_type_event, &obj_type_condvar,  &obj_type_ipc_gate, &obj_type_ipc_endpoint,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(own); i++) {
		own[i]->next = types;
		types = own[i];
	}
	STRUCT_SECTION_FOREACH(obj_core_static, obj_core_static, object) {
		object_list(object->core, object->type);
		object->core->name = object->name;
	}
}
