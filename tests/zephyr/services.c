/* SPDX-License-Identifier: Apache-2.0 */
/* Spinlocks, sys_sem, sys_mutex, and heaps of one's own. */
#include <zephyr/kernel.h>
#include <zephyr/random/random.h>
#include <zephyr/sys/__assert.h>
#include <zephyr/sys/barrier.h>
#include <zephyr/sys/iterable_sections.h>
#include <zephyr/sys/mutex.h>
#include <zephyr/sys/sem.h>
#include <zephyr/sys/sys_heap.h>
#include <zephyr/timing/timing.h>
#include "test.h"

static struct k_spinlock lock;
TEST_SHARED SYS_SEM_DEFINE(sem, 1, 2);
SYS_MUTEX_DEFINE(mutex);

static void note_isr(void *letter)
{
	note(*(const char *)letter);
}

TEST(spinlock_nobody_comes_in_between)
{
	k_spinlock_key_t key = k_spin_lock(&lock);

	in_isr(note_isr, "i");
	note('a');
	k_spin_unlock(&lock, key);
	note('b');
	CHECK_NOTES("aib");
	CHECK_EQ(k_spin_trylock(&lock, &key), 0);
	in_isr(note_isr, "i");
	note('a');
	k_spin_release(&lock);
	note('b');
	irq_unlock(key.key);
	CHECK_NOTES("abi");
}

static int leave_by_return(void)
{
	K_SPINLOCK(&lock)
	{
		note('a');
		return 7;
	}
	return 8;
}

TEST(spinlock_block_gives_it_back_however_it_is_left)
{
	K_SPINLOCK(&lock)
	{
		in_isr(note_isr, "i");
		note('a');
		if (check_failures == 0) {
			K_SPINLOCK_BREAK;
		}
		note('x');
	}
	CHECK_NOTES("ai");
	CHECK_EQ(leave_by_return(), 7);
	in_isr(note_isr, "i");
	CHECK_NOTES("ai");
}

TEST_USER(sys_sem_counts_and_blocks)
{
	CHECK_EQ(sys_sem_init(&sem, 1, 2), 0);
	CHECK_EQ(sys_sem_take(&sem, K_NO_WAIT), 0);
	CHECK_EQ(sys_sem_take(&sem, K_NO_WAIT), -ETIMEDOUT);
	CHECK_EQ(sys_sem_take(&sem, K_TICKS(1)), -ETIMEDOUT);
	CHECK_EQ(sys_sem_give(&sem), 0);
	CHECK_EQ(sys_sem_give(&sem), 0);
	CHECK_EQ(sys_sem_give(&sem), IS_ENABLED(CONFIG_USERSPACE) ? -EAGAIN : 0);
	CHECK_EQ(sys_sem_count_get(&sem), 2);
	SYS_SEM_LOCK(&sem)
	{
		CHECK_EQ(sys_sem_count_get(&sem), 1);
	}
	CHECK_EQ(sys_sem_count_get(&sem), 2);
	CHECK_EQ(sys_sem_init(&sem, 3, 2), -EINVAL);
	CHECK_EQ(sys_sem_init(&sem, 0, 0), -EINVAL);
	CHECK_EQ(sys_sem_init(&sem, 1, 2), 0);
}

static void take_and_note(void *letter)
{
	note(sys_sem_take(&sem, K_FOREVER) == 0 ? *(const char *)letter : '?');
}

static void give_sys_sem(void *unused)
{
	note(sys_sem_give(&sem) == 0 ? 'i' : '?');
}

TEST_USER(sys_sem_wakes_the_most_urgent_who_waits)
{
	CHECK_EQ(sys_sem_init(&sem, 0, 5), 0);
	(void)start(take_and_note, "c", 5);
	(void)start(take_and_note, "a", 3);
	(void)start(take_and_note, "b", 4);
	CHECK_NOTES("");
	CHECK_EQ(sys_sem_give(&sem), 0);
	CHECK_NOTES("a");
	in_isr(give_sys_sem, NULL);
	k_sleep(K_TICKS(1));
	CHECK_NOTES("ib");
	CHECK_EQ(sys_sem_give(&sem), 0);
	CHECK_NOTES("c");
	CHECK_EQ(sys_sem_count_get(&sem), 0);
}

static void wait_three_ticks(void *unused)
{
	uint32_t start = tick();
	int result = sys_sem_take(&sem, K_TICKS(3));

	if (result == 0) {
		note('g');
		return;
	}
	note(result == -ETIMEDOUT && tick() - start >= 3 && tick() - start <= 4 ? 't' : '?');
}

