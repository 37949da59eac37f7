# SPDX-License-Identifier: Apache-2.0
"""The search: the middle is tried, and takes half of the commits with it, until one is left.

A commit that can't be tried is gone round, as `git bisect skip` does; where only such ones are left
beside the bad one, the change is in one of them, and that is said. Where several can be tried at a
time, those are tried ahead that the next steps may ask for: which are asked for depends on nothing
but the figures, so that the answer is the same.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from foliot.bisect import commits
from foliot.bisect.sides import BAD, FEW, GOOD, Figures, Sides
from foliot.bisect.tries import Tries, Untestable
from foliot.campaign.here import Here
from foliot.model.errors import FoliotError
from foliot.model.names import counted
from foliot.show.numbers import figure

Say = Callable[[str], None]

_MOST_AHEAD = 31  # five steps; tries.py keeps twice as many images


@dataclass(slots=True)
class Search:
    """What is known: the good commits, the bad one, their figures, who can't be tried and why."""

    tries: Tries
    say: Say
    repeat: int
    good: list[str]
    bad: str
    ends: tuple[str, str] = ("", "")
    figures: dict[str, Figures] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    where: Here | None = None  # who tries several at a time
    ahead: set[str] = field(default_factory=set)

    def run(self) -> list[str]:
        """Return the first bad commit; several, the newest first, where some can't be tried."""
        sides = self._ends()
        while True:
            left = commits.left(self.good, self.bad)
            commit = commits.middle(self.good, self.bad, self.skipped)
            if commit is None:
                return left
            steps = math.ceil(math.log2(len(left)))
            self.say(f"{counted(len(left), 'commit')} left, about {counted(steps, 'step')}")
            self._look_ahead(commit)
            self._try(commit, sides)

    def _look_ahead(self, *needed: str) -> None:
        """Have commits tried together with those that may be asked for behind them."""
        if self.where is None or self.ahead.issuperset(needed):
            return
        count = min(self.where.at_once, _MOST_AHEAD)
        wanted = dict.fromkeys([*needed, *self._coming(count)])
        chosen = [one for one in wanted if one not in self.ahead][: max(count, len(needed))]
        self.say(f"{counted(len(chosen), 'commit')} at a time: {self.where.told()}")
        self.tries.ahead(chosen, self.where)
        self.ahead.update(chosen)

    def _coming(self, count: int) -> list[str]:
        """Return the commits of the next steps, whichever way those go, the next one first."""
        found: list[str] = []
        states = deque([(self.good, self.bad)])
        while states and len(found) < count:
            good, bad = states.popleft()
            commit = commits.middle(good, bad, self.skipped)
            if commit is not None:
                found.append(commit)
                states += [([*good, commit], bad), (good, commit)]
        return found

    def _ends(self) -> Sides:
        """Measure both ends; FoliotError where they don't differ, or can't be tried."""
        self.ends = self.good[0], self.bad
        ends = (self.good[0], GOOD), (self.bad, BAD)
        self._look_ahead(*self.ends)
        try:
            good, bad = (self._measured(commit, self.repeat) for commit, _ in ends)
        except Untestable as reason:
            missing = next(side for commit, side in ends if commit not in self.figures)
            raise FoliotError(f"the {missing} commit can't be tried: it {reason}") from None
        for commit, side in ends:
            self.say(self.line(commit, side))
        sides = Sides(good, bad)
        if not sides.differ:
            few = f"the same, as far as {self.repeat} runs can show,"
            shown = "the same" if self.tries.exact else few
            raise FoliotError(
                f"{self.tries.row} is {shown} in {commits.short(self.good[0])} and "
                f"{commits.short(self.bad)}: there is nothing to look for"
            )
        return sides

    def _try(self, commit: str, sides: Sides) -> None:
        try:
            side = self._side(commit, sides)
        except Untestable as reason:
            self.skipped[commit] = str(reason)
            self.say(f"{commits.short(commit)}  skipped: it {reason}")
            return
        self.say(self.line(commit, side))
        if side == BAD:
            self.bad = commit
        else:
            self.good.append(commit)

    def _side(self, commit: str, sides: Sides) -> str:
        """Return the side of a commit: one run where that is exact, else as many as it takes."""
        for count in [1] if self.tries.exact else range(FEW, max(FEW, self.repeat) + 1):
            side = sides.of(self._measured(commit, count))
            if side:
                return side
        raise Untestable(f"is on neither side that {self.repeat} runs could show")

    def _measured(self, commit: str, count: int) -> Figures:
        self.figures[commit] = self.tries.figures(commit, count)
        return self.figures[commit]

    def value(self, commit: str) -> str:
        """Return the figure of a commit that was tried; of repeated runs the median."""
        return figure(median(self.figures[commit]))

    def before(self, commit: str) -> str:
        """Return the good commit that one came of; behind a merge the last that was tried."""
        own = [parent for parent in commits.parents(commit) if parent in self.figures]
        return own[0] if own else self.good[-1]

    def line(self, commit: str, side: str) -> str:
        """Return a commit that was tried in a line."""
        runs = len(self.figures[commit])
        of = f" (median of {runs} runs)" if runs > 1 else ""
        return f"{commits.told(commit)[:70]}  {self.value(commit)}{of} {side}"

    def known(self) -> str:
        """Say between which commits the change lies, as far as that is known."""
        left = commits.left(self.good, self.bad)
        return (
            f"it lies behind {commits.short(self.good[-1])}, at {commits.short(self.bad)} at the "
            f"latest: {counted(len(left), 'commit')}"
        )

    def as_dict(self, found: list[str]) -> dict[str, Any]:
        """Return what was found for programs; `found` is the first bad commit, or several."""
        return {
            "schema": 1, "row": self.tries.row, "board": self.tries.board.name, "first_bad": found,
            "tried": {commit: list(figures) for commit, figures in self.figures.items()},
            "skipped": self.skipped, "built": self.tries.built, "ran": self.tries.ran,
        }  # fmt: skip
