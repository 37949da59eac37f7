/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Five philosophers, five forks, and two forks to eat with. Everybody takes the fork of the lower
 * number first, so nobody can wait in a circle. Forks are mutexes; who eats beside whom is counted
 * by atomics, and two neighbours who ate at once would show.
 */
#include <stdlib.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/atomic.h>
#include <zephyr/sys/printk.h>

#define PHILOSOPHERS 5
#define MEALS        4
#define STACK_SIZE   1024

static struct k_mutex forks[PHILOSOPHERS];
static struct k_thread threads[PHILOSOPHERS];
static K_THREAD_STACK_ARRAY_DEFINE(stacks, PHILOSOPHERS, STACK_SIZE);
static ATOMIC_DEFINE(eating, PHILOSOPHERS);
static atomic_t meals;
static atomic_t quarrels;

static void eat(int id)
{
	int left = (id + PHILOSOPHERS - 1) % PHILOSOPHERS;
	int right = (id + 1) % PHILOSOPHERS;

	atomic_set_bit(eating, id);
	if (atomic_test_bit(eating, left) || atomic_test_bit(eating, right)) {
		(void)atomic_inc(&quarrels);
	}
	k_msleep(5 + 3 * id);
	atomic_clear_bit(eating, id);
	(void)atomic_inc(&meals);
}

static void philosopher(void *number, void *unused_1, void *unused_2)
{
	int id = POINTER_TO_INT(number);
	int other = (id + 1) % PHILOSOPHERS;

	ARG_UNUSED(unused_1);
	ARG_UNUSED(unused_2);
	for (int i = 0; i < MEALS; i++) {
		k_mutex_lock(&forks[MIN(id, other)], K_FOREVER);
		k_mutex_lock(&forks[MAX(id, other)], K_FOREVER);
		eat(id);
		k_mutex_unlock(&forks[MAX(id, other)]);
		k_mutex_unlock(&forks[MIN(id, other)]);
		printk("philosopher %d has eaten %d of %d\n", id, i + 1, MEALS);
		k_msleep(4);
	}
}

int main(void)
{
	int had;

	ARRAY_FOR_EACH(forks, i)
	{
		k_mutex_init(&forks[i]);
	}
	/* Different priorities, as people differ. */
	ARRAY_FOR_EACH(threads, i)
	{
		k_thread_create(&threads[i], stacks[i], K_THREAD_STACK_SIZEOF(stacks[i]),
				philosopher, INT_TO_POINTER(i), NULL, NULL,
				K_PRIO_PREEMPT(1 + (int)i), 0, K_NO_WAIT);
	}
	ARRAY_FOR_EACH_PTR(threads, thread)
	{
		k_thread_join(thread, K_FOREVER);
	}
	had = (int)atomic_get(&meals);
	printk("%d meals, %d quarrels\n", had, (int)atomic_get(&quarrels));
	exit(had == PHILOSOPHERS * MEALS && atomic_get(&quarrels) == 0 ? 0 : 1);
}
