/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sends the ring of events while the program runs (CONFIG_TRACE_STREAM): one half is filled,
 * while a thread that comes after all others in urgency sends the other. What finds its half full
 * is counted.
 *
 * It goes over the console, beside what the program prints, so each byte of it has its highest
 * bit set: 0xfe, numbers, 0xff. A number is sent in groups of five bits, the lowest ones first,
 * each but the last with 0x20. The first ones are: the form, how many events there were before
 * these (lost ones, too), how many come, an event's cost, a call's, the clock. Of each event
 * follow its time less the one's before, `what`, and `a` and `b` as their difference by bits to
 * those before. The last is a sum of all groups. So whoever listens knows what did not come.
 * lab/foliot/trace/stream.py does.
 */
#include <foliot/trace.h>
#include "kernel/hooks/trace.h"
#include "drivers/uart.h"

#define STACK_SIZE   (1024 * sizeof(void *) / 4)
#define FORM         1U
#define FRAME_BEGIN  0xfeU
#define FRAME_END    0xffU
#define GROUP_BITS   5U
#define FRAME_EVENTS 32U
#define SUM_MASK     0xfffffU

/* Events that were taken out of the ring and not sent yet. */
static struct block {
	const struct trace_ring_event *first;
	unsigned int count;
	uint32_t before;
} taken;

static uint32_t all;        /* events that were taken or lost until then */
static uint32_t lost_then;
static uint32_t event_cost; /* 0: not measured yet */
static uint32_t call_cost;

/* Have the other half filled. Interrupts masked. */
static void take(void)
{
	struct trace_ring_event *half = trace_ring.end - TRACE_RING_PART;
	struct trace_ring_event *other =
		&trace_ring.event[half == trace_ring.event ? TRACE_RING_PART : 0U];

	taken = (struct block){half, (unsigned int)(trace_ring.next - half), all};
	all += taken.count + (trace_ring.lost - lost_then);
	lost_then = trace_ring.lost;
	trace_ring.next = other;
	trace_ring.end = other + TRACE_RING_PART;
}

static uint32_t send_number(uint32_t sum, unsigned long number)
{
	/* Bound: the groups of a word. */
	do {
		unsigned int group = (unsigned int)(number & (BIT(GROUP_BITS) - 1U));

		number >>= GROUP_BITS;
		group |= number != 0 ? BIT(GROUP_BITS) : 0U;
		sum = sum * 31U + group;
		uart_putc((char)(0x80U | group));
	} while (number != 0);
	return sum;
}

/* One that is cut off by another begins anew: who reads it knows by its number. */
static void send_frame(const struct block *block, unsigned int count)
{
	struct trace_ring_event last = {0};
	uint32_t sum = 0;

	uart_putc((char)FRAME_BEGIN);
	sum = send_number(sum, FORM);
	sum = send_number(sum, block->before);
	sum = send_number(sum, count);
	sum = send_number(sum, event_cost);
	sum = send_number(sum, call_cost);
	sum = send_number(sum, BOARD_CLOCK_HZ);
	/* Bound: FRAME_EVENTS. */
	for (unsigned int i = 0; i < count; i++) {
		const struct trace_ring_event *event = &block->first[i];

		sum = send_number(sum, event->time - last.time);
		sum = send_number(sum, event->what);
		sum = send_number(sum, event->a ^ last.a);
		sum = send_number(sum, event->b ^ last.b);
		last = *event;
	}
	(void)send_number(sum, sum & SUM_MASK);
	uart_putc((char)FRAME_END);
	uart_putc('\n'); /* consoles are read in lines */
}

/* Send some of what was taken. Interrupts as they are. */
static void send_some(void)
{
	struct block now = taken;
	unsigned int count = MIN(now.count, FRAME_EVENTS);
	unsigned int key;

	send_frame(&now, count);
	key = arch_irq_lock();
	/* Else k_trace_ring_print() came between, and sent it. */
	if (taken.before == now.before && taken.count == now.count) {
		taken = (struct block){now.first + count, now.count - count, now.before + count};
	}
	arch_irq_unlock(key);
}

/* Interrupts masked. */
static void measure_costs(void)
{
	if (event_cost == 0U) {
		event_cost = trace_ring_cost(false);
		call_cost = trace_ring_cost(true);
	}
}

void k_trace_ring_print(void)
{
	unsigned int key = arch_irq_lock();

	measure_costs();
	/* Bound: 2, what was taken and what was not. */
	for (unsigned int i = 0; i < 2U; i++) {
		/* Bound: a half's frames. */
		while (taken.count > 0U) {
			send_some();
		}
		take();
	}
	send_frame(&(struct block){.before = all}, 0);
	arch_irq_unlock(key);
}

void trace_streamed(void *p1, void *p2, void *p3);
void trace_streamed(void *p1, void *p2, void *p3)
{
	unsigned int key = arch_irq_lock();

	measure_costs();
	arch_irq_unlock(key);
	for (;;) { /* Bound: none, it is a thread's; each turn sleeps. */
		(void)k_msleep(CONFIG_TRACE_STREAM_MS);
		key = arch_irq_lock();
		take();
		arch_irq_unlock(key);
		/* Bound: a half's frames. */
		while (taken.count > 0U) {
			send_some();
		}
	}
}

K_THREAD_DEFINE(trace_stream, STACK_SIZE, trace_streamed, NULL, NULL, NULL,
		K_LOWEST_APPLICATION_THREAD_PRIO, 0, 0);
