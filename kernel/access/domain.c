/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory domains. A domain keeps its partitions, against which the kernel checks what it is
 * asked to copy, and the port's form of them, which a switch loads. Both change together, with
 * interrupts masked; the port's first, since it may have no region left.
 *
 * What a fast path stores lies most often in the thread's stack or in the first partition in RAM
 * that its domain may write, whose words are therefore kept beside (`words_start`): where a word
 * lies is then one comparison.
 */
#include "kernel/access/domain.h"
#include "kernel/base/object_table.h"
#include "kernel/hooks/user.h"

struct k_mem_domain k_mem_domain_default;

static struct k_mem_domain *domains;

uintptr_t user_memory_changes = 1;

struct k_mem_domain *domain_first(void)
{
	return domains;
}

/*@ predicate ranges_meet(integer start, integer size, integer other, integer other_size) =
  @   start < other + other_size && other < start + size;
  @ predicate partition_meets{L}(struct k_mem_domain *domain, integer i, integer start,
  @                              integer size) =
  @   ranges_meet(start, size, domain->partitions[i].start, domain->partitions[i].size);
  @ predicate partition_is_one{L}(struct k_mem_partition *part) =
  @   part->size > 0 && part->start + part->size <= UINTPTR_MAX &&
  @   part->start % ARCH_PARTITION_ALIGN == 0 && part->size % ARCH_PARTITION_ALIGN == 0 &&
  @   ((part->attr / K_MEM_PARTITION_WRITE_) % 2 == 0 ||
  @    (part->attr / K_MEM_PARTITION_EXEC_) % 2 == 0);
  @*/
/*@ requires start + size <= UINTPTR_MAX && other + other_size <= UINTPTR_MAX;
  @ assigns \nothing;
  @ ensures \result <==> ranges_meet(start, size, other, other_size);
  @*/
static bool overlap(uintptr_t start, size_t size, uintptr_t other, size_t other_size)
{
	return start < other + other_size && other < start + size;
}

/*@ predicate domain_meets{L}(struct k_mem_domain *domain, integer start, integer size) =
  @   \exists integer i; 0 <= i < domain->num_partitions &&
  @     partition_meets(domain, i, start, size);
  @*/
/*@ predicate meets_object{L}(struct k_mem_partition *part) =
  @   \exists integer i; 0 <= i < CONFIG_USER_OBJECTS &&
  @     object_meets(&object_table[i], part->start, part->size);
  @*/
/*@ requires domain_is_sound(domain) && start + size <= UINTPTR_MAX;
  @ assigns \nothing;
  @ ensures \result <==> domain_meets(domain, start, size);
  @*/
static bool meets(const struct k_mem_domain *domain, uintptr_t start, size_t size)
{
	/*@ loop invariant 0 <= i <= domain->num_partitions;
	  @ loop invariant \forall integer j; 0 <= j < i ==>
	  @   !partition_meets(domain, j, start, size);
	  @ loop assigns i;
	  @ loop variant domain->num_partitions - i;
	  @*/
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < domain->num_partitions; i++) {
		if (overlap(start, size, domain->partitions[i].start, domain->partitions[i].size)) {
			return true;
		}
	}
	return false;
}

/*@ predicate meets_between(integer start, integer size, integer first, integer end) =
  @   start < end && first < start + size;
  @*/
/*@ requires start + size <= UINTPTR_MAX;
  @ assigns \nothing;
  @ ensures \result <==> meets_between(start, size, first, end);
  @*/
static bool is_between(uintptr_t start, size_t size, uintptr_t first, uintptr_t end)
{
	return start < end && first < start + size;
}

/* The linker's: all stacks of user threads, and what the application has for them. */
extern char _user_stacks_start[], _user_stacks_end[], _app_start[], _app_end[];

/*@ inductive is_behind{L}(struct k_mem_domain *first, struct k_mem_domain *domain) {
  @   case itself{L}: \forall struct k_mem_domain *domain; is_behind{L}(domain, domain);
  @   case next{L}: \forall struct k_mem_domain *first, *domain;
  @     first != \null && is_behind{L}(first->next, domain) ==> is_behind{L}(first, domain);
  @ }
  @ predicate linked_meets(integer start, integer size) =
  @   meets_between(start, size, (uintptr_t)&_user_stacks_start,
  @                 (uintptr_t)&_user_stacks_end) ||
  @   meets_between(start, size, (uintptr_t)&_app_start, (uintptr_t)&_app_end);
  @*/
