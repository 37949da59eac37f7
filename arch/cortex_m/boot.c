/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions' vectors (the lines' follow: handlers.S), and from reset to the kernel. */
#include "kernel/base/kernel.h"
#include "frames.h"
#include "registers.h"
#include "drivers/cache.h"
#include "drivers/clock.h"
#include "drivers/setup.h"
#include "drivers/supply.h"
#include "lib/string.h"

#define SHPR2 (*(volatile uint32_t *)0xE000ED1C) /* SVC in bits 31:24 */
#define SHPR3 (*(volatile uint32_t *)0xE000ED20) /* PendSV in bits 23:16 */
#define CCR   (*(volatile uint32_t *)0xE000ED14)

#define DEMCR      (*(volatile uint32_t *)0xE000EDFC)
#define DWT_CTRL   (*(volatile uint32_t *)0xE0001000)
#define DWT_CYCCNT (*(volatile uint32_t *)0xE0001004)
#define DWT_LAR    (*(volatile uint32_t *)0xE0001FB0) /* Cortex-M7 */
#define CPACR      (*(volatile uint32_t *)0xE000ED88)
#define SYST_CSR   (*(volatile uint32_t *)0xE000E010)
#define SYST_RVR   (*(volatile uint32_t *)0xE000E014)
#define SYST_CVR   (*(volatile uint32_t *)0xE000E018)

#define CPACR_FPU    (0xFUL << 20) /* all of it, in either mode */
#define CCR_STKALIGN (1UL << 9)
#define CCR_DIV_0    (1UL << 4)
#define SHCSR_FAULTS (7UL << 16) /* memory, bus and usage faults by themselves */

extern char _isr_stack_top[], _data_start[], _data_end[], _data_load[], _bss_start[], _bss_end[];

void cortex_m_vector_pendsv(void);
void svc_handler(void);
void fault_handler(void);
void systick_handler(void);
void reset_handler(void);
__cold void cortex_m_irq_init(void);

typedef void (*vector_t)(void);

static const struct {
	void *stack;
	vector_t exception[15];
} vectors __used __attribute__((section(".vectors"))) = {
	.stack = _isr_stack_top,
	.exception =
		{
			[0] = (vector_t)reset_handler,
			[1 ... 5] = fault_handler, /* NMI, hard, memory, bus, usage */
			[10] = svc_handler,
			[11] = fault_handler, /* debug monitor */
			[13] = cortex_m_vector_pendsv, /* pendsv_handler: see vectors.inc */
			[14] = systick_handler, /* fault_handler, or a driver's */
		},
};

/* Not 0, before threads have it: see arch_is_user_context(). */
static inline void tell_kernel_mode(void)
{
	if (IS_ENABLED(CONFIG_USERSPACE)) {
		__asm__ volatile("msr psp, %0" ::"r"(_isr_stack_top));
	}
}

/* Where the chip's ROM leaves the core with vectors of its own. */
static inline void tell_vectors(void)
{
#ifdef BOARD_SETS_VTOR
	*(volatile uintptr_t *)0xE000ED08 = (uintptr_t)&vectors;
#endif
}

/*
 * That it saves registers lazily is what the core does after reset; beside user threads:
 * floating_point.inc.
 */
static inline void enable_fpu(void)
{
	if (IS_ENABLED(CONFIG_FPU)) {
		CPACR |= CPACR_FPU;
		if (IS_ENABLED(CONFIG_USERSPACE)) {
			FPCCR &= ~FPCCR_LSPEN;
		}
		__asm__ volatile("dsb\n\tisb" ::: "memory");
	}
}

/* Where it is locked, it does not count, which is what the suites say of it then. */
static inline void start_counting_cycles(void)
{
	if (IS_ENABLED(CONFIG_CORTEX_M_DWT)) {
		DEMCR |= 1UL << 24; /* TRCENA */
		DWT_LAR = 0xC5ACCE55UL;
		DWT_CYCCNT = 0;
		DWT_CTRL |= 1U; /* CYCCNTENA */
	}
	if (IS_ENABLED(CONFIG_CORTEX_M_SYSTICK)) {
		SYST_RVR = 0xFFFFFFUL;
		SYST_CVR = 0;
		SYST_CSR = 5; /* on, by the core's clock */
	}
}

/* By words, to which the linker aligns all of it. Volatile: memcpy() may not be there otherwise. */
static inline void fill_memory(void)
{
	const uint32_t *from = (const uint32_t *)(uintptr_t)_data_load;
	volatile uint32_t *to = (uint32_t *)(uintptr_t)_data_start;

	/* Bound: the words of what is initialised. */
	while (to < (uint32_t *)(uintptr_t)_data_end) {
		*to++ = *from++;
	}
	to = (uint32_t *)(uintptr_t)_bss_start;
	/* Bound: the words of the rest. */
	while (to < (uint32_t *)(uintptr_t)_bss_end) {
		*to++ = 0;
	}
}

__cold static SUPPLY_BEFORE void start(void)
{
	(void)arch_irq_lock();
	fill_memory();
	tell_kernel_mode();
	if (!IS_ENABLED(CONFIG_CORTEX_M_V6M)) {
		CCR |= CCR_STKALIGN | CCR_DIV_0;
		SHCSR |= SHCSR_FAULTS;
	}
	SHPR2 = 0; /* the SVC: more urgent than any interrupt, see switch.S */
	SHPR3 = 0x00FF0000UL;
	tell_vectors();
	enable_fpu();
	clock_start();
	setup_registers();
	cache_start();
	start_counting_cycles();
	cortex_m_irq_init();
	kernel_start();
}

/*
 * Writes nothing to RAM, its own stack included, before the supply is what it should be: see
 * SUPPLY_BEFORE.
 */
__cold void reset_handler(void)
{
	supply_start();
	start();
}
