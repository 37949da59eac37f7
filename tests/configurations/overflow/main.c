/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks are really overflowed, in each way there is, by threads whose end the
 * application survives: its fatal error handler returns, so the thread is aborted. What
 * is built in decides which ways are tried; the test beside (test_configurations.py)
 * reads the faults' records too.
 */
#include "test.h"

#define STACK_BYTES 1024

static struct k_thread victim;
static struct k_thread equal; /* so that a yield of the victim switches */
static K_THREAD_STACK_DEFINE(equal_stack, 512);
/* Below the victim's stack lies something of ours, in which an overflow would be seen. */
static struct {
	char below[512];
	char stack[K_THREAD_STACK_LEN(STACK_BYTES)] __aligned(ARCH_STACK_ALIGN);
} memory __aligned(ARCH_STACK_ALIGN);

static volatile unsigned int faults;
static volatile unsigned int last_reason;
static const struct k_thread *volatile last_thread;
static volatile uintptr_t sink;

void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame)
{
	faults++;
	last_reason = reason;
	last_thread = k_current_get();
}

static void nothing(void *p1, void *p2, void *p3)
{
}

/* Run `entry` in a thread; it must be stopped by a fault, and the rest go on. */
static void expect_fault(const char *name, k_thread_entry_t entry)
{
	unsigned int before = faults;

	k_thread_priority_set(k_current_get(), 2);
	printk("case %s\n", name);
	(void)k_thread_create(&victim, memory.stack, sizeof(memory.stack), entry, NULL, NULL, NULL,
			      1, 0, K_FOREVER);
	(void)k_thread_name_set(&victim, name);
	(void)k_thread_create(&equal, equal_stack, sizeof(equal_stack), nothing, NULL, NULL, NULL,
			      1, 0, K_FOREVER);
	k_sched_lock();
	k_thread_start(&victim);
	k_thread_start(&equal);
	k_sched_unlock();
	CHECK(k_thread_join(&victim, K_MSEC(500)) == 0);
	CHECK(faults == before + 1);
	CHECK(last_reason == K_ERR_STACK_CHK_FAIL);
	CHECK(last_thread == &victim);
}

/* ---- canaries ---- */

#ifdef CONFIG_STACK_CANARIES
static __attribute__((noipa)) void fill(char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		((volatile char *)bytes)[i] = 'x';
	}
}

/* Writes behind the end of its own array, over the canary. */
static __attribute__((noipa)) void writes_too_far(void)
{
	char text[16];

	fill(text, sizeof(text) + 2 * sizeof(uintptr_t));
	sink = (uintptr_t)text[0];
}

static void overwrite(void *p1, void *p2, void *p3)
{
	writes_too_far();
}

static void overwrite_masked(void *p1, void *p2, void *p3)
{
	(void)irq_lock();
	writes_too_far();
}

TEST(canary_that_is_overwritten)
{
	extern uintptr_t __stack_chk_guard;

	ARG_UNUSED(overwrite_masked);
	CHECK(__stack_chk_guard != 0 && (__stack_chk_guard & 0xff) == 0);
	printk("canary %08lx\n", (unsigned long)__stack_chk_guard);
	expect_fault("canary", overwrite);
}
#elif !defined(CONFIG_STACK_GUARD_HW)
static void overwrite_masked(void *p1, void *p2, void *p3)
{
	(void)irq_lock();
	k_fatal_raise(K_ERR_KERNEL_PANIC); /* a sentinel is not looked at in between */
}
#endif

/* ---- the guard ---- */

#ifdef CONFIG_STACK_GUARD
#define GUARD_BYTES CONFIG_STACK_GUARD_SIZE

static volatile uintptr_t lowest; /* where dig() stops; 0: nowhere */
static void (*volatile at_the_bottom)(void);

/* Use stack until the frame is below `lowest`. Bound: the stack. */
static __attribute__((noipa)) uintptr_t dig(uintptr_t depth)
{
	volatile uintptr_t frame[2] = {depth, depth};

	if ((uintptr_t)&frame[0] < lowest) {
		at_the_bottom();
		return frame[0];
	}
	return dig(depth + 1) + frame[depth % 2];
}

static void dig_to(uintptr_t where, void (*what)(void))
{
	lowest = where;
	at_the_bottom = what;
	sink = dig(0);
}

static void overflow(void *p1, void *p2, void *p3)
{
	dig_to(0, NULL);
}

static void overflow_masked(void *p1, void *p2, void *p3)
{
	(void)irq_lock();
	dig_to(0, NULL);
}

static void wait(void)
{
	k_sleep(K_MSEC(1));
}

static void spin(void)
{
	for (;;) {
		sink++;
	}
}

/* No room is left for what a switch saves. */
static void wait_at_the_bottom(void *p1, void *p2, void *p3)
{
	dig_to((uintptr_t)memory.stack + GUARD_BYTES + 96, wait);
}

/* No room is left for what an interrupt saves. */
static void spin_at_the_bottom(void *p1, void *p2, void *p3)
{
	dig_to((uintptr_t)memory.stack + GUARD_BYTES + 32, spin);
}

static void overwrite_sentinel(void *p1, void *p2, void *p3)
{
	*(volatile char *)(memory.stack + GUARD_BYTES / 2) = 'x';
	k_yield();
}

static K_TIMER_DEFINE(ticker, NULL, NULL);

TEST(guard_that_is_hit)
{
#ifdef CONFIG_STACK_GUARD_HW
	expect_fault("guard", overflow);
	k_timer_start(&ticker, K_TICKS(1), K_TICKS(1));
	expect_fault("guard-interrupt", spin_at_the_bottom);
	k_timer_stop(&ticker);
	ARG_UNUSED(wait_at_the_bottom); /* the guard is hit inside the kernel: see main() */
#else
	ARG_UNUSED(overflow);
	ARG_UNUSED(overflow_masked);
	ARG_UNUSED(spin_at_the_bottom);
	ARG_UNUSED(ticker);
	expect_fault("bottom", wait_at_the_bottom);
#endif
#ifdef CONFIG_CORTEX_M_PSPLIM
	ARG_UNUSED(overwrite_sentinel); /* what is compared is the stack pointer only */
#else
	expect_fault("sentinel", overwrite_sentinel);
#endif
}
#endif

#ifdef CONFIG_STACK_GUARD_HW
#define last_case overflow_masked
#else
#define last_case overwrite_masked
#endif

/* What lies below the victim's stack is as it was. By its name before the others... */
TEST(a_memory_below_is_filled)
{
	for (unsigned int i = 0; i < sizeof(memory.below); i++) {
		memory.below[i] = (char)i;
	}
}

/* ... and after them. */
TEST(y_memory_below_was_not_touched)
{
	printk("faults %u\n", faults);
	for (unsigned int i = 0; i < sizeof(memory.below); i++) {
		CHECK(memory.below[i] == (char)i);
	}
}

/* With interrupts masked, the kernel's own lists may be half changed: the run ends. */
TEST(z_masked_overflow_ends_the_run)
{
	k_thread_priority_set(k_current_get(), 2);
	(void)k_thread_create(&victim, memory.stack, sizeof(memory.stack), last_case, NULL, NULL,
			      NULL, 1, 0, K_FOREVER);
	(void)k_thread_name_set(&victim, "masked");
	printk("case masked\n");
	k_thread_start(&victim);
	(void)k_thread_join(&victim, K_MSEC(500));
	CHECK(!"the run went on");
}
