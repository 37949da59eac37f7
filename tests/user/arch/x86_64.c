/* SPDX-License-Identifier: Apache-2.0 */
/* Ends that only x86-64 has: its registers, flags, segments and instructions; its addresses that are none. */
#include <board.h>

/* Its own registers are 0 before; so is rcx, which the stub passes on in r10, where a fast call has its number. */
#define LOOK_AFTER(function)                                                                    \
	__asm__ volatile("xorl %%ecx, %%ecx\n\txorl %%edx, %%edx\n\txorl %%esi, %%esi\n\t"      \
			 "xorl %%r8d, %%r8d\n\txorl %%r9d, %%r9d\n\tleaq sem(%%rip), %%rdi\n\t" \
			 "call __wrap_" #function "\n\tmovq %%r10, %1\n\tmovq %%rdx, %0\n\t"    \
			 ".irp r, rsi, rdi, r8, r9\n\torq %%\\r, %0\n\t.endr"                   \
			 : "=&b"(all), "=&r"(number)                                            \
			 :                                                                      \
			 : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc",   \
			   "memory")

#include "../own_calls.h"
#include "left_over.h"

static k_tid_t with_sem(k_thread_entry_t entry, void *p1)
{
	k_tid_t thread = user_prepare(entry, p1, NULL, NULL);

	k_thread_access_grant(thread, &sem);
	return thread;
}

/* ---- flags ---- */

#define FLAG_TF (1UL << 8)
#define FLAG_DF (1UL << 10)
#define FLAG_NT (1UL << 14)
#define FLAG_AC (1UL << 18)

/* In one go, so that nothing lies between setting the flags and the call, or the interrupt. */
#define GIVE_WITH_FLAGS(flags)                                                                 \
	__asm__ volatile("pushfq\n\torq %1, (%%rsp)\n\tpopfq\n\tcall __wrap_k_sem_give\n\tcld" \
			 : "+D"(p1)                                                            \
			 : "i"(flags)                                                          \
			 : "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc", "memory")

static void sets_flags(void *p1, void *p2, void *p3)
{
	uintptr_t flags;

	GIVE_WITH_FLAGS(FLAG_DF | FLAG_NT | FLAG_AC);
	__asm__ volatile("pushfq\n\tpopq %0" : "=r"(flags)::"memory");
	seen[0] = (intptr_t)(flags & (FLAG_NT | FLAG_AC));
	/* And an interrupt has them as they are, and gives them back. */
	__asm__ volatile("pushfq\n\torq %1, (%%rsp)\n\tpopfq\n\tmovl $3000000, %%ecx\n"
			 "1:\tdecl %%ecx\n\tjnz 1b\n\tpushfq\n\tpopq %0\n\tcld"
			 : "=r"(flags)
			 : "i"(FLAG_DF | FLAG_NT | FLAG_AC)
			 : "rcx", "cc", "memory");
	seen[1] = (flags & (FLAG_DF | FLAG_AC)) == (FLAG_DF | FLAG_AC);
	seen[2] = 1;
}

TEST(x86_64_flags_of_a_user_are_not_the_kernels)
{
	int rounds = 0;

	k_sem_reset(&sem);
	(void)with_sem(sets_flags, &sem);
	(void)start(wakes_often, &rounds, USER_PRIO - 2);
	CHECK(user_finish());
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], 1);
	CHECK_EQ(seen[2], 1);
	CHECK(rounds > 0);
	CHECK_EQ(k_sem_count_get(&sem), 1);
}

