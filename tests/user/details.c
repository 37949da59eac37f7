/* SPDX-License-Identifier: Apache-2.0 */
/* What a user thread may say and ask of threads: names, a word of its own, what is left of a stack. */
#include "lib/string.h"
#include "user.h"

#ifndef CONFIG_THREAD_MAX_NAME_LEN
#define CONFIG_THREAD_MAX_NAME_LEN 8
#endif

/* Without CONFIG_THREAD_NAME there is nothing else to try. */
static void names_in_vain(void *p1, void *p2, void *p3)
{
	char name[4];

	seen[0] = k_thread_name_set(NULL, "name");
	seen[1] = k_thread_name_copy(k_current_get(), name, sizeof(name));
}

static bool has_names(void)
{
	if (IS_ENABLED(CONFIG_THREAD_NAME)) {
		return true;
	}
	CHECK(user_run(names_in_vain, NULL, NULL, NULL));
	CHECK_EQ(seen[0], -ENOSYS);
	CHECK_EQ(seen[1], -ENOSYS);
	return false;
}

static void names(void *name, void *thread, void *p3)
{
	seen[0] = 1;
	seen[1] = k_thread_name_set(thread, name);
	seen[2] = 1;
}

/* Named so, it goes by this name; "" where the name is refused. */
static bool is_named(const void *name, int result, const char *expected)
{
	(void)user_prepare(names, (void *)(uintptr_t)name, NULL, NULL);
	return user_finish() && seen[1] == result &&
	       strcmp(k_thread_name_get(&user_thread), expected) == 0;
}

K_APP_BMEM(shared) static char own_name[CONFIG_THREAD_MAX_NAME_LEN + 8];
static char kernels_name[] = "kernel's";

static void renames(void *p1, void *p2, void *p3)
{
	(void)k_thread_name_set(NULL, own_name);
	own_name[0] = 'X'; /* what was copied is not changed by it */
}

TEST(details_a_name_is_copied_and_ends)
{
	if (!has_names()) {
		return;
	}
	CHECK(is_named("constant", 0, "constant"));
	CHECK(is_named("", 0, ""));
	memset(own_name, 'n', sizeof(own_name) - 1);
	CHECK(is_named(own_name, -EINVAL, "")); /* no end */
	own_name[CONFIG_THREAD_MAX_NAME_LEN] = '\0';
	CHECK(is_named(own_name, -EINVAL, "")); /* one byte too long */
	own_name[CONFIG_THREAD_MAX_NAME_LEN - 1] = '\0';
	CHECK(is_named(own_name, 0, own_name));
	(void)user_prepare(renames, NULL, NULL, NULL);
	CHECK(user_finish());
	CHECK_EQ(k_thread_name_get(&user_thread)[0], 'n');
	CHECK_EQ(own_name[0], 'X');
}

/* A string that would go on behind its stack. */
static void names_itself_to_the_end(void *p1, void *p2, void *p3)
{
	char *end = p1;

	end[-1] = 'e';
	end[-2] = 'e';
	seen[2] = 1;
	(void)k_thread_name_set(NULL, end - 2);
	seen[2] = 2;
	k_thread_abort(k_current_get()); /* where it would return to is overwritten */
}

TEST(details_a_name_is_the_threads_to_read)
{
	if (!has_names()) {
		return;
	}
	CHECK(!is_named(NULL, 0, ""));
	CHECK(!is_named(kernels_name, 0, ""));
	CHECK(!is_named((void *)UINTPTR_MAX, 0, ""));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[2], 0);
	CHECK(!user_run(names_itself_to_the_end, user_stack + sizeof(user_stack), NULL, NULL));
	CHECK_EQ(seen[2], 1);
}

static void asks_name(void *buffer, void *size, void *thread)
{
	seen[0] = k_thread_name_copy(thread, buffer, (size_t)size);
	seen[1] = 1;
}

static bool asks(void *buffer, size_t size, bool granted)
{
	(void)user_prepare(asks_name, buffer, (void *)size, &other_thread);
	if (granted) {
		CHECK_EQ(k_object_access_grant(&other_thread, &user_thread), 0);
	}
	return user_finish();
}

