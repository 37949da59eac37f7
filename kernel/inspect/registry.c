/* SPDX-License-Identifier: Apache-2.0 */
/* See registry.h. A list through the threads themselves; what leaves needs no search. */
#include "kernel/hooks/registry.h"

static struct k_thread *living;

void registry_add(struct k_thread *thread)
{
	unsigned int key = arch_irq_lock();

	for (const struct k_thread *other = living; other != NULL; other = other->registry_next) {
		K_ASSERT(other != thread, "create-over-a-live-thread");
	}
	thread->registry_next = living;
	thread->registry_link = &living;
	if (living != NULL) {
		living->registry_link = &thread->registry_next;
	}
	living = thread;
	arch_irq_unlock(key);
}

void registry_remove(struct k_thread *thread)
{
	*thread->registry_link = thread->registry_next;
	if (thread->registry_next != NULL) {
		thread->registry_next->registry_link = thread->registry_link;
	}
}
