/* SPDX-License-Identifier: Apache-2.0 */
/* See in_user_mode.h. The verifiers here check nothing: what calls them is this program's own. */
#define TEST_INITS_ITSELF
#include "in_user_mode.h"
#include "test.h"

#define BODY_STACK_SIZE 2048

K_APPMEM_PARTITION_DEFINE(test_memory);
static struct k_mem_domain domain;
static struct k_thread body_thread;
static K_THREAD_STACK_DEFINE(body_stack, BODY_STACK_SIZE);
static bool in_user_mode; /* the test that runs */
TEST_SHARED static volatile bool finished;

/* ---- access ---- */

static const struct {
	uint32_t id;
	enum k_objects kind;
} kinds[] = {
	{K_OBJ_TYPE_CONDVAR_ID, K_OBJ_CONDVAR}, {K_OBJ_TYPE_EVENT_ID, K_OBJ_EVENT},
	{K_OBJ_TYPE_FIFO_ID, K_OBJ_QUEUE},      {K_OBJ_TYPE_LIFO_ID, K_OBJ_QUEUE},
	{K_OBJ_TYPE_MSGQ_ID, K_OBJ_MSGQ},       {K_OBJ_TYPE_MUTEX_ID, K_OBJ_MUTEX},
	{K_OBJ_TYPE_SEM_ID, K_OBJ_SEM},         {K_OBJ_TYPE_STACK_ID, K_OBJ_STACK},
	{K_OBJ_TYPE_TIMER_ID, K_OBJ_TIMER},
};

/* Every object that is defined at build time is everybody's. */
static void grant_defined(void)
{
	STRUCT_SECTION_FOREACH(obj_core_static, obj_core_static, one) {
		for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
			if (kinds[i].id == one->type->id) {
				CHECK_EQ(k_object_grant_all_((char *)one->core -
								     one->type->obj_core_offset,
							     kinds[i].kind, 0),
					 0);
			}
		}
	}
}

static void prepare_access(void)
{
	struct k_mem_partition *parts[] = {&test_memory};

	if (domain.num_partitions == 0) {
		CHECK_EQ(k_mem_domain_init(&domain, ARRAY_SIZE(parts), parts), 0);
		grant_defined();
	}
}

uint32_t test_thread_options(void)
{
	return in_user_mode ? K_USER : 0;
}

void test_thread_created(k_tid_t thread)
{
	if (in_user_mode) {
		CHECK_EQ(k_mem_domain_add_thread(&domain, thread), 0);
		CHECK_EQ(k_object_access_all_grant(thread), 0);
	}
}

/* ---- a test ---- */

static void run_body(void *body, void *p2, void *p3)
{
	((void (*)(void))body)();
	finished = k_is_user_context();
}

bool test_in_user_mode(void (*body)(void), int prio)
{
	prepare_access();
	finished = false;
	in_user_mode = true;
	(void)k_thread_create(&body_thread, body_stack, K_THREAD_STACK_SIZEOF(body_stack), run_body,
			      (void *)body, NULL, NULL, prio, K_USER, K_FOREVER);
	test_thread_created(&body_thread);
	k_thread_start(&body_thread);
	(void)k_thread_join(&body_thread, K_FOREVER);
	in_user_mode = false;
	return finished;
}

/* ---- calls of this program's own ---- */

k_tid_t verify_prepare(void (*entry)(void *arg), void *arg, int prio);
k_tid_t verify_prepare(void (*entry)(void *arg), void *arg, int prio)
{
	return prepare(entry, arg, prio);
}

k_tid_t verify_start(void (*entry)(void *arg), void *arg, int prio);
k_tid_t verify_start(void (*entry)(void *arg), void *arg, int prio)
{
	return start(entry, arg, prio);
}

k_tid_t verify_owner_of(const struct k_mutex *mutex);
k_tid_t verify_owner_of(const struct k_mutex *mutex)
{
	return owner_of(mutex);
}

void verify_in_isr(void (*function)(void *arg), void *arg);
void verify_in_isr(void (*function)(void *arg), void *arg)
{
	in_isr(function, arg);
}

void verify_note(char letter);
void verify_note(char letter)
{
	note(letter);
}

int test_sem_init(struct k_sem *sem, unsigned int initial, unsigned int limit)
{
	(void)k_object_access_all_grant(sem);
	return k_sem_init(sem, initial, limit);
}

__typeof__(test_sem_init) verify_test_sem_init;
int verify_test_sem_init(struct k_sem *sem, unsigned int initial, unsigned int limit)
{
	return test_sem_init(sem, initial, limit);
}

int test_mutex_init(struct k_mutex *mutex)
{
	(void)k_object_access_all_grant(mutex);
	return k_mutex_init(mutex);
}

__typeof__(test_mutex_init) verify_test_mutex_init;
int verify_test_mutex_init(struct k_mutex *mutex)
{
	return test_mutex_init(mutex);
}

int test_condvar_init(struct k_condvar *condvar)
{
	(void)k_object_access_all_grant(condvar);
	return k_condvar_init(condvar);
}

__typeof__(test_condvar_init) verify_test_condvar_init;
int verify_test_condvar_init(struct k_condvar *condvar)
{
	return test_condvar_init(condvar);
}

void test_event_init(struct k_event *event)
{
	(void)k_object_access_all_grant(event);
	k_event_init(event);
}

__typeof__(test_event_init) verify_test_event_init;
void verify_test_event_init(struct k_event *event)
{
	test_event_init(event);
}

void test_timer_init(struct k_timer *timer, k_timer_expiry_t expiry, k_timer_stop_t stop)
{
	(void)k_object_access_all_grant(timer);
	k_timer_init(timer, expiry, stop);
}

__typeof__(test_timer_init) verify_test_timer_init;
void verify_test_timer_init(struct k_timer *timer, k_timer_expiry_t expiry, k_timer_stop_t stop)
{
	test_timer_init(timer, expiry, stop);
}

void test_queue_init(struct k_queue *queue)
{
	(void)k_object_access_all_grant(queue);
	k_queue_init(queue);
}

__typeof__(test_queue_init) verify_test_queue_init;
void verify_test_queue_init(struct k_queue *queue)
{
	test_queue_init(queue);
}
