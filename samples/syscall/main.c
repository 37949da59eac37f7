/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls of an application's own: a journal in kernel memory, to which user threads add
 * lines, and which they read, by calls that look like any other (journal.h). One of them passes
 * what is not its own, and is ended at that call.
 *
 *     ./foliot run samples/syscall --board qemu_riscv32
 *
 * Three things make a function a system call: its name in CMakeLists.txt, a file of its own, and a
 * verifier (journal.c).
 */
#include "journal.h"

#define STACK_SIZE 1024
#define PRIORITY   K_PRIO_PREEMPT(5)

static char secret[JOURNAL_SIZE] = "the kernel's own";

static struct k_thread honest, nosy;
K_THREAD_STACK_DEFINE(honest_stack, STACK_SIZE);
K_THREAD_STACK_DEFINE(nosy_stack, STACK_SIZE);

/* In user mode. */
static void writes(void *unused_1, void *unused_2, void *unused_3)
{
	struct journal_line line;
	char text[] = "line 0";

	for (int i = 0; i < 2; i++) {
		text[5] = (char)('1' + i);
		printk("add %s: %d\n", text, journal_add(text));
	}
	printk("add too long a line: %d\n", journal_add("a line that is longer than lines are"));
	printk("read line 1: %d\n", journal_read(1, &line));
	printk("it is '%s', and its author %s\n", line.text,
	       line.author == k_current_get() ? "this thread" : "another one");
	printk("read line 7: %d\n", journal_read(7, &line));
}

/* In user mode; has the kernel copy what it may not read itself. Or would. */
static void pries(void *address, void *unused_2, void *unused_3)
{
	printk("add what is not its own\n");
	(void)journal_add(address);
	printk("which worked\n");
}

static void run(struct k_thread *thread, k_thread_stack_t *stack, k_thread_entry_t entry,
		void *argument)
{
	(void)k_thread_create(thread, stack, STACK_SIZE, entry, argument, NULL, NULL, PRIORITY,
			      K_USER, K_NO_WAIT);
	(void)k_thread_join(thread, K_FOREVER);
}

int main(void)
{
	struct journal_line line;
	unsigned int lines = 0;

	run(&honest, honest_stack, writes, NULL);
	run(&nosy, nosy_stack, pries, secret);
	while (journal_read(lines, &line) == 0) { /* in kernel mode it is a function */
		printk("%u: %s\n", lines, line.text);
		lines++;
	}
	k_exit(lines == 2 ? 0 : 1);
}
