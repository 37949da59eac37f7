/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests that the fake machine cannot pass: nothing there stands between a user thread and memory, and no time
 * passes while its code runs. stacks.c and floating.c are such as a whole.
 */
#include <string.h>

#include "user.h"

static const char *const left_out[] = {
	/* touch what is not theirs */
	"allocated_objects_of_a_thread_that_faults_are_freed",
	"futexes_need_nobodys_memory_while_they_wait",
	"memory_a_partition_gives_the_rights_that_it_names_and_no_other",
	"memory_a_partition_is_shared_by_those_in_its_domain",
	"memory_a_stack_that_overflows_is_a_fault_of_its_thread",
	"memory_kernel_code_has_no_rights_in_user_mode",
	"memory_of_other_stacks_is_out_of_reach",
	"memory_of_the_kernel_is_out_of_reach",
	"memory_privileged_instructions_are_refused",
	"user_who_reports_a_fault_holds_nobody_up",
	"work_of_user_threads_that_is_forged_ends_the_queues_thread_only",
	/* loop until an interrupt comes */
	"containers_are_not_lost_with_who_is_ended_in_a_call",
	"memory_a_partition_that_goes_is_out_of_reach_at_once",
	"memory_of_a_domain_that_a_thread_is_moved_from_is_out_of_reach_at_once",
	"memory_who_goes_on_after_a_preemption_sees_its_own_only",
	"user_mode_is_interrupted_behind_a_call",
	/* wait for ever, or long, which is over at once */
	"waits_longer_than_the_longest_are_that_long",
	"what_begins_later_than_the_longest_begins_then",
};

bool test_is_left_out(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(left_out); i++) {
		if (strcmp(name, left_out[i]) == 0) {
			return true;
		}
	}
	return false;
}
