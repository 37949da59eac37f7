/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A singly linked list: a node lies in what it lists. Who changes it at a time when another may
 * look sees to that himself.
 */
#ifndef ZEPHYR_SYS_SLIST_H
#define ZEPHYR_SYS_SLIST_H

#include <zephyr/sys/util.h>

EXTERN_C_BEGIN_

/** A node. */
struct _snode {
	struct _snode *next; /**< internal */
};
/** A node. */
typedef struct _snode sys_snode_t;

/** The list. */
struct _slist {
	sys_snode_t *head; /**< internal */
	sys_snode_t *tail; /**< internal */
};
/** The list. */
typedef struct _slist sys_slist_t;

/** What an empty list is initialised with. */
#define SYS_SLIST_STATIC_INIT(ptr_to_list) {NULL, NULL}

/* Internal: as in sflist.h. */
static inline sys_snode_t *slist_next_(const sys_snode_t *node)
{
	return node->next;
}

static inline void slist_link_(sys_snode_t *node, sys_snode_t *next)
{
	node->next = next;
}

/** Goes over the nodes with `node`; the list is not to be changed meanwhile. */
#define SYS_SLIST_FOR_EACH_NODE(list, node) \
	for (node = sys_slist_peek_head(list); node != NULL; node = sys_slist_peek_next(node))
/** Goes on behind `node`; from the head where that is NULL. */
#define SYS_SLIST_ITERATE_FROM_NODE(list, node)                                            \
	for (node = node ? sys_slist_peek_next_no_check(node) : sys_slist_peek_head(list); \
	     node != NULL; node = sys_slist_peek_next(node))
/** Goes over the nodes; `node` may be taken out, since `next` is known already. */
#define SYS_SLIST_FOR_EACH_NODE_SAFE(list, node, next)                                         \
	for (node = sys_slist_peek_head(list), next = sys_slist_peek_next(node); node != NULL; \
	     node = next, next = sys_slist_peek_next(node))
/** What `node`, the member n of the type of cn, lies in; NULL of NULL. */
#define SYS_SLIST_CONTAINER(node, cn, n) ((node) ? CONTAINER_OF(node, __typeof__(*cn), n) : NULL)
/** What the first node lies in, or NULL. */
#define SYS_SLIST_PEEK_HEAD_CONTAINER(list, cn, n) \
	SYS_SLIST_CONTAINER(sys_slist_peek_head(list), cn, n)
/** What the last node lies in, or NULL. */
#define SYS_SLIST_PEEK_TAIL_CONTAINER(list, cn, n) \
	SYS_SLIST_CONTAINER(sys_slist_peek_tail(list), cn, n)
/** What the node behind cn's lies in, or NULL. */
#define SYS_SLIST_PEEK_NEXT_CONTAINER(cn, n) \
	((cn) ? SYS_SLIST_CONTAINER(sys_slist_peek_next(&((cn)->n)), cn, n) : NULL)
/** Goes over what the nodes lie in, with cn. */
#define SYS_SLIST_FOR_EACH_CONTAINER(list, cn, n)                         \
	for (cn = SYS_SLIST_PEEK_HEAD_CONTAINER(list, cn, n); cn != NULL; \
	     cn = SYS_SLIST_PEEK_NEXT_CONTAINER(cn, n))
/** The same; cn may be taken out, since cns is known already. */
#define SYS_SLIST_FOR_EACH_CONTAINER_SAFE(list, cn, cns, n)   \
	for (cn = SYS_SLIST_PEEK_HEAD_CONTAINER(list, cn, n), \
	    cns = SYS_SLIST_PEEK_NEXT_CONTAINER(cn, n);       \
	     cn != NULL; cn = cns, cns = SYS_SLIST_PEEK_NEXT_CONTAINER(cn, n))

/** Prepare an empty list. Context: either. */
static inline void sys_slist_init(sys_slist_t *list)
{
	list->head = NULL;
	list->tail = NULL;
}

/** Returns the first node, or NULL. Context: either. */
static inline sys_snode_t *sys_slist_peek_head(sys_slist_t *list)
{
	return list->head;
}

/** Returns the last node, or NULL. Context: either. */
static inline sys_snode_t *sys_slist_peek_tail(sys_slist_t *list)
{
	return list->tail;
}

/** Returns whether the list is empty. Context: either. */
static inline bool sys_slist_is_empty(sys_slist_t *list)
{
	return list->head == NULL;
}

