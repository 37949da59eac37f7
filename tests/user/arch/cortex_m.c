/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends that only ARMv7-M has: what an svc may be asked with and from where, whatever the stack pointer,
 * the frame that the core pushed, and the return address are; what user mode may write
 * without effect; the private peripherals.
 */
#include <board.h>
#include "../user.h"

enum call {
#define SYSCALL(name) CALL_##name,
#define SYSCALL_VIA(name)
#include "kernel/protect/syscalls.h"
#undef SYSCALL
#undef SYSCALL_VIA
};

static K_SEM_DEFINE(sem, 0, 300);
static volatile int in_kernel = 43;

#define CALLER_SAVED "r0", "r1", "r2", "r3", "r12", "lr", "cc", "memory"

static bool faults(k_thread_entry_t entry, uintptr_t p1, uintptr_t p2)
{
	k_thread_access_grant(user_prepare(entry, (void *)p1, (void *)p2, NULL), &sem);
	if (user_finish()) {
		return false;
	}
	CHECK_EQ(in_kernel, 43);
	return true;
}

/* ---- what a call leaves in the registers ---- */

/* With sp where the ABI wants it for a call. */
static void looks_at_registers(void *to, void *p2, void *p3)
{
	register uintptr_t place __asm__("r4") = (uintptr_t)to;

	__asm__ volatile("mov r5, sp\n\tbic r6, r5, #7\n\tmov sp, r6\n\tldr r0, =sem\n\t"
			 "mov r1, #0x11\n\tmov r2, #0x22\n\tmov r3, #0x33\n\t"
			 "bl k_sem_give\n\t"
			 "stmia r4!, {r1, r2, r3}\n\tmrs r1, apsr\n\tstmia r4!, {r1}\n\t"
			 "str r12, [r4], #4\n\tmov r2, #0x22\n\tmov r3, #0x33\n\t"
			 "bl k_uptime_get_32\n\t"
			 "mrs r0, apsr\n\torrs r0, r0, r3\n\tstr r0, [r4]\n\tmov sp, r5"
			 : "+r"(place)::"r5", "r6", CALLER_SAVED);
}

