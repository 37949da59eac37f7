/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small compile-time helpers that the public headers share.
 *
 * They carry the names Zephyr's users know. Nothing here generates code by
 * itself, so everything may be used from threads, ISRs and static initialisers.
 */
#ifndef FOLIOT_UTIL_H
#define FOLIOT_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BIT(n)                   (1UL << (n))
#define ARRAY_SIZE(array)        (sizeof(array) / sizeof((array)[0]))
#define ARG_UNUSED(x)            ((void)(x))
/* Evaluate an argument twice, so that they are constant expressions of constants. */
#define MIN(a, b)                (((a) < (b)) ? (a) : (b))
#define MAX(a, b)                (((a) > (b)) ? (a) : (b))
#define ROUND_UP(x, align)       ((((uintptr_t)(x)) + ((align) - 1)) & ~((uintptr_t)(align) - 1))
#define ROUND_DOWN(x, align)     (((uintptr_t)(x)) & ~((uintptr_t)(align) - 1))
#define CONTAINER_OF(p, type, m) ((type *)((char *)(p) - offsetof(type, m)))
#define STRINGIFY_(x)            #x
#define STRINGIFY(x)             STRINGIFY_(x)
#define CONCAT_(a, b)            a##b
#define CONCAT(a, b)             CONCAT_(a, b)
#define BUILD_ASSERT(cond, text) _Static_assert(cond, text)

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define __aligned(n) __attribute__((aligned(n)))
#define __noinline   __attribute__((noinline))
#define __packed     __attribute__((packed))
#define __unused     __attribute__((unused))
#define __used       __attribute__((used))
#define __noinit     __attribute__((section(".noinit")))

/*
 * Statically defined objects of one type are gathered by the linker script into
 * one array per type, so that the kernel can start threads and prepare objects
 * without a registration call. The array's bounds are _NAME_list_start/end.
 */
#define STRUCT_SECTION_ITERABLE(type, list, name) STRUCT_SECTION_ITERABLE_(type, list, name)
#define STRUCT_SECTION_ITERABLE_(type, list, name)                                   \
	struct type name __used __attribute__((section("._" #list ".static." #name), \
					       aligned(__alignof__(struct type))))

#define STRUCT_SECTION_FOREACH(type, list, var)          \
	extern const struct type _##list##_list_start[]; \
	extern const struct type _##list##_list_end[];   \
	for (const struct type *var = _##list##_list_start; var < _##list##_list_end; var++)

#endif /* FOLIOT_UTIL_H */
