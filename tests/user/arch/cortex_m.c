/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends that only ARMv7-M and ARMv8-M have: what an svc may be asked with and from where, whatever the return
 * address is; what user mode may write without effect; the private peripherals. Stack pointers and
 * frames are in cortex_m_frames.c, regions in cortex_m_regions.c.
 */
#include <board.h>
#include "cortex_m.h"

static K_SEM_DEFINE(sem, 0, 300);
volatile int in_kernel = 43;

bool faults(k_thread_entry_t entry, uintptr_t p1, uintptr_t p2)
{
	k_thread_access_grant(user_prepare(entry, (void *)p1, (void *)p2, NULL), &sem);
	if (user_finish()) {
		return false;
	}
	CHECK_EQ(in_kernel, 43);
	return true;
}

static struct k_thread kernel_threads[2];
K_THREAD_STACK_ARRAY_DEFINE(kernel_stacks, 2, 512);

void begin(int i, k_thread_entry_t entry, const void *arg)
{
	(void)k_thread_create(&kernel_threads[i], kernel_stacks[i], 512, entry,
			      (void *)(uintptr_t)arg, NULL, NULL, USER_PRIO - 1, 0, K_NO_WAIT);
}

void finish(int i)
{
	CHECK_EQ(k_thread_join(&kernel_threads[i], K_FOREVER), 0);
}

/* ---- what a call leaves in the registers ---- */

/* With sp where the ABI wants it for a call. */
static void looks_at_registers(void *to, void *p2, void *p3)
{
	register uintptr_t place __asm__("r4") = (uintptr_t)to;

	__asm__ volatile("mov r5, sp\n\tbic r6, r5, #7\n\tmov sp, r6\n\tldr r0, =sem\n\t"
			 "mov r1, #0x11\n\tmov r2, #0x22\n\tmov r3, #0x33\n\t"
			 "cmp r1, r1\n\tbl k_sem_give\n\t"
			 "stmia r4!, {r1, r2, r3}\n\tmrs r1, apsr\n\tstmia r4!, {r1}\n\t"
			 "str r12, [r4], #4\n\tmov r2, #0x22\n\tmov r3, #0x33\n\t"
			 "bl k_uptime_get_32\n\t"
			 "mrs r0, apsr\n\torrs r0, r0, r3\n\tstr r0, [r4]\n\tmov sp, r5"
			 : "+r"(place)::"r5", "r6", CALLER_SAVED);
}

TEST(calls_leave_nothing_of_the_kernels_in_registers)
{
	CHECK(!faults(looks_at_registers, (uintptr_t)seen, 0));
	CHECK_EQ(seen[0], 0x11); /* the caller's own */
	CHECK_EQ(seen[1], 0x22);
	CHECK_EQ(seen[2], 0); /* the PSP, as user mode reads it: the stub has looked for its mode */
	CHECK_EQ(seen[3], 0x60000000); /* flags: the caller's, equal */
	CHECK_EQ(seen[4], CALL_k_sem_give);
	CHECK_EQ(seen[5], 0x33); /* and of a call that is not fast, with its flags: none */
}

__attribute__((used)) static void stores_registers(void *to, void *p2, void *p3)
{
	__asm__ volatile("stmia %0, {r4-r11}" ::"r"(to) : "memory");
}

/*
 * Into user mode with each register filled that a call preserves; and masked, which what leads there keeps in
 * one of them for a while.
 */
__attribute__((naked)) static void enters_filled(void *to, void *p2, void *p3)
{
	__asm__ volatile(
		".irp r, 4, 5, 6, 7, 8, 9, 10, 11\n\tmov r\\r, #0xa0\n\t.endr\n\t"
		"cpsid i\n\tmov r1, r0\n\tldr r0, =stores_registers\n\tmovs r2, #0\n\tmovs r3, #0\n\t"
		"b.w k_thread_user_mode_enter");
}

