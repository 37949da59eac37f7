/* SPDX-License-Identifier: Apache-2.0 */
/* What the attackers (user mode) and their judge (kernel mode) share. */
#ifndef TESTS_USER_ATTACK_H
#define TESTS_USER_ATTACK_H

#include "registers.h"

/* Every call there is, from the kernel's own list: a new one is attacked by being there. */
enum call {
#define SYSCALL(name) CALL_##name,
#define SYSCALL_VIA(name)
#include "kernel/base/syscalls.h"
#undef SYSCALL
#undef SYSCALL_VIA
	NUM_CALLS,
};

/* A call and an answer with a receipt, of messages that lie in memory. */
#ifdef CONFIG_ARCH_IPC_REGISTERS
#define CALL_OF_IPC_CALL          CALL_user_ipc_call
#define CALL_OF_IPC_REPLY_RECEIVE CALL_user_ipc_reply_receive
#else
#define CALL_OF_IPC_CALL          CALL_k_ipc_call
#define CALL_OF_IPC_REPLY_RECEIVE CALL_k_ipc_reply_receive
#endif

/* What an argument ought to be. Objects first. */
enum wanted {
	ANY, /* a word */
	SEM,
	MUTEX,
	CONDVAR,
	EVENT,
	WORDS,
	QUEUE,
	MSGQ,
	TIMER,
	PIPE,
	SIGNAL,
	THREAD,
	STACK,
	GATE,
	ENDPOINT,
	NUM_OBJECTS,
	BUFFER = NUM_OBJECTS, /* to be written */
	DATA, /* to be read */
	TEXT, /* a name */
	TIMEOUT,
	PRIO,
	KIND, /* a semaphore's, of enum k_objects */
	ANY_KIND,
	SHORT, /* of a spin */
	CREATE, /* a struct of k_thread_create()'s arguments */
	MESSAGE, /* a struct k_ipc_message */
	LENGTH, /* of a few bytes, and of one at least */
	POLLED, /* an array of events */
	COUNT, /* how many of these there are */
};

/* Of each kind of object two that attackers may use, and one that they may not. */
#define NUM_ALLOWED 2
#define FORBIDDEN   NUM_ALLOWED

#define NUM_ATTACKERS 3
#define NUM_CHILDREN  2
#define NUM_WORDS     8
#define NUM_FORGED    24
#define NUM_MADE      6
#define NUM_POLLED    3
#define STACK_SIZE_   ARCH_USER_STACK_RESERVED /* both alike, so both ends are aligned to it */
#define STACK_ALIGN_ \
	(STACK_SIZE_ & ~(STACK_SIZE_ - 1)) /* whole, or of pages where a guard page is part of it */
/* Of QEMU's: one that is wholly in a region, or in none, is quick. Two where registers have 64 bits. */
#define PAGE       (sizeof(uintptr_t) == 4 ? 4096 : 8192)
#define PAGE_ALIGN (IS_ENABLED(CONFIG_ARCH_HAS_PAGES) ? 4096 : PAGE)
#define PRIO_      7 /* of attackers; the judge's is 0 */

/* An attacker's, all in its partition; it begins anew with each of its lives. */
struct attacker {
	uint32_t seed;
	uint32_t begun; /* calls */
	uint32_t returned; /* of these: the others ended their thread, or wait */
	uint32_t errors; /* of these: with an error */
	uint32_t probes; /* of memory, and jumps */
	uintptr_t below[16]; /* where a Cortex-M writes if sp is the buffer */
	uintptr_t buffer[NUM_WORDS];
	uintptr_t create[12];
	struct k_ipc_message message;
	struct k_poll_event polled[NUM_POLLED];
	uint32_t num_polled; /* of these */
	uintptr_t forged[NUM_FORGED]; /* all alike: at each of them an object with that index */
};

/* An object that an attacker has allocated, as long as nothing takes its place here: nobody's any more perhaps. */
struct made {
	uintptr_t object; /* 0: none yet */
	uintptr_t kind; /* of enum k_objects */
};

struct arena {
	struct attacker attackers[NUM_ATTACKERS + NUM_CHILDREN];
	uintptr_t objects[DATA][NUM_ALLOWED + 1];
	struct made made[NUM_MADE];
	volatile uint32_t taken; /* odd: the shared buffer is no partition of the attackers' */
	uint8_t reached[NUM_CALLS]; /* has returned once */
	uint8_t learned[NUM_CALLS]; /* the kind of its first argument, where nobody has said */
	/* What somebody got that it may not have; NULL: nothing. */
	const char *volatile hole;
	uintptr_t hole_call, hole_detail;
};

/* Partitions of a page each. */
extern struct k_mem_partition attackers, buffers;
BUILD_ASSERT(sizeof(struct arena) <= PAGE, "a page has room for what attackers share");
extern union arena_page {
	struct arena all;
	char page[PAGE];
} arena_page;
#define arena arena_page.all
extern uintptr_t shared_buffer[PAGE / sizeof(uintptr_t)];

/*
 * What no user thread may ever see is the complement of this word, which anybody may: so code
 * that looks for it does not hold it itself.
 */
extern const uint32_t hidden;
#define IS_SECRET(word) (((uint32_t)(word) ^ hidden) == UINT32_MAX)

/* ---- attacker.c, user mode ---- */

/* Makes calls until one ends it. `left` is what its registers held as it began, in one word: 0. */
void attack(void *p1, void *p2, void *p3, uintptr_t left);
/* Its stack, what it may touch of it: STACK_SIZE_ bytes. */
const char *attack_stack(const struct attacker *self);
void attack_found(const char *what, uintptr_t call, uintptr_t detail);

