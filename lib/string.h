/* SPDX-License-Identifier: Apache-2.0 */
/* The few functions of string.h that the kernel, GCC and its users need. */
#ifndef FOLIOT_LIB_STRING_H
#define FOLIOT_LIB_STRING_H

#include <stddef.h>

/* As in C11. Either context. */
void *memcpy(void *restrict dest, const void *restrict src, size_t n);
void *memmove(void *dest, const void *src, size_t n);
void *memset(void *dest, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);

#endif /* FOLIOT_LIB_STRING_H */
