/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A condition variable and its mutex: waiting lets go of the mutex and joins the queue in one, and who
 * is woken, by a signal, a broadcast, its time or nothing at all, comes back with the mutex. A mutex
 * that is locked twice stays its waiter's. Robust, as mutex.pml has it, with inheritance.
 */
#ifndef THREADS
#define THREADS 3
#endif
#define MUTEXES 1
#define M 0 /* its queue */
#define C 1 /* the condition's, which nobody owns */
#define QUEUES 2
#define CONDITION
#include "threads.pml"

#define LOCK      0
#define UNLOCK    1
#define WAIT      2
#define SIGNAL    3
#define BROADCAST 4
#define EXPIRE    5
#define END       6
#define START     7
#define PRIO      8
#define WAKE_ALL  9 /* a broadcast by another than these threads */

#include "locks.pml"

/* The mutex again, for who waited with that result. Others may have it by now. */
inline come_back(t, value)
{
	if
	:: owner[M] == NOBODY ->
		printf("# condvar.lock_free\n");
		own(M, t);
		result[t] = value
	:: owner[M] == t ->
		printf("# condvar.lock_held\n");
		count[M]++;
		result[t] = value
	:: owner[M] == ENDED ->
		printf("# condvar.lock_after_end\n");
		own(M, t);
		result[t] = EOWNERDEAD
	:: else ->
		printf("# condvar.lock_wait\n");
		comes_back[t] = true;
		kept[t] = value;
		lend_ahead(M, t);
		join(M, t);
		lend(owner[M], prio[line[M * THREADS]])
	fi
}

byte w_, n_, r_;
byte woken[THREADS]; /* in their order: they run when all are, or the call has begun to wait */
short behind[THREADS]; /* what the wait of each returns */

inline over(t, value)
{
	woken[n_] = t;
	behind[n_] = value;
	n_++
}

bool is_due[THREADS]; /* it has called that, and comes back with the mutex */

/* Behind letting go of the mutex, and masked since before. */
inline wait(t, how)
{
	is_due[t] = true;
	if
	:: how == NO_WAIT ->
		printf("# condvar.refuse\n");
		over(t, EAGAIN)
	:: else ->
		printf("# condvar.wait\n");
		timed[t] = (how == TIMED);
		join(C, t)
	fi
}

/* So many of the first. */
inline wake_some(most)
{
	do
	:: r_ < most && length[C] > 0 ->
		x_ = line[C * THREADS];
		wake(x_, 0);
		over(x_, 0);
		r_++
	:: else -> break
	od;
	x_ = 0
}

inline expire(t)
{
	m_ = at[t];
	wake(t, EAGAIN);
	if
	:: m_ == C ->
		printf("# condvar.expire\n");
		over(t, EAGAIN)
	:: else ->
		printf("# mutex.expire\n");
		inherit(owner[m_])
	fi;
	m_ = 0
}

/* Who has waited at the condition comes back. */
inline come_back_all()
{
	w_ = 0;
	do
	:: w_ < n_ ->
		come_back(woken[w_], behind[w_]);
		woken[w_] = 0;
		behind[w_] = 0;
		w_++
	:: else -> break
	od;
	w_ = 0; n_ = 0; r_ = 0
}

inline check()
{
	check_threads();
	/* no lost wake-up: nobody waits for a mutex that nobody has */
	assert(length[M] == 0 || owner[M] < NOBODY);
	assert(owner[M] >= NOBODY || (!dead[owner[M]] && at[owner[M]] != M));
	assert(owner[C] == NOBODY);
	q_ = 0;
	do
	:: q_ < THREADS ->
		/* whose wait is over has the mutex, or waits for that and nothing else */
		assert(!comes_back[q_] || (at[q_] == M && !timed[q_]));
		if
		:: is_due[q_] && at[q_] == NOWHERE ->
			assert(dead[q_] || owner[M] == q_);
			is_due[q_] = false
		:: else
		fi;
		q_++
	:: else -> break
	od;
	q_ = 0
}

