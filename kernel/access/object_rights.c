/* SPDX-License-Identifier: Apache-2.0 */
/* The table of objects that user threads use, and who may use which: see object_rights.h. */
#include "kernel/access/object_rights.h"
#include "kernel/access/domain.h"
#include "kernel/hooks/thread_ipc.h"
#include "kernel/access/references.h"
#include "kernel/hooks/user.h"
#include "kernel/sched/sched.h"

CALLS_DIRECTLY(k_fatal_raise);

BUILD_ASSERT(CONFIG_USER_OBJECTS % 32 == 0, "CONFIG_USER_OBJECTS is counted in words of bits");

struct object_entry object_table[CONFIG_USER_OBJECTS];
uintptr_t object_names[CONFIG_USER_OBJECTS] OBJECT_NAMES_PLACE;

static const uint8_t tag_offsets[K_OBJ_LAST_] = {
	[K_OBJ_CONDVAR] = OBJECT_TAG_OFFSET(struct k_condvar),
	[K_OBJ_EVENT] = OBJECT_TAG_OFFSET(struct k_event),
	[K_OBJ_MSGQ] = OBJECT_TAG_OFFSET(struct k_msgq),
	[K_OBJ_MUTEX] = OBJECT_TAG_OFFSET(struct k_mutex),
	[K_OBJ_PIPE] = OBJECT_TAG_OFFSET(struct k_pipe),
#ifdef CONFIG_POLL
	[K_OBJ_POLL_SIGNAL] = OBJECT_TAG_OFFSET(struct k_poll_signal),
#endif
	[K_OBJ_QUEUE] = OBJECT_TAG_OFFSET(struct k_queue),
	[K_OBJ_SEM] = OBJECT_TAG_OFFSET(struct k_sem),
	[K_OBJ_STACK] = OBJECT_TAG_OFFSET(struct k_stack),
	[K_OBJ_TIMER] = OBJECT_TAG_OFFSET(struct k_timer),
	[K_OBJ_IPC_ENDPOINT] = OBJECT_TAG_OFFSET(struct k_ipc_endpoint),
	[K_OBJ_IPC_GATE] = OBJECT_TAG_OFFSET(struct k_ipc_gate),
	/* A thread's offset may be larger than a byte holds; a stack has its tag in front. */
};

static const uint16_t sizes[K_OBJ_LAST_] = {
	[K_OBJ_CONDVAR] = sizeof(struct k_condvar),
	[K_OBJ_EVENT] = sizeof(struct k_event),
	[K_OBJ_MSGQ] = sizeof(struct k_msgq),
	[K_OBJ_MUTEX] = sizeof(struct k_mutex),
	[K_OBJ_PIPE] = sizeof(struct k_pipe),
#ifdef CONFIG_POLL
	[K_OBJ_POLL_SIGNAL] = sizeof(struct k_poll_signal),
#endif
	[K_OBJ_QUEUE] = sizeof(struct k_queue),
	[K_OBJ_SEM] = sizeof(struct k_sem),
	[K_OBJ_STACK] = sizeof(struct k_stack),
	[K_OBJ_THREAD] = sizeof(struct k_thread),
	[K_OBJ_TIMER] = sizeof(struct k_timer),
	[K_OBJ_THREAD_STACK_ELEMENT] = 1,
	[K_OBJ_IPC_ENDPOINT] = sizeof(struct k_ipc_endpoint),
	[K_OBJ_IPC_GATE] = sizeof(struct k_ipc_gate),
};

/*@ requires kind < K_OBJ_LAST_;
  @ assigns \nothing;
  @ ensures \result <= UINT16_MAX;
  @ ensures kind != K_OBJ_THREAD ==> \result == tag_offsets[kind];
  @ ensures kind == K_OBJ_THREAD ==> \result == TAG_OF_THREAD;
  @*/
size_t object_tag_offset(unsigned int kind)
{
	return kind == K_OBJ_THREAD ? OBJECT_TAG_OFFSET(struct k_thread) : tag_offsets[kind];
}

/*@ assigns \nothing;
  @ ensures kind >= K_OBJ_THREAD_STACK_ELEMENT ==> \result == 0;
  @ ensures kind == K_OBJ_THREAD ==> \result == sizeof(struct k_thread);
  @ ensures kind == K_OBJ_SEM ==> \result == sizeof(struct k_sem);
  @*/
