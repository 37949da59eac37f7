/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * System calls of an application's own (CONFIG_USERSPACE). A call is a function of the
 * application's that runs in kernel mode, whoever calls it: in kernel mode it is called as any
 * other; in user mode its verifier is called in its place, in kernel mode, which checks what the
 * caller passed and then calls it. samples/syscall is one to copy:
 *
 * * CMakeLists.txt: foliot_system_calls(journal_add), each name once;
 * * int journal_add(const char *text) is the function, in a file of its own, so that calls of it
 *   go by the linker; at most four words of arguments, none of 64 bits, and a word or nothing of
 *   result;
 * * int verify_journal_add(const char *text) is its verifier, with the same prototype. It runs with
 *   interrupts open, on the stack of the caller's system calls (CONFIG_PRIVILEGED_STACK_SIZE).
 *
 * What a verifier has to know: other threads run meanwhile, and may change what lies in user
 * memory. So memory is copied first, by k_usermode_from_copy(), and the copy is looked at; the
 * kernel never follows a user's pointer otherwise. Zephyr's z_vrfy_ is verify_ here, its z_impl_
 * the function itself, and K_OOPS() and what stands in it are the same. Programs that declare their
 * calls by __syscall are built as they are: CONFIG_APPLICATION_DEFINED_SYSCALL
 * (cmake/syscalls.cmake).
 */
#ifndef FOLIOT_SYSCALL_H
#define FOLIOT_SYSCALL_H

#ifdef CONFIG_USERSPACE

#include <foliot/object.h>

/** End the calling user thread, with a report. Context: thread, in a verifier. */
void k_syscall_refuse(void) __attribute__((noreturn));
/**
 * Returns true: `object` is one of that kind, initialised (a thread: alive), which the caller may
 * use; it goes on to be there until the call ends. No more than two objects a call.
 * Context: thread, in a verifier.
 */
bool k_syscall_may_use(const void *object, enum k_objects otype);
/**
 * Returns true: `size` bytes from `address` on are the caller's to read, or to write. They may no
 * longer be when the function returns.
 * Context: thread, in a verifier.
 */
bool k_syscall_may_access(const void *address, size_t size, bool write);

/**
 * First in a verifier, of each argument narrower than a register whose value is looked at: forget
 * what the register holds above it. By the calling conventions of RV64, and on most cores those of
 * bool, char and short, a caller extends such an argument and the compiler relies on it; user mode
 * need not have. Without this a check may see another value than the one that is used.
 * Context: any.
 */
#define K_SYSCALL_NARROW(argument) __asm__("" : "+r"(argument))

/**
 * End the calling thread if `expr` is true, which the macros below are where something is wrong.
 * Context: thread, in a verifier.
 */
#define K_OOPS(expr)                        \
	do {                                \
		if (unlikely(expr)) {       \
			k_syscall_refuse(); \
		}                           \
	} while (0)
/** In K_OOPS(): `expr` does not hold. */
#define K_SYSCALL_VERIFY(expr)               (!(expr))
/** The same; the message is not printed. */
#define K_SYSCALL_VERIFY_MSG(expr, fmt, ...) (!(expr))
/**
 * In K_OOPS(): not an object of kind `type`, such as K_OBJ_SEM, that the caller may use. Stacks,
 * endpoints and gates are none that it answers for.
 */
#define K_SYSCALL_OBJ(ptr, type)             (!k_syscall_may_use((ptr), (type)))
/** In K_OOPS(): not memory that the caller may read. */
#define K_SYSCALL_MEMORY_READ(ptr, size)     (!k_syscall_may_access((ptr), (size), false))
/** In K_OOPS(): not memory that the caller may write. */
#define K_SYSCALL_MEMORY_WRITE(ptr, size)    (!k_syscall_may_access((ptr), (size), true))

/** Internal: of an array, whose size may wrap. */
#define K_SYSCALL_ARRAY_(ptr, nmemb, size, write)                                   \
	({                                                                          \
		size_t bytes_;                                                      \
		__builtin_mul_overflow((size_t)(nmemb), (size_t)(size), &bytes_) || \
			!k_syscall_may_access((ptr), bytes_, (write));              \
	})
/** In K_OOPS(): not `nmemb` elements of `size` bytes each that the caller may read. */
#define K_SYSCALL_MEMORY_ARRAY_READ(ptr, nmemb, size)  K_SYSCALL_ARRAY_(ptr, nmemb, size, false)
/** In K_OOPS(): not as many that the caller may write. */
#define K_SYSCALL_MEMORY_ARRAY_WRITE(ptr, nmemb, size) K_SYSCALL_ARRAY_(ptr, nmemb, size, true)

/**
 * Copy `size` bytes out of the caller's memory.
 * Returns 0; -EFAULT: not the caller's to read; a part may have been copied.
 * Context: thread, in a verifier.
 */
int k_usermode_from_copy(void *dst, const void *src, size_t size);
/**
 * Copy `size` bytes into the caller's memory.
 * Returns 0; -EFAULT: not the caller's to write; a part may have been copied.
 * Context: thread, in a verifier.
 */
int k_usermode_to_copy(void *dst, const void *src, size_t size);
/**
 * Copy a string of the caller's, of at most `maxlen` bytes with its end.
 * Returns 0; -EINVAL: it is longer; -EFAULT: not the caller's to read.
 * Context: thread, in a verifier.
 */
int k_usermode_string_copy(char *dst, const char *src, size_t maxlen);

#endif /* CONFIG_USERSPACE */

#endif /* FOLIOT_SYSCALL_H */
