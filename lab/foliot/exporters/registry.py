# SPDX-License-Identifier: Apache-2.0
"""The forms, each registered by its own file, and what several of them share.

A count of instructions is no time: the forms that know only times refuse it. The forms of
other tools hold one figure a row, which is the median, decoded where it was wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from foliot.model.discovery import import_all
from foliot.model.errors import UsageError
from foliot.model.figures import in_unit
from foliot.model.run import Run
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
        raise UsageError(f"unknown form '{wanted}': valid are {', '.join(forms())}")
    names = [one.name for one in chosen] if len(chosen) > 1 else [""]
    if len(set(names)) < len(names):
        names = titles(chosen)
    return forms()[wanted]([(name, one.run) for name, one in zip(names, chosen, strict=True)])


def full_name(name: str, row_id: str) -> str:
    """Return a row's name among several runs: with the run's."""
    return f"{name}/{row_id}" if name else row_id


def times(name: str, run: Run, form: str) -> dict[str, float]:
    """Return a run's figures in ns; UsageError where they are no times."""
    header = run.header
    if header.unit not in ("cycles", "ns") or not (header.clock_measured_hz or header.clock_hz):
        what = name or f"{header.suite} on {header.board}"
        raise UsageError(
            f"{form} holds times, and {what} is in {header.unit}, which is none",
            "json, csv, github and bencher hold any unit",
        )
    return in_unit(run, "ns")
