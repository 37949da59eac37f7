/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that proofs assume and do not show: what assembly does, what interrupts leave alone, what a
 * compiler's builtin returns. Each has behind "Tried by:" the test that tries it. A function that
 * stands here is not proved: those that call it are proved by what stands here.
 */
#ifndef FOLIOT_PROVE_ASSUMED_H
#define FOLIOT_PROVE_ASSUMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Their own sources' alone; contracts of others say that they are written. */
extern uint32_t orphans[CONFIG_USER_OBJECTS / 32];
extern bool user_has_orphans;

/*
 * Names for what contracts speak of and no code keeps: what an operation answered, and what a call
 * was asked. They are ghosts: nothing is assumed of them, but that nobody writes one who does not
 * say so.
 */
/*@ ghost int answered; */
/*@ ghost unsigned int raised; */
/*@ ghost unsigned long asked_size; */
/*@ ghost unsigned long asked_capacity; */
/*@ ghost long word_seen; */
/*@ ghost unsigned int moment; */
/*@ ghost unsigned int moment_of_word; */

/*@ axiomatic Masked {
  @   predicate is_key(integer key);
  @ }
  @*/
/*
 * Between a lock and its unlock no memory changes but by the code between them. What is returned
 * gives back what was, and so does the bit of it that irq_lock() returns.
 * Tried by: tests/user/everywhere, tests/host (storms)
 */
/*@ assigns \nothing;
  @ ensures is_key(\result) && is_key(\result & ARCH_IRQ_KEY_BIT);
  @*/
static inline unsigned int arch_irq_lock(void);

/*
 * Opening interrupts gives back what the lock took, and what a contract speaks of is what the
 * running thread's own code left: what handlers and other threads do then is no part of a contract.
 * Tried by: tests/host (storms), tests/user/everywhere
 */
/*@ requires is_key(key);
  @ assigns \nothing;
  @*/
static inline void arch_irq_unlock(unsigned int key);

/*@ axiomatic Linked {
  @   logic integer constants_start;
  @   logic integer constants_size;
  @ }
  @ predicate constants_have(integer address, integer bytes) =
  @   constants_start <= address && address + bytes <= constants_start + constants_size;
  @*/
/*
 * What user mode may read of the image lies between two symbols of the linker's, and does not wrap.
 * Tried by: tests/user/memory.c (ends_of_constants), tests/user/fuzz
 */
/*@ assigns \nothing;
  @ ensures \result <==> constants_have(start, bytes);
  @*/
bool arch_user_constant(uintptr_t start, size_t bytes);

/*
 * The lowest bit that is set.
 * Tried by: tests/lab/test_prove.py::test_builtins_are_what_is_assumed
 */
/*@ requires bits != 0;
  @ assigns \nothing;
  @ ensures 0 <= \result < 32 && (bits >> \result) % 2 == 1;
  @*/
int __builtin_ctz(unsigned int bits);

/*
 * The same by a multiplication and a table: of each of the 32 bits that can be the lowest.
 * Tried by: tests/lab/test_prove.py::test_the_lowest_bit_is_found_for_each_that_can_be_it
 */
/*@ requires bits != 0;
  @ assigns \nothing;
  @ ensures 0 <= \result < 32 && (bits >> \result) % 2 == 1;
  @*/
static inline unsigned int lowest_bit(uint32_t bits);

/*@ axiomatic Tags {
  @   logic integer tag_index(integer tag);
  @ }
  @*/
/*
 * A tag is read at an address that lies in RAM, which is all there: it returns an index of the
 * table, whatever stands there, and for as long as a function that writes no object runs the same.
 * That the entry leads back to the object is proved, and not assumed.
 * Tried by: tests/user/fuzz, tests/user/access.c
 */
/*@ requires BOARD_RAM_BASE <= tag < BOARD_RAM_BASE + BOARD_RAM_SIZE;
  @ assigns \nothing;
  @ ensures 0 <= \result < CONFIG_USER_OBJECTS && \result == tag_index(tag);
  @*/
static inline unsigned int object_index_at(uintptr_t tag);

/*@ axiomatic Kinds {
  @   logic integer tag_offset_of(integer kind);
  @   logic integer size_of_kind(integer kind);
  @ }
  @ axiomatic Wakes {
  @   logic integer wakes_at(integer moment);
  @ }
  @*/
/*@ axiomatic Copied {
  @   predicate was_copied(integer users, integer to, integer from, integer bytes);
  @ }
  @*/
/*
 * 0 (ARCH_COPY_DONE) is returned where all bytes are there, and a fault was only let pass on the user's side.
 * Tried by: tests/user/memory.c, tests/lab/test_prove_assembly.py (a guarded copy)
 */
/*@ assigns ((char *)to)[0 .. bytes - 1];
  @ ensures \result == 0 ==>
  @   was_copied(untrusted, (uintptr_t)to, (uintptr_t)from, bytes);
  @*/
enum arch_copy_fault arch_copy_guarded(void *to, const void *from, size_t bytes,
				       unsigned int untrusted);

/*
 * Who breaks a rule of user mode's ends there: what called this does not go on.
 * Tried by: tests/user/memory.c, tests/user/access.c, tests/user/fuzz
 */
/*@ assigns \nothing;
  @ ensures 0 == 1;
  @*/
void user_violation(const char *what);

#endif /* FOLIOT_PROVE_ASSUMED_H */
