# SPDX-License-Identifier: Apache-2.0
"""Running an image under an instruction trace, and keeping what the trace says of each row.

The Verilator model writes one line a retired instruction while the firmware's marker is
set, with the clock in it. QEMU logs each translation block it enters; told to translate
one instruction at a time (-singlestep) and never to chain, that is one line an instruction,
in order but without a time: the instructions are counted from `measure_anchor`, which the
firmware runs once as a row begins. Rejected: stepping through QEMU's debugger, which holds
timers and interrupts back, and a plugin, for which Debian ships no header.

A trace is kept, in build/explain/, for as long as neither image nor simulator change.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from foliot.explain.code import Code
from foliot.image.elf import Image
from foliot.log.reader import parse
from foliot.measure.console import listen
from foliot.model.errors import FoliotError, LogError
from foliot.model.names import counted
from foliot.model.run import Run
from foliot.show.terminal import Progress
from foliot.target import paths, provision
from foliot.target.boards import Board

ANCHOR = "measure_anchor"
ROW_ENDS = "stamps_print"
TOO_OLD = (
    "the image does not say where its samples stand in time",
    "build it with --conf stamps (CONFIG_MEASURE_STAMPS)",
)

# Files whose code runs before a row begins or after it ended, and prints a lot: QEMU
# spends its time on logging, so their instructions are left out of its log.
_OUTSIDE = ("printk.c", "record.c", "clock.c", "uart_cmsdk.c", "uart_ns16550.c", "console.c")

_KEPT_TRACES = 12


@dataclass(frozen=True, slots=True)
class Retired:
    """One instruction that was carried out.

    `at` is the clock in which it left the execute stage, or under QEMU how many
    instructions after the anchor's beginning it came. `size` is in bytes, 0 where the trace
    doesn't tell. `took` is the distance to the instruction before; `empty` the part of it
    in which nothing was being executed; `event` the trap that came before it (`i11`,
    `e5`), or empty.
    """

    at: int
    pc: int
    size: int = 0
    took: int = 1
    empty: int = 0
    event: str = ""


@dataclass(frozen=True, slots=True)
class Traced:
    """A run, and where the trace of each of its rows is."""

    run: Run
    directory: Path
    board: Board
    elf: Path

    def row(self, marker: int) -> list[Retired]:
        """Return what was carried out from the row's beginning to its last sample."""
        try:
            text = (self.directory / f"{marker}.trace").read_text(encoding="ascii")
        except OSError:
            return []
        return [_unpack(line) for line in text.splitlines()]


def check_board(board: Board) -> None:
    """Refuse a board that can't show its instructions."""
    if board.kind not in ("verilator", "qemu"):
        raise FoliotError(f"{board.name} runs on nothing that can trace instructions")


def trace(board: Board, elf: Path, progress: Progress) -> Traced:
    """Run `elf` under a trace, unless that has been done already.

    Raises FoliotError where the image does not say where its samples stand.
    """
    directory = paths.EXPLAIN / f"{board.name}-{_identity(board, elf)}"
    with paths.locked(paths.EXPLAIN / board.name):
        try:
            run = parse((directory / "log").read_bytes())
            (directory / "log").touch()
        except (OSError, LogError):
            run = _run(board, elf, directory, progress)
        _forget_old(directory)
    if not any(record.get("type") == "samples" for record in run.records):
        raise FoliotError(*TOO_OLD)
    return Traced(run, directory, board, elf)


def _run(board: Board, elf: Path, directory: Path, progress: Progress) -> Run:
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="foliot-") as scratch:
        raw = Path(scratch) / "trace"
        with progress.task(f"Tracing {elf.parent.name} on {board.name}") as task:
            heard = listen(
                board, elf, lambda reader, _: task.update(counted(len(reader.rows), "row")),
                options=_options(board, elf, raw),
            )  # fmt: skip
            run = heard.reader.finish()
            task.update("reading the trace")
            _keep(_rows(board, elf, raw), directory)
    (directory / "log").write_bytes(heard.log)
    return run


def _options(board: Board, elf: Path, raw: Path) -> list[str]:
    if board.kind == "verilator":
        return ["--trace", str(raw)]
    inside = ",".join(f"{low:#x}..{high:#x}" for low, high in _inside(elf))
    return ["-singlestep", "-d", "exec,nochain", "-dfilter", inside, "-D", str(raw)]


def _inside(elf: Path) -> Iterator[tuple[int, int]]:
    """Give the address ranges that can matter, first and last byte each."""
    image = Image(elf)
    code = Code(elf)
    functions = image.functions()
    code.prefetch(start for start, _, _ in functions)
    outside = sorted(
        (start, start + size)
        for start, size, _ in functions
        if Path(code.place(start).file).name in _OUTSIDE
    )
    edges = [(0, 0), *outside, (1 << 64, 1 << 64)]
    for (_, low), (high, _) in pairwise(edges):
        if high > low:
            yield low, high - 1


def _rows(board: Board, elf: Path, raw: Path) -> Iterator[tuple[int, Retired]]:
    with raw.open("rb") as lines:
        if board.kind == "verilator":
            yield from read_verilator(lines)
            return
        image = Image(elf)
        anchor, end = image.address(ANCHOR), image.address(ROW_ENDS)
        if anchor is None or end is None:
            raise FoliotError(*TOO_OLD)
        yield from read_qemu(lines, anchor, end)


def read_verilator(lines: Iterable[bytes]) -> Iterator[tuple[int, Retired]]:
    """Read the simulator's trace (sim/trace.h); give the marker with each instruction."""
    for line in lines:
        marker, at, pc, encoding, took, empty, event = line.split()
        trap = event.decode().strip("-")
        step = Retired(int(at), int(pc, 16), len(encoding) // 2, int(took), int(empty), trap)
        yield int(marker), step


def read_qemu(lines: Iterable[bytes], anchor: int, end: int) -> Iterator[tuple[int, Retired]]:
    """Read QEMU's log; give each row's number with its instructions.

    A line that starts otherwise takes the one before it back: that block was entered and
    left again before its first instruction, because an interrupt was due, or because it
    touches a device and had to be translated once more.
    """
    marker, at, pending = 0, 0, -1
    inside = False
    for line in lines:
        if not line.startswith(b"Trace"):
            pending = -1
            continue
        if pending >= 0 and inside:
            yield marker, Retired(at, pending)
            at += 1
        pending = int(line.split(b"/", 2)[1], 16)
        if pending == anchor:
            inside, marker, at = True, marker + 1, 0
        elif pending == end:
            inside = False


def _keep(instructions: Iterable[tuple[int, Retired]], directory: Path) -> None:
    current, lines = 0, list[str]()

    def write() -> None:
        if lines:
            (directory / f"{current}.trace").write_text("".join(lines), encoding="ascii")

    for marker, step in instructions:
        if marker != current:
            write()
            current, lines = marker, []
        lines.append(
            f"{step.at} {step.pc:x} {step.size} {step.took} {step.empty} {step.event or '-'}\n"
        )
    write()


def _unpack(line: str) -> Retired:
    at, pc, size, took, empty, event = line.split()
    return Retired(int(at), int(pc, 16), int(size), int(took), int(empty), event.strip("-"))


def _identity(board: Board, elf: Path) -> str:
    return hashlib.sha256(elf.read_bytes() + provision.identity(board)).hexdigest()[:16]


def _forget_old(kept: Path) -> None:
    """Keep the traces used last; a trace takes a few megabytes."""
    for log in paths.newest_first(kept.parent.glob("*/log"))[_KEPT_TRACES:]:
        shutil.rmtree(log.parent, ignore_errors=True)
