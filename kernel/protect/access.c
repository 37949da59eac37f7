/* SPDX-License-Identifier: Apache-2.0 */
/* The table of objects that user threads use, who may use which, and their memory: see access.h. */
#include "kernel/protect/access.h"
#include "kernel/protect/domain.h"
#include "kernel/protect/user.h"

BUILD_ASSERT(CONFIG_USER_OBJECTS % 32 == 0, "CONFIG_USER_OBJECTS is counted in words of bits");

struct object_entry object_table[CONFIG_USER_OBJECTS];

static const uint8_t tag_offsets[K_OBJ_LAST_] = {
	[K_OBJ_CONDVAR] = OBJECT_TAG_OFFSET(struct k_condvar),
	[K_OBJ_EVENT] = OBJECT_TAG_OFFSET(struct k_event),
	[K_OBJ_MSGQ] = OBJECT_TAG_OFFSET(struct k_msgq),
	[K_OBJ_MUTEX] = OBJECT_TAG_OFFSET(struct k_mutex),
	[K_OBJ_QUEUE] = OBJECT_TAG_OFFSET(struct k_queue),
	[K_OBJ_SEM] = OBJECT_TAG_OFFSET(struct k_sem),
	[K_OBJ_STACK] = OBJECT_TAG_OFFSET(struct k_stack),
	[K_OBJ_TIMER] = OBJECT_TAG_OFFSET(struct k_timer),
	/* A thread's offset may be larger than a byte holds; a stack has its tag in front. */
};

static const uint16_t sizes[K_OBJ_LAST_] = {
	[K_OBJ_CONDVAR] = sizeof(struct k_condvar), [K_OBJ_EVENT] = sizeof(struct k_event),
	[K_OBJ_MSGQ] = sizeof(struct k_msgq),       [K_OBJ_MUTEX] = sizeof(struct k_mutex),
	[K_OBJ_QUEUE] = sizeof(struct k_queue),     [K_OBJ_SEM] = sizeof(struct k_sem),
	[K_OBJ_STACK] = sizeof(struct k_stack),     [K_OBJ_THREAD] = sizeof(struct k_thread),
	[K_OBJ_TIMER] = sizeof(struct k_timer),     [K_OBJ_THREAD_STACK_ELEMENT] = 1,
};

static size_t tag_offset(unsigned int kind)
{
	return kind == K_OBJ_THREAD ? OBJECT_TAG_OFFSET(struct k_thread) : tag_offsets[kind];
}

static struct k_object_tag *tag_of(const void *object, unsigned int kind)
{
	return (struct k_object_tag *)((uintptr_t)object + tag_offset(kind));
}

void user_violation(const char *what)
{
	fatal_raise(K_ERR_KERNEL_OOPS, what);
}

/* ---- objects ---- */

/* Its entry, if it is known. A walk where the kind is not. Interrupts masked. */
static struct object_entry *find(const void *object, unsigned int kind)
{
	if (object == NULL || kind >= K_OBJ_LAST_) {
		return NULL;
	}
	if (kind != K_OBJ_ANY) {
		struct object_entry *entry = object_entry_at(object, tag_offset(kind));

		return entry != NULL && (entry->kind & ~OBJECT_NOT_READY) == kind ? entry : NULL;
	}
	/* Bound: CONFIG_USER_OBJECTS. */
	for (unsigned int i = 0; i < CONFIG_USER_OBJECTS; i++) {
		if (object_table[i].object == object) {
			return &object_table[i];
		}
	}
	return NULL;
}

static struct object_entry *find_free(void)
{
	/* Bound: CONFIG_USER_OBJECTS. */
	for (unsigned int i = 0; i < CONFIG_USER_OBJECTS; i++) {
		if (object_table[i].object == NULL) {
			return &object_table[i];
		}
	}
	return NULL;
}

static bool is_in_ram(uintptr_t start, size_t size)
{
	return start % sizeof(uint32_t) == 0 && start - BOARD_RAM_BASE <= BOARD_RAM_SIZE - size;
}

/* An entry for an object that kernel code names for the first time. Interrupts masked. */
static int make_known(const void *object, unsigned int kind, size_t size,
		      struct object_entry **made)
{
	struct object_entry *entry;
	struct k_object_tag *tag;
	bool is_ready;

