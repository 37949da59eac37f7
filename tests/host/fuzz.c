/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel beside its model, by commands that libFuzzer makes up: it sees which code an input
 * reaches, and goes on from those that reach more. What it found is kept (inputs.txt), and runs in
 * the usual tests under any compiler, each input in a process of its own. In the fuzzer itself there
 * is one process, and the kernel is set back to what it was (tests/user/fuzz/state.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <foliot/kernel.h>
#include <host.h>
#include "engine.h"

#define LONGEST_INPUT 1024

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

static unsigned int nibble(char digit)
{
	return (unsigned int)(digit <= '9' ? digit - '0' : digit - 'a' + 10) & 15U;
}

static bool holds(const uint8_t *data, size_t size, bool with_trace)
{
	int status = 0;
	pid_t child;

	(void)fflush(stdout);
	child = fork();
	if (child == 0) {
		status = model_input(data, size, with_trace);
		(void)fflush(stdout);
		_exit(status);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int inputs_test(const char *path, bool with_trace)
{
	static char line[2 * LONGEST_INPUT + 2];
	static uint8_t data[LONGEST_INPUT];
	FILE *file = fopen(path, "r");
	unsigned int number = 0;

	if (file == NULL) {
		perror(path);
		return 2;
	}
	while (fgets(line, sizeof(line), file) != NULL) {
		size_t size = strcspn(line, "\n") / 2;

		for (size_t i = 0; i < size; i++) {
			data[i] = (uint8_t)(nibble(line[2 * i]) << 4 | nibble(line[2 * i + 1]));
		}
		number++;
		if (!holds(data, size, with_trace)) {
			printf("FAIL inputs, line %u\n", number);
			return 1;
		}
	}
	(void)fclose(file);
	printf("PASS inputs, %u\n", number);
	return number == 0 ? 2 : 0;
}

#ifdef CONFIG_HOST_FUZZER
#include "fuzz.h"

KEPT static bool is_kept;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!is_kept) {
		is_kept = true;
		state_keep();
		state_keep_stack(&k_sys_work_q.thread);
	}
	state_restore();
	if (model_input(data, size, false) != 0) {
		(void)fflush(stdout);
		abort();
	}
	return 0;
}

int fuzz(void)
{
	return LLVMFuzzerRunDriver(&host_argc, &host_argv, LLVMFuzzerTestOneInput);
}
#else
int fuzz(void)
{
	return 2;
}
#endif
