/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fuzzer of the system calls' boundary, on the host: README.md. An input is a program that the
 * user threads and the judge carry out together: whoever runs takes the next bytes of it.
 */
#ifndef TESTS_USER_FUZZ_FUZZ_H
#define TESTS_USER_FUZZ_FUZZ_H

#include <foliot/kernel.h>
#include <host.h>

#define NUM_ATTACKERS 3
#define NUM_CHILDREN  2
#define PRIO          6 /* an attacker's; none may ever be more urgent */
#define LOWEST_PRIO   12 /* below lies main(), which runs when nobody else can */
#define STACK_SIZE    32768 /* the machine's least */
#define SECRET        ((uintptr_t)0x5ec2e75ec2e75ec2)
#define BADGE         0x6ba /* of the first gate; the second one's is the next number */
#define SHARED_SIZE   512
#define READABLE_SIZE 64

/* What an argument is: one letter each in a call's signature (calls.c). */
enum kind {
	SEM = 'S',
	MUTEX = 'M',
	CONDVAR = 'C',
	EVENT = 'E',
	WORDS = 'K',
	QUEUE = 'Q',
	MSGQ = 'G',
	TIMER = 'T',
	ENDPOINT = 'D',
	GATE = 'B',
	PIPE = 'I',
	SIGNAL = 'L',
	THREAD = 'H',
	STACK = 'Z',
	ANY_OBJECT = 'O',
	OBJECT_KIND = 'o',
	TIMEOUT = 't',
	PRIORITY = 'P',
	NUMBER = 'n',
	READ_BUFFER = 'r',
	WRITTEN_BUFFER = 'w',
	CREATION = 'A', /* struct thread_create_args */
	MESSAGE = 'm', /* struct k_ipc_message */
	EVENTS = 'V', /* an array of struct k_poll_event */
	COUNT = 'v', /* how many there are in it */
};

/* An object that attackers can name. */
struct named {
	const void *address;
	enum kind kind;
	bool is_secret; /* nobody has, and nobody gets, a right to it */
};

/* ---- calls.c: what the system calls are ---- */

extern const unsigned int num_calls;
/* The kinds of that call's arguments; "" of one that is not there, or of an application's. */
const char *call_signature(unsigned int number);
const char *call_name(unsigned int number);
unsigned int call_number(const char *name);

/* ---- input.c: the bytes of this run ---- */

void input_set(const uint8_t *data, size_t size);
bool input_left(void);
/* The next one; 0 behind the end. */
uint8_t input_byte(void);
uint32_t input_word(void);

/* ---- world.c: what there is to attack ---- */

extern const struct named named[];
extern const unsigned int num_named;
/* The first of a kind. */
const void *named_first(enum kind kind);
extern struct k_thread attackers[NUM_ATTACKERS], children[NUM_CHILDREN];
extern uint8_t shared[SHARED_SIZE]; /* a partition of the attackers' */
extern uint8_t readable[READABLE_SIZE]; /* one that they may read */

/* All of it, anew: objects, rights, threads that wait to be started. */
void world_begin(void);
/* Attacker `i` with the rights that it begins with, if it has ended. */
void world_restart(unsigned int i);
/* What the judge may do to a thread or an object while others are in a call with it. */
void world_disturb(unsigned int what, unsigned int which, unsigned int who);
/* Counted up where an attacker's partitions or rights change. */
extern unsigned int world_changes;
/* No thread can have a right to that. */
bool world_is_out_of_reach(const void *object, enum kind kind);
/* Attacker `who` has lost its right to it, and nobody can have given it another one. */
bool world_is_revoked(unsigned int who, const void *object);
/* A thread is about to pass its right on. */
void world_passed_on(const void *object);
/* enum k_objects */
unsigned int world_kind_number(enum kind kind);
/* Bytes that a call moves: a message's, a word's. */
size_t world_buffer_size(const void *object, char kind);

/* ---- oracle.c ---- */

/* What may never change is as it was, or the run is over. Kernel mode. */
void world_check(void);

/* ---- attacker.c: user mode ---- */

void attacker_main(void *number, void *p2, void *p3);

/* A call whose arguments fit, by its name; what it returns is remembered if it may be an object. User mode. */
uintptr_t call_named(const char *name, const uintptr_t arguments[6]);

/* How many calls were made in all runs, and what became of them. */
void attempts_print(void);

/* ---- arguments.c: user mode, too ---- */

/* The next argument, of that kind or of another. */
uintptr_t argument_next(enum kind kind);
/* A result that may be an object. */
void argument_remember(uintptr_t result);
/* The last one that was. */
uintptr_t argument_last(void);

/* ---- refill.c: user mode ---- */

/* What is freed, and filled by attackers when it is allocated again. */
void refill_step(void);

/* ---- messages.c: user mode ---- */

/* The next message, of anybody's memory. */
void message_make(struct k_ipc_message *message);
/* Would the protection unit let the thread read what it sends, and write where it receives? */
bool message_may_touch(const struct k_ipc_message *message, bool sends, bool receives);
/* `came` has taken the place of `sent`, and the call has returned 0. */
void message_judge(const struct k_ipc_message *sent, const struct k_ipc_message *came);

/* ---- judge.c: comes between, at any place ---- */

void judge_begin(void);
/* Now, from user mode. */
void judge_call(void);
/* After so many places where an interrupt can come. */
void judge_plan(unsigned int places);

/* ---- main.c ---- */

/* Something got in: says so, and ends the process as a crash. */
void hole(const char *what) __attribute__((noreturn));
/* Printed where "trace" was asked for. */
void trace_call(unsigned int number, unsigned int who, const uintptr_t arguments[6]);
void trace_result(unsigned int who, uintptr_t result);
void trace(const char *what, unsigned int first, unsigned int second);

/* ---- state.c: the kernel as it was ---- */

/* Remember all of the program's variables. */
void state_keep(void);
/* And the stack of a thread that waits at that time, and may run later. */
void state_keep_stack(const struct k_thread *thread);
/* Set them back. */
void state_restore(void);
/* A variable that is not set back. */
#define KEPT __attribute__((section(".kept")))

/* The machine's entry for calls, with any number: call.S. User mode. */
uintptr_t raw_call(unsigned int number, const uintptr_t arguments[6]);

#endif /* TESTS_USER_FUZZ_FUZZ_H */
