/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pipe: writers and readers of more and of less than it holds, time-outs, ends of threads, reset
 * and close. A call that moves bytes goes in rounds, between which whoever is more urgent runs; so
 * here threads go on one by one, the most urgent first, until all wait.
 */
#define THREADS 3
#define QUEUES 2
#include "threads.pml"

#ifndef SIZE
#define SIZE 2
#endif
#define READERS 0
#define WRITERS 1

#define WRITE  0
#define READ   1
#define EXPIRE 2
#define END    3
#define START  4
#define RESET  5
#define CLOSE  6
#define OPEN   7
#define NUM_CALLS 2

/* Where a thread's call goes on. */
#define RESTS       0
#define WRITES      1
#define HAS_WRITTEN 2
#define READS       3

#define MOST 4 /* bytes of a call */

byte buffer[SIZE], used;
bool is_closed;
byte stage[THREADS], how_long[THREADS], to_go[THREADS], moved[THREADS];
short sum[THREADS]; /* of what was read, each byte by its place */
byte next[THREADS]; /* of a writer's bytes, the next to be read */
byte v_, r_, g_, n_;

/* What it has moved, or else why it has not moved any. */
inline over(t, reads, error)
{
	printf("# pipe.result_of\n");
	result[t] = (moved[t] > 0 && (error == 0 || error == EAGAIN || (reads && error == EPIPE)) ->
			     (reads -> sum[t] * 8 + moved[t] : moved[t]) : error);
	stage[t] = RESTS;
	to_go[t] = 0; moved[t] = 0; sum[t] = 0; how_long[t] = 0
}

inline wait_in(t, k)
{
	stage[t] = RESTS;
	timed[t] = (how_long[t] == TIMED);
	join(k, t)
}

inline take(t, value)
{
	sum[t] = sum[t] + value * (moved[t] + 1);
	moved[t]++;
	to_go[t]--;
	/* each writer's bytes in their order, each once */
	assert(value % MOST == next[value / MOST] || value % MOST == 0);
	next[value / MOST] = value % MOST + 1
}

/* And where it has all: it goes on. */
inline to_reader(r, value)
{
	printf("# pipe.write_to_reader\n");
	take(r, value);
	if
	:: to_go[r] == 0 -> wake(r, 0); over(r, true, 0)
	:: else
	fi
}

#define MAY_WRITE (!is_closed && (length[READERS] > 0 || used < SIZE))

/* As much as goes without waiting. */
inline write_some(t)
{
	do
	:: to_go[t] > 0 && MAY_WRITE ->
		v_ = t * MOST + moved[t];
		moved[t]++;
		to_go[t]--;
		if
		:: length[READERS] > 0 -> r_ = line[READERS * THREADS]; to_reader(r_, v_)
		:: else ->
			printf("# pipe.write_to_buffer\n");
			buffer[used] = v_; used++
		fi
	:: else -> break
	od;
	v_ = 0; r_ = 0
}

inline go_on_writing(t)
{
	printf("# pipe.write\n");
	if
	:: stage[t] == WRITES && is_closed -> over(t, false, EPIPE)
	:: stage[t] == WRITES && !is_closed && MAY_WRITE -> write_some(t); stage[t] = HAS_WRITTEN
	:: else ->
		if
		:: to_go[t] == 0 -> over(t, false, 0)
		:: to_go[t] > 0 && (MAY_WRITE || is_closed) -> stage[t] = WRITES
		:: else ->
			if
			:: how_long[t] == NO_WAIT -> over(t, false, EAGAIN)
			:: else ->
				printf("# pipe.writer_waits\n");
				wait_in(t, WRITERS)
			fi
		fi
	fi
}

/* Those who wait with bytes go on. */
inline wake_writers()
{
	printf("# pipe.wake_writers\n");
	do
	:: length[WRITERS] > 0 ->
		r_ = line[WRITERS * THREADS];
		leave(r_);
		timed[r_] = false;
		stage[r_] = WRITES
	:: else -> break
	od;
	r_ = 0
}

inline go_on_reading(t)
{
	printf("# pipe.read\n");
	if
	:: used > 0 && to_go[t] > 0 ->
		printf("# pipe.read_from_buffer\n");
		do
		:: used > 0 && to_go[t] > 0 ->
			v_ = buffer[0];
			take(t, v_);
			n_ = 0;
			do
			:: n_ + 1 < used -> buffer[n_] = buffer[n_ + 1]; n_++
			:: else -> break
			od;
			used--;
			buffer[used] = 0
		:: else -> break
		od;
		v_ = 0; n_ = 0;
		wake_writers()
	:: else ->
		if
		:: to_go[t] == 0 -> over(t, true, 0)
		:: to_go[t] > 0 && is_closed -> over(t, true, EPIPE)
		:: to_go[t] > 0 && !is_closed && how_long[t] == NO_WAIT -> over(t, true, EAGAIN)
		:: else ->
			printf("# pipe.reader_waits\n");
			wake_writers(); wait_in(t, READERS)
		fi
	fi
}

