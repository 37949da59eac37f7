/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who holds up the most urgent thread? A user thread of the lowest priority makes a call that takes as long as others let it,
 * with helpers that wait, own or are waited for. An alarm comes at one moment of the call, then a little later in the next
 * one, until the call is over. The window: from when the alarm was due to the first instruction of the thread that its
 * handler wakes, the most urgent one, in kernel mode. What is masked and what is locked meanwhile is all in it.
 *
 * An alarm that falls into what is masked has the thread the later the earlier it comes, down to the first masked instruction.
 * That one is looked for behind each of the latest alarms, by halves, so the row's maximum does not depend on where
 * the steps happened to fall.
 *
 * The row `none` has an attacker that only computes. At the end stands by how much the latest of all was later than that one,
 * and how many are within what is allowed.
 *
 * The timer's line is this program's, so time stands still for the kernel.
 */
#include "interference.h"

#include <board.h>
#include <drivers/timer.h>
#include <measure.h>

#ifdef BOARD_ALARM_IRQ
#define ALARM_IRQ BOARD_ALARM_IRQ
#else
#define ALARM_IRQ BOARD_TIMER_IRQ
#endif
#define SAMPLES    ((uint32_t)CONFIG_MEASURE_SAMPLES)
#define AHEAD      200U /* of the timer: the first alarm, before the call begins */
#define STACK_SIZE 640
#define NUM_LATEST 16  /* alarms before which the latest of all is looked for */
#define MAIN_PRIO  1
#define HELP_PRIO  (MAIN_PRIO + 1)

/* What is allowed beyond the undisturbed case; a division of the core's is in it. */
#define ALLOWED (measure_unit_is_cycles() ? 240 + 37 : 90)

enum place { BEFORE, IN_CALL, BEHIND };

K_APPMEM_PARTITION_DEFINE(control_memory);
K_APP_BMEM(control_memory) static volatile enum place place; /* the attacker's */
K_APP_BMEM(control_memory) static volatile uint32_t call_began; /* in cycles of the timer */
K_APP_BMEM(control_memory) static const struct attack *volatile now;

static K_SEM_DEFINE(wake, 0, 1);
static K_SEM_DEFINE(go, 0, 1);
static K_SEM_DEFINE(done, 0, 1);
static struct measure_row row;
static struct k_thread victim, attacker, helpers[HELPERS];
static K_THREAD_STACK_DEFINE(victim_stack, 1024);
static K_THREAD_STACK_DEFINE(attacker_stack, STACK_SIZE);
static K_THREAD_STACK_ARRAY_DEFINE(helper_stacks, HELPERS, STACK_SIZE);
static uint32_t due, stamp;          /* when it was to come, and when it had */
static volatile uint32_t came, seen; /* alarms; that fell into the call */
static volatile bool is_over;        /* the last one came behind the call */
static volatile int32_t late;        /* of the last one: so long; -1: not in the call */
static uint32_t first, last;         /* alarms in the call: how far ahead they were */
static struct {
	uint32_t ahead;
	int32_t late;
} latest_alarms[NUM_LATEST]; /* the latest at the front */
static int32_t undisturbed, latest;
static unsigned int num_measured, within; /* attacks; those within what is allowed */
static const char *latest_id = "none";

/* As the driver's handler does, whose place this one's has. */
#ifdef INTCLR
static void lower_line(void)
{
	timer_alarm(timer_cycles() + (1U << 30));
	INTCLR(BOARD_ALARM_BASE) = 1;
}
#else
static void lower_line(void)
{
	timer_alarm(timer_cycles() + (1U << 30));
}
#endif

static void ring(const void *unused)
{
	lower_line();
	k_sem_give(&wake);
}

static void be_urgent(void *p1, void *p2, void *p3)
{
	for (;;) { /* Bound: none, it is aborted. */
		uint32_t start;

		(void)k_sem_take(&wake, K_FOREVER);
		start = measure_stamp();
		measure_fence_stamp(start);
		late = -1;
		if (place == IN_CALL) {
			late = (int32_t)(start - due);
			seen++;
		}
		is_over = place == BEHIND;
		stamp = start;
		came++;
	}
}

/* In user mode. */
static void attack(void *p1, void *p2, void *p3)
{
	for (;;) {
		(void)k_sem_take(&go, K_FOREVER);
		if (now->before != NULL) {
			now->before();
		}
		call_began = k_cycle_get_32();
		place = IN_CALL;
		now->call();
		place = BEHIND;
		k_sem_give(&done);
	}
}

static void help(void *p1, void *p2, void *p3)
{
	now->help((int)(intptr_t)p1);
}

static void start(struct k_thread *thread, k_thread_stack_t *stack, k_thread_entry_t entry, int n,
		  int prio)
{
	(void)k_thread_create(thread, stack, STACK_SIZE, entry, (void *)(intptr_t)n, NULL, NULL,
			      prio, K_USER, K_FOREVER);
	attacks_admit(thread);
	k_thread_access_grant(thread, &go, &done);
	k_thread_start(thread);
}

static void begin(void)
{
	place = BEFORE;
	came = 0;
	seen = 0;
	is_over = false;
	if (now->prepare != NULL) {
		now->prepare();
	}
	start(&attacker, attacker_stack, attack, 0, ATTACKER_PRIO);
	for (int i = 0; i < HELPERS && now->help != NULL; i++) {
		start(&helpers[i], helper_stacks[i], help, i, HELP_PRIO);
	}
}

