# SPDX-License-Identifier: Apache-2.0
"""`foliot scope`: record the test cases, or read a capture; pictures, figures, verdict."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from foliot import boards, paths
from foliot.errors import UsageError
from foliot.scope import picture, signals, table
from foliot.scope.analysis import Analysis, analyse, jitter
from foliot.scope.expected import Check, across
from foliot.scope.recorder import Case, Request, Session, record
from foliot.ui import Progress, console

OUT = paths.BUILD / "scope"


def scope(
    board_name: str, request: Request, out: Path | None, json_file: str | None, quiet: bool
) -> int:
    """Record cases, write a VCD and pictures of each, print the table; 1 if one misbehaved."""
    progress = Progress(quiet)
    board = boards.load(board_name)
    session = record(board, request, progress)
    directory = out or OUT / board.name
    write_files(session, directory, progress)
    failed = failures(session)
    _write_json(json_file, session, failed)
    if json_file != "-":
        table.print_table(pairs(session), failed, console())
        checks = sum(len(case.checks) for case in session.cases)
        print(
            f"{len(session.cases)} cases on {board.name} ({session.memory}), {checks} expectations,"
            f" {len(failed)} not met. Signals and pictures: {paths.shown(directory)}"
        )
    return 1 if failed else 0


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


def import_capture(
    capture: Path, pins: Iterable[str], tick: int | None, out: Path | None, quiet: bool
) -> int:
    """Measure a capture of a logic analyser; times in nanoseconds. `tick` too, if given."""
    recording = signals.from_vcd(capture, pin_names(pins))
    missing = [name for name in ("scheduler", "queueing") if not recording.signal(name)]
    if missing:
        raise UsageError(
            f"{capture} shows no {' and no '.join(missing)}",
            "name its signals: --pin scheduler=D1 --pin queueing=D2 --pin thread_any=D0 ...",
        )
    recording = recording.cut(recording.start, recording.end)
    analysis = analyse(recording, tick)
    directory = out or OUT / capture.stem
    directory.mkdir(parents=True, exist_ok=True)
    svg = picture.draw(recording, analysis, capture.name)
    (directory / f"{capture.stem}.svg").write_text(svg, encoding="utf-8")
    picture.write_png(svg, directory / f"{capture.stem}.png")
    for name, value in figures(analysis).items():
        print(f"{name:32} {value}")
    Progress(quiet).say(f"Pictures: {paths.shown(directory)}")
    return 0


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


def _write_json(name: str | None, session: Session, failed: Sequence[tuple[str, Check]]) -> None:
    if name is None:
        return
    content = {
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
    text = json.dumps(content, indent=1) + "\n"
    if name == "-":
        sys.stdout.write(text)
    else:
        Path(name).write_text(text, encoding="utf-8")
