# SPDX-License-Identifier: Apache-2.0
"""Recording a program: the machine is stopped at the image's own addresses and goes on.

Nothing of the image is changed, and no time passes while the machine stands. In RTL the
simulator's stub gives it no clock (sim/README.md). QEMU's clock would go on in a sleep, so a run is
recorded first, by QEMU itself, and what is stopped is its replay: the same instructions, the
interrupts at the same ones. Time is the count of either.
"""

from __future__ import annotations

import contextlib
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from foliot.image.elf import Image
from foliot.model.errors import FoliotError, UsageError
from foliot.show.terminal import Progress, Task
from foliot.target import debugger, runner
from foliot.target.boards import Board
from foliot.target.gdb_remote import Ended, Remote, monitor, reads
from foliot.target.machines import Qemu, Verilator, machine_for
from foliot.trace.cores import Core, core_of
from foliot.trace.events import Recording
from foliot.trace.follow import Follower
from foliot.trace.memory import Memory
from foliot.trace.watched import Watched

NOTHING_OF_LATENCY = (
    "when an interrupt's line rose, so latencies: its handler's beginning is the first seen"
)
_COUNT = re.compile(r"instruction count = (\d+)")
_SHOWN_EVERY_S = 0.2
_END_S = 30.0


@dataclass(frozen=True, slots=True)
class Request:
    """What is recorded: functions that are marks, and where a recording ends at the latest."""

    marks: tuple[str, ...] = ()
    limit_s: float | None = None  # simulated
    events: int = 200_000
    options: tuple[str, ...] = ()  # the simulator's


def check_board(board: Board) -> None:
    """Refuse a board whose machine can't be stopped and asked; UsageError says why."""
    if board.kind not in ("verilator", "qemu") or not debugger.has_stub(board):
        raise UsageError(
            f"{board.name} has no machine that trace can stop: it records on RTL and in QEMU",
            "`foliot boards` lists them",
        )
    if board.kind == "verilator" and board.run["core"] != "ibex":
        raise UsageError(
            f"{board.name}: its core shows no registers (sim/README.md, gdb)",
            "record on ibex, whose kernel is the same",
        )
    if board.kind == "qemu" and board.arch not in ("cortex_m", "aarch64"):
        raise UsageError(
            f"in QEMU trace knows ARMv7-M and AArch64: not the core of {board.name}",
            "docs/trace.md says why, and on which boards it works",
        )


def record(
    board: Board, elf: Path, program: str, request: Request, progress: Progress,
    on_line: Callable[[bytes], None],
) -> Recording:  # fmt: skip
    """Run `elf` and return what its kernel did; `on_line` gets its console.

    Ctrl-C and the limits end a recording, they don't lose it. Raises FoliotError where the machine
    breaks, UsageError for an image that is none of this kernel's.
    """
    check_board(board)
    image = Image(elf)
    core = core_of(image, board)
    watched = Watched(image, core, request.marks)
    recording = Recording(board.name, program, board.unit, _count_ns(board), core.word)
    recording.lacks = (NOTHING_OF_LATENCY,) if board.kind == "qemu" else ()
    with (
        _machine(board, elf, request, progress, on_line) as port,
        progress.task(f"Tracing {program} on {board.name}") as task,
    ):
        session = _Session(Remote(port), board, core, watched, recording)
        _follow(session, request.events, limit_s(board, request), task)
    return recording


def limit_s(board: Board, request: Request) -> float:
    """Return how long is recorded at most, in simulated seconds."""
    usual = float(board.run.get("limit_s", 60))
    return usual if request.limit_s is None else request.limit_s


def _count_ns(board: Board) -> float:
    """Return how long a clock, or an instruction of QEMU's count, is in the machine's own time."""
    if board.kind != "qemu":
        return 1e9 / board.clock_hz
    words = " ".join(str(word) for word in board.run["command"])
    shift = re.search(r"shift=(\d+)", words)
    if shift is None:
        raise UsageError(f"{board.name}: QEMU counts no instructions there (-icount)")
    return float(1 << int(shift[1]))


@contextmanager
def _machine(
    board: Board, elf: Path, request: Request, progress: Progress, on_line: Callable[[bytes], None]
) -> Iterator[int]:
    """Start the machine, stopped at reset, and yield its stub's port."""
    port = debugger.free_port()
    with tempfile.TemporaryDirectory(prefix="foliot-") as scratch:
        machine = machine_for(board, Path(scratch))
        if isinstance(machine, Qemu):
            recorded = Path(scratch) / "run"
            _record_qemu(board, elf, request, progress, on_line, recorded)
            command = machine.replay_command(elf, port, recorded)
        elif isinstance(machine, Verilator):
            cycles = max(1, round(limit_s(board, request) * board.clock_hz))
            limit = ["--max-cycles", str(cycles)]
            command = [*machine.debug_command(elf, port), *limit, *request.options]
        with tempfile.TemporaryFile() as console:
            with debugger.listening(command, port, console) as child:
                yield port
                if isinstance(machine, Verilator):  # it writes its files when we have hung up
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        child.wait(_END_S)
            if isinstance(machine, Verilator):
                _print(console, on_line)


def _print(console: IO[bytes], on_line: Callable[[bytes], None]) -> None:
    console.seek(0)
    for line in console.read().splitlines():
        on_line(line)


