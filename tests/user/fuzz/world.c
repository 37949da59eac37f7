/* SPDX-License-Identifier: Apache-2.0 */
/* What there is to attack, and what the judge does to it. */
#include <string.h>
#include <zephyr/sys/util_macro.h>

#include "world.h"
#include "kernel/base/kernel.h"
#include "kernel/base/user_stack.h"

struct allowed allowed;
struct secrets secrets, secrets_as_made;

struct k_thread attackers[NUM_ATTACKERS], children[NUM_CHILDREN];
struct k_thread victim, essential;
static K_THREAD_STACK_ARRAY_DEFINE(attacker_stacks, NUM_ATTACKERS, STACK_SIZE);
static K_THREAD_STACK_ARRAY_DEFINE(child_stacks, NUM_CHILDREN, STACK_SIZE);
static K_THREAD_STACK_DEFINE(victim_stack, STACK_SIZE);
static K_THREAD_STACK_DEFINE(essential_stack, STACK_SIZE);
static struct k_heap pool;
static uintptr_t pool_bytes[256];

uint8_t shared[SHARED_SIZE] __aligned(SHARED_SIZE);
uint8_t readable[READABLE_SIZE] __aligned(READABLE_SIZE);
uint8_t others[64] __aligned(64);
static struct k_mem_domain attackers_domain, victims_domain, bare_domain;
static K_MEM_PARTITION_DEFINE(shared_part, shared, SHARED_SIZE, K_MEM_PARTITION_P_RW_U_RW);
static K_MEM_PARTITION_DEFINE(readable_part, readable, sizeof(readable), K_MEM_PARTITION_P_RW_U_RO);
static K_MEM_PARTITION_DEFINE(others_part, others, sizeof(others), K_MEM_PARTITION_P_RW_U_RW);

unsigned int world_changes;

const struct named named[] = {
	{&allowed.sem, SEM, false},
	{&allowed.swapped_sem, SEM, false},
	{&allowed.fresh_sem, SEM, false},
	{&allowed.mutex, MUTEX, false},
	{&allowed.other_mutex, MUTEX, false},
	{&allowed.fresh_mutex, MUTEX, false},
	{&allowed.condvar, CONDVAR, false},
	{&allowed.event, EVENT, false},
	{&allowed.fresh_event, EVENT, false},
	{&allowed.words, WORDS, false},
	{&allowed.fresh_words, WORDS, false},
	{&allowed.fifo, QUEUE, false},
	{&allowed.fresh_queue, QUEUE, false},
	{&allowed.msgq, MSGQ, false},
	{&allowed.long_msgq, MSGQ, false},
	{&allowed.fresh_msgq, MSGQ, false},
	{&allowed.timer, TIMER, false},
	{&children[0], THREAD, false},
	{&children[1], THREAD, false},
	{&essential, THREAD, false},
	{&attackers[0], THREAD, false},
	{&attackers[1], THREAD, false},
	{&attackers[2], THREAD, false},
	{child_stacks[0], STACK, false},
	{child_stacks[1], STACK, false},
	{&secrets.sem, SEM, true},
	{&secrets.mutex, MUTEX, true},
	{&secrets.condvar, CONDVAR, true},
	{&secrets.event, EVENT, true},
	{&secrets.words, WORDS, true},
	{&secrets.fifo, QUEUE, true},
	{&secrets.msgq, MSGQ, true},
	{&secrets.timer, TIMER, true},
	{&victim, THREAD, true},
	{victim_stack, STACK, true},
	{attacker_stacks[0], STACK, true},
	{&allowed.endpoint, ENDPOINT, false},
	{&allowed.other_endpoint, ENDPOINT, false},
	{&allowed.gate, GATE, false},
	{&allowed.other_gate, GATE, false},
	{&secrets.endpoint, ENDPOINT, true},
	{&secrets.gate, GATE, true},
	{&allowed.pipe, PIPE, false},
	{&allowed.bare_pipe, PIPE, false},
	{&allowed.fresh_pipe, PIPE, false},
	{&allowed.signal, SIGNAL, false},
	{&allowed.fresh_signal, SIGNAL, false},
	{&secrets.pipe, PIPE, true},
	{&secrets.signal, SIGNAL, true},
};
const unsigned int num_named = ARRAY_SIZE(named);

/* Rights that the judge took, and those objects that somebody has passed on since. */
static bool revoked[NUM_ATTACKERS][ARRAY_SIZE(named)], passed_on[ARRAY_SIZE(named)];

const void *named_first(enum kind kind)
{
	unsigned int i = 0;

	while (named[i].kind != kind) {
		i++;
	}
	return named[i].address;
}

static const struct named *find_named(const void *object)
{
	for (unsigned int i = 0; i < num_named; i++) {
		if (named[i].address == object) {
			return &named[i];
		}
	}
	return NULL;
}

