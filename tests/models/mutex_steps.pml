/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps within a mutex's calls: a lock with a time-out arms that first, puts it aside and looks
 * once more; an unlock while others wait hands the mutex over, and the caller falls in a step of its
 * own. In each of these windows whoever is more urgent runs, and may be in a window itself: others
 * lock, unlock, end, get other priorities, and time passes.
 *
 * One processor: who is ready stands in a list, the most urgent first. STEP is of the first of them,
 * and who was woken behind it returns later. Two mutexes; who holds one does not wait for the other
 * (rows of owners are mutex.pml's), so an owner may be in a window of the other's unlock alone.
 */
#ifndef THREADS
#define THREADS 3
#endif
#define MUTEXES 2
#define QUEUES  MUTEXES
#define READY
#define BASE(t) (4 * t + 4) /* 1 to 3: more urgent than all, and less than 16: all are different */
#define FALLS_NEXT(t) (window[t] == PASSED)

#define LOCK   0
#define UNLOCK 1
#define EXPIRE 2
#define END    3
#define START  4
#define PRIO   5 /* a: 0 its own, 1 above all, 2 below all */
#define STEP   6

#define BEFORE 1 /* in a window of a lock: nothing is armed yet */
#define ARMED  2 /* it is, and perhaps its time has passed */
#define PASSED 3 /* of an unlock: the mutex is another's, and the caller as urgent as it was */
#define FALLEN 4 /* and no longer */

byte window[THREADS];
byte wanted[THREADS]; /* the mutex that it is about to wait for */
bool finite[THREADS]; /* its wait has a time-out */
byte ready[THREADS]; /* who is ready, the most urgent first */
byte readies, n_, l_;

/* Behind its equals, or in front of them. */
inline ready_at(t, is_first)
{
	n_ = readies;
	do
	:: n_ > 0 ->
		if
		:: prio[ready[n_ - 1]] > prio[t] || (is_first && prio[ready[n_ - 1]] == prio[t]) ->
			ready[n_] = ready[n_ - 1];
			n_--
		:: else -> break
		fi
	:: else -> break
	od;
	ready[n_] = t;
	readies++;
	n_ = 0
}

inline ready_last(t)
{
	ready_at(t, false)
}

inline unready(t)
{
	n_ = 0;
	do
	:: n_ < readies && ready[n_] != t -> n_++
	:: else -> break
	od;
	if
	:: n_ < readies ->
		readies--;
		do
		:: n_ < readies -> ready[n_] = ready[n_ + 1]; n_++
		:: else -> break
		od;
		ready[readies] = 0;
		l_ = 1
	:: else -> l_ = 0
	fi;
	n_ = 0
}

/* It has another priority. */
inline ready_again(t)
{
	unready(t);
	if
	:: l_ == 1 -> ready_last(t)
	:: else
	fi;
	l_ = 0
}

#include "threads.pml"
#include "locks.pml"

#define IN_WINDOW(t) (window[t] != 0)
#define FIRST        (readies > 0 -> ready[0] : THREADS)
/* It is not in a call, and would run now. */
#define IS_READY(t)  (ready[0] == t && readies > 0 || readies > 1 && ready[1] == t || \
		      readies > 2 && ready[2] == t)
#define AT_REST(t)   (IDLE(t) && !IS_READY(t))
#define MAY_CALL(t)  (AT_REST(t) && (readies == 0 || prio[t] < prio[ready[0]]))
#define HOLDS_ANY(t) (owner[0] == t || owner[1] == t)

/* The caller is let in with interrupts, in that window. */
inline be_in(t, w)
{
	window[t] = w;
	ready_at(t, true)
}

/* Is it in no window, and the call over as soon as it runs? */
inline go_back(t)
{
	window[t] = 0;
	ready_at(t, true)
}

inline lock_in_steps(t, m, how)
{
	if
	:: how == TIMED && owner[m] != NOBODY && owner[m] != t ->
		printf("# mutex_steps.begin\n");
		wanted[t] = m;
		finite[t] = true;
		be_in(t, BEFORE)
	:: else ->
		finite[t] = false;
		lock(t, m, how);
		if
		:: at[t] == NOWHERE -> go_back(t)
		:: else
		fi
	fi
}

