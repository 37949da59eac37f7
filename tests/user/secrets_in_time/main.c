/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Secrets in time. Two user threads, A and B, in two domains that share no object. B, the more
 * urgent, sleeps until a tick. Until then it is A's turn, in which A makes a call, or not, by
 * its secret, and arms nothing that is due in B's turn. Then B makes calls, and counts the
 * cycles of each. All that A may do about its secret (WAYS) is compared with doing nothing:
 * where B's cycles differ, B is told of it, and this prints by how many.
 *
 * When B's first instruction comes, that tells of A, too, and is printed by itself (BEGINS). It moves all that
 * B does against the ticks, and who is the first to ask for the time in a tick pays for counting it; so that this is
 * not told again by whichever call happens to be the first, B begins each of its calls at one place of a tick.
 *
 * Each run makes all objects and threads anew, and begins at a tick that is the same to the
 * wheel of timeouts, so that a run that is made again gives the same figures; the way AGAIN,
 * which is nothing once more, holds the program to that, and so does that one is compared with another much
 * earlier. Rejected: a boot for each run, which would hide what is left of one for the next. Last come
 * leaks that are seeded; each has to be noticed.
 */
#include "secrets.h"
#include "kernel/base/fatal.h"
#include "kernel/access/object_rights.h"
#include "kernel/hooks/user.h"
#include "kernel/hooks/generation.h"
#include <arch_user.h>
#include <board.h>
#include <string.h>

#define NUMBERS_TO_JUDGE \
	3 /* what is given in B's turn, then, is the judge's for some of A's calls */

enum side_name { A, B, SIDES };
#define CYCLES_PER_TICK   (BOARD_TIMER_HZ / CONFIG_SYS_CLOCK_TICKS_PER_SEC)
#define HELPER_PRIO(name) ((name) == A ? 10 : 7) /* less urgent by one than who makes the calls */

/* What A's secret decides. */
enum way {
	NOTHING,
	AGAIN, /* nothing, again */
	ONCE,
	TWICE,
	LATE, /* once, later in its turn */
	WAYS
};
static const char *const way_names[WAYS] = {"", "nothing", "once", "twice", "late"};

K_APPMEM_PARTITION_DEFINE(part_a);
K_APPMEM_PARTITION_DEFINE(part_b);
K_APP_BMEM(part_a) static struct side side_a;
K_APP_BMEM(part_b) static struct side side_b;
static struct side *const sides[SIDES] = {&side_a, &side_b};
K_HEAP_DEFINE(pool_a, 10240);
K_HEAP_DEFINE(pool_b, 10240);
static struct k_heap *const pools[SIDES] = {&pool_a, &pool_b};
static struct k_mem_domain domains[SIDES];
static struct k_thread callers[SIDES], helpers[SIDES];
K_THREAD_STACK_ARRAY_DEFINE(caller_stacks, SIDES, STACK);
K_THREAD_STACK_ARRAY_DEFINE(helper_stacks, SIDES, STACK);
K_THREAD_STACK_ARRAY_DEFINE(spare_stacks, SIDES, STACK);
static struct k_ipc_endpoint endpoints[SIDES];
static struct k_ipc_gate gates[SIDES];
static unsigned int refused;
static enum seed seed;

/* ---- the threads, in user mode ---- */

static void a_main(void *p1, void *number, void *way)
{
	unsigned int call = (unsigned int)(uintptr_t)number;

	if ((uintptr_t)way == LATE) {
		k_busy_wait(40);
	}
	if ((uintptr_t)way >= ONCE) {
		case_run(call, p1);
	}
	if ((uintptr_t)way == TWICE) {
		case_run(call, p1);
	}
	for (;;) { /* until its turn ends */
	}
}

