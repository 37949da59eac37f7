# SPDX-License-Identifier: Apache-2.0
"""Where a figure of another system comes from, and what it probably means.

There is nothing to run: what can be said follows from the run's own rows and from the
published ones. judge/decode.py does the arithmetic; here it is reported, step by step, so that the
reader can follow it, or disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from foliot.judge import decode
from foliot.model.errors import FoliotError, unknown
from foliot.model.figures import implied_hz
from foliot.model.names import counted, family
from foliot.model.run import Doubt, Row, Run
from foliot.store.selection import Chosen

if TYPE_CHECKING:
    from rich.console import Console

_NEAR = 1.25
_UNITS = {"insn": "instructions", "tsc": "ticks of the time-stamp counter"}


def print_reasoning(row_id: str, chosen: Chosen, console: Console) -> None:
    """Print what can be said of one figure; UsageError where the run has no such row."""
    row = find(row_id, chosen)
    console.print(f"{row.id} - {row.text}")
    for line in heading(row, chosen):
        console.print(line)
    console.print()
    for number, line in enumerate(reasoning(row, chosen.run), 1):
        console.print(f"{number}. {line}")
    console.print()
    console.print(conclusion(row, chosen.run), style="bold")


def find(row_id: str, chosen: Chosen) -> Row:
    """Return the row; UsageError with the nearest names where there is none."""
    row = chosen.run.row(row_id)
    if row is not None:
        return row
    if any(failure.id == row_id for failure in chosen.run.failures):
        raise FoliotError(f"{row_id} could not be measured in {chosen.name}")
    raise unknown("row", row_id, [row.id for row in chosen.run.rows])


def heading(row: Row, chosen: Chosen) -> Iterator[str]:
    """Say what was printed, by whom, and where that stands."""
    header, origin = chosen.run.header, chosen.run.origin
    ns = f" and {row.ns:g} ns" if row.ns is not None else ""
    kernel = f", by {origin.kernel} {origin.kernel_version}".rstrip() if origin.kernel else ""
    yield f"{chosen.name}: {row.p50:g} {_unit(chosen.run)}{ns} as printed{kernel}, on {header.core}"
    if origin.source:
        lines = f", lines {origin.lines[0]} to {origin.lines[1]}" if origin.lines else ""
        yield f"From {origin.source}{lines}"


def reasoning(row: Row, run: Run) -> Iterator[str]:
    """Tell the arithmetic: the clock, what the row should be, and what lies between."""
    yield from _clock(run)
    expected = decode.predicted(run).get(row.id)
    if expected is None:
        yield (
            "Too few runs of this kernel are published, or the run has too few rows, to say what "
            "the row should be."
        )
    else:
        yield from _expectation(row, run, expected)
    for doubt in _doubts(row, run):
        if doubt.name != "counter-wrapped":
            yield f"{doubt.text[:1].upper()}{doubt.text[1:]}: {doubt.advice}. [{doubt.name}]"


def _clock(run: Run) -> Iterator[str]:
    implied = implied_hz(run.rows)
    declared = run.header.clock_hz
    if implied is None:
        return
    count = sum(1 for row in run.rows if row.ns)
    text = f"Cycles and ns of {counted(count, 'row')} imply a clock of {implied / 1e6:g} MHz"
    if declared and abs(implied - declared) > 0.01 * declared:
        yield f"{text}, not the {declared / 1e6:g} MHz that are declared: cycles are not affected."
    else:
        yield f"{text}, which is the declared one."


def _expectation(row: Row, run: Run, expected: float) -> Iterator[str]:
    factor = row.p50 / expected
    yield (
        f"Going by the run's other rows, and by the shares that rows have in the published runs of "
        f"{run.origin.kernel}, it should be about {expected:.0f} {_unit(run)}; the figure is "
        f"{factor:.{0 if factor > 10 else 2}f} times that."
    )
    wrapped = decode.decode_rows(run).get(row.id)
    if isinstance(wrapped, decode.Wrapped):
        step = 2**wrapped.bits / wrapped.samples
        averaged = f" in the mean of {wrapped.samples} samples" if wrapped.samples > 1 else ""
        yield (
            f"Each wrap of a {wrapped.bits}-bit counter{averaged} adds {step:g}. With "
            f"{wrapped.wraps} of them taken off, {wrapped.value:g} is left, "
            f"{wrapped.value / expected:.2f} times what it should be; one less would leave "
            f"{wrapped.value + step:.1f}, one more {wrapped.value - step:.1f}."
        )
        return
    akin = [
        (other.id, other.p50 / expected_other)
        for other in run.rows
        if other.id != row.id
        and family(other.id) == family(row.id)
        and (expected_other := decode.predicted(run).get(other.id))
    ]
    if akin and not 1 / _NEAR < factor < _NEAR:
        near = ", ".join(f"{name} {ratio:.2f}" for name, ratio in akin[:4])
        yield f"Its family, over what each of it should be: {near}."


def conclusion(row: Row, run: Run) -> str:
    """Say in one sentence what the figure is."""
    unit = _unit(run)
    found = _doubts(row, run)
    reading = next((doubt.reading for doubt in found if doubt.reading is not None), None)
    if reading is not None:
        return f"It is {reading:g} {unit}."
    if any(doubt.invalidates for doubt in found):
        return (
            f"It is no measurement: {row.p50:g} {unit} can't be right, and nobody knows the rest."
        )
    if found:
        return f"It may be {row.p50:g} {unit}; be careful with it."
    return f"It is {row.p50:g} {unit}: nothing about it is strange."


def _unit(run: Run) -> str:
    return _UNITS.get(run.header.unit, run.header.unit)


def _doubts(row: Row, run: Run) -> list[Doubt]:
    return [doubt for doubt in run.doubts if doubt.row == row.id]


def as_json(row_id: str, chosen: Chosen) -> dict[str, Any]:
    """Return the reasoning for programs."""
    row = find(row_id, chosen)
    found = _doubts(row, chosen.run)
    return {
        "schema": 1, "row": row.id, "text": row.text, "run": chosen.name,
        "unit": chosen.run.header.unit, "printed": row.p50, "ns": row.ns,
        "reading": chosen.run.values().get(row.id),
        "expected": decode.predicted(chosen.run).get(row.id),
        "reasoning": list(reasoning(row, chosen.run)),
        "conclusion": conclusion(row, chosen.run), "doubts": [doubt.name for doubt in found],
    }  # fmt: skip
