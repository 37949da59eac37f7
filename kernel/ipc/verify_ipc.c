/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls: messages between threads, but for those of words that a port carries in registers.
 * The message's structure is copied in and out by the thread itself; the bytes besides are looked
 * at here, so that who names memory that was never its own ends, and once more when they are copied
 * (kernel/ipc/message.c).
 */
#define VERIFIER_OF_OTHERS
#include "kernel/syscall/verify.h"
#include "kernel/ipc/ipc.h"

#ifdef CONFIG_ARCH_IPC_REGISTERS /* those of the words alone are verify_ipc_words.c's */
#define verify_k_ipc_call          verify_user_ipc_call
#define verify_k_ipc_reply_receive verify_user_ipc_reply_receive
#endif

#define VERIFY_GATE(gate)         VERIFY_OBJECT(gate, struct k_ipc_gate, K_OBJ_IPC_GATE)
#define VERIFY_ENDPOINT(endpoint) VERIFY_OBJECT(endpoint, struct k_ipc_endpoint, K_OBJ_IPC_ENDPOINT)

BUILD_ASSERT(sizeof(struct k_ipc_message) <= USER_COPY_MAX, "user_copy_in()");

/*
 * By a right of its own the thread may use it in its next call, too, which is fast then
 * (kernel/hooks/thread_ipc.h). Masked, and looked at once more: the right may have been taken since
 * the verifier's look.
 */
/*@ predicate is_own{L}(void *object, integer tag_offset, integer kind) =
  @   is_there(object, tag_offset, kind) &&
  @   thread_holds(k_cpu.current, place_of((uintptr_t)object, tag_offset));
  @*/
/*@ requires \valid_read(k_cpu.current) && tag_offset <= UINT16_MAX && kind < OBJECT_PUBLIC;
  @ assigns \nothing;
  @ ensures \result ==> is_own((void *)object, tag_offset, kind);
  @*/
static bool may_remember(const void *object, size_t tag_offset, unsigned int kind)
{
	return IS_ENABLED(CONFIG_ARCH_IPC_REGISTERS) &&
	       object_is_usable_masked(object, tag_offset, kind) &&
	       object_is_own(k_cpu.current, object_entry_at(object, tag_offset));
}

/*@ requires held_are_entries(k_cpu.current);
  @ assigns k_cpu.current->ipc.gate;
  @ ensures is_key(\result) && (k_cpu.current->ipc.gate == \old(k_cpu.current->ipc.gate) ||
  @   k_cpu.current->ipc.gate == gate && \exists integer tag_offset;
  @     is_own{Pre}((void *)gate, tag_offset, K_OBJ_IPC_GATE));
  @ ensures rights_stay{Pre, Post};
  @*/
static unsigned int lock_with_gate(const struct k_ipc_gate *gate)
{
	unsigned int key = arch_irq_lock();

	if (may_remember(gate, OBJECT_TAG_OFFSET(struct k_ipc_gate), K_OBJ_IPC_GATE)) {
		k_cpu.current->ipc.gate = gate;
	}
	return key;
}

/*@ requires held_are_entries(k_cpu.current);
  @ assigns k_cpu.current->ipc.endpoint;
  @ ensures is_key(\result) && (k_cpu.current->ipc.endpoint == \old(k_cpu.current->ipc.endpoint) ||
  @   k_cpu.current->ipc.endpoint == endpoint && \exists integer tag_offset;
  @     is_own{Pre}((void *)endpoint, tag_offset, K_OBJ_IPC_ENDPOINT));
  @ ensures rights_stay{Pre, Post};
  @*/
static unsigned int lock_with_endpoint(const struct k_ipc_endpoint *endpoint)
{
	unsigned int key = arch_irq_lock();

	if (may_remember(endpoint, OBJECT_TAG_OFFSET(struct k_ipc_endpoint), K_OBJ_IPC_ENDPOINT)) {
		k_cpu.current->ipc.endpoint = endpoint;
	}
	return key;
}

/* Into the thread's hands. Returns 0, or -EINVAL: more bytes than a message has. */
/*@ requires caller_is_sound;
  @ assigns k_cpu.current->user.message, k_cpu.current->ipc.data, k_cpu.current->ipc.own_since,
  @   k_cpu.current->ipc.whose, asked_size, asked_capacity;
  @ ensures caller_may_touch{Pre}((uintptr_t)user, sizeof(*user), (boolean)0);
  @ ensures \result == 0 || \result == -EINVAL && sends;
  @ ensures \result == 0 ==> hands_are_own;
  @ ensures \result != 0 && hands_are_empty{Pre} ==> hands_are_empty;
  @ ensures rights_stay{Pre, Post};
  @ ensures \result == 0 && !sends ==> sends_nothing;
  @ ensures \result == 0 && !receives ==> takes_nothing;
  @ ensures \result == 0 ==> (sends ==> all_is_sent) && (receives ==> all_has_room);
  @*/