inline unlock_in_steps(t, m)
{
	x_ = line[m * THREADS];
	if
	:: count[m] > 1 || length[m] == 0 -> unlock(t, m); go_back(t)
	:: count[m] == 1 && length[m] > 0 && prio[t] == prio[x_] && base[t] > prio[x_] &&
	   !(owner[1 - m] == t && length[1 - m] > 0) ->
		/* it has inherited by this one alone */
		unlock(t, m);
		go_back(t)
	:: else ->
		printf("# mutex_steps.pass_on\n");
		result[t] = 0;
		hand_over(m, 0);
		be_in(t, PASSED)
	fi;
	x_ = 0
}

inline step(t)
{
	unready(t);
	l_ = 0;
	m_ = wanted[t];
	if
	:: window[t] == BEFORE ->
		printf("# mutex_steps.arm\n");
		timed[t] = true;
		be_in(t, ARMED)
	:: window[t] == ARMED && owner[m_] >= NOBODY ->
		printf("# mutex_steps.free_by_now\n");
		result[t] = (owner[m_] == ENDED -> EOWNERDEAD : 0);
		timed[t] = false;
		own(m_, t);
		go_back(t)
	:: window[t] == ARMED && owner[m_] < NOBODY && timed[t] ->
		printf("# mutex_steps.wait\n");
		window[t] = 0;
		join(m_, t);
		lend(owner[m_], prio[line[m_ * THREADS]])
	:: window[t] == ARMED && owner[m_] < NOBODY && !timed[t] ->
		printf("# mutex_steps.is_over\n");
		result[t] = EAGAIN;
		go_back(t)
	:: window[t] == PASSED ->
		printf("# mutex_steps.fall\n");
		inherit(t);
		be_in(t, FALLEN)
	:: window[t] == FALLEN ->
		printf("# mutex_steps.reschedule\n");
		go_back(t)
	fi;
	m_ = 0
}

inline expire(t)
{
	if
	:: at[t] == NOWHERE ->
		printf("# mutex_steps.expire_early\n");
		timed[t] = false
	:: else ->
		printf("# mutex_steps.expire\n");
		m_ = at[t];
		wake(t, EAGAIN);
		inherit(owner[m_]);
		m_ = 0
	fi
}

inline end_in_steps(t)
{
	finish(t);
	unready(t);
	l_ = 0;
	timed[t] = false;
	window[t] = 0
}

/* Who is the first, and in no window, returns from its call. */
inline run_woken()
{
	do
	:: readies > 0 && !IN_WINDOW(ready[0]) -> unready(ready[0]); l_ = 0
	:: else -> break
	od
}

inline check()
{
	check_threads();
	q_ = 0;
	do
	:: q_ < MUTEXES ->
		/* no lost wake-up: nobody waits for what nobody has; who ended owns nothing */
		assert(length[q_] == 0 || owner[q_] < NOBODY);
		assert(owner[q_] >= NOBODY || (!dead[owner[q_]] && at[owner[q_]] != q_));
		q_++
	:: else -> break
	od;
	q_ = 0;
	do
	:: q_ < THREADS ->
		/* no time-out is lost: who waits with one has it before it */
		assert(!(finite[q_] && at[q_] != NOWHERE) || timed[q_]);
		/* and none is left behind: it belongs to a call that is not over */
		assert(!timed[q_] || window[q_] == ARMED || at[q_] != NOWHERE);
		assert(!IN_WINDOW(q_) || (!dead[q_] && at[q_] == NOWHERE));
		/* nobody keeps what nobody lends behind its call, nor less than its own */
		assert(!AT_REST(q_) || HOLDS_ANY(q_) || prio[q_] == base[q_]);
		q_++
	:: else -> break
	od;
	q_ = 0
}

/* Of each: dead, where it waits, its window, whether its time is to come, priority, result. */
inline shown()
{
	printf("=");
	q_ = 0;
	do
	:: q_ < THREADS ->
		printf(" %d %d %d %d %d %d;", dead[q_], (at[q_] == NOWHERE -> -1 : at[q_]),
		       (window[q_] > 2 -> window[q_] - 2 : window[q_]), timed[q_],
		       (dead[q_] -> 0 : prio[q_]), (AT_REST(q_) -> result[q_] : 0));
		q_++
	:: else -> break
	od;
	k_ = 0;
	do
	:: k_ < MUTEXES ->
		printf(" %d[", (owner[k_] == NOBODY -> -1 : (owner[k_] == ENDED -> -2 : owner[k_])));
		i_ = 0;
		do
		:: i_ < length[k_] -> printf(" %d", line[k_ * THREADS + i_]); i_++
		:: else -> break
		od;
		printf(" ] %d", (owner[k_] < NOBODY -> count[k_] : 0));
		k_++
	:: else -> break
	od;
	i_ = 0; k_ = 0; q_ = 0;
	printf("\n")
}

