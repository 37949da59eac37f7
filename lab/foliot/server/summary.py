# SPDX-License-Identifier: Apache-2.0
"""What lists and histories need of a run, taken out of it when it is recorded.

Doubts follow from facts by rules that improve: what is kept here is what the rules said when the
run was recorded; its own page judges anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foliot.judge.doubts import examine_saved
from foliot.model.figures import is_nominal
from foliot.model.run import Run

# A letter a row: its mark (Run.mark) and, where it is a capital, that it may be in a mean.
_LETTERS = {"": "p", "doubtful": "d", "decoded": "c", "unknown": "u"}
_MARKS = {letter: mark for mark, letter in _LETTERS.items()}


@dataclass(frozen=True, slots=True)
class Summary:
    """Figures and marks in the order of `rows`; `weights` are the footprint's, in bytes."""

    rows: Sequence[str]
    figures: Sequence[float | None]
    marks: str
    weights: Mapping[str, int]
    nominal: bool
    valid: bool

    @property
    def shape(self) -> bytes:
        """Return what names the rows and their order."""
        return hashlib.sha256("\n".join(self.rows).encode()).digest()


def summary(facts: Run) -> Summary:
    """Return the summary of a run, with today's doubts."""
    run = examine_saved(facts)
    trusted = run.trusted()
    known = run.marks()
    letters = [(row.id, _LETTERS[known.get(row.id, "")]) for row in run.rows]
    marks = "".join(letter.upper() if row in trusted else letter for row, letter in letters)
    return Summary(
        rows=[row.id for row in run.rows], figures=[value for _, value in run.figures()],
        marks=marks, weights=run.footprint.weights() if run.footprint else {},
        nominal=is_nominal(run), valid=run.valid,
    )  # fmt: skip


def mark(letter: str) -> str:
    """Return what is to be known of a figure, as Run.mark says it."""
    return _MARKS[letter.lower()]


def is_trusted(letter: str) -> bool:
    """Whether the figure may be in a mean."""
    return letter.isupper()
