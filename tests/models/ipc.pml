/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages: calls, sends, receipts and answers, with time-outs, ends and restarts of threads,
 * inheritance, and memory that is taken away from who sends or receives bytes. One endpoint.
 */
#define THREADS 3
#define QUEUES (2 + THREADS)
#include "threads.pml"

#define CALLERS   0 /* its owner: who received last */
#define RECEIVERS 1
#define SERVED(t) (2 + (t)) /* who waits for the answer of t */

#define CALL          0
#define SEND          1
#define RECEIVE       2
#define REPLY         3
#define REPLY_RECEIVE 4
#define EXPIRE        5
#define END           6
#define START         7
#define PRIO          8
#define REVOKE        9
#define NUM_CALLS     5

bool is_call[THREADS], has_bytes[THREADS];
bool is_revoked[THREADS]; /* its memory is not its own */
byte r_, s_, c_;
bool x_;

/* Into the queue; who received last inherits. */
inline queue(t, how)
{
	printf("# ipc.queue\n");
	timed[t] = (how == TIMED);
	lend_ahead(CALLERS, t);
	join(CALLERS, t);
	lend(owner[CALLERS], prio[line[CALLERS * THREADS]])
}

inline received(t, r, how)
{
	printf("# ipc.received\n");
	if
	:: is_call[t] ->
		timed[t] = (how == TIMED);
		join(SERVED(r), t);
		lend(r, prio[t]);
		wake(r, 0)
	:: else ->
		wake(r, 0);
		result[t] = 0
	fi
}

inline send(t, bytes, how, call)
{
	is_call[t] = call;
	has_bytes[t] = bytes;
	if
	:: call && how == NO_WAIT ->
		printf("# ipc.call_refused\n");
		result[t] = EBUSY
	:: else ->
		x_ = false;
		do
		:: !x_ && length[RECEIVERS] > 0 ->
			r_ = line[RECEIVERS * THREADS];
			if
			:: bytes && is_revoked[t] ->
				printf("# ipc.send_fault\n");
				result[t] = EFAULT; x_ = true
			:: bytes && !is_revoked[t] && is_revoked[r_] ->
				printf("# ipc.receiver_fault\n");
				wake(r_, EFAULT)
			:: else -> received(t, r_, how); x_ = true
			fi
		:: else -> break
		od;
		if
		:: !x_ && how == NO_WAIT ->
			printf("# ipc.send_refused\n");
			result[t] = EBUSY
		:: !x_ && how != NO_WAIT -> queue(t, how)
		:: else
		fi;
		x_ = false; r_ = 0
	fi
}

/* It has another server, or none yet: who lent to the last one lends to t. */
inline begin_serving(t)
{
	printf("# ipc.begin_serving\n");
	if
	:: length[SERVED(t)] > 0 ->
		c_ = line[SERVED(t) * THREADS];
		wake(c_, ECANCELED);
		inherit(t)
	:: else
	fi;
	s_ = owner[CALLERS];
	owner[CALLERS] = t;
	if
	:: s_ != t && length[CALLERS] > 0 ->
		lend(t, prio[line[CALLERS * THREADS]]);
		inherit(s_)
	:: else
	fi
}

/* The first that waits to be received, if it can be. */
inline accept_first(t)
{
	x_ = false;
	do
	:: !x_ && length[CALLERS] > 0 ->
		s_ = line[CALLERS * THREADS];
		if
		:: has_bytes[s_] && is_revoked[s_] ->
			printf("# ipc.sender_fault\n");
			wake(s_, EFAULT);
			inherit(t)
		:: has_bytes[s_] && !is_revoked[s_] && is_revoked[t] ->
			printf("# ipc.receive_fault\n");
			result[t] = EFAULT;
			x_ = true
		:: else ->
			printf("# ipc.accept\n");
			if
			:: is_call[s_] ->
				r_ = timed[s_];
				leave(s_);
				join(SERVED(t), s_)
			:: else ->
				wake(s_, 0);
				inherit(t)
			fi;
			result[t] = 0;
			x_ = true
		fi
	:: else -> break
	od;
	r_ = 0
}

