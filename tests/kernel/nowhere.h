/* SPDX-License-Identifier: Apache-2.0 */
/* Where no memory is: 0 wherever that is so, the null pointer's faults being the point. */
#ifndef TESTS_KERNEL_NOWHERE_H
#define TESTS_KERNEL_NOWHERE_H

#ifdef __arm__
#define NOWHERE 0xC0000000UL /* 0 is ROM here, and this no device of any board */
#else
#define NOWHERE 0UL
#endif

#endif /* TESTS_KERNEL_NOWHERE_H */
