/* SPDX-License-Identifier: Apache-2.0 */
/* Lists: each node carries a letter, and a list is what its letters spell. */
#include <zephyr/sys/dlist.h>
#include <zephyr/sys/sflist.h>
#include <zephyr/sys/slist.h>
#include "test.h"

struct single {
	char letter;
	sys_snode_t node;
};

struct flagged {
	char letter;
	sys_sfnode_t node;
};

struct twofold {
	char letter;
	sys_dnode_t node;
};

static struct single s[] = {{.letter = 'A'}, {.letter = 'B'}, {.letter = 'C'}, {.letter = 'D'}};
static struct flagged f[] = {{.letter = 'A'}, {.letter = 'B'}, {.letter = 'C'}, {.letter = 'D'}};
static struct twofold d[] = {{.letter = 'A'}, {.letter = 'B'}, {.letter = 'C'}, {.letter = 'D'}};

static sys_slist_t slist = SYS_SLIST_STATIC_INIT(&slist);
static sys_sflist_t sflist = SYS_SFLIST_STATIC_INIT(&sflist);
static sys_dlist_t dlist = SYS_DLIST_STATIC_INIT(&dlist);

static void note_slist(sys_slist_t *list)
{
	struct single *it;
	sys_snode_t *last = NULL;
	size_t count = 0;

	SYS_SLIST_FOR_EACH_CONTAINER(list, it, node)
	{
		note(it->letter);
		last = &it->node;
		count++;
	}
	CHECK_EQ(sys_slist_len(list), count);
	CHECK(sys_slist_peek_tail(list) == last);
	CHECK(sys_slist_is_empty(list) == (count == 0));
}

static void note_sflist(sys_sflist_t *list)
{
	struct flagged *it;
	sys_sfnode_t *last = NULL;
	size_t count = 0;

	SYS_SFLIST_FOR_EACH_CONTAINER(list, it, node)
	{
		note(it->letter);
		note((char)('0' + sys_sfnode_flags_get(&it->node)));
		last = &it->node;
		count++;
	}
	CHECK_EQ(sys_sflist_len(list), count);
	CHECK(sys_sflist_peek_tail(list) == last);
}

static void note_dlist(void)
{
	const struct twofold *it;
	const sys_dnode_t *last = NULL;
	size_t count = 0;

	SYS_DLIST_FOR_EACH_CONTAINER(&dlist, it, node)
	{
		note(it->letter);
		CHECK(sys_dlist_peek_prev(&dlist, &it->node) == last);
		last = &it->node;
		count++;
	}
	CHECK_EQ(sys_dlist_len(&dlist), count);
	CHECK(sys_dlist_peek_tail(&dlist) == last);
	CHECK(sys_dlist_has_multiple_nodes(&dlist) == (count > 1));
}

TEST(slist_both_ends_and_the_middle)
{
	CHECK(sys_slist_peek_head(&slist) == NULL && sys_slist_get(&slist) == NULL);
	sys_slist_append(&slist, &s[1].node);
	sys_slist_prepend(&slist, &s[0].node);
	sys_slist_insert(&slist, &s[1].node, &s[3].node);
	sys_slist_insert(&slist, &s[1].node, &s[2].node);
	note_slist(&slist);
	CHECK_NOTES("ABCD");
	CHECK(sys_slist_get(&slist) == &s[0].node);
	sys_slist_insert(&slist, NULL, &s[0].node);
	CHECK(sys_slist_find_and_remove(&slist, &s[3].node));
	CHECK(!sys_slist_find_and_remove(&slist, &s[3].node));
	note_slist(&slist);
	CHECK_NOTES("ABC");
	sys_slist_remove(&slist, &s[0].node, &s[1].node);
	sys_slist_remove(&slist, NULL, &s[0].node);
	note_slist(&slist);
	CHECK_NOTES("C");
	CHECK(sys_slist_get_not_empty(&slist) == &s[2].node);
	note_slist(&slist);
	CHECK_NOTES("");
}

TEST(slist_find_tells_what_is_in_front)
{
	sys_snode_t *prev;

	sys_slist_init(&slist);
	CHECK(!sys_slist_find(&slist, &s[0].node, &prev) && prev == NULL);
	sys_slist_append(&slist, &s[0].node);
	sys_slist_append(&slist, &s[1].node);
	CHECK(sys_slist_find(&slist, &s[0].node, &prev) && prev == NULL);
	CHECK(sys_slist_find(&slist, &s[1].node, &prev) && prev == &s[0].node);
	CHECK(!sys_slist_find(&slist, &s[2].node, &prev) && prev == &s[1].node);
	CHECK(sys_slist_find(&slist, &s[1].node, NULL));
	sys_slist_init(&slist);
}