static void fill(uintptr_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		words[i] = SECRET;
	}
}

#define FILL(array) fill(array, ARRAY_SIZE(array))

static void make_allowed(void)
{
	FILL(allowed.canaries_0);
	FILL(allowed.canaries_1);
	FILL(allowed.canaries_2);
	FILL(allowed.canaries_3);
	FILL(allowed.canaries_4);
	(void)k_sem_init(&allowed.sem, 1, 3);
	(void)k_sem_init(&allowed.swapped_sem, 0, 2);
	(void)k_mutex_init(&allowed.mutex);
	(void)k_mutex_init(&allowed.other_mutex);
	(void)k_condvar_init(&allowed.condvar);
	k_event_init(&allowed.event);
	k_stack_init(&allowed.words, allowed.word_buffer, ARRAY_SIZE(allowed.word_buffer));
	k_fifo_init(&allowed.fifo);
	k_msgq_init(&allowed.msgq, allowed.msgq_buffer[0], sizeof(allowed.msgq_buffer[0]),
		    ARRAY_SIZE(allowed.msgq_buffer));
	k_msgq_init(&allowed.long_msgq, allowed.long_buffer[0], sizeof(allowed.long_buffer[0]),
		    ARRAY_SIZE(allowed.long_buffer));
	k_timer_init(&allowed.timer, NULL, NULL);
	k_ipc_endpoint_init(&allowed.endpoint);
	k_ipc_endpoint_init(&allowed.other_endpoint);
	k_ipc_gate_init(&allowed.gate, &allowed.endpoint, BADGE);
	k_ipc_gate_init(&allowed.other_gate, &allowed.other_endpoint, BADGE + 1U);
	k_pipe_init(&allowed.pipe, allowed.pipe_buffer, sizeof(allowed.pipe_buffer));
	k_pipe_init(&allowed.bare_pipe, NULL, 0);
	k_poll_signal_init(&allowed.signal);
}

/* Known to the kernel, so that each has an entry in its table: granted to the judge's side. */
static void make_secrets(void)
{
	uintptr_t message[2] = {SECRET, SECRET};

	FILL(secrets.words_of_it);
	(void)k_sem_init(&secrets.sem, 1, 5);
	(void)k_mutex_init(&secrets.mutex);
	(void)k_condvar_init(&secrets.condvar);
	k_event_init(&secrets.event);
	(void)k_event_post(&secrets.event, 5);
	k_stack_init(&secrets.words, secrets.word_buffer, ARRAY_SIZE(secrets.word_buffer));
	(void)k_stack_push(&secrets.words, SECRET);
	k_fifo_init(&secrets.fifo);
	k_msgq_init(&secrets.msgq, secrets.msgq_buffer[0], sizeof(secrets.msgq_buffer[0]),
		    ARRAY_SIZE(secrets.msgq_buffer));
	(void)k_msgq_put(&secrets.msgq, message, K_NO_WAIT);
	k_timer_init(&secrets.timer, NULL, NULL);
	k_pipe_init(&secrets.pipe, secrets.pipe_buffer, sizeof(secrets.pipe_buffer));
	(void)k_pipe_write(&secrets.pipe, (const uint8_t *)message, sizeof(message) / 2, K_NO_WAIT);
	k_poll_signal_init(&secrets.signal);
	(void)k_poll_signal_raise(&secrets.signal, 5);
	k_ipc_endpoint_init(&secrets.endpoint);
	k_ipc_gate_init(&secrets.gate, &secrets.endpoint, SECRET);
	k_thread_access_grant(&victim, &secrets.sem, &secrets.mutex, &secrets.condvar,
			      &secrets.event, &secrets.words, &secrets.fifo, &secrets.msgq,
			      &secrets.timer);
	k_thread_access_grant(&victim, &secrets.endpoint, &secrets.gate);
	k_thread_access_grant(&victim, &secrets.pipe, &secrets.signal);
	(void)k_object_access_grant(&victim, &victim);
	(void)k_object_access_grant(victim_stack, &victim);
	memcpy(&secrets_as_made, &secrets, sizeof(secrets)); /* gaps, too */
}

/* Attackers may have filled the kernel's table with what they allocated: then what is new to it is not granted. */
#define GRANT_ONE(object, thread) (void)k_object_access_grant(object, thread)
#define GRANT(thread, ...)        FOR_EACH_FIXED_ARG(GRANT_ONE, (;), thread, __VA_ARGS__)

