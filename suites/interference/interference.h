/* SPDX-License-Identifier: Apache-2.0 */
/* What user threads of the lowest priorities do to hold up the most urgent one. */
#ifndef INTERFERENCE_H
#define INTERFERENCE_H

#include <foliot/kernel.h>

#define HELPERS 24 /* threads beside the one that attacks, a little more urgent */
#define BYTES   4096

/* A call in its most expensive form. `prepare` runs in the kernel, all else in user mode. */
struct attack {
	const char *id;
	const char *text;
	void (*prepare)(void);
	void (*help)(int helper); /* what each helper does for ever; NULL: there are none */
	void (*before)(void);     /* each time, before the call */
	void (*call)(void);
};

extern const struct attack attacks[];
extern const size_t num_attacks;

/* The attackers' partition, pool and objects, for a thread of theirs. */
void attacks_begin(void);
void attacks_admit(k_tid_t thread);

#endif /* INTERFERENCE_H */
