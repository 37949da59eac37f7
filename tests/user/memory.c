/* SPDX-License-Identifier: Apache-2.0 */
/* What a user thread may touch, and what happens where it may not. */
#include <board.h>
#include "device.h"
#include "user.h"

K_APPMEM_PARTITION_DEFINE(second);
K_APP_DMEM(second) static volatile int in_second = 42;

static volatile int in_kernel = 43;
static const int constant = 44;

__attribute__((noipa)) static int load(const volatile int *address)
{
	return *address;
}

static void reads(void *address, void *p2, void *p3)
{
	seen[0] = 1;
	seen[1] = load(address);
	seen[2] = 1;
}

static void writes(void *address, void *p2, void *p3)
{
	seen[0] = 1;
	*(volatile int *)address = 99;
	seen[2] = 1;
}

static void jumps(void *address, void *p2, void *p3)
{
	seen[0] = 1;
	((void (*)(void *))address)(p2);
	seen[2] = 1;
}

static bool may(k_thread_entry_t how, volatile void *address)
{
	bool ended_well = user_run(how, (void *)address, NULL, NULL);

	CHECK_EQ(seen[0], 1);
	CHECK_EQ(seen[2], ended_well);
	return ended_well;
}

static bool may_in(struct k_mem_domain *domain, k_thread_entry_t how, volatile void *address)
{
	(void)user_prepare(how, (void *)address, NULL, NULL);
	(void)k_mem_domain_add_thread(domain, &user_thread);
	return user_finish();
}

TEST(memory_constants_are_read_and_not_written)
{
	CHECK(may(reads, (volatile void *)(uintptr_t)&constant));
	CHECK_EQ(seen[1], 44);
	CHECK(!may(writes, (volatile void *)(uintptr_t)&constant));
	CHECK(!may(writes, (volatile void *)(uintptr_t)k_sem_take));
	CHECK_EQ(constant, 44);
}

TEST(memory_of_the_kernel_is_out_of_reach)
{
	CHECK(!may(reads, &in_kernel));
	CHECK_EQ(seen[1], 0);
	CHECK(!may(writes, &in_kernel));
	CHECK_EQ(in_kernel, 43);
	CHECK(!may(reads, &user_thread));
	CHECK(!may(writes, &user_thread.options));
	CHECK(!may(reads, &k_cpu));
	CHECK(!may(reads, NULL));
	CHECK(!may(writes, NULL));
	CHECK(!may(reads, (void *)A_DEVICE));
	CHECK(!may(writes, (void *)A_DEVICE));
	CHECK(!may(reads, (void *)(BOARD_RAM_BASE + BOARD_RAM_SIZE - 4)));
}

TEST(memory_of_other_stacks_is_out_of_reach)
{
	int mine = 0;

	CHECK(!may(reads, &mine));
	CHECK(!may(reads, other_stack + sizeof(other_stack) - 4));
	CHECK(!may(reads, other_stack + sizeof(other_stack) - 100));
	CHECK(!may(writes, other_stack + sizeof(other_stack) - 100));
	/* Its own: the end of it, and behind; what its system calls run on. */
	CHECK(may(reads, user_stack + sizeof(user_stack) - 4));
	CHECK(!may(reads, user_stack + sizeof(user_stack)));
	CHECK(!may(reads, user_stack));
	CHECK(!may(writes, user_stack + ARCH_USER_STACK_RESERVED - 4));
	CHECK(!may(reads, user_stack + ARCH_USER_STACK_RESERVED - 4));
}

static void deeper(void *p1, void *p2, void *p3)
{
	volatile char here[128];

	here[0] = 1;
	seen[0]++;
	if (seen[0] < 100) {
		deeper((void *)here, p2, p3);
	}
	seen[1] = here[0];
}

TEST(memory_a_stack_that_overflows_is_a_fault_of_its_thread)
{
	CHECK(!user_run(deeper, NULL, NULL, NULL));
	CHECK(seen[0] >= 3);
	CHECK(seen[0] <= USER_STACK_SIZE / 128);
}

