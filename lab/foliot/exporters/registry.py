# SPDX-License-Identifier: Apache-2.0
"""The forms, each registered by its own file, and what several of them share.

All forms show the same figure of a row: the median, decoded where what was printed is wrong,
and how the lab's own tables mark it. A count of instructions is no time: the forms that
know only times refuse it. Beside its figure each row carries what is needed to import it
again as it was (model/metadata.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from foliot.judge.facts import facts_of
from foliot.model import metadata
from foliot.model.discovery import import_all
from foliot.model.errors import UsageError, unknown
from foliot.model.figures import clock_of, is_nominal
from foliot.model.run import Row, Run
from foliot.store.selection import Chosen, titles

Named = Sequence[tuple[str, Run]]
Form = Callable[[Named], str]

_FORMS: dict[str, tuple[int, Form]] = {}


def form(name: str, place: int) -> Callable[[Form], Form]:
    """Register a function as a form; its `place` is where it stands in lists of them."""

    def register(write: Form) -> Form:
        _FORMS[name] = (place, write)
        return write

    return register


@cache
def forms() -> dict[str, Form]:
    """Return all forms by name; their files, which are all in this directory, are imported now."""
    import_all(__name__.rpartition(".")[0])
    return {name: write for name, (_, write) in sorted(_FORMS.items(), key=lambda kept: kept[1][0])}


def export(chosen: Sequence[Chosen], wanted: str) -> str:
    """Return the runs in a form; UsageError where the form is unknown, or can't hold them."""
    if wanted not in forms():
        raise unknown("form", wanted, forms())
    names = [one.name for one in chosen] if len(chosen) > 1 else [""]
    if len(set(names)) < len(names):
        names = titles(chosen)
    return forms()[wanted]([(name, one.run) for name, one in zip(names, chosen, strict=True)])


@dataclass(frozen=True, slots=True)
class Exported:
    """A row as a form shows it: its `value`, and what that is, and what travels beside it.

    `figure` is the same in the run's own unit.
    """

    row: Row
    figure: float
    value: float
    mark: str
    carried: dict[str, Any]


def shown(run: Run, converted: Callable[[Row, float], Any] | None = None) -> list[Exported]:
    """Return what a form that holds only figures shows of a run; UsageError where that is nothing.

    `converted` turns a row's figure into what the form shows of it.
    """
    figures = run.figures()
    values = [
        None if figure is None else exact(converted(row, figure) if converted else figure)
        for row, figure in figures
    ]
    carried = metadata.outgoing(facts_of(run), values)
    return [
        Exported(row, exact(figure), value, run.mark(row), beside)
        for (row, figure), value, beside in zip(figures, values, carried, strict=True)
        if figure is not None and value is not None and beside is not None
    ]


def exact(value: float) -> float:
    """Return a figure without a fraction that is none, so that it reads alike in every form."""
    return int(value) if value == int(value) else value


def note(exported: Exported, run: Run) -> str:
    """Say in words why a figure is not simply what was printed; nothing where it is."""
    if not exported.mark:
        return ""
    why = "; ".join(doubt.text for doubt in run.doubts if doubt.row == exported.row.id)
    printed = f", printed as {exported.row.p50:g}" if exported.mark == "decoded" else ""
    return f"{exported.mark}{printed}: {why}"


def note_of_time(exported: Exported, run: Run) -> str:
    """Return note(), and where times are cycles at a clock that no chip has, that."""
    nominal = ""
    if run.header.unit == "cycles" and is_nominal(run):
        nominal = f"simulated: cycles at a nominal {clock_of(run) / 1e6:g} MHz"
    return "; ".join(filter(None, [note(exported, run), nominal]))


def full_name(name: str, row_id: str) -> str:
    """Return a row's name among several runs: with the run's."""
    return f"{name}/{row_id}" if name else row_id


def check_times(name: str, run: Run, form: str, cycles: bool = False) -> None:
    """Raise UsageError where a run's figures are no times, and can't be turned into any.

    With `cycles` the form wants those too, so that times alone don't do.
    """
    header = run.header
    clock = header.clock_measured_hz or header.clock_hz
    convertible = header.unit in ("cycles", "ns") and clock
    if not (convertible or (header.unit == "ns" and not cycles)):
        what = name or f"{header.suite} on {header.board}"
        if header.unit == "ns":
            raise UsageError(f"{form} holds cycles, and nobody knows the clock of {what}")
        raise UsageError(
            f"{form} holds times, and {what} is in {header.unit}, which is none",
            "json, csv, github and bencher hold any unit",
        )


def ns_of(run: Run, row: Row, value: float) -> float:
    """Return a row's figure in ns: as printed where it was, else by the run's clock."""
    if run.header.unit == "ns":
        return value
    if row.ns is not None and value == row.p50:
        return row.ns
    return round(value * 1e9 / (run.header.clock_measured_hz or run.header.clock_hz), 3)
