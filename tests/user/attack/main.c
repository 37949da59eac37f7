/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The judge: has attackers make their calls, several at once, beside what they may not touch. It
 * outranks them and every thread that they can create, and comes between them at times of its own: takes
 * rights and memory away in the middle of a call, ends them, lets them begin anew, and looks each
 * time whether anything else has changed.
 *
 * Prints what was counted; ends the run with 1 where something leaked or broke. A seed that
 * did is tried again by CONFIG_ATTACK_SEED.
 */
#include "attack.h"
#include "kernel/base/kernel.h"

static uint32_t seed = CONFIG_ATTACK_SEED;
static uint32_t rounds, looks, lives;
static K_SEM_DEFINE(deaths, 0, 1);

static uint32_t below(uint32_t n)
{
	seed = seed * 1664525U + 1013904223U;
	return (uint32_t)((uint64_t)seed * n >> 32);
}

void k_sys_fatal_error_handler(unsigned int reason, const struct arch_esf *frame)
{
	if (k_cpu.current == &victim || (k_cpu.current->options & K_USER) == 0) {
		k_exit(1);
	}
	k_sem_give(&deaths);
}

/* The word in front is the stack's own, and so is what lies over a guard page, which is nobody's to write. */
#ifdef CONFIG_STACK_GUARD_PAGES
#define IN_FRONT ARCH_USER_GUARD_PAGES_
#else
#define IN_FRONT 128U
#endif

/* What an attacker's calls ran on, and its stack. */
static void dirty(char *stack)
{
	secret_fill((uint32_t *)(stack + IN_FRONT),
		    (ARCH_USER_STACK_RESERVED + STACK_SIZE_ - IN_FRONT) / sizeof(uint32_t));
}

/*
 * An attacker that was a kernel thread, with secrets in the registers that calls keep. (To the
 * compiler the function returns, so that it has to keep them.)
 */
static void enters(void *p1, void *p2, void *p3)
{
	void (*volatile enter)(k_thread_entry_t, void *, void *, void *) = k_thread_user_mode_enter;
	uint32_t a = secret_word(), b = a, c = a, d = a, e = a, f = a, g = a;

	__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g));
	enter(attack_begin, p1, p1, p1);
	__asm__ volatile("" ::"r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f), "r"(g));
}

static void begin(unsigned int i)
{
	bool was_kernels = below(8) == 0;

	struct k_thread *thread = &attacker_threads[i];
	struct attacker *self = &arena.attackers[i];

	if (below(8) == 0) {
		dirty(attacker_stacks[i]);
	}
	self->seed = (seed ^ i) | 1U;
	(void)k_thread_create(thread, attacker_stacks[i], STACK_SIZE_,
			      was_kernels ? enters : attack_begin, thread, NULL, NULL, PRIO_,
			      was_kernels ? 0 : K_USER, K_FOREVER);
	objects_grant(thread);
	if (below(4) == 0) {
		objects_handle_faults(thread, below(2) == 0 ? K_FOREVER : K_TICKS(1 + below(3)));
	}
	/* A sibling to abort, suspend and join; one of them may also try the essential thread. */
	k_thread_access_grant(thread, &attacker_threads[(i + 1) % NUM_ATTACKERS]);
	if (i == 0) {
		k_thread_access_grant(thread, &essential);
	}
	lives++;
	k_thread_start(thread);
}

static void end(struct k_thread *thread)
{
	if (thread->stack_start != NULL) { /* it was created at all */
		k_thread_abort(thread);
	}
}

static void begin_child(unsigned int i)
{
	struct attacker *self = &arena.attackers[NUM_ATTACKERS + i];

	/* Whichever of the blocks it is that has the stack: its tag knows, at its low end. */
	if (((const struct k_object_tag *)child_stacks[i])->is_ready == 0) {
		dirty(child_stacks[i]);
		self->seed = seed | 1U;
	}
}

/* Whom a child may abort, and what it may abort, changes as well. */
static void retarget(void)
{
	static struct k_thread *const targets[] = {&child_threads[0], &child_threads[1],
						   &attacker_threads[1], &essential};

	arena.objects[THREAD][below(2)] = (uintptr_t)targets[below(ARRAY_SIZE(targets))];
}

/* Something that comes between an attacker and its call. */
static void disturb(void)
{
	unsigned int i = below(NUM_ATTACKERS);
	struct k_thread *thread = &attacker_threads[i];

	switch (below(14)) {
	case 0:
		objects_change(thread, below(NUM_GRANTED), false);
		break;
	case 1:
		objects_change(thread, below(NUM_GRANTED), true);
		break;
	case 2:
		objects_swap();
		break;
	case 3:
	case 12:
	case 13:
		(void)k_mem_domain_remove_partition(&k_mem_domain_default, &buffers);
		arena.taken++;
		break;
	case 4:
		end(thread);
		break;
	case 5:
		end(&child_threads[below(NUM_CHILDREN)]);
		break;
	case 6: /* the next one's turn */
		k_thread_suspend(thread);
		k_thread_resume(thread);
		break;
	case 7:
		k_thread_priority_set(thread, PRIO_ + (int)below(3));
		break;
	case 8:
		begin_child(below(NUM_CHILDREN));
		break;
	case 9:
		retarget();
		break;
	default:
		objects_use(below(NUM_USES));
		break;
	}
}

