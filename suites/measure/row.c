/* SPDX-License-Identifier: Apache-2.0 */
/* One row: samples in, evidence counted, and at its end either a figure or a failure. */
#include "private.h"

/* Below so many granules of a clock that does not resolve every unit a row says little. */
#define LEAST_GRANULES 10

#ifdef CONFIG_MEASURE_ALL_LINES
#define ALL_LINES true
#else
#define ALL_LINES false
#endif

void measure_row_begin(struct measure_row *row, const char *id, const char *text)
{
	row->id = id;
	row->text = text;
	row->overhead = thread_overhead();
	row->batch = 0;
	row->n = 0;
	row->first = 0;
	row->min = INT32_MAX;
	row->max = INT32_MIN;
	row->max_index = 0;
	row->ticks = 0;
	row->max_has_tick = false;
	row->sum = 0;
	row->raw_sum = 0;
	row->evidences = 0;
	row->reason[0] = '\0';
	histogram_init(&row->histogram);
	stamps_begin();
	(void)tick_came();
	sweep_begin(row);
}

void measure_fail(struct measure_row *row, const char *reason)
{
	if (row->reason[0] == '\0') {
		(void)snprintk(row->reason, sizeof(row->reason), "%s", reason);
	}
	sweep_lacked(row, reason);
}

void measure_add(struct measure_row *row, uint32_t start, uint32_t end)
{
	uint32_t ticks = ticks_between(start, end);
	uint32_t units = ticks_to_units(ticks);
	bool has_tick = tick_came();
	int32_t net;

	if (ticks > LONGEST_WINDOW || units > (uint32_t)INT32_MAX) {
		measure_fail(row, "a window ends before it begins, or is too long for the counter");
		return;
	}
	net = (int32_t)units - row->overhead;
	if (net < HISTOGRAM_LOWEST) {
		measure_fail(row, "a window is much shorter than its own overhead");
		return;
	}
	if (row->n == 0) {
		row->first = net;
	}
	if (net < row->min) {
		row->min = net;
	}
	if (net > row->max) {
		row->max = net;
		row->max_index = row->n;
		row->max_has_tick = has_tick;
	}
	row->ticks += has_tick ? 1U : 0U;
	row->n++;
	row->sum += net;
	row->raw_sum += ticks;
	histogram_add(&row->histogram, net);
	if (!sweep_is_on()) {
		stamps_keep(row, start, end);
	}
	sweep_add(row, start, end);
}

