/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A histogram that loses nothing that a reader could miss.
 *
 * On a deterministic core an operation takes a handful of different times, so the
 * first 128 distinct values are kept as they are. A 129th turns the histogram into
 * log-linear buckets, each at most 1/64 of its value wide. (Fewer of both in a small RAM: Kconfig.) Rejected: storing all
 * samples (a thousand stores disturb a cache and don't fit a small RAM), and buckets
 * from the start (the difference between 118 and 119 cycles is the point here).
 */
#ifndef MEASURE_HISTOGRAM_H
#define MEASURE_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

/* Distinct values that are kept exactly. */
#define HISTOGRAM_EXACT    ((uint32_t)CONFIG_MEASURE_EXACT_VALUES)
/* 2^it buckets for each doubling. */
#define HISTOGRAM_SUB_BITS CONFIG_MEASURE_BUCKET_BITS
/* The smallest value it holds: net of a small overhead, none is far below 0. */
#define HISTOGRAM_LOWEST   (-64)
/* By default: one bucket a value up to 127, then 64 for each doubling up to 2^31. */
#define HISTOGRAM_BUCKETS  (64U + ((32U - HISTOGRAM_SUB_BITS) << HISTOGRAM_SUB_BITS))

struct histogram_entry {
	int32_t value;
	uint32_t count;
};

struct histogram {
	bool bucketed;
	uint32_t used;                /* entries of exact[] in use, in rising order */
	struct histogram_entry *last; /* got the last sample, and mostly gets the next too */
	struct histogram_entry exact[HISTOGRAM_EXACT];
	uint32_t bucket[HISTOGRAM_BUCKETS]; /* of meaning once bucketed */
};

/* Empty it. Context: either. */
void histogram_init(struct histogram *histogram);

/* Count one value, which is at least HISTOGRAM_LOWEST. Context: either. */
void histogram_add(struct histogram *histogram, int32_t value);

/*
 * The entries in rising order: start with *cursor 0, stop when false comes back. With
 * buckets the value is the bucket's lower bound. Context: either.
 */
bool histogram_next(const struct histogram *histogram, uint32_t *cursor,
		    struct histogram_entry *entry);

/*
 * The smallest value that at least `percent` per cent of all n samples do not exceed
 * (nearest rank). n is the number of samples, not 0. Context: either.
 */
int32_t histogram_percentile(const struct histogram *histogram, uint32_t n, unsigned int percent);

#endif /* MEASURE_HISTOGRAM_H */
