/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The judge: lets the attacker make its calls, with what it may use laid beside what it may not, and
 * looks after each of its deaths whether anything else has changed. It outranks the attacker
 * and every thread that one can create, and ends what waits or spins for too long.
 *
 * Prints what every number of it stands for, last the counts; ends the run with 1 where
 * something leaked or broke. A seed that did is tried again by CONFIG_ATTACK_SEED.
 */
#include "attack.h"

#define CANARY 0xca9a417dU

static struct {
	uint32_t before[8];
	struct k_sem sem;
	uint32_t between[8];
	struct k_stack words;
	struct k_msgq msgq;
	struct k_mutex mutex;
	struct k_event event;
	struct k_thread thread;
	uint32_t behind[8];
} secret; /* what the attacker is told the addresses of, and has no right to */

static K_SEM_DEFINE(sem, 0, 5);
static K_MUTEX_DEFINE(mutex);
static K_CONDVAR_DEFINE(condvar);
static K_EVENT_DEFINE(event);
static K_TIMER_DEFINE(timer, NULL, NULL);
static K_FIFO_DEFINE(fifo);
K_STACK_DEFINE(words, 4);
K_MSGQ_DEFINE(msgq, 16, 4, 4);
static stack_data_t secret_words[4];
static char secret_messages[32];
static struct k_thread attacker, child;
K_THREAD_STACK_DEFINE(attacker_stack, STACK_SIZE_);
K_THREAD_STACK_DEFINE(child_stack, STACK_SIZE_);
K_THREAD_STACK_DEFINE(secret_stack, STACK_SIZE_);
static uint32_t deaths;

void k_sys_fatal_error_handler(unsigned int reason, const void *frame)
{
	if (k_current_get() != &attacker && k_current_get() != &child) {
		printk("a kernel thread has faulted\nATTACK FOUND A HOLE\n");
		k_exit(1);
	}
	deaths++;
}

static void sleeps(void *p1, void *p2, void *p3)
{
	k_sleep(K_FOREVER);
}

static void fill(uint32_t *words_)
{
	for (int i = 0; i < 8; i++) {
		words_[i] = CANARY;
	}
}

static void prepare(void)
{
	struct k_mem_partition *parts[] = {&attackers};
	const uintptr_t objects[NUM_WANTED][2] = {
		[SEM] = {(uintptr_t)&sem, (uintptr_t)&secret.sem},
		[MUTEX] = {(uintptr_t)&mutex, (uintptr_t)&secret.mutex},
		[CONDVAR] = {(uintptr_t)&condvar, (uintptr_t)&secret.event},
		[EVENT] = {(uintptr_t)&event, (uintptr_t)&secret.event},
		[WORDS] = {(uintptr_t)&words, (uintptr_t)&secret.words},
		[QUEUE] = {(uintptr_t)&fifo, (uintptr_t)&secret.between},
		[MSGQ] = {(uintptr_t)&msgq, (uintptr_t)&secret.msgq},
		[TIMER] = {(uintptr_t)&timer, (uintptr_t)&secret.before},
		[THREAD] = {(uintptr_t)&child, (uintptr_t)&secret.thread},
		[STACK] = {(uintptr_t)child_stack, (uintptr_t)secret_stack},
		[BUFFER] = {(uintptr_t)arena.buffer, (uintptr_t)secret.behind},
		[CREATE] = {(uintptr_t)arena.create, (uintptr_t)attacker_stack},
	};

	fill(secret.before);
	fill(secret.between);
	fill(secret.behind);
	(void)k_sem_init(&secret.sem, 3, 9);
	k_stack_init(&secret.words, secret_words, 4);
	(void)k_stack_push(&secret.words, CANARY);
	k_msgq_init(&secret.msgq, secret_messages, 16, 2);
	(void)k_mutex_init(&secret.mutex);
	(void)k_mutex_lock(&secret.mutex, K_FOREVER);
	k_event_init(&secret.event);
	(void)k_event_post(&secret.event, CANARY);
	/* Known to the table, as what the attacker may use is. */
	k_thread_access_grant(k_current_get(), &secret.sem, &secret.words, &secret.msgq,
			      &secret.mutex, &secret.event, &secret.thread, secret_stack);
	(void)k_thread_create(&secret.thread, secret_stack, STACK_SIZE_, sleeps, NULL, NULL, NULL,
			      9, 0, K_NO_WAIT);
	(void)k_mem_domain_add_partition(&k_mem_domain_default, parts[0]);
	for (int i = 0; i < NUM_WANTED; i++) {
		arena.objects[i][0] = objects[i][0];
		arena.objects[i][1] = objects[i][1];
	}
}

