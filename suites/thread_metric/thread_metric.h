/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thread-Metric: how often does a loop come round in a period? Eight programs that people
 * compare kernels with. Written anew after the rules that its readme publishes; threads,
 * priorities, loops and checks are as it says:
 *
 * - a reporting thread more urgent than all others sleeps for the period, then prints;
 * - a loop reaches the kernel by functions of services.c, never by macros;
 * - each thread counts its rounds, and at each period's end the counters of one test must
 *   be within one of their average, or the test is printed as an error.
 *
 * What differs: the tests are one program, one after the other; the period is shorter where
 * a core is simulated, which the output says; and there is no periodic tick, since the kernel
 * is tickless.
 *
 * What is more: counters that agree don't prove that anything was preempted. Before its
 * periods each test runs a stretch in which every round is witnessed: the thread looks, as
 * soon as it goes on, whether what the test is about has happened meanwhile. The witness
 * would cost a few instructions, so the periods run without; the loops are the same code.
 */
#ifndef THREAD_METRIC_H
#define THREAD_METRIC_H

#include <measure.h>

#define TM_THREADS 5U

/* ---- services.c: the kernel as the tests see it ---- */

/* Urgency: 1 the highest, 14 the lowest. The thread is created, not started. */
void tm_thread_create(uint32_t id, int priority, k_thread_entry_t entry);
void tm_thread_resume(uint32_t id);
void tm_thread_suspend(uint32_t id);
void tm_thread_relinquish(void);
void tm_queue_create(void);
int tm_queue_send(const uint32_t *message);   /* 16 bytes */
int tm_queue_receive(uint32_t *message);      /* 16 bytes */
void tm_semaphore_create(void);               /* binary, and there at first */
int tm_semaphore_get(void);
void tm_semaphore_put(void);
void tm_memory_pool_create(void);             /* of blocks of 128 bytes */
void *tm_memory_pool_allocate(void);          /* NULL: there was none */
void tm_memory_pool_deallocate(void *block);
void tm_cause_interrupt(void);                /* returns when it has been handled */

/* What an interrupt is handled by, until the threads end. */
void tm_interrupt_handler_set(void (*handler)(void));

/* All threads end, the interrupt is closed. */
void tm_threads_end(void);

/* ---- a test ---- */

struct tm_test {
	const char *id;      /* of its row */
	const char *name;    /* in Thread-Metric's lines: "Cooperative Scheduling" */
	const char *text;    /* of its row */
	const char *error;   /* what Thread-Metric's line of an error says */
	const char *witness; /* what was seen in each round of the witnessed stretch */
	uint32_t counters;   /* tm_counter[0] to [counters - 1] are its */
	bool summed;         /* the total is the sum of them, else the last one */
	/* Create the threads and let them go, witnessed or not. */
	void (*start)(bool witnessed);
};

/* Rounds, by thread or handler. In an order in which none overtakes its predecessor. */
extern uint32_t tm_counter[TM_THREADS];

/* One round of a witnessed stretch is over; `happened` is what the test is about. */
void tm_witness(bool happened);

/* Run a test: its witnessed stretch, its periods, its row. Context: thread of priority 0. */
void tm_run(const struct tm_test *test);

/* scheduling.c, interrupts.c, objects.c */
void tm_scheduling(void);
void tm_interrupts(void);
void tm_objects(void);

#endif /* THREAD_METRIC_H */