static bool same_text(const char *a, const char *b)
{
	/* Bound: TEXT, the shorter text's bytes. */
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

void measure_witness(struct measure_row *row, const char *name, bool happened)
{
	struct measure_evidence *evidence = row->evidence;
	struct measure_evidence *behind = row->evidence + row->evidences;

	/* Bound: MEASURE_EVIDENCE_MAX. */
	while (evidence < behind && evidence->name != name && !same_text(evidence->name, name)) {
		evidence++;
	}
	if (evidence == behind) {
		if (row->evidences == MEASURE_EVIDENCE_MAX) {
			measure_fail(row, "more kinds of evidence than a row can hold");
			return;
		}
		row->evidences++;
		evidence->name = name;
		evidence->count = 0;
	}
	evidence->count += happened ? 1U : 0U;
	if (!happened) {
		sweep_lacked(row, name);
	}
}

/* The row fails unless each kind of evidence was seen in every sample. */
static void weigh_evidence(struct measure_row *row)
{
	if (row->n == 0) {
		measure_fail(row, "no sample was taken");
	} else if (row->evidences == 0) {
		measure_fail(row, "no evidence that what it names happened");
	}
	/* Bound: MEASURE_EVIDENCE_MAX. */
	for (uint32_t i = 0; i < row->evidences; i++) {
		const struct measure_evidence *evidence = &row->evidence[i];

		if (evidence->count != row->n && row->reason[0] == '\0') {
			(void)snprintk(row->reason, sizeof(row->reason),
				       "%s %u times in %u samples", evidence->name, evidence->count,
				       row->n);
		}
	}
}

/* The bucket that a percentile lies in may begin below the least sample. */
static int32_t percentile(const struct measure_row *row, unsigned int percent)
{
	int32_t value = histogram_percentile(&row->histogram, row->n, percent);

	return MAX(value, row->min);
}

static void print_human(const struct measure_row *row, const char *suffix, int32_t value)
{
	char id[64];

	(void)snprintk(id, sizeof(id), "%s%s", row->id, suffix);
	if (measure_unit_is_cycles()) {
		printk("%-40s - %-50s :%8d cycles , %8lld ns :\n", id, row->text, value,
		       (long long)value * 1000000000LL / (long long)CLOCK_HZ);
	} else {
		printk("%-40s - %-50s :%8d %s :\n", id, row->text, value, run_unit());
	}
}

static void print_distribution(const struct measure_row *row)
{
	struct histogram_entry entry;
	uint32_t cursor = 0;
	const char *separator = "";

	record_key("histogram");
	record_print("[");
	/* Bound: HISTOGRAM_BUCKETS. */
	while (histogram_next(&row->histogram, &cursor, &entry)) {
		record_print("%s[%d,%u]", separator, entry.value, entry.count);
		separator = ",";
	}
	record_print("]");
	record_integer("buckets", row->histogram.bucketed ? 1 : 0);
}

static void print_evidence(const struct measure_row *row)
{
	record_key("evidence");
	/* Bound: MEASURE_EVIDENCE_MAX. */
	for (uint32_t i = 0; i < row->evidences; i++) {
		record_print("%s\"%s\":%u", i == 0 ? "{" : ",", row->evidence[i].name,
			     row->evidence[i].count);
	}
	record_print("}");
}

/* The longest sample owes its length to a tick, which seldom came: it is no part of the row. */
static bool is_hit_by_tick(const struct measure_row *row)
{
	return row->max_has_tick && 2U * row->ticks < row->n && row->max > percentile(row, 50);
}

static void print_record(const struct measure_row *row)
{
	record_begin("row");
	record_string("id", row->id);
	record_string("text", row->text);
	record_integer("n", row->n);
	record_integer("first", row->first);
	record_integer("min", row->min);
	record_integer("p50", percentile(row, 50));
	record_integer("p90", percentile(row, 90));
	record_integer("p99", percentile(row, 99));
	record_integer("max", row->max);
	record_integer("max_index", row->max_index);
	record_integer("sum", row->sum);
	record_integer("overhead", row->overhead);
	print_distribution(row);
	print_evidence(row);
	record_key("doubts");
	record_print(is_hit_by_tick(row) ? "[\"tick\"]" : "[]");
	if (row->batch != 0) {
		record_integer("batch", row->batch);
	}
	if (!TICKS_ARE_UNITS) {
		record_integer("raw_sum", (int64_t)row->raw_sum);
	}
	record_end();
}

void measure_row_end(struct measure_row *row)
{
	stamps_print(row);
	sweep_end(row);
	weigh_evidence(row);
	if (row->reason[0] == '\0' && clock_granule() > 1 &&
	    percentile(row, 50) < (int32_t)(LEAST_GRANULES * clock_granule())) {
		measure_fail(row, "the clock is too coarse for it: measure several at once");
	}
	if (row->reason[0] != '\0') {
		run_fail(row->id, row->text, row->reason);
		return;
	}
	if (sweep_is_on()) { /* its figures are no measurement */
		return;
	}
	run_count_row();
	print_human(row, "", percentile(row, 50));
	if (ALL_LINES) {
		print_human(row, ".min", row->min);
		print_human(row, ".p99", percentile(row, 99));
		print_human(row, ".max", row->max);
	}
	print_record(row);
}
