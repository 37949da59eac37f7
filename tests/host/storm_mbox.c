/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Storms over mailboxes: messages for somebody and for anybody, with senders that wait and without, their data taken at once or later,
 * while threads are aborted elsewhere in the storm. What was sent was received once, whole, or its sender was told that it was not.
 */
#include "model.h"
#include "storm.h"

#define BYTES_MAX 24

static struct k_mbox mbox;
static uint64_t sum_sent, sum_received; /* of the numbers of messages that were taken */
static uint32_t next_number;
static uint32_t async_data[CONFIG_NUM_MBOX_ASYNC_MSGS][BYTES_MAX / sizeof(uint32_t)];
static bool async_in_use[CONFIG_NUM_MBOX_ASYNC_MSGS];

static void mbox_init_job(void)
{
	k_mbox_init(&mbox);
}

static k_tid_t anybody(void)
{
	return one_in(3) ? &storm_threads[random_below(STORM_THREADS)] : K_ANY;
}

static uint32_t draw_number(void)
{
	unsigned int key = irq_lock();
	uint32_t number = ++next_number;

	irq_unlock(key);
	return number;
}

static void add(uint64_t *sum, uint32_t number)
{
	unsigned int key = irq_lock();

	*sum += number;
	irq_unlock(key);
}

static void fill(uint32_t *data, uint32_t number)
{
	for (size_t i = 0; i < BYTES_MAX / sizeof(*data); i++) {
		data[i] = number;
	}
}

static void put_waiting(k_timeout_t timeout)
{
	uint32_t data[BYTES_MAX / sizeof(uint32_t)];
	uint32_t number = draw_number();
	struct k_mbox_msg msg = {
		.info = number, .size = BYTES_MAX, .tx_data = data, .tx_target_thread = anybody()};
	int result;

	fill(data, number);
	result = k_mbox_put(&mbox, &msg, timeout);
	CHECK(result == 0 || result == -ENOMSG || result == -EAGAIN);
	if (result == 0) {
		add(&sum_sent, number);
		CHECK(msg.size == BYTES_MAX || msg.size == 0);
	}
}

/* Whose data is to stay until it was taken: a place of its own, which the receiver frees. */
static void put_without_waiting(void)
{
	unsigned int key = irq_lock();
	struct k_mbox_msg msg = {.size = BYTES_MAX, .tx_target_thread = K_ANY};
	int place = 0;

	while (place < CONFIG_NUM_MBOX_ASYNC_MSGS && async_in_use[place]) {
		place++;
	}
	if (place < CONFIG_NUM_MBOX_ASYNC_MSGS) {
		async_in_use[place] = true;
	}
	irq_unlock(key);
	if (place == CONFIG_NUM_MBOX_ASYNC_MSGS) {
		return;
	}
	msg.info = draw_number();
	msg.tx_data = async_data[place];
	fill(async_data[place], msg.info);
	add(&sum_sent, msg.info);
	k_mbox_async_put(&mbox, &msg, NULL);
}

static void free_place(const void *data)
{
	for (int i = 0; i < CONFIG_NUM_MBOX_ASYNC_MSGS; i++) {
		if (data == async_data[i]) {
			async_in_use[i] = false;
		}
	}
}

static void receive(k_timeout_t timeout)
{
	uint32_t data[BYTES_MAX / sizeof(uint32_t)] = {0};
	struct k_mbox_msg msg = {.size = BYTES_MAX, .rx_source_thread = anybody()};
	bool takes_later = one_in(2);
	int result = k_mbox_get(&mbox, &msg, takes_later ? NULL : data, timeout);
	const void *from = msg.tx_data;

	CHECK(result == 0 || result == -ENOMSG || result == -EAGAIN);
	if (result != 0) {
		return;
	}
	if (takes_later) {
		k_yield(); /* its sender waits on */
		k_mbox_data_get(&msg, data);
	}
	CHECK(msg.size == BYTES_MAX && msg.info != 0);
	for (size_t i = 0; i < ARRAY_SIZE(data); i++) {
		CHECK(data[i] == msg.info);
	}
	add(&sum_received, msg.info);
	free_place(from);
}

static void mbox_in_thread(int self)
{
	switch (random_below(4)) {
	case 0:
		put_without_waiting();
		break;
	case 1:
		put_waiting(storm_timeout());
		break;
	default:
		receive(storm_timeout());
		break;
	}
}

/* Mailboxes are threads' alone: what an ISR does is to end waits. */
static void mbox_in_isr(void)
{
	k_wakeup(&storm_threads[random_below(STORM_THREADS)]);
}

static void mbox_at_rest(void)
{
	(void)storm_check_waiters(&mbox.senders);
	(void)storm_check_waiters(&mbox.receivers);
}

static void mbox_end(void)
{
	struct k_mbox_msg msg = {.size = BYTES_MAX, .rx_source_thread = K_ANY};
	uint32_t data[BYTES_MAX / sizeof(uint32_t)];

	while (k_mbox_get(&mbox, &msg, data, K_NO_WAIT) == 0) {
		CHECK(data[0] == msg.info);
		add(&sum_received, msg.info);
		msg = (struct k_mbox_msg){.size = BYTES_MAX, .rx_source_thread = K_ANY};
	}
	CHECK(sum_sent == sum_received);
	CHECK(mbox.async == NULL);
}

const struct storm_job storm_mbox = {
	"mbox", mbox_init_job, mbox_in_thread, mbox_in_isr, mbox_at_rest, mbox_end,
};
