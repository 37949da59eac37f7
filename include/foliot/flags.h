/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Flags of a device that threads wait for (CONFIG_PERIODIC): bits of a register that the
 * hardware sets or clears. Instead of reading the register in a loop, a thread sleeps.
 *
 * The register is read once when a thread begins to wait; from then on by the tick,
 * every `poll` ticks and only while somebody waits; or, with a poll of 0, whenever the
 * device's interrupt handler calls k_flags_check().
 */
#ifndef FOLIOT_FLAGS_H
#define FOLIOT_FLAGS_H

#include <foliot/time.h>
#include <foliot/wait_q.h>

/** A device's register of flags, and its waiters. */
struct k_flags {
	const volatile uint32_t *reg; /* reading it must not change it */
	_wait_q_t wait_q;
	struct timeout timeout; /* the next reading; its grid persists while nobody waits */
	timeout_tick_t poll;    /* ticks between readings; 0: k_flags_check() alone reads */
	bool polling;
};

/** What a k_flags is initialised with where it is defined by hand; see K_FLAGS_DEFINE(). */
#define K_FLAGS_INITIALIZER(reg_, poll_ticks_) {.reg = (reg_), .poll = (poll_ticks_)}
/** Define flags of the register at `reg_`, read every `poll_ticks_` ticks (0: by interrupt). */
#define K_FLAGS_DEFINE(name_, reg_, poll_ticks_) \
	struct k_flags name_ = K_FLAGS_INITIALIZER(reg_, poll_ticks_)

/**
 * Prepare flags of the register at `reg`, read every `poll`; K_FOREVER or K_NO_WAIT where
 * only the device's interrupt reads it. Not for one that is in use already: see
 * k_flags_poll_set().
 * Context: either.
 */
void k_flags_init(struct k_flags *flags, const volatile uint32_t *reg, k_timeout_t poll);

/**
 * Read the register every `poll` from now on (K_FOREVER or K_NO_WAIT: never), on the grid
 * that begins at uptime tick `first`, modulo 2^32, for instance that of the periodic
 * threads.
 * Context: either.
 */
void k_flags_poll_set(struct k_flags *flags, k_timeout_t poll, k_ticks_t first);

/**
 * Wait until (register & mask) == value.
 * Returns 0; -EBUSY: not so, and K_NO_WAIT was given; -EAGAIN: timed out.
 * Context: thread (ISR with K_NO_WAIT).
 */
int k_flags_await(struct k_flags *flags, uint32_t mask, uint32_t value, k_timeout_t timeout);

/** Read the register once and wake the threads whose flags are as awaited. Context: either. */
void k_flags_check(struct k_flags *flags);

#endif /* FOLIOT_FLAGS_H */
