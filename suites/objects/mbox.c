/* SPDX-License-Identifier: Apache-2.0 */
/* Mailboxes, by messages of four bytes. A sender that waits does so until its data was taken. */
#include "objects.h"

static K_MBOX_DEFINE(mbox);
static uint32_t sent, got;
static struct k_mbox_msg tx_msg, rx_msg;

static void prepare_tx(void)
{
	sent++;
	tx_msg = (struct k_mbox_msg){
		.info = sent, .size = 4, .tx_data = &sent, .tx_target_thread = K_ANY};
}

static void prepare_rx(void)
{
	rx_msg = (struct k_mbox_msg){.size = 4, .rx_source_thread = K_ANY};
}

MEASURE_WINDOW(put, result = k_mbox_put(&mbox, &tx_msg, K_FOREVER))
MEASURE_WINDOW(put_async, k_mbox_async_put(&mbox, &tx_msg, NULL))
MEASURE_WINDOW(get_now, result = k_mbox_get(&mbox, &rx_msg, &got, K_NO_WAIT))
MEASURE_WINDOW(put_now, result = k_mbox_put(&mbox, &tx_msg, K_NO_WAIT))
MEASURE_WINDOW(put_timed, result = k_mbox_put(&mbox, &tx_msg, K_SECONDS(100)))
MEASURE_WINDOW(get_timed, result = k_mbox_get(&mbox, &rx_msg, &got, K_SECONDS(100)))
MEASURE_WINDOW(get, result = k_mbox_get(&mbox, &rx_msg, &got, K_FOREVER))

static void put_there(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "waits_there", mbox.async != NULL);
}

static void received(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "received",
			result == 0 && rx_msg.size == 4 && got == sent && rx_msg.info == sent);
}

static void was_taken(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "taken", result == 0 && tx_msg.size == 4);
}

/* By then it has gone on to the next message. */
static void received_one(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "received", result == 0 && rx_msg.size == 4 && rx_msg.info == got);
}

static void refused(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", result == -ENOMSG);
}

static void nothing_there(void)
{
	struct k_mbox_msg msg = {.size = 0, .rx_source_thread = K_ANY};

	/* Bound: what was put. */
	while (k_mbox_get(&mbox, &msg, NULL, K_NO_WAIT) == 0) {
		msg = (struct k_mbox_msg){.size = 0, .rx_source_thread = K_ANY};
	}
	prepare_rx();
	prepare_tx();
}

static void one_there(void)
{
	nothing_there();
	k_mbox_async_put(&mbox, &tx_msg, NULL);
}

static void put_and_out(struct measure_row *row, intptr_t result)
{
	put_there(row, result);
	nothing_there();
}

static void get_once(void)
{
	struct k_mbox_msg msg = {.size = 4, .rx_source_thread = K_ANY};
	uint32_t own;

	(void)k_mbox_get(&mbox, &msg, &own, K_FOREVER);
}

static void put_once(void)
{
	uint32_t own = 0;
	struct k_mbox_msg msg = {.size = 4, .tx_data = &own, .tx_target_thread = K_ANY};

	(void)k_mbox_put(&mbox, &msg, K_FOREVER);
}

/* Mailboxes are threads' alone. */
static void measure_single_states(void)
{
	states_single(&(struct measure_operation){"mbox.put.async.immediate.kernel",
						  "Put a message, not waiting (no ctx switch)",
						  put_async, nothing_there, put_and_out},
		      CALLERS_THREADS);
	states_single(&(struct measure_operation){"mbox.put.refused.kernel",
						  "Put a message that nobody waits for", put_now,
						  nothing_there, refused},
		      CALLERS_THREADS);
	states_single(&(struct measure_operation){"mbox.get.immediate.kernel",
						  "Get a message with its data (no ctx switch)",
						  get_now, one_there, received},
		      CALLERS_THREADS);
	states_single(&(struct measure_operation){"mbox.get.refused.kernel",
						  "Get from an empty mailbox, not waiting", get_now,
						  nothing_there, refused},
		      CALLERS_THREADS);
}

static void measure_states(void)
{
	measure_single_states();
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"mbox.get.blocking.k_to_k", "Get a message (w/ ctx switch)", get,
				  prepare_rx, received},
			 .wake = {"mbox.put.wake+ctx.k_to_k",
				  "Put a message to a receiver that waits (w/ ctx switch)", put,
				  prepare_tx, was_taken},
			 .wait_q = &mbox.receivers},
		.wait_timed = get_timed,
		.wait_once = get_once,
		.pairs_only = true,
	});
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"mbox.put.blocking.k_to_k", "Put a message (w/ ctx switch)", put,
				  prepare_tx, was_taken},
			 .wake = {"mbox.get.wake+ctx.k_to_k",
				  "Get a message of a sender that waits (w/ ctx switch)", get_now,
				  prepare_rx, received_one},
			 .wait_q = &mbox.senders},
		.wait_timed = put_timed,
		.wait_once = put_once,
		.pairs_only = true,
	});
}

void objects_mbox(void)
{
	measure_turns(&(struct measure_operation){"mbox.put.async.immediate.kernel",
						  "Put a message, not waiting (no ctx switch)",
						  put_async, prepare_tx, put_there},
		      &(struct measure_operation){"mbox.get.immediate.kernel",
						  "Get a message with its data (no ctx switch)",
						  get_now, prepare_rx, received});
	measure_single(&(struct measure_operation){"mbox.get.refused.kernel",
						   "Get from an empty mailbox, not waiting",
						   get_now, prepare_rx, refused});
	measure_pair(&(struct measure_pair){
		.wait = {"mbox.get.blocking.k_to_k", "Get a message (w/ ctx switch)", get,
			 prepare_rx, received},
		.wake = {"mbox.put.wake+ctx.k_to_k",
			 "Put a message to a receiver that waits (w/ ctx switch)", put, prepare_tx,
			 was_taken},
		.wait_q = &mbox.receivers,
	});
	measure_pair(&(struct measure_pair){
		.wait = {"mbox.put.blocking.k_to_k", "Put a message (w/ ctx switch)", put,
			 prepare_tx, was_taken},
		.wake = {"mbox.get.wake+ctx.k_to_k",
			 "Get a message of a sender that waits (w/ ctx switch)", get_now,
			 prepare_rx, received_one},
		.wait_q = &mbox.senders,
	});
	measure_states();
}