static int take_in(const struct k_ipc_message *user, bool sends, bool receives)
{
	struct k_ipc_message message;

	user_copy_in(&message, user, sizeof(message));
	/*@ ghost asked_size = message.size; */
	/*@ ghost asked_capacity = message.capacity; */
	if (sends && message.size > CONFIG_IPC_MESSAGE_MAX) {
		return -EINVAL;
	}
	if (!sends) {
		message.size = 0;
	}
	if (!receives) {
		message.capacity = 0;
	}
	if (message.size != 0) {
		user_verify_readable(message.data, message.size);
	}
	if (message.capacity != 0) {
		user_verify_writable(message.data, message.capacity);
	}
	ipc_take_in(&message, true);
	return 0;
}

/*@ requires caller_is_sound;
  @ ensures result == 0 ==> caller_may_touch{Pre}((uintptr_t)user, sizeof(*user), (boolean)1);
  @ ensures \result == result && hands_are_empty;
  @*/
static int give_out(struct k_ipc_message *user, int result)
{
	struct k_ipc_message message;

	if (result != 0) {
		return ipc_put_away(result);
	}
	ipc_give_out(&message);
	message.data = k_cpu.current->ipc.data;
	message.capacity = IPC_WORDS(k_cpu.current)->capacity;
	/*@ assert message.data == k_cpu.current->ipc.data &&
	  @   message.capacity == IPC_WORDS(k_cpu.current)->capacity;
	  @*/
	(void)ipc_put_away(0);
	user_copy_out(user, &message, sizeof(message));
	return 0;
}

/*@ requires caller_is_sound && hands_are_empty;
  @ ensures hands_are_empty;
  @ ensures caller_may_touch{Pre}((uintptr_t)message, sizeof(*message), (boolean)0);
  @*/
int verify_k_ipc_call(struct k_ipc_gate *gate, struct k_ipc_message *message, k_timeout_t timeout)
{
	int result;

	VERIFY_GATE(gate);
	result = take_in(message, true, true);
	if (result != 0) {
		return result;
	}
	return give_out(message, ipc_call(gate, verify_timeout(timeout), lock_with_gate(gate)));
}

/*@ requires caller_is_sound && hands_are_empty;
  @ ensures hands_are_empty;
  @ ensures caller_may_touch{Pre}((uintptr_t)message, sizeof(*message), (boolean)0);
  @*/
int verify_k_ipc_send(struct k_ipc_gate *gate, const struct k_ipc_message *message,
		      k_timeout_t timeout)
{
	int result;

	VERIFY_GATE(gate);
	result = take_in(message, true, false);
	if (result != 0) {
		return result;
	}
	return ipc_put_away(ipc_send(gate, verify_timeout(timeout), arch_irq_lock()));
}

/*@ requires caller_is_sound && hands_are_empty;
  @ ensures hands_are_empty;
  @ ensures caller_may_touch{Pre}((uintptr_t)message, sizeof(*message), (boolean)0);
  @*/
int verify_k_ipc_receive(struct k_ipc_endpoint *endpoint, struct k_ipc_message *message,
			 k_timeout_t timeout)
{
	VERIFY_ENDPOINT(endpoint);
	(void)take_in(message, false, true);
	return give_out(message, ipc_receive(endpoint, verify_timeout(timeout), arch_irq_lock()));
}

/*@ requires caller_is_sound && hands_are_empty;
  @ ensures hands_are_empty;
  @ ensures caller_may_touch{Pre}((uintptr_t)message, sizeof(*message), (boolean)0);
  @*/
int verify_k_ipc_reply(const struct k_ipc_message *message)
{
	int result = take_in(message, true, false);

	return result != 0 ? result : ipc_put_away(ipc_reply(arch_irq_lock()));
}

/*@ requires caller_is_sound && hands_are_empty;
  @ ensures hands_are_empty;
  @ ensures caller_may_touch{Pre}((uintptr_t)message, sizeof(*message), (boolean)0);
  @*/
int verify_k_ipc_reply_receive(struct k_ipc_endpoint *endpoint, struct k_ipc_message *message,
			       k_timeout_t timeout)
{
	int result;

	VERIFY_ENDPOINT(endpoint);
	result = take_in(message, true, true);
	if (result != 0) {
		return result;
	}
	return give_out(message, ipc_reply_receive(endpoint, verify_timeout(timeout),
						   lock_with_endpoint(endpoint)));
}
