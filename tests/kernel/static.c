/* SPDX-License-Identifier: Apache-2.0 */
/* Threads defined at build time, and what was before main(). */
#include "test.h"

static char ran[4];
static uint32_t delayed_tick;
static bool before_kernel = true;
static bool parameters_right = true;

static void run_static(void *p1, void *p2, void *p3)
{
	int i = (int)(intptr_t)p1;

	before_kernel = k_is_pre_kernel();
	ran[i] = (char)(intptr_t)p2;
	parameters_right = parameters_right && p3 == &ran[i];
	if (i == 1) {
		delayed_tick = tick();
	}
}

K_THREAD_DEFINE(static_now, STACK_SIZE, run_static, 0, 'n', &ran[0], 3, 0, 0);
K_THREAD_DEFINE(static_later, STACK_SIZE, run_static, 1, 'l', &ran[1], 3, 0, 5);
K_THREAD_DEFINE(static_never, STACK_SIZE, run_static, 2, 'x', &ran[2], 3, 0, -1);

TEST(aa_static_threads_have_run_before_main)
{
	CHECK_EQ(ran[0], 'n');
	CHECK_EQ(k_thread_join(static_now, K_NO_WAIT), 0);
	CHECK(parameters_right);
	CHECK(!before_kernel);
	CHECK(!k_is_pre_kernel());
	CHECK_EQ(ran[2], 0);
	CHECK_EQ(k_thread_join(static_later, K_MSEC(50)), 0);
	CHECK_EQ(ran[1], 'l');
	CHECK(delayed_tick >= k_ms_to_ticks_ceil32(5));
	CHECK(delayed_tick <= k_ms_to_ticks_ceil32(5) + 2);
	k_thread_start(static_never);
	CHECK_EQ(ran[2], 'x');
}
