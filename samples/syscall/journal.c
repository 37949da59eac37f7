/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal's side in kernel mode. Each call is two functions: the one that does it, for whom
 * all arguments are good, and a verifier in front of it, for whom none is. No mutex: a user thread
 * may be ended in the middle of a call, and would keep it locked.
 */
#include "journal.h"

#include <foliot/syscall.h>

static struct journal_line lines[JOURNAL_LINES];
static unsigned int count;

int journal_add(const char *text)
{
	struct journal_line line = {.author = k_current_get()};
	int result = -ENOSPC;
	size_t length = 0;
	unsigned int key;

	/* Bound: JOURNAL_SIZE. */
	while (length < JOURNAL_SIZE && text[length] != '\0') {
		line.text[length] = text[length];
		length++;
	}
	if (length == JOURNAL_SIZE) {
		return -EINVAL;
	}
	key = irq_lock();
	if (count < JOURNAL_LINES) {
		lines[count++] = line;
		result = 0;
	}
	irq_unlock(key);
	return result;
}

/* The text is copied once, and only the copy is looked at: its author may change it meanwhile. */
int verify_journal_add(const char *text);
int verify_journal_add(const char *text)
{
	char copy[JOURNAL_SIZE];
	int result = k_usermode_string_copy(copy, text, sizeof(copy));

	K_OOPS(K_SYSCALL_VERIFY(result != -EFAULT));
	return result == 0 ? journal_add(copy) : result;
}

int journal_read(unsigned int index, struct journal_line *line)
{
	int result = -ENOENT;
	unsigned int key = irq_lock();

	if (index < count) {
		*line = lines[index];
		result = 0;
	}
	irq_unlock(key);
	return result;
}

/* The result goes where its caller may write, and nowhere else. */
int verify_journal_read(unsigned int index, struct journal_line *line);
int verify_journal_read(unsigned int index, struct journal_line *line)
{
	struct journal_line copy;
	int result;

	K_SYSCALL_NARROW(index);
	result = journal_read(index, &copy);
	if (result == 0) {
		K_OOPS(K_SYSCALL_VERIFY(k_usermode_to_copy(line, &copy, sizeof(copy)) == 0));
	}
	return result;
}
