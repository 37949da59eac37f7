/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that threads make while the system runs: which there are, out of what, and where they go. */
#include "pool.h"

static void makes_and_uses(void *p1, void *p2, void *p3)
{
	struct k_sem *sem = k_object_alloc(K_OBJ_SEM);
	struct k_mutex *mutex = k_object_alloc(K_OBJ_MUTEX);
	struct k_condvar *condvar = k_object_alloc(K_OBJ_CONDVAR);
	struct k_event *event = k_object_alloc(K_OBJ_EVENT);
	struct k_msgq *msgq = k_object_alloc(K_OBJ_MSGQ);
	struct k_stack *stack = k_object_alloc(K_OBJ_STACK);
	struct k_queue *queue = k_object_alloc(K_OBJ_QUEUE);
	uint32_t word = 17;

	seen[0] = k_sem_init(sem, 1, 1) | k_sem_take(sem, K_NO_WAIT);
	seen[0] |= k_mutex_init(mutex) | k_condvar_init(condvar) | k_mutex_lock(mutex, K_NO_WAIT);
	seen[1] = k_condvar_wait(condvar, mutex, K_TICKS(1));
	k_event_init(event);
	(void)k_event_post(event, 4);
	seen[2] = (intptr_t)k_event_wait(event, 4, false, K_NO_WAIT);
	seen[0] |= k_msgq_alloc_init(msgq, 4, 8) | k_msgq_put(msgq, &word, K_NO_WAIT);
	seen[0] |= k_stack_alloc_init(stack, 8) | k_stack_push(stack, 1);
	k_queue_init(queue);
	seen[0] |= k_queue_alloc_append(queue, &word);
	seen[0] |= k_queue_alloc_append(queue, &word);
	seen[3] = k_object_alloc(K_OBJ_TIMER) != NULL;
	seen[4] = 1;
}

TEST(allocated_objects_are_used_like_others_and_freed_with_their_last_user)
{
	size_t before = pool_free();

	(void)prepare_with_pool(makes_and_uses, NULL, NULL, NULL);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], -EAGAIN);
	CHECK_EQ(seen[2], 4);
	CHECK_EQ(seen[3], 1);
	CHECK_EQ(seen[4], 1);
	CHECK_EQ(pool_free(), before);
}

static void makes_in_vain(void *p1, void *p2, void *p3)
{
	intptr_t made = 0;

	for (int kind = K_OBJ_ANY; kind <= K_OBJ_LAST_; kind++) {
		made |= (intptr_t)(k_object_alloc((enum k_objects)kind) != NULL) << kind;
	}
	seen[0] = made;
	seen[1] = k_object_alloc((enum k_objects) - 1) == NULL;
	/* Where an enumeration is a byte (Arm), that is one of the kinds there are. */
	seen[2] = sizeof(enum k_objects) == 1 ||
		  k_object_alloc((enum k_objects)0x80000001U) == NULL;
	seen[3] = k_object_alloc_size(K_OBJ_SEM, SIZE_MAX) == NULL;
	seen[4] = k_object_alloc_size(K_OBJ_SEM, SIZE_MAX - 8) == NULL;
	seen[5] = k_object_alloc_size(K_OBJ_SEM, POOL_SIZE) == NULL;
	seen[6] = k_object_alloc_size(K_OBJ_SEM, 100) != NULL;
	seen[7] = 1;
}

TEST(allocated_kinds_and_sizes_that_there_are_not)
{
	size_t before = pool_free();

	(void)user_prepare(makes_in_vain, NULL, NULL, NULL);
	k_thread_heap_assign(&user_thread, NULL);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 0); /* no pool */
	CHECK_EQ(seen[6], 0);
	(void)prepare_with_pool(makes_in_vain, NULL, NULL, NULL);
	CHECK(user_finish());
	CHECK_EQ(seen[0], (1 << K_OBJ_THREAD_STACK_ELEMENT) - 1 - (1 << K_OBJ_ANY));
	for (int i = 1; i < 8; i++) {
		CHECK_EQ(seen[i], 1);
	}
	CHECK_EQ(pool_free(), before);
}

static void exhausts(void *p1, void *p2, void *p3)
{
	intptr_t n = 0;
	struct k_sem *last = NULL;
	struct k_sem *sem;

	while ((sem = k_object_alloc(K_OBJ_SEM)) != NULL) {
		last = sem;
		n++;
	}
	seen[0] = n;
	k_object_release(last);
	seen[1] = k_object_alloc(K_OBJ_SEM) != NULL; /* what was released is there at once */
	seen[2] = k_object_alloc(K_OBJ_SEM) != NULL;
}