size_t object_size(unsigned int kind)
{
	return kind < K_OBJ_THREAD_STACK_ELEMENT ? sizes[kind]
						 : 0; /* nor a gate, by a user thread */
}

struct k_object_tag *object_tag(const void *object, unsigned int kind)
{
	return (struct k_object_tag *)((uintptr_t)object + object_tag_offset(kind));
}

void user_violation(const char *what)
{
	user_fatal(K_ERR_KERNEL_OOPS, what);
}

void user_fatal(unsigned int reason, const char *what)
{
	user_reap(); /* as before k_thread_abort() */
#ifdef ARCH_USER_CALL_PC
	fatal_raise_at(reason, what, ARCH_USER_CALL_PC(k_cpu.current->stack_start));
#else
	fatal_raise(reason, what);
#endif
}

/* ---- objects ---- */

/*@ logic integer tag_of(void *object, integer kind) = (uintptr_t)((uintptr_t)object +
  @   (kind == K_OBJ_THREAD ? TAG_OF_THREAD : tag_offsets[kind]));
  @ predicate is_of_kind{L}(void *object, integer kind) =
  @   object != \null && kind != K_OBJ_ANY && 0 <= kind < K_OBJ_LAST_ &&
  @   is_named(tag_of(object, kind), object) &&
  @   object_table[tag_index(tag_of(object, kind))].kind % 32 == kind;
  @*/
/*@ assigns \nothing;
  @ ensures \result != \null ==> is_entry(\result) && \result->object == object &&
  @   (kind == K_OBJ_ANY || \result->kind % 32 == kind);
  @ ensures is_of_kind((void *)object, kind) ==>
  @   \result == &object_table[tag_index(tag_of((void *)object, kind))];
  @ ensures \result != \null && kind != K_OBJ_ANY ==> is_of_kind((void *)object, kind);
  @ ensures object == \null ==> \result == \null;
  @ ensures kind == K_OBJ_ANY && object != \null && \result == \null ==> \forall integer i;
  @   0 <= i < CONFIG_USER_OBJECTS ==> object_table[i].object != object;
  @*/
struct object_entry *object_find(const void *object, unsigned int kind)
{
	if (object == NULL || kind >= K_OBJ_LAST_) {
		return NULL;
	}
	if (kind != K_OBJ_ANY) {
		struct object_entry *entry = object_entry_at(object, object_tag_offset(kind));

		return entry != NULL && entry_kind(entry) == kind ? entry : NULL;
	}
	/*@ loop invariant 0 <= i <= CONFIG_USER_OBJECTS;
	  @ loop invariant \forall integer j; 0 <= j < i ==> object_table[j].object != object;
	  @ loop assigns i;
	  @ loop variant CONFIG_USER_OBJECTS - i;
	  @*/
	/* Bound: CONFIG_USER_OBJECTS. */
	for (unsigned int i = 0; i < CONFIG_USER_OBJECTS; i++) {
		if (object_table[i].object == object) {
			return &object_table[i];
		}
	}
	return NULL;
}

/*
 * As object_find(), and masks. One of any kind is looked for before, with interrupts open, and
 * looked at again then.
 */
/*@ requires \valid(key);
  @ assigns *key;
  @ ensures is_key(*key);
  @ ensures \result != \null ==> is_entry(\result) && \result->object == object &&
  @   (kind == K_OBJ_ANY || \result->kind % 32 == kind);
  @ ensures is_of_kind((void *)object, kind) ==>
  @   \result == &object_table[tag_index(tag_of((void *)object, kind))];
  @ ensures kind == K_OBJ_ANY && object != \null && \result == \null ==> \forall integer i;
  @   0 <= i < CONFIG_USER_OBJECTS ==> object_table[i].object != object;
  @*/
static struct object_entry *find_masking(const void *object, unsigned int kind, unsigned int *key)
{
	struct object_entry *entry = kind == K_OBJ_ANY ? object_find(object, kind) : NULL;

	*key = irq_lock();
	if (kind != K_OBJ_ANY) {
		return object_find(object, kind);
	}
	return entry != NULL && entry->object == object ? entry : NULL;
}

static uint32_t taken[CONFIG_USER_OBJECTS / 32]; /* a bit for each entry */

