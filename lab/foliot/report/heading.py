# SPDX-License-Identifier: Apache-2.0
"""What stands above a report: what it is of, when and by which command it was made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from foliot.model.published import NOBODYS
from foliot.model.run import Run
from foliot.report.content import Subject

_MOST = 2


@dataclass(frozen=True, slots=True)
class Made:
    """How a page was made; what is not known is empty."""

    command: str = ""
    when: datetime | None = None


def title(subjects: Sequence[Subject]) -> str:
    """Say what a report is of: its suites and its boards, as many as have room."""
    suites = _some(list(dict.fromkeys(subject.run.header.suite for subject in subjects)))
    known = boards(subject.run for subject in subjects)
    return f"{suites} on {_some(known)}" if known else suites


def boards(runs: Iterable[Run]) -> list[str]:
    """Return the boards that runs are of, each once; one that nobody named is none."""
    named = dict.fromkeys(run.header.board for run in runs)
    return [board for board in named if board != NOBODYS]


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
    headers = [subject.run.header for subject in subjects if not subject.run.published]
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
