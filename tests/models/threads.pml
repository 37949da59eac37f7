/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all models share: threads with priorities, queues in their order, and the priority that an
 * owner inherits, as the kernel's algorithm computes it, not as it ought to be. A less number is
 * more urgent, as in the kernel.
 *
 * A command is what a thread calls, or what happens to one (its time runs out, it is ended): what
 * the kernel does masked, and one thread after the other. Between two commands any other may come,
 * so a call that waits is in the middle of all that may happen meanwhile. `Model:` in the kernel's
 * sources says which lines a transition stands for; it is printed behind #.
 *
 * TOLD() prints each command, and shown() the state behind it: what test_models.py compares with
 * the kernel's.
 */
#define NOBODY 254
#define ENDED  255 /* owned by one that has ended */
#define NOWHERE 255
#define NO_WAIT 0
#define TIMED   1
#define FOREVER 2

/* What calls return. */
#define EBUSY      -16
#define EAGAIN     -11
#define ESRCH      -3
#define EPIPE      -32
#define EFAULT     -14
#define ECANCELED  -140
#define EOWNERDEAD -142

byte line[QUEUES * THREADS]; /* who waits, the next to be woken first */
byte length[QUEUES];
byte owner[QUEUES];
byte at[THREADS]; /* the queue in which it waits */
byte base[THREADS], prio[THREADS];
bool dead[THREADS], timed[THREADS];
short result[THREADS]; /* of its last call that has returned */
#define TOLD(what, t, a, b) printf("@ %d %d %d %d\n", what, t, a, b)

chan todo = [0] of { byte, byte, byte, byte };
byte what, t, a, b; /* the command */

#define IDLE(t) (!dead[t] && at[t] == NOWHERE)
#ifndef FALLS_NEXT
#define FALLS_NEXT(t) false /* in a step of its own that is to come */
#endif
#ifndef RISES_NEXT
#define RISES_NEXT false /* nor has a row of owners all that it is to have */
#endif
#ifndef BASE
#define BASE(t) (t + 1) /* the priority that it begins with */
#endif

byte i_, k_, u_, p_, e_, h_; /* of the functions below */

/* Behind its equals. */
inline join(k, t)
{
	printf("# threads.wait_q_add\n");
	i_ = length[k];
	do
	:: i_ > 0 ->
		if
		:: prio[line[k * THREADS + i_ - 1]] > prio[t] ->
			line[k * THREADS + i_] = line[k * THREADS + i_ - 1];
			i_--
		:: else -> break
		fi
	:: else -> break
	od;
	line[k * THREADS + i_] = t;
	length[k]++;
	at[t] = k
}

inline leave(t)
{
	printf("# threads.wait_q_remove\n");
	k_ = at[t];
	i_ = 0;
	do
	:: line[k_ * THREADS + i_] != t -> i_++
	:: else -> break
	od;
	do
	:: i_ + 1 < length[k_] ->
		line[k_ * THREADS + i_] = line[k_ * THREADS + i_ + 1];
		i_++
	:: else -> break
	od;
	line[k_ * THREADS + i_] = 0;
	length[k_]--;
	at[t] = NOWHERE
}

/* It goes on, with that result; where READY is, when no more urgent one is there (mutex_steps.pml). */
inline wake(t, value)
{
	leave(t);
	timed[t] = false;
#ifdef READY
	ready_last(t);
#endif
	result[t] = value
}

inline entitled(t, p)
{
	printf("# threads.inherit_effective_prio\n");
	p = base[t];
	e_ = 0;
	do
	:: e_ < QUEUES ->
		if
		:: owner[e_] == t && length[e_] > 0 ->
			if
			:: prio[line[e_ * THREADS]] < p -> p = prio[line[e_ * THREADS]]
			:: else
			fi
		:: else
		fi;
		e_++
	:: else -> break
	od;
	e_ = 0
}

/* Who waits has another place. */
inline set_prio(t, p)
{
	printf("# threads.sched_set_prio\n");
	if
	:: at[t] != NOWHERE ->
		h_ = at[t];
		leave(t);
		prio[t] = p;
		join(h_, t)
	:: else ->
		prio[t] = p;
#ifdef READY
		ready_again(t)
#endif
	fi
}

