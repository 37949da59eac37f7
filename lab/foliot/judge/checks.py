# SPDX-License-Identifier: Apache-2.0
"""What a check is, and the list of all: a check registers itself in the file that it is in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from foliot.model.run import Doubt, Row, Run


@dataclass(frozen=True, slots=True)
class Context:
    """What a check may know beside the run itself: what was asked for, where it was."""

    board: str = ""
    unit: str = ""
    suite: str = ""
    expected: Sequence[str] = ()


RowCheck = Callable[[Row, Run], Iterator[Doubt]]
RunCheck = Callable[[Run, Context], Iterator[Doubt]]

ROW_CHECKS: list[RowCheck] = []
RUN_CHECKS: list[RunCheck] = []


def for_row(check: RowCheck) -> RowCheck:
    """Register a check of one row."""
    ROW_CHECKS.append(check)
    return check


def for_run(check: RunCheck) -> RunCheck:
    """Register a check of the whole run."""
    RUN_CHECKS.append(check)
    return check


def is_printed(run: Run) -> bool:
    """Whether these are the rows of a published log as they were printed, cycles and ns."""
    return run.published and any(row.ns is not None for row in run.rows)
