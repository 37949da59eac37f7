/* SPDX-License-Identifier: Apache-2.0 */
/* The user thread of a test, and the fatal errors that it makes: see user.h. */
#include "user.h"

K_APPMEM_PARTITION_DEFINE(shared);
K_APP_BMEM(shared) volatile intptr_t seen[SEEN_MAX];

struct k_thread user_thread, other_thread;
K_THREAD_STACK_DEFINE(user_stack, USER_STACK_SIZE);
K_THREAD_STACK_DEFINE(other_stack, USER_STACK_SIZE);

unsigned int fatal_reason, fatal_count;
bool fatal_is_expected;

/* Who faults ends, and the run goes on; a kernel thread's fault would be this program's. */
void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame)
{
	fatal_reason = reason;
	fatal_count++;
	if ((k_current_get()->options & K_USER) == 0 && !fatal_is_expected) {
		k_exit(1);
	}
}

static struct k_mem_domain domain;
static bool is_domain_ready;

k_tid_t user_prepare(k_thread_entry_t entry, void *p1, void *p2, void *p3)
{
	struct k_mem_partition *parts[] = {&shared};
	k_tid_t thread;

	if (!is_domain_ready) {
		CHECK_EQ(k_mem_domain_init(&domain, 1, parts), 0);
		is_domain_ready = true;
	}
	for (int i = 0; i < SEEN_MAX; i++) {
		seen[i] = 0;
	}
	fatal_count = 0;
	thread = k_thread_create(&user_thread, user_stack, USER_STACK_SIZE, entry, p1, p2, p3,
				 USER_PRIO, K_USER, K_FOREVER);
	CHECK(thread == &user_thread);
	CHECK_EQ(k_mem_domain_add_thread(&domain, thread), 0);
	return thread;
}

bool user_finish(void)
{
	k_thread_start(&user_thread);
	CHECK_EQ(k_thread_join(&user_thread, K_FOREVER), 0);
	CHECK(fatal_count <= 1);
	return fatal_count == 0;
}

bool user_run(k_thread_entry_t entry, void *p1, void *p2, void *p3)
{
	(void)user_prepare(entry, p1, p2, p3);
	return user_finish();
}
