/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Words that are changed in one step, whoever interrupts: on a core with instructions for it by
 * those (GCC says which: __GCC_ATOMIC_LONG_LOCK_FREE), on another with interrupts masked for the
 * three instructions it takes; a user thread there asks the kernel, in one system call. Each is a
 * barrier to the compiler and, where that means anything, to the core. "Returns" is what was there
 * before.
 */
#ifndef ZEPHYR_SYS_ATOMIC_H
#define ZEPHYR_SYS_ATOMIC_H

#include <foliot/irq.h>
#include <zephyr/sys/util.h>

EXTERN_C_BEGIN_

/** A word. */
typedef long atomic_t;
/** Its value. */
typedef atomic_t atomic_val_t;
/** A pointer. */
typedef void *atomic_ptr_t;
/** Its value. */
typedef void *atomic_ptr_val_t;

/** What an atomic_t is initialised with. */
#define ATOMIC_INIT(i)     (i)
/** What an atomic_ptr_t is initialised with. */
#define ATOMIC_PTR_INIT(p) (p)

/** Internal: what k_atomic_update_() does. */
enum atomic_operation {
	ATOMIC_OP_SET,
	ATOMIC_OP_ADD,
	ATOMIC_OP_OR,
	ATOMIC_OP_XOR,
	ATOMIC_OP_AND,
	ATOMIC_OP_NAND,
	ATOMIC_OP_CAS,
};

/** Internal: one operation with interrupts masked. Returns the old value. Context: either. */
atomic_val_t k_atomic_update_(atomic_t *target, atomic_val_t value, unsigned int operation,
			      atomic_val_t expected);

/* Internal: k_atomic_update_() inline, where no user mode can come to it. */
static inline atomic_val_t atomic_masked_(atomic_t *target, atomic_val_t value,
					  unsigned int operation, atomic_val_t expected)
{
	unsigned int key = irq_lock();
	volatile atomic_t *word = target;
	atomic_val_t old = *word;

	switch (operation) {
	case ATOMIC_OP_ADD:
		*word = (atomic_val_t)((unsigned long)old + (unsigned long)value);
		break;
	case ATOMIC_OP_OR:
		*word = old | value;
		break;
	case ATOMIC_OP_XOR:
		*word = old ^ value;
		break;
	case ATOMIC_OP_AND:
		*word = old & value;
		break;
	case ATOMIC_OP_NAND:
		*word = ~(old & value);
		break;
	case ATOMIC_OP_CAS:
		*word = old == expected ? value : old;
		break;
	default:
		*word = value;
		break;
	}
	irq_unlock(key);
	return old;
}

