# SPDX-License-Identifier: Apache-2.0
"""`foliot trace`: record what the kernel did, of an unchanged image; write it, answer questions."""

from __future__ import annotations

import contextlib
import math
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands.options import (
    BoardOption,
    ConfOption,
    ElfOption,
    JsonFileOption,
    PortOption,
    QuietOption,
    TimeoutOption,
    WaitOption,
    simulator_options,
    words,
)
from foliot.image.elf import Image
from foliot.model.errors import UsageError
from foliot.model.names import counted, plain
from foliot.show import output
from foliot.show.terminal import Progress
from foliot.target import boards, paths, provision, runner, serialport
from foliot.target import build as building
from foliot.target.serialport import Port
from foliot.trace import ctf, perfetto, probe, show, stream
from foliot.trace import ring as ring_events
from foliot.trace.answers import Answers
from foliot.trace.events import Recording
from foliot.trace.printed import Printed
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
    line: Annotated[
        int | None, typer.Option("--line", metavar="N", help="An interrupt's longest latencies.")
    ] = None,
    ring: Annotated[
        bool, typer.Option("--ring", help="Out of a ring of events that the image prints.")
    ] = False,
    streamed: Annotated[
        bool, typer.Option("--stream", help="The same, sent while the program runs.")
    ] = False,
    port: PortOption = None,
    server: Annotated[
        str | None,
        typer.Option("--probe", metavar="HOST:PORT", help="The ring through a debugger's server."),
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
    if ring and streamed:
        raise UsageError("--ring and --stream can't be given together")
    own = "--stream" if streamed else "--ring" if ring else ""  # the image's own events
    if port is not None and not own:
        raise UsageError("--port is for --ring and --stream: a board tells its events there")
    if server is not None:
        if not ring or port is not None:
            raise UsageError("--probe reads a --ring, and no --port beside it")
        probe.check(server)
    if own and marks:
        raise UsageError(f"--mark is not for {own}: no function of the application's is in it")
    if not own:
        check_board(found)
    progress = Progress(quiet)
    fragments = words(conf) or ((own.removeprefix("--"),) if own else ())
    image = _image(directory, elf, found, fragments, progress, to_run=not (port or server))
    provision.python_packages(REQUIREMENTS, progress, "foliot trace")
    program = (directory or image).resolve().name
    if own:
        if server is not None:
            printed = probe.read(server, found, image, progress)
        else:
            lines = _console(found, image, timeout, port, progress)
            printed = _streamed(lines, progress) if streamed else ring_events.read(_text(lines))
        recording = ring_events.decode(printed, found, Image(image), program)
    else:
        request = Request(tuple(marks or ()), timeout, events, options)
        recording = record(found, image, program, request, progress, _hear)
    answers = Answers(recording)
    _write(answers, out or OUT / found.name / program, progress)
    _tell(answers, thread, line, json)
    raise typer.Exit(_status(recording))


def _image(
    directory: Path | None, elf: Path | None, board: boards.Board, conf: tuple[str, ...],
    progress: Progress, to_run: bool = True,
) -> Path:  # fmt: skip
    if elf is not None:
        runner.check_image(elf)
    app = None if directory is None else building.application(directory, conf)
    provision.prepare(board, progress, to_run=to_run)
    if app is not None:
        return building.build(app, board, progress, conf).image
    return (elf or Path()).resolve()


def _console(
    board: boards.Board, image: Path, timeout: float | None, port: str | None, progress: Progress
) -> list[bytes]:
    """Return the console's lines of a run, or of a board at a port; pass the program's own on."""
    lines: list[bytes] = []
    if port is not None:
        return serial_lines(port, timeout, progress)
    with progress.task(f"Running on {board.name}"):
        runner.run(board, image, lines.append, limit_s=timeout)
    return lines


def serial_lines(name: str, timeout: float | None, progress: Progress) -> list[bytes]:
    """Return what comes at a port, up to the end of the events, in time; Ctrl-C ends it too."""
    lines: list[bytes] = []
    ends = time.monotonic() + timeout if timeout else math.inf
    looks = stream.Stream()
    with contextlib.suppress(KeyboardInterrupt), serialport.open_port(Port(name)) as opened:
        progress.say(f"Listening to {name}: reset the board. Ctrl-C ends it.")
        rest = b""
        while not looks.ended and time.monotonic() < ends:
            came = opened.read(opened.in_waiting or 1)
            looks.feed(came)
            *whole, rest = (rest + came).split(b"\n")
            for line in whole:
                lines.append(line.rstrip(b"\r"))
                if line.startswith(b"@trace end"):
                    return lines
    return lines


def _text(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines; what is no event's is passed on."""
    for line in lines:
        if not line.startswith(b"@trace "):
            _hear(line)
        yield line


def _streamed(lines: Iterable[bytes], progress: Progress) -> Printed:
    """Return the events of a console; what is no event's is passed on."""
    came = stream.Stream()
    text = came.feed(b"".join(line + b"\n" for line in lines))
    for line in text.splitlines():
        _hear(line)
    if came.damaged:
        progress.say(f"Of the events {counted(came.damaged, 'frame')} came damaged.")
    return came.printed()


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


def _tell(answers: Answers, thread: str | None, line: int | None, json: str | None) -> None:
    if json is not None:
        output.write_json(json, show.as_dict(answers))
    if json != output.STDOUT:
        print("\n".join(show.lines(answers, thread, line)))


def _status(recording: Recording) -> int:
    """Fail where the program failed: not where it was left before its end."""
    return 1 if recording.status else 0
