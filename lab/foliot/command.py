# SPDX-License-Identifier: Apache-2.0
"""The commands that are short: build, run, setup and the lists."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from foliot import boards, paths, provision, runner
from foliot import build as building
from foliot.errors import FoliotError, LogError
from foliot.ui import Progress, console


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a run may take: simulated seconds, or cycles of a board in RTL."""

    simulated_s: float | None = None
    max_cycles: int | None = None


def build(
    directory: Path, board_name: str, conf: Sequence[str], samples: int | None, quiet: bool
) -> None:
    """`foliot build`: make the firmware; print where it is and what it weighs."""
    from foliot.footprint import footprint
    from foliot.table import footprint_lines

    board = boards.load(board_name)
    building.application(directory)
    progress = Progress(quiet)
    provision.prepare(board, progress, to_run=False)
    firmware = building.build(directory, board, progress, conf, samples)
    print(paths.shown(firmware.elf))
    if not quiet:
        for line in footprint_lines(footprint(firmware.elf, firmware.map)):
            print(line)


def run(
    directory: Path | None,
    elf: Path | None,
    board_name: str,
    conf: Sequence[str],
    limits: Limits,
    quiet: bool,
) -> int:
    """`foliot run`: the console of an application or an image; return the exit status.

    Exactly one of `directory` and `elf` is given.
    """
    board = boards.load(board_name)
    progress = Progress(quiet)
    if elf is not None:
        runner.check_image(elf)
        provision.prepare(board, progress)
        image = elf
    else:
        app = building.application(directory or Path())
        provision.prepare(board, progress)
        image = building.build(app, board, progress, conf).elf
    listener = _Listener()
    outcome = runner.run(
        board, image, listener.line, limit_s=limits.simulated_s, max_cycles=limits.max_cycles
    )
    return _verdict(outcome, listener, image)


class _Listener:
    """Passes the console on as it comes, and keeps what it says about a fault."""

    def __init__(self) -> None:
        self.faults: list[bytes] = []

    def line(self, line: bytes) -> None:
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()
        if line.startswith(b'@foliot {"type":"fault"'):
            self.faults.append(line)


def _verdict(outcome: runner.Outcome, listener: _Listener, image: Path) -> int:
    from foliot import fault, records

    if listener.faults and outcome.reason != "pass":
        try:
            record = records.parse_object(listener.faults[0].decode()[len("@foliot ") :])
            lines = fault.describe_fault(records.fault(record), image)
        except (LogError, UnicodeDecodeError):
            lines = ["the target died of a fault, and its record is garbled"]
    elif outcome.hung:
        lines = fault.describe_hang(outcome, image)
    elif outcome.reason == "crash":
        raise FoliotError(f"the simulator broke (status {outcome.status})")
    else:
        return 0 if outcome.reason == "pass" else 1
    print(f"foliot: {lines[0]}", *lines[1:], sep="\n  ", file=sys.stderr)
    return 1


def setup(board_name: str, quiet: bool) -> None:
    """`foliot setup`: install what a board needs, and say that all is there."""
    board = boards.load(board_name)
    provision.prepare(board, Progress(quiet))
    if not quiet:
        print(f"{board.name}: all that it needs is here")


def list_boards() -> None:
    """`foliot boards`: a line a board."""
    from rich import box
    from rich.table import Table

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("board", "core", "unit", "what it is"):
        shown.add_column(title, overflow="fold")
    for name in boards.names():
        board = boards.load(name)
        mark = " (default)" if board.default else ""
        shown.add_row(name + mark, board.core, board.unit, board.description)
    console().print(shown)


def list_rows() -> None:
    """`foliot rows`: the rows of the latency suite."""
    from rich import box
    from rich.table import Table

    from foliot.rows import catalogue

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("row", "what it measures", "measured in"):
        shown.add_column(title, no_wrap=title == "row")
    for row in catalogue():
        shown.add_row(row.id, row.text, " ".join(row.configurations))
    console().print(shown)
