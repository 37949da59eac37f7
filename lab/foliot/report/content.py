# SPDX-License-Identifier: Apache-2.0
"""What a report says of its runs, before anything is drawn.

Runs are put side by side only where they can be: in the same unit, and with rows in
common. Figures are compared as `Run.values` reads them: where a doubt says what a figure
really is, that is taken, and a figure known to be wrong is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from foliot.compare.combined import Interval, intervals, mean_interval
from foliot.compare.means import Fair, fair
from foliot.compare.repeats import Set, differences, merged, sets_of, verdict
from foliot.judge.repeated import Difference
from foliot.model.figures import (
    clock_of,
    clock_reported,
    in_unit,
    is_disproved,
    is_nominal,
)
from foliot.model.names import counted, family
from foliot.model.run import Doubt, Row, Run
from foliot.reference import systems
from foliot.store.selection import Chosen
from foliot.target import boards

UNITS = {"cycles": "cycles", "insn": "instructions", "tsc": "TSC ticks"}


@dataclass(frozen=True, slots=True)
class Subject:
    """One run of the report: `key` names it within the page, `name` to the reader.

    Of runs that `bench --repeat` recorded together it is all: `run` is what they say together
    (compare/combined.py), `repeats` holds each.
    """

    key: str
    name: str
    run: Run
    recorded: str
    is_reference: bool
    repeats: Sequence[Run] = ()

    @property
    def intervals(self) -> Mapping[str, Interval]:
        """Between what each row of repeated runs lies; nothing of a single run."""
        return intervals(self.repeats)

    @property
    def unit(self) -> str:
        """The unit in words."""
        return UNITS.get(self.run.header.unit, self.run.header.unit)


class Group:
    """Runs that can be compared: one unit, and each shares a row with another of them.

    In `measure` ns it is the same runs by the clock: what a cycle takes differs from board
    to board.
    """

    def __init__(self, key: str, subjects: Sequence[Subject], measure: str = "") -> None:
        """Gather the rows of the runs, in the order in which they stand there."""
        self.key = key
        self.subjects = subjects
        self.measure = measure or subjects[0].run.header.unit
        self.texts: dict[str, str] = {}
        for subject in sorted(subjects, key=lambda s: -len(s.run.rows)):
            for row in subject.run.rows:
                self.texts.setdefault(row.id, row.text)

    @property
    def unit(self) -> str:
        """The unit in words."""
        return UNITS.get(self.measure, self.measure)

    @cached_property
    def in_ns(self) -> Group | None:
        """The same by the clock; None where no clock is known, or all have the same one."""
        clocks = {clock_of(subject.run) for subject in self.subjects}
        if self.measure != "cycles" or 0 in clocks or len(clocks) == 1:
            return None
        return Group(f"{self.key}-ns", self.subjects, "ns")

    @property
    def nominal(self) -> Sequence[Subject]:
        """Of runs in ns: those whose clock is nominal, where others' is a chip's."""
        found = [subject for subject in self.subjects if is_nominal(subject.run)]
        return found if self.measure == "ns" and len(found) < len(self.subjects) else ()

    def mark(self, subject: Subject) -> str:
        """Return what charts write behind a run's name: ` ^` where it is one of `nominal`."""
        return " ^" * any(one.key == subject.key for one in self.nominal)

    @property
    def title(self) -> str:
        """The suites that it is about."""
        suites = dict.fromkeys(subject.run.header.suite for subject in self.subjects)
        names = list(suites)
        return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")

    @cached_property
    def values(self) -> Mapping[str, Mapping[str, float]]:
        """The figures to reckon with, by subject's key and row's id."""
        return {subject.key: in_unit(subject.run, self.measure) for subject in self.subjects}

    @cached_property
    def trusted(self) -> Mapping[str, Mapping[str, float]]:
        """The positive figures that nobody doubts: what runs are ranked by."""
        return {
            subject.key: {
                row_id: values[row_id] for row_id in subject.run.trusted() if row_id in values
            }
            for subject, values in zip(self.subjects, self.values.values(), strict=True)
        }

    @cached_property
    def medians(self) -> Mapping[str, float]:
        """The median of each row over the runs that have a figure that can be trusted."""
        found = {}
        for row_id in self.texts:
            known = [values[row_id] for values in self.trusted.values() if row_id in values]
            if known:
                found[row_id] = median(known)
        return found

    @cached_property
    def fair(self) -> Fair[str]:
        """Over which rows the runs are ranked, and who is not: compare/means.py."""
        return fair(self.trusted)

    @cached_property
    def told(self) -> str:
        """Say over which rows the means are."""
        return self.fair.told({subject.key: subject.name for subject in self.subjects})

    @cached_property
    def scores(self) -> Mapping[str, float]:
        """Each run's geometric mean of its figures over the rows' medians: 1 is the middle."""
        return self.fair.scores(self.trusted)

    @cached_property
    def families(self) -> Mapping[str, Mapping[str, float]]:
        """Each ranked run's mean by family, such as `semaphore`: over its rows that all have."""
        ranked = {key: self.trusted[key] for key in self.fair.compared}
        found: dict[str, Mapping[str, float]] = {}
        for name in dict.fromkeys(family(row_id) for row_id in self.medians):
            own = {key: {row: values[row] for row in values if family(row) == name}
                   for key, values in ranked.items()}  # fmt: skip
            over = fair(own)
            if over.rows and not over.left_out:
                found[name] = over.scores(own)
        return found

    def over_best(self, key: str) -> float | None:
        """Return a run's score over the best one's: 1 is the best."""
        best = min(self.scores.values(), default=0.0)
        return self.scores[key] / best if best > 0 and key in self.scores else None

    def interval(self, subject: Subject) -> Interval | None:
        """Return between what the means of repeated runs lie, over the best run's."""
        best = min(self.scores.values(), default=0.0)
        if best <= 0 or subject.key not in self.scores or self.measure == "ns":
            return None
        rows = self.fair.rows
        middle = {row: median(self.trusted[key][row] for key in self.fair.compared) * best
                  for row in rows}  # fmt: skip
        return mean_interval(subject.repeats, rows, middle)

    @cached_property
    def tests(self) -> Sequence[Test]:
        """The rank tests of repeated runs: each further set against the first."""
        sets = [subject for subject in self.subjects if len(subject.repeats) > 1]
        if len(sets) < 2 or all(boards.simulated(one.run.header.board) for one in sets):
            return ()
        first, *others = [Set(one.name, [Chosen(one.name, run) for run in one.repeats])
                          for one in sets]  # fmt: skip
        return [Test(first, other, differences(first, other)) for other in others]

    @cached_property
    def shared(self) -> Sequence[str]:
        """The rows that at least two runs have; all, where there is but one run."""
        if len(self.subjects) == 1:
            return list(self.texts)
        count = Counter(row.id for subject in self.subjects for row in subject.run.rows)
        return [row_id for row_id in self.texts if count[row_id] > 1]

    @cached_property
    def ranking(self) -> Sequence[Subject]:
        """The runs, the least first."""
        known = [subject for subject in self.subjects if subject.key in self.scores]
        return sorted(known, key=lambda subject: self.scores[subject.key])


