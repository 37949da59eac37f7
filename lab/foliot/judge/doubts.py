# SPDX-License-Identifier: Apache-2.0
"""Every reason not to trust a measurement, by name and with advice.

A check looks at one row, or at the whole run, and yields what it finds; `examine` asks
all of them, of our own runs and of other systems' alike. Those of any run are in this
file, those of figures that others printed in printed.py, and those of what happened to
such figures on their way here in corruption.py. Checks judge what the figures show and never
change a figure: where one can be told what it really is (decode.py does the arithmetic),
the doubt carries that reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from foliot.judge import corruption, printed
from foliot.judge.checks import (
    ROW_CHECKS,
    RUN_CHECKS,
    Context,
    RowCheck,
    RunCheck,
    for_row,
    for_run,
    is_printed,
)  # fmt: skip
from foliot.model.run import Doubt, Row, Run
from foliot.reference import rows

# What a figure may differ from another before they are taken for different.
CLOCK_TOLERANCE = 0.01
FEW_SAMPLES = 100
GRANULES = 10
OVERHEAD_FACTOR = 10
MODE_SHARE = 0.2
MODE_DISTANCE = 0.25
OUTLIER_FACTOR = 4

__all__ = ["Context", "context_of", "corruption", "examine", "examine_saved", "printed"]

# Doubts that the firmware itself raises, and what to do about them.
_FROM_TARGET = {
    "overhead-unstable": ("the cost of a pair of stamps was not the same every time",
                          "repeat the run; on a board, keep interrupts and caches quiet"),
    "clock-coarse": ("the clock is too coarse for this row", "measure it in batches"),
    "tick": ("a tick fell into a sample", "use the median, or a longer tick"),
    "counter-wrapped": ("the counter wrapped within a sample", "use a wider counter"),
    "period-assumed": ("a period of 30 s is assumed: the recording doesn't say how long it was",
                       "import the console's log, which does"),
    "batch": ("samples are averages of batches", "min and max are those of batches"),
}  # fmt: skip


def examine(run: Run, context: Context) -> Run:
    """Return the run with all its doubts: each row's names in the row, all texts in the run."""
    of_runs = sorted(RUN_CHECKS, key=_is_elsewhere)
    of_each_row = sorted(ROW_CHECKS, key=_is_elsewhere)
    found = [doubt for check in of_runs for doubt in check(run, context)]
    of_rows: dict[str | None, list[Doubt]] = {}
    for doubt in found:
        of_rows.setdefault(doubt.row, []).append(doubt)
    examined = []
    for row in run.rows:
        own = [_reported_by_target(name, row) for name in row.doubts]
        own += [doubt for check in of_each_row for doubt in check(row, run)]
        found += own
        own += of_rows.get(row.id, ())
        names = tuple(dict.fromkeys(doubt.name for doubt in own))
        examined.append(replace(row, doubts=names) if names != row.doubts else row)
    return replace(run, rows=tuple(examined), doubts=tuple(found))


def _is_elsewhere(check: RowCheck | RunCheck) -> bool:
    """Put the checks of this file first, whichever file was loaded first."""
    return check.__module__ != __name__


def examine_saved(run: Run) -> Run:
    """Return a run of the store, or a reference, with the doubts that its facts give rise to."""
    return examine(run, context_of(run))


def context_of(run: Run) -> Context:
    """Return what can be asked of a run of which nobody asked anything: all of its rows."""
    wanted = rows.expected(run.header.suite, run.header.configuration)
    if run.published and (len(run.rows) < len(wanted) / 2 or not is_printed(run)):
        wanted = []  # a piece of that benchmark, or figures that were put together
    return Context(expected=wanted)


def _reported_by_target(name: str, row: Row) -> Doubt:
    text, advice = _FROM_TARGET.get(name, (f"the target doubts it: {name}", "see the suite"))
    return Doubt(name, text, advice, row.id)


@for_run
def _other_target(run: Run, context: Context) -> Iterator[Doubt]:
    header = run.header
    for what, told, asked in (
        ("board", header.board, context.board),
        ("unit", header.unit, context.unit),
        ("suite", header.suite, context.suite),
    ):
        if asked and told != asked:
            yield Doubt(
                f"other-{what}",
                f"the log is of {what} {told}, asked for was {asked}",
                "measure again, with the image of this board",
                invalidates=True,
            )


@for_run
def _missing_rows(run: Run, context: Context) -> Iterator[Doubt]:
    present = {row.id for row in run.rows} | {failure.id for failure in run.failures}
    for row_id in context.expected:
        if row_id not in present:
            yield Doubt(
                "row-missing",
                "the row was not measured",
                "look at the suite's list",
                row_id,
                invalidates=not run.published,
            )


@for_run
def _failed_rows(run: Run, context: Context) -> Iterator[Doubt]:
    said, advice = "not measured", "the reason is the target's own"
    if run.published:  # no figure, and so none that is wrong
        said, advice = "not taken", "look at the source"
    for failure in run.failures:
        yield Doubt(
            "row-failed",
            f"{said}: {failure.reason}",
            advice,
            failure.id,
            invalidates=not run.published,
        )


