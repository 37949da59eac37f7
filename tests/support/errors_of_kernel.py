# SPDX-License-Identifier: Apache-2.0
"""Errors of the kernel's logic, one at a time: of which model, in which file, what becomes what.

Not here, since no model comes there: what only another call between two steps of one reaches (who
lends where a message is moved in receive.c), and a pipe without a buffer (may_write()).
"""

from __future__ import annotations

MUTEX, INHERIT = "kernel/objects/mutex.c", "kernel/objects/inherit.c"
CALL, RECEIVE, REPLY = (f"kernel/ipc/{one}.c" for one in ("call", "receive", "reply_receive"))
WORK, QUEUE, PIPE = "kernel/work/work.c", "kernel/work/work_queue.c", "kernel/objects/pipe.c"

SEEDED = (
    ("mutex", INHERIT, "	if (mutex->wait_q.head == NULL) {\n		contended_forget(mutex);\n	}", ""),
    ("mutex", INHERIT, "	mutex_inherit(mutex->generation, TRAVERSAL_MASKED);\n", ""),
    ("mutex", INHERIT, "		sched_traversal_window(key);\n		prio = entitled(generation, NULL, &owner, key);\n",
     "		return;\n"),
    ("mutex", INHERIT, "if (mutex != but && mutex->wait_q.head->prio < prio) {",
     "if (mutex != but && mutex->wait_q.head->prio > prio) {"),
    ("mutex", INHERIT, "return entitled(k_cpu.current->generation, mutex, &current, key);",
     "return entitled(k_cpu.current->generation, NULL, &current, key);"),
    ("mutex", INHERIT, "if (owner != NULL && owner->prio > prio) {",
     "if (owner != NULL && owner->prio < prio) {"),
    ("mutex", INHERIT, "	owner = mutex->generation;\n", "	owner = generation;\n"),
    ("mutex", INHERIT, "	if (owner != NULL && mutex->wait_q.head == NULL) {\n		contended_add",
     "	if (false) {\n		contended_add"),
    ("mutex", INHERIT, "		mutex_left(mutex);\n		sched_traversal_window(steps);\n		mutex_inherit(generation, steps);",
     "		mutex_left(mutex);"),
    ("mutex", MUTEX, "	sched_wake(heir, result);", "	sched_wake(heir, 0);"),
    ("mutex", MUTEX, "		contended_add(heir, mutex);", "		;"),
    ("mutex", MUTEX, "return is_free ? 0 : -EOWNERDEAD;", "return 0;"),
    ("mutex", MUTEX, "	if (prio != current->prio) {", "	if (false) {"),
    ("mutex", MUTEX, "		hand_to_first(mutex, -EOWNERDEAD);", "		;"),
    ("mutex", MUTEX, "		owner->prio = current->prio;\n", ""),
    ("mutex", MUTEX, "	current->prio = current->base_prio;\n", ""),
    ("mutex", MUTEX, "	contended_remove(mutex);\n	hand_to_first(mutex, 0);",
     "	hand_to_first(mutex, 0);"),
    ("mutex", "kernel/objects/mutex_ops.h", "mutex->lock_count + 1U;", "mutex->lock_count;"),
    ("ipc", INHERIT, "if (owner == NULL || owner->prio <= prio || waited_for(owner) == NULL) {",
     "if (true) {"),
    ("ipc", INHERIT, "return last == NULL ? GENERATION_NOBODY : last->generation;",
     "return GENERATION_NOBODY;"),
    ("ipc", RECEIVE, "sched_wake(served->wait_q.head, -ECANCELED);",
     "sched_wake(served->wait_q.head, 0);"),
    ("ipc", RECEIVE, "	if (!sender->ipc.is_call) {", "	if (true) {"),
    ("ipc", RECEIVE, "copied == IPC_NO_CAPACITY ? -ENOSPC : -EFAULT", "0"),
    ("ipc", RECEIVE, "const uint32_t lent = move(sender, served, &endpoint->callers, true);",
     "const uint32_t lent = GENERATION_NOBODY;"),
    ("ipc", CALL, "			ipc_wake(receiver, -EFAULT, key);", "			ipc_wake(receiver, 0, key);"),
    ("ipc", CALL, "	mutex_wait_lending(&receiver->ipc.served, timeout);\n",
     "	sched_pend_prepare(&receiver->ipc.served.wait_q, timeout, -EAGAIN);\n"),
    ("ipc", CALL, "		wait_q_add_first(&endpoint->receivers, receiver);\n", ""),
    ("ipc", REPLY, "		result = -ESRCH;\n		break;\n	/* Model: ipc.reply_fault */", "		break;\n"),
    ("ipc", REPLY, "	sched_wake(served->wait_q.head, -EOWNERDEAD);",
     "	sched_wake(served->wait_q.head, 0);"),
    ("ipc", "kernel/ipc/message.c", ": IPC_FAULT_TO;\n}\n\nstatic inline", ": IPC_COPIED;\n}\n\nstatic inline"),
    ("work", WORK, "	if ((work->flags & K_WORK_CANCELING) != 0) {", "	if (false) {"),
    ("work", WORK, "	if ((work->flags & K_WORK_QUEUED) != 0) {\n		return 0;", "	if (false) {\n		return 0;"),
    ("work", WORK, "		if (runs_left(waiter, work) > last) {", "		if (false) {"),
    ("work", WORK, "	if (!waits) {", "	if (true) {"),
    ("work", WORK, "(runs ? 1U : 0U) + (is_queued ? 1U : 0U)", "(runs ? 1U : 0U)"),
    ("work", WORK, "		work->queue->tailp = work->link;\n", "		;\n"),
    ("work", WORK, "	if (!is_awaited) {", "	if (true) {"),
    ("work", WORK, "		wait_for_runs(work, 1U, key);", "		wait_for_runs(work, 2U, key);"),
    ("work", WORK, "	work->flags &= ~(uint32_t)K_WORK_CANCELING;\n", ""),
    ("work", QUEUE, "~(uint32_t)K_WORK_RUNNING) + WORK_RUN;", "~(uint32_t)K_WORK_RUNNING);"),
    ("pipe", PIPE, "	(void)sched_wake_all(&pipe->writers, 0, key);", "	;"),
    ("pipe", PIPE, "		own->done += bytes;\n		pipe->used += bytes;", "		own->done += bytes;"),
    ("pipe", PIPE, "error == -EBUSY || error == 0) && own->done != 0", "error == -EBUSY || error == 0) && false"),
    ("pipe", PIPE, "	(void)sched_wake_all(&pipe->writers, error, key);", "	;"),
    ("pipe", PIPE, "	pipe->first = wrapped(pipe, pipe->first + len);\n", ""),
    ("pipe", PIPE, "	its->done += bytes;\n", ""),
    ("pipe", PIPE, "	if (left(its) == 0) {\n		sched_wake(reader, 0);", "	if (false) {\n		sched_wake(reader, 0);"),
    ("pipe", PIPE, "	pipe->first = 0;\n	pipe->used = 0;", "	pipe->first = 0;"),
    ("pipe", PIPE, "	if ((error == -EPIPE && own.done != 0) || left(&own) == 0) {", "	if (left(&own) == 0) {"),
)  # fmt: skip
