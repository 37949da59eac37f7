/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A singly linked list as slist.h's, of which each node has two bits of the user's own: the lowest
 * of its link.
 */
#ifndef ZEPHYR_SYS_SFLIST_H
#define ZEPHYR_SYS_SFLIST_H

#include <zephyr/sys/util.h>

EXTERN_C_BEGIN_

/** A node: the next one's address, and the flags in its lowest bits. */
struct _sfnode {
	uintptr_t next_and_flags; /**< internal */
};
/** A node. */
typedef struct _sfnode sys_sfnode_t;

/** The list. */
struct _sflist {
	sys_sfnode_t *head; /**< internal */
	sys_sfnode_t *tail; /**< internal */
};
/** The list. */
typedef struct _sflist sys_sflist_t;

/** The flags that a node has. */
#define SYS_SFLIST_FLAGS_MASK ((uintptr_t)3U)

/** What an empty list is initialised with. */
#define SYS_SFLIST_STATIC_INIT(ptr_to_list) {NULL, NULL}

/** Returns a node's flags, 0 to 3. Context: either. */
static inline uint8_t sys_sfnode_flags_get(sys_sfnode_t *node)
{
	return (uint8_t)(node->next_and_flags & SYS_SFLIST_FLAGS_MASK);
}

/** Set a node's flags, 0 to 3, whether it is in a list or not. Context: either. */
static inline void sys_sfnode_flags_set(sys_sfnode_t *node, uint8_t flags)
{
	node->next_and_flags = (node->next_and_flags & ~SYS_SFLIST_FLAGS_MASK) |
			       ((uintptr_t)flags & SYS_SFLIST_FLAGS_MASK);
}

/** Prepare a node that is in no list, with flags 0 to 3. Context: either. */
static inline void sys_sfnode_init(sys_sfnode_t *node, uint8_t flags)
{
	node->next_and_flags = (uintptr_t)flags & SYS_SFLIST_FLAGS_MASK;
}

/* Internal: links keep the flags. */
static inline sys_sfnode_t *sflist_next_(const sys_sfnode_t *node)
{
	return (sys_sfnode_t *)(node->next_and_flags & ~SYS_SFLIST_FLAGS_MASK);
}

static inline void sflist_link_(sys_sfnode_t *node, sys_sfnode_t *next)
{
	node->next_and_flags = (node->next_and_flags & SYS_SFLIST_FLAGS_MASK) | (uintptr_t)next;
}

/** Goes over the nodes with `node`; the list is not to be changed meanwhile. */
#define SYS_SFLIST_FOR_EACH_NODE(list, node) \
	for (node = sys_sflist_peek_head(list); node != NULL; node = sys_sflist_peek_next(node))
/** Goes on behind `node`; from the head where that is NULL. */
#define SYS_SFLIST_ITERATE_FROM_NODE(list, node)                                             \
	for (node = node ? sys_sflist_peek_next_no_check(node) : sys_sflist_peek_head(list); \
	     node != NULL; node = sys_sflist_peek_next(node))
/** Goes over the nodes; `node` may be taken out, since `next` is known already. */
#define SYS_SFLIST_FOR_EACH_NODE_SAFE(list, node, next)                                          \
	for (node = sys_sflist_peek_head(list), next = sys_sflist_peek_next(node); node != NULL; \
	     node = next, next = sys_sflist_peek_next(node))
/** What `node`, the member n of the type of cn, lies in; NULL of NULL. */
#define SYS_SFLIST_CONTAINER(node, cn, n) ((node) ? CONTAINER_OF(node, __typeof__(*cn), n) : NULL)
/** What the first node lies in, or NULL. */
#define SYS_SFLIST_PEEK_HEAD_CONTAINER(list, cn, n) \
	SYS_SFLIST_CONTAINER(sys_sflist_peek_head(list), cn, n)
/** What the last node lies in, or NULL. */
#define SYS_SFLIST_PEEK_TAIL_CONTAINER(list, cn, n) \
	SYS_SFLIST_CONTAINER(sys_sflist_peek_tail(list), cn, n)
/** What the node behind cn's lies in, or NULL. */
#define SYS_SFLIST_PEEK_NEXT_CONTAINER(cn, n) \
	((cn) ? SYS_SFLIST_CONTAINER(sys_sflist_peek_next(&((cn)->n)), cn, n) : NULL)
/** Goes over what the nodes lie in, with cn. */
#define SYS_SFLIST_FOR_EACH_CONTAINER(list, cn, n)                         \
	for (cn = SYS_SFLIST_PEEK_HEAD_CONTAINER(list, cn, n); cn != NULL; \
	     cn = SYS_SFLIST_PEEK_NEXT_CONTAINER(cn, n))
/** The same; cn may be taken out, since cns is known already. */
#define SYS_SFLIST_FOR_EACH_CONTAINER_SAFE(list, cn, cns, n)   \
	for (cn = SYS_SFLIST_PEEK_HEAD_CONTAINER(list, cn, n), \
	    cns = SYS_SFLIST_PEEK_NEXT_CONTAINER(cn, n);       \
	     cn != NULL; cn = cns, cns = SYS_SFLIST_PEEK_NEXT_CONTAINER(cn, n))

/** Prepare an empty list. Context: either. */
static inline void sys_sflist_init(sys_sflist_t *list)
{
	list->head = NULL;
	list->tail = NULL;
}

