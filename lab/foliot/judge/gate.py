# SPDX-License-Identifier: Apache-2.0
"""Did this change make anything slower? A baseline, new runs, and a verdict row by row.

On simulators a run comes out the same every time, so every change is real: all are
reported, and a rise beyond what was allowed fails; what the firmware weighs is held the same
way. On silicon it doesn't: whole runs are repeated there, and a row fails only where it rose
by more than an absolute and a relative floor, and the rank test (repeated.py) shows that it
rose. What so many runs can show is a matter of their number and known before any of them: where
it takes more, a row that was higher in every run is told as unsure, and is no failure; of 47
rows that didn't change, three runs against three accuse two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from foliot.judge import repeated
from foliot.judge.repeated import Difference
from foliot.model.errors import UsageError, nearest
from foliot.model.names import counted, family, matches
from foliot.model.run import Row, Run

# The statistics that are held against the baseline, and in which words.
_STATISTICS = ("p50", "max", "first")

# Silicon: a rise below either of these is no rise.
FLOOR_UNITS = 3.0
FLOOR_PERCENT = 2.0


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much rows of a pattern may rise, in the run's unit, without failing."""

    pattern: str
    units: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one row: `status` is same, faster, slower, unsure, failed, missing or new."""

    row: str
    status: str
    before: float | None
    after: float | None
    text: str

    @property
    def fails(self) -> bool:
        """True where the gate fails because of this row."""
        return self.status in ("failed", "missing")

    @property
    def unsure(self) -> bool:
        """True where more runs would have to say whether the row got slower."""
        return self.status == "unsure"

    @property
    def is_weight(self) -> bool:
        """True where it is no row that was judged, but what the firmware weighs."""
        return self.row.startswith("footprint.")

    @property
    def word(self) -> str:
        """The status in words: what has a size doesn't get faster."""
        words = {"faster": "smaller", "slower": "larger"} if self.is_weight else {}
        return words.get(self.status, self.status)


def allowances(words: Sequence[str]) -> list[Allowance]:
    """Read `PATTERN=N`; UsageError where a word is not of that form."""
    found = []
    for word in words:
        pattern, equals, units = word.rpartition("=")
        try:
            found.append(Allowance(pattern, float(units)))
        except ValueError:
            equals = ""
        if not equals or not pattern or found[-1].units < 0:
            raise UsageError(f"--allow takes PATTERN=N, as in 'mutex*=2', not '{word}'")
    return found


def check_allowed(allowed: Sequence[Allowance], baseline: Run) -> None:
    """Raise UsageError where an allowance is for nothing that the baseline holds."""
    weights = baseline.footprint.weights() if baseline.footprint else {}
    rows = [*(row.id for row in baseline.rows), *weights]
    for one in allowed:
        if not any(matches(row, [one.pattern]) for row in rows):
            near = nearest(one.pattern, [*rows, *map(family, rows)])
            raise UsageError(
                f"--allow '{one.pattern}={one.units:g}' is for no row of the baseline{near}"
            )


def check_alike(baseline: Run, run: Run) -> None:
    """Raise UsageError where two runs measure different things."""
    for what, old, new in (
        ("board", baseline.header.board, run.header.board),
        ("unit", baseline.header.unit, run.header.unit),
        ("suite", baseline.header.suite, run.header.suite),
        ("memory", baseline.header.memory, run.header.memory),
        ("configuration", ", ".join(baseline.header.configuration),
         ", ".join(run.header.configuration)),
    ):  # fmt: skip
        if old != new:
            raise UsageError(f"the baseline's {what} is {old}, the run's is {new}")


def judge_exactly(baseline: Run, run: Run, allowed: Sequence[Allowance]) -> list[Verdict]:
    """Hold a simulator's run against its baseline: any change is one."""
    verdicts = []
    for old in baseline.rows:
        new = run.row(old.id)
        if new is None:
            verdicts.append(Verdict(old.id, "missing", old.p50, None, "not measured any more"))
        else:
            verdicts.append(_judge_row(old, new, allowed))
    known = {row.id for row in baseline.rows}
    verdicts += [
        Verdict(row.id, "new", None, row.p50, f"new: {row.p50:g}")
        for row in run.rows
        if row.id not in known
    ]
    return verdicts + _judge_weights(baseline, run, allowed)


def _judge_weights(baseline: Run, run: Run, allowed: Sequence[Allowance]) -> list[Verdict]:
    """Hold what the firmware weighs against the baseline, where both say it."""
    if baseline.footprint is None or run.footprint is None:
        return []
    old, new = baseline.footprint.weights(), run.footprint.weights()
    verdicts = []
    for name, before in old.items():
        after = new.get(name)
        if after is None:
            verdicts.append(Verdict(name, "missing", before, None, "there no more"))
            continue
        text = f"{before} -> {after} bytes" if after != before else ""
        limit = _limit(name, allowed)
        status = "same" if after == before else "faster" if after < before else "slower"
        if after - before > limit:
            beyond = f", {limit:g} allowed" if limit else ""
            status, text = "failed", f"{text}: a rise of {after - before}{beyond}"
        verdicts.append(Verdict(name, status, before, after, text))
    verdicts += [
        Verdict(name, "new", None, after, f"new: {after} bytes")
        for name, after in new.items()
        if name not in old
    ]
    return verdicts


