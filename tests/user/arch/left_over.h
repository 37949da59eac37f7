/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What calls leave in the registers, for ports where it is as simple as this. Before it stands
 * LOOK_AFTER(function): calls the function with &sem, and stores in `all`, ored, what the registers hold
 * then that a callee may change, which were 0 before; and in `number` that of the call's number.
 */
#ifndef FOLIOT_TESTS_USER_LEFT_OVER_H
#define FOLIOT_TESTS_USER_LEFT_OVER_H

#include "../user.h"

static K_SEM_DEFINE(sem, 0, 3);

static void looks_at_registers(void *p1, void *p2, void *p3)
{
	uintptr_t all;
	uintptr_t number;

	LOOK_AFTER(k_sem_give);
	seen[0] = (intptr_t)all;
	seen[1] = (intptr_t)number;
	LOOK_AFTER(k_sem_count_get);
	seen[2] = (intptr_t)(all | number);
	LOOK_AFTER(k_yield); /* which some ports enter by another way */
	seen[2] |= (intptr_t)(all | number);
	seen[3] = 1;
}

/* A fast call leaves what it does not touch as its caller had it: so the number, and nothing else. */
TEST(calls_leave_nothing_of_the_kernels_in_registers)
{
	k_thread_access_grant(user_prepare(looks_at_registers, NULL, NULL, NULL), &sem);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 0);
	CHECK(seen[1] >= 0 && seen[1] < 100);
	CHECK_EQ(seen[2], 0);
	CHECK_EQ(seen[3], 1);
}

static void wakes_often(void *arg)
{
	for (int i = 0; i < 20; i++) {
		k_sleep(K_TICKS(1));
		(*(int *)arg)++;
	}
}

#endif /* FOLIOT_TESTS_USER_LEFT_OVER_H */