/** Returns the first node, or NULL. Context: either. */
static inline sys_sfnode_t *sys_sflist_peek_head(sys_sflist_t *list)
{
	return list->head;
}

/** Returns the last node, or NULL. Context: either. */
static inline sys_sfnode_t *sys_sflist_peek_tail(sys_sflist_t *list)
{
	return list->tail;
}

/** Returns whether the list is empty. Context: either. */
static inline bool sys_sflist_is_empty(sys_sflist_t *list)
{
	return list->head == NULL;
}

/** Returns the node behind one that is not NULL; NULL: it is the last. Context: either. */
static inline sys_sfnode_t *sys_sflist_peek_next_no_check(sys_sfnode_t *node)
{
	return sflist_next_(node);
}

/** Returns the node behind one; NULL: it is the last, or NULL. Context: either. */
static inline sys_sfnode_t *sys_sflist_peek_next(sys_sfnode_t *node)
{
	return node != NULL ? sflist_next_(node) : NULL;
}

/** Put a node in front. Context: either. */
static inline void sys_sflist_prepend(sys_sflist_t *list, sys_sfnode_t *node)
{
	sflist_link_(node, list->head);
	list->head = node;
	if (list->tail == NULL) {
		list->tail = node;
	}
}

/** Put a node behind all. Context: either. */
static inline void sys_sflist_append(sys_sflist_t *list, sys_sfnode_t *node)
{
	sflist_link_(node, NULL);
	if (list->tail == NULL) {
		list->head = node;
	} else {
		sflist_link_(list->tail, node);
	}
	list->tail = node;
}

/** Put a chain of nodes, from head to tail, behind all; neither is NULL. Context: either. */
static inline void sys_sflist_append_list(sys_sflist_t *list, void *head, void *tail)
{
	if (head == NULL || tail == NULL) {
		return;
	}
	if (list->tail == NULL) {
		list->head = (sys_sfnode_t *)head;
	} else {
		sflist_link_(list->tail, (sys_sfnode_t *)head);
	}
	list->tail = (sys_sfnode_t *)tail;
}

/** Move what is in another list behind all; that one is empty then. Context: either. */
static inline void sys_sflist_merge_sflist(sys_sflist_t *list, sys_sflist_t *list_to_append)
{
	sys_sflist_append_list(list, list_to_append->head, list_to_append->tail);
	sys_sflist_init(list_to_append);
}

/** Put a node behind `prev`; in front where that is NULL. Context: either. */
static inline void sys_sflist_insert(sys_sflist_t *list, sys_sfnode_t *prev, sys_sfnode_t *node)
{
	if (prev == NULL) {
		sys_sflist_prepend(list, node);
	} else if (list->tail == prev) {
		sys_sflist_append(list, node);
	} else {
		sflist_link_(node, sflist_next_(prev));
		sflist_link_(prev, node);
	}
}

/** Take the first node out of a list that is not empty. Returns it. Context: either. */
static inline sys_sfnode_t *sys_sflist_get_not_empty(sys_sflist_t *list)
{
	sys_sfnode_t *node = list->head;

	list->head = sflist_next_(node);
	if (list->tail == node) {
		list->tail = list->head;
	}
	return node;
}

/** Take the first node out. Returns it, or NULL. Context: either. */
static inline sys_sfnode_t *sys_sflist_get(sys_sflist_t *list)
{
	return sys_sflist_is_empty(list) ? NULL : sys_sflist_get_not_empty(list);
}

/** Take out the node behind `prev`, or the first where that is NULL. Context: either. */
static inline void sys_sflist_remove(sys_sflist_t *list, sys_sfnode_t *prev, sys_sfnode_t *node)
{
	if (prev == NULL) {
		list->head = sflist_next_(node);
	} else {
		sflist_link_(prev, sflist_next_(node));
	}
	if (list->tail == node) {
		list->tail = prev;
	}
	sflist_link_(node, NULL);
}

/**
 * Look for a node, by a traversal; *prev (prev may be NULL) is then the one in front of it, or
 * NULL; if it is not there, the last one. Returns whether it is there. Context: either.
 */
static inline bool sys_sflist_find(sys_sflist_t *list, sys_sfnode_t *node, sys_sfnode_t **prev)
{
	sys_sfnode_t *before = NULL;
	sys_sfnode_t *at = list->head;

	/* Bound: the nodes. */
	while (at != NULL && at != node) {
		before = at;
		at = sflist_next_(at);
	}
	if (prev != NULL) {
		*prev = before;
	}
	return at != NULL;
}

/** Take a node out, wherever it is, by a traversal. Returns if it was there. Context: either. */
static inline bool sys_sflist_find_and_remove(sys_sflist_t *list, sys_sfnode_t *node)
{
	sys_sfnode_t *prev;

	if (!sys_sflist_find(list, node, &prev)) {
		return false;
	}
	sys_sflist_remove(list, prev, node);
	return true;
}

/** Returns the number of nodes, by a traversal. Context: either. */
static inline size_t sys_sflist_len(sys_sflist_t *list)
{
	size_t count = 0;

	/* Bound: the nodes. */
	for (sys_sfnode_t *node = list->head; node != NULL; node = sflist_next_(node)) {
		count++;
	}
	return count;
}

EXTERN_C_END_

#endif /* ZEPHYR_SYS_SFLIST_H */