/*@ assigns \nothing;
  @ ensures \result != \null ==> is_entry(\result);
  @ ensures \forall integer i; is_entry_at(\result, i) ==>
  @   ((uint32_t)~taken[i / 32] >> (i % 32)) % 2 == 1;
  @ ensures \result == \null ==> \forall integer i; 0 <= i < CONFIG_USER_OBJECTS / 32 ==>
  @   taken[i] == UINT32_MAX;
  @*/
static struct object_entry *find_free(void)
{
	/*@ loop invariant 0 <= i <= CONFIG_USER_OBJECTS / 32;
	  @ loop invariant \forall integer j; 0 <= j < i ==> taken[j] == UINT32_MAX;
	  @ loop assigns i;
	  @ loop variant CONFIG_USER_OBJECTS / 32 - i;
	  @*/
	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < ARRAY_SIZE(taken); i++) {
		if (taken[i] != UINT32_MAX) {
			return &object_table[i * 32U + (unsigned int)__builtin_ctz(~taken[i])];
		}
	}
	return NULL;
}

/*@ requires is_entry(entry) && \valid(entry);
  @ assigns *entry, taken[0 .. CONFIG_USER_OBJECTS / 32 - 1],
  @   object_names[0 .. CONFIG_USER_OBJECTS - 1];
  @ ensures entry->object == \null && entry->kind == 0;
  @ ensures \forall integer i, j; is_entry_at(entry, i) && 0 <= j < CONFIG_USER_OBJECTS / 32 ==>
  @   taken[j] == (j == i / 32 ? (\old(taken[j]) & (uint32_t)~(1 << (i % 32))) : \old(taken[j]));
  @*/
void object_entry_free(struct object_entry *entry)
{
	taken[entry_index(entry) / 32] &= ~((uint32_t)1 << entry_index(entry) % 32);
	*entry = (struct object_entry){0};
	entry_renamed(entry);
}

/*@ requires size <= BOARD_RAM_SIZE;
  @ assigns \nothing;
  @ ensures \result <==> start % sizeof(uint32_t) == 0 && BOARD_RAM_BASE <= start &&
  @   start + size <= BOARD_RAM_BASE + BOARD_RAM_SIZE;
  @*/
static bool is_in_ram(uintptr_t start, size_t size)
{
	return start % sizeof(uint32_t) == 0 && start - BOARD_RAM_BASE <= BOARD_RAM_SIZE - size;
}

/* As long as it is in no table nobody looks at what stands there. */
static void begin_without_rights(struct k_thread *thread)
{
	/* Bound: CONFIG_USER_OBJECTS / 32. */
	for (unsigned int i = 0; i < ARRAY_SIZE(thread->user.grants); i++) {
		thread->user.grants[i] = 0;
	}
	references_none(thread);
	ipc_rights_forget(thread);
}

/* May an object be there, with the bytes behind it? Lets interrupts in, as `key` has them. */
static bool is_in_place(const void *object, unsigned int kind, size_t behind, unsigned int key)
{
	return is_in_ram((uintptr_t)object, sizes[kind]) &&
	       !domain_reaches((uintptr_t)object, sizes[kind] + behind, key);
}

static int make_entry(const void *object, unsigned int kind, size_t size,
		      struct object_entry **made)
{
	struct object_entry *entry = find_free();
	struct k_object_tag *tag;
	bool is_ready;

	if (entry == NULL) {
		return -ENOMEM;
	}
	tag = object_tag(object, kind);
	tag->index = (uint16_t)(entry - object_table);
	if (kind == K_OBJ_THREAD) {
		begin_without_rights((struct k_thread *)(uintptr_t)object);
	}
	tag->is_known = kind == K_OBJ_THREAD || kind == K_OBJ_THREAD_STACK_ELEMENT;
	is_ready = tag->is_ready == (kind == K_OBJ_THREAD_STACK_ELEMENT ? 0 : 1);
	*entry = (struct object_entry){
		.object = object,
		.kind = (uint8_t)(kind | (is_ready ? 0 : OBJECT_NOT_READY)),
		.size = size,
	};
	entry_renamed(entry);
	taken[entry_index(entry) / 32] |= (uint32_t)1 << entry_index(entry) % 32;
	k_cpu.objects_named++;
	*made = entry;
	return 0;
}

int object_make_known(const void *object, unsigned int kind, size_t size,
		      struct object_entry **entry, unsigned int key)
{
	const uint32_t named = k_cpu.objects_named;

