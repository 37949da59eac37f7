# SPDX-License-Identifier: Apache-2.0
"""What `foliot prove` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from foliot.prove import mutants, run
from foliot.prove.run import Result

_BY_FILE = "{:<32} {:>9} {:>9} {:>7} {:>8} {:>8} {:>11}"
_WIDTHS = "{:<46.46} {:>8} {:>6} {:>7}  {}"


def lines(found: Sequence[Result], with_goals: bool = False) -> list[str]:
    """Return a line a function: its goals, those of run-time errors, the time, who proved them."""
    shown = [_WIDTHS.format("function", "contract", "errors", "time", "by")]
    file = ""
    for one in found:
        if one.file != file:
            file = one.file
            shown.append(file)
        shown.append(_line(one))
        if with_goals:
            shown += _goals(one)
    proved = [one for one in found if one.is_proved]
    contract = sum(goals_of_contract(one) for one in proved)
    shown.append(
        f"{len(proved)} of {len(found)} functions proved: {contract} goals of contracts, "
        f"{sum(len(one.proof.goals) for one in proved) - contract} of run-time errors; "
        f"{sum(one.was_kept for one in found)} kept; {len(run.unproved())} listed as not proved"
    )
    return shown


def goals_of_contract(one: Result) -> int:
    """Return how many goals a function's contract has, those of run-time errors not counted."""
    return sum(goal.is_contract for goal in one.proof.goals)


def _line(one: Result) -> str:
    by = Counter(goal.prover or "nobody" for goal in one.proof.goals)
    contract = goals_of_contract(one)
    return _WIDTHS.format(
        f"  {one.function}", contract, len(one.proof.goals) - contract,
        f"{one.proof.seconds:.1f} s", ", ".join(f"{name}: {n}" for name, n in sorted(by.items())),
    )  # fmt: skip


def _goals(one: Result) -> Iterator[str]:
    for goal in one.proof.goals:
        place = f":{goal.line}" if goal.line else ""
        yield f"    {goal.prover or 'NOT PROVED':<10.10} {goal.title[:70]}{place}"


def failures(one: Result) -> Iterator[str]:
    """Say where a function's proof fails, a line a goal."""
    if one.proof.error:
        yield f"{one.file}:{one.line}: {one.function}: {one.proof.error}"
    for goal, place in run.places(one):
        yield f"{place}: {one.function}: not proved: {goal.title}"


def as_dict(one: Result) -> dict[str, Any]:
    """Return it for JSON."""
    return {
        "file": one.file,
        "function": one.function,
        "line": one.line,
        "proved": one.is_proved,
        "seconds": one.proof.seconds,
        "kept": one.was_kept,
        "error": one.proof.error,
        "goals": [
            {"title": goal.title, "line": goal.line, "contract": goal.is_contract,
             "prover": goal.prover, "seconds": goal.seconds}
            for goal in one.proof.goals
        ],
    }  # fmt: skip


def by_file(found: Sequence[Result]) -> list[str]:
    """Return the table of docs/proofs.md: what is proved of each file, and what is only listed."""
    left = Counter(name.split()[0] for name in run.unproved())
    rows = [
        _BY_FILE.format(
            "file", "functions", "contract", "errors", "mutants", "assumed", "not proved"
        )
    ]
    rows += [
        _of_file(file, [one for one in found if one.file == file], left[file])
        for file in sorted({one.file for one in found} | set(left))
    ]
    return [*rows, _of_file("together", found, left.total())]


def _of_file(name: str, found: Sequence[Result], left: int) -> str:
    own = [one for one in found if one.is_proved]
    contract = sum(goals_of_contract(one) for one in own)
    errors = sum(len(one.proof.goals) for one in own) - contract
    tried = mutants.committed()
    mine = [tried[one.name] for one in own if one.name in tried]
    killed = sum(one["killed"] for one in mine)
    alive = sum(len(one["alive"]) for one in mine)
    assumed = {one for result in own for one in result.assumed}
    return _BY_FILE.format(
        name, len(own), contract, errors, f"{killed}/{killed + alive}", len(assumed), left
    )
