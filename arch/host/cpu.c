/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fake machine's processor: threads on stacks of their own in one Linux thread,
 * interrupts as function calls on the interrupted thread's stack. There is no time but
 * the machine's own and nothing happens by itself, so a run is a function of its input.
 * Rejected: real signals and POSIX threads, as Zephyr's and FreeRTOS's POSIX ports have
 * them: no run is ever like the one before, and a failure cannot be replayed.
 */
#include <foliot/errno.h>
#include <foliot/user.h>
#include "kernel/base/kernel.h"
#include "kernel/base/user_stack.h"
#include "kernel/hooks/user.h"
#include "arch/arch.h"
#include "fiber.h"
#include "host.h"
#include "signals.h"

struct host_cpu host_cpu = {.masked = true};

void host_swap(void **save, void *load);
void host_thread_begin(void);
/* switch.S calls it. */
void host_thread_main(k_thread_entry_t entry, void *p1, void *p2, void *p3)
	__attribute__((noreturn));

/* The stack as the macros defined it, whatever part of it the creator named. */
static size_t machine_stack_size(const struct k_thread *thread)
{
	return ROUND_UP(thread->stack_size, ARCH_STACK_ALIGN);
}

/* What lies in front of it, for a user thread's calls: to the sanitizer they are one stack. */
static size_t calls_stack_size(const struct k_thread *thread)
{
	return user_stack_reserved(thread->stack_start);
}

/*
 * Where the stack ends whose end the kernel says to be `end`. Of one that system calls run on it
 * keeps the last bytes for itself; no other ends just there, and if one did they were lost to it.
 */
static char *machine_stack_end(char *end)
{
	char *top = (char *)ROUND_UP(end, ARCH_STACK_ALIGN);

	return IS_ENABLED(CONFIG_USERSPACE) && top - end == sizeof(struct user_entry) ? end : top;
}

/* What host_swap() pops, in its order. */
struct frame {
	uint32_t mxcsr;
	uint32_t fpu_control;
	void *r15, *r14, *r13, *r12, *rbx, *rbp;
	void (*return_to)(void);
	void *end_of_stack[2]; /* keeps the ABI's alignment */
};

void *arch_stack_init(char *end, k_thread_entry_t entry, void *p1, void *p2, void *p3)
{
	char *top = machine_stack_end(end);
	char *last_part = (char *)ROUND_UP(end, ARCH_STACK_ALIGN) - ARCH_STACK_ALIGN;
	struct frame *frame = (struct frame *)top - 1;

	fiber_clean(last_part, ARCH_STACK_ALIGN);
	*frame = (struct frame){
		.mxcsr = 0x1f80, /* the state that a process starts with */
		.fpu_control = 0x37f,
		.rbx = (void *)entry,
		.r12 = p1,
		.r13 = p2,
		.r14 = p3,
		.return_to = host_thread_begin,
	};
	return frame;
}

/* From the context that `save` will point to, to `to`. Masked; returns when switched back. */
static void swap(void **save, bool for_good, struct k_thread *to)
{
	void *own = NULL;

	fiber_leave(&own, for_good, to->stack_start - calls_stack_size(to),
		    machine_stack_size(to) + calls_stack_size(to));
	host_swap(save, to->sp);
	fiber_arrive(own);
	signal_thread_in();
}

static void swap_threads(struct k_thread *from, struct k_thread *to)
{
	swap(&from->sp, (from->state & K_THREAD_DEAD) != 0, to);
}

intptr_t arch_switch(struct k_thread *from, struct k_thread *to, unsigned int key)
{
	intptr_t value;

	swap_threads(from, to);
	value = from->wake_value;
	arch_irq_unlock(key);
	return value;
}

void host_thread_main(k_thread_entry_t entry, void *p1, void *p2, void *p3)
{
	struct k_thread *self = k_cpu.current;

	fiber_arrive(NULL);
	signal_thread_in();
	fiber_clean(self->stack_start, machine_stack_size(self) - ARCH_STACK_ALIGN);
	arch_irq_unlock(0);
	entry(p1, p2, p3);
	thread_exit();
}

void arch_start(struct k_thread *first)
{
	void *boot;

	host_cpu.switch_due = false;
	swap(&boot, true, first);
	__builtin_unreachable();
}

static void run_isr(irq_handler_t handler, const void *arg)
{
	bool masked = host_cpu.masked;

	host_cpu.masked = true;
	host_cpu.isr_depth++;
	signal_isr_enter();
	handler(arg);
	host_cpu.isr_depth--;
	if (host_cpu.isr_depth == 0) {
		signal_thread_in();
	}
	host_cpu.masked = masked;
}

/* Lower numbers first; a line is taken down as it is taken. */
static void take_pending(void)
{
	uint32_t ready;

	/* Bound: what raises lines; a handler that raises its own for ever never ends. */
	while ((ready = host_cpu.pending & host_cpu.enabled) != 0) {
		unsigned int line = (unsigned int)__builtin_ctz(ready);

		host_cpu.pending &= ~(uint32_t)BIT(line);
		run_isr(irq_table[line].handler, irq_table[line].arg);
	}
}

void host_deliver(void)
{
	take_pending();
	/* Bound: the interrupts that arrive while others of the machine's threads run. */
	while (host_cpu.switch_due && !host_cpu.masked && !arch_in_isr()) {
		struct k_thread *from = k_cpu.current;
		struct k_thread *to;

		host_cpu.switch_due = false;
		host_cpu.masked = true;
		to = sched_preempt();
		if (to != from) {
			swap_threads(from, to);
		}
		host_cpu.masked = false;
		take_pending();
	}
}

void host_irq_raise(unsigned int line)
{
	host_cpu.pending |= (uint32_t)BIT(line);
	if (host_cpu.masked) {
		return;
	}
	if (k_is_user_context()) {
		host_deliver_in_user_mode();
	} else {
		host_deliver();
	}
}

/* Lines have no priority on this machine, so `value` is not looked at. */
int arch_irq_control(enum arch_irq_op op, unsigned int irq, unsigned int value)
{
	if (irq >= ARCH_NUM_IRQS) {
		return -EINVAL;
	}
	switch (op) {
	case ARCH_IRQ_ENABLE:
		host_cpu.enabled |= (uint32_t)BIT(irq);
		if (!host_cpu.masked) {
			host_deliver();
		}
		return 0;
	case ARCH_IRQ_DISABLE:
		host_cpu.enabled &= ~(uint32_t)BIT(irq);
		return 0;
	case ARCH_IRQ_IS_ENABLED:
		return (host_cpu.enabled >> irq) & 1;
	case ARCH_IRQ_PRIORITY:
		return 0;
	}
	return -EINVAL;
}
