/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core's caches: switched on at boot where they are off after a reset; the rest is for
 * measurements of what cold memory costs, and no other part of Foliot uses it. A board with caches
 * names the driver's header (BOARD_CACHE); where there are none, all of these are empty.
 * Context: either.
 *
 *   cache_drop_code()   the next fetch of each word comes from memory
 *   cache_drop_data()   the next load of each word comes from memory, which is made up to date
 *                       before
 *   cache_clean_data()  memory is up to date: no line has to be written back before it makes room
 *   cache_start()       on, and empty; at boot
 */
#ifndef FOLIOT_DRIVERS_CACHE_H
#define FOLIOT_DRIVERS_CACHE_H

#include <board.h>

#ifdef BOARD_CACHE
#include BOARD_CACHE
#else

static inline void cache_start(void)
{
}

static inline void cache_drop_code(void)
{
}

static inline void cache_drop_data(void)
{
}

static inline void cache_clean_data(void)
{
}

#endif /* BOARD_CACHE */

#endif /* FOLIOT_DRIVERS_CACHE_H */
