/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps within a mutex's calls: a lock with a time-out arms that first, puts it aside and looks
 * once more; an unlock while others wait hands the mutex over, and the caller falls in a step of its
 * own; and where an owner waits itself, its row inherits first, an owner a step, before the caller
 * waits. In each of these windows whoever is more urgent runs, and may be in a window itself: others
 * lock, unlock, end, get other priorities, and time passes.
 *
 * One processor: who is ready stands in a list, the most urgent first. STEP is of the first of them,
 * and who was woken behind it returns later. Two mutexes, waited for in their order.
 */
#ifndef THREADS
#define THREADS 3
#endif
#define MUTEXES 2
#define QUEUES  MUTEXES
#define READY
#define BASE(t) (4 * t + 4) /* 1 to 3: more urgent than all, and less than 16: all are different */
#define FALLS_NEXT(t) (window[t] == PASSED || ALONG(0, BACK) || ALONG(1, BACK) || ALONG(2, BACK))
#define RISES_NEXT    (ALONG(0, HOP) || ALONG(1, HOP) || ALONG(2, HOP))
#define ALONG(t, w)   (window[t] >= AHEAD && window[t] <= w)

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
/* Of a lock whose owner waits itself. */
#define AHEAD   5 /* nobody has inherited yet */
#define HOP     6 /* one has, and whom that waits for is next */
#define LENT    7 /* the row has */
#define BACK    8 /* it was for nothing: one has let go, and whom that waits for is next */
#define LEAVING 9 /* all have */
#define LEFT    10 /* and it begins anew */

#define TRAVERSES(t) (window[t] >= AHEAD && window[t] <= LEAVING) /* and finishes */

byte window[THREADS];
byte turn[THREADS]; /* how many there were in this call */
byte was[THREADS]; /* who owned it when the row was begun */
byte hop[THREADS]; /* whose turn it is in that row */
byte lent[THREADS], had[THREADS]; /* what goes along, and what the caller had then */
byte floor[THREADS], own_base[THREADS]; /* what it has at least meanwhile, and behind that */
bool was_timed[THREADS];
bool looks; /* for the mutex once more */
byte o_, w_, v_;
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
	:: l_ == 1 -> ready_at(t, TRAVERSES(t))
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
	turn[t]++;
	ready_at(t, true)
}

/* Is it in no window, and the call over as soon as it runs? */
inline go_back(t)
{
	window[t] = 0;
	ready_at(t, true)
}

#define NEEDS_AHEAD(t, m) (at[owner[m]] != NOWHERE && prio[owner[m]] > prio[t] && \
			   (length[m] == 0 || prio[owner[m]] > prio[line[m * THREADS]]))

/* Free, over, or about to wait; along the row before, where the owner waits itself. */
inline look(t)
{
	m_ = wanted[t];
	looks = false;
	if
	:: owner[m_] >= NOBODY ->
		printf("# mutex_steps.free_by_now\n");
		result[t] = (owner[m_] == ENDED -> EOWNERDEAD : 0);
		timed[t] = false;
		own(m_, t);
		go_back(t)
	:: owner[m_] < NOBODY && (!finite[t] || timed[t]) ->
		if
		:: NEEDS_AHEAD(t, m_) ->
			printf("# mutex_steps.ahead\n");
			was[t] = owner[m_];
			had[t] = prio[t];
			lent[t] = prio[t];
			if
			:: length[m_] > 0 && prio[line[m_ * THREADS]] < prio[t] ->
				lent[t] = prio[line[m_ * THREADS]]
			:: else
			fi;
			was_timed[t] = timed[t];
			floor[t] = base[t];
			own_base[t] = base[t];
			be_in(t, AHEAD)
		:: else ->
			printf("# mutex_steps.wait\n");
			window[t] = 0;
			join(m_, t);
			lend(owner[m_], prio[line[m_ * THREADS]])
		fi
	:: owner[m_] < NOBODY && finite[t] && !timed[t] ->
		printf("# mutex_steps.is_over\n");
		result[t] = EAGAIN;
		go_back(t)
	fi;
	m_ = 0
}