/*@ requires start + size <= UINTPTR_MAX;
  @ requires \forall struct k_mem_domain *domain; domain != \null &&
  @   is_behind(domains, domain) ==> domain_is_sound(domain);
  @ assigns \nothing;
  @ ensures !\result ==> !linked_meets(start, size);
  @ ensures !\result ==> \forall struct k_mem_domain *domain; domain != \null &&
  @   is_behind(domains, domain) ==> !domain_meets(domain, start, size);
  @ ensures \result ==> linked_meets(start, size) ||
  @   \exists struct k_mem_domain *domain; domain_meets(domain, start, size);
  @*/
static bool is_reached(uintptr_t start, size_t size)
{
	if (is_between(start, size, (uintptr_t)_user_stacks_start, (uintptr_t)_user_stacks_end) ||
	    is_between(start, size, (uintptr_t)_app_start, (uintptr_t)_app_end)) {
		return true;
	}
	/*@ loop invariant \forall struct k_mem_domain *one; one != \null &&
	  @   is_behind(domain, one) ==> domain_is_sound(one);
	  @ loop invariant \forall struct k_mem_domain *one; one != \null &&
	  @   is_behind(domains, one) ==> is_behind(domain, one) || !domain_meets(one, start, size);
	  @ loop assigns domain;
	  @*/
	/* Bound: O, the domains. */
	for (const struct k_mem_domain *domain = domains; domain != NULL; domain = domain->next) {
		if (meets(domain, start, size)) {
			return true;
		}
	}
	return false;
}

/*
 * A domain that is prepared anew while the look stands on it leads on to all the others again: none
 * leaves the list. What is changed behind the look is seen by the count of changes. (Two readings
 * agree falsely after as many changes as a word counts, within one look.)
 */
bool domain_reaches(uintptr_t start, size_t size, unsigned int key)
{
	uintptr_t changes;
	bool reaches;

	/* Bound: D + 1, as others change domains meanwhile. */
	do {
		changes = user_memory_changes;
		arch_irq_unlock(key);
		reaches = is_reached(start, size);
		(void)arch_irq_lock();
	} while (unlikely(*(volatile uintptr_t *)&user_memory_changes != changes));
	return reaches;
}

/*@ requires domain_is_sound(domain) && \valid_read(part) && objects_are_sound;
  @ assigns \nothing;
  @ ensures \result <==> partition_is_one(part) && !meets_object(part) &&
  @   !domain_meets(domain, part->start, part->size);
  @*/
static bool is_sound(const struct k_mem_domain *domain, const struct k_mem_partition *part)
{
	const uint32_t both = K_MEM_PARTITION_WRITE_ | K_MEM_PARTITION_EXEC_;

	if (part->size == 0 || part->start + part->size < part->start ||
	    part->start % ARCH_PARTITION_ALIGN != 0 || part->size % ARCH_PARTITION_ALIGN != 0 ||
	    (part->attr & both) == both || object_lies_in(part->start, part->size)) {
		return false;
	}
	return !meets(domain, part->start, part->size);
}

/*@ predicate has_words_in_ram{L}(struct k_mem_partition *part) =
  @   (part->attr / K_MEM_PARTITION_WRITE_) % 2 == 1 && part->start % sizeof(uintptr_t) == 0 &&
  @   BOARD_RAM_BASE <= part->start &&
  @   part->start + part->size <= BOARD_RAM_BASE + BOARD_RAM_SIZE;
  @*/
/*@ requires \valid_read(part) && part->size > 0 && part->start + part->size <= UINTPTR_MAX;
  @ assigns \nothing;
  @ ensures \result <==> has_words_in_ram(part);
  @*/
static bool has_words(const struct k_mem_partition *part)
{
	return (part->attr & K_MEM_PARTITION_WRITE_) != 0 && part->start % sizeof(uintptr_t) == 0 &&
	       object_tag_is_in_ram(part->start) &&
	       object_tag_is_in_ram(part->start + part->size - 1U);
}