#define NEW_BASE(t, a) (a == 0 -> BASE(t) : (a == 1 -> t + 1 : 16 + t))

active proctype kernel()
{
	byte to;
endless:
	do
	:: atomic {
		todo ? what, t, a, b;
		TOLD(what, t, a, b);
		if
		:: what == LOCK && MAY_CALL(t) -> d_step { lock_in_steps(t, a, b) }
		:: what == UNLOCK && MAY_CALL(t) && owner[a] == t -> d_step { unlock_in_steps(t, a) }
		:: what == EXPIRE && timed[t] -> d_step { expire(t) }
		:: what == END && !dead[t] -> d_step { end_in_steps(t) }
		:: what == START && dead[t] && (readies == 0 || BASE(t) < prio[ready[0]]) ->
			d_step { start(t) }
		:: what == PRIO && !dead[t] ->
			d_step { to = NEW_BASE(t, a); set_base(t, to); to = 0 }
		:: what == STEP && t == FIRST -> d_step { step(t) }
		fi;
		d_step {
			run_woken();
			check();
			shown();
			what = 0; t = 0; a = 0; b = 0
		} }
	od
}

inline begin()
{
	begin_threads()
}

#ifndef SCRIPT
byte calls[THREADS], ends, changes;

/* Who holds one asks for the other, but does not wait for it; and lets go of all in the end. */
#define WITH_MUTEX(m) \
	:: atomic { MAY_CALL(me) && calls[me] > 0 && !HOLDS_ANY(me) -> \
		calls[me]--; \
		if \
		:: todo ! LOCK, me, m, NO_WAIT \
		:: todo ! LOCK, me, m, TIMED \
		:: todo ! LOCK, me, m, FOREVER \
		fi } \
	:: atomic { MAY_CALL(me) && calls[me] > 0 && HOLDS_ANY(me) && \
		    (owner[m] != me || count[m] == 1) -> \
		calls[me]--; todo ! LOCK, me, m, NO_WAIT } \
	:: atomic { MAY_CALL(me) && owner[m] == me -> todo ! UNLOCK, me, m, 0 }

proctype thread(byte me)
{
endless:
	do
	WITH_MUTEX(0)
	WITH_MUTEX(1)
	:: atomic { me == FIRST -> todo ! STEP, me, 0, 0 }
	:: atomic { timed[me] -> todo ! EXPIRE, me, 0, 0 }
	:: atomic { ends > 0 && !dead[me] -> ends--; todo ! END, me, 0, 0 }
	:: atomic { dead[me] && (readies == 0 || BASE(me) < prio[ready[0]]) ->
		todo ! START, me, 0, 0 }
	:: atomic { changes > 0 && !dead[me] ->
		changes--;
		if
		:: todo ! PRIO, me, 0, 0
		:: todo ! PRIO, me, 1, 0
		:: todo ! PRIO, me, 2, 0
		fi }
	od
}

#if !defined(CALLS) && defined(LONG)
#define CALLS 2
#endif
#ifdef CALLS
#define FEWER(t) CALLS
#else
#define FEWER(t) (t == THREADS - 1 -> 2 : 1) /* who is the least urgent may hold both */
#endif

init {
	atomic {
		begin();
		/* One thing at a time, or all of it. */
#if defined(TRACES)
		ends = 12; changes = 20;
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
		:: i_ < THREADS -> calls[i_] = FEWER(i_); run thread(i_); i_++
		:: else -> break
		od;
		i_ = 0
	}
	/* Everything ends: nobody waits, nobody is in a window, and all is unlocked. */
	timeout;
	d_step {
		i_ = 0;
		do
		:: i_ < THREADS -> assert(AT_REST(i_) && !IN_WINDOW(i_)); i_++
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
