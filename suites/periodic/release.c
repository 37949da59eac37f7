/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a tick costs that releases periodic threads: by how many are installed, how many
 * of them are due, and how many others are in the ready queue already.
 *
 * main(), which outranks all of them, reads the counter in a loop; the tick's interrupt
 * is a gap between two readings, entry and exit of the interrupt included. Nobody has
 * run before the gap is measured, so who was released can be counted in the ready queue.
 */
#include "rows.h"

#define THREADS    ((unsigned int)CONFIG_PERIODIC_THREADS_MAX)
#define FAR        1000000U /* ticks: never due here */
#define LOOP_TRIES 16U

struct scene {
	const char *id;
	const char *text;
	unsigned int installed;
	unsigned int due;
	unsigned int queued; /* other threads that are ready */
	bool rising;         /* each outranks the one before */
};

static struct k_thread thread[THREADS];
static K_THREAD_STACK_ARRAY_DEFINE(stacks, THREADS, STACK_SIZE);
static struct measure_row row;
static K_SEM_DEFINE(go, 0, K_SEM_MAX_LIMIT);
static K_TIMER_DEFINE(ticking, NULL, NULL); /* makes ticks where no thread is due */

static void periodic(void *p1, void *p2, void *p3)
{
	for (;;) {
		(void)k_period_wait();
	}
}

/* Ready whenever main() says so. */
static void other(void *p1, void *p2, void *p3)
{
	for (;;) {
		(void)k_sem_take(&go, K_FOREVER);
	}
}

/*
 * Read the counter until two readings are more than `gap` ticks apart, at most `rounds`
 * times. Returns what the last round before took.
 */
static __attribute__((noipa, aligned(64))) uint32_t watch(uint32_t gap, uint32_t rounds,
							  struct measure_window *window)
{
	uint32_t usual = 0;
	uint32_t last = measure_stamp();
	uint32_t now = last;

	do { /* Bound: `rounds`; a tick comes long before the largest number. */
		usual = now - last;
		last = now;
		now = measure_stamp();
	} while (now - last <= gap && --rounds != 0);
	window->start = last;
	window->end = now;
	return usual;
}

/* What a round takes where nothing happens, in ticks. */
static uint32_t loop_ticks(void)
{
	uint32_t least = UINT32_MAX;

	/* Bound: LOOP_TRIES. */
	for (unsigned int i = 0; i < LOOP_TRIES; i++) {
		struct measure_window window;

		least = MIN(least, watch(UINT32_MAX, 8, &window));
	}
	return least;
}

static unsigned int count_released(const struct scene *scene)
{
	unsigned int count = 0;

	/* Bound: the installed threads. */
	for (unsigned int n = 0; n < scene->installed; n++) {
		count += (thread[n].state & K_THREAD_QUEUED) != 0 ? 1U : 0U;
	}
	return count;
}

static void let_them_run(void)
{
	k_thread_priority_set(k_current_get(), RESTING_PRIO);
	k_thread_priority_set(k_current_get(), WATCHER_PRIO);
}

static void install(const struct scene *scene)
{
	k_ticks_t first = (k_ticks_t)k_uptime_ticks() +
			  LEAD_TICKS(scene->installed + scene->queued);

	/* Bound: THREADS. */
	for (unsigned int n = 0; n < scene->installed + scene->queued; n++) {
		bool is_periodic = n < scene->installed;
		bool due = n < scene->due;

		(void)k_thread_create(&thread[n], stacks[n], STACK_SIZE,
				      is_periodic ? periodic : other, NULL, NULL, NULL,
				      scene->rising ? K_PRIO_PREEMPT(15 - (int)n) : WORKER_PRIO, 0,
				      K_FOREVER);
		if (is_periodic) {
			(void)k_thread_period_set_at(&thread[n], K_TICKS(due ? PERIOD_TICKS : FAR),
						     due ? first : first + FAR);
		}
		k_thread_start(&thread[n]);
	}
	let_them_run();
	if (scene->due == 0) {
		k_timer_start(&ticking, K_TICKS(PERIOD_TICKS), K_TICKS(PERIOD_TICKS));
	}
}

static void remove_all(const struct scene *scene)
{
	k_timer_stop(&ticking);
	/* Bound: THREADS. */
	for (unsigned int n = 0; n < scene->installed + scene->queued; n++) {
		k_thread_abort(&thread[n]);
	}
}

/* A tick with what is expected; ticks that only look into the wheel are passed over. */
static void sample(const struct scene *scene, uint32_t gap)
{
	struct measure_window window;
	unsigned int released;

	/* Bound: `queued`. */
	for (unsigned int n = 0; n < scene->queued; n++) {
		k_sem_give(&go);
	}
	do { /* Bound: the levels of the timeout wheel. */
		(void)k_timer_status_get(&ticking);
		(void)watch(gap, UINT32_MAX, &window);
		released = count_released(scene);
	} while (released == 0 && k_timer_status_get(&ticking) == 0);
	measure_add(&row, window.start, window.end);
	measure_witness(&row, "released", released == scene->due);
	let_them_run();
}

static void measure_scene(const struct scene *scene)
{
	uint32_t loop = loop_ticks();

	measure_row_begin(&row, scene->id, scene->text);
	row.overhead = (int32_t)((uint64_t)loop * BOARD_CYCLES_DEN / BOARD_CYCLES_NUM);
	install(scene);
	/* Bound: CONFIG_MEASURE_SAMPLES. */
	for (unsigned int i = 0; i < CONFIG_MEASURE_SAMPLES; i++) {
		sample(scene, 4U * loop);
	}
	remove_all(scene);
	measure_row_end(&row);
}

#define SCENE_(name_, installed_, due_, queued_, rising_)                                 \
	{.id = "periodic.tick." name_,                                                    \
	 .text = "Tick: " #due_ " of " #installed_ " threads, " #queued_ " others ready", \
	 .installed = (installed_),                                                       \
	 .due = (due_),                                                                   \
	 .queued = (queued_),                                                             \
	 .rising = (rising_)}
#define SCENE(due_, installed_) SCENE_(#due_ "_of_" #installed_, installed_, due_, 0, false)
#define BEHIND(queued_)         SCENE_("16_of_16.behind_" #queued_, 16, 16, queued_, false)

void rows_release(void)
{
	static const struct scene scenes[] = {
		SCENE(0, 16),   SCENE(1, 16),    SCENE(8, 16),
		SCENE(16, 16),  SCENE(8, 8),     SCENE(0, 64),
		SCENE(1, 64),   SCENE(16, 64),   SCENE(32, 64),
		SCENE(64, 64),  SCENE(0, 256),   SCENE(1, 256),
		SCENE(16, 256), SCENE(128, 256), SCENE(256, 256),
		BEHIND(64),     BEHIND(240),     SCENE_("16_rising_priority", 16, 16, 0, true),
	};

	/* Bound: the scenes. */
	for (unsigned int i = 0; i < ARRAY_SIZE(scenes); i++) {
		if (scenes[i].installed + scenes[i].queued <= THREADS) {
			measure_scene(&scenes[i]);
		}
	}
}
