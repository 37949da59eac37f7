/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work items of one queue: submitting, cancelling, waiting for their end, by threads that may be
 * ended meanwhile, and by handlers. A handler goes on until it is told to end (DONE), so that all
 * others may come while it runs. The last of them is delayable: it is submitted when its time comes
 * (TIME), and flushing and cancelling ends its delay.
 */
#define THREADS 3
#define QUEUES 1 /* who waits for items of the queue */
#include "threads.pml"

#define ITEMS 2
#define SYNCS 0
#define NO_ITEM 255

#define SUBMIT      0
#define FLUSH       1
#define CANCEL      2
#define CANCEL_SYNC 3
#define END         4
#define START       5
#define DONE        6 /* a: 0, or 1 more than the item that the handler submits before it ends */
#define TIME        7 /* its delay is over */
#define SCHEDULE    8 /* b: NO_WAIT, or TIMED */
#define RESCHEDULE  9
#define DELAYABLE   (ITEMS - 1)

/* As in enum k_work_busy. */
#define IS_RUNNING   1
#define IS_CANCELING 2
#define IS_QUEUED    4
#define IS_DELAYED   8
#define IS_FLUSHING  16

byte flags[ITEMS];
byte list[ITEMS], listed; /* that wait to be run */
byte running; /* or NO_ITEM */
byte handled[ITEMS], accepted[ITEMS]; /* modulo 16: runs that began, and that were asked for */
byte waits_for[THREADS], left[THREADS];
byte j_, w_, f_, q_;
#ifdef UNENDING /* which would multiply the states */
#define COUNT(counter, by)     skip
#define ASSERT_COUNTED(claim)
#else
#define COUNT(counter, by)     counter = (counter + by) % 16
#define ASSERT_COUNTED(claim)  assert(claim)
#endif
bool y_;
bool owed; /* a run of the delayable one: until it is submitted, or somebody else says otherwise */

/* `value`: what it returns. */
inline put(item, value)
{
	printf("# work.put\n");
	if
	:: item == DELAYABLE && (flags[item] & IS_DELAYED) == 0 -> owed = false
	:: else
	fi;
	if
	:: (flags[item] & IS_CANCELING) != 0 -> value = EBUSY
	:: (flags[item] & IS_CANCELING) == 0 && (flags[item] & IS_QUEUED) != 0 -> value = 0
	:: else ->
		value = ((flags[item] & IS_RUNNING) != 0 -> 2 : 1);
		flags[item] = flags[item] | IS_QUEUED;
		list[listed] = item;
		listed++;
		COUNT(accepted[item], 1)
	fi
}

/* Its delay ends. */
inline undelay(item)
{
	printf("# work.undelay\n");
	flags[item] = flags[item] & (255 - IS_DELAYED)
}

inline delay(t, item, how)
{
	if
	:: how == NO_WAIT -> put(item, result[t])
	:: else ->
		printf("# work.delay\n");
		flags[item] = flags[item] | IS_DELAYED;
		owed = true;
		result[t] = 1
	fi
}

inline schedule(t, item, how)
{
	if
	:: (flags[item] & (255 - IS_RUNNING)) != 0 ->
		printf("# work.schedule_refused\n");
		result[t] = 0
	:: else -> delay(t, item, how)
	fi
}

inline reschedule(t, item, how)
{
	printf("# work.reschedule\n");
	undelay(item);
	owed = false;
	delay(t, item, how)
}

inline time_has_come(item)
{
	printf("# work.time_has_come\n");
	flags[item] = flags[item] & (255 - IS_DELAYED);
	put(item, g_);
	g_ = 0
}
short g_;

/* The queue's thread goes on: with the first, or it waits. */
inline run_next()
{
	if
	:: running == NO_ITEM && listed > 0 ->
		printf("# work.run_first\n");
		running = list[0];
		j_ = 0;
		do
		:: j_ + 1 < listed -> list[j_] = list[j_ + 1]; j_++
		:: else -> break
		od;
		listed--;
		list[listed] = 0;
		j_ = 0;
		assert((flags[running] & IS_RUNNING) == 0);
		flags[running] = (flags[running] & (255 - IS_QUEUED)) | IS_RUNNING;
		COUNT(handled[running], 1)
	:: else
	fi
}

/* Those go on who wait for so many of its runs as have ended. */
inline tell_waiters(item, ended, last)
{
	printf("# work.tell_waiters\n");
	y_ = false;
	w_ = 0;
	do
	:: w_ < THREADS ->
		if
		:: at[w_] == SYNCS && waits_for[w_] == item ->
			left[w_] = left[w_] - ended;
			if
			:: left[w_] > last -> left[w_] = last
			:: else
			fi;
			if
			:: left[w_] > 0 -> y_ = true
			:: else -> wake(w_, 1); waits_for[w_] = 0
			fi
		:: else
		fi;
		w_++
	:: else -> break
	od;
	if
	:: y_
	:: else -> flags[item] = flags[item] & (255 - IS_FLUSHING)
	fi;
	y_ = false;
	w_ = 0
}

