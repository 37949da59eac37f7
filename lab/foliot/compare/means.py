# SPDX-License-Identifier: Apache-2.0
"""Over which rows a mean may be: those that all who are compared have, and that nobody doubts.

Who lacks a dear row would else look cheap beside those who have it. Who has few of the rows that
most have (a piece of a benchmark, a log that was cut) would leave the others no row to be
compared by: it is left out, and whoever shows the mean says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Generic, TypeVar

from foliot.model.figures import geometric_mean
from foliot.model.names import counted

Figures = Mapping[str, float]
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Fair(Generic[Key]):
    """The rows of a mean, `of` how many there are, and who has all of them.

    `left_out` maps those who are compared by no mean to how many of the usual rows they have.
    """

    rows: tuple[str, ...]
    of: int
    compared: tuple[Key, ...]
    left_out: Mapping[Key, int]

    def scores(self, trusted: Mapping[Key, Figures]) -> dict[Key, float]:
        """Return each one's geometric mean over the rows' medians: 1 is the middle."""
        if not self.rows:
            return {}
        middle = {row: median(trusted[key][row] for key in self.compared) for row in self.rows}
        return {
            key: geometric_mean([trusted[key][row] / middle[row] for row in self.rows])
            for key in self.compared
        }

    def told(self, names: Mapping[Key, str]) -> str:
        """Say over which rows the mean is, and who is not in it."""
        text = f"over the {counted(len(self.rows), 'row')} that all have and nobody doubts"
        text += f", of {self.of}" if self.of > len(self.rows) else ""
        if not self.rows:
            text = "none: there is no row that all have and nobody doubts"
        if self.left_out:
            few = ", ".join(f"{names[key]} ({count})" for key, count in self.left_out.items())
            text += f"; not in it, with too few of them: {few}"
        return text


def fair(trusted: Mapping[Key, Figures], always: Collection[Key] = ()) -> Fair[Key]:
    """Choose the rows of a mean, from each one's figures that nobody doubts.

    Who is in `always` is never left out.
    """
    counts = Counter(row for figures in trusted.values() for row in figures)
    usual = {row for row, count in counts.items() if 2 * count > len(trusted)}
    had = {key: len(usual & figures.keys()) for key, figures in trusted.items()}
    compared = [key for key in trusted if key in always or 2 * had[key] >= len(usual)]
    rows = _common(trusted, compared)
    while not rows and len(compared) > 1:
        free = [key for key in compared if key not in always]
        if not free:
            break
        compared.remove(min(reversed(free), key=had.__getitem__))
        rows = _common(trusted, compared)
    left_out = {key: had[key] for key in trusted if key not in compared}
    return Fair(tuple(row for row in counts if row in rows), len(counts), tuple(compared), left_out)


def _common(trusted: Mapping[Key, Figures], compared: Collection[Key]) -> set[str]:
    each = [{*trusted[key]} for key in compared]
    return set.intersection(*each) if each else set()