@for_run
def _clock_rate(run: Run, context: Context) -> Iterator[Doubt]:
    told, measured = run.header.clock_hz, run.header.clock_measured_hz
    if not told or not measured or abs(measured - told) <= CLOCK_TOLERANCE * told:
        return
    if run.published:
        yield Doubt(
            "clock-rate",
            f"the clock is declared as {told / 1e6:g} MHz, but cycles and ns of the rows imply "
            f"{measured / 1e6:g} MHz",
            "believe the rows: they were printed by the one that ran; cycles are not affected",
        )
    else:
        yield Doubt(
            "clock-rate",
            f"the clock is declared as {told} Hz and measured as {measured} Hz",
            "correct clock_hz of the board",
            invalidates=True,
        )


@for_run
def _clock_fallback(run: Run, context: Context) -> Iterator[Doubt]:
    told = run.header.extra.get("clock_fallback")
    if told:
        yield Doubt(
            "clock-fallback",
            f"not the board's own clock: {told}",
            "look at the board's crystal and supply; wait states are not those of its clock",
            invalidates=True,
        )


@for_run
def _slow_build(run: Run, context: Context) -> Iterator[Doubt]:
    if run.header.assertions:
        yield Doubt(
            "assertions-on",
            "assertions were compiled in",
            "measure without the debug configuration",
        )
    if any(flag in run.header.flags.split() for flag in ("-O0", "-Og")):
        yield Doubt("debug-build", "the code was not optimised", "build with -O2")


@for_run
def _published_figures(run: Run, context: Context) -> Iterator[Doubt]:
    if run.published and context.board:
        yield Doubt(
            "foreign-figures",
            "one figure a row, without distribution or evidence, as the image printed it",
            "its benchmark's own time stamps may still be in it",
        )


@for_row
def _no_evidence(row: Row, run: Run) -> Iterator[Doubt]:
    if run.published:
        return
    idle = [name for name, count in row.evidence.items() if count <= 0]
    if idle or not row.evidence:
        what = f"of {', '.join(idle)}" if idle else "at all"
        yield Doubt(
            "evidence-missing",
            f"no evidence {what} that it measured what it names",
            "a row without its evidence is an error, not a figure",
            row.id,
            invalidates=True,
        )


@for_row
def _zero(row: Row, run: Run) -> Iterator[Doubt]:
    granule = run.header.counter.get("granule", 1)
    if row.p50 > 0 or (row.p50 == 0 and isinstance(granule, int) and granule > 1):
        return  # less than a granule: the doubt about the clock says it
    if run.published:
        text = f"printed as {row.p50:g}: the subtracted time stamps cost more than the operation"
    else:
        text = f"the median is {row.p50}: nothing was measured"
    yield Doubt("row-zero", text, "look at the window and at the overhead", row.id, True)


@for_row
def _overhead(row: Row, run: Run) -> Iterator[Doubt]:
    if row.overhead > OVERHEAD_FACTOR * max(row.p50, 1):
        yield Doubt(
            "overhead-large",
            f"the stamps cost {row.overhead}, the operation {row.p50}",
            "measure it in batches",
            row.id,
        )


@for_row
def _below_floor(row: Row, run: Run) -> Iterator[Doubt]:
    if row.floor is not None and row.p50 < row.floor:
        yield Doubt(
            "below-floor",
            f"{row.p50} is less than the hand-written minimum, {row.floor:g}",
            "compare the two windows",
            row.id,
        )


@for_row
def _coarse_clock(row: Row, run: Run) -> Iterator[Doubt]:
    granule = run.header.counter.get("granule", 1)
    coarse = isinstance(granule, int) and granule > 1 and row.p50 < GRANULES * granule
    if coarse or (run.published and row.ns and 0 < row.p50 < GRANULES):
        yield _reported_by_target("clock-coarse", row)


@for_row
def _counter_width(row: Row, run: Run) -> Iterator[Doubt]:
    bits = run.header.counter.get("bits", 64)
    if isinstance(bits, int) and bits < 64 and row.max >= 2**bits * 0.9:
        yield _reported_by_target("counter-wrapped", row)


@for_row
def _few_samples(row: Row, run: Run) -> Iterator[Doubt]:
    if 1 < row.n < FEW_SAMPLES and not row.extra.get("batch"):  # a mean of many is steady
        yield Doubt(
            "few-samples",
            f"{row.n} samples say little about p99 and max",
            f"measure {FEW_SAMPLES} or more",
            row.id,
        )


@for_row
def _bimodal(row: Row, run: Run) -> Iterator[Doubt]:
    """Find two clusters with a wide gap between them, neither of them rare."""
    below = 0
    for (left, count), (right, _) in pairwise(row.histogram):
        below += count
        wide = right - left > max(MODE_DISTANCE * abs(row.p50), 2)
        if wide and min(below, row.n - below) >= MODE_SHARE * row.n:
            yield Doubt(
                "bimodal",
                f"the samples fall into two groups, up to {left} and from {right}",
                "it measures two things: look at the histogram",
                row.id,
            )
            return


@for_row
def _outlier(row: Row, run: Run) -> Iterator[Doubt]:
    """Find a single slow sample, other than the first or one that the target explains."""
    explained = row.max_index == 0 or "tick" in row.doubts
    if not explained and row.n >= FEW_SAMPLES and row.max > OUTLIER_FACTOR * max(row.p99, 1):
        yield Doubt(
            "outlier",
            f"sample {row.max_index} took {row.max}, 99 % at most {row.p99}",
            "something interrupted it: look at that sample",
            row.id,
        )
