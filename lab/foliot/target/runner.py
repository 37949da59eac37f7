# SPDX-License-Identifier: Apache-2.0
"""Running an image on a board, always bounded, and saying where it stood when it didn't end.

The limit is in simulated time, so that a slow machine stops no run that a fast one lets
pass; one of wall clock stands behind it: ten minutes, or as many seconds as the other one
has, so that who asks for hours gets them. Simulated time comes from the simulator itself,
or from QEMU by reading the board's clock through its monitor. Nothing is asked of QEMU
during its first seconds: a usual run is over by then and was never disturbed.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from foliot.model.errors import FoliotError, UsageError, nearest_path
from foliot.model.names import plain
from foliot.target import paths, process
from foliot.target.boards import Board
from foliot.target.machines import Machine, Qemu, machine_for

WALL_LIMIT_S = 600.0
_POLL_S = 1.0
_ASK_AFTER_S = 3.0
_STALLED_POLLS = 4
_LONGEST_LINE = 1 << 20

OnLine = Callable[[bytes], bool | None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended.

    `reason` is pass, fail, stopped (the reader had enough), limit, wall, asleep (nothing can
    wake it any more), lockup, stray (an access to nothing, on a core that takes no bus
    errors), or crash (of the simulator). `units` counts what was
    simulated, in cycles, where that is known; `command` is what was started.
    A limit is of simulated time; `wall` is the limit of this machine's clock.
    """

    reason: str
    status: int
    wall_s: float
    units: int | None = None
    pc: int | None = None
    last_lines: tuple[str, ...] = ()
    command: tuple[str, ...] = ()

    @property
    def hung(self) -> bool:
        """True where the firmware did not come to an end by itself, nor was asked to."""
        return self.reason in ("limit", "wall", "asleep", "lockup", "stray")


def run(
    board: Board,
    elf: Path,
    on_line: OnLine,
    limit_s: float | None = None,
    max_cycles: int | None = None,
    options: Sequence[str] = (),
) -> Outcome:
    """Run `elf` on `board`, hand over each line of its console, return how it ended.

    `limit_s` is simulated seconds, `max_cycles` cycles (boards in RTL only); `on_line`
    returns True to end the run; `options` go to the simulator as they are. Raises
    FoliotError where the simulator can't be started or breaks.
    """
    check_image(elf)
    with tempfile.TemporaryDirectory(prefix="foliot-") as scratch:
        machine = machine_for(board, Path(scratch))
        limit = float(board.run.get("limit_s", 60)) if limit_s is None else limit_s
        command = (*machine.command(elf, limit, max_cycles), *options)
        return replace(_Session(machine, limit, on_line).follow(command), command=command)


def check_image(elf: Path) -> None:
    """Refuse, as wrong use, an image that isn't there."""
    if not elf.is_file():
        raise UsageError(f"{paths.shown(elf)} is no file{nearest_path(elf)}")


class _Session:
    """One run: reads the console, watches the clocks, ends the child."""

    def __init__(self, machine: Machine, limit_s: float, on_line: OnLine) -> None:
        self.machine = machine
        self.limit_s = limit_s
        self.on_line = on_line
        self.last: deque[str] = deque(maxlen=10)
        self.rest = b""
        self.stop_record: bytes | None = None
        self.reason: str | None = None
        self.pc: int | None = None
        self.began = time.monotonic()
        self.seen: deque[tuple[float, bool]] = deque(maxlen=_STALLED_POLLS)

    def follow(self, command: Sequence[str]) -> Outcome:
        child = process.start(command)
        try:
            self._read(child)
            if self.reason is None:
                child.wait()
        finally:
            process.end(child)
        return self._judge(child.returncode)

    def _read(self, child: subprocess.Popen[bytes]) -> None:
        console = child.stdout
        if console is None:
            raise FoliotError("the console has no pipe")
        with selectors.DefaultSelector() as selector:
            selector.register(console, selectors.EVENT_READ)
            polled = self.began
            while self.reason is None:
                if selector.select(timeout=0.2):
                    chunk = os.read(console.fileno(), 1 << 16)
                    if not chunk:
                        break
                    self._take(chunk)
                if time.monotonic() - polled >= _POLL_S:
                    polled = time.monotonic()
                    self._watch(polled - self.began)
        if self.rest and self.reason is None:
            self._line(self.rest)

    def _take(self, chunk: bytes) -> None:
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        for line in lines:
            self._line(line)
            if self.reason is not None:
                return
        if len(self.rest) > _LONGEST_LINE:
            raise FoliotError("the console printed a line of more than 1 MiB: not a log")

    def _line(self, line: bytes) -> None:
        text, mark, record = line.partition(b"@sim {")
        if mark:
            self.stop_record = mark[5:] + record
            if not text:
                return
            line = text
        if self.machine.is_noise(line):
            return
        self.last.append(plain(line.decode("utf-8", "replace")))
        if self.on_line(line):
            self.reason = "stopped"

    def _watch(self, elapsed_s: float) -> None:
        """Look at the clocks, once a second."""
        if elapsed_s > max(WALL_LIMIT_S, self.limit_s):
            self._give_up("wall")
        elif isinstance(self.machine, Qemu) and elapsed_s > _ASK_AFTER_S:
            now = self.machine.simulated_s()
            if now is None:
                return
            self.seen.append((now, self.machine.may_sleep()))
            stalled = len(self.seen) == _STALLED_POLLS and len(set(self.seen)) == 1
            if now > self.limit_s:
                self._give_up("limit")
            elif stalled and self.seen[0][1]:
                self._give_up("asleep")

    def _give_up(self, reason: str) -> None:
        self.reason = reason
        self.pc = self.machine.program_counter()

    def _judge(self, status: int) -> Outcome:
        reason, units, pc = self.machine.judge(status, self.stop_record)
        if reason == "refused":
            said = self.last[-1] if self.last else "no reason given"
            raise UsageError(f"the simulator can't run it: {said.removeprefix('sim: ')}")
        return Outcome(
            reason=self.reason or reason,
            status=status,
            wall_s=time.monotonic() - self.began,
            units=units,
            pc=pc if self.pc is None else self.pc,
            last_lines=tuple(self.last),
        )