	if (kind == K_OBJ_ANY || kind >= K_OBJ_LAST_) {
		return -EINVAL;
	}
	if (kind == K_OBJ_THREAD_STACK_ELEMENT) {
		size_t reserved = user_stack_reserved(object);

		if (reserved == 0 || size <= reserved) {
			return -EINVAL;
		}
		size -= reserved;
	} else if (!is_in_ram((uintptr_t)object, sizes[kind]) ||
		   domain_reaches((uintptr_t)object, sizes[kind])) {
		return -EINVAL;
	}
	entry = find_free();
	if (entry == NULL) {
		return -ENOMEM;
	}
	tag = tag_of(object, kind);
	tag->index = (uint16_t)(entry - object_table);
	is_ready = tag->is_ready == (kind == K_OBJ_THREAD_STACK_ELEMENT ? 0 : 1);
	*entry = (struct object_entry){
		.object = object,
		.kind = (uint8_t)(kind | (is_ready ? 0 : OBJECT_NOT_READY)),
		.size = size,
	};
	*made = entry;
	return 0;
}

static int find_or_make(const void *object, unsigned int kind, size_t size,
			struct object_entry **entry)
{
	*entry = find(object, kind);
	return *entry != NULL ? 0 : make_known(object, kind, size, entry);
}

static void set_grant(struct k_thread *thread, const struct object_entry *entry, bool granted)
{
	unsigned int index = (unsigned int)(entry - object_table);
	uint32_t bit = (uint32_t)1 << (index % 32);

	if (granted) {
		thread->user.grants[index / 32] |= bit;
	} else {
		thread->user.grants[index / 32] &= ~bit;
	}
}

/* So that a thread with rights is in the table, where k_object_free() finds it. */
static int make_thread_known(struct k_thread *thread)
{
	struct object_entry *entry;

	return find_or_make(thread, K_OBJ_THREAD, 0, &entry);
}

int k_object_grant_(const void *object, unsigned int kind, size_t size, struct k_thread *thread)
{
	unsigned int key = irq_lock();
	struct object_entry *entry;
	int result = make_thread_known(thread);

	if (result == 0) {
		result = find_or_make(object, kind, size, &entry);
	}
	if (result == 0) {
		set_grant(thread, entry, true);
	}
	irq_unlock(key);
	return result;
}

int k_object_grant_all_(const void *object, unsigned int kind, size_t size)
{
	unsigned int key = irq_lock();
	struct object_entry *entry;
	int result = find_or_make(object, kind, size, &entry);

	if (result == 0) {
		entry->flags |= OBJECT_PUBLIC;
	}
	irq_unlock(key);
	return result;
}

void k_object_revoke_(const void *object, unsigned int kind, struct k_thread *thread)
{
	unsigned int key = irq_lock();
	const struct object_entry *entry = find(object, kind);

	if (entry != NULL) {
		set_grant(thread, entry, false);
	}
	irq_unlock(key);
}

void k_object_release_(const void *object, unsigned int kind)
{
	k_object_revoke_(object, kind, k_cpu.current);
}

void k_object_free(void *object)
{
	unsigned int key = irq_lock();
	struct object_entry *entry = find(object, K_OBJ_ANY);

	if (entry != NULL) {
		/* Bound: CONFIG_USER_OBJECTS. The next object in this entry is granted to nobody. */
		for (unsigned int i = 0; i < CONFIG_USER_OBJECTS; i++) {
			const struct object_entry *other = &object_table[i];

			if ((other->kind & ~OBJECT_NOT_READY) == K_OBJ_THREAD &&
			    other->object != NULL) {
				set_grant((struct k_thread *)(uintptr_t)other->object, entry,
					  false);
			}
		}
		*entry = (struct object_entry){0};
	}
	irq_unlock(key);
}

void user_object_ready(const void *object, struct k_object_tag *tag, uint16_t index)
{
	unsigned int key = irq_lock();

	*tag = (struct k_object_tag){.index = index, .is_ready = 1};
	if (index < CONFIG_USER_OBJECTS && object_table[index].object == object) {
		object_table[index].kind &= (uint8_t)~OBJECT_NOT_READY;
	}
	irq_unlock(key);
}

bool object_lies_in(uintptr_t start, size_t size)
{
	/* Bound: CONFIG_USER_OBJECTS. */
	for (unsigned int i = 0; i < CONFIG_USER_OBJECTS; i++) {
		const struct object_entry *entry = &object_table[i];
		uintptr_t object = (uintptr_t)entry->object;

		if (object != 0 && object < start + size &&
		    start < object + sizes[entry->kind & ~OBJECT_NOT_READY]) {
			return true;
		}
	}
	return false;
}

unsigned int verify_init_begin(const void *object, size_t tag_offset, unsigned int kind)
{
	unsigned int key = irq_lock();

	if (!object_is_usable(object, tag_offset, kind | OBJECT_NOT_READY)) {
		irq_unlock(key);
		user_violation("not an object that the thread may initialise");
	}
	return key;
}

/* ---- threads ---- */