/* Go on at one place of a tick, to the cycle: behind a loop that goes near it, a slide of NOPs, a cycle each. */
static void wait_for_place(void)
{
	enum { PLACE = 900, NEAR = 60, SLIDE = 64 };
	uint32_t now = arch_cycles();
	uint32_t place = now - now % CYCLES_PER_TICK + PLACE;
	uint32_t left;

	place += place - now < NEAR + 40 || place - now > CYCLES_PER_TICK ? CYCLES_PER_TICK : 0;
	do { /* Bound: two ticks. */
		left = place - arch_cycles();
	} while (left > NEAR);
	__asm__ volatile(".option push\n\t"
			 ".option rvc\n\t"
			 "la t0, 1f\n\t"
			 "slli %0, %0, 1\n\t"
			 "sub t0, t0, %0\n\t"
			 "jr t0\n\t"
			 ".rept %1\n\t"
			 "c.nop\n\t"
			 ".endr\n"
			 "1:\n\t"
			 ".option pop"
			 : "+r"(left)
			 : "i"(SLIDE)
			 : "t0");
}

static void b_main(void *p1, void *number, void *p3)
{
	struct side *me = p1;
	unsigned int first = (unsigned int)(uintptr_t)number;

	(void)k_sleep(K_TICKS(TURN));
	me->began = arch_cycles() % CYCLES_PER_TICK;
	for (unsigned int i = 0; i < BATCH && first + i < cases_count(OF_BOTH); i++) {
		uint32_t began;

		wait_for_place();
		began = arch_cycles();
		case_run(first + i, me);
		me->cycles[i] = arch_cycles() - began;
		me->made++;
	}
}

static void helper_main(void *me, void *p2, void *p3)
{
	case_help(me);
}

void __wrap_fatal_print_words(const struct fault *fault, const uintptr_t *registers);
void __real_fatal_print_words(const struct fault *fault, const uintptr_t *registers);

/* In place of the kernel's report (the linker leads it here): A may end by its call, B may not. */
void __wrap_fatal_print_words(const struct fault *fault, const uintptr_t *registers)
{
	if (!user_is_running() || fault->where == FATAL_IN_ISR || k_cpu.current != &callers[A]) {
		__real_fatal_print_words(fault, registers);
		k_exit(1);
	}
	refused++;
}

size_t __wrap_object_size(unsigned int kind);
size_t __real_object_size(unsigned int kind);
static unsigned int remembered; /* kinds, a bit each */

/* A cache, where one is seeded: what it does not remember costs more. */
size_t __wrap_object_size(unsigned int kind)
{
	if (seed == KERNEL_CACHE && (remembered >> kind & 1U) == 0) {
		remembered |= 1U << kind;
		(void)__real_object_size(kind);
	}
	return __real_object_size(kind);
}

/* ---- what they have ---- */

static const struct {
	size_t offset;
	enum k_objects kind;
} of_pool[] = {
#define HAS(member, kind) {offsetof(struct side, member), kind}
	HAS(sem, K_OBJ_SEM),         HAS(given, K_OBJ_SEM),
	HAS(raised, K_OBJ_SEM),      HAS(go, K_OBJ_SEM),
	HAS(mutex, K_OBJ_MUTEX),     HAS(condvar, K_OBJ_CONDVAR),
	HAS(event, K_OBJ_EVENT),     HAS(msgq, K_OBJ_MSGQ),
	HAS(full, K_OBJ_MSGQ),       HAS(crammed, K_OBJ_MSGQ),
	HAS(stack, K_OBJ_STACK),     HAS(filled, K_OBJ_STACK),
	HAS(queue, K_OBJ_QUEUE),     HAS(items, K_OBJ_QUEUE),
	HAS(nothing, K_OBJ_QUEUE),   HAS(pipe, K_OBJ_PIPE),
	HAS(other_pipe, K_OBJ_PIPE), HAS(timer, K_OBJ_TIMER),
	HAS(running, K_OBJ_TIMER),   HAS(signal, K_OBJ_POLL_SIGNAL),
	HAS(block, K_OBJ_THREAD),    HAS(raw_sem, K_OBJ_SEM),
	HAS(raw_mutex, K_OBJ_MUTEX), HAS(raw_condvar, K_OBJ_CONDVAR),
	HAS(raw_event, K_OBJ_EVENT), HAS(raw_msgq, K_OBJ_MSGQ),
	HAS(raw_stack, K_OBJ_STACK), HAS(raw_queue, K_OBJ_QUEUE),
	HAS(raw_pipe, K_OBJ_PIPE),   HAS(raw_signal, K_OBJ_POLL_SIGNAL),
};

