/* SPDX-License-Identifier: Apache-2.0 */
/* Which flags a thread waits for, and whether they are set. */
#ifndef FOLIOT_KERNEL_OBJECTS_EVENT_FLAGS_H
#define FOLIOT_KERNEL_OBJECTS_EVENT_FLAGS_H

#include "kernel/base/kernel.h"

/* k_thread.wait_flags while a thread waits for events. */
#define WAIT_FLAG_ANY   0x00U
#define WAIT_FLAG_ALL   0x01U /* all of the bits */
#define WAIT_FLAG_CLEAR 0x02U /* and takes them away */

/* They as a word that a call returns: RV64's callers want 32 bits extended by their sign. */
#ifdef __riscv
#define FLAGS(flags) ((intptr_t)(int32_t)(flags))
#else
#define FLAGS(flags) ((intptr_t)(flags))
#endif

/* The bits of `wanted` that are set, or 0 if they do not satisfy. */
static inline uint32_t match(uint32_t set, uint32_t wanted, unsigned int flags)
{
	uint32_t found = set & wanted;

	return (flags & WAIT_FLAG_ALL) != 0 && found != wanted ? 0 : found;
}

/*
 * The flags are changed, and somebody waits, masked: `previous` is what is returned. Restores key.
 */
uint32_t event_update_waking(struct k_event *event, uint32_t previous, unsigned int key);

#endif /* FOLIOT_KERNEL_OBJECTS_EVENT_FLAGS_H */
