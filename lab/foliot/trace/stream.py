# SPDX-License-Identifier: Apache-2.0
"""The ring of events as it is sent while a program runs: kernel/inspect/trace_stream.c.

Frames come over the console, beside what the program prints. Each says how many events there were
before its own, so that what was lost, in the ring or on the way, is counted to the event.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from foliot.model.errors import FoliotError
from foliot.trace.printed import Gap, Printed

_BEGIN, _END = 0xFE, 0xFF
_FORM = 1
_GROUP_BITS, _MORE = 5, 0x20
_SUM_MASK = 0xFFFFF
_LONGEST = 16384  # bytes; a frame's events are 32


@dataclass(slots=True)
class Stream:
    """Takes what comes at a console: the events of it, and the program's own text."""

    ended: bool = False  # by the program's end
    damaged: int = 0  # frames
    events: list[tuple[int, int, int, int]] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    _frame: bytearray | None = None
    _seen: int | None = None  # events, lost ones too
    _facts: tuple[int, int, int] = (0, 0, 0)
    _behind: bool = False  # a frame's end, of which a line's end is part

    def feed(self, data: bytes) -> bytes:
        """Take some bytes; return those that the program printed."""
        text = bytearray()
        for byte in data:
            if byte == _BEGIN:
                self.damaged += self._frame is not None
                self._frame = bytearray()
            elif byte == _END and self._frame is not None:
                self._take(bytes(self._frame))
                self._frame, self._behind = None, True
            elif byte >= 0x80 and self._frame is not None:
                self._frame.append(byte & 0x7F)
                if len(self._frame) > _LONGEST:
                    self._frame = None
                    self.damaged += 1
            elif self._behind and byte in b"\r\n":
                self._behind = byte == ord("\r")
            else:
                text.append(byte)
        return bytes(text)

    def printed(self) -> Printed:
        """Return what came, as a ring that was printed; FoliotError where nothing did."""
        if self._seen is None:
            raise FoliotError(
                "no whole frame of events came",
                "the program is built with --conf stream, and its console is 8 bits wide",
            )
        cost, call_cost, clock = self._facts
        lost = sum(gap.lost for gap in self.gaps)
        return Printed(tuple(self.events), lost, cost, call_cost, clock, tuple(self.gaps))

    def _take(self, frame: bytes) -> None:
        try:
            form, before, count, *rest = _numbers(frame)
            cost, call_cost, clock, *words, told = rest
            if form != _FORM or len(words) != 4 * count or told != _sum(frame, told):
                raise ValueError("not a frame")
        except ValueError:
            self.damaged += 1
            return
        if not before and count:  # the board was reset
            self._seen, self.events, self.gaps = None, [], []
        skipped = 0 if self._seen is None else (before - self._seen) & 0xFFFF_FFFF
        if skipped >> 31:  # it came before: its sender was cut off behind it
            return
        if skipped:
            self.gaps.append(Gap(len(self.events), skipped))
        self._seen, self._facts = (before + count) & 0xFFFF_FFFF, (cost, call_cost, clock)
        self.ended = self.ended or not count
        self.events += _events(words)


def _numbers(frame: bytes) -> list[int]:
    numbers, number, shift = [], 0, 0
    for group in frame:
        number |= (group & (_MORE - 1)) << shift
        shift += _GROUP_BITS
        if not group & _MORE:
            numbers.append(number)
            number, shift = 0, 0
    if shift:
        raise ValueError("half a number")
    return numbers


def _sum(frame: bytes, told: int) -> int:
    """Return the sum of all groups but those of the sum itself, which is the last number."""
    found = 0
    own = max(1, -(-told.bit_length() // _GROUP_BITS))
    for group in frame[:-own]:
        found = (found * 31 + (group & 0x3F)) & 0xFFFF_FFFF
    return found & _SUM_MASK


def _events(words: list[int]) -> list[tuple[int, int, int, int]]:
    found = []
    time = a = b = 0
    for place in range(0, len(words), 4):
        later, what, a_bits, b_bits = words[place : place + 4]
        time, a, b = (time + later) & 0xFFFF_FFFF, a ^ a_bits, b ^ b_bits
        found.append((time, what, a, b))
    return found
