# SPDX-License-Identifier: Apache-2.0
"""Did this change make anything slower? A baseline, new runs, and a verdict row by row.

On simulators a run comes out the same every time, so every change is real: all are
reported, and a rise beyond what was allowed fails. On silicon it doesn't: whole runs are
repeated there, and a row fails only where its median rose by more than an absolute floor,
a relative floor and the spread from run to run, all three at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from foliot.model.errors import UsageError
from foliot.model.names import matches
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
    """What came of one row: `status` is same, faster, slower, failed, missing or new."""

    row: str
    status: str
    before: float | None
    after: float | None
    text: str

    @property
    def fails(self) -> bool:
        """True where the gate fails because of this row."""
        return self.status in ("failed", "missing")


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


def check_alike(baseline: Run, run: Run) -> None:
    """Raise UsageError where two runs measure different things."""
    for what, old, new in (
        ("board", baseline.header.board, run.header.board),
        ("unit", baseline.header.unit, run.header.unit),
        ("suite", baseline.header.suite, run.header.suite),
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
    return verdicts


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
    limit = max((one.units for one in allowed if matches(old.id, [one.pattern])), default=0.0)
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
    old, new = _medians(baseline), _medians(runs)
    verdicts = []
    for row_id, before in old.items():
        after = new.get(row_id)
        if after is None:
            verdicts.append(Verdict(row_id, "missing", median(before), None, "not measured"))
            continue
        level, now = median(before), median(after)
        rise = now - level
        limit = max((one.units for one in allowed if matches(row_id, [one.pattern])), default=0.0)
        spread = max(max(before) - min(before), max(after) - min(after))
        limits = (floor_units + limit, level * floor_percent / 100, spread)
        text = f"{level:g} -> {now:g}, from run to run {spread:g}"
        if rise > max(limits):
            verdicts.append(Verdict(row_id, "failed", level, now, f"{text}: a rise of {rise:g}"))
        else:
            status = "same" if rise == 0 else "slower" if rise > 0 else "faster"
            verdicts.append(Verdict(row_id, status, level, now, text))
    verdicts += [
        Verdict(row_id, "new", None, median(after), f"new: {median(after):g}")
        for row_id, after in new.items()
        if row_id not in old
    ]
    return verdicts


def _medians(runs: Sequence[Run]) -> Mapping[str, list[float]]:
    """Return each row's median in each of the runs."""
    found: dict[str, list[float]] = {}
    for run in runs:
        for row_id, value in run.values().items():
            found.setdefault(row_id, []).append(value)
    return found
