/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an object may lie is asked of all domains, and threads are made and ended in steps, with interrupts let in: what comes in
 * between, a handler brings.
 */
#include "pool.h"
#include "kernel/access/object_rights.h"

/* As many as memory has room for: some ports' have tables in them. */
#define DOMAINS MIN(12U, 4096U / sizeof(struct k_mem_domain) + 2U)
#define PARTS   2U
#define HITS    24U

static struct k_mem_domain domains[DOMAINS];
static char parts[PARTS * SMALL_PART] __aligned(PARTS *SMALL_PART);

/* What a domain may be given, and where an object is made. */
#define PLACE MAX(1024U, ARCH_PARTITION_ALIGN)
static char place[PLACE] __aligned(PLACE);
static struct k_mem_partition over_it = {(uintptr_t)place, PLACE, K_MEM_PARTITION_P_RW_U_RW};
static struct k_heap in_place;

static volatile struct {
	bool is_within, is_given;
	unsigned int hits;
} now;

static void end_domains(void)
{
	for (unsigned int i = 0; i < DOMAINS; i++) {
		CHECK_EQ(k_mem_domain_init(&domains[i], 0, NULL), 0);
	}
}

static void begin_domains(void)
{
	now.hits = 0;
	for (unsigned int i = 0; i < DOMAINS; i++) {
		CHECK_EQ(k_mem_domain_init(&domains[i], 0, NULL), 0);
		for (unsigned int n = 0; n < PARTS; n++) {
			struct k_mem_partition part = {(uintptr_t)&parts[n * SMALL_PART],
						       SMALL_PART, K_MEM_PARTITION_P_RW_U_RW};

			(void)k_mem_domain_add_partition(&domains[i], &part);
		}
	}
}

/* To the domain that was asked first; or to one that was not asked yet, and begins anew in front of all. */
static void gives_it(struct k_timer *timer)
{
	if (!now.is_within || now.is_given) {
		return;
	}
	now.hits++;
	if (now.hits % 2 == 0) {
		(void)k_mem_domain_init(&domains[0], 0, NULL);
	}
	now.is_given = k_mem_domain_add_partition(&domains[now.hits % 2 == 0 ? 0 : DOMAINS - 1],
						  &over_it) == 0;
}

static K_TIMER_DEFINE(giver, gives_it, NULL);

TEST(places_memory_that_becomes_a_users_while_that_is_asked_is_no_objects)
{
	struct k_heap *before = k_current_get()->resource_pool;

	k_heap_init(&in_place, place, sizeof(place));
	k_thread_heap_assign(k_current_get(), &in_place);
	begin_domains();
	k_timer_start(&giver, K_TICKS(1), K_TICKS(1));
	for (unsigned int tries = 0; now.hits < HITS && tries < 1000000; tries++) {
		void *object;

		now.is_within = true;
		object = k_object_alloc(K_OBJ_SEM);
		now.is_within = false;
		if (now.is_given) {
			(void)k_mem_domain_remove_partition(&domains[0], &over_it);
			(void)k_mem_domain_remove_partition(&domains[DOMAINS - 1], &over_it);
		}
		if ((object != NULL) == now.is_given) { /* one of both, and not both */
			CHECK_EQ(object != NULL, !now.is_given);
			break;
		}
		now.is_given = false;
		k_object_release(object);
	}
	k_timer_stop(&giver);
	CHECK_EQ(now.hits, HITS);
	end_domains();
	k_thread_heap_assign(k_current_get(), before);
}

static struct k_sem sem;

static void grants_it(struct k_timer *timer)
{
	if (now.is_within) {
		now.hits++;
		CHECK_EQ(k_object_access_grant(&sem, &user_thread), 0);
	}
}

static K_TIMER_DEFINE(granter, grants_it, NULL);

static void nothing(void *p1, void *p2, void *p3)
{
}

TEST(places_an_object_that_two_make_known_at_once_is_known_once)
{
	(void)user_prepare(nothing, NULL, NULL, NULL);
	CHECK_EQ(k_sem_init(&sem, 0, 1), 0);
	begin_domains();
	k_timer_start(&granter, K_TICKS(1), K_TICKS(1));
	for (unsigned int tries = 0; now.hits < HITS && tries < 1000000; tries++) {
		unsigned int known = 0;

		now.is_within = true;
		CHECK_EQ(k_object_access_grant(&sem, &user_thread), 0);
		now.is_within = false;
		for (unsigned int i = 0; i < CONFIG_USER_OBJECTS; i++) {
			known += object_table[i].object == &sem;
		}
		if (known != 1) {
			CHECK_EQ(known, 1);
			break;
		}
		k_object_free(&sem);
	}
	k_timer_stop(&granter);
	CHECK_EQ(now.hits, HITS);
	end_domains();
	CHECK(user_finish());
}