static void grant_allowed(struct k_thread *thread)
{
	GRANT(thread, &allowed.sem, &allowed.swapped_sem, &allowed.fresh_sem, &allowed.mutex,
	      &allowed.other_mutex, &allowed.condvar, &allowed.event, &allowed.words);
	GRANT(thread, &allowed.fresh_words, &allowed.fifo, &allowed.msgq, &allowed.long_msgq,
	      &allowed.fresh_msgq, &allowed.timer, &essential);
	GRANT(thread, &allowed.fresh_mutex, &allowed.fresh_event, &allowed.fresh_queue,
	      &allowed.pipe, &allowed.bare_pipe, &allowed.fresh_pipe, &allowed.signal,
	      &allowed.fresh_signal);
	GRANT(thread, &allowed.endpoint, &allowed.other_endpoint, &allowed.gate,
	      &allowed.other_gate);
	for (unsigned int i = 0; i < NUM_CHILDREN; i++) {
		GRANT(thread, &children[i], child_stacks[i]);
	}
}

static void begin_attacker(unsigned int i)
{
	(void)k_thread_create(&attackers[i], attacker_stacks[i], STACK_SIZE, attacker_main,
			      (void *)(uintptr_t)i, NULL, NULL, PRIO + (int)i % 2, K_USER,
			      K_FOREVER);
	(void)k_mem_domain_add_thread(&attackers_domain, &attackers[i]);
	k_thread_heap_assign(&attackers[i], &pool);
	grant_allowed(&attackers[i]);
	world_changes++;
	memset(revoked[i], 0, sizeof(revoked[i]));
	k_thread_start(&attackers[i]);
}

/* The judge may come in between, who does it too. */
void world_restart(unsigned int i)
{
	k_sched_lock();
	if (k_thread_join(&attackers[i], K_NO_WAIT) == 0) {
		begin_attacker(i);
	}
	k_sched_unlock();
}

/* User mode. */
static void sleeps_on(void *p1, void *p2, void *p3)
{
	for (;;) {
		(void)k_sleep(K_FOREVER);
	}
}

void world_begin(void)
{
	struct k_mem_partition *parts[] = {&shared_part, &readable_part};
	struct k_mem_partition *others_parts[] = {&others_part};

	(void)k_mem_domain_init(&attackers_domain, ARRAY_SIZE(parts), parts);
	(void)k_mem_domain_init(&victims_domain, ARRAY_SIZE(others_parts), others_parts);
	(void)k_mem_domain_init(&bare_domain, 0, NULL);
	memset(others, OTHERS_BYTE, sizeof(others));
	k_heap_init(&pool, pool_bytes, sizeof(pool_bytes));
	make_allowed();
	(void)k_thread_create(&victim, victim_stack, STACK_SIZE, sleeps_on, NULL, NULL, NULL,
			      PRIO - 2, K_USER, K_FOREVER);
	(void)k_mem_domain_add_thread(&victims_domain, &victim);
	make_secrets();
	(void)k_thread_create(&essential, essential_stack, STACK_SIZE, sleeps_on, NULL, NULL, NULL,
			      PRIO + 1, K_USER | K_ESSENTIAL, K_NO_WAIT);
	k_thread_start(&victim);
	for (unsigned int i = 0; i < NUM_ATTACKERS; i++) {
		begin_attacker(i);
	}
}

bool world_is_out_of_reach(const void *object, enum kind kind)
{
	uintptr_t place = (uintptr_t)object - (uintptr_t)pool_bytes;
	const struct named *one = find_named(object);

	if (one != NULL) {
		return one->is_secret || (kind != ANY_OBJECT && one->kind != kind);
	}
	/* What was allocated lies in the pool, or is a stack of the kernel's own pool. */
	return place >= sizeof(pool_bytes) && user_stack_reserved(object) == 0;
}

size_t world_buffer_size(const void *object, char kind)
{
	if (object == &allowed.msgq) {
		return sizeof(allowed.msgq_buffer[0]);
	}
	if (object == &allowed.long_msgq) {
		return sizeof(allowed.long_buffer[0]);
	}
	return kind == WORDS ? sizeof(stack_data_t) : 1;
}

void world_passed_on(const void *object)
{
	const struct named *one = find_named(object);

	if (one != NULL) {
		passed_on[one - named] = true;
	}
}

bool world_is_revoked(unsigned int who, const void *object)
{
	const struct named *one = find_named(object);

	return who < NUM_ATTACKERS && one != NULL && revoked[who][one - named] &&
	       !passed_on[one - named];
}

/* ---- what the judge does ---- */

