/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A doubly linked list: a node lies in what it lists, and can be taken out without a traversal. The
 * list's own head closes the circle. Who changes it at a time when another may look sees to that
 * himself.
 */
#ifndef ZEPHYR_SYS_DLIST_H
#define ZEPHYR_SYS_DLIST_H

#include <zephyr/sys/util.h>

EXTERN_C_BEGIN_

/** A node, or a list. */
struct _dnode {
	union {
		struct _dnode *head; /**< internal: a list's first node, or the list itself */
		struct _dnode *next; /**< internal */
	};
	union {
		struct _dnode *tail; /**< internal: a list's last node, or the list itself */
		struct _dnode *prev; /**< internal */
	};
};
/** A list. */
typedef struct _dnode sys_dlist_t;
/** A node. */
typedef struct _dnode sys_dnode_t;

/** What an empty list is initialised with. */
#define SYS_DLIST_STATIC_INIT(ptr_to_list) \
	{                                  \
		{(ptr_to_list)},           \
		{                          \
			(ptr_to_list)      \
		}                          \
	}

/** Goes over the nodes with dn; the list is not to be changed meanwhile. */
#define SYS_DLIST_FOR_EACH_NODE(list, dn) \
	for (dn = sys_dlist_peek_head(list); dn != NULL; dn = sys_dlist_peek_next(list, dn))
/** Goes on behind dn; from the head where that is NULL. */
#define SYS_DLIST_ITERATE_FROM_NODE(list, dn)                                              \
	for (dn = dn ? sys_dlist_peek_next_no_check(list, dn) : sys_dlist_peek_head(list); \
	     dn != NULL; dn = sys_dlist_peek_next(list, dn))
/** Goes over the nodes; dn may be taken out, since dns is known already. */
#define SYS_DLIST_FOR_EACH_NODE_SAFE(list, dn, dns)                                           \
	for (dn = sys_dlist_peek_head(list), dns = sys_dlist_peek_next(list, dn); dn != NULL; \
	     dn = dns, dns = sys_dlist_peek_next(list, dn))
/** What dn, the member n of the type of cn, lies in; NULL of NULL. */
#define SYS_DLIST_CONTAINER(dn, cn, n) ((dn) != NULL ? CONTAINER_OF(dn, __typeof__(*cn), n) : NULL)
/** What the first node lies in, or NULL. */
#define SYS_DLIST_PEEK_HEAD_CONTAINER(list, cn, n) \
	SYS_DLIST_CONTAINER(sys_dlist_peek_head(list), cn, n)
/** What the node behind cn's lies in, or NULL. */
#define SYS_DLIST_PEEK_NEXT_CONTAINER(list, cn, n) \
	((cn) != NULL ? SYS_DLIST_CONTAINER(sys_dlist_peek_next(list, &((cn)->n)), cn, n) : NULL)
/** Goes over what the nodes lie in, with cn. */
#define SYS_DLIST_FOR_EACH_CONTAINER(list, cn, n)                         \
	for (cn = SYS_DLIST_PEEK_HEAD_CONTAINER(list, cn, n); cn != NULL; \
	     cn = SYS_DLIST_PEEK_NEXT_CONTAINER(list, cn, n))
/** The same; cn may be taken out, since cns is known already. */
#define SYS_DLIST_FOR_EACH_CONTAINER_SAFE(list, cn, cns, n)   \
	for (cn = SYS_DLIST_PEEK_HEAD_CONTAINER(list, cn, n), \
	    cns = SYS_DLIST_PEEK_NEXT_CONTAINER(list, cn, n); \
	     cn != NULL; cn = cns, cns = SYS_DLIST_PEEK_NEXT_CONTAINER(list, cn, n))

/** Prepare an empty list. Context: either. */
static inline void sys_dlist_init(sys_dlist_t *list)
{
	list->head = list;
	list->tail = list;
}

/** Prepare a node that is in no list. Context: either. */
static inline void sys_dnode_init(sys_dnode_t *node)
{
	node->next = NULL;
	node->prev = NULL;
}

/** Returns whether a prepared node is in a list. Context: either. */
static inline bool sys_dnode_is_linked(const sys_dnode_t *node)
{
	return node->next != NULL;
}

/** Returns whether the node is the first. Context: either. */
static inline bool sys_dlist_is_head(const sys_dlist_t *list, const sys_dnode_t *node)
{
	return list->head == node;
}

/** Returns whether the node is the last. Context: either. */
static inline bool sys_dlist_is_tail(const sys_dlist_t *list, const sys_dnode_t *node)
{
	return list->tail == node;
}