/* First the table has an end, then, for who has less, the pool. */
TEST(allocated_until_there_is_no_more)
{
	static struct k_heap small;
	static char memory[32 * sizeof(void *)] __aligned(HEAP_UNIT);
	size_t before = pool_free();

	(void)prepare_with_pool(exhausts, NULL, NULL, NULL);
	CHECK(user_finish());
	CHECK(seen[0] > 10);
	CHECK(seen[0] < CONFIG_USER_OBJECTS);
	CHECK_EQ(seen[1], 1);
	CHECK_EQ(seen[2], 0);
	CHECK_EQ(pool_free(), before);
	k_heap_init(&small, memory, sizeof(memory));
	(void)user_prepare(exhausts, NULL, NULL, NULL);
	k_thread_heap_assign(&user_thread, &small);
	CHECK(user_finish());
	CHECK(seen[0] > 1);
	CHECK(seen[0] < 10);
	CHECK_EQ(seen[1], 1);
	CHECK_EQ(seen[2], 0);
}

static void releases(void *p1, void *p2, void *p3)
{
	struct k_sem *first = k_object_alloc(K_OBJ_SEM);
	struct k_sem *second;

	(void)k_sem_init(first, 0, 1);
	k_sem_give(first); /* held by the call; and given up all the same */
	k_object_release(first);
	second = k_object_alloc(K_OBJ_SEM);
	seen[0] = second == first;
	seen[1] = k_sem_init(second, 1, 1);
	seen[2] = 1;
	k_object_release(second);
	k_sem_give(first);
	seen[3] = 1;
}

TEST(allocated_object_is_none_for_who_released_it)
{
	size_t before = pool_free();

	(void)prepare_with_pool(releases, NULL, NULL, NULL);
	CHECK(!user_finish());
	CHECK_EQ(seen[0], 1); /* the same memory: its memory and its entry were free */
	CHECK_EQ(seen[1], 0); /* as new */
	CHECK_EQ(seen[2], 1);
	CHECK_EQ(seen[3], 0);
	CHECK_EQ(pool_free(), before);
}

static void child(void *sem, void *p2, void *p3)
{
	seen[3]++;
	k_sem_give(sem);
	seen[3]++;
	k_object_release((struct k_sem *)sem);
	seen[4] = 1;
}

/* A block, a stack and a semaphore of its own make a thread, twice; and one is left running. */
static void makes_threads(void *p1, void *p2, void *p3)
{
	struct k_thread *block = k_object_alloc(K_OBJ_THREAD);
	k_thread_stack_t *stack = k_thread_stack_alloc(512, K_USER);
	struct k_sem *sem = k_object_alloc(K_OBJ_SEM);

	seen[0] = block != NULL && stack != NULL && sem != NULL;
	(void)k_sem_init(sem, 0, 2);
	for (int i = 0; i < 2; i++) {
		(void)k_thread_create(block, stack, 512, child, sem, NULL, NULL, USER_PRIO,
				      K_USER | K_INHERIT_PERMS, K_NO_WAIT);
		seen[1] += k_thread_join(block, K_FOREVER);
	}
	seen[1] += k_sem_take(sem, K_NO_WAIT) + k_sem_take(sem, K_NO_WAIT);
	(void)k_thread_create(block, stack, 512, child, sem, NULL, NULL, USER_PRIO + 1,
			      K_USER | K_INHERIT_PERMS, K_NO_WAIT);
	seen[2] = k_thread_stack_free(stack);
	k_object_release(stack);
	k_object_release(block);
	k_object_release(sem);
	seen[5] = 1;
}

TEST(allocated_threads_keep_their_blocks_and_stacks_until_they_end)
{
	k_thread_stack_t *stacks[CONFIG_DYNAMIC_THREAD_POOL_SIZE + 1];
	size_t before = pool_free();
	int n = 0;

	(void)prepare_with_pool(makes_threads, NULL, NULL, NULL);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[2], -EBUSY);
	CHECK_EQ(seen[5], 1);
	k_sleep(K_TICKS(2)); /* the last one, less urgent than this thread, runs */
	CHECK_EQ(seen[3], 6);
	CHECK_EQ(seen[4], 1);
	CHECK_EQ(pool_free(), before);
	while ((stacks[n] = k_thread_stack_alloc(512, K_USER)) != NULL) {
		n++;
	}
	CHECK_EQ(n, CONFIG_DYNAMIC_THREAD_POOL_SIZE);
	while (n > 0) {
		CHECK_EQ(k_thread_stack_free(stacks[--n]), 0);
	}
}

