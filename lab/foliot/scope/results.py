# SPDX-License-Identifier: Apache-2.0
"""What comes of the recorded cases: pictures, figures, and what was not as expected."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from foliot.scope import gtkwave, picture, vcd
from foliot.scope.analysis import Analysis
from foliot.scope.expected import Check, across
from foliot.scope.jitter import completion_jitter, release_jitter
from foliot.scope.recorder import SWITCH_ROW, Case, Session
from foliot.scope.vcd import NO_TIMES
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
    """Write case-N.vcd, .gtkw, .svg and .png of each case, the pictures to one scale."""
    directory.mkdir(parents=True, exist_ok=True)
    scale = scale_of(session)
    with progress.task("Drawing") as task:
        for index, case in enumerate(session.cases):
            task.update(case.title, index, len(session.cases))
            stem = directory / f"case-{case.facts.number}"
            vcd.write_vcd(case.recording, stem.with_suffix(".vcd"))
            gtkwave.write(case.recording, case.analysis, stem.with_suffix(".gtkw"))
            svg = draw(session, case, scale)
            stem.with_suffix(".svg").write_text(svg, encoding="utf-8")
            picture.write_png(svg, stem.with_suffix(".png"))


def scale_of(*sessions: Session) -> picture.Scale:
    """Return the scale on which the cases of sessions are compared."""
    return picture.Scale.of(
        (case.recording, case.analysis) for session in sessions for case in session.cases
    )


def draw(session: Session, case: Case, scale: picture.Scale) -> str:
    """Return a case's picture, with the board and its memory under the title."""
    unit = NO_TIMES.get(session.unit, session.unit)
    subtitle = f"{session.board.name}: {session.board.core}; {session.memory}; in {unit}"
    note = (
        f"Context switch, from before k_period_wait() to after it in the next thread, untraced: "
        f"{session.switch} {session.unit} (row {SWITCH_ROW})."
        if session.switch is not None
        else f"Recorded in {session.board.run['emulator']}: an order of events, and no times."
    )
    return picture.draw(case.recording, case.analysis, case.title, subtitle, scale, note)


def figures(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis as plain figures, in its unit; None for what was not to be seen.

    `gap` is what lies between two threads' signals. On our boards the trace is in it, and
    a switch as KernelPerf defines it is another figure: Session.switch.
    """
    run = analysis.full_run
    return {
        "unit": analysis.unit, "tick": analysis.tick, "ticks": len(analysis.ticks),
        "threads": max(analysis.threads, analysis.most_queued),
        "queued": [r.queued for r in analysis.releases],
        "scheduler": run.length, "checking": run.checking_time,
        "queueing": run.queueing_time, "queueing_each": [p.length for p in run.queueing],
        "interrupt": run.isr.length if run.isr else None, "gap": analysis.gap,
        "scheduler_share": _share(analysis.scheduler_load),
        "interrupt_share": _share(analysis.interrupt_load),
        "switching_share": _share(analysis.switch_load),
        "release_offsets": analysis.release_offsets() or None,
        "release_jitter": release_jitter(analysis),
        "completion_jitter": completion_jitter(analysis),
        "thread_0_intervals": analysis.intervals() or None,
    }  # fmt: skip


def _share(share: float | None) -> float | None:
    return None if share is None else round(share, 6)


def as_dict(session: Session, failed: Sequence[tuple[str, Check]]) -> dict[str, Any]:
    """Return the cases for JSON, and what was not as expected of them."""
    return {
        "schema": 1, "board": session.board.name, "memory": session.memory,
        "commit": session.run.header.kernel_commit, "unit": session.unit,
        "switch": session.switch, "switch_row": SWITCH_ROW,
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