#if __GCC_ATOMIC_LONG_LOCK_FREE == 2
#define ATOMIC_DO_(gcc, operation, target, value) __atomic_##gcc(target, value, __ATOMIC_SEQ_CST)
#elif defined(CONFIG_USERSPACE)
#define ATOMIC_DO_(gcc, operation, target, value) \
	k_atomic_update_(target, value, ATOMIC_OP_##operation, 0)
#else
#define ATOMIC_DO_(gcc, operation, target, value) \
	atomic_masked_(target, value, ATOMIC_OP_##operation, 0)
#endif

/** Returns the value. Context: either. */
static inline atomic_val_t atomic_get(const atomic_t *target)
{
	return __atomic_load_n(target, __ATOMIC_SEQ_CST);
}

/** Set it. Returns what was there. Context: either. */
static inline atomic_val_t atomic_set(atomic_t *target, atomic_val_t value)
{
	return ATOMIC_DO_(exchange_n, SET, target, value);
}

/** Set it to 0. Returns what was there. Context: either. */
static inline atomic_val_t atomic_clear(atomic_t *target)
{
	return atomic_set(target, 0);
}

/** Add; wraps. Returns what was there. Context: either. */
static inline atomic_val_t atomic_add(atomic_t *target, atomic_val_t value)
{
	return ATOMIC_DO_(fetch_add, ADD, target, value);
}

/** Subtract; wraps. Returns what was there. Context: either. */
static inline atomic_val_t atomic_sub(atomic_t *target, atomic_val_t value)
{
	return atomic_add(target, (atomic_val_t)(0UL - (unsigned long)value));
}

/** Add 1. Returns what was there. Context: either. */
static inline atomic_val_t atomic_inc(atomic_t *target)
{
	return atomic_add(target, 1);
}

/** Subtract 1. Returns what was there. Context: either. */
static inline atomic_val_t atomic_dec(atomic_t *target)
{
	return atomic_add(target, -1);
}

/** Set the bits that are in value. Returns what was there. Context: either. */
static inline atomic_val_t atomic_or(atomic_t *target, atomic_val_t value)
{
	return ATOMIC_DO_(fetch_or, OR, target, value);
}

/** Turn them over. Returns what was there. Context: either. */
static inline atomic_val_t atomic_xor(atomic_t *target, atomic_val_t value)
{
	return ATOMIC_DO_(fetch_xor, XOR, target, value);
}

/** Keep only those. Returns what was there. Context: either. */
static inline atomic_val_t atomic_and(atomic_t *target, atomic_val_t value)
{
	return ATOMIC_DO_(fetch_and, AND, target, value);
}

/** ~(there & value). Returns what was there. Context: either. */
static inline atomic_val_t atomic_nand(atomic_t *target, atomic_val_t value)
{
	return ATOMIC_DO_(fetch_nand, NAND, target, value);
}

/** Set it to new_value if it is old_value. Returns whether it was. Context: either. */
static inline bool atomic_cas(atomic_t *target, atomic_val_t old_value, atomic_val_t new_value)
{
#if __GCC_ATOMIC_LONG_LOCK_FREE == 2
	return __atomic_compare_exchange_n(target, &old_value, new_value, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
#elif defined(CONFIG_USERSPACE)
	return k_atomic_update_(target, new_value, ATOMIC_OP_CAS, old_value) == old_value;
#else
	return atomic_masked_(target, new_value, ATOMIC_OP_CAS, old_value) == old_value;
#endif
}

BUILD_ASSERT(sizeof(atomic_t) == sizeof(atomic_ptr_t), "a pointer is a word");

/** Returns the pointer. Context: either. */
static inline atomic_ptr_val_t atomic_ptr_get(const atomic_ptr_t *target)
{
	return UINT_TO_POINTER(atomic_get((const atomic_t *)(const void *)target));
}

/** Set the pointer. Returns what was there. Context: either. */
static inline atomic_ptr_val_t atomic_ptr_set(atomic_ptr_t *target, atomic_ptr_val_t value)
{
	return UINT_TO_POINTER(
		atomic_set((atomic_t *)(void *)target, (atomic_val_t)POINTER_TO_INT(value)));
}

/** Set it to NULL. Returns what was there. Context: either. */
static inline atomic_ptr_val_t atomic_ptr_clear(atomic_ptr_t *target)
{
	return atomic_ptr_set(target, NULL);
}

/** Set it to new_value if it is old_value. Returns whether it was. Context: either. */
static inline bool atomic_ptr_cas(atomic_ptr_t *target, atomic_ptr_val_t old_value,
				  atomic_ptr_val_t new_value)
{
	return atomic_cas((atomic_t *)(void *)target, (atomic_val_t)POINTER_TO_INT(old_value),
			  (atomic_val_t)POINTER_TO_INT(new_value));
}

/** The bits of an atomic_t. */
#define ATOMIC_BITS                   (sizeof(atomic_val_t) * 8)
/** The words that num_bits bits take. */
#define ATOMIC_BITMAP_SIZE(num_bits)  (((num_bits) + ATOMIC_BITS - 1) / ATOMIC_BITS)
/** Define an array of words, all 0, for num_bits bits. */
#define ATOMIC_DEFINE(name, num_bits) atomic_t name[ATOMIC_BITMAP_SIZE(num_bits)]
/** Bit number `bit` of an array, within its word. */
#define ATOMIC_MASK(bit)              (1UL << ((unsigned long)(bit) & (ATOMIC_BITS - 1U)))
/** The word of an array that has it. */
#define ATOMIC_ELEM(addr, bit)        ((addr) + ((bit) / (int)ATOMIC_BITS))

/** Returns whether bit number `bit` from target on is set. Context: either. */
static inline bool atomic_test_bit(const atomic_t *target, int bit)
{
	return ((unsigned long)atomic_get(ATOMIC_ELEM(target, bit)) & ATOMIC_MASK(bit)) != 0;
}

/** Clear it. Returns whether it was set. Context: either. */
static inline bool atomic_test_and_clear_bit(atomic_t *target, int bit)
{
	unsigned long mask = ATOMIC_MASK(bit);

	return ((unsigned long)atomic_and(ATOMIC_ELEM(target, bit), (atomic_val_t)~mask) & mask) !=
	       0;
}

/** Set it. Returns whether it was set. Context: either. */
static inline bool atomic_test_and_set_bit(atomic_t *target, int bit)
{
	unsigned long mask = ATOMIC_MASK(bit);

	return ((unsigned long)atomic_or(ATOMIC_ELEM(target, bit), (atomic_val_t)mask) & mask) != 0;
}

/** Clear bit number `bit` from target on. Context: either. */
static inline void atomic_clear_bit(atomic_t *target, int bit)
{
	(void)atomic_test_and_clear_bit(target, bit);
}

/** Set it. Context: either. */
static inline void atomic_set_bit(atomic_t *target, int bit)
{
	(void)atomic_test_and_set_bit(target, bit);
}

/** Set it, or clear it. Context: either. */
static inline void atomic_set_bit_to(atomic_t *target, int bit, bool value)
{
	if (value) {
		atomic_set_bit(target, bit);
	} else {
		atomic_clear_bit(target, bit);
	}
}

EXTERN_C_END_

#endif /* ZEPHYR_SYS_ATOMIC_H */
