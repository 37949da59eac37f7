# SPDX-License-Identifier: Apache-2.0
"""Functions that a call never reaches, though its code could: what an object's kind excludes.

A wait at a mutex is marked in the thread (WAIT_FLAG_MUTEX), and what ends a wait asks for the mark,
since priorities have to be inherited anew then. The code that asks is everybody's; the mark is set
where threads wait for mutexes, and for answers to messages, nowhere else, and taken away with the
wait. So a semaphore's waiter never has it. Three things hold that: debug builds assert it where an
object's waiter is woken and where the mark is followed (ASSERTED; tests/kernel/misuse provokes
each), a test knows each place that sets the mark, and `foliot bound --check` fails where a run gets
there within such a call.

Who waits is not the running thread: from the moment when a thread waits until it is switched from
nothing is let in. So a call that wakes one waiter, or none, does not make the running thread ready
(sched_ready(), which is for one that handlers have stopped and let go, and for who polls: where
there is k_poll() nothing is said of that). Nor is a waiter at a stack, a slab of memory or a queue
ever stood on, since nothing goes along those but from first to first; one that is suspended as well
is woken and not made ready. Both only where there are fast paths (wake_first_timed() is of those):
without them, whoever is woken is made ready so. A work queue's thread, at its queue, waits for no
time, either. And whoever is more urgent than a thread whose interrupts are open has run already, so
a mere look whether there is one (k_reschedule()) switches to nobody, but where there are deadlines.
"""

from __future__ import annotations

import re
from collections.abc import Container

_INHERITS = frozenset({"inherit_waiter_moved"})
_STOPPED = frozenset({"sched_ready"})
_STOOD_ON = frozenset({"sched_ready_switch"})
_SWITCHES = frozenset({"arch_switch"})
_TIMED = frozenset({"wake_first_timed"})
_TELLS_POLLERS = "poll_tell"  # who poll an object are woken as well, as in a traversal
_FAST = "wake_first_timed"  # a function of the fast paths
_BY_DEADLINE = "ready_add_by_deadline"  # who sets one asks for a switch later
# What debug builds assert of each.
ASSERTED = {
    "inherit_waiter_moved": ("inheritance-at-no-mutex", "mutex-waiter-at-another-object"),
    "sched_ready": ("wake-of-the-running-thread",),
    "sched_ready_switch": (
        "traversal-of-a-stack",
        "traversal-of-a-slab",
        "traversal-of-a-queue",
        "work-queue-idle-for-a-time",
    ),
    "arch_switch": ("missed-switch",),
    "wake_first_timed": ("work-queue-idle-for-a-time",),
}
# Calls that end waits at their own object only, which is no mutex.
_OF_OTHER_OBJECTS = re.compile(
    r"k_(sem_|queue_|stack_|event_|msgq_|futex_|heap_|mem_slab_|timer_|work_|pipe_|mbox_|wakeup$|"
    r"condvar_signal$|condvar_broadcast$|(m|c|re|aligned_)alloc$|malloc$|free$)"
)
_WAKES_ONE = re.compile(
    r"k_(sem_give|stack_push|mem_slab_free|condvar_signal|wakeup|"
    r"queue_(append|prepend|insert|unique_append|alloc_append|alloc_prepend))$"
)
_SUBMITS = re.compile(
    r"k_work_(submit|submit_to_queue|(re)?schedule|(re)?schedule_for_queue|flush_delayable)$"
)
_GOES_ALONG_NONE = re.compile(
    r"k_(stack_push|mem_slab_free|"
    r"queue_(append|prepend|insert|unique_append|alloc_append|alloc_prepend))$"
)


def of(call: str, functions: Container[str]) -> frozenset[str]:
    """Return the functions that a call never reaches, in an image that has some functions."""
    found = _INHERITS if _OF_OTHER_OBJECTS.match(call) else frozenset()
    if _FAST in functions:
        if _WAKES_ONE.match(call) and _TELLS_POLLERS not in functions:
            found |= _STOPPED
        if _SUBMITS.match(call):
            found |= _STOPPED | _STOOD_ON | _TIMED
        found |= _STOOD_ON if _GOES_ALONG_NONE.match(call) else frozenset()
    if call == "k_reschedule" and _BY_DEADLINE not in functions:
        found |= _SWITCHES
    return found


def all_functions() -> frozenset[str]:
    """Return all functions that some call never reaches."""
    return _INHERITS | _STOPPED | _STOOD_ON | _SWITCHES | _TIMED
