# SPDX-License-Identifier: Apache-2.0
"""Runs side by side: which rows, in which unit, and what may not be compared.

A count of instructions is no count of cycles and no time, and a comparison of them is
refused. Cycles and nanoseconds turn into one another where a clock is known (`--in`), by
the clock that the rows themselves imply before the one that was declared. Figures that are
wrong as printed take part with what they really are, or not at all (model.Run.values).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

from foliot.compare.means import Fair, fair
from foliot.model.errors import UsageError, nearest
from foliot.model.figures import (
    clock_of,
    clock_reported,
    geometric_mean,
    in_unit,
    is_disproved,
    is_nominal,
)
from foliot.model.names import family, matches
from foliot.model.run import Run
from foliot.store.selection import Chosen, titles

UNITS = ("cycles", "ns", "insn", "tsc")
# How tables mark a figure that is not simply one.
MARKS = {"": "", "decoded": "~", "unknown": "?", "doubtful": "*"}
SORTS = ("suite", "name", "ratio")
BYS = ("version", "board", "configuration", "kernel", "core")
NORMALISERS = ("board",)
_ROWS_ARE_LISTED = "`foliot rows` lists those of latency, `foliot show RUN` a run's"


@dataclass(frozen=True, slots=True)
class Options:
    """What to compare: `rows` are patterns, `unit` is wanted instead of the runs' own."""

    rows: tuple[str, ...] = ()
    sort: str = "suite"
    normalise: str = ""
    unit: str = ""
    by: str = ""

    def check(self) -> None:
        """Raise UsageError where a word is none of the valid ones."""
        for what, word, valid in (
            ("--sort", self.sort, SORTS), ("--by", self.by, BYS),
            ("--normalise", self.normalise, NORMALISERS), ("--in", self.unit, UNITS[:2]),
        ):  # fmt: skip
            if word and word not in valid:
                raise UsageError(
                    f"{what} '{word}' is none of {', '.join(valid)}{nearest(word, valid)}"
                )


@dataclass(frozen=True, slots=True)
class Column:
    """One run in the comparison: its figures by row, in the comparison's unit.

    `marks` are of the flagged rows: `~` decoded, `?` not known, `*` in doubt.
    """

    title: str
    run: Run
    values: Mapping[str, float]
    marks: Mapping[str, str]


@dataclass(frozen=True)
class Comparison:
    """The columns, the rows that are shown, and in what they are.

    `notes` say what is not alike about the runs.
    """

    columns: tuple[Column, ...]
    rows: tuple[str, ...]
    unit: str
    notes: tuple[str, ...]

    def ratios(self, column: Column) -> dict[str, float]:
        """Return a column's figures over the first one's, where both are positive."""
        first = self.columns[0].values
        return {
            row: column.values[row] / first[row]
            for row in self.rows
            if column.values.get(row, 0) > 0 and first.get(row, 0) > 0
        }

    @cached_property
    def fair(self) -> Fair[int]:
        """Over which of the shown rows the means are, by the columns' places."""
        shown = {*self.rows}
        trusted = {
            place: {
                row: column.values[row]
                for row in column.run.trusted()
                if row in shown and row in column.values
            }
            for place, column in enumerate(self.columns)
        }
        return fair(trusted, always=(0,))

    def means(self) -> dict[str, list[tuple[float, int] | None]]:
        """Return the geometric means of the ratios, and over how many rows, by family.

        They are over the rows that all have and that nobody doubts; None of who has too few of
        them. The families come in the order of the rows; `all` is the last.
        """
        families: dict[str, list[str]] = {}
        for row in self.rows:
            families.setdefault(family(row), [])
        for row in self.fair.rows:
            families[family(row)].append(row)
        families["all"] = list(self.fair.rows)
        found: dict[str, list[tuple[float, int] | None]] = {name: [] for name in families}
        for place, column in enumerate(self.columns):
            ratios = self.ratios(column) if place in self.fair.compared else {}
            for name, rows in families.items():
                known = [ratios[row] for row in rows if row in ratios]
                found[name].append((geometric_mean(known), len(known)) if known else None)
        return found


def compare(chosen: Sequence[Chosen], options: Options) -> Comparison:
    """Put runs side by side; UsageError where they are too few, or can't be compared."""
    options.check()
    if not chosen:
        raise UsageError("compare takes two runs or more: see `foliot runs`")
    if options.by:
        chosen = _by(chosen, options.by)
    if len(chosen) < 2:
        raise UsageError(
            f"there is only one run to compare: {chosen[0].name}", "name another: see `foliot runs`"
        )
    unit = common_unit(chosen, options.unit)
    columns = tuple(
        Column(title, one.run, _normalised(in_unit(one.run, unit), options), _marks(one.run))
        for title, one in zip(titles(chosen), chosen, strict=True)
    )
    rows = _rows(columns, options)
    shown = f"{unit} over the board's own median" if options.normalise else unit
    notes = [*unlike(chosen), *(clock_notes(chosen) if options.unit else ())]
    comparison = Comparison(columns, rows, shown, tuple(notes))
    return replace(comparison, rows=_sorted(comparison, options.sort))