/* What the kernel's own code finds in them: compiled code counts on the direction, and a copy on AC. */
#define LOOK_WITH_FLAGS(flags)                                                                \
	__asm__ volatile("pushfq\n\torq %1, (%%rsp)\n\tpopfq\n\tcall __wrap_own_flags\n\tcld" \
			 : "=&a"(found)                                                       \
			 : "i"(flags)                                                         \
			 : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc", "memory")

static volatile uintptr_t flags_of_handlers;
static volatile unsigned int handlers;

static void notes_flags(struct k_timer *timer)
{
	flags_of_handlers |= own_flags();
	handlers++;
}

static void sets_each_flag(void *p1, void *p2, void *p3)
{
	uintptr_t found;

	LOOK_WITH_FLAGS(FLAG_DF);
	seen[0] = (intptr_t)(found & FLAG_DF);
	LOOK_WITH_FLAGS(FLAG_AC);
	seen[1] = (intptr_t)(found & FLAG_AC);
	LOOK_WITH_FLAGS(FLAG_NT);
	seen[2] = (intptr_t)(found & FLAG_NT);
	__asm__ volatile("std\n\tmovl $3000000, %%ecx\n1:\tdecl %%ecx\n\tjnz 1b\n\tcld" ::
				 : "rcx", "cc");
	seen[3] = 1;
}

TEST(x86_64_flags_of_a_user_are_cleared_in_calls_and_handlers)
{
	static K_TIMER_DEFINE(timer, notes_flags, NULL);

	flags_of_handlers = 0;
	handlers = 0;
	(void)user_prepare(sets_each_flag, NULL, NULL, NULL);
	k_timer_start(&timer, K_TICKS(1), K_TICKS(1));
	CHECK(user_finish());
	k_timer_stop(&timer);
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(seen[2], 0);
	CHECK_EQ(seen[3], 1);
	CHECK(handlers > 1);
	CHECK_EQ(flags_of_handlers & FLAG_DF, 0);
}

#define MSR_FMASK 0xc0000084U
#define FLAG_IF   (1UL << 9)
#define FLAG_IOPL (3UL << 12)

/* QEMU 7.2 leaves the direction flag clear in a call whatever it is told; a core does what it is told. */
TEST(x86_64_the_core_is_told_which_flags_a_call_clears)
{
	const uint32_t all = FLAG_TF | FLAG_IF | FLAG_DF | FLAG_IOPL | FLAG_NT | FLAG_AC;
	uint32_t low, high;

	__asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(MSR_FMASK));
	CHECK_EQ(low & all, all);
}

/* A single step ends whoever sets it; were it the entry's first instruction that is stepped, all. */
static void steps_into_a_call(void *p1, void *p2, void *p3)
{
	seen[0] = 1;
	__asm__ volatile("pushfq\n\torq %1, (%%rsp)\n\txorl %%eax, %%eax\n\tpopfq\n\tsyscall"
			 : "+D"(p1)
			 : "i"(FLAG_TF)
			 : "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc", "memory");
	seen[1] = 1;
}

static void steps(void *p1, void *p2, void *p3)
{
	seen[0] = 1;
	__asm__ volatile("pushfq\n\torq %0, (%%rsp)\n\tpopfq\n\tnop\n\tnop" ::"i"(FLAG_TF)
			 : "cc", "memory");
	seen[1] = 1;
}

TEST(x86_64_a_single_step_is_its_threads_own_matter)
{
	CHECK(!user_run(steps, NULL, NULL, NULL));
	CHECK_EQ(seen[1], 0);
	k_sem_give(&sem); /* so that the take, which is call 0, need not wait */
	(void)with_sem(steps_into_a_call, &sem);
	(void)user_finish();
	CHECK_EQ(seen[0], 1);
	(void)with_sem(looks_at_registers, &sem);
	CHECK(user_finish()); /* all others go on */
}

/* ---- instructions ---- */

const uint64_t kernel_code_far[2] __aligned(16) = {(uintptr_t)k_yield, 0x08};

#define REFUSED(name, code)                           \
	static __attribute__((naked)) void name(void) \
	{                                             \
		__asm__(code "\n\tret");              \
	}

REFUSED(does_cli, "cli")
REFUSED(does_sti, "sti")
REFUSED(does_hlt, "hlt")
REFUSED(does_in, "inb $0x21, %al")
REFUSED(does_out, "outb %al, $0xf4")
REFUSED(does_in_dx, "movw $0x3f8, %dx\n\tinb %dx, %al")
REFUSED(does_int_20, "int $0x20")
REFUSED(does_int_2, "int $2")
REFUSED(does_int_8, "int $8")
REFUSED(does_int_80, "int $0x80")
REFUSED(does_int_f1, "int $0xf1")
REFUSED(does_int3, "int3")
REFUSED(does_int1, ".byte 0xf1")
REFUSED(does_ud2, "ud2")
REFUSED(does_far_call, "lcall *kernel_code_far(%rip)")
REFUSED(does_far_jump, "ljmp *kernel_code_far(%rip)")
REFUSED(does_far_return, "pushq $0x08\n\tpushq $k_yield\n\tlretq")
REFUSED(does_iret_to_ring_0, "movq %rsp, %rax\n\tpushq $0x10\n\tpushq %rax\n\tpushq $0x202\n\t"
			     "pushq $0x08\n\tpushq $k_yield\n\tiretq")
