/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Interrupts: masking, connecting, enabling, and running a function as an ISR.
 *
 * Numbers are the board's (see its board.h). Priorities: on Cortex-M 0 is the most
 * urgent that may call the kernel, and a line may interrupt the handler of a less urgent one.
 * Of an NVIC's 2^BOARD_NVIC_PRIO_BITS priorities lines have all but three; beyond the last
 * they are alike. The kernel's own alarm is less urgent than every line: what expires
 * (timers' functions included) runs below drivers. On RISC-V machine mode lines have none
 * and the argument is ignored.
 */
#ifndef FOLIOT_IRQ_H
#define FOLIOT_IRQ_H

#include <foliot/util.h>
#include <arch_inline.h>

/** Internal: the priority of the alarm, for timer drivers: below every other line. */
#define IRQ_PRIO_ALARM (~0U)

/** An interrupt handler, with what it was connected with. Context: ISR. */
typedef void (*irq_handler_t)(const void *arg);

/** Internal: a line's handler and its argument. */
struct irq_entry {
	irq_handler_t handler;
	const void *arg;
};

/** Internal: what IRQ_CONNECT() leaves for start-up. */
struct irq_static_entry {
	unsigned int irq;
	struct irq_entry entry;
};

/**
 * Mask interrupts. Nests. A thread that blocks while it holds a key runs again with
 * interrupts masked, and others run unmasked meanwhile.
 * Returns the key that irq_unlock() takes.
 * Context: either.
 */
static inline unsigned int irq_lock(void)
{
	return arch_irq_lock() & ARCH_IRQ_KEY_BIT;
}

/** Restore the state that irq_lock() returned. Context: either. */
static inline void irq_unlock(unsigned int key)
{
	arch_irq_unlock(key);
}

/** Returns true inside an interrupt handler. Context: either. */
static inline bool k_is_in_isr(void)
{
	return arch_in_isr();
}

/**
 * Connect a handler at build time, and set the line's priority when the statement runs.
 * Line, handler and argument are constants; `flags` are ignored. The line still has to be
 * enabled.
 * Context: thread.
 */
#define IRQ_CONNECT(irq_num, priority, isr, isr_arg, flags)                               \
	do {                                                                              \
		static const STRUCT_SECTION_ITERABLE(irq_static_entry, irq_static_entry,  \
						     CONCAT(irq_entry_, __COUNTER__)) = { \
			.irq = (irq_num),                                                 \
			.entry = {(irq_handler_t)(isr), (const void *)(isr_arg)},         \
		};                                                                        \
		ARG_UNUSED(flags);                                                        \
		irq_priority_set((irq_num), (priority));                                  \
	} while (0)

/**
 * Define a direct handler: `ISR_DIRECT_DECLARE(name) { ...; return 0; }`. It is entered from
 * the vector without the kernel, runs on the stack it interrupted, and must not call the
 * kernel: on RISC-V k_is_in_isr() does not know of it, and a fault in it is the interrupted
 * thread's. So it is for a few register accesses that must come soon; leave some stack
 * for it in each thread. What it returns is ignored: in Zephyr it asks for a reschedule.
 */
#define ISR_DIRECT_DECLARE(name)             \
	static inline int name##_body(void); \
	ARCH_DIRECT_ISR void name(void);     \
	ARCH_DIRECT_ISR void name(void)      \
	{                                    \
		(void)name##_body();         \
	}                                    \
	static inline int name##_body(void)

/** In a direct handler, where Zephyr leaves idle power states: nothing to do. */
#define ISR_DIRECT_PM() ((void)0)

/**
 * Connect a direct handler of the same file (ISR_DIRECT_DECLARE()) at build time, and set
 * the line's priority when the statement runs. `irq_num` is a constant, and no other
 * handler of that line is called then. The line still has to be enabled.
 * Context: thread.
 */
#define IRQ_DIRECT_CONNECT(irq_num, priority, isr, flags) \
	do {                                              \
		ARCH_DIRECT_CONNECT(irq_num, isr);        \
		ARG_UNUSED(flags);                        \
		irq_priority_set((irq_num), (priority));  \
	} while (0)

/**
 * Connect a handler at run time, and set the line's priority; `flags` are ignored. The
 * line still has to be enabled.
 * Returns `irq`, or -EINVAL for a line the board does not have.
 * Context: either.
 */
int irq_connect_dynamic(unsigned int irq, unsigned int priority, irq_handler_t handler,
			const void *arg, uint32_t flags);

/**
 * Take back what irq_connect_dynamic() or IRQ_CONNECT() connected: where the line has this handler
 * and this argument, it has none then, and an interrupt of it is a spurious one
 * (K_ERR_SPURIOUS_IRQ). Else no effect. Disable the line before. Priority and flags are ignored.
 * Returns 0, or -EINVAL for a line the board does not have.
 * Context: either.
 */
int irq_disconnect_dynamic(unsigned int irq, unsigned int priority, irq_handler_t handler,
			   const void *arg, uint32_t flags);

/** Let the line interrupt. No effect on a line the board does not have. Context: either. */
void irq_enable(unsigned int irq);
/** Keep the line from interrupting; what it raises meanwhile stays pending. Context: either. */
void irq_disable(unsigned int irq);
/** Returns 1 if the line is enabled, else 0. Context: either. */
int irq_is_enabled(unsigned int irq);
/** Set the line's priority, in the board's terms: see the head. Context: either. */
void irq_priority_set(unsigned int irq, unsigned int priority);

/**
 * Run routine(arg) in interrupt context, now. Opens interrupts for that time if they
 * were masked. A thread that routine wakes runs before this returns if it outranks the
 * caller. Not re-entrant: one thread at a time.
 * Context: thread (asserted: irq-offload-in-isr).
 */
void irq_offload(irq_handler_t routine, const void *arg);

#endif /* FOLIOT_IRQ_H */
