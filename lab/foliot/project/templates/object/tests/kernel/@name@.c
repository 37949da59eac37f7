/* SPDX-License-Identifier: Apache-2.0 */
/* What a @name@ does, in each of its states. */
#include "test.h"
#include <foliot/@name@.h>

static K_@NAME@_DEFINE(object);
static int result;

static void wait_and_note(void *letter)
{
	result = k_@name@_wait(&object, K_FOREVER);
	note(*(const char *)letter);
}

static void wait_for_5_ticks(void *letter)
{
	result = k_@name@_wait(&object, K_TICKS(5));
	note(*(const char *)letter);
}

TEST(@name@_that_is_set_lets_everybody_pass)
{
	k_@name@_init(&object);
	k_@name@_set(&object);
	CHECK_EQ(k_@name@_wait(&object, K_NO_WAIT), 0);
	CHECK_EQ(k_@name@_wait(&object, K_FOREVER), 0);
}

TEST(@name@_that_is_not_set_is_not_waited_for_with_no_wait)
{
	k_@name@_init(&object);
	CHECK_EQ(k_@name@_wait(&object, K_NO_WAIT), -EBUSY);
	k_@name@_set(&object);
	k_@name@_clear(&object);
	CHECK_EQ(k_@name@_wait(&object, K_NO_WAIT), -EBUSY);
}

TEST(@name@_wakes_all_who_wait_by_priority)
{
	k_@name@_init(&object);
	start(wait_and_note, "a", MAIN_PRIO - 1);
	start(wait_and_note, "b", MAIN_PRIO - 2);
	note('.');
	k_@name@_set(&object);
	CHECK_NOTES(".ba");
	CHECK_EQ(result, 0);
}

TEST(@name@_that_is_not_set_in_time)
{
	k_@name@_init(&object);
	start(wait_for_5_ticks, "t", MAIN_PRIO - 1);
	k_sleep(K_TICKS(10));
	CHECK_NOTES("t");
	CHECK_EQ(result, -EAGAIN);
}
