/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thread-local storage (C's _Thread_local, GCC's __thread, C++'s thread_local): each thread has a
 * copy of those variables at the end of its stack, made when it is created, so nothing is
 * allocated, nothing is given back, and a thread that gets another's place starts anew. Compiled
 * code finds them by a distance from the thread pointer that the linker has put into the
 * instructions (the local-exec model); where they lie about that pointer is each machine's ABI:
 * arch_tls.h.
 *
 * What is zero at the start stands in the image as zeros, in one section with what is not: with
 * two, the second one's distance would depend on both alignments and on whether the first is there
 * at all.
 */
#include <string.h>
#include <arch_tls.h>
#include "kernel/sched/tls.h"

/*
 * Of the linker script: arch/sections.ld. The alignment is that symbol's distance from the start.
 */
extern char _tls_start[];
extern char _tls_end[];
extern char _tls_start_and_align[];

/* Of variables that are zero alone the linker would make a section without contents. */
static __thread char filled __attribute__((used, section(".tdata_filled"))) = 1;

/* Bytes; an image without other such variables has none at all. */
static size_t size_of_copy(void)
{
	size_t size = (size_t)((uintptr_t)_tls_end - (uintptr_t)_tls_start);

	return size == sizeof(filled) ? 0 : size;
}

/* A power of two. */
static size_t align_of_copy(void)
{
	return (uintptr_t)_tls_start_and_align - (uintptr_t)_tls_start;
}

/*
 * Beside the variables, bytes: what is lost where they are aligned comes to twice their alignment,
 * where the stack is again, to once its own; and a word or two is the ABI's.
 */
#define MARGIN (ARCH_STACK_ALIGN + 16U)

size_t tls_room(void)
{
	size_t size = size_of_copy();

	return size == 0 ? 0 : size + 2 * align_of_copy() + MARGIN;
}

char *tls_carve(struct k_thread *thread, char *end)
{
	size_t size = size_of_copy();
	char *copy;

	/* The linker script asks whether the idle thread's stack and main()'s have room for it. */
	__asm__(".globl _tls_stack_min\n\t.set _tls_stack_min, %c0" ::"i"(ARCH_STACK_MIN + MARGIN));
	if (size == 0) {
		thread->tls = NULL; /* the switch loads it all the same */
		return end;
	}
	copy = arch_tls_place(end, size, align_of_copy(), &thread->tls);
	(void)memcpy(copy, _tls_start, size);
	return copy;
}