	*entry = object_find(object, kind);
	if (*entry != NULL) {
		return 0;
	}
	if (kind == K_OBJ_ANY || kind >= K_OBJ_LAST_) {
		return -EINVAL;
	}
	if (kind == K_OBJ_THREAD_STACK_ELEMENT) {
		size_t reserved = user_stack_reserved(object);

		if (reserved == 0 || size <= reserved) {
			return -EINVAL;
		}
		size -= reserved;
	} else if (!is_in_place(object, kind, size, key)) {
		return -EINVAL;
	} else {
		/* Bound: D, another may have done it meanwhile. */
		*entry = k_cpu.objects_named != named ? object_find(object, kind) : NULL;
		if (*entry != NULL) {
			return 0;
		}
	}
	return make_entry(object, kind, size, entry);
}

/* `size` is that of the object, or of what points to it: of a stack alone it is asked for. */
static int find_or_make(const void *object, unsigned int kind, size_t size,
			struct object_entry **entry, unsigned int key)
{
	return object_make_known(object, kind, kind == K_OBJ_THREAD_STACK_ELEMENT ? size : 0, entry,
				 key);
}

/*@ predicate lives{L}(struct k_thread *thread) = is_of_kind((void *)thread, K_OBJ_THREAD) &&
  @   object_table[tag_index(tag_of((void *)thread, K_OBJ_THREAD))].kind < OBJECT_NOT_READY;
  @*/
/*@ assigns \nothing;
  @ ensures \result <==> lives((struct k_thread *)thread);
  @*/
static bool is_alive(const struct k_thread *thread)
{
	const struct object_entry *entry = object_find(thread, K_OBJ_THREAD);

	return entry != NULL && (entry->kind & OBJECT_NOT_READY) == 0;
}

/* clang-format off */
#define WRITTEN_TO_GRANT(thread)                                             \
	thread->user.grants[0 .. CONFIG_USER_OBJECTS / 32 - 1],               \
		thread->user.may_refer, thread->generation,                   \
		thread->next_named, generation_places[0 .. 31],               \
		object_table[0 .. CONFIG_USER_OBJECTS - 1].references,        \
		orphans[0 .. CONFIG_USER_OBJECTS / 32 - 1], user_has_orphans
/* clang-format on */
/*@ requires is_entry(entry) && \valid_read(entry);
  @ requires grants_lie_apart(thread);
  @ assigns WRITTEN_TO_GRANT(thread);
  @ ensures \forall integer i, j; is_entry_at(entry, i) && 0 <= j < CONFIG_USER_OBJECTS / 32 ==>
  @   (j == i / 32 && lives{Pre}(thread)
  @     ? ((\old(thread->user.grants[j]) & (uint32_t)(1 << (i % 32))) != 0 <==> (boolean)granted) &&
  @         thread->user.grants[j] == \old(thread->user.grants[j]) ||
  @       thread->user.grants[j] == (granted
  @         ? (\old(thread->user.grants[j]) | (uint32_t)(1 << (i % 32)))
  @         : (\old(thread->user.grants[j]) & (uint32_t)~(1 << (i % 32))))
  @     : thread->user.grants[j] == \old(thread->user.grants[j]));
  @ ensures \forall integer i; is_entry_at(entry, i) ==>
  @   (is_counted{Pre}(entry) && lives{Pre}(thread) &&
  @ !((\old(thread->user.grants[i / 32]) & (uint32_t)(1 << (i % 32))) != 0 <==> (boolean)granted)
  @     ? entry->references == (uint16_t)(\old(entry->references) + (granted ? 1 : -1))
  @     : entry->references == \old(entry->references));
  @*/
void object_set_grant(struct k_thread *thread, const struct object_entry *entry, bool granted)
{
	uint32_t *word = &thread->user.grants[entry_index(entry) / 32];
	uint32_t bit = (uint32_t)1 << (entry_index(entry) % 32);
	struct object_entry *counted = &object_table[entry_index(entry)];

	if (!is_alive(thread) || ((*word & bit) != 0) == granted) {
		return;
	}
	if (granted) {
		*word |= bit;
		if ((entry->kind & OBJECT_ALLOCATED) != 0) {
			reference_add(counted);
			references_begin(thread);
		}
	} else {
		*word &= ~bit;
		ipc_rights_forget(thread);
		reference_drop(counted);
	}
}

