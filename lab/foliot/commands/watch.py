# SPDX-License-Identifier: Apache-2.0
"""`foliot watch`: a program's threads, shares of the CPU, stacks and heaps, as `top` shows them."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands.options import (
    BoardOption,
    ConfOption,
    ElfOption,
    PortOption,
    QuietOption,
    words,
)
from foliot.model.errors import UsageError
from foliot.model.names import plain
from foliot.show.terminal import Progress, console
from foliot.target import boards, provision, runner, serialport
from foliot.target import build as building
from foliot.watch import machine, reports, show
from foliot.watch.samples import Sample, shares

CONFIGURATION = "watch"
_CONSOLE_LINES = 5


def command(
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="An application.", show_default=False)
    ] = None,
    board: BoardOption = None,
    conf: ConfOption = None,
    elf: ElfOption = None,
    port: PortOption = None,
    baud: Annotated[
        int | None, typer.Option("--baud", metavar="N", min=1, help="Of that port.")
    ] = None,
    every: Annotated[
        float, typer.Option("--every", metavar="S", min=0.05, max=3600, help="Between two samples.")
    ] = 1.0,
    once: Annotated[bool, typer.Option("--once", help="Sample once, and end.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Show threads, CPU shares, stacks and heaps of a running program."""
    if port is not None:
        if directory or elf or conf or board:
            raise UsageError(
                "--port listens to a board that runs already: no DIR, --elf, --conf or --board",
                "its image is one of `--conf report`, which prints what is shown",
            )
        raise typer.Exit(_listen(serialport.Port(port, baud or serialport.BAUD), once, quiet))
    if baud is not None:
        raise UsageError("--baud is for --port")
    if (directory is None) == (elf is None):
        raise UsageError("watch takes either a directory or --elf FILE, or --port TTY")
    found = boards.load(board or boards.default())
    machine.check_board(found)
    image = _image(directory, elf, found, words(conf) or (CONFIGURATION,), Progress(quiet))
    with machine.looking(found, image, every) as (samples, said):
        raise typer.Exit(_show(samples, once, said))


def _image(
    directory: Path | None, elf: Path | None, board: boards.Board, conf: tuple[str, ...],
    progress: Progress,
) -> Path:  # fmt: skip
    if elf is not None:
        runner.check_image(elf)
    app = None if directory is None else building.application(directory, conf)
    provision.prepare(board, progress)
    provision.install(provision.DEBUG_PACKAGES, progress)
    if app is not None:
        return building.build(app, board, progress, conf).image
    return (elf or Path()).resolve()


def _listen(port: serialport.Port, once: bool, quiet: bool) -> int:
    progress = Progress(quiet)
    progress.say(f"Waiting for reports on {port.name} (an image of --conf report).")
    return _show(reports.listen(port, progress.announce), once, list)


def _show(samples: Iterator[Sample], once: bool, said: Callable[[], list[bytes]]) -> int:
    """Show samples as they come: in place on a terminal, one below the other elsewhere."""
    before, live = None, sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and not once
    with contextlib.suppress(KeyboardInterrupt), _screen(live) as put:
        for sample in samples:
            parts = shares(before, sample)
            lines = [*show.lines(sample, parts), *show.missing(sample, parts)]
            if live:
                lines += [plain(line.decode("utf-8", "replace"))[:100]
                          for line in said()[-_CONSOLE_LINES:]]  # fmt: skip
            put("\n".join(lines))
            before = sample
            if once:
                return 0
    if before is None:
        print("The program ended before it could be looked at.", file=sys.stderr)
    return 0 if before else 1


@contextlib.contextmanager
def _screen(live: bool) -> Iterator[Callable[[str], None]]:
    """Yield what puts a text in place of the one before, or below it."""
    if not live:
        yield lambda text: print(text, end="\n\n", flush=True)
        return
    from rich.live import Live
    from rich.text import Text

    with Live(console=console(), auto_refresh=False, vertical_overflow="crop") as display:
        yield lambda text: display.update(Text(text, no_wrap=True), refresh=True)
