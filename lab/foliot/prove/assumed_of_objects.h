/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rest of assumed.h, which speaks of the kernel's own types: read behind each source. Where a
 * source has a contract of its own for one of these, that counts and is proved.
 */
#ifndef FOLIOT_PROVE_ASSUMED_OF_OBJECTS_H
#define FOLIOT_PROVE_ASSUMED_OF_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include "kernel/hooks/user.h"

/*
 * The quick look at an object reads a right at an address that it computes of the thread's and the
 * index, which WP's memory has no words for. On the image's bytes it is proved for each verifier.
 * Tried by: tests/lab/test_prove_assembly.py (verifiers of objects), tests/user/access.c
 */
/*@ requires \valid_read(k_cpu.current) && tag_offset <= UINT16_MAX && kind < OBJECT_PUBLIC;
  @ requires BOARD_RAM_BASE <= (uintptr_t)((uintptr_t)object + tag_offset) <
  @   BOARD_RAM_BASE + BOARD_RAM_SIZE;
  @ assigns \nothing;
  @ ensures \result ==> is_there((void *)object, tag_offset, kind) &&
  @   !is_counted(&object_table[place_of((uintptr_t)object, tag_offset)]);
  @*/
static inline bool object_is_usable_with_tag(const void *object, size_t tag_offset,
					     unsigned int kind);

/*
 * A pointer is an address: so many bytes behind a pointer is where the sum of both as numbers is.
 * Tried by: tests/user/memory.c, tests/user/fuzz
 */
/*@ assigns \nothing;
  @ ensures \result == (void *)((char *)start + offset);
  @ ensures (uintptr_t)\result == (uintptr_t)((uintptr_t)start + offset);
  @*/
static void *at_offset(const void *start, size_t offset);

/*
 * For sources that do not see what its contract speaks of; there it is proved.
 * Tried by: tests/lab/test_prove.py (kernel/access/user_pointer.c), tests/ipc
 */
/*@ assigns *known; */
bool user_know(struct user_known *known, const struct k_thread *user, uintptr_t address,
	       size_t left, bool write);

#endif /* FOLIOT_PROVE_ASSUMED_OF_OBJECTS_H */
