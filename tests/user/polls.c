/* SPDX-License-Identifier: Apache-2.0 */
/* Polling, signals and futexes by user threads: as in kernel mode, and what is refused. */
#include "kernel/access/object_rights.h"
#include "pool.h"

static K_SEM_DEFINE(sem, 0, 1);
static K_FIFO_DEFINE(fifo);
K_MSGQ_DEFINE(polled_msgq, 4, 2, 4);
K_PIPE_DEFINE(polled_pipe, 4, 4);
static struct k_poll_signal raised_signal = K_POLL_SIGNAL_INITIALIZER(raised_signal);
static struct k_poll_signal not_ours = K_POLL_SIGNAL_INITIALIZER(not_ours);
K_APP_BMEM(shared) static struct k_futex futex;
static struct k_futex kernels_futex;

/* Five objects, and one that is nothing. */
#define EVENTS MIN(6, CONFIG_POLL_USER_EVENTS)
static void name_all(struct k_poll_event *events)
{
	void *const objects[] = {&raised_signal, &sem, &fifo, &polled_msgq, &polled_pipe, NULL};
	static const uint8_t types[] = {K_POLL_TYPE_SIGNAL,
					K_POLL_TYPE_SEM_AVAILABLE,
					K_POLL_TYPE_FIFO_DATA_AVAILABLE,
					K_POLL_TYPE_MSGQ_DATA_AVAILABLE,
					K_POLL_TYPE_PIPE_DATA_AVAILABLE,
					K_POLL_TYPE_IGNORE};

	for (int i = 0; i < EVENTS; i++) {
		k_poll_event_init(&events[i], types[i], K_POLL_MODE_NOTIFY_ONLY, objects[i]);
	}
}

static k_tid_t prepare_with_all(k_thread_entry_t entry, void *p1)
{
	k_tid_t thread = prepare_with_pool(entry, p1, NULL, NULL);

	k_thread_access_grant(thread, &raised_signal, &sem, &fifo, &polled_msgq, &polled_pipe);
	return thread;
}

static void polls_each(void *p1, void *p2, void *p3)
{
	struct k_poll_event events[EVENTS];
	unsigned int is_raised;
	int number;
	uint32_t message = 3;

	name_all(events);
	seen[0] = k_poll(events, EVENTS, K_NO_WAIT);
	seen[1] = k_poll(events, EVENTS, K_TICKS(1));
	seen[2] = k_poll_signal_raise(&raised_signal, -7) | k_fifo_alloc_put(&fifo, &message) |
		  k_msgq_put(&polled_msgq, &message, K_NO_WAIT);
	k_sem_give(&sem);
	(void)k_pipe_write(&polled_pipe, (const uint8_t *)"x", 1, K_NO_WAIT);
	seen[3] = k_poll(events, EVENTS, K_FOREVER);
	for (int i = 0; i < EVENTS; i++) {
		seen[4] |= (intptr_t)events[i].state;
	}
	k_poll_signal_check(&raised_signal, &is_raised, &number);
	seen[5] = is_raised == 1 ? number : 0;
	k_poll_signal_reset(&raised_signal);
	k_poll_signal_check(&raised_signal, &is_raised, &number);
	seen[6] = (intptr_t)is_raised;
	seen[7] = k_sem_take(&sem, K_NO_WAIT) | k_msgq_get(&polled_msgq, &message, K_NO_WAIT) |
		  (k_fifo_get(&fifo, K_NO_WAIT) == NULL);
}

TEST(polls_of_user_threads_find_what_is_there)
{
	uint8_t byte;
	const int all = K_POLL_STATE_SIGNALED | K_POLL_STATE_SEM_AVAILABLE |
			K_POLL_STATE_DATA_AVAILABLE | K_POLL_STATE_MSGQ_DATA_AVAILABLE |
			(EVENTS > 4 ? K_POLL_STATE_PIPE_DATA_AVAILABLE : 0);

	(void)prepare_with_all(polls_each, NULL);
	CHECK(user_finish());
	CHECK_EQ(seen[0], -EAGAIN);
	CHECK_EQ(seen[1], -EAGAIN);
	CHECK_EQ(seen[2], 0);
	CHECK_EQ(seen[3], 0);
	CHECK_EQ(seen[4], all);
	CHECK_EQ(seen[5], -7);
	CHECK_EQ(seen[6], 0);
	CHECK_EQ(seen[7], 0);
	CHECK_EQ(k_pipe_read(&polled_pipe, &byte, 1, K_NO_WAIT), 1);
}

