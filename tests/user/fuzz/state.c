/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each input meets the kernel as it was before the first one, or no run could be repeated alone. All that
 * the kernel is lies in the program's variables, which state.ld puts together; they are
 * copied once, and copied back before each run. Of user threads' stacks, main()'s included, only the first
 * words are, which say whether somebody lives there: at that time nobody does but main() itself. Rejected: a process for each input, which
 * is a hundred times slower; an application that tidies up, whose mistakes would look like the kernel's.
 */
#include <stdlib.h>

#include "fuzz.h"

extern char _state_start[], _state_end[];

/*
 * AddressSanitizer's notes on a range of memory: what on the kernel threads' stacks is somebody's.
 * None where it is not linked (--conf coverage).
 */
void __asan_get_shadow_mapping(size_t *scale, size_t *offset) __attribute__((weak));

struct range {
	char *start;
	size_t size;
	char *copy;
};

KEPT static struct range variables, notes;
/* The stacks of threads that waited when the state was kept: state_keep_stack(). */
#define MOST_STACKS 2

KEPT static struct range stacks[2 * MOST_STACKS];
KEPT static unsigned int num_stacks;

/* The kernel's word at each place where a stack may begin. */
#define MOST_PLACES 256

KEPT static uint32_t tags[MOST_PLACES];

static uint32_t *tag_at(unsigned int place)
{
	extern char _user_stacks_start[];

	return (uint32_t *)(void *)(_user_stacks_start + (size_t)place * ARCH_STACK_ALIGN);
}

static unsigned int num_places(void)
{
	extern char _user_stacks_start[], _user_stacks_end[];

	return (unsigned int)((size_t)(_user_stacks_end - _user_stacks_start) / ARCH_STACK_ALIGN);
}

/* Not in the middle of the stack that this runs on. */
static bool is_own(unsigned int place)
{
	const struct k_thread *thread = k_current_get();

	return (uintptr_t)tag_at(place) - (uintptr_t)thread->stack_start < thread->stack_size;
}

/* By itself: AddressSanitizer sees gaps between variables, which are copied, too. */
static void copy_bytes(void *to, const void *from, size_t bytes)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes)::"memory");
}

static void keep(struct range *range, uintptr_t start, uintptr_t end)
{
	range->start = (char *)start;
	range->size = end - start;
	range->copy = malloc(range->size);
	if (range->copy == NULL) {
		abort();
	}
	copy_bytes(range->copy, range->start, range->size);
}

static void keep_notes(struct range *range, uintptr_t start, uintptr_t end)
{
	size_t scale, offset;

	if (__asan_get_shadow_mapping != NULL) {
		__asan_get_shadow_mapping(&scale, &offset);
		keep(range, (start >> scale) + offset, (end >> scale) + offset);
	}
}

void state_keep(void)
{
	if (num_places() > MOST_PLACES) {
		abort();
	}
	for (unsigned int i = 0; i < num_places(); i++) {
		copy_bytes(&tags[i], tag_at(i), sizeof(tags[i]));
	}
	keep(&variables, (uintptr_t)_state_start, (uintptr_t)_state_end);
	keep_notes(&notes, (uintptr_t)_state_start, (uintptr_t)_state_end);
}

void state_keep_stack(const struct k_thread *thread)
{
	uintptr_t start = (uintptr_t)thread->stack_start, end = start + thread->stack_size;

	if (num_stacks == 2 * MOST_STACKS) {
		abort();
	}
	keep(&stacks[num_stacks++], start, end);
	keep_notes(&stacks[num_stacks++], start, end);
}

void state_restore(void)
{
	for (unsigned int i = 0; i < num_stacks; i++) {
		copy_bytes(stacks[i].start, stacks[i].copy, stacks[i].size);
	}
	for (unsigned int i = 0; i < num_places(); i++) {
		if (!is_own(i)) {
			copy_bytes(tag_at(i), &tags[i], sizeof(tags[i]));
		}
	}
	copy_bytes(variables.start, variables.copy, variables.size);
	copy_bytes(notes.start, notes.copy, notes.size);
}
