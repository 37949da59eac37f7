# SPDX-License-Identifier: Apache-2.0
"""The ids of latency_measure's rows in the words that its older versions used for them.

Since Zephyr 3.6 a row prints its id. Before, a text was all there was: with the sides of
a switch in it (3.5), without (2.x), and before that (1.x) only under a numbered heading.
"""

from __future__ import annotations

import re
from functools import cache

from foliot.model.names import plain

_SIDES = r"\((?:context switch )?(?P<a>[KU]) -> (?P<b>[KU])\)"
_FROM = r"from (?P<b>kernel|user) thread"

# What 3.5 printed; {a} and {b} are the sides that the text names, in lower case.
_PATTERNS = tuple(
    (re.compile(pattern), row_id)
    for pattern, row_id in (
        (rf"Preemptive threads ctx switch via k_yield {_SIDES}", "thread.yield.preemptive.ctx.{s}"),
        (
            rf"Cooperative threads ctx switch via k_yield {_SIDES}",
            "thread.yield.cooperative.ctx.{s}",
        ),
        (r"Switch from ISR to another thread \((?P<b>kernel|user)\)",
         "isr.resume.different.thread.{b}"),
        (rf"Create (?P<a>kernel|user) thread {_FROM}", "thread.create.{a}.from.{b}"),
        (rf"Start (?P<a>kernel|user) thread {_FROM}", "thread.start.{a}.from.{b}"),
        (rf"Suspend (?P<a>kernel|user) thread {_FROM}", "thread.suspend.{a}.from.{b}"),
        (rf"Resume (?P<a>kernel|user) thread {_FROM}", "thread.resume.{a}.from.{b}"),
        (rf"Abort (?P<a>kernel|user) thread {_FROM}", "thread.abort.{a}.from.{b}"),
        (rf"Give a semaphore \(no waiters\) {_FROM}", "semaphore.give.immediate.{b}"),
        (rf"Take a semaphore \(no blocking\) {_FROM}", "semaphore.take.immediate.{b}"),
        (rf"Take a semaphore {_SIDES}", "semaphore.take.blocking.{s}"),
        (rf"Give a semaphore {_SIDES}", "semaphore.give.wake+ctx.{s}"),
        (rf"Lock a mutex {_FROM}", "mutex.lock.immediate.recursive.{b}"),
        (rf"Unlock a mutex {_FROM}", "mutex.unlock.immediate.recursive.{b}"),
    )
)  # fmt: skip

# What 2.x and 1.x printed; the latter's two bare "time is" are told apart by their heading.
_TEXTS = {
    "average thread context switch using yield": "thread.yield.preemptive.ctx.k_to_k",
    "average context switch time between threads (coop)": "thread.yield.cooperative.ctx.k_to_k",
    "average context switch time": "thread.yield.cooperative.ctx.k_to_k",
    "switch from isr back to interrupted thread": "isr.resume.interrupted.thread.kernel",
    "switching time": "isr.resume.interrupted.thread.kernel",
    "time from isr to executing a different thread": "isr.resume.different.thread.kernel",
    "switch time": "isr.resume.different.thread.kernel",
    "time to create a thread (without start)": "thread.create.kernel.from.kernel",
    "time to start a thread": "thread.start.kernel.from.kernel",
    "time to suspend a thread": "thread.suspend.kernel.from.kernel",
    "time to resume a thread": "thread.resume.kernel.from.kernel",
    "time to abort a thread (not running)": "thread.abort.kernel.from.kernel",
    "average semaphore signal time": "semaphore.give.immediate.kernel",
    "average semaphore test time": "semaphore.take.immediate.kernel",
    "semaphore take time (context switch)": "semaphore.take.blocking.k_to_k",
    "semaphore give time (context switch)": "semaphore.give.wake+ctx.k_to_k",
    "average time to lock a mutex": "mutex.lock.immediate.recursive.kernel",
    "average time to lock the mutex": "mutex.lock.immediate.recursive.kernel",
    "average time to unlock a mutex": "mutex.unlock.immediate.recursive.kernel",
    "average time to unlock the mutex": "mutex.unlock.immediate.recursive.kernel",
    "average time for heap malloc": "heap.malloc.immediate",
    "average time for heap free": "heap.free.immediate",
}


_BANNER = re.compile(
    rb"booting zephyr os\s+(?:build\s+|version\s+)?(?P<version>\S+)", re.IGNORECASE
)


def booted(line: bytes) -> str | None:
    """Return the version that a boot banner names; None of any other line."""
    found = _BANNER.search(line) if b"ooting" in line or b"BOOTING" in line else None
    return plain(found["version"].decode("utf-8", "replace")) if found else None


@cache
def row_id(text: str) -> str | None:
    """Return the id of a row that older versions called `text`; None for any other text."""
    for pattern, template in _PATTERNS:
        found = pattern.fullmatch(text)
        if found:
            named = {key: value.lower() for key, value in found.groupdict().items()}
            return template.format(**named, s=f"{named.get('a')}_to_{named.get('b')}")
    return _TEXTS.get(text.lower().removesuffix(" is"))
