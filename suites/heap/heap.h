/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What malloc and free cost in a heap that is in use. The rows of the latency suite are
 * Zephyr's: one block out of an empty heap, freed at once, which is the least that any
 * heap can be asked. Here are the patterns that programs make: blocks of one size freed
 * in order, backwards and at random, and blocks of mixed sizes that come and go while
 * the heap is half full and while it is nearly full. The sequence of sizes and choices
 * is the same in every run.
 */
#ifndef HEAP_H
#define HEAP_H

#include <measure.h>

/* How many blocks there can be at a time. */
#define PLACES 200U

/* The two rows of a pattern. */
extern struct measure_row heap_malloc_row;
extern struct measure_row heap_free_row;

/* Each measures and prints its rows. */
void heap_equal(void);
void heap_mixed(void);

void heap_rows_begin(const char *malloc_id, const char *malloc_text, const char *free_id,
		     const char *free_text);

/* Frees what is left, unmeasured; the rows hold only if the heap is then whole. */
void heap_rows_end(void);

/* A number below `limit`, from a sequence that starts anew with each pair of rows. */
uint32_t heap_random(uint32_t limit);

/* True if there is a block at place `i`. */
bool heap_has(uint32_t i);

/*
 * Allocate `bytes` bytes into place `i`, which is empty, and fill them: a sample of
 * heap_malloc_row. False: the heap had no room, which is no sample of it; `refused`, if
 * not NULL, is the row of which it is one.
 */
bool heap_allocate(uint32_t i, size_t bytes, struct measure_row *refused);

/* Free the block at place `i`, which must be as it was filled: a sample of heap_free_row. */
void blocks_give_back(uint32_t i);

#endif /* HEAP_H */
