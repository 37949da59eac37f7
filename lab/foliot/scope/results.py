# SPDX-License-Identifier: Apache-2.0
"""What comes of the recorded cases: pictures, figures, and what was not as expected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from foliot.model.errors import UsageError
from foliot.scope import picture, signals
from foliot.scope.analysis import Analysis, jitter
from foliot.scope.expected import Check, across
from foliot.scope.recorder import Case, Session
from foliot.show.terminal import Progress


def pairs(session: Session) -> list[tuple[Any, Analysis]]:
    """Return the cases as the table takes them."""
    return [(case.facts, case.analysis) for case in session.cases]


def failures(session: Session) -> list[tuple[str, Check]]:
    """Return what was not as expected, case by case and across the cases."""
    failed = [
        (f"case {case.facts.number}", check)
        for case in session.cases
        for check in case.checks
        if not check.met
    ]
    return failed + [("the cases together", c) for c in across(pairs(session)) if not c.met]


def write_files(session: Session, directory: Path, progress: Progress) -> None:
    """Write case-N.vcd, .svg and .png of each case."""
    directory.mkdir(parents=True, exist_ok=True)
    with progress.task("Drawing") as task:
        for index, case in enumerate(session.cases):
            task.update(case.title, index, len(session.cases))
            stem = directory / f"case-{case.facts.number}"
            signals.write_vcd(case.recording, stem.with_suffix(".vcd"))
            svg = draw(session, case)
            stem.with_suffix(".svg").write_text(svg, encoding="utf-8")
            picture.write_png(svg, stem.with_suffix(".png"))


def draw(session: Session, case: Case) -> str:
    """Return a case's picture, with the board and its memory under the title."""
    subtitle = f"{session.board.name}: {session.board.core}; {session.memory}"
    return picture.draw(case.recording, case.analysis, case.title, subtitle)


def pin_names(pins: Iterable[str]) -> Mapping[str, str]:
    """Take `--pin scheduler=D1` apart; UsageError for a signal that there is none of."""
    known = {*signals.FOUR, "isr", "syscall", *(f"thread_{n}" for n in range(16))}
    found = {}
    for pin in pins:
        name, equals, theirs = pin.partition("=")
        if not equals or not theirs or name not in known:
            raise UsageError(f"--pin takes SIGNAL=NAME, not '{pin}'",
                             f"signals are {', '.join(sorted(known))}")  # fmt: skip
        found[name] = theirs
    return found


def figures(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis as plain figures, in its unit."""
    run = analysis.full_run
    return {
        "unit": analysis.unit, "tick": analysis.tick, "ticks": len(analysis.ticks),
        "threads": analysis.threads, "queued": [r.queued for r in analysis.runs()],
        "scheduler": run.pulse.length, "checking": run.checking_time,
        "queueing": run.queueing_time, "queueing_each": [p.length for p in run.queueing],
        "interrupt": run.isr.length if run.isr else None, "switch": analysis.switch,
        "scheduler_share": round(analysis.scheduler_load, 6),
        "switching_share": round(analysis.switch_load, 6),
        "release_offsets": analysis.release_offsets(),
        "release_jitter": jitter(analysis.release_offsets()),
        "completion_jitter": jitter(analysis.completions),
        "thread_0_intervals": analysis.intervals(),
    }  # fmt: skip


def as_dict(session: Session, failed: Sequence[tuple[str, Check]]) -> dict[str, Any]:
    """Return the cases for JSON, and what was not as expected of them."""
    return {
        "schema": 1, "board": session.board.name, "memory": session.memory,
        "commit": session.run.header.kernel_commit, "unit": session.board.unit,
        "cases": [
            {
                "case": case.facts.number, "title": case.title, **figures(case.analysis),
                "overruns": case.facts.overruns, "skipped": case.facts.skipped,
                "checks": [{"text": c.text, "met": c.met} for c in case.checks],
            }
            for case in session.cases
        ],
        "failed": [f"{what}: {check.text}" for what, check in failed],
    }  # fmt: skip