#if defined(__riscv)
static K_APP_DMEM(shared) volatile uint32_t data_code[2] = {0x00008067U, 0x00008067U}; /* ret */
#define CALLABLE(address) (address)
#elif defined(__aarch64__)
static K_APP_DMEM(shared) volatile uint32_t data_code[2] = {0xd65f03c0U, 0xd65f03c0U}; /* ret */
#define CALLABLE(address) (address)
#elif defined(__x86_64__)
static K_APP_DMEM(shared) volatile uint32_t data_code[2] = {0xc3c3c3c3U, 0xc3c3c3c3U}; /* ret */
#define CALLABLE(address) (address)
#else
static K_APP_DMEM(shared) volatile uint32_t data_code[2] = {0x47704770U, 0x47704770U}; /* bx lr */
#define CALLABLE(address) ((volatile char *)(address) + 1) /* Thumb */
#endif

TEST(memory_data_are_not_executed)
{
	CHECK(!may(jumps, CALLABLE(data_code)));
	CHECK(!may(jumps, CALLABLE(NULL)));
}

static void sets_in_kernel(void *p1)
{
	in_kernel = 1;
}

TEST(memory_kernel_code_has_no_rights_in_user_mode)
{
	CHECK(!may(jumps, (void *)sets_in_kernel));
	CHECK_EQ(in_kernel, 43);
	CHECK(!may(jumps, (void *)k_sched_lock));
	CHECK(!may(jumps, (void *)irq_disable));
}

static void privileged(void *p1, void *p2, void *p3)
{
	seen[0] = 1;
#if defined(__riscv)
	__asm__ volatile("csrw mscratch, zero");
#elif defined(__aarch64__)
	__asm__ volatile("msr vbar_el1, xzr");
#elif defined(__x86_64__)
	__asm__ volatile("mov %%cr3, %%rax" ::: "rax");
#else
	__asm__ volatile("udf #0"); /* writes of special registers are ignored there */
#endif
	seen[2] = 1;
}

static void masks(void *p1, void *p2, void *p3)
{
	seen[0] = 1;
	(void)irq_lock();
	seen[2] = 1;
}

TEST(memory_privileged_instructions_are_refused)
{
	CHECK(!may(privileged, NULL));
#if defined(__riscv) || defined(__aarch64__) || defined(__x86_64__)
	CHECK(!may(masks, NULL));
#else
	CHECK(may(masks, NULL)); /* ignored */
#endif
}

TEST(memory_a_partition_is_shared_by_those_in_its_domain)
{
	static struct k_mem_domain both;
	struct k_mem_partition *parts[] = {&shared, &second};

	CHECK(!may(reads, &in_second));
	CHECK_EQ(k_mem_domain_init(&both, 2, parts), 0);
	CHECK(may_in(&both, reads, &in_second));
	CHECK_EQ(seen[1], 42);
	CHECK(may_in(&both, writes, &in_second));
	CHECK_EQ(in_second, 99);
	in_second = 42;
	CHECK_EQ(k_mem_domain_remove_partition(&both, &second), 0);
	CHECK_EQ(k_mem_domain_remove_partition(&both, &second), -ENOENT);
	CHECK(!may_in(&both, reads, &in_second));
	CHECK_EQ(k_mem_domain_add_partition(&both, &second), 0);
	CHECK(may_in(&both, reads, &in_second));
}

static struct k_mem_domain changing;

static void removes_soon(void *arg)
{
	k_sleep(K_TICKS(2));
	(void)k_mem_domain_remove_partition(&changing, &second);
}

static void reads_on(void *p1, void *p2, void *p3)
{
	seen[0] = 1;
	for (;;) {
		seen[1] = load(&in_second);
	}
}