unsigned int world_kind_number(enum kind kind)
{
	static const struct {
		enum kind kind;
		unsigned int number;
	} numbers[] = {
		{SEM, K_OBJ_SEM},
		{MUTEX, K_OBJ_MUTEX},
		{CONDVAR, K_OBJ_CONDVAR},
		{EVENT, K_OBJ_EVENT},
		{WORDS, K_OBJ_STACK},
		{QUEUE, K_OBJ_QUEUE},
		{MSGQ, K_OBJ_MSGQ},
		{TIMER, K_OBJ_TIMER},
		{ENDPOINT, K_OBJ_IPC_ENDPOINT},
		{GATE, K_OBJ_IPC_GATE},
		{THREAD, K_OBJ_THREAD},
		{STACK, K_OBJ_THREAD_STACK_ELEMENT},
		{PIPE, K_OBJ_PIPE},
		{SIGNAL, K_OBJ_POLL_SIGNAL},
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (numbers[i].kind == kind) {
			return numbers[i].number;
		}
	}
	return K_OBJ_ANY;
}

static void change_right(unsigned int which, unsigned int who, bool grant)
{
	const struct named *one = &named[which];

	if (one->is_secret) {
		return;
	}
	if (grant) {
		(void)k_object_grant_(one->address, world_kind_number(one->kind), STACK_SIZE * 2,
				      &attackers[who]);
	} else {
		k_object_revoke_(one->address, world_kind_number(one->kind), &attackers[who]);
	}
	revoked[who][which] = !grant;
}

/* A kernel thread's part in messages: with bytes, without, and answers. It waits for nobody. */
static void talk(unsigned int which)
{
	static char bytes[200];
	struct k_ipc_message message = {
		.words = {which},
		.data = bytes,
		.size = (which & 1U) != 0 ? sizeof(bytes) / 2 : 0,
		.capacity = (which & 2U) != 0 ? sizeof(bytes) : 0,
	};

	if ((which & 4U) != 0) {
		(void)k_ipc_send(&allowed.gate, &message, K_NO_WAIT);
	} else if ((which & 8U) != 0) {
		(void)k_ipc_reply(&message);
	} else {
		(void)k_ipc_receive(&allowed.endpoint, &message, K_NO_WAIT);
	}
}

static void use(unsigned int which)
{
	uintptr_t message[10] = {which};

	switch (which % 15) {
	case 8:
	case 9:
	case 10:
	case 11:
		talk(which / 15 + input_byte());
		break;
	case 0:
		k_sem_give(&allowed.sem);
		break;
	case 1:
		(void)k_condvar_broadcast(&allowed.condvar);
		break;
	case 2:
		(void)k_event_post(&allowed.event, which);
		break;
	case 3:
		(void)k_stack_push(&allowed.words, which);
		break;
	case 4:
		(void)k_msgq_put(&allowed.msgq, message, K_NO_WAIT);
		break;
	case 5:
		(void)k_msgq_put(&allowed.long_msgq, message, K_NO_WAIT);
		break;
	case 6:
		(void)k_msgq_get(&allowed.long_msgq, message, K_NO_WAIT);
		break;
	case 12:
		(void)k_pipe_write(&allowed.pipe, (const uint8_t *)message, 5, K_NO_WAIT);
		break;
	case 13:
		(void)k_pipe_read(&allowed.bare_pipe, (uint8_t *)message, 5, K_NO_WAIT);
		break;
	case 14:
		(void)k_poll_signal_raise(&allowed.signal, (int)which);
		break;
	default:
		(void)k_queue_get(&allowed.fifo._queue, K_NO_WAIT);
		break;
	}
}

static void change_partitions(unsigned int how)
{
	struct k_mem_partition *part = (how & 1U) != 0 ? &shared_part : &readable_part;

	if ((how & 2U) != 0) {
		(void)k_mem_domain_add_partition(&attackers_domain, part);
	} else {
		(void)k_mem_domain_remove_partition(&attackers_domain, part);
	}
}

void world_disturb(unsigned int what, unsigned int which, unsigned int who)
{
	which %= num_named;
	who %= NUM_ATTACKERS;
	world_changes++;
	trace("judge", what % 11, which << 8 | who);
	switch (what % 11) {
	case 0:
		change_right(which, who, false);
		break;
	case 1:
		change_right(which, who, true);
		break;
	case 2:
		k_thread_abort(&attackers[who]);
		break;
	case 3:
		k_thread_suspend(&attackers[who]);
		break;
	case 4:
		k_thread_resume(&attackers[who]);
		break;
	case 5:
		change_partitions(which);
		break;
	case 6:
		(void)k_mem_domain_add_thread(which % 2 == 0 ? &attackers_domain : &bare_domain,
					      &attackers[who]);
		break;
	case 7:
		k_object_free(&allowed.swapped_sem);
		for (unsigned int i = 0; i < NUM_ATTACKERS; i++) {
			revoked[i][1] = true; /* its place in `named` */
		}
		break;
	case 8:
		world_restart(who);
		break;
	case 9:
		k_wakeup(&attackers[who]);
		break;
	default:
		use(which);
		break;
	}
}