static void end(void)
{
	k_thread_abort(&attacker);
	for (int i = 0; i < HELPERS && now->help != NULL; i++) {
		k_thread_abort(&helpers[i]);
	}
}

/* One call with an alarm so many of the timer's cycles ahead. */
static void call_with_alarm(uint32_t ahead)
{
	const uint32_t before = came;
	unsigned int key = irq_lock();
	uint32_t at = timer_cycles();

	place = BEFORE; /* What is before the call does not take as long each time. */
	due = measure_stamp() + ahead;
	timer_alarm(at + ahead);
	irq_unlock(key);
	k_sem_give(&go);
	(void)k_sem_take(&done, K_FOREVER);
	while (came == before) { /* Bound: the alarm. */
	}
}

static void add_sample(void)
{
	measure_add(&row, due, stamp);
	measure_witness(&row, "in the call", late >= 0);
}

/* How long a call takes, and how far ahead it is, in cycles of the timer. */
static uint32_t length(uint32_t *ahead)
{
	uint32_t began = timer_cycles();

	k_sem_give(&go);
	(void)k_sem_take(&done, K_FOREVER);
	*ahead = call_began - began;
	return timer_cycles() - call_began;
}

static void note_latest(uint32_t ahead)
{
	int at = NUM_LATEST;

	while (at > 0 && latest_alarms[at - 1].late < late) { /* Bound: there are so many. */
		at--;
		if (at < NUM_LATEST - 1) {
			latest_alarms[at + 1] = latest_alarms[at];
		}
	}
	if (at < NUM_LATEST) {
		latest_alarms[at].ahead = ahead;
		latest_alarms[at].late = late;
	}
}

/* From before the call to behind it. */
static void measure_in_steps(uint32_t from, uint32_t step)
{
	measure_row_begin(&row, now->id, now->text);
	seen = 0;
	is_over = false;
	for (int i = 0; i < NUM_LATEST; i++) {
		latest_alarms[i].late = -1;
	}
	/* Bound: the call's length, and what is before it. */
	for (uint32_t ahead = from; ahead < from + 100U * SAMPLES * step && !is_over;
	     ahead += step) {
		call_with_alarm(ahead);
		if (late >= 0) {
			first = seen == 1 ? ahead : first;
			last = ahead;
			add_sample();
			note_latest(ahead);
		}
	}
}

/* The later ones before alarm i; those of them that are later than it are samples, too. */
static void look_before(int i, uint32_t step)
{
	uint32_t ahead = latest_alarms[i].ahead;
	int32_t latest_here = latest_alarms[i].late;

	for (uint32_t back = step; back != 0; back /= 2) {
		if (latest_here < 0 || back > ahead - AHEAD) {
			continue;
		}
		call_with_alarm(ahead - back);
		if (late > latest_here) {
			ahead -= back;
			latest_here = late;
			add_sample();
		}
	}
}

static void measure_attack(void)
{
	uint32_t step, ahead;

	begin();
	(void)length(&ahead);
	step = MAX(length(&ahead) / SAMPLES, 1U) | 1U;
	measure_in_steps(MAX(ahead - MIN(ahead, SAMPLES * step / 2U), AHEAD), step);
	while (seen < SAMPLES / 2U && step > 1U) { /* most of that was not the call */
		const uint32_t from = seen == 0 ? AHEAD : MAX(first - step, AHEAD);

		step = seen < 2U ? step / 8U | 1U : MIN((last - first) / SAMPLES, step / 2U) | 1U;
		measure_in_steps(from, step);
	}
	for (int i = 0; i < NUM_LATEST; i++) {
		look_before(i, step);
	}
	end();
	if (seen == 0) {
		measure_fail(&row, "no alarm fell into the call");
	}
	if (num_measured++ == 0) {
		undisturbed = row.max;
	} else if (row.max - undisturbed > latest) {
		latest = row.max - undisturbed;
		latest_id = now->id;
	}
	within += row.max - undisturbed <= ALLOWED ? 1U : 0U;
	measure_row_end(&row);
}

static void measure_group(const struct attack_group *group)
{
	/* Bound: the attacks. */
	for (size_t i = 0; i < group->num_attacks; i++) {
		now = &group->attacks[i];
		measure_attack();
	}
}

int main(void)
{
	k_thread_priority_set(k_current_get(), MAIN_PRIO);
	measure_begin("interference");
	attacks_begin();
	(void)irq_connect_dynamic(ALARM_IRQ, 0, ring, NULL, 0);
	(void)k_thread_create(&victim, victim_stack, K_THREAD_STACK_SIZEOF(victim_stack), be_urgent,
			      NULL, NULL, NULL, K_HIGHEST_THREAD_PRIO, 0, K_NO_WAIT);
	/* Bound: the groups. */
	for (size_t i = 0; i < num_attack_groups; i++) {
		measure_group(attack_groups[i]);
	}
	k_thread_abort(&victim);
	printk("undisturbed at the latest %d; disturbed at the latest %d more, by %s\n",
	       (int)undisturbed, (int)latest, latest_id);
	printk("%u of %u are no more than %d later\n", within, num_measured, ALLOWED);
	k_exit(measure_end());
}