TEST(cortex_m_user_mode_begins_with_nothing_in_the_registers)
{
	CHECK(user_run(stores_registers, (void *)seen, NULL, NULL));
	for (int i = 0; i < SEEN_MAX; i++) {
		CHECK_EQ(seen[i], 0);
		seen[i] = 1;
	}
	(void)k_thread_create(&other_thread, other_stack, USER_STACK_SIZE, enters_filled,
			      (void *)seen, NULL, NULL, USER_PRIO, 0, K_FOREVER);
	(void)k_mem_domain_add_thread(user_thread.user.domain, &other_thread);
	k_thread_start(&other_thread);
	CHECK_EQ(k_thread_join(&other_thread, K_FOREVER), 0);
	for (int i = 0; i < SEEN_MAX; i++) {
		CHECK_EQ(seen[i], 0);
	}
}

/* ---- how a call is made ---- */

#define SVC(immediate)                                                                             \
	do {                                                                                       \
		register uintptr_t r0_ __asm__("r0") = (uintptr_t)&sem;                            \
		register uintptr_t r12_ __asm__("r12") = CALL_k_sem_give;                          \
		__asm__ volatile("adr lr, 1f\n\torr lr, lr, #1\n\tsvc #" #immediate                \
				 "\n\t.balign 4\n1:"                                               \
				 : "+r"(r0_), "+r"(r12_)::"r1", "r2", "r3", "lr", "cc", "memory"); \
	} while (0)

void calls_with_any_immediate(void *p1, void *p2, void *p3)
{
	SVC(0);
	SVC(1);
	SVC(2);
	SVC(171);
	SVC(255);
	seen[0] = (intptr_t)k_sem_count_get(&sem);
}

TEST(cortex_m_the_immediate_of_an_svc_means_nothing)
{
	k_sem_reset(&sem);
	CHECK(!faults(calls_with_any_immediate, 0, 0));
	CHECK_EQ(seen[0], 5);
}

/* The semaphore's, were the number taken times four without a look at it. */
static void calls_by_number(void *number, void *p2, void *p3)
{
	register uintptr_t r0_ __asm__("r0") = (uintptr_t)&sem;
	register uintptr_t r12_ __asm__("r12") = (uintptr_t)number;

	__asm__ volatile("svc #0" : "+r"(r0_), "+r"(r12_)::"r1", "r2", "r3", "lr", "cc", "memory");
}

TEST(cortex_m_a_number_that_is_no_calls_is_refused)
{
	const uintptr_t call = CALL_k_sem_give;
	const uintptr_t numbers[] = {NUM_CALLS,          NUM_CALLS + 1,      0x40000000U + call,
				     0x80000000U + call, 0xC0000000U + call, UINTPTR_MAX};

	k_sem_reset(&sem);
	CHECK(!faults(calls_by_number, call, 0));
	CHECK_EQ(k_sem_count_get(&sem), 1);
	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++) {
		CHECK(faults(calls_by_number, numbers[i], 0));
		CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	}
	CHECK_EQ(k_sem_count_get(&sem), 1);
}

/* Instructions behind the svc in its IT block are the user's: none of the kernel's is left out. */
static void calls_in_an_it_block(void *p1, void *p2, void *p3)
{
	register uintptr_t r0 __asm__("r0") = (uintptr_t)&sem;
	register uintptr_t r12 __asm__("r12") = CALL_k_sem_give;

	__asm__ volatile("adr lr, 1f\n\torr lr, lr, #1\n\tcmp r0, r0\n\t"
			 "itttt eq\n\tsvceq #0\n\tnopeq\n\tnopeq\n\tnopeq\n\t.balign 4\n1:"
			 : "+r"(r0), "+r"(r12)::"r1", "r2", "r3", "lr", "cc", "memory");
	seen[0] = (intptr_t)k_sem_count_get(&sem);
	seen[1] = k_is_user_context();
}

TEST(cortex_m_an_svc_in_an_it_block)
{
	k_sem_reset(&sem);
	CHECK(!faults(calls_in_an_it_block, 0, 0));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 1);
}

/* Where a call returns to, lr, is the user's matter: in user mode. */
static void returns_to(void *address, void *p2, void *p3)
{
	register uintptr_t r0 __asm__("r0") = (uintptr_t)&sem;
	register uintptr_t r1 __asm__("r1") = (uintptr_t)address;

	seen[0] = 1;
	__asm__ volatile("mov lr, r1\n\tmovw r2, #0xffff\n\tmov r12, %2\n\tsvc #0\n\tudf #0"
			 : "+r"(r0), "+r"(r1)
			 : "i"(CALL_k_sem_give)
			 : "r2", "r3", "r12", "lr", "cc", "memory");
	seen[1] = 1;
}

