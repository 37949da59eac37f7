/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line of the model tests:
 *
 *   firmware.elf model OBJECT SEED STEPS [trace]    kernel and model side by side
 *   firmware.elf storm OBJECT SEED STEPS            interrupts everywhere
 *   firmware.elf places msgq BYTES DEPTH            interrupts at each place, one by one
 *   firmware.elf walks any WAITERS 1                likewise, of calls that wake many
 *   firmware.elf wheel any SEED STEPS               timeouts
 *   firmware.elf inputs FILE 0 0 [trace]            commands that a fuzzer found (fuzz.c)
 *
 * A failure is replayed by its own command line; `trace` prints every operation.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <foliot/kernel.h>
#include <host.h>
#include "engine.h"

int main(void)
{
	bool trace = host_argc == 6 && strcmp(host_argv[5], "trace") == 0;
	uint64_t seed;
	int steps;

	if (IS_ENABLED(CONFIG_HOST_FUZZER)) {
		k_exit(fuzz());
	}
	if (host_argc != 5 && !trace) {
		fprintf(stderr,
			"usage: %s model|storm|places|traversals|pollers|wheel|inputs OBJECT SEED STEPS [trace]\n",
			host_argv[0]);
		k_exit(2);
	}
	seed = strtoull(host_argv[3], NULL, 10);
	steps = atoi(host_argv[4]);
	if (strcmp(host_argv[1], "model") == 0) {
		k_exit(model_test(host_argv[2], seed, steps, trace));
	}
	if (strcmp(host_argv[1], "inputs") == 0) {
		k_exit(inputs_test(host_argv[2], trace));
	}
	if (strcmp(host_argv[1], "places") == 0) {
		k_exit(places_test((size_t)seed, steps > 1));
	}
	if (strcmp(host_argv[1], "traversals") == 0) {
		k_exit(traversals_test((int)seed));
	}
	if (strcmp(host_argv[1], "pollers") == 0) {
		k_exit(pollers_test());
	}
	if (strcmp(host_argv[1], "wheel") == 0) {
		k_exit(wheel_test(seed, steps));
	}
	k_exit(storm_test(host_argv[2], seed, steps));
}