/* ---- arguments.c, user mode ---- */

struct shot {
	uintptr_t number;
	uintptr_t args[4];
	bool is_forbidden; /* if it returns at all, something is wrong */
	bool may_fail; /* wrong only if it returns 0 */
	bool must_fail; /* wrong unless it returns -EACCES or -EINVAL */
	bool has_bytes; /* a message in registers, with what is in `bytes` besides */
	struct byte_call bytes;
};

uint32_t attack_draw(struct attacker *self);
/* Zero to n - 1. */
uint32_t attack_below(struct attacker *self, uint32_t n);
void attack_load(struct attacker *self, struct shot *shot);
/* An object, mostly of that kind and one that may be used; says in `shot` if it is not. */
uintptr_t attack_object(struct attacker *self, enum wanted kind, struct shot *shot);
/* May user mode touch that word? */
bool attack_is_ours(const struct attacker *self, uintptr_t address, bool write);
uintptr_t attack_any_word(struct attacker *self);

/* ---- polls.c, user mode ---- */

/* An array of events, and then how many of it. */
uintptr_t attack_polled(struct attacker *self, struct shot *shot);
uintptr_t attack_count_polled(struct attacker *self, struct shot *shot);

/* ---- made.c, user mode ---- */

/* The call may have made an object: then all attackers know it, with a right to it or without one. */
void made_look(struct attacker *self, const struct shot *shot, uintptr_t result);
/* One of that kind, if what luck leads to is one; else 0. */
uintptr_t made_of(struct attacker *self, enum wanted kind);
/* A call about rights, now and then, is about one of them. */
void made_pass_on(struct attacker *self, struct shot *shot);

/* ---- messages.c, user mode: what is sent, and what may have come ---- */

/* Every word that anybody sends has this in its upper part. */
#define WORD_MARK   0x1bcU
#define WORD_OF(n)  ((uintptr_t)WORD_MARK << 20 | ((n) & 0xfffffU))
#define GATE_BADGE  0x5a0U /* the first gate's; the second's is the next */
#define FAULT_BADGE (GATE_BADGE + NUM_ALLOWED) /* of the one that attackers' faults come through */

/* The call's second argument; anybody's memory now and then. */
uintptr_t message_make(struct attacker *self, struct shot *shot);
/* Is it one whose words are in registers? Then these are drawn, too. */
bool message_is_in_registers(const struct shot *shot);
void message_load(struct attacker *self, struct shot *shot);
void message_set_words(struct attacker *self, const struct shot *shot, struct registers *registers);
/* After such a call: takes what has come out of the registers, so that the others may be looked at as after any. */
void message_take_words(const struct shot *shot, struct registers *registers,
			const struct registers *given);
/* What lies in the attacker's own message after the call. */
void message_look(const struct attacker *self, const struct shot *shot, uintptr_t result);

/* ---- probes.c, user mode ---- */

/* Past the calls: memory, code of the kernel, instructions, the stack. Mostly ends the attacker. */
void attack_probe(struct attacker *self);

/* ---- the port's attack.S ---- */

/* Where a handler of faults has who faulted go on, wherever its stack is: attacker.c. */
void attack_goes_on(void);
/* An attacker's entry. */
void attack_begin(void *p1, void *p2, void *p3);
/* As attack_trap(), with a jump to t[0] in place of the call. */
void attack_jump(struct registers *registers);
/* Executes an instruction that user mode must not, number 0 to ATTACK_NUM_PRIVILEGED - 1. */
void attack_privileged(unsigned int number);
#define ATTACK_NUM_PRIVILEGED 12

/* ---- secrets.c, kernel mode ---- */

void secrets_prepare(void);
/* What leaked or broke, or NULL. */
const char *secrets_check(void);
uint32_t secret_word(void);
void secret_fill(uint32_t *words, size_t count);

/* ---- victim.c: a user thread of another domain, whose memory and registers are a secret ---- */

void victim_start(void);
/* Is it alive, undisturbed and getting on? */
bool victim_is_well(void);
extern struct k_thread victim;

/* ---- refusals.c, kernel mode ---- */

/* So many were refused at the first check of a call, at a later one, by the core. */
extern uint32_t refused_first, refused_later, refused_by_core;
void refusals_print(void);

/* ---- objects.c, kernel mode: what attackers may use ---- */

extern struct k_thread attacker_threads[NUM_ATTACKERS], child_threads[NUM_CHILDREN], essential;
extern k_thread_stack_t attacker_stacks[NUM_ATTACKERS][K_THREAD_STACK_LEN(STACK_SIZE_)];
extern k_thread_stack_t child_stacks[NUM_CHILDREN][K_THREAD_STACK_LEN(STACK_SIZE_)];

void objects_prepare(void);
void objects_grant(struct k_thread *thread);
/* Its faults are delivered to whichever attacker receives them. */
void objects_handle_faults(struct k_thread *thread, k_timeout_t timeout);
/* Number `which` is taken from `thread`, or given back. */
#define NUM_GRANTED 12
void objects_change(struct k_thread *thread, unsigned int which, bool granted);
/* Takes an object out of the table and puts another in its place, then undoes it. */
void objects_swap(void);
/* The kernel's own use of them, as an application's threads would. */
#define NUM_USES 15
void objects_use(unsigned int which);
void objects_drain(void);
const char *objects_check(void);

#endif /* TESTS_USER_ATTACK_H */