int object_make_thread_known(struct k_thread *thread, unsigned int key)
{
	struct object_entry *entry;

	return object_make_known(thread, K_OBJ_THREAD, 0, &entry, key);
}

int k_object_grant_(const void *object, unsigned int kind, size_t size, struct k_thread *thread)
{
	unsigned int key = irq_lock();
	struct object_entry *entry;
	int result = object_make_thread_known(thread, key);

	if (result == 0) {
		sched_traversal_window(key); /* nothing is begun */
		result = find_or_make(object, kind, size, &entry, key);
	}
	if (result == 0) {
		object_set_grant(thread, entry, true);
	}
	irq_unlock(key);
	return result;
}

IN_EITHER_MODE void k_object_must_be_granted_(int result)
{
	if (result == 0) {
		return;
	}
	if (!k_is_user_context()) {
		fatal_raise_at(K_ERR_KERNEL_OOPS,
			       result == -ENOMEM
				       ? "an access that cannot be granted: CONFIG_USER_OBJECTS"
				       : "an access that cannot be granted: not a kernel object",
			       (uintptr_t)__builtin_return_address(0));
	}
	k_oops();
}

int k_object_grant_all_(const void *object, unsigned int kind, size_t size)
{
	unsigned int key = irq_lock();
	struct object_entry *entry;
	int result = find_or_make(object, kind, size, &entry, key);

	if (result == 0 && (entry->kind & OBJECT_PUBLIC) == 0) {
		entry->kind |= OBJECT_PUBLIC;
		entry_renamed(entry);
		reference_add(entry); /* everybody's */
	}
	irq_unlock(key);
	return result;
}

void k_object_revoke_(const void *object, unsigned int kind, struct k_thread *thread)
{
	unsigned int key;
	const struct object_entry *entry = find_masking(object, kind, &key);

	if (entry != NULL) {
		object_set_grant(thread, entry, false);
	}
	irq_unlock(key);
	user_reap();
}

void k_object_release_(const void *object, unsigned int kind)
{
	references_let_go();
	k_object_revoke_(object, kind, k_cpu.current);
}

/*@ requires \valid_read(k_cpu.current);
  @ assigns \nothing;
  @ ensures \result ==> \exists integer i; 0 <= i < CONFIG_USER_OBJECTS &&
  @   object_table[i].object == object && object_table[i].kind < OBJECT_NOT_READY &&
  @   (otype == K_OBJ_ANY || object_table[i].kind % 32 == otype) &&
  @   (thread_holds(k_cpu.current, i) || (object_table[i].kind / OBJECT_PUBLIC) % 2 == 1);
  @ ensures lives(k_cpu.current) && is_of_kind((void *)object, otype) ==>
  @   \forall integer i; i == tag_index(tag_of((void *)object, otype)) &&
  @     object_table[i].kind < OBJECT_NOT_READY &&
  @     (thread_holds(k_cpu.current, i) || (object_table[i].kind / OBJECT_PUBLIC) % 2 == 1) ==>
  @     \result;
  @*/
bool k_object_is_valid(const void *object, enum k_objects otype)
{
	unsigned int key;
	const struct object_entry *entry = find_masking(object, otype, &key);
	bool is_ready = entry != NULL && (entry->kind & OBJECT_NOT_READY) == 0;
	bool is_valid = is_ready && is_alive(k_cpu.current) &&
			object_is_granted(k_cpu.current, entry);

	irq_unlock(key);
	return is_valid;
}

static void forget_in(unsigned int i, const struct object_entry *entry)
{
	const struct object_entry *other = &object_table[i];

	if (other->object != NULL && entry_kind(other) == K_OBJ_THREAD) {
		object_set_grant((struct k_thread *)(uintptr_t)other->object, entry, false);
	}
}

/* Nobody's any more, and free; masked, since the next object in this entry is nobody's. */
static void forget_defined(struct object_entry *entry)
{
	/* Bound: CONFIG_USER_OBJECTS. */
	for (unsigned int i = 0; i < CONFIG_USER_OBJECTS; i++) {
		forget_in(i, entry);
	}
	object_entry_free(entry);
}

/*
 * Nobody's any more, and freed by who lets go of it last, this call perhaps: so in steps. Who is
 * given it meanwhile has it as if that were later.
 */
