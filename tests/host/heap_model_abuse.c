/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Misuse of the allocator: with CONFIG_ASSERT each kind ends in the assertion of its
 * name; without, there is nothing to see here.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "heap_model.h"

#ifdef CONFIG_ASSERT
static jmp_buf assertion;
static const char *asserted;

void k_assert_failed(const char *name, const char *file, int line)
{
	(void)file;
	(void)line;
	asserted = name;
	longjmp(assertion, 1);
}

/* A heap with a free block in a list, the victim, used blocks around, and the top. */
struct scene {
	struct sys_heap heap;
	char *used[6];
	char *listed, *victim, *last, *gone;
};

static void set_up(struct scene *scene, char *memory, size_t bytes)
{
	char *block[9];

	sys_heap_init(&scene->heap, memory, bytes);
	for (unsigned int i = 0; i < ARRAY_SIZE(block); i++) {
		block[i] = sys_heap_alloc(&scene->heap, 40);
	}
	scene->listed = block[1];
	scene->victim = block[4];
	scene->last = block[7];
	scene->gone = block[8];
	heap_release(&scene->heap, scene->listed);
	heap_release(&scene->heap, scene->victim);
	heap_release(&scene->heap, scene->gone);
	scene->used[0] = block[0];
	scene->used[1] = block[2];
	scene->used[2] = block[3];
	scene->used[3] = block[5];
	scene->used[4] = block[6];
	scene->used[5] = block[7];
}

static void free_listed_again(struct scene *s)
{
	heap_release(&s->heap, s->listed);
}

static void free_victim_again(struct scene *s)
{
	(void)heap_free_fast(&s->heap, s->victim);
}

static void free_merged_again(struct scene *s)
{
	heap_release(&s->heap, s->used[2]); /* merges into the victim's front */
	(void)heap_free_fast(&s->heap, s->used[2]);
}

static void free_absorbed_again(struct scene *s)
{
	heap_release(&s->heap, s->used[1]); /* merges behind the listed block */
	heap_release(&s->heap, s->used[5]);
	heap_release(&s->heap, s->used[1]);
}

static void free_behind_top(struct scene *s)
{
	(void)heap_free_fast(&s->heap, s->gone);
}

static void free_outside(struct scene *s)
{
	(void)heap_free_fast(&s->heap, s->heap.end + HEAP_UNIT);
}

static void free_inside_a_block(struct scene *s)
{
	(void)heap_free_fast(&s->heap, s->used[0] + 4);
}

static void overrun(struct scene *s)
{
	memset(s->used[1], 0xFF, heap_usable_size(s->used[1]) + HEAP_HEADER);
	(void)heap_free_fast(&s->heap, s->used[2]);
}

static void overrun_seen_by_owner(struct scene *s)
{
	memset(s->used[1], 0xFF, heap_usable_size(s->used[1]) + HEAP_HEADER);
	(void)heap_free_fast(&s->heap, s->used[1]);
}

static void zero_header(struct scene *s)
{
	memset(s->used[2] - HEAP_HEADER, 0, HEAP_HEADER);
	(void)sys_heap_resize(&s->heap, s->used[2], 4);
}

static void write_after_free_footer(struct scene *s)
{
	memset(s->listed, 0x11, 48 - HEAP_HEADER);
	heap_release(&s->heap, s->used[1]);
}

static void write_after_free_links(struct scene *s)
{
	memset(s->listed, 0, sizeof(struct heap_free));
	((struct heap_free *)(void *)s->listed)->link = &s->heap.list[0];
	heap_release(&s->heap, s->used[1]);
}

/* Returns the name of the assertion that `misuse` ended in. */
static const char *name_of(void (*misuse)(struct scene *scene), char *memory, size_t bytes)
{
	static struct scene scene;

	asserted = "none";
	set_up(&scene, memory, bytes);
	if (setjmp(assertion) == 0) {
		misuse(&scene);
	}
	return asserted;
}

void heap_abuse(void)
{
	static const struct {
		void (*misuse)(struct scene *scene);
		const char *name;
	} cases[] = {
		{free_listed_again, "heap-double-free"},
		{free_victim_again, "heap-double-free"},
		{free_merged_again, "heap-double-free"},
		{free_absorbed_again, "heap-double-free"},
		{free_behind_top, "heap-double-free"},
		{free_outside, "heap-free-of-no-block"},
		{free_inside_a_block, "heap-free-of-no-block"},
		{overrun, "heap-corrupt-header"},
		{overrun_seen_by_owner, "heap-corrupt-header"},
		{zero_header, "heap-corrupt-header"},
		{write_after_free_footer, "heap-corrupt-header"},
		{write_after_free_links, "heap-corrupt-list"},
	};
	char *memory = malloc(1024);

	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *name = name_of(cases[i].misuse, memory, 1024);

		if (strcmp(name, cases[i].name) != 0) {
			fprintf(stderr, "misuse %u: %s, expected %s\n", i, name, cases[i].name);
			fail("misuse ends in the assertion of its name");
		}
	}
	free(memory);
}
#else
void heap_abuse(void)
{
}
#endif