static void makes_a_thread_of(void *size, void *p2, void *p3)
{
	struct k_thread *block = k_object_alloc(K_OBJ_THREAD);
	k_thread_stack_t *stack = k_thread_stack_alloc(512, K_USER);

	seen[0] = block != NULL && stack != NULL;
	(void)k_thread_create(block, stack, (size_t)size, child, NULL, NULL, NULL, USER_PRIO,
			      K_USER, K_FOREVER);
	seen[1] = 1;
}

TEST(allocated_stacks_are_used_no_further_than_they_go_and_not_too_little)
{
	static const size_t refused[] = {0, ARCH_STACK_MIN - 16,
					 CONFIG_DYNAMIC_THREAD_STACK_SIZE +
						 MAX(8192U, (unsigned int)ARCH_STACK_ALIGN),
					 SIZE_MAX};
	size_t before = pool_free();

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		(void)prepare_with_pool(makes_a_thread_of, (void *)refused[i], NULL, NULL);
		CHECK(!user_finish());
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[1], 0);
		CHECK_EQ(pool_free(), before);
	}
}

static void takes_stacks(void *p1, void *p2, void *p3)
{
	k_thread_stack_t *stack = NULL;

	seen[0] = k_thread_stack_alloc(0, K_USER) == NULL;
	seen[1] = k_thread_stack_alloc(CONFIG_DYNAMIC_THREAD_STACK_SIZE + 1, K_USER) == NULL;
	seen[2] = k_thread_stack_alloc(SIZE_MAX, K_USER) == NULL;
	stack = k_object_alloc_size(K_OBJ_THREAD_STACK_ELEMENT, 512);
	seen[3] = k_thread_stack_free(stack);
	seen[4] = k_thread_stack_alloc(512, K_USER) == stack;
	seen[4] += k_thread_stack_alloc(512, K_USER) != stack;
	seen[5] = 1;
	(void)k_thread_stack_free(p1); /* which is not the caller's */
	seen[6] = 1;
}

TEST(allocated_stacks_go_back_to_where_they_came_from)
{
	k_thread_stack_t *stack = k_thread_stack_alloc(512, K_USER);

	CHECK(stack != NULL);
	CHECK(!user_run(takes_stacks, stack, NULL, NULL));
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(seen[i], 1);
	}
	CHECK_EQ(seen[3], 0);
	CHECK_EQ(seen[4], 2);
	CHECK_EQ(seen[5], 1);
	CHECK_EQ(seen[6], 0);
	CHECK_EQ(k_thread_stack_free(stack + 1), -EINVAL);
	CHECK_EQ(k_thread_stack_free(user_stack), -EINVAL);
	CHECK_EQ(k_thread_stack_free(NULL), -EINVAL);
	(void)k_thread_create(&other_thread, stack, 512, child, NULL, NULL, NULL, USER_PRIO, K_USER,
			      K_FOREVER);
	CHECK_EQ(k_thread_stack_free(stack), -EBUSY);
	k_thread_abort(&other_thread);
	CHECK_EQ(k_thread_stack_free(stack), 0);
	CHECK_EQ(k_thread_stack_free(stack), -EINVAL);
}

static void timer_expired(struct k_timer *timer)
{
	(*(int *)k_timer_user_data_get(timer))++;
}

TEST(allocated_timer_that_runs_does_so_no_more_when_it_is_freed)
{
	size_t before = pool_free();
	struct k_timer *timer = k_object_alloc(K_OBJ_TIMER);
	int expiries = 0;
	int then;

	k_timer_init(timer, timer_expired, NULL);
	k_timer_user_data_set(timer, &expiries);
	k_timer_start(timer, K_TICKS(1), K_TICKS(1));
	k_sleep(K_TICKS(3));
	CHECK(expiries > 0);
	k_object_release(timer);
	then = expiries;
	CHECK_EQ(pool_free(), before);
	k_sleep(K_TICKS(3));
	CHECK_EQ(expiries, then);
}

/* Memory that user threads may write is none for objects, and the other way round. */
K_APP_BMEM(shared) static char writable[256] __aligned(HEAP_UNIT);

TEST(allocated_objects_do_not_lie_where_users_write)
{
	static struct k_mem_domain domain;
	static struct k_heap heap;
	struct k_mem_partition part = {.attr = K_MEM_PARTITION_P_RW_U_RW};
	struct k_sem *sem = k_object_alloc(K_OBJ_SEM);

	part.start = (uintptr_t)sem & ~(uintptr_t)31;
	part.size = 64;
	CHECK_EQ(k_mem_domain_init(&domain, 0, NULL), 0);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &part), -EINVAL);
	k_object_release(sem);
	k_heap_init(&heap, writable, sizeof(writable));
	k_thread_heap_assign(k_current_get(), &heap);
	CHECK(k_object_alloc(K_OBJ_SEM) == NULL);
	k_thread_heap_assign(k_current_get(), &pool);
}
