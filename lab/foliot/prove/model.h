/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read in front of each source that is proved: what of GCC's language Frama-C does not read, said
 * in C11's words. Nothing here changes what the code does.
 */
#define _Static_assert(...)
#define __builtin_choose_expr(condition, then, otherwise) (condition ? (then) : (otherwise))
#define __builtin_types_compatible_p(a, b)                0
#define __builtin_expect(value, expected)                 (value)
#define __extension__