static bool is_filled(const uint32_t *words_)
{
	for (int i = 0; i < 8; i++) {
		if (words_[i] != CANARY) {
			return false;
		}
	}
	return true;
}

/* What is wrong, or NULL. */
static const char *leak_or_damage(void)
{
	if (!is_filled(secret.before) || !is_filled(secret.between) || !is_filled(secret.behind)) {
		return "canaries";
	}
	if (k_sem_count_get(&secret.sem) != 3 || secret.sem.limit != 9 ||
	    secret.sem.wait_q.head != NULL) {
		return "the semaphore";
	}
	if (secret.words.next != secret_words + 1 || secret_words[0] != CANARY ||
	    k_msgq_num_used_get(&secret.msgq) != 0 || secret.mutex.owner != k_current_get() ||
	    k_event_test(&secret.event, UINT32_MAX) != CANARY) {
		return "an object";
	}
	if ((secret.thread.state & K_THREAD_DEAD) != 0 || secret.thread.prio != 9 ||
	    k_thread_join(&secret.thread, K_NO_WAIT) != -EBUSY) {
		return "the thread";
	}
	for (unsigned int i = 0; i < NUM_WORDS; i++) {
		if (arena.buffer[i] == CANARY) {
			return "a secret in user memory";
		}
	}
	for (unsigned int i = 1; i < NUM_FORGED; i++) {
		if (arena.forged[i] != arena.forged[0]) {
			return "a forged object";
		}
	}
	if (k_sem_count_get(&sem) > sem.limit || words.next < words.base ||
	    words.next > words.top || k_msgq_num_used_get(&msgq) > 4) {
		return "what the attacker may use";
	}
	return NULL;
}

static void end(struct k_thread *thread)
{
	if (thread->stack_start != NULL) { /* it was created at all */
		k_thread_abort(thread);
	}
}

/* One life of the attacker. */
static void round_of(uint32_t seed)
{
	arena.seed = seed;
	(void)k_thread_create(&attacker, attacker_stack, STACK_SIZE_, attack, NULL, NULL, NULL, 7,
			      K_USER, K_FOREVER);
	k_thread_access_grant(&attacker, &sem, &mutex, &condvar, &event, &timer, &fifo, &words,
			      &msgq);
	k_thread_access_grant(&attacker, &child, child_stack);
	k_thread_start(&attacker);
	(void)k_thread_join(&attacker, K_TICKS(20));
	k_thread_abort(&attacker); /* where it waits for ever */
	end(&child);
	(void)k_mutex_init(&mutex); /* which it may have held */
}

int main(void)
{
	uint32_t seed = CONFIG_ATTACK_SEED;
	unsigned int calls = 0;
	uint32_t rounds = 0;

	k_thread_priority_set(k_current_get(), 0);
	prepare();
	while (arena.begun < CONFIG_ATTACK_CALLS) {
		const char *wrong;

		seed = seed * 1664525U + 1013904223U;
		round_of(seed | 1U);
		rounds++;
		wrong = leak_or_damage();
		if (wrong != NULL) {
			printk("%s: round %u, seed %u\nATTACK FOUND A HOLE\n", wrong,
			       (unsigned int)rounds, (unsigned int)(seed | 1U));
			k_exit(1);
		}
	}
	for (int i = 0; i < NUM_CALLS; i++) {
		calls += arena.by_call[i] != 0;
	}
	printk("seed %d: %u calls, %u returned, %u of %d kinds; %u deaths in %u rounds\n",
	       CONFIG_ATTACK_SEED, (unsigned int)arena.begun, (unsigned int)arena.returned, calls,
	       NUM_CALLS, (unsigned int)deaths, (unsigned int)rounds);
	printk("ATTACK HELD\n");
	k_exit(0);
}
