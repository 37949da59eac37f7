/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The attacker. Each call's number is drawn; each argument is, as a rule, of the kind that the
 * call wants, so that what lies behind validation is tried too, and else anything:
 * another object, the middle of one, an edge of memory, a word.
 */
#include <board.h>
#include "attack.h"

K_APPMEM_PARTITION_DEFINE(attackers);
K_APP_BMEM(attackers) struct arena arena;

/* What each call takes; calls that are not named take anything. */
static const uint8_t wanted[NUM_CALLS][4] = {
	[CALL_k_sem_init] = {SEM},
	[CALL_k_sem_take] = {SEM, TIMEOUT},
	[CALL_k_sem_give] = {SEM},
	[CALL_k_sem_reset] = {SEM},
	[CALL_k_sem_count_get] = {SEM},
	[CALL_k_mutex_init] = {MUTEX},
	[CALL_k_mutex_lock] = {MUTEX, TIMEOUT},
	[CALL_k_mutex_unlock] = {MUTEX},
	[CALL_k_condvar_init] = {CONDVAR},
	[CALL_k_condvar_wait] = {CONDVAR, MUTEX, TIMEOUT},
	[CALL_k_condvar_signal] = {CONDVAR},
	[CALL_k_condvar_broadcast] = {CONDVAR},
	[CALL_k_event_init] = {EVENT},
	[CALL_k_event_post] = {EVENT},
	[CALL_k_event_set] = {EVENT},
	[CALL_k_event_set_masked] = {EVENT},
	[CALL_k_event_clear] = {EVENT},
	[CALL_k_event_wait] = {EVENT, ANY, ANY, TIMEOUT},
	[CALL_k_event_wait_all] = {EVENT, ANY, ANY, TIMEOUT},
	[CALL_k_event_wait_safe] = {EVENT, ANY, ANY, TIMEOUT},
	[CALL_k_event_wait_all_safe] = {EVENT, ANY, ANY, TIMEOUT},
	[CALL_k_event_test] = {EVENT},
	[CALL_k_stack_alloc_init] = {WORDS},
	[CALL_k_stack_push] = {WORDS},
	[CALL_k_stack_pop] = {WORDS, BUFFER, TIMEOUT},
	[CALL_k_queue_init] = {QUEUE},
	[CALL_k_queue_alloc_append] = {QUEUE},
	[CALL_k_queue_alloc_prepend] = {QUEUE},
	[CALL_k_queue_get] = {QUEUE, TIMEOUT},
	[CALL_k_queue_is_empty] = {QUEUE},
	[CALL_k_queue_peek_head] = {QUEUE},
	[CALL_k_queue_peek_tail] = {QUEUE},
	[CALL_k_queue_cancel_wait] = {QUEUE},
	[CALL_k_msgq_alloc_init] = {MSGQ},
	[CALL_k_msgq_put] = {MSGQ, BUFFER, TIMEOUT},
	[CALL_k_msgq_get] = {MSGQ, BUFFER, TIMEOUT},
	[CALL_k_msgq_peek] = {MSGQ, BUFFER},
	[CALL_k_msgq_peek_at] = {MSGQ, BUFFER},
	[CALL_k_msgq_purge] = {MSGQ},
	[CALL_k_msgq_num_free_get] = {MSGQ},
	[CALL_k_msgq_num_used_get] = {MSGQ},
	[CALL_k_msgq_get_attrs] = {MSGQ, BUFFER},
	[CALL_k_timer_start] = {TIMER, TIMEOUT, TIMEOUT},
	[CALL_k_timer_stop] = {TIMER},
	[CALL_k_timer_status_get] = {TIMER},
	[CALL_k_timer_status_sync] = {TIMER},
	[CALL_k_timer_remaining_ticks] = {TIMER},
	[CALL_k_timer_remaining_get] = {TIMER},
	[CALL_k_timer_expires_ticks] = {TIMER},
	[CALL_k_timer_user_data_set] = {TIMER},
	[CALL_k_timer_user_data_get] = {TIMER},
	[CALL_k_thread_start] = {THREAD},
	[CALL_k_thread_suspend] = {THREAD},
	[CALL_k_thread_resume] = {THREAD},
	[CALL_k_thread_abort] = {THREAD},
	[CALL_k_thread_join] = {THREAD, TIMEOUT},
	[CALL_k_thread_priority_get] = {THREAD},
	[CALL_k_thread_priority_set] = {THREAD},
	[CALL_k_thread_timeout_remaining_ticks] = {THREAD},
	[CALL_k_thread_timeout_expires_ticks] = {THREAD},
	[CALL_k_wakeup] = {THREAD},
	[CALL_k_sleep] = {TIMEOUT},
	[CALL_k_msleep] = {TIMEOUT},
	[CALL_k_usleep] = {TIMEOUT},
	[CALL_k_busy_wait] = {SHORT},
	[CALL_k_object_grant_] = {SEM, ANY, ANY, THREAD},
	[CALL_k_object_revoke_] = {SEM, ANY, THREAD},
	[CALL_k_object_release_] = {EVENT},
	[CALL_user_uptime_read] = {BUFFER},
	[CALL_user_thread_create_packed] = {CREATE},
};

static uint32_t draw(void)
{
	uint32_t x = arena.seed;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	arena.seed = x;
	return x;
}

