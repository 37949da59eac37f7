# SPDX-License-Identifier: Apache-2.0
"""What a strange figure of another system probably is: the arithmetic behind the doubts.

Three things can be known of a log that says nothing about itself. Its clock, since cycles
and nanoseconds stand side by side. What a row should be, since a kernel's rows keep about
the same proportions on every core: the published runs of data/reference/ give them, and
the run's own other rows give the scale. And how often a counter wrapped, since each wrap
of b bits in one of N averaged samples adds exactly 2^b / N to the mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from statistics import median

from foliot.model.run import Run
from foliot.reference.systems import published

# A row is far from its siblings beyond this factor: the published runs, which differ in
# core, memory and configuration, stay within it but for the rows that are known wrong.
FAR = 2.25
NEAR_ZERO = 0.4
_FEWEST_ROWS = 8

# Counters as wide as this are found in practice; latency_measure averages 1000 samples.
_MOST_WRAPS = 64  # with more, a narrow counter explains any figure
_COUNTER_BITS = (16, 24, 32)
_AVERAGED = (1000, 1)


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A mean that holds `wraps` wraps of a counter: without them it is `value`."""

    value: float
    wraps: int
    bits: int
    samples: int


def predicted(run: Run) -> dict[str, float]:
    """Return what each known row of a run should be, going by all the others.

    Empty where the run's kernel has too few published runs, or the run too few rows.
    """
    profile = _profile(run.origin.kernel, _has_user_rows(run))
    known = [(profile[row.id], row.p50) for row in run.rows if row.id in profile and row.p50 > 0]
    if len(known) < _FEWEST_ROWS:
        return {}
    scale = median(math.log(value) - share for share, value in known)
    return {row.id: math.exp(profile[row.id] + scale) for row in run.rows if row.id in profile}


def odd_rows(run: Run) -> dict[str, float]:
    """Return the rows that are far from what their siblings predict, with the prediction.

    A row is far above only where neither all rows together nor those of its own family
    (`condvar.`, `heap.`...) predict it: a slow memory slows a whole family.
    """
    expected = predicted(run)
    off = {row.id: row.p50 / expected[row.id] for row in run.rows if expected.get(row.id)}
    found = {}
    for row_id, factor in off.items():
        if factor < NEAR_ZERO or (factor > FAR and factor > FAR * _of_family(row_id, off)):
            found[row_id] = expected[row_id]
    return found


def _of_family(row_id: str, off: Mapping[str, float]) -> float:
    """Return by how much the other rows of a row's family are off; 1 where it has none."""
    start = row_id.partition(".")[0] + "."
    family = [factor for name, factor in off.items() if name.startswith(start) and name != row_id]
    return median(family) if family else 1.0


def unwrap(value: float, expected: float) -> Wrapped | None:
    """Return a mean without the wraps of a counter, where that and nothing else explains it.

    The step has to be so much larger than the expected value that only one count of
    wraps comes near it.
    """
    found: list[tuple[float, Wrapped]] = []
    for bits in _COUNTER_BITS:
        for samples in _AVERAGED:
            step = 2**bits / samples
            wraps = round((value - expected) / step)
            rest = value - wraps * step
            plausible = 1 <= wraps <= _MOST_WRAPS and step > 4 * expected
            if plausible and 1 / FAR < rest / expected < FAR:
                wrapped = Wrapped(round(rest, 1), wraps, bits, samples)
                found.append((abs(math.log(rest / expected)), wrapped))
    return min(found, key=lambda item: item[0])[1] if found else None


def _has_user_rows(run: Run) -> bool:
    return any(row.id.endswith((".user", ".u_to_u")) for row in run.rows)


@cache
def _profile(kernel: str, userspace: bool) -> Mapping[str, float]:
    """Return the logarithm of each row over its run's scale, the median of published runs.

    Builds with user threads are a kind of their own: their every switch costs more.
    """
    shares: dict[str, list[float]] = {}
    for run in published():
        if kernel and run.origin.kernel == kernel and _has_user_rows(run) == userspace:
            scale = median(row.p50 for row in run.rows)
            for row in run.rows:
                if row.p50 > 0:
                    shares.setdefault(row.id, []).append(math.log(row.p50 / scale))
    return {row_id: median(values) for row_id, values in shares.items() if len(values) > 1}
