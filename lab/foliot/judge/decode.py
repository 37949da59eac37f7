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
from collections.abc import Mapping, Sequence
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

# Counters as wide as this are found in practice. latency_measure averages 1000 samples, of
# late 10,000; what a page says of it goes before (`samples` of the header).
_MOST_WRAPS = 64  # with more, a narrow counter explains any figure
_COUNTER_BITS = (16, 24, 32)
_SUM_BITS = (32, 64)
_AVERAGED = (1000, 10_000, 100, 1)
_USUAL = 1000
_LEAST_STEP = 4  # a step that is smaller, in expected values, explains most figures

# When an explanation is clear: by chance it would fit less often than once in 20, and it is
# this much (a logarithm) more likely than the next.
_LEAST_EVIDENCE = 3.0
_AHEAD = 2.0
_SCATTER = 0.35  # of the logarithm of a row over what its siblings predict
_NEGATIVE = 0.002  # how far below zero, as a share of 2^bits / samples, a sum may have been
_AGREEING = 0.6


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A mean that holds `wraps` wraps of a counter: without them it is `value`."""

    value: float
    wraps: int
    bits: int
    samples: int


@dataclass(frozen=True, slots=True)
class Negative:
    """A mean of a sum that was below zero and was printed as unsigned: by how much, about."""

    value: float
    bits: int
    samples: int


@dataclass(frozen=True, slots=True)
class Unclear:
    """A figure that several counters explain about equally well."""

    likely: tuple[Wrapped, ...]


Decoded = Wrapped | Negative | Unclear


def predicted(run: Run) -> dict[str, float]:
    """Return what each known row of a run should be, going by all the others.

    Empty where the run's kernel has too few published runs, or the run too few rows.
    """
    profile = _profile(run.origin.kernel, _has_user_rows(run))
    known = _residuals(run)
    if len(known) < _FEWEST_ROWS:
        return {}
    scale, _ = _centre(known)
    return {row.id: math.exp(profile[row.id] + scale) for row in run.rows if row.id in profile}


def concord(run: Run) -> tuple[int, int]:
    """Return how many of a run's known rows keep their kernel's proportions, and of how many."""
    known = _residuals(run)
    return (_centre(known)[1], len(known)) if len(known) >= _FEWEST_ROWS else (0, 0)


def _residuals(run: Run) -> list[float]:
    """Return the logarithm of the scale that each known row by itself implies."""
    profile = _profile(run.origin.kernel, _has_user_rows(run))
    return [math.log(row.p50) - profile[row.id] for row in run.rows
            if row.id in profile and row.p50 > 0]  # fmt: skip


def _centre(residuals: Sequence[float]) -> tuple[float, int]:
    """Return the scale that most rows agree on, and how many do.

    The median, unless too few are near it: then wraps have moved it, and the good rows
    are where they stand closest together.
    """
    width = math.log(FAR)
    centre = median(residuals)
    near = [one for one in residuals if abs(one - centre) <= width]
    if len(near) < _AGREEING * len(residuals):
        windows = [[one for one in residuals if low <= one <= low + width] for low in residuals]
        near = max(windows, key=len)
        centre = median(near)
    return centre, len(near)


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
    """Return by how much a row's family is off, going by its other rows; 1 where it has none.

    Of few rows that is believed less, as an estimate shrinks towards what is expected: one
    other row that is off may be as wrong as the row that it would excuse.
    """
    start = row_id.partition(".")[0] + "."
    family = [factor for name, factor in off.items() if name.startswith(start) and name != row_id]
    return math.pow(median(family), len(family) / (len(family) + 1)) if family else 1.0


def decode_rows(run: Run) -> dict[str, Decoded]:
    """Return what the rows far above their siblings really are, where a counter explains them.

    A run has one counter, so its rows are explained together; an explanation is taken only
    where chance would hardly give it, and where it is clearly ahead of all others.
    """
    expected = predicted(run)
    far = {row_id: (row.p50, guess) for row_id, guess in odd_rows(run).items()
           if (row := run.row(row_id)) is not None and row.p50 > guess}  # fmt: skip
    found: dict[str, Decoded] = dict(_negatives(run, expected))
    rest = {row_id: pair for row_id, pair in far.items() if row_id not in found}
    explained = []
    for bits, samples in _counters(run):
        readings = {row_id: one for row_id, (value, guess) in rest.items()
                    if (one := _without_wraps(value, guess, bits, samples))}  # fmt: skip
        chance = [_chance(2**bits / samples, rest[row_id][1]) for row_id in readings]
        if -sum(map(math.log, chance)) >= _LEAST_EVIDENCE and 2 * len(readings) >= len(rest):
            score = sum(_likelihood(*rest[row_id], one) for row_id, one in readings.items())
            explained.append((score, readings))
    explained.sort(key=lambda one: -one[0])
    if not explained:
        return found
    likely = [readings for score, readings in explained if score > explained[0][0] - _AHEAD]
    for row_id in explained[0][1]:
        options = tuple(one[row_id] for one in likely if row_id in one)
        found[row_id] = options[0] if len(options) == 1 else Unclear(options)
    return found


def _counters(run: Run) -> list[tuple[int, int]]:
    """Return the counters that a run may have had: width, and samples of which means are."""
    told = run.header.extra.get("samples")
    averaged = (told,) if isinstance(told, int) and told > 0 else _AVERAGED
    return [(bits, samples) for bits in _COUNTER_BITS for samples in averaged]


def _without_wraps(value: float, expected: float, bits: int, samples: int) -> Wrapped | None:
    """Return a mean without the wraps of such a counter, where that comes near the expected."""
    step = 2**bits / samples
    wraps = round((value - expected) / step)
    rest = value - wraps * step
    if not 1 <= wraps <= _MOST_WRAPS or step <= _LEAST_STEP * expected:
        return None
    if not 1 / FAR < rest / expected < FAR:
        return None
    return Wrapped(round(rest, 1), wraps, bits, samples)


def _chance(step: float, expected: float) -> float:
    """Return how often a figure that has nothing to do with such a counter is explained by it."""
    return min(1.0, (FAR - 1 / FAR) * expected / step)


def _likelihood(value: float, expected: float, wrapped: Wrapped) -> float:
    """Return by how much, as a logarithm, a reading is likelier than just any large figure."""
    off = math.log(wrapped.value / expected) / _SCATTER
    usual = 1.0 if wrapped.samples == _USUAL else 0.0
    return math.log(value / wrapped.value) - math.log(wrapped.wraps) - off * off / 2 + usual


def _negatives(run: Run, expected: Mapping[str, float]) -> dict[str, Negative]:
    """Return the rows whose sum was below zero, since the stamps cost more than the operation."""
    told = run.header.extra.get("samples")
    averaged = (told,) if isinstance(told, int) and told > 0 else _AVERAGED
    known = [row.p50 for row in run.rows if row.p50 > 0]
    usual = median(known) if len(known) >= _FEWEST_ROWS else 0
    found: dict[str, Negative] = {}
    for row in run.rows:
        for bits, samples in [(bits, samples) for bits in _SUM_BITS for samples in averaged]:
            step = 2**bits / samples
            below = row.p50 - step
            far = row.p50 > 20 * expected.get(row.id, 5 * (usual or step))
            if -_NEGATIVE * step <= below < 0 and (far or row.p50 > 2**48):
                found.setdefault(row.id, Negative(round(below, 1), bits, samples))
    return found


def unwrap(value: float, expected: float) -> Wrapped | None:
    """Return a mean without the wraps of a counter, looked at by itself; None where none fits."""
    found = []
    for bits in _COUNTER_BITS:
        for samples in _AVERAGED:
            one = _without_wraps(value, expected, bits, samples)
            if one is not None:
                found.append((_likelihood(value, expected, one), one))
    return max(found, key=lambda item: item[0])[1] if found else None


def _has_user_rows(run: Run) -> bool:
    return "userspace" in run.header.configuration or (
        sum(row.id.endswith((".user", ".u_to_u")) for row in run.rows) > 0.1 * len(run.rows)
    )


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
