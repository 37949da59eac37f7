/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_HOST_ENGINE_H
#define TESTS_HOST_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Compare kernel and model over `steps` random commands, most of them about the object
 * `focus` ("all": evenly). Returns an exit status; prints PASS or FAIL and why.
 */
int model_test(const char *focus, uint64_t seed, int steps, bool with_trace);

/* The same of commands that are read out of an input: a fuzzer's, or one that is kept. */
int model_input(const uint8_t *input, size_t size, bool with_trace);

/* Inputs of a file, in hexadecimal, one a line; each in a process of its own. */
int inputs_test(const char *path, bool with_trace);

/* libFuzzer's main(), in a program that is built for it. */
int fuzz(void);

/* Interrupts at every place where one can arrive; nothing lost, nothing twice. */
int storm_test(const char *object, uint64_t seed, int steps);

/* Message queues, interrupted at each place; `nested`: and at each of the handler's calls. */
int places_test(size_t message_bytes, bool nested);

/* Calls that wake all of so many waiters, interrupted at each place. */
int traversals_test(int waiters);

/* The end of a thread that polls, interrupted at each place. */
int pollers_test(void);

/* The timeout wheel: everything expires on its tick, in order. */
int wheel_test(uint64_t seed, int steps);

#endif /* TESTS_HOST_ENGINE_H */
