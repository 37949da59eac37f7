# SPDX-License-Identifier: Apache-2.0
"""The ring of events out of a board's memory, through a debug probe: the program prints nothing.

Whatever speaks gdb's protocol serves the probe (OpenOCD, pyOCD, J-Link's and QEMU's own servers).
gdb stops the core, reads the ring, has the board measure what an event costs, as it does itself
before it prints, and lets it go on.
"""

from __future__ import annotations

import re
import struct
import tempfile
from pathlib import Path

from foliot.image.elf import Image
from foliot.model.errors import FoliotError, UsageError
from foliot.show.terminal import Progress
from foliot.target import process, provision
from foliot.target.boards import Board
from foliot.target.debugger import GDB
from foliot.trace.printed import Printed

_SERVER = re.compile(r"[A-Za-z0-9.-]{1,253}:\d{1,5}|\[[0-9a-fA-F:.]{2,45}\]:\d{1,5}")
_VALUE = re.compile(r"^\$\d+ = (\d+)$")
_RING = "trace_ring"
_LIMIT_S = 120


def check(server: str) -> None:
    """Raise UsageError unless it is HOST:PORT: gdb would take a word with more in it as more."""
    if not _SERVER.fullmatch(server):
        raise UsageError(f"--probe takes a debugger's server, HOST:PORT, not '{server}'")


def read(server: str, board: Board, elf: Path, progress: Progress) -> Printed:
    """Return what is in the ring now; FoliotError where there is none, or nobody answers."""
    image = Image(elf)
    if image.label(_RING) is None:
        raise FoliotError("the image has no ring of events", "it is built with --conf ring")
    provision.install(provision.DEBUG_PACKAGES, progress)
    with (
        tempfile.TemporaryDirectory(prefix="foliot-") as scratch,
        progress.task(f"Reading the ring through {server}"),
    ):
        to = Path(scratch) / "ring"
        costs = _ask(server, elf, to)
        return _read(to.read_bytes(), image.word_bytes, board.clock_hz, costs)


def _ask(server: str, elf: Path, to: Path) -> tuple[int, int]:
    """Have gdb write the ring to a file; return what an event costs, and a call's."""
    commands = [
        "set confirm off", "set pagination off", "set tcp connect-timeout 10",
        f"target remote {server}", f"dump binary value {to} {_RING}",
        *(f"print/u {_RING}_cost({of_call})" for of_call in (0, 1)), "detach",
    ]  # fmt: skip
    script = to.with_name("commands")  # of which an error ends all, as it does not with -ex
    script.write_text("\n".join(commands) + "\n", encoding="utf-8")
    words = [GDB, "-nx", "-q", "-batch", "-x", str(script), str(elf)]
    try:
        said = process.run(words, GDB, limit_s=_LIMIT_S)
    except process.ToolFailed as failure:
        said = list(failure.lines)
    if not to.is_file():
        raise FoliotError(f"nothing could be read through {server}", lines=said[-3:])
    told = [int(match[1]) for match in map(_VALUE.match, said) if match]
    if len(told) != 2:
        raise FoliotError("the board did not measure what an event costs", lines=said[-3:])
    return told[0], told[1]


def _read(data: bytes, word: int, clock_hz: int, costs: tuple[int, int]) -> Printed:
    """Read `struct trace_ring` of drivers/trace_ring.h."""
    letter = "IQ"[word == 8]
    head, event = struct.Struct(f"<{letter}{letter}I"), struct.Struct(f"<II{letter}{letter}")
    begin = -(-head.size // word) * word
    following, end, lost = head.unpack_from(data)
    most = (len(data) - begin) // event.size
    used = most - (end - following) // event.size  # `end` is where the ring ends
    whole = begin + most * event.size == len(data)
    if not whole or (end - following) % event.size or not 0 <= used <= most:
        raise FoliotError(
            "what lies there is no ring of events", "is this the image that runs on the board?"
        )
    found = tuple(event.unpack_from(data, begin + n * event.size) for n in range(used))
    return Printed(found, lost, *costs, clock_hz)
