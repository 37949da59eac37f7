/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What attackers are told the addresses of, and have no right to: objects that the kernel's table knows,
 * between words that nobody may change; and what has to be true of them after any attack.
 */
#include "attack.h"

const uint32_t hidden = 0x356be582U;

#define NUM_CANARIES 8

static struct {
	uint32_t before[NUM_CANARIES];
	struct k_sem sem;
	uint32_t between[NUM_CANARIES];
	struct k_stack words;
	struct k_msgq msgq;
	struct k_mutex mutex;
	struct k_condvar condvar;
	struct k_event event;
	struct k_queue queue;
	struct k_timer timer;
	struct k_ipc_endpoint endpoint;
	struct k_ipc_gate gate;
	struct k_pipe pipe;
	struct k_poll_signal signal;
	struct k_thread thread;
	uint32_t behind[NUM_CANARIES];
} secret;

static stack_data_t secret_words[4];
static uint32_t secret_messages[8];
static int timer_data;
static uint32_t secret_bytes[2];
__aligned(STACK_ALIGN_) K_THREAD_STACK_DEFINE(secret_stack, STACK_SIZE_);

uint32_t secret_word(void)
{
	return ~*(const volatile uint32_t *)&hidden; /* the compiler would compute it */
}

void secret_fill(uint32_t *words, size_t count)
{
	uint32_t word = secret_word();

	for (size_t i = 0; i < count; i++) {
		words[i] = word;
	}
}

static void sleeps(void *p1, void *p2, void *p3)
{
	k_sleep(K_FOREVER);
}

void secrets_prepare(void)
{
	const uintptr_t forbidden[DATA] = {
		[ANY] = (uintptr_t)secret.between,  [SEM] = (uintptr_t)&secret.sem,
		[MUTEX] = (uintptr_t)&secret.mutex, [CONDVAR] = (uintptr_t)&secret.condvar,
		[EVENT] = (uintptr_t)&secret.event, [WORDS] = (uintptr_t)&secret.words,
		[QUEUE] = (uintptr_t)&secret.queue, [MSGQ] = (uintptr_t)&secret.msgq,
		[TIMER] = (uintptr_t)&secret.timer, [THREAD] = (uintptr_t)&secret.thread,
		[GATE] = (uintptr_t)&secret.gate,   [ENDPOINT] = (uintptr_t)&secret.endpoint,
		[PIPE] = (uintptr_t)&secret.pipe,   [SIGNAL] = (uintptr_t)&secret.signal,
		[STACK] = (uintptr_t)secret_stack,  [BUFFER] = (uintptr_t)secret.behind,
	};

	secret_fill(secret.before, NUM_CANARIES);
	secret_fill(secret.between, NUM_CANARIES);
	secret_fill(secret.behind, NUM_CANARIES);
	(void)k_sem_init(&secret.sem, 3, 9);
	k_stack_init(&secret.words, secret_words, 4);
	(void)k_stack_push(&secret.words, secret_word());
	k_msgq_init(&secret.msgq, (char *)secret_messages, 16, 2);
	secret_fill(secret_messages, 4);
	(void)k_msgq_put(&secret.msgq, secret.behind, K_NO_WAIT);
	(void)k_mutex_init(&secret.mutex);
	(void)k_mutex_lock(&secret.mutex, K_FOREVER);
	(void)k_condvar_init(&secret.condvar);
	k_event_init(&secret.event);
	(void)k_event_post(&secret.event, secret_word());
	k_queue_init(&secret.queue);
	k_timer_init(&secret.timer, NULL, NULL);
	k_ipc_endpoint_init(&secret.endpoint);
	k_ipc_gate_init(&secret.gate, &secret.endpoint, secret_word());
	k_pipe_init(&secret.pipe, (uint8_t *)secret_bytes, sizeof(secret_bytes));
	(void)k_pipe_write(&secret.pipe, (const uint8_t *)secret.behind, 4, K_NO_WAIT);
	k_poll_signal_init(&secret.signal);
	(void)k_poll_signal_raise(&secret.signal, (int)secret_word());
	k_timer_user_data_set(&secret.timer, &timer_data);
	/* Known to the table, as what attackers may use is; the judge's, and nobody else's. */
	k_thread_access_grant(k_current_get(), &secret.sem, &secret.words, &secret.msgq,
			      &secret.mutex, &secret.condvar);
	k_thread_access_grant(k_current_get(), &secret.event, &secret.queue, &secret.timer,
			      &secret.thread, secret_stack, &secret.pipe, &secret.signal);
	k_thread_access_grant(k_current_get(), &secret.endpoint, &secret.gate);
	(void)k_thread_create(&secret.thread, secret_stack, STACK_SIZE_, sleeps, NULL, NULL, NULL,
			      PRIO_ + 2, 0, K_NO_WAIT);
	for (unsigned int i = 0; i < DATA; i++) {
		arena.objects[i][FORBIDDEN] = forbidden[i];
	}
}

static bool is_filled(const uint32_t *words)
{
	for (unsigned int i = 0; i < NUM_CANARIES; i++) {
		if (!IS_SECRET(words[i])) {
			return false;
		}
	}
	return true;
}

const char *secrets_check(void)
{
	if (!is_filled(secret.before) || !is_filled(secret.between) || !is_filled(secret.behind)) {
		return "words between the secret objects";
	}
	if (k_sem_count_get(&secret.sem) != 3 || secret.sem.limit != 9 ||
	    secret.sem.wait_q.head != NULL) {
		return "the secret semaphore";
	}
	if (secret.words.next != secret_words + 1 || !IS_SECRET(secret_words[0])) {
		return "the secret stack";
	}
	if (k_msgq_num_used_get(&secret.msgq) != 1 || !IS_SECRET(secret_messages[0])) {
		return "the secret messages";
	}
	if (secret.mutex.owner != k_current_get() || secret.mutex.lock_count != 1 ||
	    secret.mutex.wait_q.head != NULL || secret.condvar.wait_q.head != NULL) {
		return "the secret mutex or condition variable";
	}
	if (secret.endpoint.receivers.head != NULL || secret.endpoint.callers.wait_q.head != NULL ||
	    secret.gate.endpoint != &secret.endpoint || !IS_SECRET(secret.gate.badge)) {
		return "the secret endpoint or gate";
	}
	if (!IS_SECRET(k_event_test(&secret.event, UINT32_MAX)) ||
	    !k_queue_is_empty(&secret.queue)) {
		return "the secret event or queue";
	}
	if (k_timer_remaining_ticks(&secret.timer) != 0 ||
	    k_timer_user_data_get(&secret.timer) != &timer_data) {
		return "the secret timer";
	}
	if (secret.pipe.used != 4 || secret.pipe.first != 0 || secret.pipe.is_closed ||
	    !IS_SECRET(secret_bytes[0]) || secret.pipe.pollers != NULL) {
		return "the secret pipe";
	}
	if (secret.signal.signaled != 1 || !IS_SECRET(secret.signal.result) ||
	    secret.signal.pollers != NULL || secret.sem.pollers != NULL) {
		return "the secret signal, or who polls";
	}
	if ((secret.thread.state & K_THREAD_DEAD) != 0 || secret.thread.prio != PRIO_ + 2 ||
	    secret.thread.stack_start != secret_stack + ARCH_USER_STACK_RESERVED ||
	    k_thread_join(&secret.thread, K_NO_WAIT) != -EBUSY) {
		return "the secret thread";
	}
	return NULL;
}