inline lock_in_steps(t, m, how)
{
	wanted[t] = m;
	finite[t] = (how == TIMED);
	turn[t] = 0;
	if
	:: how == TIMED && owner[m] != NOBODY && owner[m] != t ->
		printf("# mutex_steps.begin\n");
		be_in(t, BEFORE)
	:: how == FOREVER && owner[m] < NOBODY && owner[m] != t && NEEDS_AHEAD(t, m) -> looks = true
	:: else ->
		lock(t, m, how);
		if
		:: at[t] == NOWHERE -> go_back(t)
		:: else
		fi
	fi
}

inline unlock_in_steps(t, m)
{
	turn[t] = 0;
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

/* It is in no row any more. */
inline leave_row(t)
{
	base[t] = own_base[t];
	prio[t] = own_base[t];
	was[t] = NOBODY;
	was_timed[t] = false;
	lent[t] = 0; had[t] = 0; floor[t] = 0; own_base[t] = 0
}

inline step(t)
{
	unready(t);
	l_ = 0;
	o_ = NOBODY;
	w_ = 0; /* the window behind the last of the row */
	if
	:: window[t] == BEFORE ->
		printf("# mutex_steps.arm\n");
		timed[t] = true;
		be_in(t, ARMED)
	:: window[t] == ARMED -> looks = true
	:: window[t] == PASSED ->
		printf("# mutex_steps.fall\n");
		inherit(t);
		be_in(t, FALLEN)
	:: window[t] == FALLEN ->
		printf("# mutex_steps.reschedule\n");
		go_back(t)
	:: window[t] == AHEAD ->
		printf("# mutex_steps.rise\n");
		w_ = LENT;
		if
		:: was[t] < NOBODY -> o_ = was[t]; p_ = (prio[o_] > lent[t] -> lent[t] : prio[o_])
		:: else
		fi
	:: window[t] == HOP || window[t] == BACK ->
		printf("# mutex_steps.hop\n");
		w_ = (window[t] == HOP -> LENT : LEAVING);
		o_ = hop[t]
	:: window[t] == LENT ->
		if
		:: own_base[t] > had[t] || timed[t] != was_timed[t] || was[t] == NOBODY ||
		   owner[wanted[t]] != was[t] || prio[was[t]] > prio[t] ->
			printf("# mutex_steps.for_nothing\n");
			w_ = LEAVING;
			o_ = was[t]
		:: else ->
			leave_row(t);
			window[t] = 0;
			printf("# mutex_steps.wait_behind\n");
			join(wanted[t], t);
			lend(owner[wanted[t]], prio[line[wanted[t] * THREADS]])
		fi
	:: window[t] == LEAVING ->
		printf("# mutex_steps.leave\n");
		leave_row(t);
		be_in(t, LEFT)
	:: window[t] == LEFT -> looks = true
	fi
}

/* The next owner of a row, from step(): it gets what is its own, and whom it waits for is next. */
inline along(t)
{
	if
	:: o_ < NOBODY && window[t] != AHEAD -> entitled(o_, p_)
	:: else
	fi;
	hop[t] = NOBODY;
	v_ = NOWHERE;
	if
	:: o_ < NOBODY ->
		if
		:: p_ != prio[o_] ->
			v_ = at[o_];
			set_prio(o_, p_)
		:: else
		fi
	:: else
	fi;
	if
	:: v_ != NOWHERE ->
		hop[t] = (owner[v_] < NOBODY -> owner[v_] : NOBODY);
		be_in(t, (w_ == LENT -> HOP : BACK))
	:: else -> be_in(t, w_)
	fi;
	o_ = 0; p_ = 0; v_ = 0; w_ = 0; h_ = 0
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

/* One that goes along a row finishes first: for nothing. */
inline finish_row(t)
{
	if
	:: window[t] == AHEAD -> lend(was[t], lent[t])
	:: else
	fi;
	inherit(hop[t]);
	inherit(was[t]);
	leave_row(t);
	hop[t] = NOBODY
}

inline end_in_steps(t)
{
	finish(t);
	unready(t);
	l_ = 0;
	timed[t] = false;
	window[t] = 0;
	q_ = 0;
	do
	:: q_ < THREADS ->
		if
		:: was[q_] == t -> was[q_] = NOBODY
		:: else
		fi;
		if
		:: hop[q_] == t -> hop[q_] = NOBODY
		:: else
		fi;
		q_++
	:: else -> break
	od;
	q_ = 0
}

/* While it goes along a row it has no less than it had. */
inline prio_in_steps(t, p)
{
	if
	:: TRAVERSES(t) ->
		own_base[t] = p;
		w_ = (p < floor[t] -> p : floor[t])
	:: else -> w_ = p
	fi;
	set_base(t, w_);
	w_ = 0
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
		assert(!timed[q_] || window[q_] == ARMED || window[q_] >= AHEAD ||
		       at[q_] != NOWHERE);
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
		       (window[q_] != 0 -> turn[q_] : 0), timed[q_],
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
		:: what == END && !dead[t] ->
			d_step {
				if
				:: TRAVERSES(t) -> finish_row(t)
				:: else
				fi
			}
			d_step { end_in_steps(t) }
		:: what == START && dead[t] && (readies == 0 || BASE(t) < prio[ready[0]]) ->
			d_step { start(t) }
		:: what == PRIO && !dead[t] ->
			d_step { to = NEW_BASE(t, a); prio_in_steps(t, to); to = 0 }
		:: what == STEP && t == FIRST ->
			d_step { step(t) }
			d_step {
				if
				:: w_ != 0 -> along(t)
				:: else
				fi;
				o_ = 0
			}
		fi;
		d_step {
			if
			:: looks -> look(t)
			:: else
			fi
		}
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
	begin_threads();
	i_ = 0;
	do
	:: i_ < THREADS -> was[i_] = NOBODY; hop[i_] = NOBODY; i_++
	:: else -> break
	od;
	i_ = 0
}

#ifndef SCRIPT
byte calls[THREADS], ends, changes;

/* In half of the traces a row is likely: 0 waits for 1, and that for 2. */
#if defined(TRACES) && defined(ROWS)
#define WANTS(me, m) \
	(me == 2 -> m == 1 : (me == 0 -> m == 0 && (at[1] == 1 || calls[1] < 10) : \
	m == 0 || owner[0] == me && (owner[1] == 2 || calls[2] < 10)))
#define LETS_GO(me, m) (me == 1 -> m == 1 || owner[1] != 2 || calls[me] < 10 : \
			me == 0 || length[0] > 0 || TRAVERSES(0) || \
			calls[0] < 10 || calls[1] < 10)
/* Once a row, an end or another priority. */
bool may_happen;
#define IS_TIME        (TRAVERSES(0) && may_happen)
#define HAPPENS        may_happen = false;
#define MAY_AGAIN      may_happen = true;
#else
#define IS_TIME        true
#define HAPPENS
#define MAY_AGAIN
#define WANTS(me, m)   true
#define LETS_GO(me, m) true
#endif

/* Waited for in their order; who holds the other asks for it; all are let go of in the end. */
#define WITH_MUTEX(m) \
	:: atomic { MAY_CALL(me) && calls[me] > 0 && owner[m] != me && WANTS(me, m) && \
		    (m == MUTEXES - 1 || owner[MUTEXES - 1] != me) -> \
		MAY_AGAIN calls[me]--; \
		if \
		:: todo ! LOCK, me, m, NO_WAIT \
		:: todo ! LOCK, me, m, TIMED \
		:: todo ! LOCK, me, m, FOREVER \
		fi } \
	:: atomic { MAY_CALL(me) && calls[me] > 0 && HOLDS_ANY(me) && \
		    (owner[m] == me -> count[m] == 1 : m == 0 && owner[MUTEXES - 1] == me) -> \
		calls[me]--; todo ! LOCK, me, m, NO_WAIT } \
	:: atomic { MAY_CALL(me) && owner[m] == me && LETS_GO(me, m) -> todo ! UNLOCK, me, m, 0 }

proctype thread(byte me)
{
endless:
	do
	WITH_MUTEX(0)
	WITH_MUTEX(1)
	:: atomic { me == FIRST -> todo ! STEP, me, 0, 0 }
	:: atomic { timed[me] -> todo ! EXPIRE, me, 0, 0 }
	:: atomic { ends > 0 && !dead[me] && IS_TIME -> HAPPENS ends--; todo ! END, me, 0, 0 }
	:: atomic { dead[me] && (readies == 0 || BASE(me) < prio[ready[0]]) ->
		todo ! START, me, 0, 0 }
	:: atomic { changes > 0 && !dead[me] && IS_TIME ->
		HAPPENS changes--;
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
#define FEWER(t) (t == 1 -> 2 : 1) /* who may hold both, or one and wait for the other */
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
