/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks and notes, for all firmware under tests/. A check that fails prints so and does not
 * end its test, because it may stand in any thread or handler.
 */
#ifndef TESTS_CHECK_CHECK_H
#define TESTS_CHECK_CHECK_H

#include <foliot/kernel.h>

/* Context: either. */
#define CHECK(cond) check((cond), #cond, __FILE__, __LINE__)
#define CHECK_EQ(value, expected) \
	check_equal((long)(value), (long)(expected), #value, __FILE__, __LINE__)

void check(bool holds, const char *text, const char *file, int line);
void check_equal(long value, long expected, const char *text, const char *file, int line);

/* How many checks of the current test did not hold. */
extern unsigned int check_failures;

/*
 * Where it is set, it is called instead of printing what does not hold: by programs with a
 * main() of their own, which say first how to come here again, and end.
 */
extern void (*check_handler)(const char *text, const char *file, int line);

/* What happened in which order: letters, noted by anybody. Context: either. */
void note(char letter);
#define CHECK_NOTES(expected) check_notes(expected, __FILE__, __LINE__)
void check_notes(const char *expected, const char *file, int line);
void notes_clear(void);

#endif /* TESTS_CHECK_CHECK_H */
