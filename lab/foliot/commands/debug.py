# SPDX-License-Identifier: Apache-2.0
"""`foliot debug`: a program on a board with gdb on it, which knows the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands.options import BoardOption, ConfOption, ElfOption, QuietOption, words
from foliot.model.errors import UsageError, nearest_path
from foliot.show.terminal import Progress
from foliot.target import boards, debugger, paths, provision, runner
from foliot.target import build as building
from foliot.target.boards import Board


def command(
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="An application.", show_default=False)
    ] = None,
    board: BoardOption = None,
    conf: ConfOption = None,
    quiet: QuietOption = False,
    elf: ElfOption = None,
    reset: Annotated[
        bool, typer.Option("--reset", help="Stop at reset instead of at main().")
    ] = False,
    port: Annotated[
        int | None,
        typer.Option("--port", metavar="N", min=1, max=65535, help="Of the stub (a free one)."),
    ] = None,
    no_gdb: Annotated[
        bool, typer.Option("--no-gdb", help="Wait for another gdb, or an IDE's.")
    ] = False,
    file: Annotated[
        list[Path] | None, typer.Option("-x", metavar="FILE", help="gdb commands, more than once.")
    ] = None,
    commands: Annotated[
        list[str] | None,
        typer.Option("--command", "-e", metavar="CMD", help="A gdb command, more than once."),
    ] = None,
    batch: Annotated[
        bool, typer.Option("--batch", help="End after these; no questions, no paging.")
    ] = False,
) -> None:
    """Run an application under gdb, which knows threads, queues and timeouts."""
    if (directory is None) == (elf is None):
        raise UsageError("debug takes either a directory or --elf FILE")
    if no_gdb and (batch or file or commands or reset):
        raise UsageError("--no-gdb starts no gdb: --batch, --command, -x and --reset are for it")
    found = boards.load(board or boards.default())
    if not debugger.has_stub(found) and (no_gdb or port is not None):
        raise UsageError(f"{found.name} is a process: gdb starts it, there is no port to attach to")
    for script in file or ():
        if not script.is_file():
            raise UsageError(f"{paths.shown(script)} is no file{nearest_path(script)}")
    if port is not None:
        debugger.checked_port(port)
    image = _image(directory, elf, found, words(conf), Progress(quiet), to_attach=not no_gdb)
    more = [word for script in file or () for word in ("-x", str(script))]
    more += [word for line in commands or () for word in ("-ex", line)]
    if no_gdb:
        raise typer.Exit(_wait(found, image, port or debugger.free_port()))
    raise typer.Exit(_attach(found, image, port, reset, more, batch))


def _image(
    directory: Path | None,
    elf: Path | None,
    board: Board,
    conf: Sequence[str],
    progress: Progress,
    to_attach: bool,
) -> Path:
    if elf is not None:
        runner.check_image(elf)
    app = None if directory is None else building.application(directory, conf)
    provision.prepare(board, progress)
    if to_attach:
        provision.install(provision.DEBUG_PACKAGES, progress)
    if app is not None:
        return building.build(app, board, progress, conf).image
    return (elf or Path()).resolve()


def _attach(
    board: Board, image: Path, port: int | None, reset: bool, more: Sequence[str], batch: bool
) -> int:
    if not debugger.has_stub(board):
        return debugger.attach(debugger.gdb_command(board, image, None, reset, more, batch))
    port = port or debugger.free_port()
    with debugger.machine(board, image, port):
        return debugger.attach(debugger.gdb_command(board, image, port, reset, more, batch))


def _wait(board: Board, image: Path, port: int) -> int:
    """Start the machine, say how to attach, and wait until it ends."""
    with debugger.machine(board, image, port) as child:
        print(f"{board.name} waits at 127.0.0.1:{port}, before its first instruction. In gdb:")
        print(f"  file {image}")
        print(f"  source {debugger.VIEW}")
        print(f"  target remote 127.0.0.1:{port}")
        print("Ctrl-C here ends it.", flush=True)
        return 0 if child.wait() >= 0 else 1
