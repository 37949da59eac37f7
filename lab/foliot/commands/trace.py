# SPDX-License-Identifier: Apache-2.0
"""`foliot trace`: record what the kernel did, of an unchanged image; write it, answer questions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands.options import (
    BoardOption,
    ConfOption,
    ElfOption,
    JsonFileOption,
    QuietOption,
    TimeoutOption,
    WaitOption,
    simulator_options,
    words,
)
from foliot.model.errors import UsageError
from foliot.model.names import plain
from foliot.show import output
from foliot.show.terminal import Progress
from foliot.target import boards, paths, provision, runner
from foliot.target import build as building
from foliot.trace import ctf, perfetto, show
from foliot.trace.answers import Answers
from foliot.trace.events import Recording
from foliot.trace.recorder import Request, check_board, record

REQUIREMENTS = paths.ROOT / "lab" / "requirements-trace.txt"
OUT = paths.BUILD / "trace"


def command(
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="An application.", show_default=False)
    ] = None,
    board: BoardOption = None,
    conf: ConfOption = None,
    elf: ElfOption = None,
    timeout: TimeoutOption = None,
    events: Annotated[
        int, typer.Option("--events", metavar="N", min=1, help="At most so many.")
    ] = 200_000,
    marks: Annotated[
        list[str] | None,
        typer.Option("--mark", metavar="FUNCTION", help="A mark at each call of it; * and ?."),
    ] = None,
    thread: Annotated[
        str | None, typer.Option("--thread", metavar="NAME", help="Its longest waits, drawn.")
    ] = None,
    wait_states: WaitOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="For the files.")
    ] = None,
    json: JsonFileOption = None,
    quiet: QuietOption = False,
) -> None:
    """Record what the kernel did, of an unchanged image; who waited for whom."""
    if (directory is None) == (elf is None):
        raise UsageError("trace takes either a directory or --elf FILE")
    name = board or boards.default()
    options = simulator_options(wait_states, name)
    found = boards.load(name)
    check_board(found)
    progress = Progress(quiet)
    image = _image(directory, elf, found, words(conf), progress)
    provision.python_packages(REQUIREMENTS, progress, "foliot trace")
    request = Request(tuple(marks or ()), timeout, events, options)
    program = (directory or image).resolve().name
    recording = record(found, image, program, request, progress, _hear)
    answers = Answers(recording)
    _write(answers, out or OUT / found.name / program, progress)
    _tell(answers, thread, json)
    raise typer.Exit(_status(recording))


def _image(
    directory: Path | None, elf: Path | None, board: boards.Board, conf: tuple[str, ...],
    progress: Progress,
) -> Path:  # fmt: skip
    if elf is not None:
        runner.check_image(elf)
    app = None if directory is None else building.application(directory, conf)
    provision.prepare(board, progress)
    if app is not None:
        return building.build(app, board, progress, conf).image
    return (elf or Path()).resolve()


def _hear(line: bytes) -> None:
    """Pass the program's console on, apart from the answers: to standard error."""
    print(plain(line.decode("utf-8", "replace")), file=sys.stderr)


def _write(answers: Answers, directory: Path, progress: Progress) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    perfetto.write(answers, directory / "trace.pftrace")
    ctf.write(answers.recording, directory / "ctf")
    progress.say(
        f"For ui.perfetto.dev: {paths.shown(directory / 'trace.pftrace')};"
        f" for babeltrace2: {paths.shown(directory / 'ctf')}"
    )


def _tell(answers: Answers, thread: str | None, json: str | None) -> None:
    if json is not None:
        output.write_json(json, show.as_dict(answers))
    if json != output.STDOUT:
        print("\n".join(show.lines(answers, thread)))


def _status(recording: Recording) -> int:
    """Fail where the program failed: not where it was left before its end."""
    return 1 if recording.status else 0
