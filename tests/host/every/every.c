/* SPDX-License-Identifier: Apache-2.0 */
/* The search: see every.h. States are known by 128 bits of theirs. */
#include <stdlib.h>
#include <string.h>

#include <foliot/assert.h>
#include "every.h"

struct node {
	uint64_t mark[2];
	uint32_t before; /* the state that it was come to from */
	uint16_t operation;
	uint16_t is_taken;
};

static struct every *is_run;
static struct node *nodes; /* in the order in which they were found; the first has no `before` */
static uint32_t num_nodes, room;
static uint32_t *table; /* of nodes, by mark; 0: none */
static uint32_t table_size;
static int operation_now = -1;
static uint32_t node_now;

static void *allocated(void *old, size_t bytes)
{
	void *found = realloc(old, bytes);

	if (found == NULL) {
		fprintf(stderr, "every: out of memory\n");
		exit(2);
	}
	return found;
}

void every_part(struct every *every, void *at, size_t bytes)
{
	if (every->num_parts == EVERY_PARTS) {
		exit(2);
	}
	every->parts[every->num_parts].at = at;
	every->parts[every->num_parts++].bytes = bytes;
}

/* ---- a state: the words in which it is not as the first one was ---- */

struct change {
	uint64_t word;
	uint32_t at; /* of the parts one behind the other */
	uint32_t number; /* of changes, in the first, whose word is nobody's */
};

static char *first_state;
static size_t state_bytes; /* whole words */
static char *flat;         /* the state, in one piece */
static struct change *changes;