REFUSED(does_compatibility, "pushq $0x1b\n\tpushq $k_yield\n\tlretq")
REFUSED(does_load_ss, "movl $0x10, %eax\n\tmovl %eax, %ss")
REFUSED(does_load_ds, "movl $0x10, %eax\n\tmovl %eax, %ds")
REFUSED(does_load_gs, "movl $0x28, %eax\n\tmovl %eax, %gs")
REFUSED(does_lldt, "xorl %eax, %eax\n\tlldt %ax")
REFUSED(does_ltr, "movl $0x28, %eax\n\tltr %ax")
REFUSED(does_lgdt, "lgdt -16(%rsp)")
REFUSED(does_lidt, "lidt -16(%rsp)")
REFUSED(does_sgdt, "sgdt -16(%rsp)")
REFUSED(does_sidt, "sidt -16(%rsp)")
REFUSED(does_str, "str %eax")
REFUSED(does_read_cr0, "movq %cr0, %rax")
REFUSED(does_read_cr3, "movq %cr3, %rax")
REFUSED(does_write_cr4, "movq %rax, %cr4")
REFUSED(does_write_dr7, "movq %rax, %dr7")
REFUSED(does_rdmsr, "xorl %ecx, %ecx\n\trdmsr")
REFUSED(does_wrmsr, "movl $0xc0000082, %ecx\n\twrmsr")
REFUSED(does_rdtsc, "rdtsc")
REFUSED(does_swapgs, "swapgs")
REFUSED(does_sysret, "movq $k_yield, %rcx\n\tsysretq")
REFUSED(does_sysexit, "sysexit")
REFUSED(does_sysenter, "sysenter")
REFUSED(does_stac, "stac")
REFUSED(does_wbinvd, "wbinvd")
REFUSED(does_invlpg, "invlpg (%rsp)")
REFUSED(does_xsetbv, "xsetbv")
#ifdef CONFIG_FPU /* an error that user mode has asked for; what is no word of control */
REFUSED(does_x87, "fninit\n\tpushq $0x37b\n\tfldcw (%rsp)\n\tfld1\n\tpushq $0\n\t"
		  "fdivl (%rsp)\n\tfwait")
REFUSED(does_sse, "pushq $-1\n\tldmxcsr (%rsp)")
#else
REFUSED(does_x87, "fninit\n\tfld1")
REFUSED(does_sse, "xorps %xmm0, %xmm0")
#endif
REFUSED(does_avx, ".byte 0xc5, 0xf8, 0x57, 0xc0") /* vxorps, whose registers nobody would save */
REFUSED(does_clts, "clts")
REFUSED(does_wrfsbase, "xorl %eax, %eax\n\twrfsbase %rax")

static void does(void *what, void *p2, void *p3)
{
	seen[0] = 1;
	__asm__ volatile("call *%0" ::"r"(what)
			 : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc",
			   "memory");
	seen[1] = 1;
}

static void refuses(void (*what)(void))
{
	CHECK(!user_run(does, (void *)what, NULL, NULL));
	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
}

#define CPUID_7_UMIP (1U << 2) /* in ecx */

TEST(x86_64_instructions_that_are_not_a_users)
{
	static void (*const all[])(void) = {
		does_cli,           does_sti,
		does_hlt,           does_in,
		does_out,           does_in_dx,
		does_int_20,        does_int_2,
		does_int_8,         does_int_80,
		does_int_f1,        does_int3,
		does_int1,          does_ud2,
		does_far_call,      does_far_jump,
		does_far_return,    does_iret_to_ring_0,
		does_compatibility, does_load_ss,
		does_load_ds,       does_load_gs,
		does_lldt,          does_ltr,
		does_lgdt,          does_lidt,
		does_read_cr0,      does_read_cr3,
		does_write_cr4,     does_write_dr7,
		does_rdmsr,         does_wrmsr,
		does_rdtsc,         does_swapgs,
		does_sysret,        does_sysexit,
		does_sysenter,      does_stac,
		does_wbinvd,        does_invlpg,
		does_xsetbv,        does_x87,
		does_sse,           does_wrfsbase,
		does_avx,           does_clts,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(all); i++) {
		refuses(all[i]);
		if (seen[1] != 0) {
			printk("number %u was not refused\n", i);
		}
	}
}

