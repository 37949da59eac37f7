/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What protection costs at the least: a system call and back, in a user thread of the
 * kernel's, whose calls go on arriving there; and the regions of a thread, moved. The latter are those
 * in force, written again, so that the thread finds its own.
 */
#include "floor.h"

#include <measure_user.h>

static struct floor_object object = {.index = 5};
static MEASURE_SHARED uint32_t received;
static uintptr_t regions[FLOOR_REGION_WORDS];

struct floor_object *floor_objects[FLOOR_OBJECTS] = {[5] = &object};
struct floor_range floor_range;
uint32_t floor_word;

MEASURE_WINDOW(null_call, result = floor_call_null())
MEASURE_WINDOW(checked_call, result = floor_call_checked(&object))
MEASURE_WINDOW(copy_call, result = floor_call_copy(&received))
MEASURE_WINDOW(write_stack, floor_regions_write_stack(regions))
MEASURE_WINDOW(write_all, floor_regions_write_all(regions))

static void succeeded(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "returned", result == 0);
}

static void copy_before(void)
{
	floor_word++;
}

static void copied(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "copied", result == 0 && received == floor_word);
}

static void still_there(struct measure_row *row, intptr_t result)
{
	uintptr_t now[FLOOR_REGION_WORDS] = {0}; /* fewer may be used */
	bool same = true;

	floor_regions_read(now);
	/* Bound: FLOOR_REGION_WORDS. */
	for (uint32_t i = 0; i < FLOOR_REGION_WORDS; i++) {
		same = same && now[i] == regions[i];
	}
	measure_witness(row, "regions", same && now[0] != 0);
}

static void calls(void (*change)(void))
{
	unsigned int key = irq_lock();

	change();
	irq_unlock(key);
}

/* What the floor must not let pass, before it is measured. */
static MEASURE_SHARED void *forged;

MEASURE_WINDOW(forged_call, result = floor_call_checked(forged))
MEASURE_WINDOW(forged_copy, result = floor_call_copy(forged))

static bool is_refused(measure_window_fn function, uintptr_t pointer)
{
	struct measure_window window;

	forged = (void *)pointer;
	return measure_user_call(function, &window) < 0;
}

static void refusals(struct measure_row *row, intptr_t result)
{
	static const struct floor_object like = {.index = 5};
	uintptr_t end = floor_range.start + floor_range.last_word;

	succeeded(row, result);
	measure_witness(
		row, "refused",
		is_refused(forged_call, 0) && is_refused(forged_call, (uintptr_t)&object + 1) &&
			is_refused(forged_call, (uintptr_t)&like) &&
			is_refused(forged_call, (uintptr_t)&floor_objects) &&
			is_refused(forged_call, UINTPTR_MAX) && is_refused(forged_copy, end + 1) &&
			is_refused(forged_copy, floor_range.start - 1) &&
			is_refused(forged_copy, 0));
}

void floor_measure_user(void)
{
	measure_user_begin();
	floor_range = (struct floor_range){(uintptr_t)&received, 0};
	calls(floor_calls_take);
	measure_user_open(NULL);
	measure_user_single(&(struct measure_operation){"syscall.null.user",
							"A system call that does nothing",
							null_call, NULL, succeeded});
	measure_user_single(&(struct measure_operation){"syscall.checked.user",
							"A system call that takes an object",
							checked_call, NULL, refusals});
	measure_user_single(&(struct measure_operation){
		"syscall.copy.user", "A system call that writes a word of its caller's", copy_call,
		copy_before, copied});
	measure_user_close();
	calls(floor_calls_return);

	floor_regions_read(regions);
	measure_single(&(struct measure_operation){"domain.switch.stack.kernel",
						   "Move the regions of a thread's stack",
						   write_stack, NULL, still_there});
	measure_single(&(struct measure_operation){"domain.switch.all.kernel",
						   "Move those of its domain, too", write_all, NULL,
						   still_there});
}