/* Along the row of owners that wait. */
inline change(t, p)
{
	u_ = t;
	p_ = p;
	do
	:: u_ < NOBODY ->
		if
		:: p_ == prio[u_] -> break
		:: else ->
			printf("# threads.inherit_change\n");
			set_prio(u_, p_);
			if
			:: at[u_] == NOWHERE -> break
			:: else ->
				u_ = owner[at[u_]];
				if
				:: u_ < NOBODY -> entitled(u_, p_)
				:: else -> break
				fi
			fi
		fi
	:: else -> break
	od;
	u_ = 0
}

inline inherit(t)
{
	if
	:: t < NOBODY ->
		printf("# threads.mutex_inherit\n");
		entitled(t, p_);
		change(t, p_)
	:: else
	fi
}

inline lend(t, p)
{
	if
	:: t < NOBODY ->
		if
		:: prio[t] > p ->
			printf("# threads.mutex_lend\n");
			change(t, p)
		:: else
		fi
	:: else
	fi
}

/* An owner that waits itself has the priority of t before that is in its queue. */
inline lend_ahead(k, t)
{
	if
	:: owner[k] < NOBODY ->
		if
		:: at[owner[k]] != NOWHERE -> /* of the first there, if that is more urgent */
			printf("# threads.inherit_ahead\n");
			p_ = prio[t];
			if
			:: length[k] > 0 && prio[line[k * THREADS]] < p_ -> p_ = prio[line[k * THREADS]]
			:: else
			fi;
			lend(owner[k], p_)
		:: else
		fi
	:: else
	fi
}

/* What holds behind each command. */
inline check_threads()
{
	i_ = 0;
	do
	:: i_ < THREADS ->
		assert(!dead[i_] || at[i_] == NOWHERE);
		assert(prio[i_] <= base[i_] || dead[i_]);
		if
		:: at[i_] != NOWHERE && owner[at[i_]] < NOBODY ->
			/* no inversion: who is waited for is as urgent, along the row */
			assert(!dead[owner[at[i_]]]);
			assert(prio[owner[at[i_]]] <= prio[i_] || RISES_NEXT)
		:: else
		fi;
		if
		:: !dead[i_] && prio[i_] < base[i_] && !FALLS_NEXT(i_) ->
			/* nor does anybody keep what nobody lends */
			entitled(i_, p_);
			assert(prio[i_] == p_)
		:: else
		fi;
		i_++
	:: else -> break
	od;
	k_ = 0;
	do
	:: k_ < QUEUES ->
		i_ = 0;
		do
		:: i_ < length[k_] ->
			assert(at[line[k_ * THREADS + i_]] == k_);
			if
			:: i_ > 0 ->
				assert(prio[line[k_ * THREADS + i_ - 1]] <=
				       prio[line[k_ * THREADS + i_]])
			:: else
			fi;
			i_++
		:: else -> break
		od;
		k_++
	:: else -> break
	od;
	i_ = 0; k_ = 0; p_ = 0; h_ = 0
}

/* Each thread: dead, where it waits (-1: nowhere), its priority, its last result; and the queues. */
inline shown_threads()
{
	i_ = 0;
	do
	:: i_ < THREADS ->
		printf(" %d %d %d %d;", dead[i_], (at[i_] == NOWHERE -> -1 : at[i_]),
		       (dead[i_] -> 0 : prio[i_]), (at[i_] != NOWHERE || dead[i_] -> 0 : result[i_]));
		i_++
	:: else -> break
	od;
	k_ = 0;
	do
	:: k_ < QUEUES ->
		printf(" %d[", (owner[k_] == NOBODY -> -1 : (owner[k_] == ENDED -> -2 : owner[k_])));
		i_ = 0;
		do
		:: i_ < length[k_] -> printf(" %d", line[k_ * THREADS + i_]); i_++
		:: else -> break
		od;
		printf(" ]");
		k_++
	:: else -> break
	od;
	i_ = 0; k_ = 0
}

inline begin_threads()
{
	i_ = 0;
	do
	:: i_ < THREADS ->
		at[i_] = NOWHERE;
		base[i_] = BASE(i_);
		prio[i_] = BASE(i_);
		i_++
	:: else -> break
	od;
	k_ = 0;
	do
	:: k_ < QUEUES -> owner[k_] = NOBODY; k_++
	:: else -> break
	od;
	i_ = 0; k_ = 0
}
