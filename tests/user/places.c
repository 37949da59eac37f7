/* SPDX-License-Identifier: Apache-2.0 */
/* Where an object may lie is asked of all domains, with interrupts let in: what comes in between, a handler brings. */
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