/* Where the core's tables lie, is refused by UMIP only: a core without it tells everybody. */
TEST(x86_64_where_tables_lie_is_not_a_users_to_know)
{
	uint32_t a = 7, b, c = 0, d;

	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	if ((c & CPUID_7_UMIP) == 0) {
		printk("no UMIP here\n");
		return;
	}
	refuses(does_sgdt);
	refuses(does_sidt);
	refuses(does_str);
}

/* ---- addresses that are none ---- */

#define NOT_CANONICAL 0x0001000000000000UL

static void waits(void *p1, void *p2, void *p3)
{
	seen[0] = 1;
	(void)k_sem_take(p1, K_FOREVER);
	seen[1] = 1;
}

/* Its entry, by IRET or SYSRET, would fault in ring 0. So would the way back from a call, could it choose it. */
TEST(x86_64_an_address_that_is_none_is_its_threads_own_matter)
{
	static const uintptr_t addresses[] = {NOT_CANONICAL,        0x0000800000000000UL,
					      0xFFFF800000000000UL, 0x8000000000000000UL,
					      UINTPTR_MAX,          0x00007FFFFFFFFFFFUL};

	for (unsigned int i = 0; i < ARRAY_SIZE(addresses); i++) {
		CHECK(!user_run((k_thread_entry_t)addresses[i], NULL, NULL, NULL));
		CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
		k_sem_reset(&sem);
		(void)with_sem(waits, &sem);
		k_thread_start(&user_thread);
		k_sleep(K_TICKS(1));
		CHECK_EQ(seen[0], 1);
		/* The frame of its call: where SYSRET goes. No user can write that; this test can. */
		((uintptr_t *)(void *)user_thread.stack_start)[-2] = addresses[i];
		k_sem_give(&sem);
		CHECK_EQ(k_thread_join(&user_thread, K_FOREVER), 0);
		CHECK_EQ(seen[1], 0);
		CHECK_EQ(fatal_count, 1);
		CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
	}
}

/* Calls and interrupts come with whatever is in rsp, and give that back. */
static void has_a_stack_nowhere(void *p1, void *address, void *p3)
{
	uintptr_t after;

	__asm__ volatile("movq %%rsp, %%r12\n\tmovq %2, %%rsp\n\tmovl $1, %%eax\n\tsyscall\n\t"
			 "movl $1500000, %%ecx\n1:\tdecl %%ecx\n\tjnz 1b\n\t"
			 "movq %%rsp, %0\n\tmovq %%r12, %%rsp"
			 : "=&b"(after), "+D"(p1)
			 : "r"(address)
			 : "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "cc",
			   "memory");
	seen[0] = after == (uintptr_t)address;
}

TEST(x86_64_a_stack_pointer_of_a_users_is_believed_in_nothing)
{
	const uintptr_t places[] = {0,
				    8,
				    NOT_CANONICAL,
				    UINTPTR_MAX,
				    (uintptr_t)&k_cpu,
				    (uintptr_t)user_thread.stack_start,
				    (uintptr_t)k_yield};
	int rounds = 0;

	(void)start(wakes_often, &rounds, USER_PRIO - 2);
	for (unsigned int i = 0; i < ARRAY_SIZE(places); i++) {
		k_sem_reset(&sem);
		(void)user_prepare(has_a_stack_nowhere, &sem, (void *)places[i], NULL);
		k_thread_access_grant(&user_thread, &sem);
		CHECK(user_finish());
		CHECK_EQ(seen[0], 1);
		CHECK_EQ(k_sem_count_get(&sem), 1); /* call 1 is its give */
	}
	CHECK(rounds > 0);
}

/* ---- what the kernel and user mode share ---- */

#define ROUNDS 20

static K_MUTEX_DEFINE(mutex);
static K_EVENT_DEFINE(event);
K_STACK_DEFINE(x86_64_stack, 4);
K_MSGQ_DEFINE(x86_64_msgq, 40, 4, 4);
static K_TIMER_DEFINE(timer, NULL, NULL);