/* ---- a thread is made by another, with its rights, and ends, over and over ---- */

static struct k_thread made_thread;

#define INHERITED 6
#define TURNS     24U

static void makes_and_ends(void *block, void *p2, void *p3)
{
	const uint32_t turn = (uint32_t)(uintptr_t)p2;
	const uint32_t inherits = turn % 6 == 3 ? 0 : K_INHERIT_PERMS;

	for (int i = 0; i < INHERITED; i++) {
		(void)k_object_alloc(K_OBJ_SEM);
	}
	for (volatile uint32_t spin = turn * 7; spin != 0; spin--) {
	}
	for (;;) {
		(void)k_thread_create(block, other_stack, USER_STACK_SIZE, nothing, NULL, NULL,
				      NULL, USER_PRIO + 2, K_USER | inherits, K_FOREVER);
		k_thread_abort(block);
	}
}

static struct k_thread rival;
K_THREAD_STACK_DEFINE(rival_stack, USER_STACK_SIZE);
K_THREAD_STACK_DEFINE(rivals_own_stack, USER_STACK_SIZE);
static K_SEM_DEFINE(rival_turn, 0, 1);

/* More urgent: in the same block, on another stack. It ends where that is refused. */
static void makes_another(void *block, void *p2, void *p3)
{
	while (k_sem_take(&rival_turn, K_FOREVER) == 0) {
		(void)k_thread_create(block, rival_stack, USER_STACK_SIZE, nothing, NULL, NULL,
				      NULL, USER_PRIO + 2, K_USER, K_FOREVER);
	}
}

static struct {
	k_tid_t made;
	unsigned int turn;
	k_tid_t suspended;
} life;

/* The maker, or whom it makes; or what both need is taken away. */
static void comes_between(struct k_timer *timer)
{
	if (life.suspended != NULL) {
		k_thread_resume(life.suspended);
		life.suspended = NULL;
		return;
	}
	switch (life.turn % 6) {
	case 0:
	case 1:
		k_thread_abort(life.made);
		break;
	case 2:
		life.suspended = life.turn % 2 == 0 ? life.made : &user_thread;
		k_thread_suspend(life.suspended);
		return;
	case 3:
		k_sem_give(&rival_turn);
		return;
	case 4:
		(void)k_object_access_grant(&sem, life.made);
		k_thread_priority_set(life.made, USER_PRIO);
		return;
	default:
		k_object_access_revoke(other_stack, &user_thread);
		break;
	}
	k_thread_abort(&user_thread);
}

static K_TIMER_DEFINE(between, comes_between, NULL);

static void check_stack(const k_thread_stack_t *stack, bool lives)
{
	const struct object_entry *entry = object_find(stack, K_OBJ_THREAD_STACK_ELEMENT);

	CHECK(entry != NULL);
	CHECK_EQ((entry->kind & OBJECT_NOT_READY) != 0,
		 lives && life.made->stack_start == stack + user_stack_reserved(stack));
}

/* An entry and a tag say the same: whether somebody lives there. */
static void check_nobody_is_half_made(void)
{
	const struct object_entry *block = object_find(life.made, K_OBJ_THREAD);
	const bool lives = block != NULL && (block->kind & OBJECT_NOT_READY) == 0;

	if (block != NULL) {
		CHECK_EQ(life.made->object_tag.is_ready, lives);
		CHECK_EQ((life.made->state & K_THREAD_DEAD) == 0, lives);
	}
	check_stack(other_stack, lives);
	check_stack(rival_stack, lives);
}

static void make_and_end_between(bool is_allocated)
{
	size_t before = pool_free();
	struct k_heap *own = k_current_get()->resource_pool;

	for (life.turn = 0; life.turn < TURNS; life.turn++) {
		struct k_thread *block = is_allocated ? k_object_alloc(K_OBJ_THREAD) : &made_thread;

		CHECK(block != NULL);
		life.made = block;
		life.suspended = NULL;
		(void)prepare_with_pool(makes_and_ends, block, (void *)(uintptr_t)life.turn, NULL);
		k_sem_reset(&rival_turn);
		k_thread_priority_set(&user_thread, USER_PRIO + 1);
		k_thread_access_grant(&user_thread, block, &other_stack);
		(void)k_thread_create(&rival, rivals_own_stack, USER_STACK_SIZE, makes_another,
				      block, NULL, NULL, USER_PRIO, K_USER, K_NO_WAIT);
		k_thread_access_grant(&rival, block, &rival_stack, &rival_turn);
		fatal_count = 0;
		k_thread_start(&user_thread);
		k_timer_start(&between, K_TICKS(2), K_TICKS(1));
		if (k_thread_join(&user_thread, K_TICKS(life.turn % 6 == 3 ? 6 : 40)) != 0) {
			k_thread_abort(&user_thread);
		}
		k_timer_stop(&between);
		k_thread_abort(&rival);
		CHECK(fatal_count <= (life.turn % 6 == 3 ? 2U : 0U)); /* maker and rival */
		check_nobody_is_half_made();
		k_thread_abort(block);
		check_nobody_is_half_made();
		k_object_free(block);
	}
	CHECK_EQ(pool_free(), before);
	k_thread_heap_assign(k_current_get(), own);
	k_object_free(&rival);
	k_object_free(rival_stack);
	k_object_free(&rival_turn);
	k_object_free(&sem);
}

