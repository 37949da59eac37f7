# SPDX-License-Identifier: Apache-2.0
"""Doubts about figures that others printed: wrapped counters, overheads, copied summaries."""

from __future__ import annotations

from collections.abc import Iterator

from foliot.judge import decode
from foliot.judge.checks import Context, for_row, for_run, is_printed
from foliot.model.figures import agrees
from foliot.model.run import Doubt, Row, Run

MOST_PER_CYCLE = 4
SPREAD = 0.25
_TOLD_APART = 0.6
_COUNTS = ("cycles", "insn", "tsc", "bytes")


@for_run
def _odd_rows(run: Run, context: Context) -> Iterator[Doubt]:
    """Find the rows that the run's other rows contradict: wrapped, swallowed, or just odd."""
    if not is_printed(run):
        return
    decoded = decode.decode_rows(run)
    for row_id, one in decoded.items():
        row = run.row(row_id)
        if row is not None and _is_of_one_clock(row, run):
            yield _decoded(row, one)
    for row_id, expected in decode.odd_rows(run).items():
        row = run.row(row_id)
        if row is None or row.p50 <= 0 or row_id in decoded or not _is_of_one_clock(row, run):
            continue
        if row.p50 < expected:
            yield Doubt(
                "row-near-zero",
                f"{shown(row.p50)}, where its siblings predict about {expected:.0f}",
                "the subtracted time stamps probably cost more than the operation",
                row_id,
            )
        else:
            yield Doubt(
                "row-far",
                f"{shown(row.p50)}, where its siblings predict about {expected:.0f}: "
                f"{row.p50 / expected:.1f} times that",
                "something else was measured with it: an interrupt, a cache, a clock that sleeps",
                row_id,
            )


def _is_of_one_clock(row: Row, run: Run) -> bool:
    """Whether a row's two figures agree: one that lost a digit is not looked at for wraps."""
    hz = run.header.clock_measured_hz
    return not hz or agrees(row, hz)


def _decoded(row: Row, one: decode.Decoded) -> Doubt:
    if isinstance(one, decode.Wrapped):
        return _wrapped(row, one)
    if isinstance(one, decode.Negative):
        return Doubt(
            "sum-negative",
            f"{shown(row.p50)} is 2^{one.bits}{_over(one.samples)} - {-one.value:g}: a sum below "
            f"zero, printed as {one.bits} bits without a sign",
            "the subtracted time stamps cost more than the operation: nobody knows what it costs",
            row.id,
            invalidates=True,
        )
    likely = " or ".join(
        f"{option.value:g} + {option.wraps} x 2^{option.bits}{_over(option.samples)}"
        for option in one.likely
    )
    return Doubt(
        "wrap-unclear",
        f"{shown(row.p50)} is {likely}: a counter wrapped, and it is not clear which",
        "say how many samples were averaged ('NUM_ITERATIONS=N' in the page), or measure again",
        row.id,
        invalidates=True,
    )


def shown(value: float) -> str:
    """Return a figure with all of its digits."""
    return str(int(value)) if value == int(value) else f"{value:g}"


def _over(samples: int) -> str:
    return f"/{samples}" if samples > 1 else ""


def _wrapped(row: Row, wrapped: decode.Wrapped) -> Doubt:
    return Doubt(
        "counter-wrapped",
        f"{shown(row.p50)} is {wrapped.value:g} + {wrapped.wraps} x 2^{wrapped.bits}"
        f"{_over(wrapped.samples)}: a {wrapped.bits}-bit counter wrapped {wrapped.wraps} times",
        f"reckon with {wrapped.value:g}; measure with a wider counter, or stop the tick",
        row.id,
        invalidates=True,
        reading=wrapped.value,
    )