static void raises_later(void *signal)
{
	k_sleep(K_TICKS(2));
	(void)k_poll_signal_raise(signal, 5);
}

static void waits_for_all(void *p1, void *p2, void *p3)
{
	struct k_poll_event events[EVENTS];

	name_all(events);
	seen[0] = k_poll(events, EVENTS, K_FOREVER);
	seen[1] = (intptr_t)events[0].state;
	seen[2] = events[0].poller == NULL &&
		  events[0].pollers == NULL; /* nothing of the kernel's */
	k_poll_signal_reset(&raised_signal);
}

TEST(polls_of_user_threads_wait_until_they_are_told)
{
	(void)prepare_with_all(waits_for_all, NULL);
	(void)start(raises_later, &raised_signal, USER_PRIO - 1);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], K_POLL_STATE_SIGNALED);
	CHECK_EQ(seen[2], 1);
}

static void raises_and_gives_later(void *signal)
{
	k_sleep(K_TICKS(2));
	(void)k_poll_signal_raise(signal, 5);
	k_sem_give(&sem);
}

static void waits_for_some(void *p1, void *p2, void *p3)
{
	struct k_poll_event events[EVENTS];

	name_all(events);
	seen[0] = k_poll(events, EVENTS, K_FOREVER);
	for (int i = 0; i < EVENTS; i++) {
		seen[1 + i] = (intptr_t)events[i].state;
	}
	k_poll_signal_reset(&raised_signal);
	seen[7] = k_sem_take(&sem, K_NO_WAIT);
}

TEST(polls_of_user_threads_are_told_all_that_came)
{
	(void)prepare_with_all(waits_for_some, NULL);
	(void)start(raises_and_gives_later, &raised_signal, USER_PRIO - 1);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], K_POLL_STATE_SIGNALED);
	CHECK_EQ(seen[2], K_POLL_STATE_SEM_AVAILABLE);
	CHECK_EQ(seen[3] | seen[4] | seen[5], 0);
	CHECK_EQ(seen[7], 0);
}

static void polls_wrongly(void *p1, void *p2, void *p3)
{
	struct k_poll_event events[EVENTS];

	name_all(events);
	seen[0] = k_poll(events, -1, K_NO_WAIT);
	seen[1] = k_poll(events, CONFIG_POLL_USER_EVENTS + 1, K_NO_WAIT);
	events[1].type = K_POLL_TYPE_SIGNAL | K_POLL_TYPE_SEM_AVAILABLE;
	seen[2] = k_poll(events, 2, K_NO_WAIT);
	events[1].type = K_POLL_TYPE_IGNORE;
	events[1].mode = K_POLL_NUM_MODES;
	seen[3] = k_poll(events, 2, K_NO_WAIT);
	seen[4] = k_poll((struct k_poll_event *)p1, 0, K_NO_WAIT); /* none of no events */
}

TEST(polls_with_bad_arguments_are_told_so)
{
	(void)prepare_with_all(polls_wrongly, &kernels_futex);
	CHECK(user_finish());
	CHECK_EQ(seen[0], -EINVAL);
	CHECK_EQ(seen[1], -ENOMEM);
	CHECK_EQ(seen[2], -EINVAL);
	CHECK_EQ(seen[3], -EINVAL);
	CHECK_EQ(seen[4], -EAGAIN);
}

/* A bit for each kind of mischief. */
static void polls_what_is_not_its_own(void *what, void *p2, void *p3)
{
	struct k_poll_event events[2];

	k_poll_event_init(&events[0], K_POLL_TYPE_SIGNAL, K_POLL_MODE_NOTIFY_ONLY, &raised_signal);
	k_poll_event_init(&events[1], K_POLL_TYPE_SIGNAL, K_POLL_MODE_NOTIFY_ONLY, &raised_signal);
	seen[0] = 1;
	switch ((uintptr_t)what) {
	case 0:
		events[1].signal = &not_ours;
		break;
	case 1:
		events[1].type = K_POLL_TYPE_SEM_AVAILABLE; /* which it is not */
		break;
	case 2:
		events[1].obj = (char *)&raised_signal + 4;
		break;
	case 3:
		events[1].obj = NULL;
		break;
	case 4:
		(void)k_poll((struct k_poll_event *)(void *)user_stack, 1, K_NO_WAIT);
		break;
	case 5:
		(void)k_poll((struct k_poll_event *)(uintptr_t)-8, 2, K_NO_WAIT);
		break;
	case 6:
		k_poll_signal_check(&raised_signal, (unsigned int *)(void *)user_stack,
				    (int *)(uintptr_t)&seen[1]);
		break;
	case 7:
		k_poll_signal_check(&raised_signal, (unsigned int *)(uintptr_t)&seen[1],
				    (int *)(void *)user_stack);
		break;
	case 8:
		k_poll_signal_init(&raised_signal); /* which is one already */
		break;
	case 9:
		(void)k_poll_signal_raise(&not_ours, 1);
		break;
	default:
		seen[2] = 1;
		break;
	}
	seen[1] = k_poll(events, 2, K_NO_WAIT);
	seen[2]++;
}