static void calls_much(void *p1, void *p2, void *p3)
{
	char message[40] = "words";
	stack_data_t popped;
	size_t unused;

	/* Bound: so many. */
	for (int i = 0; i < ROUNDS; i++) {
		k_sem_give(&sem);
		seen[0] += k_sem_take(&sem, K_FOREVER);
		seen[0] += k_sem_take(&sem, K_TICKS(1)) != -EAGAIN;
		seen[0] += k_mutex_lock(&mutex, K_FOREVER) | k_mutex_unlock(&mutex);
		k_event_post(&event, 1);
		seen[0] += k_event_wait(&event, 1, false, K_FOREVER) != 1;
		seen[0] += k_stack_push(&x86_64_stack, 1) |
			   k_stack_pop(&x86_64_stack, &popped, K_NO_WAIT);
		seen[0] += k_msgq_put(&x86_64_msgq, message, K_FOREVER);
		seen[0] += k_msgq_get(&x86_64_msgq, message, K_FOREVER);
		k_timer_start(&timer, K_TICKS(1), K_NO_WAIT);
		seen[0] += k_timer_status_sync(&timer) != 1;
		seen[0] += k_sleep(K_TICKS(1)) + k_usleep(1);
		seen[0] += k_uptime_get() < 0 || k_current_get() != &user_thread;
		(void)k_thread_stack_space_get(&user_thread, &unused);
		(void)k_thread_name_set(NULL, message);
		k_thread_priority_set(&user_thread, USER_PRIO);
		k_yield();
	}
	seen[1] = 1;
}

/* Neither its calls, nor the interrupts and the idle thread in between: the one is of who waits for it here. */
TEST(x86_64_no_call_of_a_users_lets_the_kernel_meet_its_pages)
{
	uint32_t before;

	k_sem_reset(&sem);
	(void)with_sem(calls_much, NULL);
	k_thread_access_grant(&user_thread, &mutex, &event, &x86_64_stack, &x86_64_msgq, &timer);
	before = x86_64_view_faults;
	CHECK(user_finish());
	CHECK_EQ(seen[0], 0);
	CHECK_EQ(seen[1], 1);
	CHECK(x86_64_view_faults - before <= 1);
}

static void asks_for(void *address, void *size, void *p3)
{
	seen[1] = own_asks(address, (size_t)size, OWN_MAY_READ);
	seen[2] = 1;
}

static bool may_read(uintptr_t address, size_t size)
{
	CHECK(user_run(asks_for, (void *)address, (void *)size, NULL));
	CHECK_EQ(seen[2], 1);
	return seen[1] != 0;
}

TEST(calls_read_no_further_than_code_and_constants_reach)
{
	extern char x86_64_user_start[], x86_64_user_end[];

	CHECK(may_read((uintptr_t)x86_64_user_start, 4));
	CHECK(!may_read((uintptr_t)x86_64_user_start - 4, 8));
	CHECK(may_read((uintptr_t)x86_64_user_end - 4, 4));
	CHECK(!may_read((uintptr_t)x86_64_user_end - 4, 8));
	CHECK(!may_read((uintptr_t)x86_64_user_start, SIZE_MAX));
}

/* ---- pages ---- */

K_THREAD_STACK_DEFINE(never_named, USER_STACK_SIZE);

TEST(pages_that_are_no_variables_are_no_partition)
{
	extern char x86_64_user_start[], x86_64_user_end[], x86_64_rodata_end[];
	static struct k_mem_domain domain;
	const uintptr_t places[] = {
		(uintptr_t)x86_64_user_start,
		(uintptr_t)x86_64_user_end - ARCH_PAGE,
		(uintptr_t)x86_64_rodata_end - ARCH_PAGE,
		BOARD_RAM_BASE,
		(uintptr_t)never_named,
		(uintptr_t)never_named + ARCH_USER_STACK_RESERVED,
		BOARD_RAM_BASE + BOARD_RAM_SIZE,
		BOARD_RAM_BASE + BOARD_RAM_SIZE - ARCH_PAGE / 2U,
		BOARD_LAPIC_BASE,
		0,
	};

	CHECK_EQ(k_mem_domain_init(&domain, 0, NULL), 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(places); i++) {
		struct k_mem_partition part = {places[i], ARCH_PAGE, K_MEM_PARTITION_P_RW_U_RW};

		CHECK_EQ(k_mem_domain_add_partition(&domain, &part), -EINVAL);
	}
}

static const uint8_t returns[4] = {0xc3, 0xc3, 0xc3, 0xc3};

static void runs(void *address, void *p2, void *p3)
{
	seen[0] = *(const volatile uint8_t *)address;
	((void (*)(void))(uintptr_t)address)();
	seen[1] = 1;
}

TEST(memory_constants_are_read_and_not_executed)
{
	CHECK(!user_run(runs, (void *)(uintptr_t)returns, NULL, NULL));
	CHECK_EQ(seen[0], 0xc3);
	CHECK_EQ(seen[1], 0);
	CHECK_EQ(fatal_reason, K_ERR_CPU_EXCEPTION);
}