TEST(details_a_name_is_copied_out)
{
	char kept[16];

	if (!has_names()) {
		return;
	}
	(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, names, NULL, NULL, NULL,
			      USER_PRIO, K_USER, K_FOREVER);
	(void)k_thread_name_set(&other_thread, "the other");
	CHECK(asks(own_name, 10, true));
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(strcmp(own_name, "the other"), 0);
	own_name[0] = 'X';
	CHECK(asks(own_name, 9, true));
	CHECK_EQ(seen[0], -ENOSPC);
	CHECK(asks(own_name, 0, true));
	CHECK_EQ(seen[0], -ENOSPC);
	CHECK_EQ(own_name[0], 'X');
	CHECK(!asks(kernels_name, sizeof(kernels_name) + 8, true));
	CHECK_EQ(strcmp(kernels_name, "kernel's"), 0);
	CHECK(!asks(own_name, 10, false));
	CHECK_EQ(k_thread_name_copy(&other_thread, kept, sizeof(kept)), 0);
	CHECK_EQ(k_thread_name_copy(&other_thread, kept, 9), -ENOSPC);
	CHECK_EQ(strcmp(kept, "the other"), 0);
	k_thread_abort(&other_thread);
}

static struct k_thread nobody;

TEST(details_a_block_in_which_nobody_lived_has_an_empty_name)
{
	const int with_room = IS_ENABLED(CONFIG_THREAD_NAME) ? 0 : -ENOSYS;
	const int without = IS_ENABLED(CONFIG_THREAD_NAME) ? -ENOSPC : -ENOSYS;

	for (size_t size = 0; size < 2; size++) {
		(void)user_prepare(asks_name, (void *)(uintptr_t)&seen[2], (void *)size, &nobody);
		CHECK_EQ(k_object_access_grant(&nobody, &user_thread), 0);
		CHECK(user_finish());
		CHECK_EQ(seen[0], size == 0 ? without : with_room);
	}
}

static void keeps_a_word(void *p1, void *p2, void *p3)
{
	seen[0] = (intptr_t)k_thread_custom_data_get();
	k_thread_custom_data_set((void *)44);
	k_yield();
	seen[1] = (intptr_t)k_thread_custom_data_get();
}

TEST(details_a_word_of_its_own)
{
	if (!IS_ENABLED(CONFIG_THREAD_CUSTOM_DATA)) {
		return;
	}
	CHECK(user_run(keeps_a_word, NULL, NULL, NULL));
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], 44);
}

static void measures(void *to, void *p2, void *p3)
{
	size_t unused = 7;

	seen[0] = k_thread_stack_space_get(k_current_get(), &unused);
	seen[1] = (intptr_t)unused;
	seen[2] = 1;
	seen[3] = k_thread_stack_space_get(k_current_get(), to);
	seen[4] = 1;
}

static void measures_another(void *thread, void *p2, void *p3)
{
	size_t unused = 7;

	seen[0] = k_thread_stack_space_get(thread, &unused);
	seen[1] = (intptr_t)unused;
}

TEST(details_what_is_left_of_its_stack)
{
	static size_t kernels_word = 5;
	char *start;

	if (!IS_ENABLED(CONFIG_INIT_STACKS)) {
		CHECK(user_run(measures, NULL, NULL, NULL));
		CHECK_EQ(seen[0], -ENOTSUP);
		CHECK_EQ(seen[1], 7); /* nothing is handed out */
		return;
	}
	CHECK(!user_run(measures, &kernels_word, NULL, NULL));
	CHECK_EQ(seen[0], 0);
	CHECK(seen[1] > 0);
	CHECK(seen[1] < USER_STACK_SIZE);
	CHECK_EQ(seen[2], 1);
	CHECK_EQ(seen[4], 0);
	CHECK_EQ(kernels_word, 5);
	/* Of a thread that lives on no stack that the kernel knows. */
	(void)user_prepare(measures_another, &other_thread, NULL, NULL);
	(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, measures_another, NULL,
			      NULL, NULL, USER_PRIO, 0, K_FOREVER);
	CHECK_EQ(k_object_access_grant(&other_thread, &user_thread), 0);
	start = other_thread.stack_start;
	other_thread.stack_start = NULL;
	CHECK(user_finish());
	CHECK_EQ(seen[0], -EINVAL);
	CHECK_EQ(seen[1], 7);
	other_thread.stack_start = start;
	k_thread_abort(&other_thread);
}