@dataclass(frozen=True, slots=True)
class Test:
    """Two sets of repeated runs, held against each other row by row."""

    before: Set
    after: Set
    rows: Mapping[str, Difference]

    @property
    def told(self) -> str:
        """Say how many rows differ, and what so many runs could not show."""
        return verdict(self.rows, len(self.before.runs), len(self.after.runs))


@dataclass(frozen=True, slots=True)
class Finding:
    """A doubt by its name, and all that it was found in.

    `advice` is what to do where that is the same for all, else empty.
    """

    name: str
    advice: str
    invalidates: bool
    found: Sequence[tuple[Subject, Doubt]]


def subjects(chosen: Sequence[Chosen]) -> list[Subject]:
    """Give each run a key and a name that no other has, without its document where it can be."""
    references = frozenset(systems.names())
    sets = [[each.run for each in one.runs] for one in sets_of(chosen)]
    chosen = merged(chosen)
    titles = Counter(one.title for one in chosen)
    made = []
    taken = Counter[str]()
    for number, (one, runs) in enumerate(zip(chosen, sets, strict=True), 1):
        telling = titles[one.title] == 1 and not one.title.isdigit()
        name = one.title if telling else one.name
        taken[name] += 1
        unique = name if taken[name] == 1 else f"{name} ({taken[name]})"
        recorded = one.kept.recorded if one.kept else ""
        known = one.name in references and one.kept is None
        repeats = runs if len(runs) > 1 else ()
        made.append(Subject(f"r{number}", unique, one.run, recorded, known, repeats))
    return made


def groups(of: Sequence[Subject]) -> list[Group]:
    """Put together what can be compared, the largest group first."""
    found: list[tuple[str, set[str], list[Subject]]] = []
    for subject in of:
        unit, ids = subject.run.header.unit, {row.id for row in subject.run.rows}
        akin = [one for one in found if one[0] == unit and one[1] & ids]
        merged = [member for one in akin for member in one[2]]
        found = [one for one in found if one not in akin]
        found.append((unit, ids.union(*(one[1] for one in akin)), [*merged, subject]))
    found.sort(key=lambda one: -sum(len(subject.run.rows) for subject in one[2]))
    order = {subject.key: place for place, subject in enumerate(of)}
    return [
        Group(f"g{number}", sorted(members, key=lambda subject: order[subject.key]))
        for number, (_, _, members) in enumerate(found, 1)
    ]