/* After each change of its partitions, masked. */
/*@ requires \valid(domain) && domain_is_sound(domain);
  @ assigns domain->words_start, domain->words_size;
  @ ensures domain->words_size == 0 || \exists integer i; 0 <= i < domain->num_partitions &&
  @   has_words_in_ram(&domain->partitions[i]) &&
  @   domain->words_start == domain->partitions[i].start &&
  @   domain->words_size <= domain->partitions[i].size &&
  @   domain->words_size > domain->partitions[i].size - sizeof(uintptr_t) &&
  @   domain->words_size % sizeof(uintptr_t) == 0;
  @ ensures (\exists integer i; 0 <= i < domain->num_partitions &&
  @   has_words_in_ram(&domain->partitions[i])) ==> domain->words_size > 0;
  @*/
static void find_words(struct k_mem_domain *domain)
{
	domain->words_size = 0;
	/*@ loop invariant 0 <= i <= domain->num_partitions && domain->words_size == 0;
	  @ loop invariant \forall integer j; 0 <= j < i ==>
	  @   !has_words_in_ram(&domain->partitions[j]);
	  @ loop assigns i;
	  @ loop variant domain->num_partitions - i;
	  @*/
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < domain->num_partitions; i++) {
		const struct k_mem_partition *part = &domain->partitions[i];

		if (has_words(part)) {
			domain->words_start = part->start;
			domain->words_size = part->size & ~(sizeof(uintptr_t) - 1U);
			return;
		}
	}
}

/*@ predicate is_copy{L}(struct k_mem_partition *copy, struct k_mem_partition *part) =
  @   copy->start == part->start && copy->size == part->size && copy->attr == part->attr;
  @ predicate is_kept{A, B}(struct k_mem_partition *part) =
  @   \at(part->start, A) == \at(part->start, B) && \at(part->size, A) == \at(part->size, B) &&
  @   \at(part->attr, A) == \at(part->attr, B);
  @*/
/*@ predicate may_be_changed{L}(struct k_mem_domain *domain, struct k_mem_partition *part) =
  @   \valid(domain) && domain_is_sound(domain) && \valid_read(part) &&
  @   \separated(part, domain) && \separated(&user_memory_changes, domain, part);
  @ predicate is_added{A, B}(struct k_mem_domain *domain, struct k_mem_partition *part) =
  @   partition_is_one{B}(part) &&
  @   \at(domain->num_partitions, B) == \at(domain->num_partitions, A) + 1 &&
  @   is_copy{B}(\at(&domain->partitions[\at(domain->num_partitions, A)], B), part) &&
  @   \at(user_memory_changes, B) == (uintptr_t)(\at(user_memory_changes, A) + 1);
  @ predicate others_are_kept{A, B}(struct k_mem_domain *domain) =
  @   \forall integer i; 0 <= i < \at(domain->num_partitions, A) ==>
  @     is_kept{A, B}(\at(&domain->partitions[i], A));
  @*/
/*@ requires may_be_changed(domain, part) && objects_are_sound;
  @ assigns user_memory_changes, *domain;
  @ ensures domain_is_sound(domain) && others_are_kept{Pre, Post}(domain);
  @ ensures \result == 0 || \result == -EINVAL || \result == -ENOSPC;
  @ ensures \result == 0 ==> is_added{Pre, Post}(domain, part);
  @ ensures \result == 0 ==> \old(!meets_object(part) &&
  @   !domain_meets(domain, part->start, part->size));
  @ ensures \result != 0 ==> domain->num_partitions == \old(domain->num_partitions);
  @*/
static int add(struct k_mem_domain *domain, const struct k_mem_partition *part)
{
	int result;

	if (!is_sound(domain, part)) {
		return -EINVAL;
	}
	if (domain->num_partitions == CONFIG_MAX_DOMAIN_PARTITIONS) {
		return -ENOSPC;
	}
	user_memory_changes++;
	domain->partitions[domain->num_partitions++] = *part;
	result = arch_domain_update(domain);
	if (result != 0) {
		domain->num_partitions--;
	}
	find_words(domain);
	return result;
}