/* Who is woken and finds nothing waits on, no longer than it wanted to. A k_sem hands its token to who waits. */
TEST_USER(sys_sem_that_another_takes_first_is_waited_for_until_the_end)
{
	CHECK_EQ(sys_sem_init(&sem, 0, 5), 0);
	next_tick();
	(void)start(wait_three_ticks, NULL, MAIN_PRIO + 1);
	k_sleep(K_TICKS(1));
	CHECK_EQ(sys_sem_give(&sem), 0);
	CHECK_EQ(sys_sem_take(&sem, K_NO_WAIT), IS_ENABLED(CONFIG_USERSPACE) ? 0 : -ETIMEDOUT);
	k_sleep(K_TICKS(5));
	CHECK_NOTES(IS_ENABLED(CONFIG_USERSPACE) ? "t" : "g");
}

/* Its memory may be anybody's, who may have written anything there. */
TEST_USER(sys_sem_that_was_forged_is_come_back_from)
{
#ifdef CONFIG_USERSPACE
	CHECK_EQ(sys_sem_init(&sem, 0, 1U << 31), -EINVAL);
	CHECK_EQ(sys_sem_init(&sem, 0, 5), 0);
	(void)atomic_set(&sem.futex.val, -1);
	CHECK_EQ(sys_sem_take(&sem, K_FOREVER), -EINVAL);
	(void)atomic_set(&sem.futex.val, INT32_MAX);
	CHECK_EQ(sys_sem_give(&sem), -EAGAIN);
#endif
	CHECK_EQ(sys_sem_init(&sem, 1, 2), 0);
}

static void try_mutex(void *arg)
{
	note(sys_mutex_lock(&mutex, K_NO_WAIT) == -EBUSY ? 'b' : '?');
}

TEST(sys_mutex_is_its_owners)
{
	CHECK_EQ(sys_mutex_lock(&mutex, K_NO_WAIT), 0);
	CHECK_EQ(sys_mutex_lock(&mutex, K_NO_WAIT), 0);
	(void)start(try_mutex, NULL, 4);
	CHECK_EQ(sys_mutex_unlock(&mutex), 0);
	CHECK_EQ(sys_mutex_unlock(&mutex), 0);
	if (!ASSERTIONS) {
		CHECK_EQ(sys_mutex_unlock(&mutex), -EINVAL);
	}
	CHECK_NOTES("b");
}

TEST(sys_heap_of_ones_own)
{
	static char memory[512] __aligned(16);
	struct sys_heap heap;
	uint8_t *a;
	uint8_t *b;
	uint8_t *c;

	sys_heap_init(&heap, memory, sizeof(memory));
	a = sys_heap_alloc(&heap, 40);
	b = sys_heap_aligned_alloc(&heap, 64, 10);
	CHECK(a != NULL && b != NULL && (uintptr_t)b % 64 == 0);
	CHECK(sys_heap_usable_size(&heap, a) >= 40);
	CHECK(sys_heap_alloc(&heap, 0) == NULL && sys_heap_alloc(&heap, 1000) == NULL);
	a[0] = 11;
	a[39] = 22;
	c = sys_heap_realloc(&heap, a, 200);
	CHECK(c != NULL);
	if (c == NULL) {
		return;
	}
	CHECK(c[0] == 11 && c[39] == 22);
	CHECK(sys_heap_realloc(&heap, c, 1000) == NULL);
	CHECK(c[0] == 11);
	b = sys_heap_aligned_realloc(&heap, b, 64, 30);
	CHECK(b != NULL && (uintptr_t)b % 64 == 0);
	sys_heap_free(&heap, NULL);
	CHECK(sys_heap_realloc(&heap, c, 0) == NULL);
	sys_heap_free(&heap, b);
	CHECK(sys_heap_alloc(&heap, 400) != NULL);
}

K_KERNEL_STACK_DECLARE(one_stack, 100);
K_KERNEL_STACK_ARRAY_DECLARE(kernel_stacks, 3, 100);
K_THREAD_STACK_ARRAY_DECLARE(thread_stacks, 2, 600);
K_KERNEL_STACK_DEFINE(one_stack, 100);
K_KERNEL_STACK_ARRAY_DEFINE(kernel_stacks, 3, 100);
K_THREAD_STACK_ARRAY_DEFINE(thread_stacks, 2, 600);

TEST(services_stacks_that_are_declared_in_arrays_and_in_structures)
{
	static struct {
		char before;
		K_KERNEL_STACK_MEMBER(stack, 100);
	} with_stack;

	CHECK_EQ(K_KERNEL_STACK_SIZEOF(one_stack), K_KERNEL_STACK_LEN(100));
	CHECK_EQ(K_KERNEL_STACK_SIZEOF(kernel_stacks[2]), K_KERNEL_STACK_LEN(100));
	CHECK(K_THREAD_STACK_SIZEOF(thread_stacks[1]) >= 600);
	CHECK(K_KERNEL_STACK_SIZEOF(with_stack.stack) >= 100);
	CHECK((uintptr_t)with_stack.stack % ARCH_STACK_ALIGN == 0);
	CHECK((uintptr_t)kernel_stacks[1] % ARCH_STACK_ALIGN == 0);
}