TEST(polls_name_the_threads_own_objects_and_memory)
{
	for (uintptr_t what = 0; what < 10; what++) {
		(void)prepare_with_all(polls_what_is_not_its_own, (void *)what);
		CHECK(!user_finish());
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[2], 0);
	}
	CHECK_EQ(not_ours.signaled, 0);
	(void)prepare_with_all(polls_what_is_not_its_own, (void *)10);
	CHECK(user_finish());
	CHECK_EQ(seen[1], -EAGAIN);
	CHECK_EQ(seen[2], 2);
}

/* ---- allocated objects ---- */

static void polls_three_of_its_own(void *waits, void *p2, void *p3)
{
	struct k_poll_event events[3];

	for (int i = 0; i < 3; i++) {
		struct k_poll_signal *made = k_object_alloc(K_OBJ_POLL_SIGNAL);

		k_poll_signal_init(made);
		k_poll_event_init(&events[i], K_POLL_TYPE_SIGNAL, K_POLL_MODE_NOTIFY_ONLY, made);
		seen[i + 1] = (intptr_t)made;
	}
	seen[0] = k_poll(events, 3, waits != NULL ? K_FOREVER : K_TICKS(1));
}

/* It is in the table still, so its memory is nobody else's. */
static bool is_known(const void *object)
{
	unsigned int key = irq_lock();
	bool known = object_find(object, K_OBJ_ANY) != NULL;

	irq_unlock(key);
	return known;
}

/* Its rights are taken while it polls: all three are objects until it ends, however that is. */
TEST(polls_keep_what_they_poll)
{
	size_t before = pool_free();

	(void)prepare_with_pool(polls_three_of_its_own, NULL, NULL, NULL);
	CHECK(user_finish());
	CHECK_EQ(seen[0], -EAGAIN);
	CHECK_EQ(pool_free(), before);
	(void)prepare_with_pool(polls_three_of_its_own, (void *)1, NULL, NULL);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(2));
	for (int i = 1; i <= 3; i++) {
		k_object_access_revoke((struct k_poll_signal *)seen[i], &user_thread);
	}
	CHECK(pool_free() < before);
	for (int i = 1; i <= 3; i++) {
		CHECK(is_known((void *)seen[i]));
		CHECK(((struct k_poll_signal *)seen[i])->pollers != NULL);
	}
	k_thread_abort(&user_thread);
	CHECK_EQ(pool_free(), before);
	/* And told of one that has been revoked, it goes on, and lets go. */
	(void)prepare_with_pool(polls_three_of_its_own, (void *)1, NULL, NULL);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(2));
	for (int i = 1; i <= 3; i++) {
		k_object_access_revoke((struct k_poll_signal *)seen[i], &user_thread);
	}
	(void)k_poll_signal_raise((struct k_poll_signal *)seen[2], 1);
	CHECK_EQ(k_thread_join(&user_thread, K_TICKS(100)), 0);
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(pool_free(), before);
}

static const struct {
	enum k_objects kind;
	uint32_t type;
} polled_kinds[] = {
	{K_OBJ_SEM, K_POLL_TYPE_SEM_AVAILABLE},
	{K_OBJ_QUEUE, K_POLL_TYPE_DATA_AVAILABLE},
	{K_OBJ_MSGQ, K_POLL_TYPE_MSGQ_DATA_AVAILABLE},
	{K_OBJ_PIPE, K_POLL_TYPE_PIPE_DATA_AVAILABLE},
};

