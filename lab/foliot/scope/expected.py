# SPDX-License-Identifier: Apache-2.0
"""What each of KernelPerf's test cases has to show, as checks on its recording.

The seed says it in words and screenshots; here is what of it can be decided. A case that
shows something else fails the command, whatever its figures are.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from foliot.scope.analysis import Analysis, SchedulerRun
from foliot.scope.jitter import spread

_EXACT = 0.01  # of a tick: what one round may lie beside another
_HALF = (0.4, 0.6)  # queueing half of the threads, of queueing all
_CLEARLY = 1.02
_LESS = 0.85


@dataclass(frozen=True, slots=True)
class Facts:
    """What the target printed of a case, see suites/periodic/run.c."""

    number: int
    threads: int
    half_rate: int
    tick: int
    ticks: int
    load_permille: int
    overload_permille: int
    characters: int
    start: int
    end: int
    overruns: tuple[int, ...]
    skipped: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """One expectation, and whether it is met."""

    text: str
    met: bool


Checks = list[Check]

TITLES = {
    0: "16 threads, nearly full load",
    1: "a little more work than fits, then less",
    2: "much more work than fits, then less",
    3: "30 characters, busy-waiting UART",
    4: "40 characters, busy-waiting UART",
    5: "50 characters, busy-waiting UART",
    6: "30 characters, kernel-aware UART",
    7: "40 characters, kernel-aware UART",
    8: "50 characters, kernel-aware UART",
    9: "eight of 16 threads at half the rate",
    10: "eight threads",
    11: "rising priorities",
    12: "half the tick",
}


def check(facts: Facts, analysis: Analysis) -> Checks:
    """Return the expectations of a case, met or not."""
    common = [
        Check(
            f"the grid is kept: a release every {facts.tick} {analysis.unit}", _on_grid(analysis)
        ),
        Check(f"all {facts.ticks} ticks are served", len(analysis.ticks) == facts.ticks),
        Check(f"{facts.threads} threads run", analysis.threads == facts.threads),
    ]
    return common + _OF_CASE[facts.number](facts, analysis)


def _on_grid(analysis: Analysis) -> bool:
    times = [tick.time for tick in analysis.ticks]
    gaps = [late - early for early, late in itertools.pairwise(times)]
    return all(abs(gap - analysis.tick) < _EXACT * analysis.tick for gap in gaps)


def _regular(analysis: Analysis, thread: int = 0) -> bool:
    return all(
        abs(interval - analysis.tick) < _EXACT * analysis.tick
        for interval in analysis.intervals(thread)
    )


def _steady(facts: Facts, analysis: Analysis) -> Checks:
    return [
        Check(f"every tick queues {facts.threads} threads",
              {run.queued for run in analysis.runs()} == {facts.threads}),
        Check("every round is done within its tick",
              not any(tick.saturated for tick in analysis.ticks)),
        Check("each thread runs once a tick, in the same order", _same_order(analysis)),
        Check("thread 0 runs at the tick's rate", _regular(analysis)),
        Check("no overruns", not any(facts.overruns)),
    ]  # fmt: skip


def _same_order(analysis: Analysis) -> bool:
    orders = {tuple(thread for _, thread in tick.activations) for tick in analysis.ticks}
    return len(orders) == 1 and len(set(next(iter(orders)))) == analysis.threads


def _overload(facts: Facts, analysis: Analysis) -> Checks:
    heavy = facts.ticks // 2
    last = analysis.ticks[-1]
    stretched = max(analysis.intervals(), default=0)
    return [
        Check("the work stretches over the tick's end",
              all(tick.saturated for tick in analysis.ticks[1 : heavy])),
        Check("thread 0 is late by as much as there is too much work",
              stretched > _CLEARLY * analysis.tick),
        Check("overruns are counted", any(facts.overruns)),
        Check("every thread goes on running",
              {thread for tick in analysis.ticks[heavy - 1 :] for _, thread in tick.activations}
              == set(range(facts.threads))),
        Check("it recovers: the last round begins and ends in its tick",
              not last.saturated and last.run.queued == facts.threads),
    ]  # fmt: skip


def _uart_blocks(facts: Facts, analysis: Analysis) -> Checks:
    intervals = analysis.intervals()
    return [
        Check("busy waiting stretches the rounds",
              bool(intervals) and sum(intervals) / len(intervals) > _CLEARLY * analysis.tick),
        Check("some round reaches over its tick's end",
              any(tick.saturated for tick in analysis.ticks)),
        Check("overruns are counted", any(facts.overruns)),
    ]  # fmt: skip


def _uart_sleeps(facts: Facts, analysis: Analysis) -> Checks:
    without = [tick for tick in analysis.ticks if not tick.starts_of(0)]
    return [
        Check("every round is done within its tick",
              not any(tick.saturated for tick in analysis.ticks)),
        Check("threads 1 to 15 run once in every tick",
              all(len(tick.starts_of(thread)) == 1
                  for tick in analysis.ticks for thread in range(1, facts.threads))),
        Check("pulses of thread 0 are missing while it awaits the FIFO", bool(without)),
        Check("no overruns", not any(facts.overruns)),
        Check("releases of the waiting thread 0 are passed over", facts.skipped[0] > 0),
    ]  # fmt: skip


def _half_rate(facts: Facts, analysis: Analysis) -> Checks:
    queued = [run.queued for run in analysis.runs()]
    few = facts.threads - facts.half_rate
    full, half = analysis.runs(facts.threads), analysis.runs(few)
    return [
        Check(f"ticks queue {facts.threads} and {few} threads in turn",
              all(n == (facts.threads, few)[i % 2] for i, n in enumerate(queued))),
        Check("the time spent on queueing halves in every other tick",
              _HALF[0] < _ratio(half, full, "queueing_time") < _HALF[1]),
        Check("the scheduler's whole time falls, by as much as eight threads cost",
              _ratio(half, full, "length") < _LESS),
        Check("the eight fast threads run at the tick's rate",
              all(_regular(analysis, thread) for thread in range(few))),
        Check("no overruns", not any(facts.overruns)),
    ]  # fmt: skip


def _ratio(some: Sequence[SchedulerRun], others: Sequence[SchedulerRun], what: str) -> float:
    """Return the mean of `what` in some runs over its mean in others; 2 if there are none."""
    if not some or not others:
        return 2.0
    mean = [sum(getattr(run, what) for run in runs) / len(runs) for runs in (some, others)]
    return float(mean[0] / mean[1])


def _rising(facts: Facts, analysis: Analysis) -> Checks:
    expected = list(range(facts.threads))[::-1]
    lengths = [pulse.length for pulse in analysis.full_run.queueing[1:]]
    return [
        *_steady(facts, analysis),
        Check("thread 0 runs last, thread 15 first",
              all([thread for _, thread in tick.activations] == expected
                  for tick in analysis.ticks)),
        Check("each thread is queued at the same cost",
              spread(lengths) <= max(2, max(lengths) // 4)),
    ]  # fmt: skip


_OF_CASE: dict[int, Callable[[Facts, Analysis], Checks]] = {
    0: _steady, 1: _overload, 2: _overload,
    3: _steady, 4: _uart_blocks, 5: _uart_blocks,
    6: _steady, 7: _uart_sleeps, 8: _uart_sleeps,
    9: _half_rate, 10: _steady, 11: _rising, 12: _steady,
}  # fmt: skip


def across(analyses: Sequence[tuple[Facts, Analysis]]) -> Checks:
    """Return what only several cases together can show."""
    by = {facts.number: analysis for facts, analysis in analyses}
    checks = []
    if 0 in by and 12 in by:
        ratio = (by[12].scheduler_load or 0) / (by[0].scheduler_load or 1)
        checks.append(Check("case 12: half the tick, twice the overhead of case 0",
                            1.5 < ratio < 2.5))  # fmt: skip
    if 0 in by and 10 in by:
        ratio = by[10].full_run.pulse.length / by[0].full_run.pulse.length
        checks.append(Check("case 10: eight threads take less of the scheduler than 16 (case 0)",
                            ratio < _LESS))  # fmt: skip
    if 9 in by and 10 in by and by[9].runs(8) and by[10].runs(8):
        # The shortest of each, and as much apart as others in the same slot of the wheel make
        # them; to look at eight threads more would cost more than that.
        nine = min(run.length for run in by[9].runs(8))
        ten = min(run.length for run in by[10].runs(8))
        checks.append(Check("case 9: eight of 16 due cost about what eight of eight do (case 10)",
                            abs(nine - ten) <= ten // 4))  # fmt: skip
    return checks
