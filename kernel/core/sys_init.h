/* SPDX-License-Identifier: Apache-2.0 */
/* What init.c and sys_init.c have of each other, and C++'s constructors. */
#ifndef FOLIOT_KERNEL_SYS_INIT_H
#define FOLIOT_KERNEL_SYS_INIT_H

/* The static threads and main(). */
void kernel_run_main(void *p1, void *p2, void *p3);
/* The main thread, from its beginning: the same, but where sys_init.c is linked. */
void kernel_first(void *p1, void *p2, void *p3);

#ifdef CONFIG_CPP
typedef void (*cpp_constructor_t)(void);
/* The linker script's: what the compiler left of static objects. */
extern const cpp_constructor_t _cpp_constructors_start[];
extern const cpp_constructor_t _cpp_constructors_end[];

static inline void cpp_construct(void)
{
	/* Bound: one for each source file. */
	for (const cpp_constructor_t *c = _cpp_constructors_start; c < _cpp_constructors_end; c++) {
		(*c)();
	}
}
#else
static inline void cpp_construct(void)
{
}
#endif

#endif /* FOLIOT_KERNEL_SYS_INIT_H */
