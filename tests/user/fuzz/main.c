/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One input after the other: libFuzzer's (CONFIG_HOST_FUZZER), or files that are named, to see them
 * again under any compiler. The main thread is what runs when no attacker can.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "kernel/base/fatal.h"
#include "kernel/hooks/user.h"

#define LONGEST_INPUT 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

KEPT static unsigned int num_inputs;

void hole(const char *what)
{
	(void)fflush(stdout);
	(void)fprintf(stderr, "HOLE: %s\n", what);
	abort();
}

/* ---- what happens, for who asks ---- */

KEPT static bool is_tracing;

void trace_call(unsigned int number, unsigned int who, const uintptr_t arguments[6])
{
	if (is_tracing) {
		(void)fprintf(stderr, "[%u] %s(", who, call_name(number));
		for (unsigned int i = 0; call_signature(number)[i] != '\0'; i++) {
			(void)fprintf(stderr, "%s%#lx", i == 0 ? "" : ", ", arguments[i]);
		}
		(void)fprintf(stderr, ")\n");
	}
}

void trace_result(unsigned int who, uintptr_t result)
{
	if (is_tracing) {
		(void)fprintf(stderr, "[%u]   = %#lx\n", who, result);
	}
}

void trace(const char *what, unsigned int first, unsigned int second)
{
	if (is_tracing) {
		(void)fprintf(stderr, "    %s %u %u\n", what, first, second);
	}
}

/* ---- what the linker leads here in place of the kernel's (CMakeLists.txt) ---- */

void __wrap_fatal_print_words(const struct fault *fault, const uintptr_t *registers);
void __wrap_board_exit(int status);
void __real_board_exit(int status);
void __wrap_arch_user_enter(struct user_entry *entry, char *stack_end, char *kernel_stack_end)
	__attribute__((noreturn));
void __real_arch_user_enter(struct user_entry *entry, char *stack_end, char *kernel_stack_end)
	__attribute__((noreturn));

/* A refused call is what this is about; the kernel's own fault is a hole. */
void __wrap_fatal_print_words(const struct fault *fault, const uintptr_t *registers)
{
	if (!user_is_running() || fault->where == FATAL_IN_ISR ||
	    fault->reason == K_ERR_KERNEL_PANIC) {
		hole(fault->cause);
	}
	trace(fault->cause, 0, 0);
}

void __wrap_board_exit(int status)
{
	if (status != 0 && kernel_started && num_inputs != 0) {
		hole("the kernel has ended the run");
	}
	__real_board_exit(status);
}

/* A user thread may begin anywhere, and here that would be anywhere in this process. */
void __wrap_arch_user_enter(struct user_entry *entry, char *stack_end, char *kernel_stack_end)
{
	struct user_entry begins = *entry;

	if (begins.p1 >= (void *)(uintptr_t)NUM_ATTACKERS || begins.entry == NULL) {
		begins.entry = attacker_main;
		begins.p1 = (void *)(uintptr_t)NUM_ATTACKERS;
	}
	__real_arch_user_enter(&begins, stack_end, kernel_stack_end);
}

/* ---- a run ---- */

/* No attacker can run: time passes, or who has ended comes again. */
static void go_on(void)
{
	uint8_t choice = input_byte();

	for (unsigned int i = 0; i < NUM_ATTACKERS; i++) {
		world_restart(i);
	}
	if ((choice & 64U) != 0) {
		(void)k_sleep(K_TICKS(1)); /* the idle thread's turn */
	} else if ((choice & 32U) != 0) {
		world_disturb(choice, input_byte(), input_byte());
	} else {
		host_advance((uint64_t)1 << (choice & 15U));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (num_inputs == 0) {
		state_keep();
	}
	num_inputs++;
	state_restore();
	input_set(data, size);
	k_sched_lock();
	world_begin();
	judge_begin();
	k_sched_unlock();
	while (input_left()) {
		go_on();
	}
	world_check();
	return 0;
}

static unsigned int nibble(char digit)
{
	return (unsigned int)(digit <= '9' ? digit - '0' : digit - 'a' + 10) & 15U;
}

/* Inputs in hexadecimal, one a line (corpus.py). */
static void run_lines(FILE *file, const char *path)
{
	KEPT static char line[2 * LONGEST_INPUT + 2];
	KEPT static uint8_t data[LONGEST_INPUT];
	unsigned int number = 0;

	while (fgets(line, sizeof(line), file) != NULL) {
		size_t size = strcspn(line, "\n") / 2;

		for (size_t i = 0; i < size; i++) {
			data[i] = (uint8_t)(nibble(line[2 * i]) << 4 | nibble(line[2 * i + 1]));
		}
		number++;
		(void)fprintf(stderr, "%s:%u\n", path, number); /* the last one says what broke */
		(void)LLVMFuzzerTestOneInput(data, size);
	}
}

/* As libFuzzer leaves it where it found something. */
static void run_bytes(FILE *file, const char *path)
{
	KEPT static uint8_t data[LONGEST_INPUT];
	size_t size = fread(data, 1, sizeof(data), file);

	(void)fprintf(stderr, "%s\n", path);
	(void)LLVMFuzzerTestOneInput(data, size);
}

static void run_file(const char *path)
{
	const char *dot = strrchr(path, '.');
	FILE *file = fopen(path, "rb");

	if (file == NULL) {
		perror(path);
		exit(2);
	}
	if (dot != NULL && strcmp(dot, ".txt") == 0) {
		run_lines(file, path);
	} else {
		run_bytes(file, path);
	}
	(void)fclose(file);
}

static int run_files(void)
{
	for (int i = 1; i < host_argc; i++) {
		if (strcmp(host_argv[i], "trace") == 0) {
			is_tracing = true;
		} else {
			run_file(host_argv[i]);
		}
	}
	(void)fprintf(stderr, "%u inputs, and nobody got in\n", num_inputs);
	attempts_print();
	return num_inputs == 0 ? 2 : 0;
}

int main(void)
{
	host_read_cost_cycles = 100; /* or a loop that waits for a time takes long */
	if (freopen("/dev/null", "w", stdout) == NULL) { /* what attackers print */
		return 2;
	}
	k_exit(IS_ENABLED(CONFIG_HOST_FUZZER)
		       ? LLVMFuzzerRunDriver(&host_argc, &host_argv, LLVMFuzzerTestOneInput)
		       : run_files());
}