@for_run
def _scattered(run: Run, context: Context) -> Iterator[Doubt]:
    """Say so where most rows are outliers: then nobody knows which of them are right."""
    if not is_printed(run):
        return
    near, known = decode.concord(run)
    if known and near < _TOLD_APART * known:
        yield Doubt(
            "rows-scattered",
            f"only {near} of {known} rows keep the proportions that rows of this kernel have",
            "which of them are right is judged by those that agree: measure again",
        )
        return
    above = decode.raised(run)
    if above:
        yield Doubt(
            "rows-scattered",
            f"{len(above)} of {known} rows are far above what the others predict, and no counter "
            "explains them: what was added to them may be in any row, unseen where it is little",
            "look at those that are not doubted, too: measure again",
        )


@for_run
def _summary(run: Run, context: Context) -> Iterator[Doubt]:
    """Hold a document's own summary against the rows that it sums up."""
    for cell in run.origin.summary:
        row = run.row(cell.row)
        if row is None or cell.value is None or cell.is_of(row):
            continue
        shown = row.p50 if row.ns is None else row.ns
        copied = f", which is {cell.elsewhere}" if cell.elsewhere else ""
        yield Doubt(
            "summary-differs",
            f"the summary's '{cell.item}' is {cell.value:g}{copied}; the row itself says {shown:g}",
            "believe the row",
            cell.row,
        )


@for_run
def _time_stamp_counter(run: Run, context: Context) -> Iterator[Doubt]:
    if run.header.unit == "tsc":
        yield Doubt(
            "tsc-not-cycles",
            "these are counts of the time-stamp counter, which runs at a fixed rate of its own: "
            "not cycles of the core",
            "compare the run that counted core cycles",
        )


@for_run
def _unit_unlikely(run: Run, context: Context) -> Iterator[Doubt]:
    if run.header.extra.get("late"):
        yield Doubt(
            "unit-unlikely",
            "taken as us, the mean latency is longer than the interval between two wake-ups",
            "was it measured in ns (cyclictest -N)? Keep the command line in the log, or its JSON",
        )


@for_row
def _footnote(row: Row, run: Run) -> Iterator[Doubt]:
    """Find a footnote's mark glued to a figure: more instructions than the cycles can hold."""
    mark, cycles = row.extra.get("footnote"), row.extra.get("cycles")
    printed = f"{row.p50:g}"
    if not mark or not cycles or not printed.endswith(str(mark)) or len(printed) <= len(str(mark)):
        return
    reading = float(printed.removesuffix(str(mark)))
    if row.p50 > MOST_PER_CYCLE * cycles >= reading:
        yield Doubt(
            "footnote-glued",
            f"{printed} instructions in {cycles:g} cycles can't be: it is {reading:g}, with the "
            f"mark of footnote {mark} glued to it",
            f"reckon with {reading:g}",
            row.id,
            invalidates=True,
            reading=reading,
        )


@for_row
def _fraction(row: Row, run: Run) -> Iterator[Doubt]:
    """Find counts with a fraction in anybody's table, where no column says that they are means."""
    means = "mean" in str(row.extra.get("told", "")).split()
    if run.origin.format == "table" and run.header.unit in _COUNTS and row.p50 % 1 and not means:
        yield Doubt(
            "figure-fraction",
            f"there is no fraction of one of its {run.header.unit}: a mean, or a mark between "
            "thousands that was taken for the decimal one",
            "look at the source; --thousands and --decimal say which mark is which",
            row.id,
        )


@for_row
def _remark(row: Row, run: Run) -> Iterator[Doubt]:
    if row.extra.get("remark"):
        yield Doubt("figure-remark", f"{row.extra['remark']} in the source",
                    "look there what it means", row.id)  # fmt: skip


@for_row
def _stamps(row: Row, run: Run) -> Iterator[Doubt]:
    if row.extra.get("stamps"):
        yield Doubt(
            "stamps-included",
            "the benchmark's own time stamps, system calls themselves, are still in it",
            "the figure is too large by up to their cost",
            row.id,
        )


@for_row
def _spread(row: Row, run: Run) -> Iterator[Doubt]:
    deviation = row.extra.get("stddev", 0)
    if isinstance(deviation, int | float) and deviation > SPREAD * max(row.mean, 1):
        yield Doubt(
            "unstable",
            f"the samples scatter by {deviation:g} around {row.mean:g}",
            "repeat the run; keep interrupts and caches quiet",
            row.id,
        )