inline receive(t, how)
{
	begin_serving(t);
	accept_first(t);
	if
	:: x_
	:: !x_ && how == NO_WAIT ->
		printf("# ipc.receive_refused\n");
		result[t] = EBUSY
	:: !x_ && how != NO_WAIT ->
		printf("# ipc.wait_to_receive\n");
		timed[t] = (how == TIMED);
		join(RECEIVERS, t)
	fi;
	x_ = false; s_ = 0; c_ = 0
}

inline reply(t, bytes)
{
	has_bytes[t] = bytes;
	if
	:: length[SERVED(t)] == 0 ->
		printf("# ipc.reply_to_nobody\n");
		result[t] = ESRCH
	:: else ->
		c_ = line[SERVED(t) * THREADS];
		if
		:: bytes && is_revoked[t] ->
			printf("# ipc.reply_fault\n");
			result[t] = EFAULT
		:: bytes && !is_revoked[t] && is_revoked[c_] ->
			printf("# ipc.caller_fault\n");
			wake(c_, EFAULT);
			inherit(t);
			result[t] = ESRCH
		:: else ->
			printf("# ipc.reply\n");
			wake(c_, 0);
			inherit(t);
			result[t] = 0
		fi
	fi;
	c_ = 0
}

inline reply_receive(t, bytes, how)
{
	printf("# ipc.reply_receive\n");
	reply(t, bytes);
	if
	:: result[t] == EFAULT
	:: else -> receive(t, how)
	fi
}

inline expire(t)
{
	printf("# ipc.expire\n");
	c_ = at[t];
	wake(t, EAGAIN);
	inherit(owner[c_]);
	c_ = 0
}

inline finish(t)
{
	printf("# ipc.end\n");
	c_ = at[t];
	if
	:: c_ != NOWHERE ->
		wake(t, 0);
		inherit(owner[c_])
	:: else
	fi;
	dead[t] = true;
	prio[t] = base[t];
	if
	:: length[SERVED(t)] > 0 ->
		printf("# ipc.server_ends\n");
		s_ = line[SERVED(t) * THREADS];
		wake(s_, EOWNERDEAD)
	:: else
	fi;
	if
	:: owner[CALLERS] == t -> owner[CALLERS] = NOBODY
	:: else
	fi;
	has_bytes[t] = false; is_call[t] = false;
	c_ = 0; s_ = 0
}

inline start(t)
{
	printf("# threads.start\n");
	dead[t] = false;
	result[t] = 0;
	base[t] = t + 1;
	prio[t] = t + 1
}

inline set_base(t, p)
{
	printf("# ipc.prio\n");
	base[t] = p;
	entitled(t, p_);
	set_prio(t, p_);
	if
	:: at[t] != NOWHERE -> inherit(owner[at[t]])
	:: else
	fi
}

inline check()
{
	check_threads();
	/* no lost wake-up */
	assert(length[CALLERS] == 0 || length[RECEIVERS] == 0);
	i_ = 0;
	do
	:: i_ < THREADS ->
		/* a server has one caller, and lives */
		assert(length[SERVED(i_)] <= 1);
		assert(length[SERVED(i_)] == 0 || !dead[i_]);
		i_++
	:: else -> break
	od;
	i_ = 0
}

inline shown()
{
	printf("=");
	shown_threads();
	printf("\n")
}

