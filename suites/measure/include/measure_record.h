/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Machine lines of a suite's own, beside its rows: "@foliot " and one JSON object. Begin,
 * members in order, end; between measure_begin() and measure_end(). Every byte goes into
 * the run's checksum. Context: thread, one at a time.
 */
#ifndef MEASURE_RECORD_H
#define MEASURE_RECORD_H

#include <stdint.h>

void record_begin(const char *type);
void record_integer(const char *key, int64_t value);
void record_string(const char *key, const char *value);
/* What follows is a key's value, written by record_print(), at most 95 characters a call. */
void record_key(const char *key);
void record_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void record_end(void);

#endif /* MEASURE_RECORD_H */
