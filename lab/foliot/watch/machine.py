# SPDX-License-Identifier: Apache-2.0
"""Looks at a program in a simulator: it is stopped at a pace, gdb reads memory, it goes on.

Nothing of the image is changed, and on RTL no clock passes meanwhile. gdb is the one that
`foliot debug` starts, with the view of the kernel that finds all threads (lab/inside_gdb).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from foliot.model.errors import FoliotError, UsageError
from foliot.target import debugger, process
from foliot.target.boards import Board
from foliot.watch.samples import Sample, from_json

_MARK = "foliot top: "
_MOST_SKIPPED = 100  # in a row, before it is said that nothing can be seen


def check_board(board: Board) -> None:
    """Refuse a board that no debugger reaches here; UsageError says what does it instead."""
    if board.kind == "device":
        raise UsageError(
            f"{board.name} is a device, and this machine runs none",
            f"flash an image of `--conf report` (./foliot flash {board.name} DIR -c report),"
            " and watch its serial port: --port TTY",
        )
    if not debugger.has_stub(board):
        raise UsageError(
            f"{board.name} is a process: no debugger sees its threads (docs/debugging.md)",
            "watch it on a simulated board: `foliot boards` lists them",
        )


@contextmanager
def looking(
    board: Board, image: Path, every_s: float
) -> Iterator[tuple[Iterator[Sample], Callable[[], list[bytes]]]]:
    """Start the machine; yield its samples, one each `every_s`, and what returns its console."""
    port = debugger.free_port()
    with (
        tempfile.TemporaryFile() as console,
        debugger.machine(board, image, port, console, every_s),
    ):
        more = ["-ex", "foliot top -c"]
        command = debugger.gdb_command(board, image, port, True, more, batch=True)
        child = process.start(command)
        try:
            if child.stdout is None:
                raise FoliotError("gdb's output can't be read")
            yield _samples(child.stdout), lambda: _said(console)
        finally:
            process.end(child)


def _samples(said: IO[bytes]) -> Iterator[Sample]:
    """Yield the samples until the program has ended; FoliotError where gdb could not look."""
    skipped, other = 0, [""]
    for raw in said:
        line = raw.decode("utf-8", "replace").rstrip()
        if not line.startswith(_MARK):
            other.append(line)
            continue
        told = from_json(line.removeprefix(_MARK))
        if isinstance(told, Sample):
            skipped = 0
            yield told
            continue
        if "ended" in told:
            return
        skipped += 1
        if skipped == _MOST_SKIPPED:
            raise FoliotError(f"nothing can be seen of the program: {told['skipped']}")
    raise FoliotError("gdb ended by itself", lines=other[-3:])


def _said(console: IO[Any]) -> list[bytes]:
    at = console.tell()  # the machine writes by the same description: where it has come to
    console.seek(max(0, at - 4096))
    lines: list[bytes] = console.read().splitlines()
    return lines
