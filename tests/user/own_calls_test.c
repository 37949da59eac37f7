/* SPDX-License-Identifier: Apache-2.0 */
/* An application's own system calls, in both modes; what their verifiers ask is answered exactly. */
#include "own_calls.h"
#include "user.h"

static K_SEM_DEFINE(first, 0, 1);
static K_SEM_DEFINE(second, 0, 1);
static K_MUTEX_DEFINE(mutex);

static void takes_both(void *one, void *other, void *p3)
{
	seen[0] = 1;
	seen[1] = own_take(one, other, K_NO_WAIT);
	seen[2] = 1;
}

static bool may_take(void *one, void *other)
{
	k_thread_access_grant(user_prepare(takes_both, one, other, NULL), &first, &mutex);
	k_sem_give(&first);
	k_sem_give(&second);
	return user_finish();
}

TEST(own_calls_objects)
{
	k_object_access_revoke(&second, &user_thread);
	CHECK(may_take(&first, &first));
	CHECK_EQ(seen[1], -EBUSY);
	CHECK(!may_take(&first, &second));
	CHECK_EQ(seen[2], 0);
	CHECK(!may_take(&second, &first));
	CHECK(!may_take(&first, &mutex));
	CHECK(!may_take(NULL, &first));
	CHECK(!may_take((char *)&first + 4, &first));
	CHECK_EQ(own_take(&first, &second, K_NO_WAIT), 0); /* in kernel mode, a function */
	CHECK_EQ(own_take(&first, &second, K_NO_WAIT), -EBUSY);
}

/* Both are allocated, and go on to be there while the call waits for the second. */
static void takes_allocated(void *p1, void *p2, void *p3)
{
	struct k_sem *one = k_object_alloc(K_OBJ_SEM);
	struct k_sem *other = k_object_alloc(K_OBJ_SEM);

	(void)k_sem_init(one, 1, 1);
	(void)k_sem_init(other, 1, 1);
	seen[0] = own_take(one, other, K_NO_WAIT);
	seen[1] = own_take(one, other, K_TICKS(1));
	k_object_release(other);
	seen[2] = 1;
	(void)own_take(one, other, K_NO_WAIT);
	seen[3] = 1;
}

TEST(own_calls_allocated_objects)
{
	(void)user_prepare(takes_allocated, NULL, NULL, NULL);
	k_thread_system_pool_assign(&user_thread);
	CHECK(!user_finish());
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], -EAGAIN);
	CHECK_EQ(seen[2], 1);
	CHECK_EQ(seen[3], 0);
}

static uint8_t kernels[4] = {1, 2, 3, 4};
static int kernels_sum = 5;
K_APP_BMEM(shared) static uint8_t bytes[100];
K_APP_BMEM(shared) static int sum;

static void sums(void *from, void *size, void *to)
{
	seen[0] = 1;
	seen[1] = own_sum(from, (size_t)size, to);
	seen[2] = 1;
}

static bool may_sum(const void *from, size_t size, int *to)
{
	bool done = user_run(sums, (void *)(uintptr_t)from, (void *)size, to);

	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[2], done);
	return done;
}

TEST(own_calls_memory)
{
	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = 1;
	}
	CHECK(may_sum(bytes, sizeof(bytes), &sum));
	CHECK_EQ(seen[1], 100);
	CHECK_EQ(sum, 100);
	CHECK(may_sum(bytes, 0, &sum));
	CHECK_EQ(sum, 0);
	CHECK(!may_sum(bytes, sizeof(bytes) + 1, &sum));
	CHECK(!may_sum(bytes, SIZE_MAX, &sum));
	CHECK(!may_sum(kernels, sizeof(kernels), &sum));
	CHECK(!may_sum(NULL, 1, &sum));
	CHECK(!may_sum((void *)UINTPTR_MAX, 2, &sum));
	CHECK(!may_sum(bytes, 1, &kernels_sum));
	CHECK(!may_sum(bytes, 1, NULL));
	CHECK_EQ(kernels_sum, 5);
	CHECK_EQ(own_sum(kernels, sizeof(kernels), &kernels_sum), 10);
}

static void doubles(void *values, void *count, void *p3)
{
	seen[0] = 1;
	seen[1] = own_double(values, (size_t)count);
	seen[2] = 1;
}

