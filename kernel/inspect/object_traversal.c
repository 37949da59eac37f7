/* SPDX-License-Identifier: Apache-2.0 */
/* Traversing the lists of objects, and what walkers ask: names, threads, their states. */
#include "kernel/hooks/object.h"

int k_obj_type_walk_locked(struct k_obj_type *type, int (*func)(struct k_obj_core *, void *),
			   void *data)
{
	unsigned int key = arch_irq_lock();
	struct k_obj_core *core = type->objects;
	int result = 0;

	/* Bound: the objects of the type. */
	while (core != NULL && result == 0) {
		struct k_obj_core *next = core->next;

		result = func(core, data);
		core = next;
	}
	arch_irq_unlock(key);
	return result;
}

int k_obj_type_walk_unlocked(struct k_obj_type *type, int (*func)(struct k_obj_core *, void *),
			     void *data)
{
	struct k_obj_core *core = type->objects;
	int result = 0;

	/* Bound: the objects of the type. */
	while (core != NULL && result == 0) {
		struct k_obj_core *next = core->next;

		result = func(core, data);
		core = next;
	}
	return result;
}

static struct k_thread *thread_of(struct k_obj_core *core)
{
	return CONTAINER_OF(core, struct k_thread, obj_core);
}

const char *k_obj_core_name_get(const struct k_obj_core *core)
{
#ifdef CONFIG_THREAD_NAME
	if (core->type == &obj_type_thread) {
		return thread_of((struct k_obj_core *)(uintptr_t)core)->name;
	}
#endif
	return core->name == NULL ? "" : core->name;
}

struct visit {
	k_thread_user_cb_t user_cb;
	void *user_data;
};

static int visit_thread(struct k_obj_core *core, void *data)
{
	const struct visit *visit = data;

	visit->user_cb(thread_of(core), visit->user_data);
	return 0;
}

void k_thread_foreach(k_thread_user_cb_t user_cb, void *user_data)
{
	struct visit visit = {user_cb, user_data};

	(void)k_obj_type_walk_locked(&obj_type_thread, visit_thread, &visit);
}

void k_thread_foreach_unlocked(k_thread_user_cb_t user_cb, void *user_data)
{
	struct visit visit = {user_cb, user_data};

	(void)k_obj_type_walk_unlocked(&obj_type_thread, visit_thread, &visit);
}

#define NOT_READY (K_THREAD_PENDING | K_THREAD_PRESTART | K_THREAD_DEAD | K_THREAD_SUSPENDED)

/* What Zephyr 4.2 calls it; a thread that has not begun sleeps until it is started. */
const char *k_thread_state_str(k_tid_t thread, char *buf, size_t size)
{
	const unsigned int state = thread->state;
	const bool sleeps = (state & K_THREAD_PENDING) != 0 && thread->pended_on == NULL;
	const struct {
		bool holds;
		const char *name;
	} states[] = {
		{(state & K_THREAD_PENDING) != 0 && !sleeps, "pending"},
		{(state & K_THREAD_PRESTART) != 0 || sleeps, "sleeping"},
		{(state & K_THREAD_DEAD) != 0, "dead"},
		{(state & K_THREAD_SUSPENDED) != 0, "suspended"},
		{(state & NOT_READY) == 0, "queued"},
	};
	size_t used = 0;

	if (buf == NULL || size == 0) {
		return "";
	}
	buf[0] = '\0';
	for (unsigned int i = 0; i < ARRAY_SIZE(states); i++) {
		if (states[i].holds && used < size) {
			used += (size_t)snprintk(buf + used, size - used, "%s%s",
						 used == 0 ? "" : "+", states[i].name);
		}
	}
	return buf;
}