TEST(memory_a_partition_that_goes_is_out_of_reach_at_once)
{
	struct k_mem_partition *parts[] = {&shared, &second};

	CHECK_EQ(k_mem_domain_init(&changing, 2, parts), 0);
	(void)start(removes_soon, NULL, USER_PRIO - 1);
	CHECK(!may_in(&changing, reads_on, NULL));
	CHECK_EQ(seen[1], 42);
}

static char aligned[4 * SMALL_PART] __aligned(4 * SMALL_PART);

TEST(memory_what_is_no_partition)
{
	static struct k_mem_domain domain;
	struct k_mem_partition part = {(uintptr_t)aligned, 2 * SMALL_PART,
				       K_MEM_PARTITION_P_RW_U_RW};
	struct k_mem_partition over = {(uintptr_t)aligned + SMALL_PART, 2 * SMALL_PART,
				       K_MEM_PARTITION_P_RW_U_RW};
	struct k_mem_partition empty = {(uintptr_t)aligned + 2 * SMALL_PART, 0,
					K_MEM_PARTITION_P_RW_U_RW};
	struct k_mem_partition odd = {(uintptr_t)aligned + 2 * SMALL_PART + 1, SMALL_PART,
				      K_MEM_PARTITION_P_RW_U_RW};
	struct k_mem_partition uneven = {(uintptr_t)aligned + 2 * SMALL_PART, SMALL_PART + 1,
					 K_MEM_PARTITION_P_RW_U_RW};
	struct k_mem_partition wraps = {(uintptr_t)aligned, SIZE_MAX - SMALL_PART + 1,
					K_MEM_PARTITION_P_RW_U_RW};
	struct k_mem_partition both = {(uintptr_t)aligned + 2 * SMALL_PART, SMALL_PART,
				       K_MEM_PARTITION_WRITE_ | K_MEM_PARTITION_EXEC_};
	struct k_mem_partition half = {(uintptr_t)aligned, SMALL_PART, K_MEM_PARTITION_P_RW_U_RW};
	struct k_mem_partition third = {(uintptr_t)aligned + 2 * SMALL_PART, SMALL_PART,
					K_MEM_PARTITION_P_RW_U_RW};
	struct k_mem_partition *parts[] = {&part, &over, &third};
	struct k_mem_partition object = {ROUND_DOWN((uintptr_t)&user_thread, SMALL_PART),
					 SMALL_PART, K_MEM_PARTITION_P_RW_U_RW};

	CHECK_EQ(k_mem_domain_init(&domain, 0, NULL), 0);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &part), 0);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &part), -EINVAL);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &over), -EINVAL);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &empty), -EINVAL);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &odd), -EINVAL);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &uneven), -EINVAL);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &wraps), -EINVAL);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &both), -EINVAL);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &object), -EINVAL);
	CHECK_EQ(domain.num_partitions, 1);
	CHECK_EQ(k_mem_domain_remove_partition(&domain, &over), -ENOENT);
	CHECK_EQ(k_mem_domain_remove_partition(&domain, &half), -ENOENT); /* it begins there */
	CHECK_EQ(domain.num_partitions, 1);
	/* What comes behind one that is none is not looked at. */
	CHECK_EQ(k_mem_domain_init(&domain, ARRAY_SIZE(parts), parts), -EINVAL);
	CHECK_EQ(domain.num_partitions, 1);
	CHECK_EQ(k_mem_domain_remove_partition(&domain, &part), 0);
	CHECK_EQ(k_mem_domain_remove_partition(&domain, &part), -ENOENT);
}

static char pieces[SMALL_PART * (CONFIG_MAX_DOMAIN_PARTITIONS + 1) * 2] __aligned(SMALL_PART);

