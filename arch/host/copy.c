/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The guarded copy. Assembly does the copying, so AddressSanitizer does not see it; it is
 * asked before: what it holds for poisoned faults like memory that is not there, as the
 * untrusted side's fault or as the caller's own, which it then reports itself.
 */
#define _GNU_SOURCE /* names of registers */
#include "copy.h"

BUILD_ASSERT(ARCH_COPY_FAULTED == HOST_COPY_FAULTED, "copy.h");

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>

static bool is_sound(const void *start, size_t bytes, bool untrusted)
{
	const volatile char *poisoned = __asan_region_is_poisoned((void *)start, bytes);

	if (poisoned == NULL || untrusted) {
		return poisoned == NULL;
	}
	(void)*poisoned; /* the sanitizer's report */
	return true;
}
#else
static bool is_sound(const void *start, size_t bytes, bool untrusted)
{
	return true;
}
#endif

/* With interrupts open a test's may come in the middle: to the test it is one place more. */
static enum arch_copy_fault copy_halves(void *to, const void *from, size_t bytes,
					unsigned int untrusted)
{
	size_t half = bytes / 2;

	if (host_copy(to, from, half, untrusted) != ARCH_COPY_DONE) {
		return ARCH_COPY_FAULTED;
	}
	host_cpu.before_lock();
	return host_copy((char *)to + half, (const char *)from + half, bytes - half, untrusted);
}

enum arch_copy_fault arch_copy_guarded(void *to, const void *from, size_t bytes,
				       unsigned int untrusted)
{
	if (!is_sound(from, bytes, (untrusted & ARCH_COPY_FROM) != 0) ||
	    !is_sound(to, bytes, (untrusted & ARCH_COPY_TO) != 0)) {
		return ARCH_COPY_FAULTED;
	}
	if (!host_cpu.masked && host_cpu.before_lock != NULL) {
		return copy_halves(to, from, bytes, untrusted);
	}
	return host_copy(to, from, bytes, untrusted);
}

bool host_copy_has_faulted(ucontext_t *context)
{
	extern const char host_copy_load[], host_copy_store[], host_copy_faulted[];
	greg_t *regs = context->uc_mcontext.gregs;
	uintptr_t pc = (uintptr_t)regs[REG_RIP];
	unsigned int side;

	if (pc == (uintptr_t)host_copy_load) {
		side = ARCH_COPY_FROM;
	} else if (pc == (uintptr_t)host_copy_store) {
		side = ARCH_COPY_TO;
	} else {
		return false;
	}
	if (((unsigned int)regs[REG_RCX] & side) == 0) {
		return false;
	}
	regs[REG_RIP] = (greg_t)(uintptr_t)host_copy_faulted;
	return true;
}
