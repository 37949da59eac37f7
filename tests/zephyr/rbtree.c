/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Red-black trees: against a row of flags, one for each key, with the tree's rules looked at after each step.
 */
#include <zephyr/sys/rb.h>
#include "test.h"

#define KEYS 64
/* Simulated cores are slower. */
#if __STDC_HOSTED__
#define STEPS       20000
#define EVERY_ORDER 1
#else
#define STEPS       500
#define EVERY_ORDER 61
#endif

struct keyed {
	int key;
	struct rbnode node;
};

static TEST_SHARED struct keyed all[KEYS];
static TEST_SHARED struct rbtree tree;
static TEST_SHARED bool there[KEYS]; /* what the tree is to hold */
static TEST_SHARED int count;        /* how many these are */
static TEST_SHARED unsigned int seed;

static bool before(struct rbnode *a, struct rbnode *b)
{
	return CONTAINER_OF(a, struct keyed, node)->key < CONTAINER_OF(b, struct keyed, node)->key;
}

static void start_empty(void)
{
	tree = (struct rbtree){.lessthan_fn = before};
	count = 0;
	seed = 1;
	for (int i = 0; i < KEYS; i++) {
		all[i].key = i;
		there[i] = false;
	}
}

static unsigned int below(unsigned int limit)
{
	seed = seed * 1103515245U + 12345U;
	return (seed >> 16U) % limit;
}

static struct rbnode *parent(const struct rbnode *node)
{
	return (struct rbnode *)(node->parent_and_red & ~(uintptr_t)1);
}

static bool red(const struct rbnode *node)
{
	return node != NULL && (node->parent_and_red & 1U) != 0;
}

/* Black nodes from the root to the node, and all of them. */
static int length_above(const struct rbnode *node, bool black_only)
{
	int length = 0;

	for (; node != NULL; node = parent(node)) {
		length += !black_only || !red(node);
	}
	return length;
}

/* What is true of every such tree, node by node: links, colours, the same black nodes to each end, and the depth. */
static void check_rules(void)
{
	int blacks = -1;
	int deepest = 0;
	const struct keyed *it;

	CHECK(!red(tree.root));
	CHECK(tree.root == NULL || parent(tree.root) == NULL);
	RB_FOR_EACH_CONTAINER(&tree, it, node)
	{
		for (int side = 0; side < 2; side++) {
			const struct rbnode *child = it->node.children[side];

			CHECK(child == NULL || parent(child) == &it->node);
			CHECK(!red(&it->node) || !red(child));
			if (child == NULL) { /* an end */
				int here = length_above(&it->node, true);

				CHECK(blacks == -1 || blacks == here);
				blacks = here;
			}
		}
		deepest = MAX(deepest, length_above(&it->node, false));
	}
	CHECK(deepest <= 2 * LOG2(count + 1) + 1);
}

/* The tree holds what the flags say, in order. */
static void check_contents(void)
{
	const struct rbnode *node;
	int at = -1;
	int first = -1;
	int seen = 0;

	RB_FOR_EACH(&tree, node)
	{
		int key = CONTAINER_OF(node, struct keyed, node)->key;

		CHECK(key > at && there[key]);
		at = key;
		first = first < 0 ? key : first;
		seen++;
	}
	CHECK_EQ(seen, count);
	CHECK(rb_get_min(&tree) == (count != 0 ? &all[first].node : NULL));
	CHECK(rb_get_max(&tree) == (count != 0 ? &all[at].node : NULL));
}

/* Puts the key in, or takes it out. */
static void toggle(int key)
{
	if (there[key]) {
		rb_remove(&tree, &all[key].node);
	} else {
		rb_insert(&tree, &all[key].node);
	}
	there[key] = !there[key];
	count += there[key] ? 1 : -1;
	CHECK(rb_contains(&tree, &all[key].node) == there[key]);
}

TEST_USER(rbtree_at_random)
{
	start_empty();
	check_rules();
	check_contents();
	for (int i = 0; i < STEPS; i++) {
		/* Few keys and many in turn, so that trees of every size are filled and emptied. */
		toggle((int)below((i / 100) % 2 != 0 ? 6 : KEYS));
		check_rules();
		check_contents();
	}
}

TEST_USER(rbtree_upwards_downwards_and_empty_again)
{
	for (int way = 0; way < 4; way++) { /* insert up or down, remove up or down */
		start_empty();
		for (int i = 0; i < KEYS; i++) {
			toggle(way % 2 == 0 ? i : KEYS - 1 - i);
			check_rules();
			check_contents();
		}
		for (int i = 0; i < KEYS; i++) {
			toggle(way / 2 == 0 ? i : KEYS - 1 - i);
			check_rules();
			check_contents();
		}
		CHECK(tree.root == NULL);
	}
}

TEST_USER(rbtree_of_each_small_shape_loses_each_node)
{
	/* Each order of four keys of eight in a row, and then each single removal. */
	for (int order = 0; order < 8 * 7 * 6 * 5; order += EVERY_ORDER) {
		for (int gone = 0; gone < 8; gone++) {
			int left = order;

			start_empty();
			for (int radix = 8; radix > 4; radix--) {
				int nth = left % radix;
				int key = 0;

				left /= radix;
				while (there[key] || nth-- > 0) {
					key++;
				}
				toggle(key);
			}
			toggle(gone);
			check_rules();
			check_contents();
		}
	}
}

TEST_USER(rbtree_is_asked_for_what_it_has_not)
{
	struct keyed stranger = {.key = 3};

	start_empty();
	CHECK(rb_get_min(&tree) == NULL && rb_get_max(&tree) == NULL);
	CHECK(!rb_contains(&tree, &stranger.node));
	rb_remove(&tree, &stranger.node);
	for (int i = 0; i < 8; i++) {
		toggle(i);
	}
	CHECK(!rb_contains(&tree, &stranger.node)); /* its equal is there, and stays */
	rb_remove(&tree, &stranger.node);
	rb_remove(&tree, &all[20].node);
	check_rules();
	check_contents();
}

static void visit(struct rbnode *node, void *cookie)
{
	int key = CONTAINER_OF(node, struct keyed, node)->key;

	*(int *)cookie = *(int *)cookie * 10 + key;
	if (key % 2 == 0) {
		toggle(key);
	}
}

TEST_USER(rbtree_visitor_takes_its_node_out)
{
	int seen = 0;

	start_empty();
	rb_walk(&tree, visit, &seen);
	CHECK_EQ(seen, 0);
	for (int i = 8; i > 0; i--) {
		toggle(i);
	}
	rb_walk(&tree, visit, &seen);
	CHECK_EQ(seen, 12345678);
	check_rules();
	check_contents();
	CHECK_EQ(count, 4);
}