TEST(memory_one_partition_too_many_is_refused_and_the_others_hold)
{
	static struct k_mem_domain domain, before;
	struct k_mem_partition last = {
		(uintptr_t)&pieces[SMALL_PART * CONFIG_MAX_DOMAIN_PARTITIONS], SMALL_PART,
		K_MEM_PARTITION_P_RW_U_RW};
	unsigned int taken = 0;
	int result = 0;
	int n = 0;

	CHECK_EQ(k_mem_domain_init(&domain, 0, NULL), 0);
	/* With gaps, so that each takes all that a partition can. */
	while (result == 0 && n <= CONFIG_MAX_DOMAIN_PARTITIONS) {
		struct k_mem_partition part = {(uintptr_t)&pieces[2 * SMALL_PART * n], SMALL_PART,
					       K_MEM_PARTITION_P_RW_U_RW};

		result = k_mem_domain_add_partition(&domain, &part);
		n++;
	}
	CHECK_EQ(result, -ENOSPC);
	CHECK(n > 2);
	CHECK_EQ(domain.num_partitions, n - 1);
	/* Whatever regions suffice for: as many as were taken, where each may be no power of two. */
	CHECK_EQ(k_mem_domain_init(&domain, 0, NULL), 0);
	for (unsigned int i = 0; i < CONFIG_MAX_DOMAIN_PARTITIONS; i++) {
		struct k_mem_partition part = {(uintptr_t)&pieces[2 * SMALL_PART * i],
					       SMALL_PART + ARCH_PARTITION_ALIGN,
					       K_MEM_PARTITION_P_RW_U_RW};

		taken += k_mem_domain_add_partition(&domain, &part) == 0;
		CHECK_EQ(domain.num_partitions, taken);
	}
	/* Where they lie side by side regions suffice for all that a domain may have. */
	CHECK_EQ(k_mem_domain_init(&domain, 0, NULL), 0);
	for (n = 0; n < CONFIG_MAX_DOMAIN_PARTITIONS; n++) {
		struct k_mem_partition part = {(uintptr_t)&pieces[SMALL_PART * n], SMALL_PART,
					       K_MEM_PARTITION_P_RW_U_RW};

		(void)k_mem_domain_add_partition(&domain, &part);
	}
	before = domain;
	CHECK_EQ(k_mem_domain_add_partition(&domain, &last), -ENOSPC);
	CHECK_EQ(domain.num_partitions, before.num_partitions);
	CHECK_EQ(domain.words_start, before.words_start);
	CHECK_EQ(domain.words_size, before.words_size);
	CHECK(domain.next == before.next);
	CHECK_EQ(k_mem_domain_init(&domain, 0, NULL),
		 0); /* what others' objects lie in is asked masked */
	/* The domain's threads have no `shared`, so what they saw shows in how they end. */
	(void)user_prepare(reads, NULL, NULL, NULL);
	CHECK(!user_finish());
}

static struct {
	char before[SMALL_PART - sizeof(struct k_sem)];
	struct k_sem sem;
	char part[SMALL_PART];
	struct k_sem next;
} beside __aligned(SMALL_PART);

TEST(memory_between_two_objects_is_a_partition)
{
	struct k_mem_partition *parts[] = {&shared};
	struct k_mem_partition part = {(uintptr_t)beside.part, sizeof(beside.part),
				       K_MEM_PARTITION_P_RW_U_RW};
	static struct k_mem_domain domain;

	(void)k_sem_init(&beside.sem, 0, 1);
	(void)k_sem_init(&beside.next, 0, 1);
	k_thread_access_grant(k_current_get(), &beside.sem, &beside.next);
	CHECK_EQ(k_mem_domain_init(&domain, 1, parts), 0);
	CHECK_EQ(k_mem_domain_add_partition(&domain, &part), 0);
	CHECK_EQ(k_mem_domain_remove_partition(&domain, &part), 0);
	part.start -= ARCH_PARTITION_ALIGN;
	CHECK_EQ(k_mem_domain_add_partition(&domain, &part), -EINVAL);
	part.start += 2 * ARCH_PARTITION_ALIGN;
	CHECK_EQ(k_mem_domain_add_partition(&domain, &part), -EINVAL);
	k_object_free(&beside.sem);
	k_object_free(&beside.next);
}
