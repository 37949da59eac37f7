/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What C++ programs need at run time, without its library: new and delete by the system heap, pure
 * virtual functions, and the ends of static objects, which never come.
 */
#include <foliot/kernel.h>

void *operator new(size_t size)
{
	return k_malloc(size);
}

void *operator new[](size_t size)
{
	return k_malloc(size);
}

void operator delete(void *block) noexcept
{
	k_free(block);
}

void operator delete[](void *block) noexcept
{
	k_free(block);
}

void operator delete(void *block, size_t size) noexcept
{
	k_free(block);
}

void operator delete[](void *block, size_t size) noexcept
{
	k_free(block);
}

extern "C" {

__attribute__((weak)) void *__dso_handle;

int __cxa_atexit(void (*end)(void *object), void *object, void *library)
{
	return 0;
}

/* The same for Arm. */
int __aeabi_atexit(void *object, void (*end)(void *object), void *library)
{
	return 0;
}

void __cxa_pure_virtual(void)
{
	k_panic();
}
}