inline wait_for(t, item, many)
{
	printf("# work.wait_for_runs\n");
	waits_for[t] = item;
	left[t] = many;
	join(SYNCS, t)
}

inline flush(t, item)
{
	printf("# work.flush\n");
	if
	:: (flags[item] & IS_DELAYED) != 0 ->
		printf("# work.flush_delayed\n");
		undelay(item);
		put(item, g_);
		g_ = 0
	:: else
	fi;
	if
	:: (flags[item] & (IS_RUNNING | IS_QUEUED)) != 0 ->
		flags[item] = flags[item] | IS_FLUSHING;
		wait_for(t, item, ((flags[item] & IS_RUNNING) != 0 -> 1 : 0) +
			 ((flags[item] & IS_QUEUED) != 0 -> 1 : 0))
	:: else -> result[t] = 0
	fi
}

inline take_out(item)
{
	printf("# work.take_out\n");
	j_ = 0;
	do
	:: list[j_] != item -> j_++
	:: else -> break
	od;
	do
	:: j_ + 1 < listed -> list[j_] = list[j_ + 1]; j_++
	:: else -> break
	od;
	listed--;
	list[listed] = 0;
	j_ = 0;
	flags[item] = flags[item] & (255 - IS_QUEUED);
	COUNT(accepted[item], 15)
}

inline cancel(item)
{
	printf("# work.cancel\n");
	if
	:: item == DELAYABLE -> undelay(item); owed = false
	:: else
	fi;
	f_ = flags[item];
	if
	:: (f_ & IS_QUEUED) != 0 -> take_out(item)
	:: else
	fi;
	if
	:: (f_ & IS_RUNNING) != 0 -> flags[item] = flags[item] | IS_CANCELING
	:: else
	fi;
	if
	:: (f_ & IS_QUEUED) != 0 && (f_ & IS_FLUSHING) != 0 ->
		tell_waiters(item, 0, ((f_ & IS_RUNNING) != 0 -> 1 : 0))
	:: else
	fi;
	f_ = 0
}

inline cancel_sync(t, item)
{
	printf("# work.cancel_sync\n");
	result[t] = (flags[item] != 0 -> 1 : 0);
	cancel(item);
	if
	:: (flags[item] & IS_RUNNING) != 0 -> wait_for(t, item, 1)
	:: else
	fi
}

/* The handler ends. */
inline done(again)
{
	printf("# work.run_ended\n");
	if
	:: again > 0 -> put(again - 1, f_); f_ = 0
	:: else
	fi;
	q_ = running;
	running = NO_ITEM;
	flags[q_] = flags[q_] & (255 - IS_RUNNING);
	if
	:: (flags[q_] & (IS_FLUSHING | IS_CANCELING)) != 0 ->
		printf("# work.told_of_end\n");
		flags[q_] = flags[q_] & (255 - IS_CANCELING);
		tell_waiters(q_, 1, 255)
	:: else
	fi;
	q_ = 0
}

inline finish(t)
{
	if
	:: at[t] != NOWHERE -> printf("# work.waiter_ends\n"); wake(t, 0)
	:: else
	fi;
	dead[t] = true;
	waits_for[t] = 0;
	left[t] = 0
}

inline check()
{
	check_threads();
	i_ = 0;
	do
	:: i_ < THREADS ->
		if
		:: at[i_] == SYNCS -> /* no lost wake-up: the runs that it waits for are to come */
			assert(left[i_] > 0);
			assert(left[i_] <= ((flags[waits_for[i_]] & IS_RUNNING) != 0 -> 1 : 0) +
			       ((flags[waits_for[i_]] & IS_QUEUED) != 0 -> 1 : 0))
		:: else
		fi;
		i_++
	:: else -> break
	od;
	i_ = 0;
	do
	:: i_ < ITEMS ->
		/* no double run, and none that nobody asked for: each accepted one once */
		ASSERT_COUNTED((accepted[i_] + 16 - handled[i_]) % 16 == ((flags[i_] & IS_QUEUED) != 0 -> 1 : 0));
		assert(((flags[i_] & IS_RUNNING) != 0) == (running == i_));
		assert((flags[i_] & IS_CANCELING) == 0 || running == i_);
		i_++
	:: else -> break
	od;
	/* a delay that ends has its run */
	assert(owed == ((flags[DELAYABLE] & IS_DELAYED) != 0));
	assert(running != NO_ITEM || listed == 0); /* nothing stays in the queue */
	i_ = 0
}

