/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults, one after another: threads that fault end, and only they, because this
 * application's handler returns; then the one that ends the run. What has to be printed
 * is checked by test_kernel_faults.py, which asks for each kind of run by two bytes that
 * it writes into a copy of the image: an image of its own for each would be a whole kernel.
 */
#include <board.h>
#include <foliot/kernel.h>
#include "arch/arch.h"
#include "drivers/soft_irq.h"
#include "../nowhere.h"

#define STACK_SIZE 2048

enum { IN_THREAD, IN_MASKED_THREAD, IN_HANDLER, IN_MASKED_HANDLER, NO_FIRST };
/* Where the first fault is. */
volatile const unsigned char first_fault = IN_THREAD;

enum {
	ASSERTION, /* of what blocks, in an ISR */
	IN_AN_ISR,
	SPURIOUS,
	QUOTES,       /* an assertion with quotes in its name */
	AGAIN,        /* in the fatal error handler */
	OOPS_AGAIN,   /* in it, too */
	ABORT,        /* by it: the thread that faulted; then as QUOTES */
	ABORT_IN_ISR, /* the same, then as IN_AN_ISR */
	DISCONNECTED, /* an interrupt of a line that was */
	ESSENTIAL,    /* the end of a thread that must not end */
	OF_A_QUEUE,   /* the same of a work queue's */
	NO_KNOWN,     /* a reason that nobody knows, of a thread, and then QUOTES */
};
/* What ends the run. */
volatile const unsigned char last_fault = ASSERTION;

static struct k_thread thread;
K_THREAD_STACK_DEFINE(thread_stack, STACK_SIZE);
static struct k_sem sem;
static int reports;

/* A name of its own in the report, and an address that the compiler does not know. */
__attribute__((noipa)) static unsigned int read_from(const volatile unsigned int *address)
{
	return *address; /* NOLINT(clang-analyzer-core.NullDereference): meant to */
}

__attribute__((noipa)) static void write_to(volatile unsigned int *address)
{
	*address = 1; /* NOLINT(clang-analyzer-core.NullDereference): meant to */
}

#ifndef CONFIG_DEFAULT_HANDLER
void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame)
{
	reports++;
	printk("handler %u\n", reason);
	if (last_fault == AGAIN) {
		write_to((volatile unsigned int *)NOWHERE);
	} else if (last_fault == OOPS_AGAIN) {
		k_oops();
	} else if (last_fault >= ABORT) {
		k_thread_abort(k_current_get());
	}
}
#endif

__attribute__((noipa)) static void execute_nonsense(void)
{
#if defined(__riscv)
	__asm__ volatile(".word 0xffffffff");
#elif defined(__arm__)
	__asm__ volatile("udf #0");
#elif defined(__aarch64__)
	__asm__ volatile(".inst 0");
#else
	__asm__ volatile("ud2");
#endif
}

static void fault_by_reading(void)
{
	printk("read %u\n", read_from((const volatile unsigned int *)NOWHERE));
}

static void fault_by_writing(void)
{
	write_to((volatile unsigned int *)NOWHERE);
}

/* The side that is not said to be foreign is the thread's own. */
static void fault_by_copying(void)
{
	unsigned int word = 0;
	void *nowhere = (void *)NOWHERE;

	__asm__("" : "+r"(nowhere));
	printk("copy to nowhere: %d\n",
	       arch_copy_guarded(nowhere, &word, sizeof(word), ARCH_COPY_TO));
	(void)arch_copy_guarded(nowhere, &word, sizeof(word), ARCH_COPY_FROM);
}

static void fault_while_masked(void)
{
	(void)irq_lock();
	fault_by_reading();
}

static void oops(void)
{
	k_oops();
}

static void run(void *function, void *p2, void *p3)
{
	void (*f)(void) = (void (*)(void))function;

	f();
	printk("still alive\n");
}

/* In a thread more urgent than main(): when this returns, it is dead. */
static void fault_in_thread(void (*function)(void))
{
	int before = reports;

	(void)k_thread_create(&thread, thread_stack, K_THREAD_STACK_SIZEOF(thread_stack), run,
			      (void *)function, NULL, NULL, -1, 0, K_NO_WAIT);
	printk("%s\n", reports == before + 1 && k_thread_join(&thread, K_NO_WAIT) == 0
			       ? "the thread has ended"
			       : "the thread has not ended");
	k_sem_give(&sem);
	(void)k_sem_take(&sem, K_FOREVER);
	k_sleep(K_TICKS(1));
}