def _record_qemu(
    board: Board, elf: Path, request: Request, progress: Progress,
    on_line: Callable[[bytes], None], recorded: Path,
) -> None:  # fmt: skip
    with progress.task(f"Running on {board.name}"):
        outcome = runner.run(
            board, elf, on_line, limit_s(board, request), options=Qemu.record_options(recorded)
        )
    refused = next((line for line in outcome.last_lines if "Record/replay" in line), None)
    if refused:
        raise UsageError(f"QEMU can't record {board.name}", refused.rpartition(": ")[2])
    if outcome.reason == "crash" or not recorded.is_file():
        raise FoliotError(f"QEMU recorded nothing: {outcome.reason}", lines=outcome.last_lines[-3:])


class _Session:
    """A machine under the stub, and what follows its stops."""

    def __init__(
        self, remote: Remote, board: Board, core: Core, watched: Watched, recording: Recording
    ) -> None:
        self.remote = remote
        self.core = core
        self.recording = recording
        self.qemu = board.kind == "qemu"
        self.follower = Follower(watched, core, recording, self.look, self.rose)
        self._registers = core.packets(remote)
        self._clock = monitor("info replay" if self.qemu else "cycle")
        self._set: set[int] = set()
        self.time = 0

    def look(self, ranges: Sequence[tuple[int, int]]) -> Memory:
        """Read memory, of the machine as it stands."""
        joined = [part for whole in reads(ranges) for part in _pieces(*whole)]
        answers = self.remote.ask(*(f"m{address:x},{size:x}" for address, size in joined))
        whole = []
        for address, size in reads(ranges):
            parts = [
                answer for (at, _), answer in zip(joined, answers, strict=True)
                if address <= at < address + size
            ]  # fmt: skip
            whole.append("".join(part for part in parts if not part.startswith("E")))
        return Memory(reads(ranges), whole)

    def rose(self, line: int) -> int | None:
        """Return when an interrupt's line was raised: the simulator knows, QEMU does not."""
        if self.qemu:
            return None
        said = self.remote.ask(monitor("irq"))[0]
        found = re.search(rf"^{line} (\d+)$", said, re.MULTILINE)
        return int(found[1]) if found else None

    def arm(self) -> None:
        """Set the stops that are new, take back those that are needed no more."""
        wanted = self.follower.stops()
        changes = [("Z", address) for address in sorted(wanted - self._set)]
        changes += [("z", address) for address in sorted(self._set - wanted)]
        self.remote.ask(*(f"{what}0,{address:x},2" for what, address in changes))
        self._set = wanted

    def go(self) -> None:
        """Go on to the next stop. QEMU stays at one unless it steps over it."""
        if self.qemu and self._set:
            self.remote.resume(step=True)
            pc = self.core.read(self.remote.ask(*self._registers)).pc
            if pc in self._set:
                return
        self.remote.resume()

    def take(self) -> None:
        """Read what the machine shows and follow it."""
        ranges = reads(self.follower.ranges())
        count = len(self._registers)
        answers = self.remote.ask(
            *self._registers, self._clock, *(f"m{at:x},{size:x}" for at, size in ranges)
        )
        self.time = self._count(answers[count])
        registers = self.core.read(answers[:count])
        self.follower.stop(registers, Memory(ranges, answers[count + 1 :]), self.time)

    def see_time(self) -> None:
        """Read the time where the machine stands."""
        self.time = self._count(self.remote.ask(self._clock)[0])

    def _count(self, said: str) -> int:
        found = _COUNT.search(said) if self.qemu else re.match(r"(\d+)", said)
        if found is None:
            raise FoliotError(f"the machine does not tell its time: {said.strip()[:60]}")
        return int(found[1])


def _pieces(address: int, size: int) -> list[tuple[int, int]]:
    most = 0x700
    return [(address + at, min(most, size - at)) for at in range(0, size, most)]


def _follow(session: _Session, most: int, limit: float, task: Task) -> None:
    """Take stop by stop, to the program's end, `most` events or `limit` simulated seconds."""
    recording = session.recording
    shown = time.monotonic()
    if session.qemu:
        session.remote.ask("Qqemu.sstep=1")  # a step lets interrupts and time be
    try:
        while not recording.cut:
            session.arm()
            session.go()
            session.take()
            recording.cut = _cut(session, most, limit)
            if time.monotonic() - shown > _SHOWN_EVERY_S:
                shown = time.monotonic()
                task.update(f"{len(recording.events)} events")
    except Ended as end:
        recording.status = end.status
        if end.why:  # it stands there still
            session.see_time()
        told = {"limit": f"after {limit:g} s (--timeout)", "lockup": "where the core locked up"}
        recording.cut = told.get(end.why, "")
    except KeyboardInterrupt:
        recording.cut = "by Ctrl-C"
    finally:
        session.remote.close()
        session.follower.finish(session.time)


def _cut(session: _Session, most: int, limit: float) -> str:
    """Say why nothing more is recorded, or return ""."""
    recording = session.recording
    if len(recording.events) >= most:
        return f"after {most} events (--events)"
    if recording.ns(session.time) > limit * 1e9:
        return f"after {limit:g} s (--timeout)"
    return ""
