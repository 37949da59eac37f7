/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread makes work, another does it; a message queue lies between them.
 *
 * The queue has room for four messages, so a producer that is too fast is held up by
 * k_msgq_put() until there is room, and a consumer that is too fast waits in
 * k_msgq_get(): neither polls and neither loses anything. The consumer is the more
 * urgent of the two (a smaller number is more urgent), so each message is taken as
 * soon as it is there. Both threads are defined at build time and start by themselves
 * before main() runs, which waits for them and checks what they did.
 */
#include <foliot/kernel.h>

#define MESSAGES          20
#define PRODUCER_PRIORITY K_PRIO_PREEMPT(6)
#define CONSUMER_PRIORITY K_PRIO_PREEMPT(5)
#define STACK_SIZE        1024
#define START_AT_ONCE     0

struct reading {
	uint32_t number;
	int32_t celsius;
};

K_MSGQ_DEFINE(readings, sizeof(struct reading), 4, 4);

static int32_t sum;

static void produce(void *unused_1, void *unused_2, void *unused_3)
{
	/* Bound: MESSAGES. */
	for (uint32_t i = 0; i < MESSAGES; i++) {
		struct reading reading = {.number = i, .celsius = 20 + (int32_t)(i % 5)};

		(void)k_msgq_put(&readings, &reading, K_FOREVER);
		k_msleep(i % 4 == 3 ? 10 : 0); /* four at once, then a pause */
	}
}

static void consume(void *unused_1, void *unused_2, void *unused_3)
{
	struct reading reading;

	/* Bound: MESSAGES, then one second without any. */
	while (k_msgq_get(&readings, &reading, K_SECONDS(1)) == 0) {
		printk("%3d ms: reading %u is %d degrees\n", (int)k_uptime_get(), reading.number,
		       reading.celsius);
		sum += reading.celsius;
	}
}

K_THREAD_DEFINE(producer, STACK_SIZE, produce, NULL, NULL, NULL, PRODUCER_PRIORITY, 0,
		START_AT_ONCE);
K_THREAD_DEFINE(consumer, STACK_SIZE, consume, NULL, NULL, NULL, CONSUMER_PRIORITY, 0,
		START_AT_ONCE);

int main(void)
{
	(void)k_thread_join(producer, K_FOREVER);
	(void)k_thread_join(consumer, K_FOREVER);
	printk("%d readings, %d degrees on average\n", MESSAGES, (int)(sum / MESSAGES));
	k_exit(sum == 22 * MESSAGES ? 0 : 1);
}
