/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interrupts: the local APIC. A vector is a class of urgency (2 to 15, the APIC's) and below it
 * a line, so a line can have any priority, and its handler is found without asking.
 *
 * The APIC's timer has a line; the others are raised by software, by a command of the core to
 * itself. That cannot be masked in the APIC, nor taken back: what comes of a line that is
 * disabled is kept until it is enabled (line_disabled()). Lines of devices come by an I/O APIC
 * or as messages, neither of which is served yet.
 */
#include "kernel/base/kernel.h"
#include "frames.h"

#define SPURIOUS_VECTOR 0x0F0U
#define TASK_PRIORITY   0x080U
#define IN_SERVICE      0x100U
#define LVT_TIMER       0x320U
#define LVT_LINT0       0x350U
#define LVT_LINT1       0x360U
#define LVT_ERROR       0x370U
#define LVT_MASKED      0x10000U
#define APIC_ENABLED    0x100U

#define MSR_APIC_BASE    0x1BU
#define MSR_APIC_ENABLED 0x800U

#define CLASS_FIRST 15U /* the most urgent */
#define CLASS_LAST  3U  /* of the lines; the alarm's is one less */

/* The two 8259 that PCs still have: all lines masked. */
#define PIC_MASKS   0x21U
#define PIC_2_MASKS 0xA1U

/* The handler of each line, or line_disabled(); trap.S. */
const struct irq_entry *x86_64_entries[VECTOR_LINES];

/* drivers/soft_irq/lapic.c, too: what makes the line come, written to the APIC's command. */
uint32_t x86_64_raise[ARCH_NUM_IRQS];

static struct irq_entry while_disabled[ARCH_NUM_IRQS];
static uint32_t kept; /* bit n: line n came while it was disabled */

/* boot.S, fault.c and views.c call them. */
void x86_64_irq_init(void);
void x86_64_irq_end_lost(void);

/*
 * A switch became due while a thread had interrupts masked; see arch_request_switch(), which has
 * left word for the end of whichever interrupt comes first.
 */
static void switch_requested(const void *arg)
{
}

static void line_disabled(const void *arg)
{
	kept |= 1U << (uintptr_t)arg;
}

static bool is_enabled(unsigned int irq)
{
	return x86_64_entries[irq] == &irq_table[irq];
}

/* Interrupts masked. */
static void set_vector(unsigned int irq, unsigned int class)
{
	uint32_t vector = class * VECTOR_LINES + irq;

	x86_64_raise[irq] = ARCH_LAPIC_SELF | vector;
	if (irq == BOARD_TIMER_IRQ) {
		ARCH_LAPIC(LVT_TIMER) = vector; /* one shot */
	}
}

static unsigned int class_of(unsigned int prio)
{
	return prio == IRQ_PRIO_ALARM ? CLASS_LAST - 1
				      : CLASS_FIRST - MIN(prio, CLASS_FIRST - CLASS_LAST);
}

static void init_lapic(void)
{
	uint32_t low;
	uint32_t high;

	__asm__ volatile("outb %0, %1" ::"a"((uint8_t)0xFF), "N"(PIC_MASKS));
	__asm__ volatile("outb %0, %1" ::"a"((uint8_t)0xFF), "N"(PIC_2_MASKS));
	__asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(MSR_APIC_BASE));
	__asm__ volatile("wrmsr" ::"a"(low | MSR_APIC_ENABLED), "d"(high), "c"(MSR_APIC_BASE));
	ARCH_LAPIC(LVT_LINT0) = LVT_MASKED;
	ARCH_LAPIC(LVT_LINT1) = LVT_MASKED;
	ARCH_LAPIC(LVT_ERROR) = LVT_MASKED;
	ARCH_LAPIC(TASK_PRIORITY) = 0;
	ARCH_LAPIC(SPURIOUS_VECTOR) = APIC_ENABLED | VECTOR_SPURIOUS;
}

void x86_64_irq_init(void)
{
	static const STRUCT_SECTION_ITERABLE(irq_static_entry, irq_static_entry, switch_request) = {
		.irq = BOARD_SWITCH_IRQ,
		.entry = {switch_requested, NULL},
	};

	BUILD_ASSERT(ARCH_SWITCH_VECTOR == CLASS_FIRST * VECTOR_LINES + BOARD_SWITCH_IRQ,
		     "arch_inline.h");
	init_lapic();
	for (unsigned int irq = 0; irq < ARCH_NUM_IRQS; irq++) {
		while_disabled[irq] = (struct irq_entry){line_disabled, (void *)(uintptr_t)irq};
		x86_64_entries[irq] = &while_disabled[irq];
		set_vector(irq, CLASS_FIRST);
	}
	irq_enable(BOARD_SWITCH_IRQ);
}

static void enable(unsigned int irq)
{
	x86_64_entries[irq] = &irq_table[irq];
	if ((kept >> irq & 1U) != 0) {
		kept &= ~(1U << irq);
		ARCH_LAPIC(ARCH_LAPIC_ICR) = x86_64_raise[irq];
	}
}

int arch_irq_control(enum arch_irq_op op, unsigned int irq, unsigned int value)
{
	unsigned int key;
	int result = 0;

	/* The kernel's own line stays as it is. */
	if (irq >= ARCH_NUM_IRQS || (irq == BOARD_SWITCH_IRQ && op == ARCH_IRQ_PRIORITY)) {
		return -EINVAL;
	}
	key = arch_irq_lock();
	switch (op) {
	case ARCH_IRQ_ENABLE:
		enable(irq);
		break;
	case ARCH_IRQ_DISABLE:
		x86_64_entries[irq] = &while_disabled[irq];
		break;
	case ARCH_IRQ_IS_ENABLED:
		result = is_enabled(irq);
		break;
	case ARCH_IRQ_PRIORITY:
		set_vector(irq, class_of(value));
		break;
	default:
		result = -EINVAL;
	}
	arch_irq_unlock(key);
	return result;
}

/*
 * An exception in a thread, perhaps because an interrupt could not be put on its stack: the APIC
 * counts that one as being handled, and would let nothing through that is less urgent for ever. It
 * is ended, and raised anew.
 */
void x86_64_irq_end_lost(void)
{
	/* Bound: the words of vectors, and those in service, one a class at most. */
	for (unsigned int word = 8; word-- > 0;) {
		uint32_t bits = ARCH_LAPIC(IN_SERVICE + word * 0x10U);

		while (bits != 0) {
			unsigned int bit = 31U - (unsigned int)__builtin_clz(bits);

			ARCH_LAPIC(ARCH_LAPIC_ICR) = ARCH_LAPIC_SELF | (word * 32U + bit);
			ARCH_LAPIC(LAPIC_EOI) = 0;
			bits &= ~(1U << bit);
		}
	}
}
