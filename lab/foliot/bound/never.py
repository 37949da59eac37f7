# SPDX-License-Identifier: Apache-2.0
"""Functions that a call never reaches, though its code could: what an object's kind excludes.

A wait at a mutex is marked in the thread (WAIT_FLAG_MUTEX), and what ends a wait asks for the mark,
since priorities have to be inherited anew then. The code that asks is everybody's; the mark is set
where threads wait for mutexes, and for answers to messages, nowhere else, and taken away with the
wait. So a semaphore's waiter never has it. Three things hold that: debug builds assert it where an
object's waiter is woken and where the mark is followed (ASSERTED; tests/kernel/misuse provokes
each), a test knows each place that sets the mark, and `foliot bound --check` fails where a run gets
there within such a call.
"""

from __future__ import annotations

import re

_INHERITS = frozenset({"inherit_waiter_moved"})
# What debug builds assert of each.
ASSERTED = {
    "inherit_waiter_moved": ("inheritance-at-no-mutex", "mutex-waiter-at-another-object"),
}
# Calls that end waits at their own object only, which is no mutex.
_OF_OTHER_OBJECTS = re.compile(
    r"k_(sem_|queue_|stack_|event_|msgq_|futex_|heap_|mem_slab_|timer_|work_|pipe_|mbox_|wakeup$|"
    r"condvar_signal$|condvar_broadcast$|(m|c|re|aligned_)alloc$|malloc$|free$)"
)


def of(call: str) -> frozenset[str]:
    """Return the functions that a call never reaches."""
    return _INHERITS if _OF_OTHER_OBJECTS.match(call) else frozenset()


def all_functions() -> frozenset[str]:
    """Return all functions that some call never reaches."""
    return _INHERITS