static void initialise(void *object, enum k_objects kind)
{
	switch (kind) {
	case K_OBJ_SEM:
		(void)k_sem_init(object, 0, 1);
		break;
	case K_OBJ_QUEUE:
		k_queue_init(object);
		break;
	case K_OBJ_MSGQ:
		(void)k_msgq_alloc_init(object, 4, 1);
		break;
	default:
		k_pipe_init(object, NULL, 0);
		break;
	}
}

/* Three, since a thread holds the last two that it named anyway. */
static void polls_three_of_a_kind(void *which, void *p2, void *p3)
{
	struct k_poll_event events[3];
	enum k_objects kind = polled_kinds[(uintptr_t)which].kind;

	for (int i = 0; i < 3; i++) {
		void *made = k_object_alloc(kind);

		initialise(made, kind);
		k_poll_event_init(&events[i], polled_kinds[(uintptr_t)which].type,
				  K_POLL_MODE_NOTIFY_ONLY, made);
		seen[i + 1] = (intptr_t)made;
	}
	seen[0] = k_poll(events, 3, K_FOREVER);
}

TEST(polls_keep_what_they_poll_of_each_kind)
{
	size_t before = pool_free();

	for (uintptr_t i = 0; i < ARRAY_SIZE(polled_kinds); i++) {
		(void)prepare_with_pool(polls_three_of_a_kind, (void *)i, NULL, NULL);
		k_thread_start(&user_thread);
		k_sleep(K_TICKS(2));
		for (int of = 1; of <= 3; of++) {
			k_object_revoke_((void *)seen[of], polled_kinds[i].kind, &user_thread);
		}
		CHECK(pool_free() < before);
		for (int of = 1; of <= 3; of++) {
			CHECK(is_known((void *)seen[of]));
		}
		k_thread_abort(&user_thread);
		CHECK_EQ(pool_free(), before);
	}
}

/* ---- futexes ---- */

static void waits_at_futex(void *p1, void *p2, void *p3)
{
	seen[0] = k_futex_wait(&futex, 1, K_FOREVER); /* it is 0 */
	seen[1] = k_futex_wait(&futex, 0, K_NO_WAIT);
	seen[2] = k_futex_wait(&futex, 0, K_TICKS(2));
	seen[3] = k_futex_wait((struct k_futex *)((char *)&futex + 1), 0, K_FOREVER);
	seen[4] = k_futex_wait(&kernels_futex, 0, K_FOREVER);
	seen[5] = k_futex_wake(&kernels_futex, true);
	seen[6] = k_futex_wake(&futex, true);
	seen[7] = k_futex_wait(&futex, 0, K_FOREVER); /* woken by the kernel thread */
}

static void wakes_later(void *arg)
{
	k_sleep(K_TICKS(6));
	(void)k_futex_wake(arg, false);
}

TEST(futexes_of_user_threads)
{
	(void)user_prepare(waits_at_futex, NULL, NULL, NULL);
	(void)start(wakes_later, &futex, USER_PRIO - 1);
	CHECK(user_finish());
	CHECK_EQ(seen[0], -EAGAIN);
	CHECK_EQ(seen[1], -ETIMEDOUT);
	CHECK_EQ(seen[2], -ETIMEDOUT);
	CHECK_EQ(seen[3], -EINVAL);
	CHECK_EQ(seen[4], -EACCES);
	CHECK_EQ(seen[5], -EACCES);
	CHECK_EQ(seen[6], 0);
	CHECK_EQ(seen[7], 0);
}

static void waits_once(void *p1, void *p2, void *p3)
{
	seen[0] = k_futex_wait(&futex, 0, K_FOREVER);
}

/* The word is read before and after it was the thread's: its partition goes while it waits. */
TEST(futexes_need_nobodys_memory_while_they_wait)
{
	(void)user_prepare(waits_once, NULL, NULL, NULL);
	k_thread_start(&user_thread);
	k_sleep(K_TICKS(2));
	CHECK_EQ(k_futex_wake(&kernels_futex, true), 0);
	CHECK_EQ(k_mem_domain_remove_partition(user_thread.user.domain, &shared), 0);
	CHECK_EQ(k_futex_wake(&futex, true), 1);
	CHECK_EQ(k_thread_join(&user_thread, K_TICKS(100)), 0);
	CHECK_EQ(k_mem_domain_add_partition(user_thread.user.domain, &shared), 0);
	CHECK_EQ(fatal_count, 1); /* it cannot note what it got */
}
