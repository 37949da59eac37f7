/* SPDX-License-Identifier: Apache-2.0 */
/* Checks and notes: what needs neither threads nor interrupts, see check.h. */
#include "check.h"
#include "in_user_mode.h"

#define NOTES_MAX 64

TEST_SHARED unsigned int check_failures;
TEST_SHARED void (*check_handler)(const char *text, const char *file, int line);

TEST_SHARED static char notes[NOTES_MAX + 1];
TEST_SHARED static unsigned int num_notes;

static const char *base_name(const char *path)
{
	const char *base = path;

	for (; *path != '\0'; path++) {
		if (*path == '/') {
			base = path + 1;
		}
	}
	return base;
}

/* Say where, unless somebody else takes it over; the caller prints the rest. */
static bool broken(const char *text, const char *file, int line)
{
	check_failures++;
	if (check_handler != NULL) {
		check_handler(text, file, line);
		return false;
	}
	printk("  %s:%d: ", base_name(file), line);
	return true;
}

void check(bool holds, const char *text, const char *file, int line)
{
	if (!holds && broken(text, file, line)) {
		printk("%s does not hold\n", text);
	}
}

void check_equal(long value, long expected, const char *text, const char *file, int line)
{
	if (value != expected && broken(text, file, line)) {
		printk("%s is %ld, not %ld\n", text, value, expected);
	}
}

void note(char letter)
{
	unsigned int key = irq_lock();

	if (num_notes < NOTES_MAX) {
		notes[num_notes++] = letter;
	}
	irq_unlock(key);
}

void check_notes(const char *expected, const char *file, int line)
{
	unsigned int i = 0;

	notes[num_notes] = '\0';
	while (expected[i] != '\0' && expected[i] == notes[i]) {
		i++;
	}
	if (expected[i] != notes[i] && broken("the order", file, line)) {
		printk("the order is %s, not %s\n", notes, expected);
	}
	notes_clear();
}

void notes_clear(void)
{
	num_notes = 0;
}