static void **member(struct side *side, size_t i)
{
	return (void **)((char *)side + of_pool[i].offset);
}

static void initialise(struct side *side)
{
	(void)k_sem_init(side->sem, 0, 10);
	(void)k_sem_init(side->given, 10, 10);
	(void)k_sem_init(side->raised, 0, 10);
	(void)k_sem_init(side->go, 0, 10);
	(void)k_mutex_init(side->mutex);
	(void)k_condvar_init(side->condvar);
	k_event_init(side->event);
	(void)k_msgq_alloc_init(side->msgq, 8, 4);
	(void)k_msgq_alloc_init(side->full, 8, 4);
	(void)k_msgq_alloc_init(side->crammed, 8, 1);
	(void)k_msgq_put(side->crammed, side->words, K_NO_WAIT);
	(void)k_stack_alloc_init(side->stack, 4);
	(void)k_stack_alloc_init(side->filled, 4);
	k_queue_init(side->queue);
	k_queue_init(side->items);
	k_queue_init(side->nothing);
	k_pipe_init(side->pipe, NULL, 0);
	k_pipe_init(side->other_pipe, NULL, 0);
	k_timer_init(side->timer, NULL, NULL);
	k_timer_init(side->running, NULL, NULL);
	k_poll_signal_init(side->signal);
	for (int i = 0; i < 3; i++) {
		(void)k_msgq_put(side->full, side->words, K_NO_WAIT);
		(void)k_stack_push(side->filled, 1);
		(void)k_queue_alloc_append(side->items, side->words);
	}
}

static void make_side(enum side_name name)
{
	struct side *side = sides[name];

	*side = (struct side){.helper = &helpers[name],
			      .endpoint = &endpoints[name],
			      .gate = &gates[name],
			      .spare_stack = spare_stacks[name],
			      .prio = HELPER_PRIO(name)};
	k_thread_heap_assign(k_current_get(), pools[name]);
	for (size_t i = 0; i < ARRAY_SIZE(of_pool); i++) {
		*member(side, i) = k_object_alloc(of_pool[i].kind);
		if (*member(side, i) == NULL) {
			printk("FAIL no object %u\n", (unsigned int)i);
			k_exit(1);
		}
	}
	initialise(side);
	k_ipc_endpoint_init(side->endpoint);
	k_ipc_gate_init(side->gate, side->endpoint, 1);
	side->foreign = side->sem;
	side->due = LATER;
}

/* Makes two domains less apart than they are. */
static void put_seed(void)
{
	remembered = 0;
	if (seed == SHARED_OBJECT) {
		sides[A]->foreign = sides[B]->sem;
		(void)k_object_access_grant(sides[A]->foreign, &callers[A]);
	} else if (seed == SHARED_WHEEL) {
		sides[A]->due = TURN;
	} else if (seed == SHARED_HEAP) {
		k_thread_heap_assign(&callers[A], pools[B]);
	}
}

static void make_thread(enum side_name name, struct k_thread *thread, k_thread_stack_t *stack,
			k_thread_entry_t entry, unsigned int number, unsigned int way, int prio)
{
	struct side *side = sides[name];

	(void)k_thread_create(thread, stack, STACK, entry, side, (void *)(uintptr_t)number,
			      (void *)(uintptr_t)way, prio, K_USER | K_INHERIT_PERMS, K_FOREVER);
	(void)k_mem_domain_add_thread(&domains[name], thread);
	k_thread_heap_assign(thread, pools[name]);
	k_object_access_revoke(k_current_get(), thread);
	k_thread_access_grant(thread, side->helper, side->endpoint, side->gate, spare_stacks[name]);
}

