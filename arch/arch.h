/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a port provides: the list, with contexts and bounds, is arch/README.md; these are the
 * prototypes. What is marked inline there lives in the port's arch_inline.h or arch_user.h, because
 * public headers or fast paths use it.
 */
#ifndef FOLIOT_ARCH_H
#define FOLIOT_ARCH_H

#include <foliot/irq.h>
#include <foliot/thread.h>

/*
 * Save the caller's context in `from`, continue `to`. Called with interrupts masked;
 * `key` is what irq_lock() returned in `from`. When `from` is switched to again,
 * restores key and returns from->wake_value. A blocking kernel function ends in a
 * tail call of this, so nothing is left to do after a wake-up.
 */
intptr_t arch_switch(struct k_thread *from, struct k_thread *to, unsigned int key);

/* Continue with `first`, dropping the boot stack; interrupts open when it runs. */
void arch_start(struct k_thread *first) __attribute__((noreturn));

enum arch_irq_op {
	ARCH_IRQ_ENABLE,
	ARCH_IRQ_DISABLE,
	ARCH_IRQ_IS_ENABLED,
	ARCH_IRQ_PRIORITY, /* to `value` */
};

/* Returns the answer (ARCH_IRQ_IS_ENABLED) or 0; -EINVAL for a line that is not there. */
int arch_irq_control(enum arch_irq_op op, unsigned int irq, unsigned int value);

/*
 * Copy like memcpy(), fast where both sides are aligned alike, where one side may not be
 * there: `untrusted` says which (ARCH_COPY_FROM, ARCH_COPY_TO, or both). A fault of that side
 * ends the copy and no more: what was copied until then stays. A fault of the other side
 * is the caller's own, like any. Either context, interrupts masked or not; no longer than
 * its bytes take, in which interrupts stay as they are.
 */
#define ARCH_COPY_FROM 1U /* the loads' side */
#define ARCH_COPY_TO   2U /* the stores' side */

enum arch_copy_fault {
	ARCH_COPY_DONE,    /* 0 */
	ARCH_COPY_FAULTED, /* the untrusted side could not be read, or written */
};

enum arch_copy_fault arch_copy_guarded(void *to, const void *from, size_t bytes,
				       unsigned int untrusted);

/* Where a fault was, as far as it matters to what becomes of it. */
enum fatal_where {
	FATAL_IN_THREAD,
	/* Of user mode, in a trap's handler: the thread itself reports it, with interrupts open. */
	FATAL_IN_USER_MODE,
	FATAL_IN_ISR,
	/*
	 * In a thread, at a bad time: inside the kernel or with interrupts masked, so that a
	 * list may be half changed. Ending the thread and going on would be worse.
	 */
	FATAL_FOR_ALL,
};

/*
 * ---- stack checks: needed with CONFIG_STACK_CHECKS only ----
 *
 * Report a fault that software has found, as the running thread's or ISR's: `cause` in
 * words, `pc` in the code; FATAL_IN_THREAD of a handler's is taken for FATAL_IN_ISR. A trap, where
 * reporting needs a stack that is not the thread's.
 */
void arch_fault_raise(unsigned int reason, const char *cause, uintptr_t pc, enum fatal_where where)
	__attribute__((noreturn));

/*
 * arch_checks.h: ARCH_SWITCH_FRAME_SIZE, what arch_switch() needs of the stack it leaves;
 * arch_preempted_sp(), the stack pointer of the thread that sched_preempt() interrupts,
 * given that function's own; arch_preempted_fault(), arch_fault_raise() as that thread's.
 *
 * arch_guard.h, where ARCH_HAS_STACK_GUARD: arch_guard_init(), once, before arch_start(). From that
 * on arch_switch() and the end of an interrupt that switches make the CONFIG_STACK_GUARD_SIZE bytes
 * in front of stack_guard_end of who runs unwritable, and nothing else that was so before, and look
 * for ARCH_SWITCH_FRAME_SIZE above it in whom they leave.
 *
 * ARCH_GUARD_IS_HIDDEN there: the kernel cannot read them either.
 *
 * arch_guard_page(), where ARCH_HAS_GUARD_PAGES: from now on the kernel only reads that page, in
 * any domain, and user mode has no access. For each new thread, so often for a page that is none
 * any more. Thread context, interrupts masked or not.
 */
#ifdef CONFIG_STACK_GUARD_PAGES
void arch_guard_page(uintptr_t page);
#endif

/*
 * ---- user mode: needed with CONFIG_USERSPACE only; the rest is in the port's arch_user.h ----
 */
struct k_mem_domain;
struct user_entry;

/* The domain's partitions have changed. Returns 0, or -ENOSPC. Interrupts masked. */
/*@ requires \valid(domain) && domain_is_sound(domain);
  @ assigns domain->arch;
  @ ensures \result == 0 || \result == -ENOSPC;
  @*/
int arch_domain_update(struct k_mem_domain *domain);
/* Does every thread's user mode read that range, since it holds code or constants? */
bool arch_user_constant(uintptr_t start, size_t bytes);
/*
 * Where a port enters system calls by fast_table first (kernel/syscall/fast.h, masked): go
 * on with the call under way, interrupts open, by its verifier or past it. Tail calls of those
 * functions, with their arguments.
 */
intptr_t arch_user_call_verified(void);
intptr_t arch_user_call_checked(void);
/*
 * With CONFIG_ARCH_USER_STORES the end of a fast path: the word in front of `end` is stored at
 * `to`, which is RAM, with user mode's rights, `end` less that word at `kept`, and the result is 0.
 * Where user mode has no such right, nothing is done, and the call goes on verified.
 */
