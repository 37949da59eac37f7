/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Spinlocks. There is one core, so holding one means that interrupts are masked, as in Zephyr on
 * one core; a lock needs no memory then. With CONFIG_ASSERT it has, and these end the run by name:
 * taking one that is held (it would spin for ever), giving back one that is not, and one that
 * another thread or an ISR took.
 */
#ifndef ZEPHYR_SPINLOCK_H
#define ZEPHYR_SPINLOCK_H

#include <foliot/irq.h>
#include <foliot/assert.h>
#include <zephyr/sys/util.h>

#ifdef CONFIG_ASSERT
#include <foliot/cpu.h>
#endif

EXTERN_C_BEGIN_

/** A spinlock; all zeros is one that nobody holds. */
struct k_spinlock {
#ifdef CONFIG_ASSERT
	uintptr_t holder; /* the thread, + 1 in an ISR; 0: nobody */
#elif defined(__cplusplus)
	char nothing; /* an empty structure has a size there */
#endif
};

/** What k_spin_lock() found: for k_spin_unlock(). */
typedef struct {
	unsigned int key;
} k_spinlock_key_t;

#ifdef CONFIG_ASSERT
/* Internal: who asks. */
static inline uintptr_t spin_caller_(void)
{
	return (uintptr_t)k_cpu.current + (k_is_in_isr() ? 1U : 0U);
}

static inline void spin_taken_(struct k_spinlock *l)
{
	K_ASSERT(l->holder == 0, "spinlock-taken-twice");
	l->holder = spin_caller_();
}

static inline void spin_given_(struct k_spinlock *l)
{
	K_ASSERT(l->holder != 0, "spinlock-not-held");
	K_ASSERT(l->holder == spin_caller_(), "spinlock-of-another");
	l->holder = 0;
}
#else
static inline void spin_taken_(struct k_spinlock *l)
{
	ARG_UNUSED(l);
}

static inline void spin_given_(struct k_spinlock *l)
{
	ARG_UNUSED(l);
}
#endif

/**
 * Take the lock (asserted: spinlock-taken-twice). Waiting with it held is a mistake: the others
 * run with interrupts open.
 * Returns the key that k_spin_unlock() takes.
 * Context: either; not in user mode.
 */
static inline k_spinlock_key_t k_spin_lock(struct k_spinlock *l)
{
	k_spinlock_key_t k = {irq_lock()};

	spin_taken_(l);
	return k;
}

/**
 * Take the lock unless it is held, which on one core only its holder can see (asserted:
 * spinlock-taken-twice).
 * Returns 0, and the key in *k.
 * Context: either; not in user mode.
 */
static inline int k_spin_trylock(struct k_spinlock *l, k_spinlock_key_t *k)
{
	*k = k_spin_lock(l);
	return 0;
}

/**
 * Give it back (asserted: spinlock-not-held, spinlock-of-another).
 * Context: either; not in user mode.
 */
static inline void k_spin_unlock(struct k_spinlock *l, k_spinlock_key_t key)
{
	spin_given_(l);
	irq_unlock(key.key);
}

/** Give it back, and leave interrupts as they are. Context: either; not in user mode. */
static inline void k_spin_release(struct k_spinlock *l)
{
	spin_given_(l);
}

#ifdef CONFIG_ASSERT
/** Returns whether somebody holds it; with CONFIG_ASSERT only. Context: either. */
static inline bool k_spin_is_locked(struct k_spinlock *l)
{
	return l->holder != 0;
}
#endif

/* Internal: at a block's end. */
struct k_spin_held_ {
	struct k_spinlock *lock;
	k_spinlock_key_t key;
	bool again;
};

static inline void k_spin_end_(struct k_spin_held_ *held)
{
	k_spin_unlock(held->lock, held->key);
}

/**
 * The block behind it runs with the lock held: `K_SPINLOCK(&lock) { ... }`. Leaving it by return,
 * break or goto gives the lock back, too.
 * Context: either; not in user mode.
 */
#define K_SPINLOCK(lck)                                                               \
	for (struct k_spin_held_ spin_held_                                           \
	     __attribute__((cleanup(k_spin_end_))) = {(lck), k_spin_lock(lck), true}; \
	     spin_held_.again; spin_held_.again = false)
/** Leaves the block of K_SPINLOCK(). */
#define K_SPINLOCK_BREAK continue

EXTERN_C_END_

#endif /* ZEPHYR_SPINLOCK_H */
