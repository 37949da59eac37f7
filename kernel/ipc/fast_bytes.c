/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The usual call and answer with a few bytes besides the words: kernel/ipc/fast.h. What is
 * otherwise is left to the slow path (verify_ipc.c), and nothing is changed then.
 *
 * What was found of a thread's capacity is good for as long as no thread's memory changes
 * (user_memory_changes), so who sends from where it has received, and receives there again, is not
 * looked at anew: an exchange is the usual one of known capacities, or the one that looks. Bytes go
 * in registers all the way, or are copied from memory to memory: as many registers as a port has.
 */
#include "kernel/ipc/fast.h"
#include "kernel/ipc/fast_wait.h"
#include "kernel/access/domain.h"
#include "kernel/base/object_table.h"
#include "kernel/access/user_range.h"

/* No function here takes more than four arguments: the fifth's register is a word's. */

/*
 * From memory to memory. Both sides' is looked at, and is RAM, so the copy need not survive a
 * fault; it is masked to the end, so what was looked at is what is copied. Rejected: a guarded
 * copy, which is a call, and its registers would be the words'. The bytes in registers, too: on a
 * core of few they would be those that a callee keeps, and to keep those costs what the copy does,
 * which is two instructions a word.
 */

/* That thread's own, words, and RAM. */
/*@ requires thread_is_sound(thread) && address + bytes <= UINTPTR_MAX;
  @ assigns \nothing;
  @ ensures \result <==> address % sizeof(uintptr_t) == 0 &&
  @   user_owns(thread, address, bytes, needed) &&
  @   BOARD_RAM_BASE <= address < BOARD_RAM_BASE + BOARD_RAM_SIZE &&
  @   BOARD_RAM_BASE <= address + bytes < BOARD_RAM_BASE + BOARD_RAM_SIZE;
  @*/
static inline bool is_plain(const struct k_thread *thread, uintptr_t address, size_t bytes,
			    uint32_t needed)
{
	return address % sizeof(uintptr_t) == 0 &&
	       user_range_is_own(thread, address, bytes, needed) && object_tag_is_in_ram(address) &&
	       object_tag_is_in_ram(address + bytes);
}

/* Words, and what is left. Not by memcpy(), which would be a call: volatile. */
static inline void copy(uintptr_t to, uintptr_t from, size_t bytes)
{
	uintptr_t words_end = from + (bytes & ~(sizeof(uintptr_t) - 1U));
	uintptr_t end = from + bytes;

	ARCH_USER_OPEN();
	/* Bound: IPC_FAST_MAX / REGBYTES. */
	for (; from != words_end; from += sizeof(uintptr_t), to += sizeof(uintptr_t)) {
		*(volatile uintptr_t *)to = *(const volatile uintptr_t *)from;
	}
	/* Bound: REGBYTES - 1. */
	for (; unlikely(from != end); from++, to++) {
		*(volatile uint8_t *)to = *(const volatile uint8_t *)from;
	}
	ARCH_USER_CLOSE();
}

/* May the running thread send and receive there, and what it sends be put where `to` receives? */
static __noinline bool fast_exchange(struct k_thread *to, void *address, size_t size,
				     size_t capacity)
{
	struct k_thread *current = k_cpu.current;
	uintptr_t data = (uintptr_t)address;
	uint32_t needed = capacity != 0 ? K_MEM_PARTITION_WRITE_ : K_MEM_PARTITION_READ_;

	if (unlikely(size > IPC_FAST_MAX ||
		     !is_plain(current, data, MAX(size, capacity), needed))) {
		return false;
	}
	if (size != 0) {
		uintptr_t there = (uintptr_t)to->ipc.data;

		if (unlikely(size > IPC_WORDS(to)->capacity || !ipc_bytes_are_users(to) ||
			     !is_plain(to, there, size, K_MEM_PARTITION_WRITE_))) {
			return false;
		}
		copy(there, data, size);
	}
	IPC_WORDS(to)->size = size;
	IPC_WORDS(current)->capacity = capacity;
	current->ipc.data = address;
	current->ipc.own_since = capacity != 0 ? user_memory_changes : 0;
	current->ipc.own_size = MAX(size, capacity);
	current->ipc.whose = IPC_USERS;
	return true;
}

