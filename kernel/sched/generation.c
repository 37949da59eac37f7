/* SPDX-License-Identifier: Apache-2.0 */
/* Names that outlive a thread: generation.h. */
#include "kernel/hooks/generation.h"

#define TRIES 4 /* for a place that nobody has; after that one is shared */

struct k_thread *generation_places[GENERATION_PLACES];
static uint32_t last = CONFIG_FIRST_GENERATION;

static struct k_thread **place_of(uint32_t generation)
{
	return &generation_places[generation % GENERATION_PLACES];
}

/*@ logic integer after(integer number) =
  @   GENERATION_ENDED <= number < UINT32_MAX ? number + 1 : GENERATION_ENDED + 1;
  @ predicate is_nobodys{L}(integer number) =
  @   generation_places[number % GENERATION_PLACES] == \null;
  @*/
/*@ requires \valid(thread) &&
  @   \separated(thread, &generation_places[0 .. GENERATION_PLACES - 1], &last);
  @ assigns thread->generation, thread->next_named, generation_places[0 .. GENERATION_PLACES - 1],
  @   last;
  @ ensures \result == thread->generation && \result > GENERATION_ENDED;
  @ ensures is_nobodys{Pre}(after(\old(last))) ==> \result == after(\old(last));
  @ ensures !is_nobodys{Pre}(after(\old(last))) && is_nobodys{Pre}(after(after(\old(last)))) ==>
  @   \result == after(after(\old(last)));
  @ ensures generation_places[\result % GENERATION_PLACES] == thread;
  @ ensures thread->next_named == \old(generation_places[\at(\result, Post) % GENERATION_PLACES]);
  @ ensures \forall integer i; 0 <= i < GENERATION_PLACES && i != \result % GENERATION_PLACES ==>
  @   generation_places[i] == \old(generation_places[i]);
  @*/
uint32_t generation_give(struct k_thread *thread)
{
	struct k_thread **place;
	unsigned int tries = TRIES;

	/*@ loop invariant \let one = after(\at(last, Pre)); \let two = after(one);
	  @   \let three = after(two);
	  @   tries == TRIES && last == \at(last, Pre) ||
	  @   tries == 3 && last == one && !is_nobodys(one) ||
	  @   tries == 2 && last == two && !is_nobodys(one) && !is_nobodys(two) ||
	  @   tries == 1 && last == three && !is_nobodys(one) && !is_nobodys(two) &&
	  @     !is_nobodys(three);
	  @ loop assigns last, place, tries;
	  @ loop variant tries;
	  @*/
	/* Bound: TRIES. After 2^32 the first numbers come again. */
	do {
		last = MAX(last + 1U, GENERATION_ENDED + 1U);
		place = place_of(last);
	} while (unlikely(*place != NULL) && --tries != 0);
	thread->generation = last;
	thread->next_named = *place;
	*place = thread;
	return last;
}

/* Bound: T, as generation_thread()'s. */
void generation_end(struct k_thread *thread)
{
	struct k_thread **link = place_of(thread->generation);

	while (*link != thread) {
		link = &(*link)->next_named;
	}
	*link = thread->next_named;
	thread->generation = GENERATION_NONE;
}
