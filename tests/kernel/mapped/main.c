/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a port with page tables maps may be used for that, and for nothing else: in each thread
 * one access that has to fault. test_kernel_mapped.py knows what is to be printed.
 */
#include <board.h>
#include <foliot/kernel.h>

#define STACK_SIZE 2048

static struct k_thread thread;
K_THREAD_STACK_DEFINE(thread_stack, STACK_SIZE);

static const uint32_t constant[] = {0};
static uint32_t variable[4];

void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame)
{
}

/* The compiler does not know what the address is of. */
__attribute__((noipa)) static void write_to(volatile uint32_t *address)
{
	*address = 1;
}

__attribute__((noipa)) static void call(uintptr_t address)
{
	((void (*)(void))address)(); /* NOLINT(clang-analyzer-core.CallAndMessage): meant to */
}

static void write_code(void)
{
	write_to((volatile uint32_t *)(uintptr_t)write_to);
}

static void write_constant(void)
{
	write_to((volatile uint32_t *)(uintptr_t)constant);
}

static void execute_variable(void)
{
	call((uintptr_t)variable);
}

static void execute_constant(void)
{
	call((uintptr_t)constant);
}

static void execute_stack(void)
{
	uint32_t local[4] = {0};

	call((uintptr_t)local);
}

static void execute_device(void)
{
#ifdef BOARD_LAPIC_BASE
	call(BOARD_LAPIC_BASE);
#else
	call(BOARD_UART_BASE);
#endif
}

static void execute_nothing(void)
{
	call(0);
}

static void read_behind_memory(void)
{
	(void)*(volatile uint32_t *)((uintptr_t)BOARD_RAM_BASE + BOARD_RAM_SIZE);
}

static void run(void *function, void *p2, void *p3)
{
	((void (*)(void))function)();
	printk("still alive\n");
}

int main(void)
{
	static void (*const accesses[])(void) = {
		write_code,    write_constant, execute_variable, execute_constant,
		execute_stack, execute_device, execute_nothing,  read_behind_memory,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(accesses); i++) {
		(void)k_thread_create(&thread, thread_stack, STACK_SIZE, run, (void *)accesses[i],
				      NULL, NULL, K_PRIO_PREEMPT(1), 0, K_NO_WAIT);
		(void)k_thread_join(&thread, K_FOREVER);
	}
	printk("constant %u\n", *(const volatile uint32_t *)constant);
	k_exit(0);
}
