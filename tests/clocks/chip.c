/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chip's registers, played for a clock driver that runs as it is, compiled for this host: GCC tells of each volatile
 * access before it is made (-fsanitize=thread, tsan-distinguish-volatile), and what it calls is here instead of in its
 * library. All that is written is printed in its order; what the chip answers are rules from the command line:
 *
 *   ADDRESS=VALUE                          what a register holds after reset
 *   ADDRESS&MASK==VALUE>ADDRESS:CLEAR:SET  after such a write
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "drivers/clock.h"
#include "drivers/supply.h"

#define RULES_MOST 32
#define PAGE       4096U

static struct rule {
	uint32_t address, mask, value, then, clear, set;
} rules[RULES_MOST];
static unsigned int rules_count;
static uint32_t written; /* a register whose new value is not looked at yet; 0: none */

/* Where the UART has a clock of its own. */
__attribute__((weak)) uint32_t clock_uart_hz(void)
{
	return 0;
}

static volatile uint32_t *reg(uint32_t address)
{
	return (volatile uint32_t *)(uintptr_t)address;
}

__attribute__((no_sanitize("thread"))) static void be_there(uint32_t address)
{
	void *page = (void *)(uintptr_t)(address & ~(PAGE - 1U));

	(void)mmap(page, PAGE, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

__attribute__((no_sanitize("thread"))) static void answer(void)
{
	uint32_t address = written;

	written = 0;
	if (address == 0) {
		return;
	}
	printf("%08" PRIx32 " %08" PRIx32 "\n", address, *reg(address));
	for (unsigned int i = 0; i < rules_count; i++) {
		const struct rule *rule = &rules[i];

		if (rule->address == address && (*reg(address) & rule->mask) == rule->value) {
			*reg(rule->then) = (*reg(rule->then) & ~rule->clear) | rule->set;
		}
	}
}

void __tsan_volatile_read4(void *place);
void __tsan_volatile_write4(void *place);

void __tsan_volatile_read4(void *place)
{
	answer();
	be_there((uint32_t)(uintptr_t)place);
}

void __tsan_volatile_write4(void *place)
{
	answer();
	be_there((uint32_t)(uintptr_t)place);
	written = (uint32_t)(uintptr_t)place;
}

/* Whatever else is told of is not the chip's. */
#define OTHER(name, ...)        \
	void name(__VA_ARGS__); \
	void name(__VA_ARGS__)  \
	{                       \
	}
OTHER(__tsan_init, void)
OTHER(__tsan_func_entry, void *p)
OTHER(__tsan_func_exit, void *p)
OTHER(__tsan_read1, void *p)
OTHER(__tsan_read4, void *p)
OTHER(__tsan_read8, void *p)
OTHER(__tsan_write4, void *p)
OTHER(__tsan_write8, void *p)

__attribute__((no_sanitize("thread"))) static bool take(const char *word)
{
	struct rule rule;

	if (sscanf(word, "%" SCNx32 "&%" SCNx32 "==%" SCNx32 ">%" SCNx32 ":%" SCNx32 ":%" SCNx32,
		   &rule.address, &rule.mask, &rule.value, &rule.then, &rule.clear,
		   &rule.set) == 6 &&
	    rules_count < RULES_MOST) {
		rules[rules_count++] = rule;
		be_there(rule.then);
		return true;
	}
	if (sscanf(word, "%" SCNx32 "=%" SCNx32, &rule.address, &rule.value) == 2) {
		be_there(rule.address);
		*reg(rule.address) = rule.value;
		return true;
	}
	return false;
}

__attribute__((no_sanitize("thread"))) int main(int count, char **words)
{
	const char *fallback;

	for (int i = 1; i < count; i++) {
		if (!take(words[i])) {
			return EXIT_FAILURE;
		}
	}
	supply_start();
	clock_start();
	answer();
	fallback = clock_fallback();
	printf("%s\n", fallback == NULL ? "its clock" : fallback);
	printf("%" PRIu32 " %u\n", clock_uart_hz(), (unsigned int)BOARD_CLOCK_HZ);
	return EXIT_SUCCESS;
}