TEST(places_a_thread_that_is_being_made_is_made_or_is_not)
{
	make_and_end_between(false);
}

TEST(places_a_thread_that_is_being_made_in_an_allocated_block_is_made_or_is_not)
{
	make_and_end_between(true);
}

/* ---- while a thread inherits, what its creator may use goes, and another object has its entry ---- */

static struct k_sem defined[2];
static K_SEM_DEFINE(is_made, 0, 1);
static K_SEM_DEFINE(replacers_turn, 0, 1);
static struct {
	volatile unsigned int known; /* which of both */
	volatile unsigned int hits; /* when the heir was known, and not made yet */
} heritage;

/* So that no loop is in time with the tick. */
static void spin_for(uint32_t turn)
{
	for (volatile uint32_t spin = (turn >> 16) % 61; spin != 0; spin--) {
	}
}

static void makes_heirs(void *block, void *p2, void *p3)
{
	for (uint32_t turn = 1;; turn = turn * 1664525U + 1013904223U) {
		spin_for(turn);
		(void)k_thread_create(block, other_stack, USER_STACK_SIZE, nothing, NULL, NULL,
				      NULL, USER_PRIO + 2, K_USER | K_INHERIT_PERMS, K_FOREVER);
		k_sem_give(&is_made);
	}
}

static void wakes_replacer(struct k_timer *timer)
{
	k_sem_give(&replacers_turn);
}

static K_TIMER_DEFINE(replacing, wakes_replacer, NULL);

static void replaces(void *p1, void *p2, void *p3)
{
	for (;;) {
		const struct object_entry *block;

		(void)k_sem_take(&replacers_turn, K_FOREVER);
		block = object_find(&made_thread, K_OBJ_THREAD);
		heritage.hits += made_thread.state == K_THREAD_DEAD &&
				 (block->kind & OBJECT_NOT_READY) == 0;
		k_object_free(&defined[heritage.known]);
		heritage.known ^= 1U;
		CHECK_EQ(k_object_access_grant(&defined[heritage.known], &rival), 0);
	}
}

/* All but itself it has of its creator, which has lost nothing else. */
static void check_heritage(void)
{
	const unsigned int own = entry_index(object_find(&made_thread, K_OBJ_THREAD));

	for (unsigned int i = 0; i < ARRAY_SIZE(made_thread.user.grants); i++) {
		const uint32_t itself = own / 32 == i ? (uint32_t)1 << own % 32 : 0;
		unsigned int key = irq_lock();
		const uint32_t more = made_thread.user.grants[i] & ~user_thread.user.grants[i];

		irq_unlock(key);
		CHECK_EQ(more & ~itself, 0);
	}
}

TEST(places_a_thread_that_is_being_made_inherits_nothing_that_goes_meanwhile)
{
	unsigned int tries = 0;
	unsigned int key;

	heritage.known = 0;
	heritage.hits = 0;
	(void)user_prepare(makes_heirs, &made_thread, NULL, NULL);
	k_thread_priority_set(&user_thread, USER_PRIO + 1);
	k_thread_access_grant(&user_thread, &made_thread, &other_stack, &is_made, &defined[0]);
	(void)k_thread_create(&rival, rivals_own_stack, USER_STACK_SIZE, replaces, NULL, NULL, NULL,
			      MAIN_PRIO - 1, 0, K_NO_WAIT);
	k_thread_start(&user_thread);
	k_timer_start(&replacing, K_TICKS(1), K_TICKS(1));
	while (heritage.hits < HITS / 4 && ++tries < 1000000) {
		(void)k_sem_take(&is_made, K_FOREVER);
		check_heritage();
		k_thread_abort(&made_thread);
		key = irq_lock(); /* the next one inherits it */
		CHECK_EQ(k_object_access_grant(&defined[heritage.known], &user_thread), 0);
		irq_unlock(key);
	}
	k_timer_stop(&replacing);
	CHECK_EQ(heritage.hits, HITS / 4);
	k_thread_abort(&rival);
	k_thread_abort(&user_thread);
	k_thread_abort(&made_thread);
	k_object_free(&defined[heritage.known]);
	k_object_free(&rival);
	k_object_free(&is_made);
}