static void jumps_to(void *address, void *p2, void *p3)
{
	register uintptr_t to __asm__("r5") = (uintptr_t)address;

	seen[0] = 1;
	__asm__ volatile("mov r0, #0\n\tmovw r12, #0xffff\n\tbx %0" ::"r"(to) : CALLER_SAVED);
	seen[1] = 1;
}

static void sets_in_kernel(void)
{
	in_kernel = 1;
}

/* They end where these are executed without rights: at the latest by a number that is no call's. */
static const uintptr_t *kernel_code(unsigned int *n)
{
	extern void irq_handler(void), pendsv_handler(void), svc_handler(void), fault_handler(void),
		resume_voluntary(void), resume_preempted(void), cortex_m_syscall(void),
		cortex_m_resume(void), reset_handler(void), arch_switch(void), arch_start(void),
		arch_user_enter(void), arch_user_continue(void);
	static const uintptr_t addresses[] = {
		(uintptr_t)irq_handler,      (uintptr_t)pendsv_handler,
		(uintptr_t)svc_handler,      (uintptr_t)fault_handler,
		(uintptr_t)resume_voluntary, (uintptr_t)resume_preempted,
		(uintptr_t)cortex_m_syscall, (uintptr_t)cortex_m_resume,
		(uintptr_t)arch_switch,      (uintptr_t)reset_handler,
		(uintptr_t)sets_in_kernel,   (uintptr_t)arch_user_enter,
		(uintptr_t)arch_start,       (uintptr_t)arch_user_continue,
	};

	*n = ARRAY_SIZE(addresses);
	return addresses;
}

TEST(cortex_m_kernel_code_has_no_rights_wherever_it_is_entered)
{
	unsigned int n;
	const uintptr_t *code = kernel_code(&n);

	for (unsigned int i = 0; i < n; i++) {
		CHECK(faults(jumps_to, code[i], 0));
		CHECK(faults(returns_to, code[i], 0));
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[1], 0);
	}
}

TEST(cortex_m_values_of_exc_return_are_addresses_like_others)
{
	static const uintptr_t values[] = {0xFFFFFFF1U, 0xFFFFFFF9U, 0xFFFFFFFDU,
					   0xFFFFFFE9U, 0xFFFFFFEDU, 0xF0000001U,
					   0xFFFFFFFFU, 0xFFFFFFBDU, 0xFEFFFFFFU}; /* ARMv8-M's */

	for (unsigned int i = 0; i < ARRAY_SIZE(values); i++) {
		CHECK(faults(jumps_to, values[i], 0));
		CHECK(faults(returns_to, values[i], 0));
		CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
	}
	/* Arm state, which there is none of. */
	CHECK(faults(jumps_to, (uintptr_t)sets_in_kernel & ~(uintptr_t)1, 0));
	CHECK(faults(returns_to, (uintptr_t)sets_in_kernel & ~(uintptr_t)1, 0));
}

/* ---- what only kernel mode has ---- */

static void writes_special_registers(void *p1, void *p2, void *p3)
{
	__asm__ volatile("mov r0, #0\n\tmsr control, r0\n\tisb\n\t"
			 "msr psp, r0\n\tmsr msp, r0\n\tmov r0, #1\n\t"
			 "msr primask, r0\n\tmsr faultmask, r0\n\tmov r0, #0x20\n\t"
			 "msr basepri, r0\n\tmsr basepri_max, r0\n\t"
			 "cpsid i\n\tcpsid f\n\tisb" ::
				 : "r0", "memory");
	seen[0] = k_is_user_context();
	while (seen[2] == 0) { /* until an interrupt has let another thread in */
	}
	seen[1] = 1;
	seen[3] = *(volatile int *)&in_kernel;
}

static void notices(void *arg, void *p2, void *p3)
{
	k_sleep(K_TICKS(2));
	seen[2] = 1;
}

