/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fake machine's processor, as the public headers and the kernel's fast paths see
 * it. Masking is a flag. An interrupt arrives where a real one could be noticed for
 * the first time: before a masked section begins and after it has ended. Between those
 * places nothing in the kernel can tell when it came, so a test that raises interrupts
 * at each of them (host_cpu.before_lock) has tried every interleaving there is.
 */
#ifndef FOLIOT_ARCH_INLINE_H
#define FOLIOT_ARCH_INLINE_H

#include <foliot/cpu.h>
#include <foliot/util.h>

/* The least stack of a thread, bytes. */
#define ARCH_STACK_MIN 1U /* stacks are rounded up to ARCH_STACK_ALIGN */

#define ARCH_NUM_IRQS 32

/*
 * A process needs more stack than a microcontroller: C library calls, sanitizers. The
 * macros that define stacks round their size up to this, and arch_stack_init() does the
 * same with the end it is given, so an application's own figures stay as they are.
 */
#define ARCH_STACK_ALIGN 32768

#define ARCH_NEAR /* all of memory is equally near */

#define ARCH_IRQ_KEY_OPEN   0U
#define ARCH_IRQ_KEY_MASKED 1U
#define ARCH_IRQ_KEY_BIT    (~0U) /* nothing else is in it */
#define ARCH_IRQ_KEY_ISR    0U /* a handler that opens interrupts can be interrupted */

struct host_cpu {
	bool masked;
	bool switch_due;           /* arch_request_switch() */
	unsigned int isr_depth;    /* above 1: a handler was interrupted by another */
	uint32_t pending;          /* bit n: line n was raised and not yet taken */
	uint32_t enabled;
	void (*before_lock)(void); /* a test's hook: called where interrupts are open */
};

extern struct host_cpu host_cpu;

/* Take the interrupts that wait and are enabled, and the switch if one is due. */
void host_deliver(void);
/* The same, where user mode is interrupted. */
void host_deliver_in_user_mode(void);
void host_idle(void);
uint32_t host_cycles(void);
void *arch_stack_init(char *end, void (*entry)(void *, void *, void *), void *p1, void *p2,
		      void *p3);

static inline unsigned int arch_irq_lock(void)
{
	unsigned int key = host_cpu.masked;

	if (key == 0 && unlikely(host_cpu.before_lock != NULL)) {
		host_cpu.before_lock();
	}
	host_cpu.masked = true;
	return key;
}

static inline void arch_irq_unlock(unsigned int key)
{
	host_cpu.masked = key != 0;
	if (key == 0 && (host_cpu.switch_due || (host_cpu.pending & host_cpu.enabled) != 0)) {
		host_deliver();
	}
}

static inline void arch_isr_window(void)
{
	arch_irq_unlock(ARCH_IRQ_KEY_ISR);
	(void)arch_irq_lock();
}

static inline bool arch_in_isr(void)
{
	return host_cpu.isr_depth != 0;
}

static inline bool arch_may_switch(unsigned int key)
{
	return key == 0 && !arch_in_isr();
}

/* No vectors: connected like all others (kernel/core/interrupt_connect.c), without an argument. */
#define ARCH_DIRECT_ISR
#define ARCH_DIRECT_CONNECT(irq, isr) IRQ_CONNECT(irq, 0, isr, NULL, 0)

static inline void arch_request_switch(void)
{
	host_cpu.switch_due = true;
}

static inline uint32_t arch_cycles(void)
{
	return host_cycles();
}

/* Nothing is left to do until the next alarm: time passes. */
static inline void arch_cpu_idle(void)
{
	host_idle();
}

/* Registers in the report of a fault: fault_words.c. */
#define ARCH_FAULT_REGISTERS 17U

#endif /* FOLIOT_ARCH_INLINE_H */
