/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fake machine around its processor: a clock with one alarm, a console on standard
 * output, a line that software raises, and the way in and out of the process. These are
 * the board's drivers (drivers/timer.h, uart.h, soft_irq.h, board_exit.h); they stand
 * together because they are one invention and none can be had without the others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <board.h>
#include "arch/arch.h"
#include "drivers/board_exit.h"
#include "faults.h"
#include "host.h"
#include "drivers/soft_irq.h"
#include "drivers/timer.h"
#include "drivers/uart.h"

#define EXIT_LIMIT    3
#define NO_ALARM      UINT64_MAX
#define DEFAULT_LIMIT ((uint64_t)3600 * BOARD_CLOCK_HZ)

uint32_t host_read_cost_cycles = 1;
uint64_t host_limit_cycles = DEFAULT_LIMIT;
int host_argc;
char **host_argv;

static uint64_t now_cycles;
static uint64_t alarm_cycles = NO_ALARM;

/* ---- the clock ---- */

static void pass_to(uint64_t cycles)
{
	now_cycles = cycles;
	if (now_cycles >= host_limit_cycles) {
		printf("@sim {\"stop\":\"limit\",\"cycle\":%llu}\n",
		       (unsigned long long)now_cycles);
		board_exit(EXIT_LIMIT);
	}
	if (now_cycles >= alarm_cycles) {
		alarm_cycles = NO_ALARM;
		host_irq_raise(BOARD_TIMER_IRQ);
	}
}

uint64_t host_now_cycles(void)
{
	return now_cycles;
}

void host_advance(uint64_t cycles)
{
	uint64_t until = now_cycles + cycles;

	/* Bound: the alarms until then. Those that run meanwhile may let time pass too. */
	while (now_cycles < until) {
		pass_to(MIN(until, alarm_cycles));
	}
}

uint32_t host_cycles(void)
{
	if (host_read_cost_cycles != 0) {
		pass_to(now_cycles + host_read_cost_cycles);
	}
	return (uint32_t)now_cycles;
}

void host_idle(void)
{
	if ((host_cpu.pending & host_cpu.enabled) == 0) {
		pass_to(MIN(alarm_cycles, host_limit_cycles));
	}
	if (!host_cpu.masked) {
		host_deliver();
	}
}

static void timer_isr(const void *arg)
{
	timer_announce();
}

void timer_init(void)
{
	(void)irq_connect_dynamic(BOARD_TIMER_IRQ, 0, timer_isr, NULL, 0);
	irq_enable(BOARD_TIMER_IRQ);
}

uint32_t timer_cycles(void)
{
	return host_cycles();
}

void timer_alarm(uint32_t cycle)
{
	int32_t ahead = (int32_t)(cycle - (uint32_t)now_cycles);

	if (ahead > 0) {
		alarm_cycles = now_cycles + (uint32_t)ahead;
		host_cpu.pending &= ~(uint32_t)BIT(BOARD_TIMER_IRQ);
	} else {
		alarm_cycles = NO_ALARM;
		host_irq_raise(BOARD_TIMER_IRQ);
	}
}

/* ---- the other devices ---- */

void soft_irq_raise(void)
{
	host_irq_raise(BOARD_SOFT_IRQ);
}

void soft_irq_clear(void)
{
	host_cpu.pending &= ~(uint32_t)BIT(BOARD_SOFT_IRQ);
}

void uart_init(void)
{
}

void uart_putc(char c)
{
	(void)putchar(c);
}

/* ---- in and out ---- */

#ifdef CONFIG_HOST_COVERAGE
/* Writes the counts at the end: clang's constructor would have it, if power_on() returned. */
void __llvm_profile_initialize(void);
#else
static inline void __llvm_profile_initialize(void)
{
}
#endif

void board_exit(int status)
{
	__llvm_profile_initialize();
	exit(status);
}

static void take_arguments(int argc, char **argv)
{
	char *end;

	host_argc = argc;
	host_argv = argv;
	if (argc < 3 || strcmp(argv[1], "--limit-s") != 0) {
		return;
	}
	host_limit_cycles = (uint64_t)(strtod(argv[2], &end) * BOARD_CLOCK_HZ);
	if (*end != '\0' || host_limit_cycles == 0) {
		fprintf(stderr, "--limit-s takes seconds of simulated time\n");
		exit(2);
	}
	argv[2] = argv[0];
	host_argc = argc - 2;
	host_argv = argv + 2;
}

/*
 * The machine starts before main(), which is the application's, as it is on a board;
 * libc and the sanitizers are up by then, and what comes after is never reached.
 */
__attribute__((constructor)) static void power_on(int argc, char **argv)
{
	take_arguments(argc, argv);
	faults_catch();
	kernel_start();
}