static void isr(const void *arg)
{
	soft_irq_clear();
	((void (*)(void))(uintptr_t)arg)();
}

static void in_isr(void (*function)(void))
{
	(void)irq_connect_dynamic(BOARD_SOFT_IRQ, 0, isr, (const void *)function, 0);
	irq_enable(BOARD_SOFT_IRQ);
	soft_irq_raise();
	k_busy_wait(100);
}

static void take_in_isr(void)
{
	(void)k_sem_take(&sem, K_FOREVER);
}

static void wait_for_ever(void)
{
	(void)k_sem_take(&sem, K_FOREVER);
}

static void abort_essential(void)
{
	(void)k_thread_create(&thread, thread_stack, K_THREAD_STACK_SIZEOF(thread_stack), run,
			      (void *)wait_for_ever, NULL, NULL, -1, K_ESSENTIAL, K_NO_WAIT);
	k_thread_abort(&thread);
}

static void abort_queue(void)
{
	static struct k_work_q queue;
	const struct k_work_queue_config config = {.name = "essential", .essential = true};

	k_work_queue_init(&queue);
	k_work_queue_start(&queue, thread_stack, K_THREAD_STACK_SIZEOF(thread_stack), -1, &config);
	k_sleep(K_TICKS(1));
	k_thread_abort(k_work_queue_thread_get(&queue));
}

static void raise_unknown(void)
{
	k_fatal_raise(42);
}

static void end_the_run(void)
{
	switch (last_fault) {
	case ASSERTION:
		in_isr(take_in_isr); /* an assertion: blocking where that cannot be */
		break;
	case IN_AN_ISR:
	case ABORT_IN_ISR:
		in_isr(fault_by_reading);
		break;
	case DISCONNECTED: /* nobody is any more */
		(void)irq_connect_dynamic(BOARD_SOFT_IRQ, 0, isr, NULL, 0);
		(void)irq_disconnect_dynamic(BOARD_SOFT_IRQ, 0, isr, NULL, 0);
		__attribute__((fallthrough));
	case SPURIOUS:
		irq_enable(BOARD_SOFT_IRQ); /* nobody is connected */
		soft_irq_raise();
		k_busy_wait(100);
		break;
	case ESSENTIAL:
		abort_essential();
		break;
	case OF_A_QUEUE:
		abort_queue();
		break;
	case NO_KNOWN:
		(void)k_thread_create(&thread, thread_stack, K_THREAD_STACK_SIZEOF(thread_stack),
				      run, (void *)raise_unknown, NULL, NULL, -1, 0, K_NO_WAIT);
		__attribute__((fallthrough));
	default: {
		const char *text = "b";

		__ASSERT(text[0] == "a\\"[0], "a name with quotes in it");
		break;
	}
	}
}

int main(void)
{
	(void)k_sem_init(&sem, 0, 1);
#ifndef CONFIG_DEFAULT_HANDLER
	if (first_fault == IN_MASKED_THREAD) {
		fault_in_thread(fault_while_masked);
	} else if (first_fault == IN_HANDLER) {
		in_isr(fault_by_reading);
	} else if (first_fault == IN_MASKED_HANDLER) {
		in_isr(fault_while_masked);
	}
	if (first_fault == NO_FIRST) {
		end_the_run();
		k_exit(0);
	}
	fault_in_thread(fault_by_reading);
	fault_in_thread(execute_nonsense);
	fault_in_thread(fault_by_writing);
	fault_in_thread(fault_by_copying);
	fault_in_thread(fault_while_masked);
	fault_in_thread(oops);
	printk("last\n");
#else
	ARG_UNUSED(fault_in_thread);
	ARG_UNUSED(fault_by_writing);
	ARG_UNUSED(fault_by_copying);
	ARG_UNUSED(fault_while_masked);
	ARG_UNUSED(execute_nonsense);
	ARG_UNUSED(oops);
#endif
	end_the_run();
	printk("still alive\nPROJECT EXECUTION SUCCESSFUL\n");
	k_exit(0);
}