static void begin_states(void)
{
	for (int i = 0; i < is_run->num_parts; i++) {
		state_bytes += is_run->parts[i].bytes;
	}
	state_bytes = (state_bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
	first_state = allocated(NULL, state_bytes);
	flat = allocated(NULL, state_bytes);
	changes = allocated(NULL, (state_bytes / sizeof(uint64_t) + 1) * sizeof(*changes));
	memset(flat, 0, state_bytes);
	memset(first_state, 0, state_bytes);
}

static void gather(char *into)
{
	for (int i = 0; i < is_run->num_parts; i++) {
		memcpy(into, is_run->parts[i].at, is_run->parts[i].bytes);
		into += is_run->parts[i].bytes;
	}
}

/* What it is now, in `changes`; returns how many of them. */
static uint32_t keep(void)
{
	uint32_t number = 1;

	gather(flat);
	for (size_t at = 0; at < state_bytes; at += sizeof(uint64_t)) {
		if (memcmp(flat + at, first_state + at, sizeof(uint64_t)) != 0) {
			changes[number] = (struct change){0, (uint32_t)at, 0};
			memcpy(&changes[number++].word, flat + at, sizeof(uint64_t));
		}
	}
	changes[0] = (struct change){0, 0, number};
	return number;
}

static void put_back(const struct change *state)
{
	const char *from = flat;

	memcpy(flat, first_state, state_bytes);
	for (uint32_t i = 1; i < state->number; i++) {
		memcpy(flat + state[i].at, &state[i].word, sizeof(uint64_t));
	}
	for (int i = 0; i < is_run->num_parts; i++) {
		memcpy(is_run->parts[i].at, from, is_run->parts[i].bytes);
		from += is_run->parts[i].bytes;
	}
}

/* ---- those that were seen ---- */

static uint64_t mixed(uint64_t x)
{
	x ^= x >> 31;
	x *= 0x7FB5D329728EA185ULL;
	x ^= x >> 27;
	x *= 0x81DADEF4BC2DD44DULL;
	return x ^ x >> 33;
}

static void mark_of(const struct change *state, uint64_t mark[2])
{
	uint64_t a = 0x9E3779B97F4A7C15ULL;
	uint64_t b = 0xD1B54A32D192ED03ULL;

	for (uint32_t i = 1; i < state->number; i++) {
		a = mixed(a ^ state[i].word) + state[i].at;
		b = mixed(b + state[i].word * 0xA0761D6478BD642FULL) ^ state[i].at;
	}
	mark[0] = a;
	mark[1] = b;
}

static uint32_t *slot_of(const uint64_t mark[2])
{
	uint32_t at = (uint32_t)mark[0] & (table_size - 1);

	while (table[at] != 0 &&
	       (nodes[table[at]].mark[0] != mark[0] || nodes[table[at]].mark[1] != mark[1])) {
		at = (at + 1) & (table_size - 1);
	}
	return &table[at];
}

static void grow(void)
{
	if (num_nodes + 1 >= room) {
		room = room == 0 ? 1024 : 2 * room;
		nodes = allocated(nodes, room * sizeof(*nodes));
	}
	if (2 * num_nodes >= table_size) {
		table_size = table_size == 0 ? 4096 : 2 * table_size;
		table = allocated(table, table_size * sizeof(*table));
		memset(table, 0, table_size * sizeof(*table));
		for (uint32_t i = 1; i <= num_nodes; i++) {
			*slot_of(nodes[i].mark) = i;
		}
	}
}

/* True if it is a new one. */
static bool found(const struct change *state)
{
	uint64_t mark[2];
	uint32_t *slot;

	grow();
	mark_of(state, mark);
	slot = slot_of(mark);
	if (*slot != 0) {
		return false;
	}
	nodes[++num_nodes] = (struct node){
		{mark[0], mark[1]}, node_now, (uint16_t)operation_now, 0};
	*slot = num_nodes;
	return true;
}

static void show_way(uint32_t node)
{
	if (node > 1) {
		show_way(nodes[node].before);
		fprintf(stderr, "  ");
		is_run->show(nodes[node].operation, stderr);
		fprintf(stderr, "\n");
	}
}

/* The operations that lead there are shown. */
void fail(const char *rule)
{
	fprintf(stderr, "%s: broken: %s\n", is_run->name, rule);
	show_way(node_now);
	if (operation_now >= 0) {
		fprintf(stderr, "  ");
		is_run->show(operation_now, stderr);
		fprintf(stderr, "\n");
	}
	exit(1);
}

/* An assertion of the kernel's is a rule, too. */
void k_assert_failed(const char *name, const char *file, int line)
{
	(void)file;
	(void)line;
	fail(name);
}

int every_depth(int argc, char **argv)
{
	return argc > 1 ? atoi(argv[1]) : 0;
}

/* ---- the search ---- */

struct level {
	struct change *states; /* one behind the other */
	size_t used, room;
	uint32_t number, first; /* its first state's node */
};

static void add(struct level *level, const struct change *state)
{
	if (level->used + state->number > level->room) {
		level->room = 2 * (level->used + state->number);
		level->states = allocated(level->states, level->room * sizeof(*state));
	}
	memcpy(level->states + level->used, state, state->number * sizeof(*state));
	level->used += state->number;
	level->number++;
}

/* All that comes of a level; returns how many operations were done. */
static uint64_t go_on(const struct level *from, struct level *to)
{
	const struct change *state = from->states;
	uint64_t done = 0;

	*to = (struct level){to->states, 0, to->room, 0, num_nodes + 1};
	for (node_now = from->first; node_now < from->first + from->number; node_now++) {
		put_back(state);
		for (int operation = 0; operation < is_run->num_operations; operation++) {
			if (!is_run->may(operation)) {
				continue;
			}
			operation_now = operation;
			is_run->apply(operation);
			done++;
			(void)keep();
			if (found(changes)) {
				add(to, changes);
			}
			put_back(state);
		}
		state += state->number;
	}
	return done;
}

int every_sequence(struct every *every, int depth)
{
	struct level levels[2] = {{0}, {0}};
	const struct level *last = &levels[0];
	uint64_t done = 0;
	int length = 0;

	is_run = every;
	begin_states();
	gather(first_state);
	(void)keep();
	(void)found(changes);
	levels[0].first = 1;
	add(&levels[0], changes);
	for (; last->number != 0 && (depth == 0 || length < depth); last = &levels[length % 2]) {
		done += go_on(last, &levels[(length + 1) % 2]);
		length++;
	}
	printf("%s: %u states, %llu operations, %s%d\n", every->name, num_nodes,
	       (unsigned long long)done,
	       last->number == 0 ? "of all lengths; the longest way is " : "of lengths up to ",
	       last->number == 0 ? length - 1 : length);
	return 0;
}
