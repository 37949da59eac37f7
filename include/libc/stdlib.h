/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 * Memory of the system heap, numbers, and the end of the run. */
#ifndef FOLIOT_LIBC_STDLIB_H
#define FOLIOT_LIBC_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX     0x7fff

#ifdef __cplusplus
extern "C" {
#endif

void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
int abs(int x);
long labs(long x);
long long llabs(long long x);
int atoi(const char *s);
long strtol(const char *__restrict s, char **__restrict end, int base);
unsigned long strtoul(const char *__restrict s, char **__restrict end, int base);
int rand(void);
void srand(unsigned int seed);
void exit(int status) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif /* FOLIOT_LIBC_STDLIB_H */
