/* SPDX-License-Identifier: Apache-2.0 */
/* SYS_INIT(): the order of levels and priorities, and what each finds. */
#include <zephyr/init.h>
#include "lib/string.h"
#include "test.h"

#define LATE 70

static char order[16];
static unsigned int count;
static bool was_pre_kernel;

static int add(char letter)
{
	order[count++] = letter;
	return -EIO; /* nobody minds */
}

static int first(void)
{
	was_pre_kernel = k_is_pre_kernel();
	return add('a');
}

static int second(void)
{
	return add('b');
}

static int third(void)
{
	k_sleep(K_TICKS(1)); /* there is a thread that waits */
	return add(k_is_pre_kernel() ? '?' : 'c');
}

static int later(void)
{
	return add('z');
}

SYS_INIT(later, APPLICATION, LATE);
SYS_INIT_NAMED(later_once_more, later, APPLICATION, 99);
SYS_INIT(third, POST_KERNEL, 0);
SYS_INIT_NAMED(second_of_nine, second, PRE_KERNEL_2, 9);
SYS_INIT_NAMED(second_of_ten, first, PRE_KERNEL_2, 10);
SYS_INIT(second, PRE_KERNEL_1, 1);
SYS_INIT(first, EARLY, 0);

TEST(init_levels_then_priorities)
{
	CHECK_EQ(strcmp(order, "abbaczz"), 0);
	CHECK(was_pre_kernel);
}
