/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All sequences of operations on a structure of the kernel's, by breadth: from each state that any
 * sequence leads to, each operation that may come there. A state that was seen is not gone on from
 * again, so that where no new one comes any more it holds of sequences of any length; else of those
 * up to the length that was reached. That is testing of a bounded world (so many threads, so many
 * bytes), and no proof.
 *
 * A structure's own program says what a state consists of, where it lies (pointers in it stay
 * right, since it is put back to where it was), and what each operation has to do: it does
 * the same to a model, and compares.
 */
#ifndef TESTS_HOST_EVERY_H
#define TESTS_HOST_EVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "tests/host/rule.h"

#define EVERY_PARTS 64

struct every {
	const char *name;
	struct {
		void *at;
		size_t bytes;
	} parts[EVERY_PARTS]; /* what an operation may change */
	int num_parts;
	int num_operations;
	bool (*may)(int operation);
	/* Does it, to the structure and to the model; fails where they part. */
	void (*apply)(int operation);
	void (*show)(int operation, FILE *out);
};

/* What is nobody's is to be as it always is, or states that are alike look different. */
void every_part(struct every *every, void *at, size_t bytes);

/* Go through all, up to `depth` operations or, if that is 0, until nothing new comes. */
int every_sequence(struct every *every, int depth);

/* The depth that the command line asks for; 0: all. */
int every_depth(int argc, char **argv);

#endif /* TESTS_HOST_EVERY_H */
