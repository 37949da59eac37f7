# SPDX-License-Identifier: Apache-2.0
"""Running one of our own images: its console is read while it runs, and its death is reported.

Every command that measures, traces or records goes through here; what differs is what it
shows meanwhile, and what it does with the run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from foliot.log.reader import Event, LogReader
from foliot.model.errors import FoliotError
from foliot.target import fault, runner
from foliot.target.boards import Board

OnEvent = Callable[[LogReader, Event | None], None]


@dataclass(frozen=True, slots=True)
class Heard:
    """What an image said: its lines as they were read, as they came, and how it ended."""

    reader: LogReader
    log: bytes
    outcome: runner.Outcome


def listen(
    board: Board,
    elf: Path,
    on_event: OnEvent,
    limit_s: float | None = None,
    max_cycles: int | None = None,
    options: Sequence[str] = (),
) -> Heard:
    """Run an image of ours; `on_event` is told after each line, and what it announced.

    Raises FoliotError where the target died or hung.
    """
    reader = LogReader()
    log: list[bytes] = []

    def on_line(line: bytes) -> None:
        log.append(line)
        on_event(reader, reader.feed(line))

    outcome = runner.run(board, elf, on_line, limit_s, max_cycles, options)
    check_outcome(outcome, reader, elf)
    return Heard(reader, joined(log), outcome)


def replayed(elf: Path, lines: Sequence[bytes], outcome: runner.Outcome) -> Heard:
    """Read what an image said somewhere else. Raises as listen()."""
    reader = LogReader()
    for line in lines:
        reader.feed(line)
    check_outcome(outcome, reader, elf)
    return Heard(reader, joined(lines), outcome)


def joined(lines: Sequence[bytes]) -> bytes:
    """Return a console's lines as the log that they are."""
    return b"\n".join(lines) + b"\n"


def check_outcome(outcome: runner.Outcome, reader: LogReader, elf: Path) -> None:
    """Raise where the target died or hung: the log's state would only be a consequence."""
    if reader.faults:
        first, *more = fault.describe_fault(reader.faults[0], elf)
    elif outcome.hung:
        first, *more = fault.describe_hang(outcome, elf)
    elif outcome.reason == "crash":
        first, more = f"the simulator broke (status {outcome.status})", list(outcome.last_lines)
    else:
        return
    raise FoliotError(first, lines=more)
