/* SPDX-License-Identifier: Apache-2.0 */
/* What user threads of the lowest priorities do to hold up the most urgent one. */
#ifndef INTERFERENCE_H
#define INTERFERENCE_H

#include <foliot/kernel.h>

#define HELPERS       24 /* threads beside the one that attacks, a little more urgent */
#define ATTACKER_PRIO 3  /* so that others can be of many priorities below it */

/* A call in its most expensive form. `prepare` runs in the kernel, all else in user mode. */
struct attack {
	const char *id;
	const char *text;
	void (*prepare)(void);
	void (*help)(int helper); /* what each helper does for ever; NULL: there are none */
	void (*before)(void);     /* each time, before the call */
	void (*call)(void);
};

/* Attacks of a file, and its objects: made once, and each thread of the attackers' is given access to them. */
struct attack_group {
	const struct attack *attacks;
	size_t num_attacks;
	void (*begin)(void);
	void (*admit)(k_tid_t thread);
};

extern const struct attack_group attacks_waking, attacks_bytes, attacks_objects, attacks_chains;
extern const struct attack_group *const attack_groups[]; /* the first attack of all only computes */
extern const size_t num_attack_groups;

extern struct k_mem_partition attack_memory; /* what attackers write */

/* Of a helper with nothing to do, until a call before an attack ends the rest of all. */
void attack_rest(void);
void attack_end_rest(void);

/* All groups, the attackers' partition and pool. */
void attacks_begin(void);
void attacks_admit(k_tid_t thread);

#endif /* INTERFERENCE_H */
