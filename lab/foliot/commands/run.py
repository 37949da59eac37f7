# SPDX-License-Identifier: Apache-2.0
"""`foliot run`: the console of an application, or of any image."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands.options import (
    BoardOption,
    ConfOption,
    CyclesOption,
    ElfOption,
    QuietOption,
    TimeoutOption,
    WaitOption,
    simulator_options,
    words,
)
from foliot.importers.clean import Cleaner
from foliot.log import records
from foliot.model.errors import FoliotError, LogError, UsageError
from foliot.show.terminal import Progress
from foliot.target import boards, fault, provision, runner
from foliot.target import build as building


def command(
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="An application.", show_default=False)
    ] = None,
    board: BoardOption = None,
    conf: ConfOption = None,
    quiet: QuietOption = False,
    elf: ElfOption = None,
    timeout: TimeoutOption = None,
    max_cycles: CyclesOption = None,
    wait_states: WaitOption = None,
) -> None:
    """Run an application, or any image, on a board."""
    if (directory is None) == (elf is None):
        raise UsageError("run takes either a directory or --elf FILE")
    name = board or boards.default()
    how = How(timeout, max_cycles, simulator_options(wait_states, name))
    raise typer.Exit(run(directory, elf, name, words(conf), how, quiet))


@dataclass(frozen=True, slots=True)
class How:
    """How long a run may take, simulated seconds or cycles of a board in RTL; simulator's words."""

    simulated_s: float | None = None
    max_cycles: int | None = None
    options: tuple[str, ...] = ()


def run(
    directory: Path | None,
    elf: Path | None,
    board_name: str,
    conf: Sequence[str],
    how: How,
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
        app = building.application(directory or Path(), conf)
        provision.prepare(board, progress)
        image = building.build(app, board, progress, conf).image
    if board.emulated:
        progress.say(f"In {board.run['emulator']}, an emulator: no time it tells is the chip's.")
    listener = _Listener()
    outcome = runner.run(
        board, image, listener.line, limit_s=how.simulated_s, max_cycles=how.max_cycles,
        options=how.options,
    )  # fmt: skip
    return _verdict(outcome, listener, image)


# What a program without the words of a fault says in their place: kernel/core/fatal.c.
_BRIEF = re.compile(rb"\*\*\* FATAL (\d) 0x([0-9a-f]+)")


class _Listener:
    """Passes the console on as it comes, and keeps what it says about a fault."""

    def __init__(self) -> None:
        self.faults: list[bytes] = []
        self.brief: tuple[int, int] | None = None
        self._cleaner = Cleaner()

    def line(self, line: bytes) -> None:
        # What a device sends must not steer the user's terminal; a pipe gets it as it came.
        shown = self._cleaner.clean(line) if sys.stdout.isatty() else line
        sys.stdout.buffer.write(shown + b"\n")
        sys.stdout.buffer.flush()
        if line.startswith(b'@foliot {"type":"fault"'):
            self.faults.append(line)
        elif brief := _BRIEF.fullmatch(line):
            self.brief = (int(brief[1]), int(brief[2], 16))


def _verdict(outcome: runner.Outcome, listener: _Listener, image: Path) -> int:
    before = len(listener.faults) - 1  # the program went on after those
    if listener.faults and outcome.reason != "pass":
        try:
            record = records.parse_object(listener.faults[-1].decode()[len("@foliot ") :])
            lines = fault.describe_fault(records.fault(record), image)
            lines += [f"faults before this one: {before}"] if before else []
        except (LogError, UnicodeDecodeError):
            lines = ["the target died of a fault, and its record is garbled"]
    elif listener.brief is not None and outcome.reason == "fail":
        lines = fault.describe_brief(*listener.brief, image)
    elif outcome.hung:
        lines = fault.describe_hang(outcome, image)
    elif outcome.reason == "crash":
        raise FoliotError(f"the simulator broke (status {outcome.status})")
    else:
        return 0 if outcome.reason == "pass" else 1
    print(f"foliot: {lines[0]}", *lines[1:], sep="\n  ", file=sys.stderr)
    return 1
