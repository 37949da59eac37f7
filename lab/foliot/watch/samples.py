# SPDX-License-Identifier: Apache-2.0
"""What was seen of a program at one moment, and the shares of the CPU between two of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Stack:
    """Bytes of a stack: in use now, and at most so far; None: it is not known."""

    now: int | None
    most: int | None
    size: int


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread; `cycles`: executed up to its last switch, None where they are not counted."""

    at: str
    name: str
    priority: int
    state: str
    stack: Stack | None
    cycles: int | None
    left: int | None = None  # ticks of its time-out


@dataclass(frozen=True, slots=True)
class Heap:
    """A heap: bytes in all, handed out, and in how many blocks."""

    name: str
    size: int
    used: int
    blocks: int


@dataclass(frozen=True, slots=True)
class Sample:
    """A moment; `running` is a thread's `at`. `shares`: in percent, where they came with it."""

    threads: tuple[Thread, ...]
    heaps: tuple[Heap, ...] = ()
    tick: int | None = None
    running: str = ""
    shares: Mapping[str, float] = field(default_factory=dict)


def shares(before: Sample | None, now: Sample) -> Mapping[str, float]:
    """Return each thread's share of the CPU between two samples, in percent, by its `at`.

    Without a sample before: since the start. The time is that from a switch to a switch, so the
    shares add up. Empty where nothing is counted.
    """
    if now.shares:
        return now.shares
    if not now.threads or any(thread.cycles is None for thread in now.threads):
        return {}
    known = {thread.at: thread.cycles or 0 for thread in before.threads} if before else {}
    ran = {}
    for thread in now.threads:
        cycles, earlier = thread.cycles or 0, known.get(thread.at, 0)
        # Fewer than before: it was created anew there, or its statistics were reset.
        ran[thread.at] = cycles - earlier if cycles >= earlier else cycles
    total = sum(ran.values())
    if not total:  # nobody was switched from
        return {at: 100.0 if at == now.running else 0.0 for at in ran}
    return {at: 100 * own / total for at, own in ran.items()}


def from_json(text: str) -> Sample | dict[str, Any]:
    """Take what `foliot top` writes: a sample, or what else it says (`skipped`, `ended`)."""
    told = json.loads(text)
    if "threads" not in told:
        return dict(told)
    threads = []
    for one in told["threads"]:
        stack = Stack(**one["stack"]) if one["stack"] else None
        threads.append(Thread(**{**one, "stack": stack}))
    heaps = tuple(Heap(**heap) for heap in told["heaps"])
    return Sample(tuple(threads), heaps, told["tick"], told["running"])
