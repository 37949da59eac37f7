/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An attacker: makes calls, and looks at what each leaves behind. It sees by itself what the judge can't:
 * that a call came back which must not, and what the registers hold then.
 */
#include "attack.h"

/* Not 0, so that it lies between constants and what the kernel uses all the time. */
union arena_page arena_page __aligned(PAGE_ALIGN) = {{.learned = {ANY, 0}, .hole_detail = 1}};
K_MEM_PARTITION_DEFINE(attackers, &arena_page, PAGE, K_MEM_PARTITION_P_RW_U_RW);

void attack_found(const char *what, uintptr_t call, uintptr_t detail)
{
	arena.hole_call = call;
	arena.hole_detail = detail;
	arena.hole = what;
}

const char *attack_stack(const struct attacker *self)
{
	unsigned int i = (unsigned int)(self - arena.attackers);
	const char *stack = i < NUM_ATTACKERS ? attacker_stacks[i]
					      : child_stacks[i - NUM_ATTACKERS];

	return stack + ARCH_USER_STACK_RESERVED;
}

/* What the stack's last owner, or the kernel, left there. */
static void look_for_leftovers(const struct attacker *self)
{
	const volatile uint32_t *word = (const volatile uint32_t *)attack_stack(self);
	const volatile uint32_t *here = (const volatile uint32_t *)__builtin_frame_address(0);

	for (; word < here - 32; word++) {
		if (IS_SECRET(*word)) {
			attack_found("a secret on a stack that was handed over", 0,
				     (uintptr_t)word);
		}
	}
}

/* A copy of an object in memory of one's own, with the index of one that exists, or of none. */
static void forge(struct attacker *self)
{
	uintptr_t word = attack_below(self, 48) | 1U << 16;

	for (unsigned int i = 0; i < NUM_FORGED; i++) {
		self->forged[i] = word;
	}
}

/* The stack pointer and the kernel's registers are anything while the call is made. */
static void prepare(struct attacker *self, struct registers *registers, const struct shot *shot)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(registers->s); i++) {
		registers->s[i] = (uintptr_t)i + self->begun;
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(registers->t); i++) {
		registers->t[i] = self->seed;
	}
	for (unsigned int i = 0; i < 4; i++) {
		registers->a[i] = shot->args[i];
		registers->a[4 + i] = self->seed;
	}
	registers->a[7] = shot->number;
	if (message_is_in_registers(shot)) {
		message_set_words(self, shot, registers);
	}
	registers->sp = attack_below(self, 8) != 0 || shot->has_bytes ? (uintptr_t)registers
								      : attack_any_word(self);
	registers->gp = attack_any_word(self);
	registers->tp = self->seed;
}

/* What is neither 0 nor the caller's own. */
static uintptr_t left_over(uintptr_t word, uintptr_t given)
{
	return word == given ? 0 : word;
}

static void examine(const struct attacker *self, const struct registers *registers,
		    const struct registers *given, const struct shot *shot)
{
	uintptr_t left = 0;

	for (unsigned int i = 1; i < ARRAY_SIZE(registers->a); i++) {
		left |= left_over(registers->a[i], given->a[i]);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(registers->t); i++) {
		left |= left_over(registers->t[i], given->t[i]);
	}
	if (left != 0 || IS_SECRET(registers->a[0])) {
		attack_found("the kernel's left in a register", shot->number, left);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(registers->s); i++) {
		if (registers->s[i] != given->s[i]) {
			attack_found("a register changed", shot->number, i);
		}
	}
	if (registers->sp != given->sp) {
		attack_found("the stack pointer changed", shot->number, registers->sp);
	}
	if (shot->is_forbidden || (shot->may_fail && registers->a[0] == 0) ||
	    (shot->must_fail && (int32_t)registers->a[0] != -EACCES &&
	     (int32_t)registers->a[0] != -EINVAL)) {
		attack_found("a call that had to be refused", shot->number, shot->args[0]);
	}
	for (unsigned int i = 0; i < NUM_WORDS; i++) {
		if (IS_SECRET(self->buffer[i])) {
			attack_found("a secret in a buffer", shot->number, i);
		}
	}
}

static void shoot(struct attacker *self)
{
	struct registers registers, given;
	struct shot shot;

	attack_load(self, &shot);
	prepare(self, &registers, &shot);
	given = registers;
	self->begun++;
	if (shot.has_bytes) {
		attack_trap_bytes(&registers);
	} else {
		attack_trap(&registers);
	}
	self->returned++;
	if (message_is_in_registers(&shot)) {
		message_take_words(&shot, &registers, &given);
	}
	if ((intptr_t)registers.a[0] < 0 && (intptr_t)registers.a[0] > -200) {
		self->errors++;
	}
	examine(self, &registers, &given, &shot);
	made_look(self, &shot, registers.a[0]);
	message_look(self, &shot, registers.a[0]);
	if (shot.number < NUM_CALLS) {
		arena.reached[shot.number] = 1;
		for (unsigned int kind = 1; kind < NUM_OBJECTS; kind++) {
			if (shot.args[0] == arena.objects[kind][0]) {
				arena.learned[shot.number] = (uint8_t)kind;
			}
		}
	}
}

/* Who one is, by the stack that one runs on: the one thing that no two threads share. */
static struct attacker *find_self(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	struct attacker *self = arena.attackers;

	/* Bound: the attackers there are; the last where no stack is right. */
	while (self < &arena.attackers[NUM_ATTACKERS + NUM_CHILDREN - 1] &&
	       here - (uintptr_t)attack_stack(self) > STACK_SIZE_) {
		self++;
	}
	return self;
}

static void go_on(struct attacker *self)
{
	for (;;) {
		if (attack_below(self, 256) == 0) {
			self->probes++;
			attack_probe(self);
		}
		shoot(self);
	}
}

void attack_goes_on(void)
{
	go_on(find_self());
}

void attack(void *p1, void *p2, void *p3, uintptr_t left)
{
	struct attacker *self = find_self();

	if (left != 0) {
		attack_found("something in the registers of a thread that begins", 0, left);
	}
	look_for_leftovers(self);
	forge(self);
	go_on(self);
}