/* ---- while a thread ends, its stack is free before its block is, and another one lives there ---- */

static struct k_thread successor;
static struct {
	volatile unsigned int hits; /* when the stack was, and the thread had not ended */
	volatile bool lives; /* the successor */
} ending;

static void polls_to_its_end(void *allocated, void *p2, void *p3)
{
	struct k_poll_event event = K_POLL_EVENT_INITIALIZER(K_POLL_TYPE_SEM_AVAILABLE,
							     K_POLL_MODE_NOTIFY_ONLY, allocated);

	(void)k_poll(&event, 1, K_FOREVER);
}

static void makes_and_ends_slowly(void *block, void *p2, void *p3)
{
	struct k_sem *allocated = k_object_alloc(
		K_OBJ_SEM); /* who has a right to one ends in steps */

	(void)k_sem_init(allocated, 0, 1);
	seen[0] = (intptr_t)allocated;
	for (uint32_t turn = 1;; turn = turn * 1664525U + 1013904223U) {
		spin_for(turn);
		(void)k_thread_create(block, other_stack, USER_STACK_SIZE, polls_to_its_end,
				      allocated, NULL, NULL, USER_PRIO + 1,
				      K_USER | K_INHERIT_PERMS, K_NO_WAIT);
		k_yield();
		k_thread_abort(block);
		k_sem_give(&is_made);
	}
}

static void check_somebody_lives_there(bool lives)
{
	const struct object_entry *stack = object_find(other_stack, K_OBJ_THREAD_STACK_ELEMENT);
	const struct k_object_tag *tag = (const struct k_object_tag *)(uintptr_t)other_stack;

	CHECK_EQ((stack->kind & OBJECT_NOT_READY) != 0, lives);
	CHECK_EQ(tag->is_ready, lives);
}

/* More urgent. Every second time it ends the thread as well, of whose end the rest is its own then. */
static void comes_to_live_there(void *p1, void *p2, void *p3)
{
	for (;;) {
		size_t unused;

		(void)k_sem_take(&replacers_turn, K_FOREVER);
		if (made_thread.stack_start != NULL ||
		    (made_thread.state & K_THREAD_PENDING) == 0) {
			continue;
		}
		ending.hits++;
		CHECK(made_thread.user.polled == NULL); /* that stood on the stack */
		check_somebody_lives_there(false);
		CHECK(k_thread_stack_space_get(&made_thread, &unused) != 0);
		(void)k_thread_create(&successor, other_stack, USER_STACK_SIZE, nothing, NULL, NULL,
				      NULL, USER_PRIO + 2, K_USER, K_FOREVER);
		ending.lives = true;
		if (ending.hits % 2 == 0) {
			k_thread_abort(&made_thread);
			CHECK_EQ(made_thread.state, K_THREAD_DEAD);
			CHECK_EQ(made_thread.object_tag.is_ready, 0);
		}
		check_somebody_lives_there(true);
	}
}

TEST(places_a_stack_of_a_thread_that_ends_is_anothers_before_it_has)
{
	struct k_heap *own = k_current_get()->resource_pool;
	unsigned int tries = 0;

	ending.hits = 0;
	ending.lives = false;
	(void)prepare_with_pool(makes_and_ends_slowly, &made_thread, NULL, NULL);
	k_thread_priority_set(&user_thread, USER_PRIO + 1);
	k_thread_access_grant(&user_thread, &made_thread, &other_stack, &is_made);
	k_sem_reset(&is_made);
	(void)k_thread_create(&rival, rivals_own_stack, USER_STACK_SIZE, comes_to_live_there, NULL,
			      NULL, NULL, MAIN_PRIO - 1, 0, K_NO_WAIT);
	k_thread_start(&user_thread);
	k_timer_start(&replacing, K_TICKS(1), K_TICKS(1));
	while (ending.hits < HITS / 4 && ++tries < 1000000) {
		(void)k_sem_take(&is_made, K_FOREVER);
		CHECK_EQ(made_thread.state, K_THREAD_DEAD);
		CHECK_EQ(object_find((void *)seen[0], K_OBJ_SEM)->references, 1); /* a right */
		check_somebody_lives_there(ending.lives);
		if (ending.lives) {
			k_thread_abort(&successor);
			ending.lives = false;
			check_somebody_lives_there(false);
		}
	}
	k_timer_stop(&replacing);
	CHECK_EQ(ending.hits, HITS / 4);
	k_thread_abort(&rival);
	k_thread_abort(&user_thread);
	k_thread_abort(&made_thread);
	k_thread_heap_assign(k_current_get(), own);
	k_object_free(&successor);
	k_object_free(&is_made);
}