/* They inherit what the judge has, which then has it no more. */
static void make_threads(enum side_name name, k_thread_entry_t entry, unsigned int number,
			 unsigned int way)
{
	make_thread(name, &helpers[name], helper_stacks[name], helper_main, 0, 0,
		    HELPER_PRIO(name));
	make_thread(name, &callers[name], caller_stacks[name], entry, number, way,
		    HELPER_PRIO(name) - 1);
	for (size_t i = 0; i < ARRAY_SIZE(of_pool); i++) {
		k_object_release_(*member(sides[name], i), of_pool[i].kind);
	}
}

static void end_side(enum side_name name)
{
	struct side *side = sides[name];
	const struct object_entry *entry = object_find(side->block, K_OBJ_THREAD);

	if (entry != NULL && (entry->kind & OBJECT_NOT_READY) == 0) {
		k_thread_abort(side->block);
	}
	k_thread_abort(&callers[name]);
	k_thread_abort(&helpers[name]);
}

/* ---- the judge, a kernel thread ---- */

static void sleep_until_aligned(void)
{
	unsigned int phase;

	do {
		phase = (unsigned int)k_uptime_ticks() % ALIGN;
		(void)k_sleep(K_TICKS(phase == ALIGN - 1 ? 1 : ALIGN - 1 - phase));
	} while ((unsigned int)k_uptime_ticks() % ALIGN != 0);
}

/*
 * Threads are numbered for those who outlive them, from one counter: a number leads to a place in a table, where another
 * living thread may be in the way. One is, the judge, where the first or second that is numbered from here on would be.
 */
static void begin_numbers(void)
{
	static struct k_thread nobody = {.generation = GENERATION_NONE};
	unsigned int key = irq_lock();
	uint32_t here = generation_of(k_current_get()) - NUMBERS_TO_JUDGE;
	uint32_t number;

	do { /* Bound: the places. */
		number = generation_give(&nobody);
		generation_end(&nobody);
	} while (number % GENERATION_PLACES != here % GENERATION_PLACES);
	irq_unlock(key);
}

/* What B sees: when it begins, and the cycles of its calls. */
struct seen {
	uint32_t began;
	uint32_t cycles[BATCH];
};

/* A's turn, and B's, from the call `b` on. */
static void run(unsigned int a, enum way way, unsigned int b, struct seen *seen)
{
	make_side(A);
	make_threads(A, a_main, a, way);
	make_side(B);
	put_seed();
	make_threads(B, b_main, b, way);
	begin_numbers();
	sleep_until_aligned();
	k_thread_start(&callers[B]);
	k_thread_start(&helpers[B]);
	k_thread_start(&helpers[A]);
	k_thread_start(&callers[A]);
	(void)k_thread_join(&callers[B], K_TICKS(TURN + REST));
	if (sides[B]->made != MIN(BATCH, cases_count(OF_BOTH) - b)) {
		printk("FAIL %s of B's did not end after %s of A's (%u refused)\n",
		       case_name(b + sides[B]->made), case_name(a), refused);
		k_exit(1);
	}
	seen->began = sides[B]->began;
	for (unsigned int i = 0; i < BATCH; i++) {
		seen->cycles[i] = i < sides[B]->made ? sides[B]->cycles[i] : 0;
	}
	end_side(A);
	end_side(B);
	(void)k_sleep(K_TICKS(1)); /* what has no user any more goes back while nobody runs */
}

/* What A's doing tells B. */
static struct told {
	unsigned int calls; /* of B's that differ */
	uint32_t most; /* cycles */
	unsigned int most_of;
	uint32_t later; /* cycles, that B's first instruction comes later, or earlier */
} told[WAYS];
static unsigned int pairs, differing;

static uint32_t difference(uint32_t one, uint32_t other)
{
	return one > other ? one - other : other - one;
}

static void compare_one(struct told *so_far, unsigned int b, uint32_t more)
{
	pairs++;
	if (more != 0) {
		differing++;
		so_far->calls++;
	}
	if (more > so_far->most) {
		so_far->most = more;
		so_far->most_of = b;
	}
}

/* Take over into `least` where the two differ by less. */
static void lessen(uint32_t *least, const struct seen *one, const struct seen *other)
{
	for (unsigned int i = 0; i < BATCH; i++) {
		least[i] = MIN(least[i], difference(one->cycles[i], other->cycles[i]));
	}
}