inline shown()
{
	printf("=");
	shown_threads();
	i_ = 0;
	do
	:: i_ < ITEMS -> printf(" %d", flags[i_]); i_++
	:: else -> break
	od;
	printf(" %d(", (running == NO_ITEM -> -1 : running));
	i_ = 0;
	do
	:: i_ < listed -> printf(" %d", list[i_]); i_++
	:: else -> break
	od;
	i_ = 0;
	printf(" )\n")
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
			:: what == SUBMIT && IDLE(t) -> put(a, result[t])
			:: what == FLUSH && IDLE(t) -> flush(t, a); if :: at[t] != NOWHERE -> result[t] = 1 :: else fi
			:: what == CANCEL && IDLE(t) -> cancel(a); result[t] = flags[a]
			:: what == CANCEL_SYNC && IDLE(t) -> cancel_sync(t, a)
			:: what == SCHEDULE && IDLE(t) -> schedule(t, a, b)
			:: what == RESCHEDULE && IDLE(t) -> reschedule(t, a, b)
			:: what == TIME && (flags[a] & IS_DELAYED) != 0 -> time_has_come(a)
			:: what == END && !dead[t] -> finish(t)
			:: what == START && dead[t] -> dead[t] = false; result[t] = 0
			:: what == DONE && running != NO_ITEM -> done(a)
			fi;
			run_next();
			check();
			shown();
			what = 0; t = 0; a = 0; b = 0
		} }
	od
}

inline begin()
{
	begin_threads();
	running = NO_ITEM
}

#ifndef SCRIPT
#ifndef CALLS
#ifdef LONG
#define CALLS 5
#else
#define CALLS 3
#endif
#endif
#ifdef TRACES
#define EVENTS 12
#else
#define EVENTS 1
#endif
byte calls, ends, again; /* of all threads together */

#ifdef UNENDING /* calls never end, nor do handlers that submit again: who waits goes on all the same */
#define COSTS(what)
ltl everyone_goes_on { [] ((at[WHO] == SYNCS) -> <> (at[WHO] != SYNCS)) }
#else
#define COSTS(what) what--;
#endif

#define WITH_ITEM(i) \
	:: atomic { IDLE(me) && calls > 0 -> COSTS(calls) \
		if \
		:: todo ! SUBMIT, me, i, 0 \
		:: todo ! FLUSH, me, i, 0 \
		:: todo ! CANCEL, me, i, 0 \
		:: todo ! CANCEL_SYNC, me, i, 0 \
		fi }

proctype thread(byte me)
{
endless:
	do
	WITH_ITEM(0)
	WITH_ITEM(1)
	:: atomic { IDLE(me) && calls > 0 -> COSTS(calls)
		if
		:: todo ! SCHEDULE, me, DELAYABLE, TIMED
		:: todo ! SCHEDULE, me, DELAYABLE, NO_WAIT
		:: todo ! RESCHEDULE, me, DELAYABLE, TIMED
		:: todo ! RESCHEDULE, me, DELAYABLE, NO_WAIT
		fi }
	:: atomic { ends > 0 && !dead[me] -> ends--; todo ! END, me, 0, 0 }
	:: atomic { dead[me] -> todo ! START, me, 0, 0 }
	od
}

/* Handlers end at some time: all of them, and whom they are waited for by. */
proctype handlers()
{
endless:
	do
	:: atomic { running != NO_ITEM -> todo ! DONE, 0, 0, 0 }
	:: atomic { running != NO_ITEM && again > 0 -> COSTS(again) todo ! DONE, 0, 1 + running, 0 }
	:: atomic { running != NO_ITEM && again > 0 -> COSTS(again) todo ! DONE, 0, 2 - running, 0 }
	od
}

proctype clock()
{
endless:
	do
	:: atomic { (flags[DELAYABLE] & IS_DELAYED) != 0 -> todo ! TIME, 0, DELAYABLE, 0 }
#ifdef TRACES /* or hardly any flush comes before */
	:: atomic { (flags[DELAYABLE] & IS_DELAYED) != 0 && IDLE(0) && calls > 0 ->
		calls--; todo ! FLUSH, 0, DELAYABLE, 0 }
#endif
	od
}

init {
	atomic {
		begin();
		calls = CALLS;
#ifdef UNENDING
		ends = 0;
#else
		ends = EVENTS;
#endif
		again = EVENTS;
		i_ = 0;
		do
		:: i_ < THREADS -> run thread(i_); i_++
		:: else -> break
		od;
		i_ = 0;
		run handlers();
		run clock()
	}
	/* Everything ends: nobody waits any more, and nothing runs. */
	timeout;
	d_step {
		i_ = 0;
		do
		:: i_ < THREADS -> assert(IDLE(i_)); i_++
		:: else -> break
		od;
		assert(running == NO_ITEM && listed == 0 && flags[0] == 0 && flags[1] == 0)
	}
}
#endif