/* Zero to n - 1, by the upper bits. */
static uint32_t below(uint32_t n)
{
	return (uint32_t)((uint64_t)draw() * n >> 32);
}

static uintptr_t any_word(void)
{
	static const uintptr_t edges[] = {
		0,
		1,
		2,
		4,
		7,
		15,
		64,
		0x7fffffffU,
		0x80000000U,
		0xfffffffcU,
		UINTPTR_MAX,
		BOARD_RAM_BASE,
		BOARD_RAM_BASE - 4,
		BOARD_RAM_BASE + BOARD_RAM_SIZE,
		BOARD_RAM_BASE + BOARD_RAM_SIZE - 4,
		BOARD_UART_BASE,
	};
	uint32_t word = draw();

	switch (below(4)) {
	case 0:
		return edges[below(ARRAY_SIZE(edges))];
	case 1: /* an object, or a place in or near it */
		return arena.objects[below(NUM_WANTED)][below(2)] + below(3) * (below(64) - 16U);
	case 2:
		return BOARD_RAM_BASE + (word & (BOARD_RAM_SIZE - 1U));
	default:
		return word;
	}
}

static uintptr_t argument(enum wanted kind)
{
	uint32_t luck = below(32);

	if (luck == 2 && kind < BUFFER && kind != ANY) {
		return (uintptr_t)&arena.forged[8];
	}
	if ((luck == 0 && kind != SHORT) || kind == ANY) {
		return luck < 16 ? below(16) : any_word();
	}
	switch (kind) {
	case SHORT: /* of what spins nothing else is learned */
		return below(16);
	case TIMEOUT:
		return luck < 24 ? below(3) : below(2) - 1U;
	case BUFFER:
		return luck < 29 ? (uintptr_t)arena.buffer : any_word();
	case CREATE:
		arena.create[0] = argument(THREAD);
		arena.create[1] = argument(STACK);
		arena.create[2] = below(8) != 0 ? STACK_SIZE_ : any_word();
		arena.create[3] = (uintptr_t)attack;
		arena.create[7] = below(8) != 0 ? 7 + below(3) : any_word();
		arena.create[8] = below(8) != 0 ? K_USER | below(2) * K_INHERIT_PERMS : any_word();
		arena.create[9] = below(3) - 1U;
		return (uintptr_t)arena.create;
	default:
		return arena.objects[kind][luck == 1];
	}
}

static bool is_init(uintptr_t number)
{
	return number == CALL_k_sem_init || number == CALL_k_mutex_init ||
	       number == CALL_k_condvar_init || number == CALL_k_event_init ||
	       number == CALL_k_stack_alloc_init || number == CALL_k_queue_init ||
	       number == CALL_k_msgq_alloc_init;
}

#if defined(__riscv)
static void call(uintptr_t number, const uintptr_t *args)
{
	register uintptr_t a0 __asm__("a0") = args[0];
	register uintptr_t a1 __asm__("a1") = args[1];
	register uintptr_t a2 __asm__("a2") = args[2];
	register uintptr_t a3 __asm__("a3") = args[3];
	register uintptr_t a7 __asm__("a7") = number;

	__asm__ volatile("la ra, 1f\n\tecall\n1:"
			 : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3), "+r"(a7)::"ra", "a4", "a5", "a6",
			   "t0", "t1", "t2", "t3", "t4", "t5", "t6", "memory");
}
#else
static void call(uintptr_t number, const uintptr_t *args)
{
	register uintptr_t r0 __asm__("r0") = args[0];
	register uintptr_t r1 __asm__("r1") = args[1];
	register uintptr_t r2 __asm__("r2") = args[2];
	register uintptr_t r3 __asm__("r3") = args[3];
	register uintptr_t r12 __asm__("r12") = number;

	__asm__ volatile("adr lr, 1f\n\torr lr, lr, #1\n\tsvc #0\n\t.balign 4\n1:"
			 : "+r"(r0), "+r"(r1), "+r"(r2), "+r"(r3), "+r"(r12)::"lr", "cc", "memory");
}
#endif

/* A copy of an object in memory of one's own, with the index of one that exists, or of none. */
static void forge(void)
{
	uintptr_t word = below(32) | 1U << 16;

	for (unsigned int i = 0; i < NUM_FORGED; i++) {
		arena.forged[i] = word;
	}
}

/* Past the calls, at memory itself; what is found there goes where the judge sees it. */
static void look(void)
{
	const volatile uint32_t *word =
		(const volatile uint32_t *)(arena.objects[below(NUM_WANTED)][1] & ~(uintptr_t)3);

	arena.buffer[0] = *word;
}

void attack(void *p1, void *p2, void *p3)
{
	forge();
	for (;;) {
		uintptr_t number = below(64) == 0 ? any_word() : below(NUM_CALLS);
		uintptr_t args[4];

		if (below(128) == 0) {
			look();
		}
		/* Of these one in eight: they are refused, since all has been initialised. */
		if (is_init(number) && below(8) != 0) {
			continue;
		}
		/* Each letter of it would go between those of the judge's lines. */
		if (number == CALL_uart_putc || number == CALL_k_fatal_raise) {
			continue;
		}
		for (unsigned int i = 0; i < 4; i++) {
			args[i] = argument(number < NUM_CALLS ? wanted[number][i] : ANY);
		}
		arena.begun++;
		call(number, args);
		arena.returned++;
		if (number < NUM_CALLS) {
			arena.by_call[number]++;
		}
	}
}