active proctype kernel()
{
endless:
	do
	:: atomic {
		todo ? what, t, a, b;
		TOLD(what, t, a, b);
		if
		:: what <= SEND && IDLE(t) -> d_step { send(t, a, b, what == CALL) }
		:: what == RECEIVE && IDLE(t) -> d_step { receive(t, b) }
		:: what == REPLY && IDLE(t) -> d_step { reply(t, a) }
		:: what == REPLY_RECEIVE && IDLE(t) -> d_step { reply_receive(t, a, b) }
		:: what == EXPIRE && timed[t] -> d_step { expire(t) }
		:: what == END && !dead[t] -> d_step { finish(t) }
		:: what == START && dead[t] -> start(t)
		:: what == PRIO && !dead[t] -> d_step { set_base(t, a) }
		:: what == REVOKE -> printf("# ipc.revoke\n"); is_revoked[t] = !is_revoked[t]
		fi;
		d_step {
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
	:: i_ < THREADS -> owner[SERVED(i_)] = i_; i_++
	:: else -> break
	od;
	i_ = 0
}

#ifndef SCRIPT
#ifndef CALLS
#define CALLS 1
#endif
byte calls[THREADS], ends, changes, revokes;

#define MAY_CALL(me) IDLE(me) && calls[me] > 0 -> calls[me]--

/*
 * Threads that make so many calls each. The first never waits for ever, and goes on serving when it
 * has made them: so everything ends.
 */
proctype thread(byte me)
{
endless:
	do
	:: atomic { MAY_CALL(me);
		if
		:: todo ! CALL, me, 0, NO_WAIT
		:: todo ! CALL, me, 0, TIMED
		:: todo ! CALL, me, 1, TIMED
		:: todo ! SEND, me, 0, NO_WAIT
		:: todo ! SEND, me, 1, NO_WAIT
		:: todo ! SEND, me, 0, TIMED
		:: todo ! SEND, me, 1, TIMED
		:: todo ! RECEIVE, me, 0, TIMED
		:: todo ! REPLY_RECEIVE, me, 1, TIMED
		:: todo ! REPLY_RECEIVE, me, 0, TIMED
		fi }
	:: atomic { me > 0 && MAY_CALL(me);
		if
		:: todo ! CALL, me, 0, FOREVER
		:: todo ! CALL, me, 1, FOREVER
		fi }
	:: atomic { IDLE(me) && length[SERVED(me)] > 0 -> todo ! REPLY, me, 0, 0 }
	:: atomic { revokes > 0 && IDLE(me) && length[SERVED(me)] > 0 -> revokes--; todo ! REPLY, me, 1, 0 }
	:: atomic { IDLE(me) && calls[me] == 0 && !is_revoked[me] && length[CALLERS] > 0 &&
		length[SERVED(me)] == 0 -> todo ! RECEIVE, me, 0, NO_WAIT }
	:: atomic { timed[me] -> todo ! EXPIRE, me, 0, 0 }
	:: atomic { ends > 0 && !dead[me] -> ends--; todo ! END, me, 0, 0 }
	:: atomic { dead[me] -> todo ! START, me, 0, 0 }
	:: atomic { changes > 0 && !dead[me] && base[me] == me + 1 ->
		changes--;
		if
		:: todo ! PRIO, me, 0, 0
		:: todo ! PRIO, me, THREADS + 1, 0
		fi }
	:: atomic { revokes > 0 -> revokes--; todo ! REVOKE, me, 0, 0 }
	:: atomic { is_revoked[me] && calls[me] == 0 -> todo ! REVOKE, me, 0, 0 } /* given back */
	od
}

init {
	atomic {
		begin();
		/* One thing at a time, or all of it. */
#if defined(TRACES)
		ends = 12; changes = 12; revokes = 20;
#elif defined(LONG)
		ends = 1; changes = 1; revokes = 1;
#else
		if
		:: ends = 1
		:: changes = 1
		:: revokes = 2
		fi;
#endif
		i_ = 0;
		do
		:: i_ < THREADS -> calls[i_] = CALLS; run thread(i_); i_++
		:: else -> break
		od;
		i_ = 0
	}
	/* Everything ends: nobody waits any more. */
	timeout;
	d_step {
		i_ = 0;
		do
		:: i_ < THREADS -> assert(IDLE(i_)); i_++
		:: else -> break
		od
	}
}
#endif