TEST(services_sums_of_timeouts)
{
	CHECK(K_TIMEOUT_EQ(K_TIMEOUT_SUM(K_TICKS(2), K_TICKS(3)), K_TICKS(5)));
	CHECK(K_TIMEOUT_EQ(K_TIMEOUT_SUM(K_NO_WAIT, K_NO_WAIT), K_NO_WAIT));
	CHECK(K_TIMEOUT_EQ(K_TIMEOUT_SUM(K_FOREVER, K_TICKS(3)), K_FOREVER));
	CHECK(K_TIMEOUT_EQ(K_TIMEOUT_SUM(K_NO_WAIT, K_FOREVER), K_FOREVER));
	CHECK(K_TIMEOUT_EQ(K_TIMEOUT_SUM(K_TICKS(K_TICKS_MAX), K_TICKS(1)), K_TICKS(K_TICKS_MAX)));
	CHECK(K_TIMEOUT_EQ(K_TIMEOUT_SUM(K_TICKS(K_TICKS_MAX), K_TICKS(K_TICKS_MAX)),
			   K_TICKS(K_TICKS_MAX)));
}

K_MEM_SLAB_DEFINE_STATIC(slab, 10, 2, 8);

TEST(slab_of_one_file)
{
	void *blocks[3];

	CHECK_EQ(slab.block_size, ROUND_UP(10, sizeof(void *)));
	CHECK_EQ(k_mem_slab_alloc(&slab, &blocks[0], K_NO_WAIT), 0);
	CHECK_EQ(k_mem_slab_alloc(&slab, &blocks[1], K_NO_WAIT), 0);
	CHECK_EQ(k_mem_slab_alloc(&slab, &blocks[2], K_NO_WAIT), -ENOMEM);
	CHECK_EQ((uintptr_t)slab.buffer % 8U, 0);
	k_mem_slab_free(&slab, blocks[0]);
	k_mem_slab_free(&slab, blocks[1]);
}

TEST(sections_are_counted_and_picked_from)
{
	const struct test_case *picked;
	size_t count = 0;
	size_t index = 0;

	STRUCT_SECTION_COUNT(test_case, &count);
	CHECK(count > 20);
	STRUCT_SECTION_FOREACH(test_case, test_case, it) {
		STRUCT_SECTION_GET(test_case, index, &picked);
		CHECK(picked == it);
		index++;
	}
	CHECK_EQ(index, count);
}

TEST(assertions_evaluate_one_of_two)
{
	int without = 0;
	int with = 0;

	__ASSERT_EVAL(without++, with++, with == 1, "with is %d", with);
	CHECK_EQ(with, ASSERTIONS);
	CHECK_EQ(without, !ASSERTIONS);
}

TEST_USER(barriers_are_allowed_to_all)
{
	static TEST_SHARED volatile int word;

	word = 1;
	barrier_dmem_fence_full();
	word = word + 1;
	barrier_dsync_fence_full();
	word = word + 1;
	barrier_isync_fence_full();
	CHECK_EQ(word, 3);
}

TEST_USER(random_numbers_differ)
{
	uint8_t bytes[67]; /* whole words, and a rest */
	uint32_t last = sys_rand32_get();
	int ones = 0;

	for (int i = 0; i < 100; i++) {
		uint32_t next = sys_rand32_get();

		CHECK(next != last);
		last = next;
	}
	bytes[65] = 0xa5;
	bytes[66] = 0xa5;
	sys_rand_get(bytes, 65);
	CHECK(bytes[65] == 0xa5 && bytes[66] == 0xa5);
	for (int i = 0; i < 64; i++) {
		ones += __builtin_popcount(bytes[i]);
	}
	CHECK(ones > 180 && ones < 332); /* of 512: seven deviations around the half */
	sys_rand_get(NULL, 0);
	CHECK(sys_rand64_get() != sys_rand64_get());
}

TEST(timing_functions_measure)
{
	timing_t start, end;
	uint64_t took;

	timing_init();
	timing_start();
	start = timing_counter_get();
	k_busy_wait(1000);
	end = timing_counter_get();
	timing_stop();
	took = timing_cycles_to_ns(timing_cycles_get(&start, &end));
	CHECK(took >= 999000U && took < 100000000U);
	CHECK_EQ(timing_cycles_to_ns_avg(timing_cycles_get(&start, &end), 4), took / 4U);
	CHECK_EQ(timing_freq_get(), sys_clock_hw_cycles_per_sec());
	CHECK_EQ(timing_freq_get_mhz(), sys_clock_hw_cycles_per_sec() / 1000000U);
	CHECK_EQ(timing_cycles_to_ns(timing_freq_get()), 1000000000U);
}
