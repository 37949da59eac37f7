/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers of a call that is made by hand, as the port's tests/attack.S has them, and where the parts of a message in
 * registers are among them. For the attackers, and for tests/ipc.
 */
#ifndef TESTS_USER_REGISTERS_H
#define TESTS_USER_REGISTERS_H

#include <foliot/kernel.h>

/* What a call is made with, and what it leaves: attack.S of the port has the same offsets. */
struct registers {
	uintptr_t a[8];
	uintptr_t t[7];
	uintptr_t s[11]; /* from the second on: the first points here */
	uintptr_t sp, gp, tp;
	uintptr_t own_sp;
};

/* The call with `registers`, which then are those that it left. */
void attack_trap(struct registers *registers);
#ifdef __x86_64__
/* The same of a message with bytes, which are in registers that a call keeps otherwise. `sp` is `registers`. */
void attack_trap_bytes(struct registers *registers);
#else
#define attack_trap_bytes attack_trap
#endif

/* The port's numbers of k_ipc_call() and k_ipc_reply_receive() with the words in registers, where there are such. */
extern const uintptr_t attack_word_calls[2];

/*
 * WORD: where the words are, before and behind a call. BADGE_AT: the badge, behind one. BYTE_WORD: the words of bytes, of which
 * there are NUM_BYTE_WORDS in registers.
 */
#if defined(__riscv)
#define WORD(registers, i)      ((registers)->t[3 + (i)])
#define BADGE_AT                a[1]
#define NUM_BYTE_WORDS          0
#define BYTE_WORD(registers, i) ((registers)->t[i])
#elif defined(__aarch64__)
#define WORD(registers, i)      (*((i) < 3 ? &(registers)->a[4 + (i) % 3] : &(registers)->t[0])) /* x7 */
#define BADGE_AT                a[1]
#define NUM_BYTE_WORDS          7 /* the first is x7, too: attack.S */
#define BYTE_WORD(registers, i) ((registers)->t[i])
#elif defined(__x86_64__)
#define WORD(registers, i) \
	((registers)->a[(i) == 0 ? 2 : (i) == 3 ? 3 : 3 + (i)]) /* rdx, r8 to r10 */
#define BADGE_AT                a[6] /* rdi: attack.S */
#define NUM_BYTE_WORDS          6
#define BYTE_WORD(registers, i) ((registers)->s[(i) == 0 ? 5 : (i) - 1]) /* rbx, rbp, r12 to r15 */
#else
#define WORD(registers, i)      ((registers)->s[i])
#define BADGE_AT                a[6] /* r2: attack.S */
#define NUM_BYTE_WORDS          0
#define BYTE_WORD(registers, i) ((registers)->s[i])
#endif

/* A message with bytes, as the ports' libraries make them, or cannot. */
struct byte_call {
	bool is_call; /* else an answer, and the next receipt */
	uintptr_t object, data, size, capacity;
};

/* All but the words, and the bytes where those are in registers. */
static inline void byte_call_load(struct registers *registers, const struct byte_call *call)
{
	registers->a[0] = call->object;
#if defined(__x86_64__)
	registers->a[1] = call->data;
	registers->a[7] = (call->is_call ? 0x80000000UL : 0x80000100UL) << 32 |
			  (call->size & 0xffU) << 32 | (call->capacity & UINT32_MAX);
#else
	registers->a[1] = call->data;
	registers->a[2] = call->size;
	registers->a[3] = call->capacity;
#if defined(__riscv) || defined(__aarch64__)
	registers->a[7] = call->is_call ? (uintptr_t)-3 : (uintptr_t)-4;
#else
	registers->a[7] = call->is_call ? 0x7D0U : 0x7C0U;
#endif
#endif
}

/* Where it says how many bytes have come: in registers, and in memory. */
#if defined(__x86_64__)
#define CAME_AT           a[1] /* bit 32: in memory */
#define CAME_IN_MEMORY_AT a[1]
#elif defined(__riscv)
#define CAME_AT           a[2]
#define CAME_IN_MEMORY_AT a[2]
#elif defined(__aarch64__)
#define CAME_AT           a[2]
#define CAME_IN_MEMORY_AT a[3]
#else
#define CAME_AT           a[5] /* r3: attack.S */
#define CAME_IN_MEMORY_AT a[5]
#endif

/* How many have, behind a call that has returned 0. */
static inline uintptr_t byte_call_came(const struct registers *registers)
{
#if defined(__x86_64__)
	return registers->CAME_AT & UINT32_MAX;
#elif defined(__aarch64__)
	return registers->CAME_AT + registers->CAME_IN_MEMORY_AT;
#else
	return registers->CAME_AT;
#endif
}

/* Of these, how many machine words are in registers. */
static inline uintptr_t byte_call_came_in_registers(const struct registers *registers)
{
#if defined(__x86_64__)
	return registers->a[1] >> 32 != 0 ? 0 : registers->a[1] / sizeof(uintptr_t);
#elif defined(__aarch64__)
	return registers->a[2] / sizeof(uintptr_t);
#else
	(void)registers;
	return 0;
#endif
}

#endif /* TESTS_USER_REGISTERS_H */
