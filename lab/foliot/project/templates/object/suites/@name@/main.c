/* SPDX-License-Identifier: Apache-2.0 */
/* What a @name@ costs. Window: one call. The names and kinds of rows: suites/README.md. */
#include <measure.h>
#include <foliot/@name@.h>

static K_@NAME@_DEFINE(object);

MEASURE_WINDOW(set, k_@name@_set(&object))
MEASURE_WINDOW(wait, result = k_@name@_wait(&object, K_FOREVER))

static void set_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "set", object.is_set);
}

static void wait_after(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "passed", result == 0 && object.is_set);
}

static const struct measure_operation rows[] = {
	{
		.id = "@name@.set.immediate.kernel",
		.text = "Set a @name@ (no waiters)",
		.window = set,
		.after = set_after,
	},
	{
		.id = "@name@.wait.immediate.kernel",
		.text = "Wait for a @name@ that is set",
		.window = wait,
		.after = wait_after,
	},
};

int main(void)
{
	measure_begin("@name@");
	/* Bound: the rows. */
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		measure_single(&rows[i]);
	}
	k_exit(measure_end());
}
