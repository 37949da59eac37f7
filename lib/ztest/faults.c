/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults and failed assertions. Those that a test said it expects end the thread that they are of,
 * and nothing else; any other ends the run, a user thread's, too, which the kernel's own handler
 * would let pass.
 */
#include "lib/ztest/ztest.h"

/*
 * What a thread expects. It names itself, so that it can't let another one's error pass; user mode
 * never writes it.
 */
static struct {
	k_tid_t fault_of;
	k_tid_t assertion_of;
} valid;

void ztest_set_fault_valid(bool is_valid)
{
	valid.fault_of = is_valid ? k_current_get() : NULL;
}

void ztest_set_assert_valid(bool is_valid)
{
	valid.assertion_of = is_valid ? k_current_get() : NULL;
}

__weak void ztest_post_fatal_error_hook(unsigned int reason, const struct arch_esf *frame)
{
}

__weak void ztest_post_assert_fail_hook(void)
{
}

static void end_run(const char *what)
{
	printk("%s was unexpected, aborting...\n", what);
	ztest_state.has_failure = true;
	ztest_print_summary();
	k_exit(1);
}

static void end_thread(void)
{
	k_thread_abort(k_current_get());
}

/*
 * Weak: a program may have one of its own. After a panic a handler that returned would end the run;
 * in an ISR the kernel ends it in any case.
 */
__weak void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame)
{
	bool is_valid = IS_ENABLED(CONFIG_ZTEST_FATAL_HOOK) && valid.fault_of == k_current_get();

	printk("Caught system error -- reason %u %d\n", reason, is_valid);
	if (!is_valid) {
		end_run("Fatal error");
	}
	printk("Fatal error expected as part of test case.\n");
	valid.fault_of = NULL;
	ztest_post_fatal_error_hook(reason, frame);
	if (reason == K_ERR_KERNEL_PANIC) {
		end_thread();
	}
}

void ztest_assertion_failed_(void)
{
	printk("Caught assert failed\n");
	if (valid.assertion_of != k_current_get() || k_is_in_isr()) {
		end_run("Assert failed");
	}
	printk("Assert error expected as part of test case.\n");
	valid.assertion_of = NULL;
	ztest_post_assert_fail_hook();
	end_thread();
}