/** Returns the node behind one that is not NULL; NULL: it is the last. Context: either. */
static inline sys_snode_t *sys_slist_peek_next_no_check(sys_snode_t *node)
{
	return slist_next_(node);
}

/** Returns the node behind one; NULL: it is the last, or NULL. Context: either. */
static inline sys_snode_t *sys_slist_peek_next(sys_snode_t *node)
{
	return node != NULL ? slist_next_(node) : NULL;
}

/** Put a node in front. Context: either. */
static inline void sys_slist_prepend(sys_slist_t *list, sys_snode_t *node)
{
	slist_link_(node, list->head);
	list->head = node;
	if (list->tail == NULL) {
		list->tail = node;
	}
}

/** Put a node behind all. Context: either. */
static inline void sys_slist_append(sys_slist_t *list, sys_snode_t *node)
{
	slist_link_(node, NULL);
	if (list->tail == NULL) {
		list->head = node;
	} else {
		slist_link_(list->tail, node);
	}
	list->tail = node;
}

/** Put a chain of nodes, from head to tail, behind all; neither is NULL. Context: either. */
static inline void sys_slist_append_list(sys_slist_t *list, void *head, void *tail)
{
	if (head == NULL || tail == NULL) {
		return;
	}
	if (list->tail == NULL) {
		list->head = (sys_snode_t *)head;
	} else {
		slist_link_(list->tail, (sys_snode_t *)head);
	}
	list->tail = (sys_snode_t *)tail;
}

/** Move what is in another list behind all; that one is empty then. Context: either. */
static inline void sys_slist_merge_slist(sys_slist_t *list, sys_slist_t *list_to_append)
{
	sys_slist_append_list(list, list_to_append->head, list_to_append->tail);
	sys_slist_init(list_to_append);
}

/** Put a node behind `prev`; in front where that is NULL. Context: either. */
static inline void sys_slist_insert(sys_slist_t *list, sys_snode_t *prev, sys_snode_t *node)
{
	if (prev == NULL) {
		sys_slist_prepend(list, node);
	} else if (list->tail == prev) {
		sys_slist_append(list, node);
	} else {
		slist_link_(node, slist_next_(prev));
		slist_link_(prev, node);
	}
}

/** Take the first node out of a list that is not empty. Returns it. Context: either. */
static inline sys_snode_t *sys_slist_get_not_empty(sys_slist_t *list)
{
	sys_snode_t *node = list->head;

	list->head = slist_next_(node);
	if (list->tail == node) {
		list->tail = list->head;
	}
	return node;
}

/** Take the first node out. Returns it, or NULL. Context: either. */
static inline sys_snode_t *sys_slist_get(sys_slist_t *list)
{
	return sys_slist_is_empty(list) ? NULL : sys_slist_get_not_empty(list);
}

/** Take out the node behind `prev`, or the first where that is NULL. Context: either. */
static inline void sys_slist_remove(sys_slist_t *list, sys_snode_t *prev, sys_snode_t *node)
{
	if (prev == NULL) {
		list->head = slist_next_(node);
	} else {
		slist_link_(prev, slist_next_(node));
	}
	if (list->tail == node) {
		list->tail = prev;
	}
	slist_link_(node, NULL);
}

/**
 * Look for a node, by a traversal; *prev (prev may be NULL) is then the one in front of it, or
 * NULL; if it is not there, the last one. Returns whether it is there. Context: either.
 */
static inline bool sys_slist_find(sys_slist_t *list, sys_snode_t *node, sys_snode_t **prev)
{
	sys_snode_t *before = NULL;
	sys_snode_t *at = list->head;

	/* Bound: the nodes. */
	while (at != NULL && at != node) {
		before = at;
		at = slist_next_(at);
	}
	if (prev != NULL) {
		*prev = before;
	}
	return at != NULL;
}

/** Take a node out, wherever it is, by a traversal. Returns if it was there. Context: either. */
static inline bool sys_slist_find_and_remove(sys_slist_t *list, sys_snode_t *node)
{
	sys_snode_t *prev;

	if (!sys_slist_find(list, node, &prev)) {
		return false;
	}
	sys_slist_remove(list, prev, node);
	return true;
}

/** Returns the number of nodes, by a traversal. Context: either. */
static inline size_t sys_slist_len(sys_slist_t *list)
{
	size_t count = 0;

	/* Bound: the nodes. */
	for (sys_snode_t *node = list->head; node != NULL; node = slist_next_(node)) {
		count++;
	}
	return count;
}

EXTERN_C_END_

#endif /* ZEPHYR_SYS_SLIST_H */
