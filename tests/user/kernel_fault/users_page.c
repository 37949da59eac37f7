/* SPDX-License-Identifier: Apache-2.0 */
/* The caller of touches(), which the linker has to tell from it, and its pages. */
#include "touches.h"

#ifdef __x86_64__
#define RETURNS 0xC3 /* ret */
#else
#define RETURNS 0xC0, 0x03, 0x5F, 0xD6
#endif

K_APPMEM_PARTITION_DEFINE(touched);
K_APP_DMEM(touched) volatile unsigned char touched_byte = 1;

static unsigned char code[ARCH_PARTITION_ALIGN] __aligned(ARCH_PARTITION_ALIGN) = {RETURNS};
static K_MEM_PARTITION_DEFINE(executed, code, sizeof(code), K_MEM_PARTITION_P_RX_U_RX);

void touches_prepare(k_tid_t thread)
{
	static struct k_mem_domain domain;
	struct k_mem_partition *parts[] = {&touched, &executed};

	printk("domain: %d\n", k_mem_domain_init(&domain, 2, parts));
	(void)k_mem_domain_add_thread(&domain, thread);
}

void touches_as_user(void)
{
	volatile unsigned char *byte = &touched_byte;

	if (CONFIG_TOUCHES_USERS_PAGE == 3) {
		byte = (volatile unsigned char *)(uintptr_t)code;
		((void (*)(void))(uintptr_t)byte)(); /* its own right */
	} else {
		*byte = 2;
	}
	printk("in kernel mode\n");
	(void)touches(byte, CONFIG_TOUCHES_USERS_PAGE);
	printk("let pass\n");
}
