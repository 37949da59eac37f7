/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What attackers pass: mostly what the call wants, else anything. No address of the frames
 * that the attacker itself lives in, high on its stack: what the kernel rightly writes there would be the
 * attacker's end, and no finding.
 */
#include "fuzz.h"
#include "kernel/base/kernel.h"

#define REMEMBERED 4
#define STACK_USED 1024 /* of an attacker's: at its low end, where its own frames never are */

static uintptr_t remembered[REMEMBERED];
static unsigned int num_remembered;

void argument_remember(uintptr_t result)
{
	remembered[num_remembered % REMEMBERED] = result;
	num_remembered++;
}

uintptr_t argument_last(void)
{
	return remembered[(num_remembered - 1U) % REMEMBERED];
}

static uintptr_t stack_start(void)
{
	return (uintptr_t)k_cpu.current->stack_start;
}

static uintptr_t object_of(enum kind kind, unsigned int choice)
{
	unsigned int count = 0;

	if (choice >= 56) {
		return remembered[choice % REMEMBERED];
	}
	for (unsigned int i = 0; i < num_named; i++) {
		count += kind == ANY_OBJECT || named[i].kind == kind;
	}
	if (count == 0) {
		return 0;
	}
	choice %= count;
	for (unsigned int i = 0;; i++) {
		if (kind == ANY_OBJECT || named[i].kind == kind) {
			if (choice == 0) {
				return (uintptr_t)named[i].address;
			}
			choice--;
		}
	}
}

/* At the ends of what the thread may touch, on either side. */
static uintptr_t buffer_of(unsigned int choice)
{
	uintptr_t into = choice & 15U;

	switch (choice >> 4) {
	case 0:
		return (uintptr_t)shared + into * 8U;
	case 1:
		return (uintptr_t)shared + SHARED_SIZE - into * 8U - (into & 1U);
	case 2:
		return stack_start() + into * 16U - 32U;
	default:
		return into < 8 ? (uintptr_t)readable + into * 8U
				: stack_start() + k_cpu.current->stack_size - 1U + (into & 1U);
	}
}

static uintptr_t number_of(unsigned int choice)
{
	static const uintptr_t odd[] = {
		UINT32_MAX,  INT32_MAX,        (uintptr_t)INT32_MIN, UINT16_MAX,
		UINTPTR_MAX, UINTPTR_MAX - 7U, (uintptr_t)1 << 32,   (uintptr_t)INTPTR_MIN,
	};

	return choice < 56 ? choice : odd[choice - 56U];
}

static uintptr_t timeout_of(unsigned int choice)
{
	return choice < 32   ? 0
	       : choice < 48 ? choice - 31U
	       : choice < 60 ? UINT32_MAX
			     : number_of(choice);
}

/* Of the right kind; `choice` is less than 64. */
static uintptr_t fitting(enum kind kind, unsigned int choice)
{
	switch (kind) {
	case READ_BUFFER:
	case WRITTEN_BUFFER:
		return buffer_of(choice);
	case NUMBER:
		return number_of(choice);
	case TIMEOUT:
		return timeout_of(choice);
	case PRIORITY:
		return (uintptr_t)(intptr_t)((int)choice - 32);
	case OBJECT_KIND:
		return choice % 16U;
	default:
		return object_of(kind, choice);
	}
}

/* Of no kind in particular. */
static uintptr_t odd(unsigned int choice)
{
	static const uintptr_t addresses[] = {
		0,
		4,
		(uintptr_t)&k_cpu,
		(uintptr_t)&host_cpu,
		(uintptr_t)named,
		(uintptr_t)attacker_main,
		(uintptr_t)INTPTR_MIN,
		UINTPTR_MAX,
	};
	unsigned int few = choice & 7U;

	switch (choice >> 3) {
	case 0:
		return addresses[few];
	case 1: /* a middle, or just before */
		return object_of(ANY_OBJECT, input_byte() & 63U) + few * 8U - 8U;
	case 2: /* what was copied there may look like an object */
		return (uintptr_t)shared + few * 64U;
	case 3:
		return addresses[few] - input_byte();
	case 4:
		return stack_start() - (uintptr_t)few * 8U;
	case 5:
		return remembered[few % REMEMBERED] + input_byte();
	case 6:
		return input_word();
	default:
		return (uintptr_t)input_word() << 32 | few;
	}
}

uintptr_t argument_next(enum kind kind)
{
	uint8_t choice = input_byte();

	return choice < 192 ? fitting(kind, choice & 63U) : odd(choice & 63U);
}