#ifdef CONFIG_ARCH_IPC_LONG_REGISTERS
/*
 * In registers. User mode loads and stores them on its own account, so the sender's memory is
 * nobody's business here. The receiver's is: who waits for bytes in memory that is not its own ends
 * at once, and who loses it meanwhile is told (-EFAULT), as ever. So its capacity is looked at when
 * it begins to wait. Who waits otherwise, as each thread does for the first time, has them copied
 * into its memory. Rejected: that copy alone, whose looks at two threads' memory cost more than all
 * else of a message.
 */

#define WHOLE_WORDS ((size_t)ARCH_IPC_REGISTERS_MAX & ~(sizeof(uintptr_t) - 1U))

/*@ assigns \nothing;
  @ ensures \result <==> size <= ARCH_IPC_REGISTERS_MAX && size % sizeof(uintptr_t) == 0;
  @*/
static bool is_ordinary(size_t size)
{
	if ((WHOLE_WORDS & (WHOLE_WORDS + sizeof(uintptr_t))) == 0) { /* one look, at its bits */
		return (size & ~WHOLE_WORDS) == 0;
	}
	return size <= ARCH_IPC_REGISTERS_MAX && size % sizeof(uintptr_t) == 0;
}

/*
 * The usual case: the capacity is known, if there is any, and `to` waits for registers, if there
 * are bytes. Then they are on their way. A message's size is 0 in between of two (struct
 * ipc_words).
 */
static ALWAYS_INLINE bool exchange(struct k_thread *to, void *data, size_t size, size_t capacity)
{
	struct k_thread *current = k_cpu.current;
	const uintptr_t changes = user_memory_changes;

	if ((size != 0 && unlikely(!is_ordinary(size) || size > IPC_WORDS(to)->capacity ||
				   to->ipc.own_since != changes)) ||
	    (capacity != 0 && !fast_is_known(&current->ipc, data, capacity, changes))) {
		return false;
	}
	IPC_WORDS(to)->size = size;
	IPC_WORDS(current)->capacity = capacity;
	return true;
}

/*
 * The rest: the capacity is looked at; or `to` waits in the kernel's middle, and what comes has to
 * be in its memory; or since before somebody's memory changed, and its own is looked at anew.
 */
static __noinline bool exchange_slow(struct k_thread *to, void *data, size_t size, size_t capacity)
{
	struct k_thread *current = k_cpu.current;

	if (!is_ordinary(size) || size > IPC_WORDS(to)->capacity ||
	    (capacity != 0 &&
	     !user_range_is_own(current, (uintptr_t)data, capacity, K_MEM_PARTITION_WRITE_))) {
		return false;
	}
	if (size != 0 && to->ipc.own_since != user_memory_changes &&
	    !fast_exchange(to, data, size, capacity)) {
		return false;
	}
	current->ipc.data = data;
	current->ipc.own_size = capacity;
	current->ipc.own_since = user_memory_changes;
	current->ipc.whose = IPC_USERS;
	IPC_WORDS(to)->size = size;
	IPC_WORDS(current)->capacity = capacity;
	return true;
}

#define EXCHANGE      exchange
#define EXCHANGE_SLOW exchange_slow

#else

/*
 * Two words, which are there; `to` and `from` go on behind them. A port may have an instruction for
 * it.
 */
#ifndef ARCH_COPY_TWO_WORDS
#define ARCH_COPY_TWO_WORDS(to, from)                                        \
	do {                                                                 \
		uintptr_t first_ = ((const volatile uintptr_t *)(from))[0];  \
		uintptr_t second_ = ((const volatile uintptr_t *)(from))[1]; \
                                                                             \
		(from) += 2;                                                 \
		((volatile uintptr_t *)(to))[0] = first_;                    \
		((volatile uintptr_t *)(to))[1] = second_;                   \
		(to) += 2;                                                   \
	} while (0)
