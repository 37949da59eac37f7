/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ring of a message queue: which places are whose. From read_ptr on: `used_msgs` messages,
 * `writing` places that are copied into, free ones from write_ptr on, and behind those, up to
 * read_ptr again, `reading` places that are copied out of. Interrupts masked throughout; two
 * places are the same or have nothing in common.
 *
 * Copies nest, so the places that an inner one claimed are behind the outer one's, and it is
 * done first. The outermost copy in makes messages of all that were claimed, the outermost copy
 * out makes its places free: until then the counts of copies, `writers` and `readers`, are not 0.
 */
#ifndef FOLIOT_KERNEL_MSGQ_RING_H
#define FOLIOT_KERNEL_MSGQ_RING_H

#include <foliot/msgq.h>
#include "lib/string.h"

/*@ predicate msgq_place{L}(struct k_msgq *msgq, char *place) =
  @   msgq->buffer_start <= place && place + msgq->msg_size <= msgq->buffer_end;
  @ predicate msgq_is_sound{L}(struct k_msgq *msgq) =
  @   \valid(msgq) && 0 < msgq->msg_size <= INT32_MAX &&
  @   \base_addr(msgq->buffer_start) == \base_addr(msgq->buffer_end) &&
  @   \base_addr(msgq->read_ptr) == \base_addr(msgq->buffer_end) &&
  @   0 < msgq->buffer_end - msgq->buffer_start <= INT32_MAX &&
  @   msgq_place(msgq, msgq->read_ptr) && msgq_place(msgq, msgq->write_ptr) &&
  @   msgq->used_msgs + msgq->writing + msgq->reading <= msgq->max_msgs;
  @*/
/*@ requires \valid_read(msgq);
  @ assigns \nothing;
  @ ensures place + msgq->msg_size == msgq->buffer_end ==> \result == msgq->buffer_start;
  @ ensures place + msgq->msg_size != msgq->buffer_end ==> \result == place + msgq->msg_size;
  @*/
static inline char *ring_next(const struct k_msgq *msgq, char *place)
{
	place += msgq->msg_size;
	return place == msgq->buffer_end ? msgq->buffer_start : place;
}

/*@ requires \valid_read(msgq);
  @ assigns \nothing;
  @ ensures place == msgq->buffer_start ==> \result == msgq->buffer_end - msgq->msg_size;
  @ ensures place != msgq->buffer_start ==> \result == place - msgq->msg_size;
  @*/
static inline char *ring_prev(const struct k_msgq *msgq, char *place)
{
	return (place == msgq->buffer_start ? msgq->buffer_end : place) - msgq->msg_size;
}

/*@ requires \valid_read(msgq);
  @ requires msgq->used_msgs + msgq->writing + msgq->reading <= msgq->max_msgs;
  @ assigns \nothing;
  @ ensures \result == msgq->max_msgs - msgq->used_msgs - msgq->writing - msgq->reading;
  @*/
static inline uint32_t ring_num_free(const struct k_msgq *msgq)
{
	return msgq->max_msgs - msgq->used_msgs - msgq->writing - msgq->reading;
}

/* The place of the message that `idx` others are before; there is one. */
static inline char *ring_place_of(const struct k_msgq *msgq, uint32_t idx)
{
	size_t ahead = (size_t)idx * msgq->msg_size;
	size_t to_end = (size_t)(msgq->buffer_end - msgq->read_ptr);

	return ahead < to_end ? msgq->read_ptr + ahead : msgq->buffer_start + (ahead - to_end);
}

/* The place for the next message; there is one. ring_publish() says what became of it. */
/*@ requires msgq_is_sound(msgq) && msgq->used_msgs + msgq->writing +
  @   msgq->reading < msgq->max_msgs && msgq->writers < UINT16_MAX;
  @ assigns msgq->write_ptr, msgq->writing, msgq->writers;
  @ ensures \result == \old(msgq->write_ptr);
  @ ensures msgq->writing == \old(msgq->writing) + 1;
  @ ensures msgq->writers == \old(msgq->writers) + 1;
  @ ensures msgq->write_ptr == (\result + msgq->msg_size == msgq->buffer_end
  @   ? msgq->buffer_start : \result + msgq->msg_size);
  @*/