/* Who waits goes on with that. */
inline end_waits(error)
{
	printf("# pipe.end_waits\n");
	do
	:: length[READERS] > 0 -> r_ = line[READERS * THREADS]; wake(r_, 0); over(r_, true, error)
	:: else -> break
	od;
	do
	:: length[WRITERS] > 0 -> r_ = line[WRITERS * THREADS]; wake(r_, 0); over(r_, false, error)
	:: else -> break
	od;
	r_ = 0
}

inline expire(t)
{
	printf("# pipe.expire\n");
	r_ = at[t];
	wake(t, 0);
	over(t, r_ == READERS, EAGAIN);
	r_ = 0
}

inline finish(t)
{
	if
	:: at[t] != NOWHERE -> printf("# pipe.end\n"); wake(t, 0)
	:: else
	fi;
	over(t, false, 0);
	dead[t] = true;
	result[t] = 0
}

inline clear_buffer()
{
	n_ = 0;
	do
	:: n_ < SIZE -> buffer[n_] = 0; n_++
	:: else -> break
	od;
	n_ = 0;
	used = 0
}

/* Until all wait: the most urgent that can. */
inline go_on()
{
	do
	:: stage[0] != RESTS || stage[1] != RESTS || stage[2] != RESTS ->
		g_ = (stage[0] != RESTS -> 0 : (stage[1] != RESTS -> 1 : 2));
		if
		:: stage[g_] == READS -> go_on_reading(g_)
		:: else -> go_on_writing(g_)
		fi
	:: else -> break
	od;
	g_ = 0
}

inline begin_call(t, where, bytes, how)
{
	stage[t] = where;
	to_go[t] = bytes;
	how_long[t] = how
}

inline check()
{
	check_threads();
	/* no lost wake-up: nobody waits for what is there */
	assert(length[READERS] == 0 || (used == 0 && length[WRITERS] == 0));
	assert(length[WRITERS] == 0 || used == SIZE);
	assert(!is_closed || (length[READERS] == 0 && length[WRITERS] == 0))
}

inline shown()
{
	printf("=");
	shown_threads();
	printf(" %d %d\n", used, is_closed)
}

active proctype kernel()
{
endless:
	do
	:: atomic {
		todo ? what, t, a, b;
		TOLD(what, t, a, b);
		if
		:: what == WRITE && IDLE(t) -> begin_call(t, WRITES, a, b)
		:: what == READ && IDLE(t) -> begin_call(t, READS, a, b)
		:: what == EXPIRE && timed[t] -> d_step { expire(t) }
		:: what == END && !dead[t] -> d_step { finish(t) }
		:: what == START && dead[t] -> dead[t] = false
		:: what == RESET -> d_step { printf("# pipe.reset\n"); clear_buffer(); end_waits(ECANCELED) }
		:: what == CLOSE -> d_step { printf("# pipe.close\n"); is_closed = true; end_waits(EPIPE) }
		:: what == OPEN && is_closed -> d_step { is_closed = false; clear_buffer() }
		fi;
		d_step { go_on() }
		d_step {
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
#ifndef CALLS
#ifdef LONG
#define CALLS 5
#else
#define CALLS 4
#endif
#endif
#ifdef TRACES
#define EVENTS 16
#else
#define EVENTS 1
#endif
byte calls, events; /* of all threads together */

#define NOBODY_CAN (!IDLE(0) && !IDLE(1) && !IDLE(2))
#define MAY_CALL IDLE(me) && calls > 0 -> calls--

proctype thread(byte me)
{
endless:
	do
	:: atomic { MAY_CALL;
		if
		:: todo ! WRITE, me, 1, FOREVER
		:: todo ! WRITE, me, 3, TIMED
		:: todo ! WRITE, me, 3, NO_WAIT
		:: todo ! READ, me, 1, TIMED
		:: todo ! READ, me, 3, FOREVER
		:: todo ! READ, me, 3, NO_WAIT
		fi }
	:: atomic { timed[me] -> todo ! EXPIRE, me, 0, 0 }
	:: atomic { events > 0 && !dead[me] -> events--; todo ! END, me, 0, 0 }
	:: atomic { dead[me] -> todo ! START, me, 0, 0 }
	od
}

/* It is reset, closed and opened again; and at last closed: so everything ends. */
proctype events_of_pipe()
{
endless:
	do
	:: atomic { events > 0 -> events--; todo ! RESET, 0, 0, 0 }
	:: atomic { events > 0 && !is_closed -> events--; todo ! CLOSE, 0, 0, 0 }
	:: atomic { is_closed && calls > 0 -> todo ! OPEN, 0, 0, 0 }
	:: atomic { !is_closed && (calls == 0 || NOBODY_CAN) -> todo ! CLOSE, 0, 0, 0 }
	od
}

init {
	atomic {
		begin();
		calls = CALLS;
		events = EVENTS;
		i_ = 0;
		do
		:: i_ < THREADS -> run thread(i_); i_++
		:: else -> break
		od;
		i_ = 0;
		run events_of_pipe()
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
