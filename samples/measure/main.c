/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What does a function of my own cost? A row of its own says it.
 *
 *     ./foliot run samples/measure
 *
 * The function lies in another file, checksum.c, so that the window holds a call like
 * any other. Evidence that it did its work is counted in every sample: a row whose
 * evidence does not add up is printed as a failure.
 */
#include <measure.h>
#include "checksum.h"

static const uint8_t text[] = "123456789";

MEASURE_WINDOW(checksum_9_bytes, result = checksum(text, 9))

static void is_right(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "right", result == 0x29B1);
}

int main(void)
{
	measure_begin("measure");
	measure_single(&(struct measure_operation){"checksum.9_bytes", "CRC-16 of nine bytes",
						   checksum_9_bytes, NULL, is_right});
	k_exit(measure_end());
}