static void forget_allocated(struct object_entry *entry, unsigned int key)
{
	reference_add(entry);
	sched_traversal_finishes(true, key);
	/* Bound: CONFIG_USER_OBJECTS. */
	for (unsigned int i = 0; i < CONFIG_USER_OBJECTS; i++) {
		if (i % CONFIG_MASKED_STEPS == 0) {
			sched_traversal_window(key);
		}
		forget_in(i, entry);
	}
	if ((entry->kind & OBJECT_PUBLIC) != 0) {
		entry->kind &= (uint8_t)~OBJECT_PUBLIC;
		entry_renamed(entry);
		reference_drop(entry);
	}
	reference_drop(entry);
	sched_traversal_end(key);
}

void k_object_free(void *object)
{
	unsigned int key;
	struct object_entry *entry = find_masking(object, K_OBJ_ANY, &key);

	if (entry != NULL && (entry->kind & OBJECT_ALLOCATED) != 0) {
		forget_allocated(entry, key);
	} else {
		if (entry != NULL) {
			forget_defined(entry);
		}
		irq_unlock(key);
	}
	references_let_go();
	user_reap();
}

/*@ requires \valid(tag) && \separated(tag, &object_table[0 .. CONFIG_USER_OBJECTS - 1]);
  @ assigns *tag, object_table[0 .. CONFIG_USER_OBJECTS - 1].kind,
  @   object_names[0 .. CONFIG_USER_OBJECTS - 1];
  @ ensures tag->is_ready == 1 && tag->index == index;
  @ ensures \forall integer i; 0 <= i < CONFIG_USER_OBJECTS ==> object_table[i].kind ==
  @   (i == index && object_table[i].object == object
  @     ? \old(object_table[i].kind) % OBJECT_NOT_READY : \old(object_table[i].kind));
  @*/
void user_object_ready(const void *object, struct k_object_tag *tag, uint16_t index)
{
	unsigned int key = irq_lock();

	*tag = (struct k_object_tag){.index = index, .is_ready = 1};
	if (index < CONFIG_USER_OBJECTS && object_table[index].object == object) {
		object_table[index].kind &= (uint8_t)~OBJECT_NOT_READY;
		entry_renamed(&object_table[index]);
	}
	irq_unlock(key);
}

bool object_lies_in(uintptr_t start, size_t size)
{
	/*@ loop invariant 0 <= i <= CONFIG_USER_OBJECTS;
	  @ loop invariant \forall integer j; 0 <= j < i ==>
	  @   !object_meets(&object_table[j], start, size);
	  @ loop assigns i;
	  @ loop variant CONFIG_USER_OBJECTS - i;
	  @*/
	/* Bound: CONFIG_USER_OBJECTS. */
	for (unsigned int i = 0; i < CONFIG_USER_OBJECTS; i++) {
		const struct object_entry *entry = &object_table[i];
		uintptr_t object = (uintptr_t)entry->object;
		size_t bytes = entry_kind(entry) == K_OBJ_THREAD_STACK_ELEMENT
				       ? ARCH_USER_STACK_RESERVED
				       : sizes[entry_kind(entry)];

		if (object != 0 && object < start + size && start < object + bytes + entry->size) {
			return true;
		}
	}
	return false;
}

/* As object_is_usable(), whether it was allocated or not: its entry, or NULL. Masked. */
/*@ requires \valid_read(k_cpu.current) && tag_offset <= UINT16_MAX;
  @ assigns \nothing;
  @ ensures \result != \null <==> is_there((void *)object, tag_offset, kind);
  @ ensures \result != \null ==>
  @   \result == &object_table[place_of((uintptr_t)object, tag_offset)];
  @*/
static struct object_entry *permitted(const void *object, size_t tag_offset, unsigned int kind)
{
	struct object_entry *entry = object_entry_at(object, tag_offset);
	bool is_permitted = entry != NULL &&
			    (entry->kind & ~(OBJECT_ALLOCATED | OBJECT_PUBLIC)) == kind &&
			    object_is_granted(k_cpu.current, entry);

	return is_permitted ? entry : NULL;
}

bool object_hold(const void *object, size_t tag_offset, unsigned int kind)
{
	unsigned int key = irq_lock();
	struct object_entry *entry = permitted(object, tag_offset, kind);

	if (entry != NULL && (entry->kind & OBJECT_ALLOCATED) != 0) {
		reference_hold(entry);
	}
	irq_unlock(key);
	return entry != NULL;
}

