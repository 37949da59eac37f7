/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entropy from the operating system. The canaries of a process are the C library's, drawn
 * by it; this one is for whoever asks the board.
 */
#include <sys/random.h>

#include "drivers/entropy.h"

bool entropy_get(uint32_t *word)
{
	return getrandom(word, sizeof(*word), 0) == (long)sizeof(*word);
}