TEST(slist_lists_are_joined)
{
	sys_slist_t other;

	sys_slist_init(&slist);
	sys_slist_init(&other);
	sys_slist_merge_slist(&slist, &other);
	note_slist(&slist);
	CHECK_NOTES("");
	sys_slist_append(&other, &s[0].node);
	sys_slist_append(&other, &s[1].node);
	sys_slist_merge_slist(&slist, &other);
	CHECK(sys_slist_is_empty(&other));
	s[2].node.next = &s[3].node;
	s[3].node.next = NULL;
	sys_slist_append_list(&slist, &s[2].node, &s[3].node);
	note_slist(&slist);
	CHECK_NOTES("ABCD");
	sys_slist_init(&slist);
}

TEST(slist_nodes_may_go_while_one_walks)
{
	struct single *it;
	struct single *next;
	sys_snode_t *node;

	sys_slist_init(&slist);
	ARRAY_FOR_EACH_PTR(s, one)
	{
		sys_slist_append(&slist, &one->node);
	}
	SYS_SLIST_FOR_EACH_CONTAINER_SAFE(&slist, it, next, node)
	{
		if (it->letter != 'B') {
			CHECK(sys_slist_find_and_remove(&slist, &it->node));
			it->node.next = NULL;
		}
	}
	note_slist(&slist);
	CHECK_NOTES("B");
	sys_slist_append(&slist, &s[2].node);
	node = &s[1].node;
	SYS_SLIST_ITERATE_FROM_NODE(&slist, node)
	{
		note(SYS_SLIST_CONTAINER(node, it, node)->letter);
	}
	CHECK_NOTES("C");
	CHECK(SYS_SLIST_PEEK_HEAD_CONTAINER(&slist, it, node) == &s[1]);
	CHECK(SYS_SLIST_PEEK_TAIL_CONTAINER(&slist, it, node) == &s[2]);
	sys_slist_init(&slist);
}

TEST(sflist_flags_stay_whatever_moves)
{
	ARRAY_FOR_EACH(f, i)
	{
		sys_sfnode_init(&f[i].node, (uint8_t)i);
	}
	sys_sflist_append(&sflist, &f[2].node);
	sys_sflist_append(&sflist, &f[3].node);
	sys_sflist_prepend(&sflist, &f[0].node);
	sys_sflist_insert(&sflist, &f[0].node, &f[1].node);
	note_sflist(&sflist);
	CHECK_NOTES("A0B1C2D3");
	sys_sfnode_flags_set(&f[1].node, 2);
	CHECK(sys_sflist_find_and_remove(&sflist, &f[3].node));
	CHECK_EQ(sys_sfnode_flags_get(&f[3].node), 3);
	CHECK(sys_sflist_get(&sflist) == &f[0].node);
	note_sflist(&sflist);
	CHECK_NOTES("B2C2");
	sys_sflist_init(&sflist);
}

static int later(sys_dnode_t *node, void *data)
{
	return CONTAINER_OF(node, struct twofold, node)->letter > *(const char *)data;
}

TEST(dlist_both_ends_and_the_middle)
{
	CHECK(sys_dlist_is_empty(&dlist) && sys_dlist_get(&dlist) == NULL);
	CHECK(!sys_dnode_is_linked(&d[0].node));
	sys_dlist_append(&dlist, &d[2].node);
	sys_dlist_prepend(&dlist, &d[0].node);
	note_dlist();
	CHECK_NOTES("AC");
	sys_dlist_insert_at(&dlist, &d[1].node, later, &d[1].letter);
	sys_dlist_insert_at(&dlist, &d[3].node, later, &d[3].letter);
	note_dlist();
	CHECK_NOTES("ABCD");
	CHECK(sys_dlist_is_head(&dlist, &d[0].node) && sys_dlist_is_tail(&dlist, &d[3].node));
	sys_dlist_remove(&d[1].node);
	CHECK(!sys_dnode_is_linked(&d[1].node) && sys_dnode_is_linked(&d[2].node));
	sys_dlist_insert(&d[0].node, &d[1].node);
	sys_dlist_remove(&d[3].node);
	note_dlist();
	CHECK_NOTES("BAC");
	CHECK(sys_dlist_get(&dlist) == &d[1].node);
	CHECK(sys_dlist_peek_head_not_empty(&dlist) == &d[0].node);
	sys_dlist_init(&dlist);
	note_dlist();
	CHECK_NOTES("");
}

TEST(dlist_nodes_may_go_while_one_walks)
{
	struct twofold *it;
	struct twofold *next;

	sys_dlist_init(&dlist);
	ARRAY_FOR_EACH_PTR(d, one)
	{
		sys_dlist_append(&dlist, &one->node);
	}
	SYS_DLIST_FOR_EACH_CONTAINER_SAFE(&dlist, it, next, node)
	{
		sys_dlist_remove(&it->node);
		note(it->letter);
	}
	CHECK_NOTES("ABCD");
	CHECK(sys_dlist_is_empty(&dlist));
	CHECK(SYS_DLIST_PEEK_HEAD_CONTAINER(&dlist, it, node) == NULL);
}
