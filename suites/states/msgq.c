/* SPDX-License-Identifier: Apache-2.0 */
/* Message queues of 16-byte messages: empty, full, and with readers that wait. */
#include "states.h"

struct message {
	uint32_t word[4];
};

K_MSGQ_DEFINE(messages, sizeof(struct message), 1, 4);
static struct message sent = {{1, 2, 3, 4}};
static struct message received;

MEASURE_WINDOW(put, result = k_msgq_put(&messages, &sent, K_NO_WAIT))
MEASURE_WINDOW(get_now, result = k_msgq_get(&messages, &received, K_NO_WAIT))
MEASURE_WINDOW(get, result = k_msgq_get(&messages, &received, K_FOREVER))
MEASURE_WINDOW(get_timed, result = k_msgq_get(&messages, &received, K_SECONDS(100)))

static void fill(void)
{
	(void)k_msgq_put(&messages, &sent, K_NO_WAIT);
	received.word[3] = 0;
}

static void was_put(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "put", result == 0 && k_msgq_num_used_get(&messages) == 1);
	k_msgq_purge(&messages);
}

static void got(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "got", result == 0 && received.word[3] == 4);
	received.word[3] = 0;
}

static void refused(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", result == -ENOMSG);
}

static void refused_full(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "refused", result == -ENOMSG);
	k_msgq_purge(&messages);
}

static void handed_over(struct measure_row *row, intptr_t result)
{
	measure_witness(row, "handed_over", result == 0);
}

static void get_once(void)
{
	struct message message;

	(void)k_msgq_get(&messages, &message, K_FOREVER);
}

void states_msgq(void)
{
	states_single(&(struct measure_operation){"msgq.put.immediate.kernel",
						  "Put a message (no ctx switch)", put, NULL,
						  was_put},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"msgq.put.refused.kernel",
						  "Put a message, the queue full", put, fill,
						  refused_full},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"msgq.get.immediate.kernel",
						  "Get a message (no ctx switch)", get_now, fill,
						  got},
		      CALLERS_ALL);
	states_single(&(struct measure_operation){"msgq.get.refused.kernel",
						  "Get a message, the queue empty", get_now, NULL,
						  refused},
		      CALLERS_ALL);
	states_pairs(&(struct states_pair){
		.pair = {.wait = {"msgq.get.blocking.k_to_k", "Get a message (context switch)", get,
				  NULL, got},
			 .wake = {"msgq.put.wake+ctx.k_to_k", "Put a message (context switch)", put,
				  NULL, handed_over},
			 .wait_q = &messages.wait_q},
		.wait_timed = get_timed,
		.wait_once = get_once,
		.no_switch_id = "msgq.put.wake.kernel",
	});
}