intptr_t arch_user_call_pop(uintptr_t *end, uintptr_t *to, uintptr_t **kept);
/*
 * The same by a function of up to four words, which is passed as the fifth: masked still, and it
 * opens interrupts, and may switch; or it does neither. With CONFIG_ARCH_USER_CALLS_MASKED.
 */
void arch_user_call_masked(void);
void arch_user_call_masked_throughout(void);
/*
 * Or all is done, by a function that changed what functions may change: its result is the call's.
 */
intptr_t arch_user_call_cleared(intptr_t result);
/*
 * From a thread to another, both settled, and to user mode when the first runs again, with its
 * wake_value as the result; or first by store_word_waited_for() with that result and a word, masked
 * still, which returns the call's. Called with k_cpu.current set to the second, as arch_switch()
 * is.
 */
intptr_t arch_user_call_switch(struct k_thread *from, struct k_thread *to);
intptr_t arch_user_call_switch_and_store(struct k_thread *from, struct k_thread *to, void *word);
/* To user mode, with nothing in the registers but what it begins with. */
void arch_user_enter(const struct user_entry *entry, char *stack_end, char *kernel_stack_end)
	__attribute__((noreturn));
/* Continue at begin(place) on the stack that ends at `place`. */
void arch_user_continue(struct user_entry *place, void (*begin)(void *, void *, void *))
	__attribute__((noreturn));

/* ---- what a port calls in the kernel ---- */

/*
 * At the end of an interrupt that requested a switch, on the interrupted thread's
 * behalf, interrupts masked: decides, and makes k_cpu.current the thread to continue.
 * Returns it; it is the interrupted one when a switch is not due any more.
 */
struct k_thread *sched_preempt(void);

/*
 * For a fault handler, in handler context: arch_switch() could not save `from`, and
 * k_cpu.current names the thread it was to continue. Takes the switch back: `from` is the
 * running thread, to be handled as any that faulted. Returns false if that had ended
 * anyway, so that there is nothing to report; the switch away from it is requested.
 */
__cold bool sched_switch_failed(struct k_thread *from);

/* All memory domains, the first of them; then by `next`. Interrupts masked. CONFIG_USERSPACE. */
struct k_mem_domain *domain_first(void);

/* Where a thread's entry function returns to. */
void thread_exit(void) __attribute__((noreturn));

/* The boot code calls this with memory initialised, interrupts masked, on the ISR stack. */
__cold void kernel_start(void) __attribute__((noreturn));

/*
 * Handlers by line; ARCH_NUM_IRQS entries, kernel/core/interrupt_connect.c. Where a port wants it
 * in a place of its own, its arch_inline.h defines ARCH_IRQ_TABLE as an attribute.
 */
#ifndef ARCH_IRQ_TABLE
#define ARCH_IRQ_TABLE
#endif

/*
 * Around what kernel mode reads of user mode's memory otherwise than by a guarded copy, where a
 * port needs that.
 */
#ifndef ARCH_USER_OPEN
#define ARCH_USER_OPEN()  ((void)0)
#define ARCH_USER_CLOSE() ((void)0)
#endif

/*
 * Attributes of a kernel's function that user mode calls without a trap, and of its constants: for
 * a port that keeps the others from it.
 */
#ifndef ARCH_EITHER_MODE
#define ARCH_EITHER_MODE
#define ARCH_EITHER_MODE_CONSTANT
#endif
extern struct irq_entry irq_table[];

/* A fault, as a port finds it. */
struct fault {
	unsigned int reason;
	const char *cause;
	uintptr_t pc;
	enum fatal_where where; /* as far as it is a thread's */
};

/*
 * Report a fault, and ask the application's handler. Ends the run where nothing else is
 * left; returns where the running thread must end, with interrupts as they were: then the
 * port calls k_thread_abort(k_cpu.current), from whatever context it leaves it by. The
 * handler may have done that already. `registers`: ARCH_FAULT_REGISTERS of them, as
 * arch_fault_names[] names them, or NULL.
 */
__cold void fatal_report(const struct fault *fault, const uintptr_t *registers);

/*
 * What is kept of FATAL_IN_USER_MODE, at the end of the thread's stack of system calls, which is
 * empty then. The port's handler has fatal_keep() put it there, and returns into fatal_of_user() in
 * place of user mode: in kernel mode, with interrupts open, below it on that stack.
 */
struct fatal_kept {
	struct fault fault;
	uintptr_t registers[ARCH_FAULT_REGISTERS];
} __aligned(16);

__cold struct fatal_kept *fatal_keep(const struct fault *fault, const uintptr_t *registers);
__cold void fatal_of_user(const struct fatal_kept *kept) __attribute__((noreturn));

/* The caller's own fault, found by the kernel: its thread or, in an ISR, the run ends. */
__cold void fatal_raise(unsigned int reason, const char *cause) __attribute__((noreturn));
/* The same, of what is at `pc`. */
__cold void fatal_raise_at(unsigned int reason, const char *cause, uintptr_t pc)
	__attribute__((noreturn));

/*
 * The first thing in a port's fault handler, guarded copies apart: if the fault lies in the
 * report of another one, which the application's fatal error handler is a part of, a line
 * says so and the run ends; if that line faults as well, it ends without.
 */
__cold void fatal_check_again(uintptr_t pc);

#endif /* FOLIOT_ARCH_H */
