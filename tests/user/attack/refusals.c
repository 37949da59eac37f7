/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refusals, counted where they happen, in place of the kernel's reports (the linker leads them here): a
 * report is 200 letters, and there are a million of them. What the kernel itself did wrong is
 * printed as ever, and is the end of the run.
 */

#include "attack.h"
#include "kernel/base/fatal.h"
#include "kernel/hooks/user.h"
#include "lib/string.h"

#define MAX_CAUSES 32

static struct {
	const char *text;
	uint32_t count;
} causes[MAX_CAUSES];

uint32_t refused_first, refused_later, refused_by_core;

static struct fault last;

/* What a call looks at before all else. */
static const char *const first_checks[] = {
	"no such system call",
	"not an object that the thread may use",
	"not a thread that the thread may use",
	"not an object that the thread may initialise",
	"not an object that the thread may pass on",
};

static bool is_first_check(const char *cause)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(first_checks); i++) {
		if (strcmp(cause, first_checks[i]) == 0) {
			return true;
		}
	}
	return false;
}

static void count(const char *cause)
{
	for (unsigned int i = 0; i < MAX_CAUSES; i++) {
		if (causes[i].text == NULL) {
			causes[i].text = cause;
		}
		if (causes[i].text == cause) {
			causes[i].count++;
			return;
		}
	}
}

void __wrap_fatal_print_words(const struct fault *fault, const uintptr_t *registers);
void __real_fatal_print_words(const struct fault *fault, const uintptr_t *registers);

void __wrap_fatal_print_words(const struct fault *fault, const uintptr_t *registers)
{
	if (!user_is_running() || fault->where == FATAL_IN_ISR || k_cpu.current == &victim ||
	    fault->reason == K_ERR_KERNEL_PANIC) {
		__real_fatal_print_words(fault, registers);
		return;
	}
	last = *fault;
	count(fault->cause);
	if (fault->reason == K_ERR_CPU_EXCEPTION || fault->reason == K_ERR_STACK_CHK_FAIL) {
		refused_by_core++;
	} else if (is_first_check(fault->cause)) {
		refused_first++;
	} else {
		refused_later++;
	}
}

void __wrap_board_exit(int status);
void __real_board_exit(int status);

/* The kernel ends the run where the fault was its own: what has been kept quiet is said now. */
void __wrap_board_exit(int status)
{
	if (status != 0) {
		if (last.cause != NULL) {
			__real_fatal_print_words(&last, NULL);
		}
		printk("ATTACK FOUND A HOLE\n");
	}
	__real_board_exit(status);
}

void refusals_print(void)
{
	for (unsigned int i = 0; i < MAX_CAUSES && causes[i].text != NULL; i++) {
		printk("refused %u: %s\n", (unsigned int)causes[i].count, causes[i].text);
	}
}
