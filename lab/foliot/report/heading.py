# SPDX-License-Identifier: Apache-2.0
"""What stands above a report: what it is of, when and by which command it was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from foliot.report.content import Subject

_MOST = 2


@dataclass(frozen=True, slots=True)
class Made:
    """How a page was made; what is not known is empty."""

    command: str = ""
    when: datetime | None = None


def title(subjects: Sequence[Subject]) -> str:
    """Say what a report is of: its suites and its boards, as many as have room."""
    suites = list(dict.fromkeys(subject.run.header.suite for subject in subjects))
    boards = list(dict.fromkeys(subject.run.header.board for subject in subjects))
    if len(subjects) == 1:
        return f"{suites[0]} on {boards[0]}"
    return f"{_some(suites)} on {_some(boards)}"


def facts(subjects: Sequence[Subject], made: Made) -> list[tuple[str, str]]:
    """Return the lines below the title: names and values, of what is known."""
    when = made.when or datetime.now(UTC)
    recorded = sorted(subject.recorded for subject in subjects if subject.recorded)
    ends = list(dict.fromkeys(_date(one) for one in (recorded[:1] + recorded[-1:])))
    known = [
        ("made", f"{when:%-d %B %Y, %H:%M} UTC"),
        ("recorded", " to ".join(ends)),
        ("commit", _commits(subjects)),
        ("command", made.command),
    ]
    return [(name, value) for name, value in known if value]


def _commits(subjects: Sequence[Subject]) -> str:
    """Say of which commits of our kernel the runs are."""
    headers = [subject.run.header for subject in subjects if not subject.run.foreign]
    commits = list(dict.fromkeys(
        header.kernel_commit + " with changes" * header.dirty
        for header in headers if header.kernel_commit
    ))  # fmt: skip
    return _some(commits)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(names[:_MOST]) + more


def _date(recorded: str) -> str:
    return recorded[:16].replace("T", " ")