TEST(calls_leave_nothing_of_the_kernels_in_registers)
{
	CHECK(!faults(looks_at_registers, (uintptr_t)seen, 0));
	CHECK_EQ(seen[0], 0x11); /* the caller's own, all of them */
	CHECK_EQ(seen[1], 0x22);
	CHECK_EQ(seen[2], 0x33);
	CHECK_EQ(seen[3], 0x60000000); /* flags: equal, as the stub has looked for its mode */
	CHECK_EQ(seen[4], CALL_k_sem_give);
	CHECK_EQ(seen[5], 0x33); /* and of a call that is not quick, with its flags: none */
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

static void calls_with_any_immediate(void *p1, void *p2, void *p3)
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
		cortex_m_svc_of_user(void), reset_handler(void), arch_switch(void),
		arch_start(void), arch_user_enter(void), arch_user_continue(void);
	static const uintptr_t addresses[] = {
		(uintptr_t)irq_handler,      (uintptr_t)pendsv_handler,
		(uintptr_t)svc_handler,      (uintptr_t)fault_handler,
		(uintptr_t)resume_voluntary, (uintptr_t)resume_preempted,
		(uintptr_t)cortex_m_syscall, (uintptr_t)cortex_m_svc_of_user,
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
	static const uintptr_t values[] = {0xFFFFFFF1U, 0xFFFFFFF9U, 0xFFFFFFFDU, 0xFFFFFFE9U,
					   0xFFFFFFEDU, 0xF0000001U, 0xFFFFFFFFU};

	for (unsigned int i = 0; i < ARRAY_SIZE(values); i++) {
		CHECK(faults(jumps_to, values[i], 0));
		CHECK(faults(returns_to, values[i], 0));
		CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
	}
	/* Arm state, which there is none of. */
	CHECK(faults(jumps_to, (uintptr_t)sets_in_kernel & ~(uintptr_t)1, 0));
	CHECK(faults(returns_to, (uintptr_t)sets_in_kernel & ~(uintptr_t)1, 0));
}

/* ---- where the stack pointer may be ---- */

enum how {
	BY_SVC,
	BY_INTERRUPT,
	BY_FAULT,
	HOWS,
};

__attribute__((naked, used)) static void with_sp_(uintptr_t sp, uintptr_t how)
{
	__asm__ volatile("mov r4, sp\n\tmov r5, lr\n\tmov sp, r0\n\t"
			 "cmp r1, #1\n\tbeq 1f\n\tbhi 2f\n\t"
			 "adr lr, 3f\n\torr lr, lr, #1\n\tmov r12, %0\n\tsvc #0\n\t"
			 ".balign 4\n3:\tmov sp, r4\n\tbx r5\n"
			 "1:\tb 1b\n"
			 "2:\tudf #0\n" ::"i"(CALL_k_yield));
}

static void with_sp(void *sp, void *how, void *p3)
{
	seen[0] = 1;
	__asm__ volatile("mov r0, %0\n\tmov r1, %1\n\tbl with_sp_" ::"r"(sp), "r"(how)
			 : "r4", "r5", CALLER_SAVED);
	seen[1] = 1;
}

/* Threads of kernel mode that come and go; they outrank the user's. */
static struct k_thread kernel_threads[2];
K_THREAD_STACK_ARRAY_DEFINE(kernel_stacks, 2, 512);

static void begin(int i, k_thread_entry_t entry, const void *arg)
{
	(void)k_thread_create(&kernel_threads[i], kernel_stacks[i], 512, entry,
			      (void *)(uintptr_t)arg, NULL, NULL, USER_PRIO - 1, 0, K_NO_WAIT);
}

static void finish(int i)
{
	CHECK_EQ(k_thread_join(&kernel_threads[i], K_FOREVER), 0);
}

static void wakes(void *arg, void *p2, void *p3)
{
	for (int i = 0; i < 3; i++) {
		k_sleep(K_TICKS(1));
	}
}

static K_APP_BMEM(shared) uint64_t in_partition[16];

TEST(cortex_m_a_stack_pointer_that_leads_nowhere_is_a_fault_of_its_thread)
{
	extern char _isr_stack_top[];
	const uintptr_t nowhere[] = {
		0,
		4,
		32, /* so that the frame would be at 0 */
		64,
		0x2000,
		BOARD_RAM_BASE,
		BOARD_RAM_BASE + BOARD_RAM_SIZE,
		0x30000000U,
		BOARD_UART_BASE + 32,
		0xE000E120U,
		UINTPTR_MAX,
		UINTPTR_MAX & ~(uintptr_t)7,
		(uintptr_t)_isr_stack_top,
		(uintptr_t)&in_kernel,
		(uintptr_t)other_stack + sizeof(other_stack),
		(uintptr_t)user_stack + CONFIG_PRIVILEGED_STACK_SIZE,
		(uintptr_t)user_stack + CONFIG_PRIVILEGED_STACK_SIZE + 24, /* half a frame */
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(nowhere); i++) {
		for (uintptr_t how = BY_SVC; how < HOWS; how++) {
			begin(0, wakes, NULL);
			CHECK(faults(with_sp, nowhere[i], how));
			CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
			CHECK_EQ(seen[0], 1);
			CHECK_EQ(seen[1], 0);
			finish(0);
		}
	}
}

TEST(cortex_m_a_call_needs_a_frame_on_its_own_stack)
{
	const uintptr_t start_of_stack = (uintptr_t)user_stack + CONFIG_PRIVILEGED_STACK_SIZE;

	CHECK(!faults(with_sp, start_of_stack + 32, BY_SVC)); /* the last that has room */
	CHECK_EQ(seen[1], 1);
	CHECK(!faults(with_sp, start_of_stack + 36, BY_SVC)); /* against the ABI */
	/* The core can write there, but others can, too. */
	CHECK(faults(with_sp, (uintptr_t)&in_partition[16], BY_SVC));
	CHECK_EQ(fatal_reason, K_ERR_KERNEL_OOPS);
	CHECK(faults(with_sp, (uintptr_t)&in_partition[16], BY_FAULT));
	CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
}

/* ---- a frame that somebody changes while its thread does not run ---- */

static void changes_frame(void *arg, void *p2, void *p3)
{
	volatile uint32_t *frame = (volatile uint32_t *)&in_partition[12];
	const uintptr_t *what = arg;

	k_sleep(K_TICKS(2)); /* the thread spins, and its frame is that of this interrupt */
	frame[what[0]] = what[1];
	if (what[2] != 0) { /* continued by arch_switch(), and not by the end of an interrupt */
		k_sleep(K_TICKS(1));
	}
}

TEST(cortex_m_a_frame_that_is_forged_is_user_modes_all_the_same)
{
	static const uintptr_t forged[][2] = {
		{7, 0}, /* xPSR: Arm state */
		{7, 0x0100000B}, /* a handler's */
		{7, 0x01000003},  {7, 0x01000800}, /* in an IT block */
		{6, 0xFFFFFFFDU}, /* pc */
		{6, 0},           {6, BOARD_RAM_BASE}, {6, 0xE000ED00U},
	};

	for (unsigned int i = 0; i < 2 * ARRAY_SIZE(forged); i++) {
		uintptr_t what[] = {forged[i / 2][0], forged[i / 2][1], i % 2};
		bool may_go_on = what[1] == 0x01000800U;

		(void)user_prepare(with_sp, &in_partition[16], (void *)BY_INTERRUPT, NULL);
		begin(0, changes_frame, what);
		begin(1, wakes, NULL);
		k_thread_start(&user_thread);
		finish(0);
		finish(1);
		CHECK(k_thread_join(&user_thread, K_TICKS(4)) == 0 || may_go_on);
		CHECK(fatal_count == 1 || may_go_on);
		k_thread_abort(&user_thread);
		CHECK_EQ(in_kernel, 43);
	}
}

static struct k_mem_domain narrow;

static void takes_partition(void *arg, void *p2, void *p3)
{
	k_sleep(K_TICKS(2));
	(void)k_mem_domain_remove_partition(&narrow, &shared);
}

TEST(cortex_m_a_frame_whose_memory_goes_is_a_fault_of_its_thread)
{
	struct k_mem_partition *parts[] = {&shared};

	CHECK_EQ(k_mem_domain_init(&narrow, 1, parts), 0);
	(void)user_prepare(with_sp, &in_partition[16], (void *)BY_INTERRUPT, NULL);
	(void)k_mem_domain_add_thread(&narrow, &user_thread);
	begin(0, takes_partition, NULL);
	CHECK(!user_finish());
	finish(0);
	CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
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

static void reads_word(void *address, void *p2, void *p3)
{
	seen[0] = 1;
	seen[1] = *(volatile intptr_t *)address;
	seen[2] = 1;
}

static void writes_word(void *address, void *word, void *p3)
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
	CHECK(faults(reads_word, 0, 0)); /* the vectors */
	CHECK(faults(reads_word, 252, 0));
	CHECK(!faults(reads_word, 256, 0));
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
	case 7:
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
	for (uintptr_t which = 0; which < 9; which++) {
		CHECK(faults(executes, which, 0));
		CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(seen[1], 0);
	}
}

/* ---- regions ---- */

K_THREAD_STACK_DEFINE(small_stack, 512);
K_THREAD_STACK_DEFINE(odd_stack, 1500);
K_THREAD_STACK_DEFINE(seven_stack, 7168); /* with the stack of its calls a power of two */
K_THREAD_STACK_DEFINE(eight_stack, 8192); /* and here they take two regions */
K_THREAD_STACK_DEFINE(large_stack, 40000);

static bool on_stack(k_thread_stack_t *stack, size_t size, k_thread_entry_t entry, uintptr_t p1)
{
	fatal_count = 0;
	seen[2] = 0;
	(void)k_thread_create(&other_thread, stack, size, entry, (void *)p1, NULL, NULL, USER_PRIO,
			      K_USER, K_FOREVER);
	(void)k_mem_domain_add_thread(user_thread.user.domain, &other_thread);
	k_thread_start(&other_thread);
	CHECK_EQ(k_thread_join(&other_thread, K_FOREVER), 0);
	CHECK_EQ(seen[2], fatal_count == 0);
	return fatal_count == 0;
}

TEST(cortex_m_stacks_of_any_size_are_within_reach_to_the_byte)
{
	const struct {
		k_thread_stack_t *stack;
		size_t size, bytes;
	} stacks[] = {
		{small_stack, K_THREAD_STACK_SIZEOF(small_stack), sizeof(small_stack)},
		{odd_stack, K_THREAD_STACK_SIZEOF(odd_stack), sizeof(odd_stack)},
		{odd_stack, 1000, sizeof(odd_stack)},
		{seven_stack, K_THREAD_STACK_SIZEOF(seven_stack), sizeof(seven_stack)},
		{seven_stack, 300, sizeof(seven_stack)},
		{eight_stack, K_THREAD_STACK_SIZEOF(eight_stack), sizeof(eight_stack)},
		{eight_stack, 8192, sizeof(eight_stack)},
		{large_stack, K_THREAD_STACK_SIZEOF(large_stack), sizeof(large_stack)},
	};

	CHECK(user_run(calls_with_any_immediate, NULL, NULL, NULL) == false); /* its domain */
	for (unsigned int i = 0; i < ARRAY_SIZE(stacks); i++) {
		k_thread_stack_t *stack = stacks[i].stack;
		size_t size = stacks[i].size;
		uintptr_t start = (uintptr_t)stack + CONFIG_PRIVILEGED_STACK_SIZE;

		/* Of a very long one, behind one that is no power of two, the lowest bytes may not be. */
		CHECK(on_stack(stack, size, reads_word,
			       start + (size < 32768 ? 0 : ROUND_UP(size / 64, 4))));
		CHECK(on_stack(stack, size, reads_word, start + size - 4));
		CHECK(!on_stack(stack, size, reads_word, start - 4));
		CHECK(!on_stack(stack, size, writes_word, start - 4));
		CHECK(!on_stack(stack, size, reads_word, (uintptr_t)stack));
		CHECK(!on_stack(stack, size, writes_word, (uintptr_t)stack + stacks[i].bytes));
	}
}

/* What it saw it says by how it ends: `seen` is not in its domain. */
static void reads_and_oopses(void *address, void *p2, void *p3)
{
	(void)*(volatile intptr_t *)address;
	k_oops();
}

static char pieces[8192] __aligned(8192);

TEST(cortex_m_partitions_are_within_reach_to_the_byte)
{
	static struct k_mem_domain domain;
	static const struct {
		size_t offset, size;
	} shapes[] = {{0, 32},    {32, 32},   {96, 160},    {224, 64},  {0, 8192},
		      {64, 8000}, {512, 512}, {1024, 3072}, {992, 1056}};

	for (unsigned int i = 0; i < ARRAY_SIZE(shapes); i++) {
		uintptr_t start = (uintptr_t)pieces + shapes[i].offset;
		struct k_mem_partition part = {start, shapes[i].size, K_MEM_PARTITION_P_RW_U_RW};
		struct k_mem_partition *parts[] = {&part};
		const uintptr_t tried[] = {start, start + shapes[i].size - 4, start - 4,
					   start + shapes[i].size};

		CHECK_EQ(k_mem_domain_init(&domain, 1, parts), 0);
		for (unsigned int n = 0; n < ARRAY_SIZE(tried); n++) {
			(void)user_prepare(reads_and_oopses, (void *)tried[n], NULL, NULL);
			(void)k_mem_domain_add_thread(&domain, &user_thread);
			CHECK(!user_finish());
			CHECK_EQ(fatal_reason, n < 2 ? K_ERR_KERNEL_OOPS : K_ERR_CPU_EXCEPTION);
		}
	}
}
