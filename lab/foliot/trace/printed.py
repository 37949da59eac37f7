# SPDX-License-Identifier: Apache-2.0
"""What came of an image's ring of events: printed at its end (ring.py), or sent (stream.py)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gap:
    """Events that are not there, in front of the one with the number `at`."""

    at: int
    lost: int


@dataclass(frozen=True, slots=True)
class Printed:
    """A ring's events (time, what, a, b), and what one costs, in counts.

    `lost`: all that are not there, those of the gaps, or, without any, the last ones.
    """

    events: tuple[tuple[int, int, int, int], ...]
    lost: int
    cost: int
    call_cost: int
    clock_hz: int
    gaps: tuple[Gap, ...] = ()