bool user_thread_fits(const struct k_thread *thread, const char *stack, uint32_t options)
{
	unsigned int key = irq_lock();
	bool fits = user_stack_reserved(stack) != 0 &&
		    make_thread_known((struct k_thread *)(uintptr_t)thread) == 0;

	irq_unlock(key);
	return fits;
}

/* Somebody lives on the thread's stack, or nobody does. Its tag says so, and its entry if it has one. */
static void mark_stack(const struct k_thread *thread, bool in_use)
{
	char *stack = thread->stack_start - ARCH_USER_STACK_RESERVED;
	struct object_entry *entry;

	if (user_stack_reserved(thread->stack_start) == 0) {
		return;
	}
	tag_of(stack, K_OBJ_THREAD_STACK_ELEMENT)->is_ready = in_use;
	entry = find(stack, K_OBJ_THREAD_STACK_ELEMENT);
	if (entry != NULL) {
		entry->kind = K_OBJ_THREAD_STACK_ELEMENT | (in_use ? OBJECT_NOT_READY : 0);
	}
}

/* Its memory may have been anything: nothing of it is believed but a tag that is confirmed. */
void user_access_created(struct k_thread *thread)
{
	const struct k_thread *creator = k_cpu.current;
	bool inherits = (thread->options & K_INHERIT_PERMS) != 0;

	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < ARRAY_SIZE(thread->user.grants); i++) {
		thread->user.grants[i] = inherits ? creator->user.grants[i] : 0;
	}
	user_object_ready(thread, &thread->object_tag, thread->object_tag.index);
	mark_stack(thread, true);
}

void user_access_self(struct k_thread *thread)
{
	(void)k_object_grant_(thread, K_OBJ_THREAD, 0, thread);
}

void user_thread_ended(struct k_thread *thread)
{
	struct object_entry *entry = find(thread, K_OBJ_THREAD);

	thread->object_tag.is_ready = 0;
	if (entry != NULL) {
		entry->kind |= OBJECT_NOT_READY;
	}
	mark_stack(thread, false);
}

bool user_holds(const void *object, unsigned int kind)
{
	unsigned int key = irq_lock();
	const struct object_entry *entry = find(object, kind);
	bool holds = entry != NULL && object_is_granted(k_cpu.current, entry);

	irq_unlock(key);
	return holds;
}

bool user_may_use_block(const struct k_thread *block)
{
	return object_is_usable(block, OBJECT_TAG_OFFSET(struct k_thread),
				K_OBJ_THREAD | OBJECT_NOT_READY);
}

bool user_may_use_stack(const char *stack, size_t size)
{
	return object_is_usable(stack, 0, K_OBJ_THREAD_STACK_ELEMENT) &&
	       size <= object_entry_at(stack, 0)->size && size >= ARCH_STACK_MIN;
}

/* ---- memory ---- */

static bool lies_in(uintptr_t address, size_t bytes, uintptr_t start, size_t size)
{
	uintptr_t offset = address - start;

	return offset <= size && bytes <= size - offset;
}

bool user_may_access(const void *address, size_t bytes, bool write)
{
	const struct k_thread *thread = k_cpu.current;
	const struct k_mem_domain *domain = thread->user.domain;
	uint32_t needed = write ? K_MEM_PARTITION_WRITE_ : K_MEM_PARTITION_READ_;

	if (likely(lies_in((uintptr_t)address, bytes, (uintptr_t)thread->stack_start,
			   thread->stack_size))) {
		return true;
	}
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < domain->num_partitions; i++) {
		const struct k_mem_partition *part = &domain->partitions[i];

		if ((part->attr & needed) != 0 &&
		    lies_in((uintptr_t)address, bytes, part->start, part->size)) {
			return true;
		}
	}
	return !write && arch_user_constant((uintptr_t)address, bytes);
}

void user_verify_writable(const void *address, size_t bytes)
{
	unsigned int key = irq_lock();
	bool may = user_may_access(address, bytes, true);

	irq_unlock(key);
	if (!may) {
		user_violation("memory that the thread may not write");
	}
}

void user_copy_in(void *to, const void *user, size_t bytes)
{
	unsigned int key = irq_lock();
	bool done = user_may_access(user, bytes, false) &&
		    arch_copy_guarded(to, user, bytes, ARCH_COPY_FROM) == ARCH_COPY_DONE;

	irq_unlock(key);
	if (!done) {
		user_violation("memory that the thread may not read");
	}
}

void user_copy_out(void *user, const void *from, size_t bytes)
{
	unsigned int key = irq_lock();
	bool done = user_may_access(user, bytes, true) &&
		    arch_copy_guarded(user, from, bytes, ARCH_COPY_TO) == ARCH_COPY_DONE;

	irq_unlock(key);
	if (!done) {
		user_violation("memory that the thread may not write");
	}
}