TEST(cortex_m_special_registers_are_written_without_effect)
{
	begin(0, notices, NULL);
	CHECK(faults(writes_special_registers, 0, 0));
	finish(0);
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 1);
	CHECK_EQ(seen[3], 0);
}

void reads_word(void *address, void *p2, void *p3)
{
	seen[0] = 1;
	seen[1] = *(volatile intptr_t *)address;
	seen[2] = 1;
}

void writes_word(void *address, void *word, void *p3)
{
	seen[0] = 1;
	*(volatile uintptr_t *)address = (uintptr_t)word;
	__asm__ volatile("dsb");
	seen[2] = 1;
}

TEST(cortex_m_the_systems_registers_are_out_of_reach)
{
	static const uintptr_t addresses[] = {
		0xE000E010U, /* SysTick */
		0xE000E100U, /* NVIC: enable */
		0xE000E180U, /* disable */
		0xE000E200U, /* pend */
		0xE000E400U, /* priorities */
		0xE000ED04U, /* ICSR */
		0xE000ED08U, /* VTOR */
		0xE000ED14U, /* CCR */
		0xE000ED24U, /* SHCSR */
		0xE000ED94U, /* MPU: control */
		0xE000ED9CU, /* its regions */
		0xE000EDA0U, 0xE000EDFCU, /* DEMCR */
		0xE000EF00U, /* STIR */
		0xE0001000U, /* DWT */
		0xE0002000U, /* FPB */
		0xE002ED94U, /* ARMv8-M: the MPU of non-secure state */
		0x22000000U, /* the RAM's bits */
		0x42000000U, /* the devices' */
		0x00400000U, /* the same ROM, and RAM, once more */
		0x20400000U, 0x60000000U, 0xA0000000U, 0xFFFFFFFCU,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(addresses); i++) {
		CHECK(faults(reads_word, addresses[i], 0));
		CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
		CHECK(faults(writes_word, addresses[i], 0));
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[2], 0);
	}
	CHECK(faults(reads_word, BOARD_ROM_BASE, 0)); /* the vectors */
	CHECK(faults(reads_word, BOARD_ROM_BASE + 252, 0));
	CHECK(!faults(reads_word, BOARD_ROM_BASE + 256, 0));
}

/* What is one instruction each, and ends the thread. */
static void executes(void *which, void *p2, void *p3)
{
	seen[0] = 1;
	switch ((intptr_t)which) {
	case 0:
		__asm__ volatile("bkpt #0");
		break;
	case 1: /* semihosting: the emulator's, and through it the machine's it runs on */
		__asm__ volatile("mov r0, #0x18\n\tldr r1, =0x20026\n\tbkpt #0xab" ::: "r0", "r1");
		break;
	case 2:
		__asm__ volatile("udf #0");
		break;
	case 3:
		__asm__ volatile("udf.w #0");
		break;
	case 4:
		__asm__ volatile("mov r1, #0\n\tudiv r0, r1, r1" ::: "r0", "r1");
		break;
	case 5:
		__asm__ volatile("add r1, sp, #1\n\tldrd r0, r1, [r1]" ::: "r0", "r1");
		break;
	case 6:
		__asm__ volatile("mcr p15, 0, r0, c1, c0, 0");
		break;
	case 7: /* ARMv8-M: to non-secure state, which owns no memory; BX with what should be 0 elsewhere */
		if (IS_ENABLED(CONFIG_CORTEX_M_PMSAV8)) {
			__asm__ volatile("mov r0, #0x1000\n\t.inst.n 0x4704" ::: "r0");
		}
		__asm__ volatile("udf #0");
		break;
	case 8:
		__asm__ volatile("mrc p10, 7, r0, c0, c0, 0" ::: "r0");
		break;
	default:
		__asm__ volatile("mov r0, #1\n\tbx r0" ::: "r0");
		break;
	}
	seen[1] = 1;
}

TEST(cortex_m_an_instruction_that_faults_ends_its_thread)
{
	for (uintptr_t which = 0; which < 10; which++) {
		CHECK(faults(executes, which, 0));
		CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[1], 0);
	}
}
