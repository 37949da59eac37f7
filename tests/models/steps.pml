/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps within a call that waits with a time-out: it arms that first, and interrupts come in
 * before and behind that; then it looks once more, and waits, or does not. In each of these windows
 * whoever is more urgent runs, and may be in a window itself; time passes, tokens come, from threads
 * and from handlers, and the caller is ended. By a semaphore, whose protocol the other objects share
 * (sched_arm_first(), sched_disarm(), sched_is_over()).
 *
 * One processor: while a thread is in a window none that is less urgent runs. So STEP is of the most
 * urgent one there, and what a less urgent one was woken with it returns later (`owed`).
 */
#ifndef THREADS
#define THREADS 3
#endif
#define QUEUES 1
#include "threads.pml"

#define TAKE   0
#define GIVE   1 /* a: 0 by a thread, 1 by a handler */
#define STEP   2
#define EXPIRE 3
#define END    4
#define START  5
#define LIMIT  2

#define BEFORE 1 /* in a window: nothing is armed yet */
#define ARMED  2 /* it is, and perhaps its time has passed */

byte window[THREADS];
byte tokens;
bool owed[THREADS]; /* woken, and not run yet */
bool finite[THREADS]; /* its wait has a time-out */
byte first, balance, j_;

#define IN_WINDOW(t) (window[t] != 0)
#define AT_REST(t)   (IDLE(t) && !IN_WINDOW(t) && !owed[t])

/* The most urgent in a window, or THREADS. */
inline find_first()
{
	first = 0;
	do
	:: first < THREADS && !IN_WINDOW(first) -> first++
	:: else -> break
	od
}

inline took(t)
{
	tokens--;
	balance--;
	result[t] = 0
}

inline take(t, how)
{
	if
	:: tokens > 0 ->
		printf("# steps.take\n");
		took(t)
	:: tokens == 0 && how == NO_WAIT ->
		printf("# steps.refused\n");
		result[t] = EBUSY
	:: tokens == 0 && how == FOREVER ->
		printf("# steps.wait_for_ever\n");
		finite[t] = false;
		join(0, t)
	:: tokens == 0 && how == TIMED ->
		printf("# steps.begin\n");
		finite[t] = true;
		window[t] = BEFORE
	fi
}

inline step(t)
{
	if
	:: window[t] == BEFORE ->
		printf("# steps.arm\n");
		timed[t] = true;
		window[t] = ARMED
	:: window[t] == ARMED && tokens > 0 ->
		printf("# steps.disarm\n");
		timed[t] = false;
		window[t] = 0;
		took(t)
	:: window[t] == ARMED && tokens == 0 && timed[t] ->
		printf("# steps.wait\n");
		window[t] = 0;
		join(0, t)
	:: window[t] == ARMED && tokens == 0 && !timed[t] ->
		printf("# steps.is_over\n");
		window[t] = 0;
		result[t] = EAGAIN
	fi
}

inline go_on_with(t, value)
{
	wake(t, value);
	owed[t] = true
}

inline give()
{
	if
	:: length[0] > 0 ->
		printf("# steps.give_to_first\n");
		j_ = line[0];
		go_on_with(j_, 0);
		j_ = 0
	:: length[0] == 0 && tokens < LIMIT ->
		printf("# steps.give\n");
		tokens++;
		balance++
	:: else -> printf("# steps.give_full\n")
	fi
}

inline expire(t)
{
	if
	:: at[t] == NOWHERE ->
		printf("# steps.expire_early\n");
		timed[t] = false
	:: else ->
		printf("# steps.expire\n");
		go_on_with(t, EAGAIN)
	fi
}

inline finish(t)
{
	printf("# steps.end\n");
	if
	:: at[t] != NOWHERE -> wake(t, 0)
	:: else
	fi;
	timed[t] = false;
	window[t] = 0;
	owed[t] = false;
	dead[t] = true
}

inline start(t)
{
	dead[t] = false;
	result[t] = 0
}

