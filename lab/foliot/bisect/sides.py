# SPDX-License-Identifier: Apache-2.0
"""On which side a commit's figures are: the good one's or the bad one's.

Where a run is all there is to know, the nearer one's. On silicon runs are repeated until a rank
test shows that they are not of one side and does not show that they are not of the other; where
both are shown, something between them was measured, and the nearer median counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from foliot.judge import repeated

GOOD, BAD = "good", "bad"
# The fewest that can show a difference of one row to as many, and so what is begun with.
FEW = repeated.needed(1)

Figures = Sequence[float]


@dataclass(frozen=True, slots=True)
class Sides:
    """The figures of both ends."""

    good: Figures
    bad: Figures

    @property
    def differ(self) -> bool:
        """Whether there is anything to look for."""
        if len(self.good) == len(self.bad) == 1:
            return self.good[0] != self.bad[0]
        return _shown(self.good, self.bad)

    def of(self, figures: Figures) -> str:
        """Return the side that figures are on; "" where more of them are needed to say."""
        nearer = self._nearer(median(figures))
        if len(self.good) == len(self.bad) == 1:
            return nearer
        not_good, not_bad = _shown(self.good, figures), _shown(self.bad, figures)
        if not_good and not_bad:
            return nearer
        return BAD if not_good else GOOD if not_bad else ""

    def _nearer(self, value: float) -> str:
        good, bad = abs(value - median(self.good)), abs(value - median(self.bad))
        return BAD if bad < good else GOOD


def _shown(before: Figures, after: Figures) -> bool:
    return repeated.differences({"": before}, {"": after})[""].shown
