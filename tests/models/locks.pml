/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutexes, as mutex.pml and condvar.pml have them: what locking, unlocking, ends, starts and changes
 * of priorities do. MUTEXES of the queues are theirs, the first.
 */
byte count[MUTEXES];
#ifdef CONDITION
bool comes_back[THREADS]; /* locks the mutex again, behind its wait at the condition */
short kept[THREADS]; /* what that returns then */
#endif

inline own(m, t)
{
	owner[m] = t;
	count[m] = 1
}

/* The first who waits owns it. */
inline hand_over(m, value)
{
	printf("# mutex.hand_over\n");
	x_ = line[m * THREADS];
	wake(x_, value);
#ifdef CONDITION
	if /* it has waited at the condition before, and has that call's result */
	:: comes_back[x_] && value == 0 -> result[x_] = kept[x_]
	:: else
	fi;
	comes_back[x_] = false;
	kept[x_] = 0;
#endif
	own(m, x_);
	x_ = 0
}
byte x_, m_, q_;

inline lock(t, m, how)
{
	if
	:: owner[m] == NOBODY ->
		printf("# mutex.lock_free\n");
		own(m, t);
		result[t] = 0
	:: owner[m] == t ->
		printf("# mutex.lock_again\n");
		count[m]++;
		result[t] = 0
	:: owner[m] == ENDED ->
		printf("# mutex.lock_after_end\n");
		own(m, t);
		result[t] = EOWNERDEAD
	:: else ->
		if
		:: how == NO_WAIT ->
			printf("# mutex.lock_refused\n");
			result[t] = EBUSY
		:: else ->
			printf("# mutex.lock_wait\n");
			timed[t] = (how == TIMED);
			lend_ahead(m, t);
			join(m, t);
			lend(owner[m], prio[line[m * THREADS]])
		fi
	fi
}

inline unlock(t, m)
{
	result[t] = 0;
	if
	:: count[m] > 1 ->
		printf("# mutex.unlock_once\n");
		count[m]--
	:: else ->
		if
		:: length[m] == 0 ->
			printf("# mutex.unlock_free\n");
			owner[m] = NOBODY;
			count[m] = 0
		:: else ->
			printf("# mutex.unlock_pass_on\n");
			hand_over(m, 0);
			inherit(t)
		fi
	fi
}

/* What it owned is the first's who waits, or nobody's. */
inline lose_all(t)
{
	q_ = 0;
	do
	:: q_ < MUTEXES ->
		if
		:: owner[q_] == t && length[q_] > 0 ->
			printf("# mutex.owner_gone\n");
			hand_over(q_, EOWNERDEAD)
		:: owner[q_] == t && length[q_] == 0 -> owner[q_] = ENDED; count[q_] = 0
		:: else
		fi;
		q_++
	:: else -> break
	od
}

/* It is ended by another one, or by a handler. */
inline finish(t)
{
	printf("# mutex.end\n");
	m_ = at[t];
	if
	:: m_ != NOWHERE ->
		wake(t, 0);
		dead[t] = true;
		inherit(owner[m_])
	:: else
	fi;
	dead[t] = true;
	prio[t] = base[t];
#ifdef CONDITION
	comes_back[t] = false;
	kept[t] = 0;
#endif
	lose_all(t);
	m_ = 0; q_ = 0
}

inline start(t)
{
	printf("# threads.start\n");
	dead[t] = false;
	result[t] = 0;
	base[t] = BASE(t);
	prio[t] = BASE(t)
}

inline set_base(t, p)
{
	printf("# mutex.prio\n");
	base[t] = p;
	entitled(t, p_);
	set_prio(t, p_);
	if
	:: at[t] != NOWHERE -> inherit(owner[at[t]])
	:: else
	fi
}