/*@ requires may_be_changed(domain, part) && objects_are_sound;
  @ assigns user_memory_changes, *domain;
  @ ensures domain_is_sound(domain) && others_are_kept{Pre, Post}(domain);
  @ ensures \result == 0 || \result == -EINVAL || \result == -ENOSPC;
  @ ensures \result == 0 ==> is_added{Pre, Post}(domain, part);
  @ ensures \result == 0 ==> \old(!meets_object(part) &&
  @   !domain_meets(domain, part->start, part->size));
  @ ensures \result != 0 ==> domain->num_partitions == \old(domain->num_partitions);
  @*/
int k_mem_domain_add_partition(struct k_mem_domain *domain, struct k_mem_partition *part)
{
	unsigned int key = irq_lock();
	int result = add(domain, part);

	irq_unlock(key);
	return result;
}

/*@ predicate is_partition{L}(struct k_mem_domain *domain, integer i, integer start,
  @                           integer size) =
  @   domain->partitions[i].start == start && domain->partitions[i].size == size;
  @*/
/* Model: ipc.revoke */
/*@ requires may_be_changed(domain, part);
  @ assigns user_memory_changes, *domain;
  @ ensures domain_is_sound(domain);
  @ ensures \result == -ENOENT <==> \forall integer i; 0 <= i < \old(domain->num_partitions) ==>
  @   !is_partition{Pre}(domain, i, part->start, part->size);
  @ ensures \result == -ENOENT ==> domain->num_partitions == \old(domain->num_partitions);
  @ ensures \result != -ENOENT ==>
  @   domain->num_partitions == \old(domain->num_partitions) - 1 &&
  @   user_memory_changes == (uintptr_t)(\old(user_memory_changes) + 1);
  @*/
int k_mem_domain_remove_partition(struct k_mem_domain *domain, struct k_mem_partition *part)
{
	unsigned int key = irq_lock();
	int result = -ENOENT;

	/*@ loop invariant 0 <= i <= domain->num_partitions && result == -ENOENT;
	  @ loop invariant \forall integer j; 0 <= j < i ==>
	  @   !is_partition(domain, j, part->start, part->size);
	  @ loop assigns i;
	  @ loop variant domain->num_partitions - i;
	  @*/
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < domain->num_partitions; i++) {
		struct k_mem_partition *there = &domain->partitions[i];

		if (there->start == part->start && there->size == part->size) {
			*there = domain->partitions[domain->num_partitions - 1U];
			domain->num_partitions--;
			user_memory_changes++;
			find_words(domain);
			result = arch_domain_update(domain); /* with fewer there is room */
			break;
		}
	}
	irq_unlock(key);
	return result;
}

int k_mem_domain_add_thread(struct k_mem_domain *domain, k_tid_t thread)
{
	unsigned int key = irq_lock();

	thread->user.domain = domain;
	user_memory_changes++;
	user_moved(thread);
	irq_unlock(key);
	return 0;
}

int k_mem_domain_init(struct k_mem_domain *domain, uint8_t num_parts,
		      struct k_mem_partition *parts[])
{
	unsigned int key = irq_lock();
	int result;

	/* Bound: O, the domains. One that is prepared anew is in the list already. */
	for (struct k_mem_domain **link = &domains; *link != NULL; link = &(*link)->next) {
		if (*link == domain) {
			*link = domain->next;
			break;
		}
	}
	domain->num_partitions = 0;
	user_memory_changes++;
	find_words(domain);
	domain->next = domains;
	domains = domain;
	result = arch_domain_update(domain);
	/* Bound: CONFIG_MAX_DOMAIN_PARTITIONS. */
	for (unsigned int i = 0; i < num_parts && result == 0; i++) {
		result = add(domain, parts[i]);
	}
	irq_unlock(key);
	return result;
}

void domain_start(void)
{
	STRUCT_SECTION_FOREACH(app_partition, app_partition, app) {
		app->partition->start = (uintptr_t)app->start;
		app->partition->size = (size_t)(app->end - app->start);
	}
	(void)k_mem_domain_init(&k_mem_domain_default, 0, NULL);
}
