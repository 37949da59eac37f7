/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutexes: inheritance along a chain of owners, time-outs, ends and restarts of threads, changes of
 * priorities. Robust ones (CONFIG_MUTEX_ROBUST), so that everything ends. Locked in their order, as
 * a program that is not to lock itself out does.
 */
#ifndef THREADS
#define THREADS 3
#endif
#ifndef MUTEXES
#define MUTEXES 2
#endif
#define QUEUES MUTEXES
#include "threads.pml"

#define LOCK   0
#define UNLOCK 1
#define EXPIRE 2
#define END    3
#define START  4
#define PRIO   5

#include "locks.pml"

/* Its time has run out. */
inline expire(t)
{
	printf("# mutex.expire\n");
	m_ = at[t];
	wake(t, EAGAIN);
	inherit(owner[m_]);
	m_ = 0
}

inline check()
{
	check_threads();
	q_ = 0;
	do
	:: q_ < MUTEXES ->
		/* no lost wake-up: nobody waits for what nobody has */
		assert(length[q_] == 0 || owner[q_] < NOBODY);
		assert(owner[q_] >= NOBODY || (!dead[owner[q_]] && at[owner[q_]] != q_));
		q_++
	:: else -> break
	od;
	q_ = 0
}

inline shown()
{
	printf("=");
	shown_threads();
	q_ = 0;
	do
	:: q_ < MUTEXES -> printf(" %d", (owner[q_] < NOBODY -> count[q_] : 0)); q_++
	:: else -> break
	od;
	q_ = 0;
	printf("\n")
}

/* The kernel: a command at a time. */
active proctype kernel()
{
endless:
	do
	:: atomic {
		todo ? what, t, a, b;
		d_step {
			TOLD(what, t, a, b);
			if
			:: what == LOCK && IDLE(t) -> lock(t, a, b)
			:: what == UNLOCK && IDLE(t) && owner[a] == t -> unlock(t, a)
			:: what == EXPIRE && timed[t] -> expire(t)
			:: what == END && !dead[t] -> finish(t)
			:: what == START && dead[t] -> start(t)
			:: what == PRIO && !dead[t] -> set_base(t, a)
			fi;
			check();
			shown();
			what = 0; t = 0; a = 0; b = 0
		} }
	od
}

/* May it lock m? In their order, and once more but not without end. */
#define HOLDS_NO_LATER(t, m) (m + 1 >= MUTEXES || owner[MUTEXES - 1] != t)

inline begin()
{
	begin_threads()
}

#ifndef SCRIPT
byte calls[THREADS], ends, changes;

/* Programs of so many locks, which let go of all in the end. */
#define WITH_MUTEX(m) \
	:: atomic { IDLE(me) && calls[me] > 0 && owner[m] != me && HOLDS_NO_LATER(me, m) -> \
		calls[me]--; \
		if \
		:: todo ! LOCK, me, m, NO_WAIT \
		:: todo ! LOCK, me, m, TIMED \
		:: todo ! LOCK, me, m, FOREVER \
		fi } \
	:: atomic { IDLE(me) && calls[me] > 0 && owner[m] == me && count[m] == 1 -> \
		calls[me]--; todo ! LOCK, me, m, FOREVER } \
	:: atomic { IDLE(me) && owner[m] == me -> todo ! UNLOCK, me, m, 0 }

proctype thread(byte me)
{
endless:
	do
	WITH_MUTEX(0)
#if MUTEXES > 1
	WITH_MUTEX(1)
#endif
#if MUTEXES > 2
	WITH_MUTEX(2)
#endif
	:: atomic { timed[me] -> todo ! EXPIRE, me, 0, 0 }
	:: atomic { ends > 0 && !dead[me] -> ends--; todo ! END, me, 0, 0 }
	:: atomic { dead[me] -> todo ! START, me, 0, 0 }
	:: atomic { changes > 0 && !dead[me] && base[me] == me + 1 ->
		changes--;
		if
		:: todo ! PRIO, me, 0, 0
		:: todo ! PRIO, me, THREADS + 1, 0
		fi }
	od
}

#ifndef CALLS
#define CALLS 2
#endif

init {
	atomic {
		begin();
		/* One thing at a time, or all of it. */
#if defined(TRACES)
		ends = 12; changes = 12;
#elif defined(LONG)
		ends = 1; changes = 1;
#else
		if
		:: ends = 1
		:: changes = 1
		fi;
#endif
		i_ = 0;
		do
		:: i_ < THREADS -> calls[i_] = CALLS; run thread(i_); i_++
		:: else -> break
		od;
		i_ = 0
	}
	/* Everything ends: nobody waits any more, and all is unlocked. */
	timeout;
	d_step {
		i_ = 0;
		do
		:: i_ < THREADS -> assert(IDLE(i_)); i_++
		:: else -> break
		od;
		i_ = 0;
		do
		:: i_ < MUTEXES -> assert(owner[i_] >= NOBODY); i_++
		:: else -> break
		od
	}
}
#endif
