/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions' vectors (the lines' follow: handlers.S), and from reset to the kernel. */
#include "kernel/core/kernel.h"
#include "offsets.h"
#include "lib/string.h"

#define SHPR2 (*(volatile uint32_t *)0xE000ED1C) /* SVC in bits 31:24 */
#define SHPR3 (*(volatile uint32_t *)0xE000ED20) /* PendSV in bits 23:16 */
#define CCR   (*(volatile uint32_t *)0xE000ED14)
#define SHCSR (*(volatile uint32_t *)0xE000ED24)

#define CCR_STKALIGN (1UL << 9)
#define CCR_DIV_0    (1UL << 4)
#define SHCSR_FAULTS (7UL << 16) /* memory, bus and usage faults by themselves */

extern char _isr_stack_top[], _data_start[], _data_end[], _data_load[], _bss_start[], _bss_end[];

void pendsv_handler(void);
void svc_handler(void);
void fault_handler(void);
void reset_handler(void) __attribute__((noreturn));
void cortex_m_irq_init(void);

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
			[13] = pendsv_handler,
			[14] = fault_handler, /* SysTick, not used */
		},
};

/* Not 0, before threads have it: see arch_is_user_context(). */
static inline void tell_kernel_mode(void)
{
	if (IS_ENABLED(CONFIG_USERSPACE)) {
		__asm__ volatile("msr psp, %0" ::"r"(_isr_stack_top));
	}
}

void reset_handler(void)
{
	(void)arch_irq_lock();
	memcpy(_data_start, _data_load, (size_t)(_data_end - _data_start));
	memset(_bss_start, 0, (size_t)(_bss_end - _bss_start));
	tell_kernel_mode();
	CCR |= CCR_STKALIGN | CCR_DIV_0;
	SHCSR |= SHCSR_FAULTS;
	SHPR2 = 0; /* the SVC: more urgent than any interrupt, see switch.S */
	SHPR3 = 0x00FF0000UL;
	cortex_m_irq_init();
	kernel_start();
}
