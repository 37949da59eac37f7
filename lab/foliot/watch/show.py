# SPDX-License-Identifier: Apache-2.0
"""A sample as text: a table of threads, a line a heap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from foliot.model.names import plain
from foliot.watch.samples import Heap, Sample, Thread

_STATE = 42
_SMALLEST = 64  # bytes: a heap of less was configured away


def lines(sample: Sample, shares: Mapping[str, float]) -> Iterator[str]:
    """Yield the table: the threads by share of the CPU, then by priority, then by name."""
    at = "" if sample.tick is None else f" at tick {sample.tick}"
    yield f"{len(sample.threads)} threads{at}"
    yield (
        f"{'thread':16} {'prio':>4}  {'state':{_STATE}} {'cpu':>7}"
        f"  {'stack':>6} {'most':>6} {'of':>6}"
    )
    order = sorted(sample.threads, key=lambda t: (-shares.get(t.at, 0.0), t.priority, t.name))
    for thread in order:
        yield _thread(thread, shares.get(thread.at))
    for heap in sample.heaps:
        if heap.blocks or heap.size >= _SMALLEST:
            yield _heap(heap)


def _thread(thread: Thread, share: float | None) -> str:
    state = thread.state + ("" if thread.left is None else f" ({thread.left} ticks)")
    cpu = "-" if share is None else f"{share:.1f} %"
    stack = thread.stack
    used = ["?", "?", "?"]
    if stack is not None:
        used = [_or_dash(stack.now), _or_dash(stack.most), str(stack.size)]
    return (
        f"{plain(thread.name)[:16]:16} {thread.priority:4}  {plain(state)[:_STATE]:{_STATE}}"
        f" {cpu:>7}  {used[0]:>6} {used[1]:>6} {used[2]:>6}"
    )


def _or_dash(number: int | None) -> str:
    return "-" if number is None else str(number)


def _heap(heap: Heap) -> str:
    share = 100 * heap.used / heap.size
    return (
        f"heap {plain(heap.name)}: {heap.used} of {heap.size} bytes ({share:.1f} %)"
        f" in {heap.blocks} blocks"
    )


def missing(sample: Sample, shares: Mapping[str, float]) -> list[str]:
    """Say what the image does not keep, and by which option it would."""
    found = []
    if not shares:
        found.append("no shares of the CPU: the image has no CONFIG_THREAD_USAGE")
    stacks = [thread.stack for thread in sample.threads if thread.stack is not None]
    if stacks and all(stack.most is None for stack in stacks):
        found.append("no high-water marks of stacks: the image has no CONFIG_INIT_STACKS")
    return found
