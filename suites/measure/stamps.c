/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where each sample stands in time, for `foliot explain` (CONFIG_MEASURE_STAMPS): the
 * stamps of each row's first samples are kept, outside of the windows, and printed with
 * the row; the lab finds them again in a trace of the simulator's instructions. So no
 * window holds a marker, and a traced sample costs what any other does.
 *
 * Where the simulator tells no time, the trace only has an order. One stamp is then
 * taken where everyone can find it, in a function of that name: the anchor, from which
 * the others are counted. Between it and a row's last sample nothing may sleep.
 */
#include "private.h"
#include <measure_user.h>

#define KEPT 256U

#ifdef CONFIG_USERSPACE
#define KEEPING MEASURE_SHARED /* user threads keep their samples themselves */
#else
#define KEEPING __noinit
#endif

struct saved_stamps {
	const struct measure_row *row;
	uint32_t start; /* ticks */
	uint32_t end;
};

/* Behind everything else, so that nothing else moves when it is there. */
static KEEPING struct {
	uint32_t used;
	uint32_t anchor; /* ticks */
	uint32_t rows;   /* begun so far: the number of the row that began last */
	struct saved_stamps kept[KEPT];
} stamps;

void stamps_init(void)
{
	stamps.used = 0;
	stamps.rows = 0;
}

/* Tell the simulator, where there is one that listens, to trace for this row, or not. */
static void mark(uint32_t number)
{
#ifdef BOARD_MARKER
	*(volatile uint32_t *)BOARD_MARKER = number;
#endif
}

/* The lab knows this function by its name, and that it holds one stamp. */
static __attribute__((noipa)) uint32_t measure_anchor(void)
{
	return measure_stamp();
}

void stamps_begin(void)
{
	stamps.rows++;
	mark(stamps.rows);
	stamps.anchor = measure_anchor();
}

void stamps_keep(const struct measure_row *row, uint32_t start, uint32_t end)
{
	if (stamps.used < KEPT) {
		stamps.kept[stamps.used++] = (struct saved_stamps){row, start, end};
	}
}

void stamps_print(const struct measure_row *row)
{
	const char *separator = "";
	uint32_t left = 0;

	mark(0);
	record_begin("samples");
	record_string("id", row->id);
	record_integer("marker", stamps.rows);
	record_integer("anchor", stamps.anchor);
	record_key("stamps");
	record_print("[");
	/* Bound: KEPT. */
	for (uint32_t i = 0; i < stamps.used; i++) {
		const struct saved_stamps *kept = &stamps.kept[i];

		if (kept->row == row) {
			record_print("%s[%u,%u]", separator, kept->start, kept->end);
			separator = ",";
		} else {
			stamps.kept[left++] = *kept;
		}
	}
	record_print("]");
	record_end();
	stamps.used = left;
}
