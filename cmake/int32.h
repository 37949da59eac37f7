/* SPDX-License-Identifier: Apache-2.0 */
/*
 * int32_t is int and uint32_t unsigned int, on every board: then %d and %u fit them.
 *
 * GCC for bare machines calls them long on 32-bit targets, as newlib wants it, and int on
 * others; the same printk() would compile on one board and not on the next. Its <stdint.h>
 * takes the types from these predefined macros, so they are changed before any source is
 * read (-imacros in cmake/flags.cmake): type, limits and constants' suffix together, and
 * nothing where they are int already. Both are 32 bits, so no call changes, libgcc's
 * included. <inttypes.h>, where a toolchain has one, follows the same macros.
 *
 * Rejected: PRIu32 in every format (freestanding GCC brings none); casts, as before (they
 * hide an argument that is really too wide); a <stdint.h> of our own in front of GCC's (who
 * comes first on the search path would decide).
 */
#if __SIZEOF_INT__ == 4
#undef __INT32_TYPE__
#undef __UINT32_TYPE__
#undef __INT_LEAST32_TYPE__
#undef __UINT_LEAST32_TYPE__
#undef __INT32_MAX__
#undef __UINT32_MAX__
#undef __INT_LEAST32_MAX__
#undef __UINT_LEAST32_MAX__
#undef __INT32_C
#undef __UINT32_C
#define __INT32_TYPE__        int
#define __UINT32_TYPE__       unsigned int
#define __INT_LEAST32_TYPE__  int
#define __UINT_LEAST32_TYPE__ unsigned int
#define __INT32_MAX__         0x7fffffff
#define __UINT32_MAX__        0xffffffffU
#define __INT_LEAST32_MAX__   0x7fffffff
#define __UINT_LEAST32_MAX__  0xffffffffU
#define __INT32_C(c)          c
#define __UINT32_C(c)         c##U
#endif