inline shown()
{
	printf("=");
	shown_threads();
	printf(" %d\n", (owner[M] < NOBODY -> count[M] : 0))
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
			:: what == LOCK && IDLE(t) -> lock(t, M, b)
			:: (what == UNLOCK || what == WAIT) && IDLE(t) && owner[M] == t ->
				unlock(t, M);
				if
				:: what == WAIT -> wait(t, b)
				:: else
				fi
			:: what == SIGNAL && IDLE(t) && length[C] == 0 ->
				printf("# condvar.signal_nobody\n");
				result[t] = 0
			:: what == SIGNAL && IDLE(t) && length[C] > 0 ->
				printf("# condvar.signal\n");
				result[t] = 0;
				wake_some(1)
			:: (what == BROADCAST && IDLE(t)) || what == WAKE_ALL ->
				printf("# condvar.broadcast\n");
				wake_some(THREADS);
				if
				:: what == BROADCAST -> result[t] = r_
				:: else
				fi
			:: what == EXPIRE && timed[t] -> expire(t)
			:: what == END && !dead[t] -> finish(t)
			:: what == START && dead[t] -> start(t)
			:: what == PRIO && !dead[t] -> set_base(t, a)
			fi;
			come_back_all();
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

#ifdef TRACES /* the others go on while it waits, most often */
#define KEPT_ENDS 12 /* for owners of what who waits comes back to */
#define MAY_BE_WOKEN(t) (owner[M] == ENDED || length[C] == THREADS || \
			 calls[(t + 1) % THREADS] + calls[(t + 2) % THREADS] == 0)
#else
#define KEPT_ENDS 0
#define MAY_BE_WOKEN(t) true
#endif

/* Programs of so many calls, which let go of the mutex in the end. */
proctype thread(byte me)
{
endless:
	do
	:: atomic { IDLE(me) && calls[me] > 0 && (owner[M] != me || count[M] == 1) ->
		calls[me]--;
		if
		:: todo ! LOCK, me, M, NO_WAIT
		:: todo ! LOCK, me, M, TIMED
		:: todo ! LOCK, me, M, FOREVER
		fi }
	:: atomic { IDLE(me) && calls[me] > 0 && owner[M] == me ->
		calls[me]--;
		if
		:: todo ! WAIT, me, 0, NO_WAIT
		:: todo ! WAIT, me, 0, TIMED
		:: todo ! WAIT, me, 0, FOREVER
		fi }
	:: atomic { IDLE(me) && calls[me] > 0 && length[C] > 0 ->
		calls[me]--;
		if
		:: todo ! SIGNAL, me, 0, 0
		:: todo ! BROADCAST, me, 0, 0
		fi }
#ifdef TRACES
	:: atomic { IDLE(me) && calls[me] > 0 && length[C] == 0 -> todo ! SIGNAL, me, 0, 0 }
	:: atomic { ends > 0 && owner[M] == me && length[C] > 0 ->
		ends--; todo ! END, me, 0, 0 }
#endif
	:: atomic { IDLE(me) && owner[M] == me -> todo ! UNLOCK, me, M, 0 }
	:: atomic { timed[me] -> todo ! EXPIRE, me, 0, 0 }
	:: atomic { at[me] == C && MAY_BE_WOKEN(me) -> todo ! WAKE_ALL, 0, 0, 0 }
	:: atomic { ends > KEPT_ENDS && !dead[me] -> ends--; todo ! END, me, 0, 0 }
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
#ifdef LONG
#define CALLS 3
#else
#define CALLS 2
#endif
#endif

init {
	atomic {
		begin();
		/* One thing at a time, or all of it. */
#if defined(TRACES)
		ends = 24; changes = 12;
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
		assert(owner[M] >= NOBODY)
	}
}
#endif
