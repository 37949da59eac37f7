# SPDX-License-Identifier: Apache-2.0
"""Measuring a board that stands on the desk: its console, by a serial port.

The port is opened before the board is reset, so that nothing is lost; what comes before
the first header or boot banner is the end of some earlier run, and is dropped. A serial
line drops and garbles: the log is kept byte for byte and judged by the same reader as any
other, so a damaged one is refused and never mended. A board whose USB goes away while it
resets is waited for.
"""

from __future__ import annotations

import io
import string
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foliot.importers.clean import Cleaner
from foliot.importers.document import Reader
from foliot.log.reader import FAILED, SUCCESSFUL, LogReader
from foliot.model.errors import FoliotError, LogError
from foliot.model.names import counted, plain
from foliot.model.run import Failure, Row, Run
from foliot.show.terminal import Progress, Task
from foliot.target.serialport import POLL_S, Port, open_port, reset_board

if TYPE_CHECKING:
    from serial import Serial

OnLine = Callable[[bytes], bool]

LIMIT_S = 120.0
_LONGEST_LINE = 1 << 20
_LONGEST_LOG = 64 << 20
_HEADER = b'@foliot {"type":"header"'
_ENDS = (SUCCESSFUL.encode(), FAILED.encode())
_PRINTABLE = frozenset(string.printable.encode())


@dataclass(slots=True)
class Listener:
    """Takes lines as they come, keeps the ones of the last run, and knows its end.

    Of ours the log begins with the last header: a header in the middle says that the board
    was reset just then. Of others it begins with the boot banner, where there is one.
    """

    on_row: Callable[[str, int], None] = lambda row, count: None
    log: list[bytes] = field(default_factory=list)
    own: LogReader | None = None
    error: LogError | None = None
    size: int = 0
    rows: int = 0
    headless: bool = False
    cleaner: Cleaner = field(default_factory=Cleaner)

    def line(self, line: bytes) -> bool:
        """Take one line, without its end; return True where the log is complete.

        It is kept as it came. What is looked at, and shown, is without the control bytes and
        colours of a terminal, and a CR alone ends a line.
        """
        self.size += len(line)
        if self.size > _LONGEST_LOG:
            raise FoliotError("the port sent more than 64 MiB: that is no log of one run")
        start = line.find(_HEADER)
        if start >= 0:
            # Half a line of the run before may stand in front of it.
            line = line[start:]
            self._begin(LogReader())
        clean = self.cleaner.clean(line).strip()
        if start < 0 and clean.startswith(b"***") and b"oot" in clean:
            self._begin(None)
        self.log.append(line)
        if self.own is not None:
            self._own_line(self.own, line)
        else:
            for row in clean.split(b"\n"):
                if b" - " in row and b" cycles ," in row:
                    self.rows += 1
                    self.on_row(plain(row.split()[0].decode("ascii", "replace")), self.rows)
        return clean.rpartition(b"\n")[2].strip() in _ENDS and self._is_whole()

    def _begin(self, own: LogReader | None) -> None:
        self.log, self.own, self.error, self.rows = [], own, None, 0

    def _own_line(self, reader: LogReader, line: bytes) -> None:
        """Read on; an error counts at the end only, since a reset may follow it."""
        if self.error is not None:
            return
        try:
            event = reader.feed(line)
        except LogError as error:
            self.error = error
            return
        if isinstance(event, Row | Failure):
            self.rows = len(reader.rows) + len(reader.failures)
            self.on_row(event.id, self.rows)

    def _is_whole(self) -> bool:
        """Say whether the end belongs to a run whose beginning was heard; forget it if not."""
        if self.own is not None:
            return True
        ours = any(b"@foliot" in line for line in self.log)
        self.headless |= ours
        if ours or not self.rows:
            self._begin(None)
            return False
        return True

    def finish(self) -> Run | None:
        """Return our own run; None where it was no run of ours. LogError where it is damaged."""
        if self.error is not None:
            raise self.error
        if self.own is not None:
            if self.own.faults:
                raise FoliotError(f"the board died of a fault: {self.own.faults[0].reason}")
            return self.own.finish()
        if self.headless:
            raise LogError("the end of a run came and no header: garbled, or not reset in time")
        return None

    @property
    def text(self) -> bytes:
        """The log so far, as it came."""
        return b"".join(line + b"\n" for line in self.log)


