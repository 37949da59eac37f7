/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Red-black trees. A red node's children are black, and from a node down to each missing child
 * there are as many black nodes: so no way is longer than twice another. The root is black, and a
 * child that is missing counts as black.
 *
 * Bounds: a way from the root to its end, or back.
 */
#include <zephyr/sys/rb.h>

enum { LESSER, GREATER };

#define RED ((uintptr_t)1)

static struct rbnode *parent_of(const struct rbnode *node)
{
	return (struct rbnode *)(node->parent_and_red & ~RED);
}

static void set_parent(struct rbnode *node, const struct rbnode *parent)
{
	if (node != NULL) {
		node->parent_and_red = (uintptr_t)parent | (node->parent_and_red & RED);
	}
}

static bool is_red(const struct rbnode *node)
{
	return node != NULL && (node->parent_and_red & RED) != 0;
}

static void paint(struct rbnode *node, bool red)
{
	node->parent_and_red = (uintptr_t)parent_of(node) | (red ? RED : 0U);
}

/* Which child of its parent, which is there, it is. */
static int side_of(const struct rbnode *node)
{
	return parent_of(node)->children[GREATER] == node ? GREATER : LESSER;
}

/* Hangs `other`, or nothing, where `node` hangs. */
static void replace(struct rbtree *tree, const struct rbnode *node, struct rbnode *other)
{
	struct rbnode *parent = parent_of(node);

	if (parent == NULL) {
		tree->root = other;
	} else {
		parent->children[side_of(node)] = other;
	}
	set_parent(other, parent);
}

/* Exchanges a node with its parent, which becomes its child on the other side; the order stays. */
static void rotate_up(struct rbtree *tree, struct rbnode *node)
{
	struct rbnode *parent = parent_of(node);
	int side = side_of(node);
	struct rbnode *between = node->children[!side];

	replace(tree, parent, node);
	parent->children[side] = between;
	set_parent(between, parent);
	node->children[!side] = parent;
	set_parent(parent, node);
}

static struct rbnode *outermost(struct rbnode *node, int side)
{
	while (node != NULL && node->children[side] != NULL) {
		node = node->children[side];
	}
	return node;
}

struct rbnode *rb_get_min(struct rbtree *tree)
{
	return outermost(tree->root, LESSER);
}

struct rbnode *rb_get_max(struct rbtree *tree)
{
	return outermost(tree->root, GREATER);
}

struct rbnode *rb_next_(const struct rbnode *node)
{
	if (node->children[GREATER] != NULL) {
		return outermost(node->children[GREATER], LESSER);
	}
	while (parent_of(node) != NULL && side_of(node) == GREATER) {
		node = parent_of(node);
	}
	return parent_of(node);
}

void rb_walk(struct rbtree *tree, rb_visit_t visit_fn, void *cookie)
{
	struct rbnode *node = rb_get_min(tree);

	/* Bound: the nodes. */
	while (node != NULL) {
		struct rbnode *next = rb_next_(node); /* now: the visitor may take this one out */

		visit_fn(node, cookie);
		node = next;
	}
}

bool rb_contains(struct rbtree *tree, struct rbnode *node)
{
	struct rbnode *at = tree->root;

	while (at != NULL && at != node) {
		at = at->children[tree->lessthan_fn(node, at) ? LESSER : GREATER];
	}
	return at != NULL;
}

/* `node` is red, and so may be its parent; nothing else is wrong. */
static void mend_red_parents(struct rbtree *tree, struct rbnode *node)
{
	while (is_red(parent_of(node))) {
		struct rbnode *parent = parent_of(node);
		struct rbnode *grand = parent_of(parent); /* there: the root is black */
		struct rbnode *uncle = grand->children[!side_of(parent)];

		if (!is_red(uncle)) {
			if (side_of(node) != side_of(parent)) {
				rotate_up(tree, node);
				parent = node;
			}
			rotate_up(tree, parent);
			paint(parent, false);
			paint(grand, true);
			break;
		}
		paint(parent, false);
		paint(uncle, false);
		paint(grand, true);
		node = grand;
	}
	paint(tree->root, false);
}

void rb_insert(struct rbtree *tree, struct rbnode *node)
{
	struct rbnode *parent = NULL;
	int side = LESSER;

	for (struct rbnode *at = tree->root; at != NULL; at = at->children[side]) {
		side = tree->lessthan_fn(node, at) ? LESSER : GREATER;
		parent = at;
	}
	*node = (struct rbnode){{NULL, NULL}, (uintptr_t)parent | RED};
	if (parent == NULL) {
		tree->root = node;
	} else {
		parent->children[side] = node;
	}
	mend_red_parents(tree, node);
}

/*
 * On this side of `parent` ways have a black node fewer than on the other one, where thus is a
 * node. Returns false: now both sides have one fewer, and `parent` is black.
 */
static bool mend_side(struct rbtree *tree, struct rbnode *parent, int side)
{
	struct rbnode *sibling = parent->children[!side];

	if (is_red(sibling)) { /* above the parent it leaves a black one behind, its child */
		rotate_up(tree, sibling);
		paint(sibling, false);
		paint(parent, true);
		sibling = parent->children[!side];
	}
	if (is_red(sibling->children[side]) && !is_red(sibling->children[!side])) {
		struct rbnode *inner = sibling->children[side];

		rotate_up(tree, inner);
		paint(inner, false);
		paint(sibling, true);
		sibling = inner;
	}
	if (is_red(sibling->children[!side])) { /* that one has a black node to give */
		rotate_up(tree, sibling);
		paint(sibling, is_red(parent));
		paint(parent, false);
		paint(sibling->children[!side], false);
		return true;
	}
	paint(sibling, true);
	if (is_red(parent)) {
		paint(parent, false);
		return true;
	}
	return false;
}

/* Takes out a node that has one child at most. */
static void unlink_node(struct rbtree *tree, struct rbnode *node)
{
	struct rbnode *child = node->children[node->children[LESSER] == NULL ? GREATER : LESSER];
	struct rbnode *parent = parent_of(node);
	int side = parent != NULL ? side_of(node) : LESSER;

	replace(tree, node, child);
	if (child != NULL) { /* red, as the other side has nothing; so the node is black */
		paint(child, false);
		return;
	}
	if (is_red(node)) {
		return;
	}
	while (parent != NULL && !mend_side(tree, parent, side)) {
		struct rbnode *above = parent_of(parent);

		side = above != NULL ? side_of(parent) : LESSER;
		parent = above;
	}
}

void rb_remove(struct rbtree *tree, struct rbnode *node)
{
	if (!rb_contains(tree, node)) {
		return;
	}
	if (node->children[LESSER] == NULL || node->children[GREATER] == NULL) {
		unlink_node(tree, node);
	} else { /* the one behind it has no lesser child, and takes its place */
		struct rbnode *next = outermost(node->children[GREATER], LESSER);

		unlink_node(tree, next);
		replace(tree, node, next);
		*next = *node;
		set_parent(next->children[LESSER], next);
		set_parent(next->children[GREATER], next);
	}
	*node = (struct rbnode){{NULL, NULL}, 0};
}