static inline char *ring_claim(struct k_msgq *msgq)
{
	char *place = msgq->write_ptr;

	msgq->write_ptr = ring_next(msgq, place);
	msgq->writing++;
	msgq->writers++;
	return place;
}

/* The copy into `place` came to nothing: what interrupts put behind it moves up. Masked. */
static inline void ring_close_gap(struct k_msgq *msgq, char *place)
{
	char *behind = ring_next(msgq, place);

	/* Bound: D, the messages that interrupts have put meanwhile. */
	while (behind != msgq->write_ptr) {
		memcpy(place, behind, msgq->msg_size);
		place = behind;
		behind = ring_next(msgq, behind);
	}
	msgq->write_ptr = place;
	msgq->writing--;
}

static inline void ring_publish(struct k_msgq *msgq, char *place, bool copied)
{
	if (!copied) {
		ring_close_gap(msgq, place);
	}
	msgq->writers--;
	if (msgq->writers == 0) {
		msgq->used_msgs += msgq->writing;
		msgq->writing = 0;
	}
}

/*
 * The same in front of the first message: one of those that are being read, so free as soon as no
 * copy is under way.
 */
/*@ requires msgq_is_sound(msgq) && msgq->reading < UINT32_MAX && msgq->readers < UINT16_MAX;
  @ assigns msgq->reading, msgq->readers;
  @ ensures msgq->reading == \old(msgq->reading) + 1;
  @ ensures msgq->readers == \old(msgq->readers) + 1;
  @ ensures \result == (msgq->read_ptr == msgq->buffer_start
  @   ? msgq->buffer_end : msgq->read_ptr) - msgq->msg_size;
  @*/
static inline char *ring_claim_front(struct k_msgq *msgq)
{
	msgq->reading++;
	msgq->readers++;
	return ring_prev(msgq, msgq->read_ptr);
}

/*@ requires \valid(msgq) && msgq->used_msgs < UINT32_MAX && msgq->readers > 0;
  @ assigns msgq->read_ptr, msgq->used_msgs, msgq->readers, msgq->reading;
  @ ensures msgq->reading == 0 && msgq->readers == \old(msgq->readers) - 1;
  @ ensures copied ==> msgq->read_ptr == place &&
  @   msgq->used_msgs == \old(msgq->used_msgs) + 1;
  @ ensures !copied ==> msgq->read_ptr == \old(msgq->read_ptr) &&
  @   msgq->used_msgs == \old(msgq->used_msgs);
  @*/
static inline void ring_publish_front(struct k_msgq *msgq, char *place, bool copied)
{
	if (copied) {
		msgq->read_ptr = place;
		msgq->used_msgs++;
	}
	msgq->readers--;
	msgq->reading = 0;
}

/* The first message, to be copied out; there is one. ring_release() says what became of it. */
/*@ requires msgq_is_sound(msgq) && msgq->used_msgs > 0 && msgq->readers < UINT16_MAX;
  @ assigns msgq->read_ptr, msgq->used_msgs, msgq->reading, msgq->readers;
  @ ensures \result == \old(msgq->read_ptr);
  @ ensures msgq->used_msgs == \old(msgq->used_msgs) - 1;
  @ ensures msgq->reading == \old(msgq->reading) + 1;
  @ ensures msgq->readers == \old(msgq->readers) + 1;
  @ ensures msgq->read_ptr == (\result + msgq->msg_size == msgq->buffer_end
  @   ? msgq->buffer_start : \result + msgq->msg_size);
  @*/
static inline char *ring_take(struct k_msgq *msgq)
{
	char *place = msgq->read_ptr;

	msgq->read_ptr = ring_next(msgq, place);
	msgq->used_msgs--;
	msgq->reading++;
	msgq->readers++;
	return place;
}

static inline void ring_release(struct k_msgq *msgq, const char *place, bool copied)
{
	if (copied) {
		msgq->taken++;
	} else { /* first again; interrupts may have taken what was behind it */
		msgq->read_ptr = ring_prev(msgq, msgq->read_ptr);
		if (msgq->read_ptr != place) {
			memcpy(msgq->read_ptr, place, msgq->msg_size);
		}
		msgq->used_msgs++;
		msgq->reading--;
	}
	msgq->readers--;
	if (msgq->readers == 0) {
		msgq->reading = 0;
	}
}

#endif /* FOLIOT_KERNEL_MSGQ_RING_H */
