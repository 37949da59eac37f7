/* SPDX-License-Identifier: Apache-2.0 */
/* See measure_histogram.h. Free of the kernel, so that it can be tested anywhere. */
#include <measure_histogram.h>

#define SUB_BITS      HISTOGRAM_SUB_BITS
#define EXACT_BELOW   (2 << SUB_BITS) /* every value below has a bucket of its own */
#define FIRST_DOUBLED ((uint32_t)(EXACT_BELOW - HISTOGRAM_LOWEST))

/* An entry that no value matches. */
static void forget_last(struct histogram *histogram)
{
	histogram->exact[0].value = INT32_MIN;
	histogram->last = &histogram->exact[0];
}

void histogram_init(struct histogram *histogram)
{
	histogram->bucketed = false;
	histogram->used = 0;
	forget_last(histogram);
}

static uint32_t bucket_of(int32_t value)
{
	unsigned int exponent;

	if (value < EXACT_BELOW) {
		return (uint32_t)(value - HISTOGRAM_LOWEST);
	}
	exponent = 31U - (unsigned int)__builtin_clz((unsigned int)value);
	return FIRST_DOUBLED + ((exponent - SUB_BITS - 1U) << SUB_BITS) +
	       (((uint32_t)value >> (exponent - SUB_BITS)) & ((1U << SUB_BITS) - 1U));
}

static int32_t lower_bound(uint32_t bucket)
{
	uint32_t doubling;
	uint32_t step;

	if (bucket < FIRST_DOUBLED) {
		return (int32_t)bucket + HISTOGRAM_LOWEST;
	}
	doubling = (bucket - FIRST_DOUBLED) >> SUB_BITS;
	step = (bucket - FIRST_DOUBLED) & ((1U << SUB_BITS) - 1U);
	return (int32_t)((EXACT_BELOW << doubling) + (step << (doubling + 1U)));
}

static void use_buckets(struct histogram *histogram)
{
	/* Bound: HISTOGRAM_BUCKETS. */
	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		histogram->bucket[i] = 0;
	}
	/* Bound: HISTOGRAM_EXACT. */
	for (uint32_t i = 0; i < histogram->used; i++) {
		histogram->bucket[bucket_of(histogram->exact[i].value)] +=
			histogram->exact[i].count;
	}
	histogram->bucketed = true;
	forget_last(histogram);
}

/* Where `value` stands, or would have to stand, among the entries. Bound: HISTOGRAM_EXACT. */
static uint32_t place_of(const struct histogram *histogram, int32_t value)
{
	uint32_t place = 0;

	while (place < histogram->used && histogram->exact[place].value < value) {
		place++;
	}
	return place;
}

static void insert(struct histogram *histogram, uint32_t place, int32_t value)
{
	/* Bound: HISTOGRAM_EXACT. */
	for (uint32_t i = histogram->used; i > place; i--) {
		histogram->exact[i] = histogram->exact[i - 1U];
	}
	histogram->exact[place].value = value;
	histogram->exact[place].count = 1;
	histogram->used++;
	histogram->last = &histogram->exact[place];
}

void histogram_add(struct histogram *histogram, int32_t value)
{
	uint32_t place;

	if (histogram->last->value == value) {
		histogram->last->count++;
		return;
	}
	if (histogram->bucketed) {
		histogram->bucket[bucket_of(value)]++;
		return;
	}
	place = place_of(histogram, value);
	if (place < histogram->used && histogram->exact[place].value == value) {
		histogram->exact[place].count++;
		histogram->last = &histogram->exact[place];
	} else if (histogram->used < HISTOGRAM_EXACT) {
		insert(histogram, place, value);
	} else {
		use_buckets(histogram);
		histogram->bucket[bucket_of(value)]++;
	}
}

bool histogram_next(const struct histogram *histogram, uint32_t *cursor,
		    struct histogram_entry *entry)
{
	if (!histogram->bucketed) {
		if (*cursor >= histogram->used) {
			return false;
		}
		*entry = histogram->exact[(*cursor)++];
		return true;
	}
	/* Bound: HISTOGRAM_BUCKETS. */
	while (*cursor < HISTOGRAM_BUCKETS && histogram->bucket[*cursor] == 0) {
		(*cursor)++;
	}
	if (*cursor >= HISTOGRAM_BUCKETS) {
		return false;
	}
	entry->value = lower_bound(*cursor);
	entry->count = histogram->bucket[(*cursor)++];
	return true;
}

int32_t histogram_percentile(const struct histogram *histogram, uint32_t n, unsigned int percent)
{
	uint64_t rank = ((uint64_t)n * percent + 99U) / 100U;
	struct histogram_entry entry = {0, 0};
	uint64_t seen = 0;
	uint32_t cursor = 0;

	if (rank == 0) {
		rank = 1;
	}
	/* Bound: HISTOGRAM_BUCKETS. */
	while (seen < rank && histogram_next(histogram, &cursor, &entry)) {
		seen += entry.count;
	}
	return entry.value;
}