#endif

/* Two a time: they are even most often. */
static ALWAYS_INLINE void copy_words(uintptr_t *to, const uintptr_t *from, size_t bytes)
{
	const uintptr_t *end = (const uintptr_t *)((uintptr_t)from + bytes);

	if (unlikely(bytes % (2U * sizeof(uintptr_t)) != 0)) {
		*(volatile uintptr_t *)to++ = *(const volatile uintptr_t *)from++;
	}
	/* Bound: IPC_FAST_MAX / REGBYTES, of which it copies two a time. */
	while (from != end) {
		ARCH_COPY_TWO_WORDS(to, from);
	}
}

/*
 * The usual case: whole words, between capacities that are both known: `to` has looked at its own
 * as it began to wait there. A message's size is 0 in between of two (struct ipc_words).
 */
static ALWAYS_INLINE bool exchange_known(struct k_thread *to, void *data, size_t size,
					 size_t capacity)
{
	struct k_thread *current = k_cpu.current;
	const uintptr_t changes = user_memory_changes;

	if (!fast_is_known(&current->ipc, data, capacity, changes) ||
	    unlikely(current->ipc.own_size < size)) {
		return false;
	}
	if (size != 0) {
		if (unlikely(size > IPC_FAST_MAX || size % sizeof(uintptr_t) != 0 ||
			     size > IPC_WORDS(to)->capacity || to->ipc.own_since != changes)) {
			return false;
		}
		ARCH_USER_OPEN();
		copy_words(to->ipc.data, data, size);
		ARCH_USER_CLOSE();
		IPC_WORDS(to)->size = size;
	}
	IPC_WORDS(current)->capacity = capacity;
	return true;
}

#define EXCHANGE      exchange_known
#define EXCHANGE_SLOW fast_exchange
#endif

/* ---- calls ---- */

typedef bool exchange_t(struct k_thread *to, void *data, size_t size, size_t capacity);

static ALWAYS_INLINE struct k_thread *call(struct k_ipc_gate *gate, void *data, size_t size,
					   size_t capacity, exchange_t *exchange_by)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *server = fast_server(gate, current);

	if (unlikely(server == NULL || !exchange_by(server, data, size, capacity))) {
		return NULL;
	}
	fast_call(gate, current, server);
	return server;
}

static __noinline struct k_thread *call_slow(struct k_ipc_gate *gate, void *data, size_t size,
					     size_t capacity)
{
	return call(gate, data, size, capacity, EXCHANGE_SLOW);
}

struct k_thread *ipc_call_fast_bytes(struct k_ipc_gate *gate, void *data, size_t size,
				     size_t capacity)
{
	struct k_thread *server = call(gate, data, size, capacity, EXCHANGE);

	return likely(server != NULL) ? server : call_slow(gate, data, size, capacity);
}

static ALWAYS_INLINE struct k_thread *reply_receive(struct k_ipc_endpoint *endpoint, void *data,
						    size_t size, size_t capacity,
						    exchange_t *exchange_by)
{
	struct k_thread *current = k_cpu.current;
	struct k_thread *caller = fast_caller(endpoint, current);

	if (unlikely(caller == NULL || !exchange_by(caller, data, size, capacity))) {
		return NULL;
	}
	fast_reply_receive(endpoint, current, caller);
	return caller;
}

static __noinline struct k_thread *reply_receive_slow(struct k_ipc_endpoint *endpoint, void *data,
						      size_t size, size_t capacity)
{
	return reply_receive(endpoint, data, size, capacity, EXCHANGE_SLOW);
}

struct k_thread *ipc_reply_receive_fast_bytes(struct k_ipc_endpoint *endpoint, void *data,
					      size_t size, size_t capacity)
{
	struct k_thread *caller = reply_receive(endpoint, data, size, capacity, EXCHANGE);

	return likely(caller != NULL) ? caller : reply_receive_slow(endpoint, data, size, capacity);
}
