/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Functions that run at start, by level and priority, before the static threads and main(). They
 * run in main()'s thread; those of EARLY and PRE_KERNEL with interrupts masked, and must not wait.
 */
#ifndef ZEPHYR_INIT_H
#define ZEPHYR_INIT_H

#include <zephyr/toolchain.h>

EXTERN_C_BEGIN_

/** What runs at start; its result is ignored. Context: thread. Returns 0 for success. */
typedef int (*init_fn_t)(void);

/** Internal: what SYS_INIT() leaves for start-up. */
struct init_entry {
	init_fn_t init;
	void (*runner)(void); /* whoever has an entry needs who runs it */
	uint8_t level;
	uint8_t priority;
};

/** Internal: runs them. Context: thread. */
void sys_init_run(void);

/** Internal: the levels, in order. */
enum init_level {
	INIT_LEVEL_EARLY_,
	INIT_LEVEL_PRE_KERNEL_1_,
	INIT_LEVEL_PRE_KERNEL_2_,
	INIT_LEVEL_POST_KERNEL_,
	INIT_LEVEL_APPLICATION_, /* C++'s static constructors have run */
	INIT_LEVEL_SMP_,
	INIT_LEVELS_
};

/**
 * Run init_fn at start: `level` is EARLY, PRE_KERNEL_1, PRE_KERNEL_2, POST_KERNEL, APPLICATION or
 * SMP; the lower `prio`, 0 to 99, comes first; who is first of equals is not said. At file scope.
 */
#define SYS_INIT(init_fn, level, prio) SYS_INIT_NAMED(init_fn, init_fn, level, prio)
/** SYS_INIT() of a function more than once, by a name of its own. */
#define SYS_INIT_NAMED(name, init_fn_, level_, prio)                                       \
	BUILD_ASSERT((prio) >= 0 && (prio) <= 99, "not a priority of SYS_INIT(): " #name); \
	static const STRUCT_SECTION_ITERABLE(init_entry, init_entry, _init_##name) = {     \
		.init = (init_fn_),                                                        \
		.runner = sys_init_run,                                                    \
		.level = INIT_LEVEL_##level_##_,                                           \
		.priority = (prio),                                                        \
	}

EXTERN_C_END_

#endif /* ZEPHYR_INIT_H */