TEST(own_calls_arrays)
{
	K_APP_BMEM(shared) static int numbers[8];
	size_t wraps = SIZE_MAX / sizeof(int) + 3;

	numbers[0] = 1;
	numbers[3] = 5;
	CHECK(user_run(doubles, numbers, (void *)4, NULL));
	CHECK_EQ(seen[1], 4);
	CHECK_EQ(numbers[0], 2);
	CHECK_EQ(numbers[3], 10);
	CHECK(user_run(doubles, numbers, (void *)8, NULL));
	CHECK_EQ(seen[1], -EINVAL); /* its own, and too many for the call */
	CHECK(!user_run(doubles, &kernels_sum, (void *)1, NULL));
	CHECK(!user_run(doubles, numbers, (void *)(SIZE_MAX / sizeof(int)), NULL));
	CHECK(!user_run(doubles, numbers, (void *)wraps, NULL)); /* it would be two elements */
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[2], 0);
	CHECK_EQ(kernels_sum, 5);
}

static void measures(void *text, void *p2, void *p3)
{
	seen[0] = own_length(text);
}

static intptr_t length_of(const char *text)
{
	CHECK(user_run(measures, (void *)(uintptr_t)text, NULL, NULL));
	return seen[0];
}

TEST(own_calls_strings)
{
	CHECK_EQ(length_of(""), 0);
	CHECK_EQ(length_of("seven77"), 7);
	CHECK_EQ(length_of("eight888"), -EINVAL);
	CHECK_EQ(length_of((const char *)kernels), -EFAULT);
	CHECK_EQ(length_of(NULL), -EFAULT);
}

static void asks(void *where, void *size, void *what)
{
	seen[0] = own_asks(where, (size_t)size, (uintptr_t)what);
	seen[1] = 1;
}

/* What a user thread that may use `first` and a stack is told. */
static intptr_t told(const void *where, size_t size, uintptr_t what)
{
	k_thread_access_grant(
		user_prepare(asks, (void *)(uintptr_t)where, (void *)size, (void *)what), &first,
		other_stack);
	CHECK(user_finish());
	CHECK_EQ(seen[1], 1);
	return seen[0];
}

/* With no copy behind it that would look again. */
TEST(own_calls_are_told_whose_memory_it_is)
{
	CHECK_EQ(told(bytes, sizeof(bytes), OWN_MAY_READ), 1);
	CHECK_EQ(told(bytes, sizeof(bytes), OWN_MAY_WRITE), 1);
	CHECK_EQ(told(kernels, sizeof(kernels), OWN_MAY_READ), 0);
	CHECK_EQ(told(kernels, sizeof(kernels), OWN_MAY_WRITE), 0);
	CHECK_EQ(told(bytes, SIZE_MAX, OWN_MAY_READ), 0);
	CHECK_EQ(told(NULL, 1, OWN_MAY_WRITE), 0);
}

/* With nothing in front of it that has looked. */
TEST(own_calls_copy_what_is_the_callers_and_nothing_else)
{
	CHECK_EQ(told(bytes, 0, OWN_COPY_FROM), 1);
	CHECK_EQ(told(bytes, 0, OWN_COPY_TO), 1);
	CHECK_EQ(told(kernels, 0, OWN_COPY_FROM), 0);
	CHECK_EQ(told(kernels, 0, OWN_COPY_TO), 0);
	CHECK_EQ(kernels[0], 1);
	CHECK_EQ(told(NULL, 0, OWN_COPY_FROM), 0);
	CHECK_EQ(told((void *)(UINTPTR_MAX - 1U), 0, OWN_COPY_TO), 0);
}

TEST(own_calls_are_told_whose_object_it_is_and_of_which_kind)
{
	CHECK_EQ(told(&first, 0, K_OBJ_SEM), 1);
	CHECK_EQ(told(&first, 0, K_OBJ_MUTEX), 0);
	CHECK_EQ(told(&second, 0, K_OBJ_SEM), 0);
	CHECK_EQ(told(&user_thread, 0, K_OBJ_THREAD), 1);
	CHECK_EQ(told(&other_thread, 0, K_OBJ_THREAD), 0);
	/* Kinds that no call of an application's takes, and what is none. */
	CHECK_EQ(told(other_stack, 0, K_OBJ_THREAD_STACK_ELEMENT), 0);
	CHECK_EQ(told(&first, 0, K_OBJ_ANY), 0);
	CHECK_EQ(told(&first, 0, K_OBJ_LAST_), 0);
	CHECK_EQ(told(&first, 0, K_OBJ_LAST_ + 100), 0);
}
