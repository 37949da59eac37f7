/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What Zephyr's users ask of the compiler by these names; all are GCC's and Clang's attributes.
 */
#ifndef ZEPHYR_TOOLCHAIN_H
#define ZEPHYR_TOOLCHAIN_H

#include <foliot/util.h>

/** A definition that another one of the same name replaces. */
#define __weak              __attribute__((weak))
/** A second name for `original`, which is defined in the same file. */
#define __alias(original)   __attribute__((alias(#original)))
/** Compiled with a warning to whoever uses it. */
#define __deprecated        __attribute__((deprecated))
/** A result that must not be thrown away. */
#define __must_check        __attribute__((warn_unused_result))
/**
 * Its arguments are checked as printf()'s are: `x` the format's place, `y` the first argument's.
 */
#define __printf_like(x, y) __attribute__((format(printf, x, y)))
/** A system call of the application's own: CONFIG_APPLICATION_DEFINED_SYSCALL. */
#define __syscall           static inline
/** Need not be used. */
#define __maybe_unused      __attribute__((unused))
/** Result depends on nothing but the arguments. */
#ifndef __attribute_const__
#define __attribute_const__ __attribute__((const))
#endif
/** Has no effect but its result. */
#define __pure                 __attribute__((pure))
/** Not instrumented. */
#define __no_instrumentation__ __attribute__((no_instrument_function))

/** Falls through to the next case of a switch on purpose. */
#define __fallthrough __attribute__((fallthrough))

/** The function does not return. */
#ifndef FUNC_NORETURN
#define FUNC_NORETURN __attribute__((noreturn))
#endif
/** The function has no prologue of the compiler's. */
#define FUNC_NO_STACK_PROTECTOR __attribute__((optimize("no-stack-protector")))
/** It cannot be reached; undefined if it is. */
#define CODE_UNREACHABLE        __builtin_unreachable()

/** In the section named by the text. */
#define __in_section_unique(name) __attribute__((section("." #name)))
/** In code memory, or wherever fast code lies: there is one memory. */
#define __ramfunc
/** In the section of that name (a word). */
#define Z_GENERIC_SECTION(name) __attribute__((section(#name)))
/** Zephyr's older spelling. */
#define __GENERIC_SECTION(name) Z_GENERIC_SECTION(name)

/** An alignment, in bytes, of the type `type`. */
#define Z_ALIGNOF(type) __alignof__(type)

/** Keeps the compiler from moving memory accesses over it. Context: either. */
#define compiler_barrier() __asm__ volatile("" ::: "memory")

/** Reads a `type` at an address that may be unaligned. Returns it. Context: either. */
#define UNALIGNED_GET(p)                                             \
	__extension__({                                              \
		struct __attribute__((packed)) {                     \
			__typeof__(*(p)) value;                      \
		} *unaligned_ = (__typeof__(unaligned_))(void *)(p); \
		unaligned_->value;                                   \
	})
/** Writes v to an address that may be unaligned. Context: either. */
#define UNALIGNED_PUT(v, p)                                          \
	do {                                                         \
		struct __attribute__((packed)) {                     \
			__typeof__(*(p)) value;                      \
		} *unaligned_ = (__typeof__(unaligned_))(void *)(p); \
		unaligned_->value = (v);                             \
	} while (0)

/** What -Wshadow says is not heard up to the end of that. */
#define TOOLCHAIN_IGNORE_WSHADOW_BEGIN \
	_Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")
/** The end of that. */
#define TOOLCHAIN_IGNORE_WSHADOW_END _Pragma("GCC diagnostic pop")

/** The text of a warning class. */
#define TOOLCHAIN_PRAGMA_(text) _Pragma(#text)
/** Warnings of the class (a string, "-Wshadow") are off up to TOOLCHAIN_ENABLE_WARNING(). */
#define TOOLCHAIN_DISABLE_WARNING(class) \
	TOOLCHAIN_PRAGMA_(GCC diagnostic push) TOOLCHAIN_PRAGMA_(GCC diagnostic ignored class)
/** On again. */
#define TOOLCHAIN_ENABLE_WARNING(class) TOOLCHAIN_PRAGMA_(GCC diagnostic pop)

/* Internal: around what C++ programs call. */
#ifdef __cplusplus
#define EXTERN_C_BEGIN_ extern "C" {
#define EXTERN_C_END_   }
#else
#define EXTERN_C_BEGIN_
#define EXTERN_C_END_
#endif

#endif /* ZEPHYR_TOOLCHAIN_H */
