/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A parser that nobody trusts, in user mode. It gets lines from a message queue and leaves sums
 * in memory that it shares with main(). One line makes it write where it has no business: that ends
 * the parser, and it alone; main() sees it, and starts another one.
 *
 *     ./foliot run samples/user --board qemu_riscv32
 *
 * Four things make a user thread: the option K_USER, a partition for the variables it
 * shares, a domain that has the partition, and access to each object it uses. Its code is
 * like any other: the same calls, which are system calls there.
 */
#include <foliot/kernel.h>

#define STACK_SIZE 1024
#define PRIORITY   K_PRIO_PREEMPT(5)
#define LINE_SIZE  16

/* What the parser may write: variables that name the partition. All others are out of its reach. */
K_APPMEM_PARTITION_DEFINE(parser_memory);
K_APP_DMEM(parser_memory) static volatile int sum;
K_APP_DMEM(parser_memory) static volatile int lines;

K_MSGQ_DEFINE(input, LINE_SIZE, 4, 4);
K_SEM_DEFINE(done, 0, 1);

static volatile int precious = 42; /* the kernel's side of the program */

static struct k_thread parser;
K_THREAD_STACK_DEFINE(parser_stack, STACK_SIZE);
static struct k_mem_domain parser_domain;

/* In user mode. Digits are added up; a '!' is the mistake. */
static void parse(void *unused_1, void *unused_2, void *unused_3)
{
	char line[LINE_SIZE];

	while (k_msgq_get(&input, line, K_FOREVER) == 0) {
		/* Bound: LINE_SIZE. */
		for (int i = 0; i < LINE_SIZE && line[i] != '\0'; i++) {
			if (line[i] == '!') {
				precious = 0;
			}
			sum += line[i] - '0';
		}
		lines++;
		k_sem_give(&done);
	}
}

static void start_parser(void)
{
	(void)k_thread_create(&parser, parser_stack, K_THREAD_STACK_SIZEOF(parser_stack), parse,
			      NULL, NULL, NULL, PRIORITY, K_USER, K_FOREVER);
	(void)k_thread_name_set(&parser, "parser");
	(void)k_mem_domain_add_thread(&parser_domain, &parser);
	k_thread_access_grant(&parser, &input, &done);
	k_thread_start(&parser);
}

/* Hand a line to the parser, and say how it took it. */
static void give(const char *line)
{
	char message[LINE_SIZE] = {0};
	bool is_parsed;

	/* Bound: LINE_SIZE. */
	for (int i = 0; i < LINE_SIZE - 1 && line[i] != '\0'; i++) {
		message[i] = line[i];
	}
	(void)k_msgq_put(&input, message, K_FOREVER);
	is_parsed = k_sem_take(&done, K_MSEC(100)) == 0;
	printk("%s: %s, sum %d\n", line, is_parsed ? "parsed" : "the parser has ended", sum);
}

int main(void)
{
	struct k_mem_partition *partitions[] = {&parser_memory};

	(void)k_mem_domain_init(&parser_domain, ARRAY_SIZE(partitions), partitions);
	start_parser();
	give("123");
	give("4!5");
	start_parser();
	give("6");
	printk("%d lines; precious is %d\n", lines, precious);
	k_exit(precious == 42 && lines == 2 ? 0 : 1);
}