void verify_allocated(const void *object, size_t tag_offset, unsigned int kind)
{
	if (!object_hold(object, tag_offset, kind)) {
		/*@ assert !is_there{Pre}((void *)object, tag_offset, kind); */
		user_violation("not an object that the thread may use");
	}
}

bool verify_allocated_thread(const struct k_thread *thread)
{
	unsigned int key = irq_lock();
	struct object_entry *entry = object_entry_at(thread, OBJECT_TAG_OFFSET(struct k_thread));
	bool is_usable = entry != NULL && entry_kind(entry) == K_OBJ_THREAD &&
			 object_is_granted(k_cpu.current, entry);
	bool is_alive = is_usable && (entry->kind & OBJECT_NOT_READY) == 0;

	/*@ assert is_usable ==> thread_is_there((struct k_thread *)thread); */
	if (is_usable && (entry->kind & OBJECT_ALLOCATED) != 0) {
		reference_hold(entry);
		/*@ assert rights_stay{Pre, Here}; */
	}
	irq_unlock(key);
	if (!is_usable) {
		/*@ assert !thread_is_there{Pre}((struct k_thread *)thread); */
		user_violation("not a thread that the thread may use");
	}
	return is_alive;
}

unsigned int verify_init_begin(const void *object, size_t tag_offset, unsigned int kind)
{
	unsigned int key = irq_lock();

	if (permitted(object, tag_offset, kind | OBJECT_NOT_READY) == NULL) {
		/*@ assert !is_there((void *)object, tag_offset, kind + OBJECT_NOT_READY); */
		irq_unlock(key);
		user_violation("not an object that the thread may initialise");
	}
	return key;
}

bool verify_init_again(const void *object, size_t tag_offset, unsigned int kind, unsigned int *key)
{
	bool is_again;

	*key = irq_lock();
	is_again = object_hold(object, tag_offset, kind);
	if (!is_again && permitted(object, tag_offset, kind | OBJECT_NOT_READY) == NULL) {
		/*@ assert !is_there((void *)object, tag_offset, kind) &&
		  @   !is_there((void *)object, tag_offset, kind + OBJECT_NOT_READY);
		  @*/
		irq_unlock(*key);
		user_violation("not an object that the thread may initialise");
	}
	return is_again;
}

/* The entry of what the running thread may pass on, or NULL. Masks. */
/*@ requires \valid_read(k_cpu.current) && \valid(key) && \separated(key, k_cpu.current);
  @ requires \separated(key, &object_table[0 .. CONFIG_USER_OBJECTS - 1]);
  @ assigns *key;
  @ ensures is_key(*key);
  @ ensures \result != \null ==> is_entry(\result) && \result->object == object;
  @ ensures \result != \null ==> may_pass_on((void *)object);
  @ ensures \result != \null ==> may_pass_on_as((void *)object, kind);
  @*/
static struct object_entry *find_held(const void *object, unsigned int kind, unsigned int *key)
{
	struct object_entry *entry = find_masking(object, kind, key);

	return entry != NULL && object_is_granted(k_cpu.current, entry) ? entry : NULL;
}

bool user_holds(const void *object, unsigned int kind)
{
	unsigned int key;
	const struct object_entry *entry = find_held(object, kind, &key);

	irq_unlock(key);
	return entry != NULL;
}

bool user_set_grant(const void *object, unsigned int kind, struct k_thread *thread, bool granted)
{
	unsigned int key;
	struct object_entry *entry = find_held(object, kind, &key);

	if (entry != NULL) {
		object_set_grant(thread, entry, granted);
	}
	irq_unlock(key);
	return entry != NULL;
}

struct object_entry *user_usable_block(const struct k_thread *block)
{
	return permitted(block, OBJECT_TAG_OFFSET(struct k_thread),
			 K_OBJ_THREAD | OBJECT_NOT_READY);
}

struct object_entry *user_usable_stack(const char *stack, size_t size)
{
	struct object_entry *entry = permitted(stack, 0, K_OBJ_THREAD_STACK_ELEMENT);

	return entry != NULL && size <= entry->size && size >= ARCH_STACK_MIN ? entry : NULL;
}