def findings(of: Sequence[Subject]) -> list[Finding]:
    """Gather the doubts by name, those that say a figure is wrong first."""
    by_name: dict[str, list[tuple[Subject, Doubt]]] = {}
    for subject in of:
        for doubt in subject.run.doubts:
            by_name.setdefault(doubt.name, []).append((subject, doubt))
    made = [
        Finding(name, _common_advice(found), any(d.invalidates for _, d in found), found)
        for name, found in by_name.items()
    ]
    return sorted(made, key=lambda finding: (not finding.invalidates, -len(finding.found)))


def _common_advice(found: Sequence[tuple[Subject, Doubt]]) -> str:
    advice = {doubt.advice for _, doubt in found}
    return sentence(advice.pop()) if len(advice) == 1 else ""


def sentence(text: str) -> str:
    """Return a text that begins in upper case and ends with a full stop."""
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."


def wrong_rows(run: Run) -> set[str]:
    """Return the rows whose figure, as it was printed, is known to be wrong."""
    return {doubt.row for doubt in run.doubts if doubt.invalidates and doubt.row}


def varies(row: Row) -> bool:
    """Say whether a row has a distribution that is worth drawing."""
    return row.n > 1 and len(row.histogram) > 1


def number(value: float | None) -> str:
    """Write a figure: whole where it is, else with one decimal; nothing for None."""
    if value is None:
        return ""
    return f"{value:.0f}" if value == int(value) or abs(value) >= 1e5 else f"{value:.1f}"


def ratio(value: float | None) -> str:
    """Write a ratio with two decimals; nothing for None."""
    return "" if value is None else f"{value:.2f}"


def shortly(group: Group) -> str:
    """Say over which rows a group's means are, and how many runs are not in them."""
    rows, left = group.fair.rows, len(group.fair.left_out)
    of = f", of {group.fair.of}" if group.fair.of > len(rows) else ""
    without = f"; {counted(left, 'run')} with too few of them left out" if left else ""
    return f"over the {counted(len(rows), 'row')} that all have and nobody doubts{of}{without}"


def between(group: Group, subject: Subject) -> str:
    """Return between what the means of repeated runs lie, in brackets; nothing of a single run."""
    found = group.interval(subject)
    if found is None:
        return ""
    low, high = ratio(found.low), ratio(found.high)
    return f" ({low} to {high})" if low < high else f" ({found.low:.3f} to {found.high:.3f})"


def core(subject: Subject) -> str:
    """Return a core's name without what its source says of how it was made."""
    return re.split(r"\s*[(:;]|\s+[0-9a-f]{7,}\b", subject.run.header.core)[0]


def clock(subject: Subject) -> str:
    """Say a run's clock in MHz: what the rows imply, and what is to be known of it."""
    hz = clock_of(subject.run)
    if not hz:
        return ""
    told = f"{hz / 1e6:g}"
    if is_disproved(subject.run):
        return f"{told}, not the declared {subject.run.header.clock_hz / 1e6:g}"
    return f"{told}, nominal" if is_nominal(subject.run) else told


def facts(subject: Subject) -> list[tuple[str, str]]:
    """Say how a run was made: names and values, without what is not known."""
    header, origin = subject.run.header, subject.run.origin
    told = clock_reported(subject.run)
    counter = header.counter
    bits = f"{counter['name']}, {counter.get('bits', '?')} bits" if counter.get("name") else ""
    commit = header.kernel_commit + (" with changes" if header.dirty else "")
    lines = f"lines {origin.lines[0]} to {origin.lines[1]} of " if origin.lines else ""
    known = [
        ("what", origin.title), ("suite", header.suite), ("board", header.board),
        ("core", header.core), ("unit", subject.unit), ("clock", told), ("counter", bits),
        ("memory", header.memory), ("kernel", f"{origin.kernel} {origin.kernel_version}".strip()),
        ("commit", commit), ("configuration", ", ".join(header.configuration)),
        ("compiler", header.compiler), ("flags", header.flags),
        ("assertions", "on" if header.assertions else ""), ("emulator", origin.emulator),
        ("command", " ".join(origin.command)), ("source", f"{lines}{origin.source}"),
        ("read as", origin.format), ("recorded", subject.recorded),
        ("image", origin.build_id), ("log", origin.log_sha256 and f"SHA-256 {origin.log_sha256}"),
        *((f"device: {name}", value) for name, value in origin.device.items()),
    ]  # fmt: skip
    return [(name, value) for name, value in known if value and value != "not known"]