/** Returns whether the list is empty. Context: either. */
static inline bool sys_dlist_is_empty(const sys_dlist_t *list)
{
	return list->head == list;
}

/** Returns whether it has two nodes or more. Context: either. */
static inline bool sys_dlist_has_multiple_nodes(const sys_dlist_t *list)
{
	return list->head != list->tail;
}

/** Returns the first node, or NULL. Context: either. */
static inline sys_dnode_t *sys_dlist_peek_head(const sys_dlist_t *list)
{
	return sys_dlist_is_empty(list) ? NULL : list->head;
}

/** Returns the first node of a list that is not empty. Context: either. */
static inline sys_dnode_t *sys_dlist_peek_head_not_empty(const sys_dlist_t *list)
{
	return list->head;
}

/** Returns the last node, or NULL. Context: either. */
static inline sys_dnode_t *sys_dlist_peek_tail(const sys_dlist_t *list)
{
	return sys_dlist_is_empty(list) ? NULL : list->tail;
}

/** Returns the node behind one that is not NULL; NULL: it is the last. Context: either. */
static inline sys_dnode_t *sys_dlist_peek_next_no_check(const sys_dlist_t *list,
							const sys_dnode_t *node)
{
	return node == list->tail ? NULL : node->next;
}

/** Returns the node behind one; NULL: it is the last, or NULL. Context: either. */
static inline sys_dnode_t *sys_dlist_peek_next(const sys_dlist_t *list, const sys_dnode_t *node)
{
	return node != NULL ? sys_dlist_peek_next_no_check(list, node) : NULL;
}

/** Returns the node in front of one that is not NULL; NULL: it is the first. Context: either. */
static inline sys_dnode_t *sys_dlist_peek_prev_no_check(const sys_dlist_t *list,
							const sys_dnode_t *node)
{
	return node == list->head ? NULL : node->prev;
}

/** Returns the node in front of one; NULL: it is the first, or NULL. Context: either. */
static inline sys_dnode_t *sys_dlist_peek_prev(const sys_dlist_t *list, const sys_dnode_t *node)
{
	return node != NULL ? sys_dlist_peek_prev_no_check(list, node) : NULL;
}

/** Put a node in front of another one that is in a list. Context: either. */
static inline void sys_dlist_insert(sys_dnode_t *successor, sys_dnode_t *node)
{
	sys_dnode_t *prev = successor->prev;

	node->prev = prev;
	node->next = successor;
	prev->next = node;
	successor->prev = node;
}

/** Put a node behind all. Context: either. */
static inline void sys_dlist_append(sys_dlist_t *list, sys_dnode_t *node)
{
	sys_dlist_insert(list, node);
}

/** Put a node in front. Context: either. */
static inline void sys_dlist_prepend(sys_dlist_t *list, sys_dnode_t *node)
{
	sys_dlist_insert(list->head, node);
}

/**
 * Put a node in front of the first for which cond(it, data) is not 0; if there is none, behind
 * all.
 * Context: either.
 */
static inline void sys_dlist_insert_at(sys_dlist_t *list, sys_dnode_t *node,
				       int (*cond)(sys_dnode_t *node, void *data), void *data)
{
	sys_dnode_t *at = list->head;

	/* Bound: the nodes. */
	while (at != list && cond(at, data) == 0) {
		at = at->next;
	}
	sys_dlist_insert(at, node);
}

/** Take a node out of its list, and leave it as it is. Context: either. */
static inline void sys_dlist_dequeue(sys_dnode_t *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
}

/** Take a node out of its list; it is in none then. Context: either. */
static inline void sys_dlist_remove(sys_dnode_t *node)
{
	sys_dlist_dequeue(node);
	sys_dnode_init(node);
}

/** Take the first node out. Returns it, or NULL. Context: either. */
static inline sys_dnode_t *sys_dlist_get(sys_dlist_t *list)
{
	sys_dnode_t *node = sys_dlist_peek_head(list);

	if (node != NULL) {
		sys_dlist_remove(node);
	}
	return node;
}

/** Returns the number of nodes, by a traversal. Context: either. */
static inline size_t sys_dlist_len(const sys_dlist_t *list)
{
	size_t count = 0;

	/* Bound: the nodes. */
	for (const sys_dnode_t *node = list->head; node != list; node = node->next) {
		count++;
	}
	return count;
}

EXTERN_C_END_

#endif /* ZEPHYR_SYS_DLIST_H */