/* An attacker that has ended, or waits for ever, begins anew. */
static void renew(void)
{
	static uint32_t before[NUM_ATTACKERS], idle[NUM_ATTACKERS];

	for (unsigned int i = 0; i < NUM_ATTACKERS; i++) {
		const struct attacker *self = &arena.attackers[i];

		idle[i] = self->begun == before[i] ? idle[i] + 1 : 0;
		before[i] = self->begun;
		if (idle[i] >= CONFIG_ATTACK_IDLE_ROUNDS) {
			end(&attacker_threads[i]);
			idle[i] = 0;
		}
		if ((attacker_threads[i].state & K_THREAD_DEAD) != 0) {
			begin(i);
		}
	}
	for (unsigned int i = 0; i < NUM_CHILDREN; i++) {
		if (below(64) == 0) {
			end(&child_threads[i]);
		}
	}
}

static uint32_t sum(size_t offset)
{
	uint32_t all = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(arena.attackers); i++) {
		all += *(const uint32_t *)((const char *)&arena.attackers[i] + offset);
	}
	return all;
}

#define SUM(member) sum(offsetof(struct attacker, member))

/* Attackers that have begun anew so often, and come to no call, are kept from what they may. */
static bool are_stuck(void)
{
	static uint32_t last_calls, last_lives;
	uint32_t calls = SUM(begun);

	if (calls != last_calls) {
		last_calls = calls;
		last_lives = lives;
	}
	return lives - last_lives > 1000;
}

static void judge(void)
{
	const char *wrong = secrets_check();

	looks++;
	if (wrong == NULL) {
		wrong = objects_check();
	}
	if (wrong == NULL && !victim_is_well()) {
		wrong = "the victim";
	}
	if (wrong == NULL && are_stuck()) {
		wrong = "attackers that make no calls any more";
	}
	if (arena.hole != NULL) {
		wrong = arena.hole;
		printk("call %u, detail %x\n", (unsigned int)arena.hole_call,
		       (unsigned int)arena.hole_detail);
	}
	if (wrong != NULL) {
		printk("%s: round %u, seed %d, after %u calls\n", wrong, (unsigned int)rounds,
		       CONFIG_ATTACK_SEED, (unsigned int)SUM(begun));
		k_exit(1);
	}
}

/* As much as the heap gives at once: less at the end than at first was lost with who was ended. */
static size_t largest_block(void)
{
	size_t size = CONFIG_HEAP_MEM_POOL_SIZE;
	void *block;

	while ((block = k_malloc(size)) == NULL && size > 0) {
		size -= 8;
	}
	k_free(block);
	return size;
}

static void finish(size_t heap)
{
	unsigned int kinds = 0;
	size_t left;

	for (unsigned int i = 0; i < NUM_ATTACKERS; i++) {
		end(&attacker_threads[i]);
	}
	for (unsigned int i = 0; i < NUM_CHILDREN; i++) {
		end(&child_threads[i]);
	}
	judge();
	objects_drain();
	for (unsigned int i = 0; i < NUM_CALLS; i++) {
		kinds += arena.reached[i];
	}
	refusals_print();
	left = largest_block();
	printk("heap: %u of %u bytes are left\n", (unsigned int)left, (unsigned int)heap);
	printk("seed %d: %u calls of %u kinds out of %d, %u returned, %u of these an error; "
	       "%u refused at the first check, %u later, %u by the core; %u probes, %u lives, "
	       "%u rounds, %u looks, %u ticks\n",
	       CONFIG_ATTACK_SEED, (unsigned int)SUM(begun), kinds, NUM_CALLS,
	       (unsigned int)SUM(returned), (unsigned int)SUM(errors), (unsigned int)refused_first,
	       (unsigned int)refused_later, (unsigned int)refused_by_core,
	       (unsigned int)SUM(probes), (unsigned int)lives, (unsigned int)rounds,
	       (unsigned int)looks, (unsigned int)k_uptime_ticks());
	printk(left == heap ? "ATTACK HELD\n" : "ATTACK FOUND A HOLE\n");
	k_exit(left == heap ? 0 : 1);
}

int main(void)
{
	size_t heap = largest_block();

	k_thread_priority_set(k_current_get(), 0);
	objects_prepare();
	secrets_prepare();
	victim_start();
	for (unsigned int i = 0; i < NUM_ATTACKERS + NUM_CHILDREN; i++) {
		arena.attackers[i].seed = i + 1;
	}
	for (unsigned int i = 0; i < NUM_ATTACKERS; i++) {
		begin(i);
	}
	/* Bound: somebody makes calls, as long as attackers begin anew. */
	while (SUM(begun) < CONFIG_ATTACK_CALLS) {
		(void)k_sem_take(&deaths, K_TICKS(1 + (int)below(CONFIG_ATTACK_PATIENCE)));
		arena.taken += arena.taken % 2;
		(void)k_mem_domain_add_partition(&k_mem_domain_default, &buffers);
		rounds++;
		disturb();
		if (rounds % CONFIG_ATTACK_ROUNDS_TO_A_LOOK == 0) {
			judge();
		}
		renew();
	}
	finish(heap);
	return 0;
}