def _limit(row: str, allowed: Sequence[Allowance]) -> float:
    return max((one.units for one in allowed if matches(row, [one.pattern])), default=0.0)


def _judge_row(old: Row, new: Row, allowed: Sequence[Allowance]) -> Verdict:
    changes = {
        name: (getattr(old, name), getattr(new, name))
        for name in _STATISTICS
        if getattr(old, name) != getattr(new, name)
    }
    if not changes:
        return Verdict(old.id, "same", old.p50, new.p50, "")
    text = ", ".join(f"{name} {before:g} -> {after:g}" for name, (before, after) in changes.items())
    rise = max(after - before for before, after in changes.values())
    limit = _limit(old.id, allowed)
    if rise <= 0:
        return Verdict(old.id, "faster", old.p50, new.p50, text)
    if rise <= limit:
        return Verdict(old.id, "slower", old.p50, new.p50, f"{text} (allowed: {limit:g})")
    beyond = f", {limit:g} allowed" if limit else ""
    return Verdict(old.id, "failed", old.p50, new.p50, f"{text}: a rise of {rise:g}{beyond}")


def judge_statistically(
    baseline: Sequence[Run],
    runs: Sequence[Run],
    allowed: Sequence[Allowance],
    floor_units: float = FLOOR_UNITS,
    floor_percent: float = FLOOR_PERCENT,
) -> list[Verdict]:
    """Hold repeated runs of a real board against those of the baseline."""
    old, new = medians(baseline), medians(runs)
    found = repeated.differences(old, new)
    verdicts = []
    for row_id, before in old.items():
        if row_id not in found:
            verdicts.append(Verdict(row_id, "missing", median(before), None, "not measured"))
            continue
        one = found[row_id]
        least = max(floor_units + _limit(row_id, allowed), one.before * floor_percent / 100)
        higher = min(new[row_id]) > max(before) and one.after - one.before > least
        few = higher and not one.shown
        verdicts.append(_unsure(row_id, one) if few else _by_ranks(row_id, one, least))
    verdicts += [
        Verdict(row_id, "new", None, median(after), f"new: {median(after):g}")
        for row_id, after in new.items()
        if row_id not in old
    ]
    return verdicts


def _by_ranks(row: str, one: Difference, least: float) -> Verdict:
    """Judge a row by the rank test; `least` is what a rise must exceed to matter."""
    text = f"{one.before:g} -> {one.after:g}"
    if not one.shown:
        runs = " against ".join(map(str, dict.fromkeys(one.runs)))
        text += f": no difference that {runs} runs could show"
        return Verdict(row, "same", one.before, one.after, text)
    text += f", {one.shift:+g} (95 %: {one.low:+g} to {one.high:+g})"
    if one.shift > least:
        text += f": a rise of {one.shift:g}"
        return Verdict(row, "failed", one.before, one.after, text)
    return Verdict(row, "slower" if one.shift > 0 else "faster", one.before, one.after, text)


def _unsure(row: str, one: Difference) -> Verdict:
    """Tell of a row that was higher in every run, which so few runs are by chance, too."""
    text = f"{one.before:g} -> {one.after:g}, higher in every run, which so few can't show"
    return Verdict(row, "unsure", one.before, one.after, text)


def summed(verdicts: Sequence[Verdict]) -> str:
    """Return `44 same, 3 faster`."""
    counts = Counter(verdict.word for verdict in verdicts)
    words = ("same", "faster", "smaller", "slower", "larger", "unsure", "failed", "missing", "new")
    return ", ".join(f"{counts[word]} {word}" for word in words if counts[word])


def how_judged(baseline: int, runs: int, rows: int) -> str:
    """Say by which rule so many repeated runs are judged."""
    if repeated.enough(baseline, runs, rows):
        return (
            f"{counted(baseline, 'run')} against {runs}, by a rank test at 5 % over all rows: "
            "'same' is no difference that they could show"
        )
    accused = rows * repeated.by_chance(baseline, runs)
    return (
        f"{counted(baseline, 'run')} against {runs} can't show that one row of {rows} rose: it "
        f"takes {repeated.needed(rows)} of each. A row that is higher in every run is 'unsure': so "
        f"are {accused:.1f} of {counted(rows, 'row')} that did not change"
    )


def medians(runs: Sequence[Run]) -> Mapping[str, list[float]]:
    """Return each row's median in each of the runs."""
    found: dict[str, list[float]] = {}
    for run in runs:
        for row_id, value in run.values().items():
            found.setdefault(row_id, []).append(value)
    return found
