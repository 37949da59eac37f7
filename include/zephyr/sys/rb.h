/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Balanced trees: nodes of the caller's, each a member of what it keeps in order, as a red-black
 * tree. From the root to any node there are at most 2 * log2(n + 1) nodes, n being how many the
 * tree has; each call takes that many steps at most and no memory, on the stack neither: a node
 * knows its parent, so that nothing is a recursion.
 *
 * A tree is zero but for its lessthan_fn before its first use. No two nodes of it are equal. Who
 * shares one sees to it that one is at it at a time.
 */
#ifndef ZEPHYR_SYS_RB_H
#define ZEPHYR_SYS_RB_H

#include <zephyr/sys/util.h>

EXTERN_C_BEGIN_

/** A node. */
struct rbnode {
	struct rbnode *children[2]; /**< internal: the lesser one, the greater one */
	uintptr_t parent_and_red;   /**< internal: the parent's address, and 1 where it is red */
};

/**
 * Returns whether a comes before b; never of equals. Of an insertion, a removal and a search `a` is
 * the node that was given, and `b` one of the tree. Context: either.
 */
typedef bool (*rb_lessthan_t)(struct rbnode *a, struct rbnode *b);
/** What rb_walk() calls of each node, with the cookie it was given. Context: either. */
typedef void (*rb_visit_t)(struct rbnode *node, void *cookie);

/** The tree: `struct rbtree tree = {.lessthan_fn = before}`. */
struct rbtree {
	struct rbnode *root;       /**< the root, or NULL */
	rb_lessthan_t lessthan_fn; /**< the order */
};

/** Put in a node that is in no tree. Context: either. */
void rb_insert(struct rbtree *tree, struct rbnode *node);
/** Take a node out; no effect where it is not in the tree. Context: either. */
void rb_remove(struct rbtree *tree, struct rbnode *node);
/** Returns the first node in order, or NULL. Context: either. */
struct rbnode *rb_get_min(struct rbtree *tree);
/** Returns the last node in order, or NULL. Context: either. */
struct rbnode *rb_get_max(struct rbtree *tree);
/** Returns whether this node is in the tree; one that is equal does not count. Context: either. */
bool rb_contains(struct rbtree *tree, struct rbnode *node);
/**
 * Call visit_fn(node, cookie) of each node, in order. It may take that node out, and no other.
 * Context: either.
 */
void rb_walk(struct rbtree *tree, rb_visit_t visit_fn, void *cookie);
/** Internal: the node behind one of a tree, or NULL. Context: either. */
struct rbnode *rb_next_(const struct rbnode *node);

/** Goes over the nodes in order with `node`; the tree is not to be changed meanwhile. */
#define RB_FOR_EACH(tree, node) for (node = rb_get_min(tree); node != NULL; node = rb_next_(node))
/** Goes over what the nodes, members `field`, lie in; the tree is not to be changed meanwhile. */
#define RB_FOR_EACH_CONTAINER(tree, node, field)                                       \
	for (node = RB_CONTAINER_(rb_get_min(tree), __typeof__(*(node)), field); node; \
	     node = RB_CONTAINER_(rb_next_(&(node)->field), __typeof__(*(node)), field))
#define RB_CONTAINER_(rbnode_, type, field)                          \
	__extension__({                                              \
		struct rbnode *at_ = (rbnode_);                      \
		at_ != NULL ? CONTAINER_OF(at_, type, field) : NULL; \
	})

EXTERN_C_END_

#endif /* ZEPHYR_SYS_RB_H */
