/* SPDX-License-Identifier: Apache-2.0 */
/* A journal that the kernel keeps: user threads add lines and read them, and change none. */
#ifndef SAMPLES_SYSCALL_JOURNAL_H
#define SAMPLES_SYSCALL_JOURNAL_H

#include <foliot/kernel.h>

#define JOURNAL_LINES 8
#define JOURNAL_SIZE  24 /* bytes of a line, with its end */

/* A line, and whose it is: the kernel says that, not its author. */
struct journal_line {
	k_tid_t author;
	char text[JOURNAL_SIZE];
};

/* Add a line. Returns 0; -EINVAL: too long; -ENOSPC: the journal is full. Context: thread. */
int journal_add(const char *text);
/* Read the `index`-th line into *line. Returns 0, or -ENOENT: there is none. Context: thread. */
int journal_read(unsigned int index, struct journal_line *line);

#endif /* SAMPLES_SYSCALL_JOURNAL_H */