/*
 * What A's way costs B's calls more, or less, than nothing, which was seen `without` it before. Where something differs,
 * both are done once more, alternating: what differs each time, A did, and not the time that has gone by
 * (the clock's conversions take longer for some times than for others).
 */
static void find_more(unsigned int a, enum way way, unsigned int b, struct seen *without,
		      uint32_t *more)
{
	struct seen with;

	memset(more, 0xff, BATCH * sizeof(*more));
	run(a, way, b, &with);
	told[way].later = MAX(told[way].later, difference(with.began, without->began));
	lessen(more, &with, without);
	if (memcmp(with.cycles, without->cycles, sizeof(with.cycles)) != 0) {
		run(a, NOTHING, b, without);
		lessen(more, &with, without);
		run(a, way, b, &with);
		lessen(more, &with, without);
	}
}

static void compare(unsigned int a, enum way first, unsigned int b, struct seen *without)
{
	uint32_t more[BATCH];

	for (enum way way = first; way < WAYS; way++) {
		find_more(a, way, b, without, more);
		for (unsigned int i = 0; i < BATCH && b + i < cases_count(OF_BOTH); i++) {
			compare_one(&told[way], b + i, more[i]);
		}
	}
}

static void print_reported(const char *kind, unsigned int a)
{
	for (enum way way = AGAIN; way < WAYS; way++) {
		if (told[way].calls != 0) {
			printk("%s %s | %s | %u | %s | %u\n", kind, case_name(a), way_names[way],
			       told[way].calls, case_name(told[way].most_of),
			       (unsigned int)told[way].most);
		}
		if (told[way].later != 0) {
			printk("BEGINS %s | %s | %u\n", case_name(a), way_names[way],
			       (unsigned int)told[way].later);
		}
		told[way] = (struct told){0};
	}
}

#define BATCHES 8
/* Of each of B's batches, without A's doing. */
static struct seen nothing[BATCHES]; /* the latest */
static bool has_nothing[BATCHES];

static void compare_all(void)
{
	const unsigned int batches = DIV_ROUND_UP(cases_count(OF_BOTH), BATCH);

	for (unsigned int a = 0; a < cases_count(OF_A); a++) {
		for (unsigned int i = 0; i < batches; i++) {
			const bool is_new = !has_nothing[i];

			if ((a * batches + i) % CONFIG_SECRETS_STEP != CONFIG_SECRETS_FIRST) {
				continue;
			}
			if (is_new) {
				run(a, NOTHING, i * BATCH, &nothing[i]);
				has_nothing[i] = true;
			}
			compare(a, is_new ? AGAIN : ONCE, i * BATCH, &nothing[i]);
		}
		print_reported("TOLD", a);
	}
}

static void compare_with_seeds(void)
{
	struct seen without;

	for (seed = NO_SEED + 1; seed < SEEDS; seed++) {
		const unsigned int a = cases_count(OF_A) - SEEDS + seed;

		run(a, NOTHING, 0, &without);
		compare(a, AGAIN, 0, &without);
		print_reported("LEAK", a);
	}
	seed = NO_SEED;
}

static void set_up(void)
{
	struct k_mem_partition *parts[SIDES] = {&part_a, &part_b};
	struct k_mem_partition counter;
	bool has_counter = arch_user_cycles(&counter);

	for (enum side_name name = A; name < SIDES; name++) {
		(void)k_mem_domain_init(&domains[name], 1, &parts[name]);
		if (has_counter) {
			(void)k_mem_domain_add_partition(&domains[name], &counter);
		}
	}
}

int main(void)
{
	k_thread_priority_set(k_current_get(), 2);
	set_up();
	compare_all();
	printk("%u pairs, %u calls of A, %u of B, %u pairs differ, %u refused\n", pairs,
	       cases_count(OF_A), cases_count(OF_BOTH), differing, refused);
	compare_with_seeds();
	printk("PROJECT EXECUTION SUCCESSFUL\n");
	k_exit(0);
}
