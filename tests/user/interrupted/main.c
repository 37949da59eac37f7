/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A switch at every instruction of a system call: of its way in, of the verifier, and of its way out.
 * An alarm wakes a more urgent thread, of kernel mode and of user mode in turn, one step later in each
 * call. The caller looks whether its registers and its stack are as they were, whether the
 * result is right, and whether anything of the others' lies where it can read it.
 *
 * The timer line is this program's, so time stands still for the kernel.
 */
#include <board.h>
#include "interrupted.h"
#include "drivers/timer.h"

#ifdef BOARD_ALARM_IRQ
#define LINE BOARD_ALARM_IRQ
#else
#define LINE BOARD_TIMER_IRQ
#endif

/* Cycles of the timer in an instruction, or in a cycle of the core's. */
#ifdef BOARD_CYCLES_NUM
#define UNIT (BOARD_CYCLES_NUM / BOARD_CYCLES_DEN)
#else
#define UNIT 1
#endif

#define AHEAD  (80 * UNIT) /* from setting it to the first alarm: before the call begins */
#define STEP   ((UNIT + 1) / 2)
#define STEPS  900
#define SECRET 0x5ec2e700U
#define RESULT 77U
#define BELOW  64 /* words under the stack pointer that are looked at */

K_APPMEM_PARTITION_DEFINE(shared);
K_APP_BMEM(shared) static volatile uint32_t wrong, calls, woken_in_user;
K_APP_DMEM(shared) static volatile uint32_t not_secret = ~SECRET;
static uint32_t woken_in_kernel, alarms, step;

K_SEM_DEFINE(arm, 0, 1);
K_SEM_DEFINE(wake, 0, 1);
static K_SEM_DEFINE(counted, RESULT, 100);
static struct k_thread arming, waking[2], caller;
K_THREAD_STACK_DEFINE(arming_stack, STACK);
K_THREAD_STACK_ARRAY_DEFINE(waking_stacks, 2, STACK);
K_THREAD_STACK_DEFINE(caller_stack, STACK);

static void alarm_isr(const void *arg)
{
	timer_alarm(timer_cycles() + (1U << 30));
#ifdef BOARD_ALARM_BASE
	*(volatile uint32_t *)(BOARD_ALARM_BASE +
			       0x0c) = 1; /* lowers the line: drivers/timer/cmsdk.c */
#endif
	alarms++;
	k_sem_give(&wake);
}

/* More urgent than all others: the alarm stands before the caller goes on. */
static void arms(void *p1, void *p2, void *p3)
{
	for (step = 0; k_sem_take(&arm, K_FOREVER) == 0; step++) {
		unsigned int key = irq_lock();

		timer_alarm(timer_cycles() + AHEAD + step * STEP);
		irq_unlock(key);
	}
}

/* In as many registers as there are, for what a switch saves and what a call leaves. */
#define FILL(value)                                                                            \
	do {                                                                                   \
		uint32_t a_ = (value), b_ = a_ + 1, c_ = a_ + 2, d_ = a_ + 3, e_ = a_ + 4,     \
			 f_ = a_ + 5, g_ = a_ + 6, h_ = a_ + 7;                                \
		__asm__ volatile(""                                                            \
				 : "+r"(a_), "+r"(b_), "+r"(c_), "+r"(d_), "+r"(e_), "+r"(f_), \
				   "+r"(g_), "+r"(h_));                                        \
	} while (0)

static void wakes(void *counter, void *p2, void *p3)
{
	while (k_sem_take(&wake, K_FOREVER) == 0) {
		FILL(SECRET);
		(*(volatile uint32_t *)counter)++;
	}
}

/* The window: a call whose result is known, with values in all registers that it has to keep. */
__attribute__((noinline)) static void call(uint32_t seed)
{
	uint32_t a = seed, b = seed + 1, c = seed + 2, d = seed + 3, e = seed + 4, f = seed + 5;
	volatile uint32_t on_stack[4] = {seed, seed + 1, seed + 2, seed + 3};
	unsigned int result;

	__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
	result = k_sem_count_get(&counted);
	__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
	if (result != RESULT || a != seed || b != seed + 1 || c != seed + 2 || d != seed + 3 ||
	    e != seed + 4 || f != seed + 5 || on_stack[0] != seed || on_stack[3] != seed + 3) {
		wrong++;
	}
}

__attribute__((noinline)) static void look(void)
{
	volatile uint32_t here;
	const volatile uint32_t *word = &here;

	__asm__ volatile("" : "+r"(word)); /* the compiler knows that nothing lies there */
	for (int i = 1; i < BELOW; i++) {
		/* With the other in a register it would find its own. */
		if ((word[-i] ^ not_secret) > ~0x100U) {
			wrong += 1000;
		}
	}
}

static void makes_calls(void *p1, void *p2, void *p3)
{
	for (uint32_t i = 0; i < STEPS; i++) {
		k_sem_give(&arm);
		for (int n = 0; n < 40; n++) {
			call(0xa5000000U + i * 256);
			look();
		}
		if (!k_is_user_context()) {
			wrong += 1000000;
		}
		calls++;
	}
}

static void make(struct k_thread *thread, k_thread_stack_t *stack, k_thread_entry_t entry,
		 volatile uint32_t *counter, int prio, uint32_t options)
{
	(void)k_thread_create(thread, stack, STACK, entry, (void *)(uintptr_t)counter, NULL, NULL,
			      prio, options, K_FOREVER);
	k_thread_access_grant(thread, &arm, &wake, &counted);
	k_thread_start(thread);
}

int main(void)
{
	(void)k_mem_domain_add_partition(&k_mem_domain_default, &shared);
	k_thread_priority_set(k_current_get(), 10);
	(void)irq_connect_dynamic(LINE, 0, alarm_isr, NULL, 0);
	make(&arming, arming_stack, arms, NULL, 2, 0);
	make(&waking[0], waking_stacks[0], wakes, &woken_in_kernel, 4, 0);
	make(&waking[1], waking_stacks[1], wakes, &woken_in_user, 4, K_USER);
	make(&caller, caller_stack, makes_calls, NULL, 6, K_USER);
	(void)k_thread_join(&caller, K_FOREVER);
	k_thread_abort(&waking[0]);
	k_thread_abort(&waking[1]);
	step = 0;
	printk("%u calls with an object that became another one meanwhile; %u were let in\n", SWAPS,
	       swapped_run());
	printk("%u calls, %u alarms, %u woke the kernel's thread, %u the user's; %u wrong\n",
	       (unsigned int)calls, (unsigned int)alarms, (unsigned int)woken_in_kernel,
	       (unsigned int)woken_in_user, (unsigned int)wrong);
	k_exit(wrong == 0 && calls == STEPS ? 0 : 1);
}