def common_unit(chosen: Sequence[Chosen], wanted: str) -> str:
    """Return the unit that all runs are in, or can be; UsageError where there is none."""
    units: dict[str, str] = {}
    for one in chosen:
        units.setdefault(one.run.header.unit, one.name)
    if not wanted and len(units) == 1:
        return next(iter(units))
    told = ", ".join(f"{name} is in {unit}" for unit, name in units.items())
    if not wanted:
        advice = "--in ns converts them" if set(units) <= {"cycles", "ns"} else None
        raise UsageError(f"these runs can't be compared, their units differ: {told}", advice)
    for unit, name in units.items():
        if unit not in ("cycles", "ns"):
            raise UsageError(f"{name} is in {unit}, which is neither cycles nor a time")
    for one in chosen:
        if one.run.header.unit != wanted and not clock_of(one.run):
            own = one.run.header.unit
            raise UsageError(f"{one.name} has no clock: its {own} can't become {wanted}")
    return wanted


def _marks(run: Run) -> dict[str, str]:
    marks = run.marks()
    return {row.id: mark for row in run.rows if (mark := MARKS[marks.get(row.id, "")])}


def _normalised(values: Mapping[str, float], options: Options) -> Mapping[str, float]:
    """Return the figures over their own median: what a row costs among its siblings."""
    if not options.normalise or not values:
        return values
    middle = median(values.values())
    return {row: value / middle for row, value in values.items()} if middle > 0 else values


def _rows(columns: Sequence[Column], options: Options) -> tuple[str, ...]:
    """Return the rows that two runs have, in the order in which they first come."""
    counts: dict[str, int] = {}
    for column in columns:
        for row in column.run.rows:
            counts[row.id] = counts.get(row.id, 0) + 1
    found = [row for row, count in counts.items() if count > 1]
    if not found:
        raise UsageError("these runs have no row in common")
    wanted = tuple(row for row in found if matches(row, options.rows))
    if not wanted:
        names = [*found, *map(family, found)]
        near = next(filter(None, (nearest(word, names) for word in options.rows)), "")
        raise UsageError(f"no row matches {', '.join(options.rows)}{near}", _ROWS_ARE_LISTED)
    return wanted


def _sorted(comparison: Comparison, order: str) -> tuple[str, ...]:
    if order == "name":
        return tuple(sorted(comparison.rows))
    if order == "ratio":
        ratios = comparison.ratios(comparison.columns[-1])
        return tuple(sorted(comparison.rows, key=lambda row: -ratios.get(row, -1.0)))
    return comparison.rows


_ATTRIBUTES: Mapping[str, Callable[[Run], str]] = {
    "version": lambda run: run.origin.kernel_version or run.header.kernel_commit,
    "board": lambda run: run.header.board,
    "configuration": lambda run: "+".join(run.header.configuration),
    "kernel": lambda run: run.origin.kernel,
    "core": lambda run: run.header.core,
}


def _by(chosen: Sequence[Chosen], by: str) -> list[Chosen]:
    """Name each run by what it differs in; of equal ones the last stays. Versions in order."""
    attribute = _ATTRIBUTES[by]
    named = {attribute(one.run) or "not known": one for one in chosen}
    ordered = list(named.items())
    if by == "version" and all("." in name for name in named):
        ordered.sort(key=lambda item: version_key(item[0]))
    return [replace(one, name=name.replace("/", "_")) for name, one in ordered]


def version_key(version: str) -> list[tuple[int, int, str]]:
    """Return what versions are ordered by: numbers as numbers, `-rc1` before the release."""
    parts = re.findall(r"\d+|[a-z]+", version.lower().partition("-g")[0].removeprefix("zephyr-"))
    key = [(1, int(part), "") if part.isdigit() else (0 if part == "rc" else 2, 0, part)
           for part in parts if part != "v"]  # fmt: skip
    return [*key, (1, 0, "")]


def unlike(chosen: Sequence[Chosen]) -> list[str]:
    """Say in a line each what is not alike about the runs, as far as it is known."""
    lines = []
    for what, attribute in (
        ("suite", lambda run: run.header.suite),
        ("configuration", lambda run: ", ".join(run.header.configuration)),
        ("compiler", lambda run: run.header.compiler),
        ("flags", lambda run: run.header.flags),
        ("wait states", lambda run: _wait_states(run.header.memory)),
        ("assertions", lambda run: "on" if run.header.assertions else ""),
    ):
        told: dict[str, list[str]] = {}
        for title, one in zip(titles(chosen), chosen, strict=True):
            value = attribute(one.run)
            if value not in ("", "not known"):
                told.setdefault(value, []).append(title)
        if len(told) > 1 or (what == "assertions" and told):
            each = "; ".join(f"{value}: {_some(names)}" for value, names in told.items())
            lines.append(f"unlike {what}: {each}")
    return lines


def clock_notes(chosen: Sequence[Chosen]) -> list[str]:
    """Say whose clock is nominal or disproved, where cycles and ns are turned into one another."""
    named = list(zip(titles(chosen), (one.run for one in chosen), strict=True))
    nominal = [(title, run) for title, run in named if is_nominal(run) and clock_of(run)]
    lines = [
        f"{title}: its clock is {clock_reported(run)}" for title, run in named if is_disproved(run)
    ]
    if nominal and len(nominal) < len(named):
        clock = clock_of(nominal[0][1]) / 1e6
        who = _some([title for title, _ in nominal])
        lines.append(f"simulated, at a nominal clock ({clock:g} MHz), which a chip has not: {who}")
    return lines


def _wait_states(memory: str) -> str:
    """Return the wait states that a memory's description ends with; nothing where it has none."""
    found = re.findall(r"(\d+(?:,\d+)?) wait states", memory)
    return found[-1] if found else ""


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
