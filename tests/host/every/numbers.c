/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What WP has no proof of, since a shift's or a product's both sides are unknown: the heap's class
 * of a large block, and division by a reciprocal, as RISC-V does it. All sizes of blocks of 32 bits,
 * and all words; or those on both sides of each multiple.
 */
#include <stdio.h>
#include <stdlib.h>

#define __riscv 32 /* divides by hand */
#include "kernel/time/arithmetic.h"
#undef __riscv
#include "kernel/memory/sys_heap.c"
#include "tests/host/heap_model.h"

static const uint32_t divisors[] = {2,     3,     7,       10,         1000,      4096,
				    32768, 12345, 1000000, 0x40000001, 0xFFFFFFFF};

void fail(const char *rule)
{
	fprintf(stderr, "numbers: broken: %s\n", rule);
	exit(1);
}

static void check_quotient(uint32_t word, uint32_t by)
{
	if (quotient(word, by) != word / by) {
		fprintf(stderr, "%u / %u\n", word, by);
		fail("a quotient");
	}
}

static uint64_t check_quotients(uint32_t by, bool all)
{
	uint64_t step = all ? 1 : MAX(by, 1000U) / by * by;
	uint64_t done = 0;

	for (uint64_t word = 0; word <= UINT32_MAX; word += step, done++) {
		check_quotient((uint32_t)word, by);
		check_quotient((uint32_t)word - 1U, by);
	}
	return done;
}

static uint64_t check_classes(uint64_t most)
{
	uint64_t done = 0;

	for (uint64_t size = HEAP_EXACT_END; size <= most; size += HEAP_UNIT, done++) {
		check(class_of_large(size) == heap_traversal_class(size), "a class");
	}
	return done;
}

int main(int argc, char **argv)
{
	bool all = argc > 1 && atoi(argv[1]) != 0;
	uint64_t done = check_classes(all ? UINT32_MAX : 1U << 24);

	for (size_t i = 0; i < ARRAY_SIZE(divisors); i++) {
		done += check_quotients(divisors[i], all);
	}
	printf("numbers: %llu tried\n", (unsigned long long)done);
	return 0;
}