def measure(port: Port, limit_s: float | None, progress: Progress) -> tuple[Run, bytes]:
    """Reset the board, listen until its run is over, return the run and its log.

    `limit_s` is wall clock, in seconds. A board that hangs is reset again where its port says so.
    Raises FoliotError where nothing that is a run came.
    """
    limit_s = LIMIT_S if limit_s is None else limit_s
    listener, complete = _listened(port, limit_s, progress)
    for _ in range(port.again):
        if complete:
            break
        said = f"{counted(listener.rows, 'row')} and no end came in {limit_s:g} s"
        progress.say(f"The board hangs: {said}. It is reset again.")
        listener, complete = _listened(port, limit_s, progress)
    run = listener.finish()
    if run is not None:
        return run, listener.text
    if not complete:
        raise FoliotError(*_silence(port, listener, limit_s))
    return _published(listener, port), listener.text


def _listened(port: Port, limit_s: float, progress: Progress) -> tuple[Listener, bool]:
    """Return what was heard, and whether it came to an end."""
    with progress.task(f"Listening on {port.name} at {port.baud} baud") as task:
        listener = Listener(on_row=task.update)
        return listener, follow(port, listener.line, limit_s, progress, task)


def _published(listener: Listener, port: Port) -> Run:
    runs = list(Reader(port.name).read(io.BytesIO(listener.text)))
    if not runs:
        raise LogError("the log holds no row")
    return runs[-1]


def follow(port: Port, take: OnLine, limit_s: float, progress: Progress, task: Task) -> bool:
    """Reset the board; hand over lines until one was the last (True) or the time is over (False).

    `take` gets a line without its end, and returns True for the last one.
    """
    line = open_port(port)
    rest = b""
    try:
        reset_board(port, progress)
        deadline = time.monotonic() + limit_s  # to power a board off and on takes seconds
        while time.monotonic() < deadline:
            try:
                chunk = line.read(line.in_waiting or 1)
            except OSError:
                line.close()
                task.update("the port is gone: waiting for it")
                progress.say(f"{port.name} is gone, and is waited for: is its cable plugged in?")
                line = _open_again(port, deadline)
                continue
            *lines, rest = (rest + chunk).split(b"\n")
            if any(take(one.rstrip(b"\r")) for one in lines):
                return True
            if len(rest) > _LONGEST_LINE:
                raise FoliotError("the port sends without ever ending a line", _baud_advice(port))
    finally:
        line.close()
    # The last line of a log may lack its end.
    return bool(rest) and take(rest.rstrip(b"\r"))


def _open_again(port: Port, deadline: float) -> Serial:
    while True:
        try:
            return open_port(port)
        except FoliotError:
            if time.monotonic() > deadline:
                raise
            time.sleep(POLL_S)


def _silence(port: Port, listener: Listener, limit_s: float) -> tuple[str, str, deque[str]]:
    """Say what was heard, where that was no complete log."""
    last = deque((plain(line.decode("ascii", "replace")) for line in listener.log), maxlen=5)
    if not listener.size:
        return (
            f"nothing came from {port.name} in {limit_s:g} s",
            "reset the board while foliot listens; is this its port?",
            last,
        )
    lines = counted(len(listener.log), "line")
    said = f"no end of a run came from {port.name} in {limit_s:g} s: {lines}"
    return f"{said}, {counted(listener.rows, 'row')}", _baud_advice(port, listener.text), last


def _baud_advice(port: Port, heard: bytes = b"\xff") -> str:
    strange = sum(byte not in _PRINTABLE for byte in heard)
    if strange * 4 > len(heard):
        return f"most of it is no text: is {port.baud} the board's baud rate?"
    return "give it more time with --timeout S"
