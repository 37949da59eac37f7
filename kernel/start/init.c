/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start-up: from the boot code to main(). The idle thread is queued first and stays
 * queued for ever, so the ready queue is never empty.
 */
#include "kernel/sched/sched.h"
#include "kernel/hooks/canary.h"
#include "kernel/hooks/user.h"
#include "kernel/hooks/object.h"
#include "kernel/hooks/thread_facts.h"
#include "kernel/time/tick.h"
#include "kernel/core/interrupt.h"
#include "kernel/core/sys_init.h"
#include "drivers/uart.h"
#include "lib/also_link.h"

#ifdef CONFIG_FAULT_REPORT_ALWAYS
ALSO_LINK(fatal_print_words); /* here: a file that refers to it weakly cannot ask for it */
#endif

int main(void);

BUILD_ASSERT(CONFIG_MAIN_THREAD_PRIORITY >= K_HIGHEST_THREAD_PRIO &&
		     CONFIG_MAIN_THREAD_PRIORITY <= K_LOWEST_APPLICATION_THREAD_PRIO,
	     "CONFIG_MAIN_THREAD_PRIORITY is not a priority that threads may have");

bool kernel_started;

static struct k_thread idle_thread;
static struct k_thread main_thread;
static K_KERNEL_STACK_DEFINE(idle_stack, CONFIG_IDLE_STACK_SIZE);
static K_THREAD_STACK_DEFINE(main_stack, CONFIG_MAIN_STACK_SIZE);

static void idle(void *p1, void *p2, void *p3)
{
	for (;;) {
		user_reap();
		usage_idle();
		arch_cpu_idle();
	}
}

/* Two passes: all static threads exist before the first of them runs. */
static __cold void start_static_threads(void)
{
	STRUCT_SECTION_FOREACH(k_thread_static, k_thread_static, t) {
		(void)k_thread_create(t->thread, t->stack, t->stack_size, t->entry, t->p1, t->p2,
				      t->p3, t->prio, t->options, K_FOREVER);
		thread_facts_set_name(t->thread, t->name);
	}
	k_sched_lock();
	STRUCT_SECTION_FOREACH(k_thread_static, k_thread_static, t) {
		if (t->delay.ticks != K_TICKS_FOREVER) {
			(void)thread_start_after(t->thread, t->delay);
		}
	}
	k_sched_unlock();
}

static __cold void run_main(void *p1, void *p2, void *p3)
{
	kernel_started = true;
	start_static_threads();
	(void)main();
}

/* sys_init.c, where an image has it, comes first and goes on to run_main(). */
void kernel_run_main(void *p1, void *p2, void *p3) __attribute__((alias("run_main"), cold));
void kernel_first(void *p1, void *p2, void *p3) __attribute__((weak, alias("run_main"), cold));

bool k_is_pre_kernel(void)
{
	return !kernel_started;
}

void kernel_start(void)
{
	canary_init();
	user_start();
	uart_init();
	irq_init();
	object_start();
	object_stats_start();
	/* A creator's resource pool is inherited: let the main thread be its own creator. */
	k_cpu.current = &main_thread;
	user_first(&main_thread);
	main_thread.resource_pool = heap_of_system();
	(void)k_thread_create(&idle_thread, idle_stack, sizeof(idle_stack), idle, NULL, NULL, NULL,
			      K_LOWEST_APPLICATION_THREAD_PRIO, K_ESSENTIAL, K_FOREVER);
	idle_thread.prio = K_IDLE_PRIO; /* which nobody else's may be */
	idle_thread.base_prio = K_IDLE_PRIO;
	idle_thread.threshold = K_IDLE_PRIO;
	trace_idle_created(&idle_thread);
	(void)k_thread_create(&main_thread, main_stack, K_THREAD_STACK_SIZEOF(main_stack),
			      kernel_first, NULL, NULL, NULL, CONFIG_MAIN_THREAD_PRIORITY, 0,
			      K_FOREVER);
	thread_facts_set_name(&idle_thread, "idle");
	thread_facts_set_name(&main_thread, "main");
	idle_thread.state = 0;
	k_cpu.best = &idle_thread;
	ready_add_first(&idle_thread);
	tick_init();
	usage_start(&idle_thread);
	stackguard_start_up();
	main_thread.state = 0;
	arch_start(&main_thread);
}
