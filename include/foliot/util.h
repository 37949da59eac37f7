/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
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

/** A word with bit n set. */
#define BIT(n)            (1UL << (n))
/** How many elements an array has; what is no array does not compile (in C). */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]) + NOT_AN_ARRAY_(array))
#ifdef __cplusplus
#define NOT_AN_ARRAY_(array) 0U
#else
#define NOT_AN_ARRAY_(array)                                                                       \
	(0U * sizeof(char[__builtin_types_compatible_p(__typeof__(array), __typeof__(&(array)[0])) \
				  ? -1                                                             \
				  : 1]))
#endif
/** Says that an argument is not used. */
#define ARG_UNUSED(x) ((void)(x))
/** The lesser; evaluates it twice, so that it is a constant expression of constants. */
#define MIN(a, b)     (((a) < (b)) ? (a) : (b))
/** The greater; likewise. */
#define MAX(a, b)     (((a) > (b)) ? (a) : (b))
/** x or the next multiple of `align`. */
#define ROUND_UP(x, align) \
	((((uintptr_t)(x) + ((uintptr_t)(align) - 1)) / (uintptr_t)(align)) * (uintptr_t)(align))
/** x or the last multiple of `align` before it. */
#define ROUND_DOWN(x, align)     (((uintptr_t)(x) / (uintptr_t)(align)) * (uintptr_t)(align))
/** The structure of type `type` whose member `m` is at `p`. */
#define CONTAINER_OF(p, type, m) ((type *)((char *)(p) - offsetof(type, m)))
#define STRINGIFY_(x)            #x
/** x, expanded, as a string. */
#define STRINGIFY(x)             STRINGIFY_(x)
#define CONCAT_(a, b)            a##b
/** a and b, expanded, as one token. */
#define CONCAT(a, b)             CONCAT_(a, b)
/** Stops the build, with a text if one follows, where a constant condition does not hold. */
#ifdef __cplusplus
#define BUILD_ASSERT(cond, ...) static_assert(cond, "" __VA_ARGS__)
#else
#define BUILD_ASSERT(cond, ...) _Static_assert(cond, "" __VA_ARGS__)
#endif

/** x, which is expected to be true. Context: either. */
#define likely(x)   __builtin_expect(!!(x), 1)
/** x, which is expected to be false. Context: either. */
#define unlikely(x) __builtin_expect(!!(x), 0)

/**
 * 1 where a Kconfig option is on (its macro is 1), 0 where it is off (there is no such macro):
 * for plain if, so that both sides are compiled.
 */
#define IS_ENABLED(option)            IS_ENABLED_EXPAND_(option)
#define IS_ENABLED_EXPAND_(value)     IS_ENABLED_PICK_(IS_ENABLED_IF_##value##_ 1, 0)
/** Internal: what IS_ENABLED() makes of a 1. */
#define IS_ENABLED_IF_1_              0, /* then the second argument is the 1, else the 0 */
#define IS_ENABLED_PICK_(...)         IS_ENABLED_SECOND_(__VA_ARGS__, 0)
#define IS_ENABLED_SECOND_(a, b, ...) b

#define __aligned(n)  __attribute__((aligned(n)))         /**< at a multiple of n bytes */
#define __noinline    __attribute__((noinline))           /**< a function of its own */
#define __cold        __attribute__((cold)) /**< runs once or never: small, not fast */
/** inlined whatever the compiler thinks of it */
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define __packed      __attribute__((packed)) /**< members without gaps */
#define __unused      __attribute__((unused)) /**< need not be used */
#define __used        __attribute__((used)) /**< kept though nobody refers to it */
#define __noinit      __attribute__((section(".noinit"))) /**< not cleared at start */

/**
 * Statically defined objects of one type are gathered by the linker script into
 * one array per type, so that the kernel can start threads and prepare objects
 * without a registration call. The array's bounds are _NAME_list_start/end.
 */
#define STRUCT_SECTION_ITERABLE(type, list, name) STRUCT_SECTION_ITERABLE_(type, list, name)
#define STRUCT_SECTION_ITERABLE_(type, list, name)                                   \
	struct type name __used __attribute__((section("._" #list ".static." #name), \
					       aligned(__alignof__(struct type))))

/** Go through that array, from its first element on, with `var` as the pointer. */
#define STRUCT_SECTION_FOREACH(type, list, var)          \
	extern const struct type _##list##_list_start[]; \
	extern const struct type _##list##_list_end[];   \
	for (const struct type *var = _##list##_list_start; var < _##list##_list_end; var++)

/** The address of element i into *dst, of a list that is named as its type is. Context: either. */
#define STRUCT_SECTION_GET(type, i, dst)                         \
	do {                                                     \
		extern const struct type _##type##_list_start[]; \
		*(dst) = &_##type##_list_start[i];               \
	} while (0)

/** How many elements such a list has, into *dst. Context: either. */
#define STRUCT_SECTION_COUNT(type, dst)                                                      \
	do {                                                                                 \
		extern const struct type _##type##_list_start[];                             \
		extern const struct type _##type##_list_end[];                               \
		*(dst) = ((uintptr_t)_##type##_list_end - (uintptr_t)_##type##_list_start) / \
			 sizeof(struct type);                                                \
	} while (0)

#endif /* FOLIOT_UTIL_H */