inline check()
{
	check_threads();
	/* no token is lost, none is there twice, and nobody waits where one is */
	assert(balance == tokens);
	assert(length[0] == 0 || tokens == 0);
	j_ = 0;
	do
	:: j_ < THREADS ->
		/* no time-out is lost: who waits with one has it before it */
		assert(!(finite[j_] && at[j_] == 0) || timed[j_]);
		/* and none is left behind: it belongs to a call that is not over */
		assert(!timed[j_] || window[j_] == ARMED || at[j_] == 0);
		assert(!IN_WINDOW(j_) || (!dead[j_] && at[j_] == NOWHERE && !owed[j_]));
		j_++
	:: else -> break
	od;
	j_ = 0
}

/* Of each thread: dead, where it waits, its window, whether its time is to come, what it returned. */
inline shown()
{
	printf("=");
	j_ = 0;
	do
	:: j_ < THREADS ->
		printf(" %d %d %d %d %d;", dead[j_], (at[j_] == NOWHERE -> -1 : at[j_]), window[j_],
		       timed[j_],
		       (AT_REST(j_) -> result[j_] : 0));
		j_++
	:: else -> break
	od;
	printf(" [");
	j_ = 0;
	do
	:: j_ < length[0] -> printf(" %d", line[j_]); j_++
	:: else -> break
	od;
	j_ = 0;
	printf(" ] %d\n", tokens)
}

/* Who was woken runs, but for those below the most urgent that is in a window. */
inline run_woken()
{
	find_first();
	j_ = 0;
	do
	:: j_ < first -> owed[j_] = false; j_++
	:: else -> break
	od;
	j_ = 0
}

active proctype kernel()
{
endless:
	do
	:: atomic {
		todo ? what, t, a, b;
		d_step {
			TOLD(what, t, a, b);
			if
			:: what == TAKE && AT_REST(t) && t < first -> take(t, b)
			:: what == GIVE -> give()
			:: what == STEP && t == first -> step(t)
			:: what == EXPIRE && timed[t] -> expire(t)
			:: what == END && !dead[t] -> finish(t)
			:: what == START && dead[t] && t < first -> start(t)
			fi;
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
	first = THREADS
}

#ifndef SCRIPT
byte calls[THREADS], ends, gives;

proctype thread(byte me)
{
endless:
	do
	:: atomic { AT_REST(me) && me < first && calls[me] > 0 ->
		calls[me]--;
		if
		:: todo ! TAKE, me, 0, NO_WAIT
		:: todo ! TAKE, me, 0, TIMED
		:: todo ! TAKE, me, 0, FOREVER
		fi }
	:: atomic { me == first -> todo ! STEP, me, 0, 0 }
	:: atomic { timed[me] -> todo ! EXPIRE, me, 0, 0 }
	:: atomic { ends > 0 && !dead[me] -> ends--; todo ! END, me, 0, 0 }
	:: atomic { dead[me] && me < first -> todo ! START, me, 0, 0 }
	od
}

/* So many at any time, and more where somebody waits and nothing else may come. */
proctype giver()
{
endless:
	do
	:: atomic { gives > 0 ->
		gives--;
		if
		:: todo ! GIVE, 0, 0, 0
		:: todo ! GIVE, 0, 1, 0
		fi }
	:: atomic { gives == 0 && length[0] > 0 -> todo ! GIVE, 0, 0, 0 }
	od
}

#ifndef CALLS
#define CALLS 2
#endif

init {
	atomic {
		begin();
#if defined(TRACES)
		ends = 12; gives = 60;
#elif defined(LONG)
		ends = 2; gives = 5;
#else
		ends = 1; gives = 2;
#endif
		i_ = 0;
		do
		:: i_ < THREADS -> calls[i_] = CALLS; run thread(i_); i_++
		:: else -> break
		od;
		run giver();
		i_ = 0
	}
	/* Everything ends: nobody waits any more, and nobody is in a window. */
	timeout;
	d_step {
		i_ = 0;
		do
		:: i_ < THREADS -> assert(AT_REST(i_)); i_++
		:: else -> break
		od
	}
}
#endif
