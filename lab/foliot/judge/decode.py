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
from functools import cache, lru_cache
from statistics import median

from foliot.model.names import family
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
_UNEXPLAINED = -8.0  # the logarithm of how likely a row is that nothing explains
_MANY, _MANY_SHARE = 3, 0.06  # rows that are very far above, when it is not a slow memory
_NO_FAMILY = 8.0  # no memory slows a family so much
_VERY_FAR = 3.5  # a slow heap raises all that allocates, but not so far
_FAMILIES = 3  # of which they are at least
_SUSPECT = 1.5  # in such a run a row is doubted from here on
_SCATTER = 0.35  # of the logarithm of a row over what its siblings predict
_NEGATIVE = 0.002  # how far below zero, as a share of 2^bits / samples, a sum may have been
_AGREEING = 0.6
_DENSE = 0.4
_MOVED = 0.25  # as a logarithm: the median of runs as they are stays within it


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
    scale, near = _centre(known)
    if near < _AGREEING * len(known):
        rows = [(row.p50, profile[row.id]) for row in run.rows if row.id in profile and row.p50 > 0]
        found = _scale_of_wraps(tuple(rows), tuple(_counters(run)))
        scale = scale if found is None else found
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

    The median, unless too few are near it, or it is clearly above where rows stand closest
    together: then wraps have moved it, and the good rows are there.
    """
    width = math.log(FAR)
    centre = median(residuals)
    near = [one for one in residuals if abs(one - centre) <= width]
    if len(near) < _AGREEING * len(residuals):
        windows = [[one for one in residuals if low <= one <= low + width] for low in residuals]
        near = max(windows, key=len)
        centre = median(near)
    low = _densest(residuals)
    if centre - low > _MOVED:
        centre = low
        near = [one for one in residuals if abs(one - centre) <= width]
    return centre, len(near)


def _densest(residuals: Sequence[float]) -> float:
    """Return the middle of the shortest range that holds two fifths of the rows.

    What is added to rows moves their median up, and leaves those that are right where they are.
    """
    ordered = sorted(residuals)
    count = max(2, round(_DENSE * len(ordered)))
    ranges = [
        (ordered[place + count - 1] - ordered[place], place)
        for place in range(len(ordered) - count + 1)
    ]
    _, place = min(ranges)
    return median(ordered[place : place + count])


@lru_cache(maxsize=256)
def _scale_of_wraps(
    rows: tuple[tuple[float, float], ...], counters: tuple[tuple[int, int], ...]
) -> float | None:
    """Return the scale by which one counter's wraps explain the most rows; None where none does.

    Where most rows are wrong, those that are right may be few, and the wrong ones may stand
    closer together. But a wrap only ever adds, and adds a known step: so each row's own scale is
    tried with each counter, and one that makes sense of nearly all rows is it.
    """
    scales = [math.log(value) - share for value, share in rows]
    best, scale = max(
        (sum(_sense(value, math.exp(share + scale), *counter) for value, share in rows), scale)
        for counter in counters
        for scale in scales
    )
    return scale if best > _UNEXPLAINED * len(rows) / 2 else None


def _sense(value: float, expected: float, bits: int, samples: int) -> float:
    """Return how likely a figure is, as a logarithm: as it stands, with wraps, or for no reason."""
    off = math.log(value / expected) / _SCATTER
    likely = max(-off * off / 2, _UNEXPLAINED)
    wrapped = _without_wraps(value, expected, bits, samples)
    if wrapped is None:
        return likely
    rest = math.log(wrapped.value / expected) / _SCATTER
    return max(likely, math.log(_chance(2**bits / samples, expected)) - rest * rest / 2)


def odd_rows(run: Run) -> dict[str, float]:
    """Return the rows that are far from what their siblings predict, with the prediction.

    A row is far above only where neither all rows together nor those of its own family
    (`condvar.`, `heap.`...) predict it: a slow memory slows a whole family. Where many rows are
    far above and no counter explains them, it is no memory: a step too small to be told apart
    was added to any row, and those that are a little above may hold it as well.
    """
    expected, off = _factors(run)
    many = len(_raised(run, off)) > 0
    return {
        row_id: expected[row_id]
        for row_id, factor in off.items()
        if factor < NEAR_ZERO or _is_above(row_id, off) or (many and factor > _SUSPECT)
    }


def raised(run: Run) -> list[str]:
    """Return the rows far above the others that nothing explains, where they are many."""
    return _raised(run, _factors(run)[1])


def _raised(run: Run, off: Mapping[str, float]) -> list[str]:
    far = {row_id for row_id, factor in off.items() if factor > _VERY_FAR}
    if len(far) < max(_MANY, _MANY_SHARE * len(off)):
        return []
    far -= decode_rows(run).keys()
    many = len(far) >= max(_MANY, _MANY_SHARE * len(off))
    return sorted(far) if many and len({family(one) for one in far}) >= _FAMILIES else []


def _factors(run: Run) -> tuple[dict[str, float], dict[str, float]]:
    """Return what rows should be, and how many times that they are."""
    expected = predicted(run)
    return expected, {
        row.id: row.p50 / expected[row.id] for row in run.rows if expected.get(row.id)
    }


def _is_above(row_id: str, off: Mapping[str, float]) -> bool:
    """Whether a row is far above what all rows together, and those of its family, predict."""
    return off[row_id] > FAR * max(1.0, _of_family(row_id, off))


def _of_family(row_id: str, off: Mapping[str, float]) -> float:
    """Return by how much a row's family is off, going by its other rows; 1 where it has none.

    Of few rows that is believed less, as an estimate shrinks towards what is expected: one
    other row that is off may be as wrong as the row that it would excuse.
    """
    own = family(row_id)
    others = [factor for name, factor in off.items() if family(name) == own and name != row_id]
    usual = median(others) if others else 1.0
    # Rows below zero, where stamps cost more than the operation, excuse nothing.
    return math.pow(usual, len(others) / (len(others) + 1)) if usual > 0 else 1.0


def decode_rows(run: Run) -> dict[str, Decoded]:
    """Return what the rows far above their siblings really are, where a counter explains them.

    A run has one counter, so its rows are explained together; an explanation is taken only
    where chance would hardly give it, and where it is clearly ahead of all others.
    """
    expected, off = _factors(run)
    far = {row.id: (row.p50, expected[row.id]) for row in run.rows
           if row.id in off and (_is_above(row.id, off) or off[row.id] > _NO_FAMILY)}  # fmt: skip
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
