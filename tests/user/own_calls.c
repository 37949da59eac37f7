/* SPDX-License-Identifier: Apache-2.0 */
/* The calls and their verifiers. */
#include <foliot/kernel_mode.h>
#include "own_calls.h"
#include "lib/string.h"

int own_take(struct k_sem *first, struct k_sem *second, k_timeout_t timeout)
{
	int result = k_sem_take(first, timeout);

	return result != 0 ? result : k_sem_take(second, timeout);
}

int verify_own_take(struct k_sem *first, struct k_sem *second, k_timeout_t timeout);
int verify_own_take(struct k_sem *first, struct k_sem *second, k_timeout_t timeout)
{
	K_OOPS(K_SYSCALL_OBJ(first, K_OBJ_SEM));
	K_OOPS(K_SYSCALL_OBJ(second, K_OBJ_SEM));
	return own_take(first, second, timeout);
}

int own_sum(const uint8_t *bytes, size_t size, int *also_here)
{
	int sum = 0;

	/* Bound: size. */
	for (size_t i = 0; i < size; i++) {
		sum += bytes[i];
	}
	*also_here = sum;
	return sum;
}

int verify_own_sum(const uint8_t *bytes, size_t size, int *also_here);
int verify_own_sum(const uint8_t *bytes, size_t size, int *also_here)
{
	uint8_t copy[100];
	int sum;

	K_OOPS(K_SYSCALL_VERIFY_MSG(size <= sizeof(copy), "%zu bytes", size));
	K_OOPS(K_SYSCALL_MEMORY_READ(bytes, size));
	K_OOPS(K_SYSCALL_MEMORY_WRITE(also_here, sizeof(sum)));
	K_OOPS(k_usermode_from_copy(copy, bytes, size) != 0);
	(void)own_sum(copy, size, &sum);
	K_OOPS(k_usermode_to_copy(also_here, &sum, sizeof(sum)) != 0);
	return sum;
}

int own_double(int *values, size_t count)
{
	/* Bound: count. */
	for (size_t i = 0; i < count; i++) {
		values[i] *= 2;
	}
	return (int)count;
}

int verify_own_double(int *values, size_t count);
int verify_own_double(int *values, size_t count)
{
	int copy[4];

	K_OOPS(K_SYSCALL_MEMORY_ARRAY_READ(values, count, sizeof(values[0])));
	K_OOPS(K_SYSCALL_MEMORY_ARRAY_WRITE(values, count, sizeof(values[0])));
	if (count > ARRAY_SIZE(copy)) {
		return -EINVAL;
	}
	K_OOPS(k_usermode_from_copy(copy, values, count * sizeof(values[0])) != 0);
	(void)own_double(copy, count);
	K_OOPS(k_usermode_to_copy(values, copy, count * sizeof(values[0])) != 0);
	return (int)count;
}

int own_length(const char *text)
{
	return (int)strlen(text);
}

int verify_own_length(const char *text);
int verify_own_length(const char *text)
{
	char copy[8];
	int result = k_usermode_string_copy(copy, text, sizeof(copy));

	return result == 0 ? own_length(copy) : result;
}

/* In kernel mode one may use all. */
int own_asks(const void *where, size_t size, uintptr_t what)
{
	return 1;
}

int verify_own_asks(const void *where, size_t size, uintptr_t what);
int verify_own_asks(const void *where, size_t size, uintptr_t what)
{
	uint32_t word = 0;

	switch (what) {
	case OWN_COPY_FROM:
		return k_usermode_from_copy(&word, where, sizeof(word)) == 0;
	case OWN_COPY_TO:
		return k_usermode_to_copy((void *)(uintptr_t)where, &word, sizeof(word)) == 0;
	case OWN_MAY_READ:
		return !K_SYSCALL_MEMORY_READ(where, size);
	case OWN_MAY_WRITE:
		return !K_SYSCALL_MEMORY_WRITE(where, size);
	default:
		return !K_SYSCALL_OBJ(where, (enum k_objects)what);
	}
}

#ifdef __x86_64__
uintptr_t own_flags(void)
{
	uintptr_t flags;

	__asm__ volatile("pushfq\n\tpopq %0" : "=r"(flags)::"memory");
	return flags;
}

uintptr_t verify_own_flags(void);
uintptr_t verify_own_flags(void)
{
	return own_flags();
}
#endif
