# SPDX-License-Identifier: Apache-2.0
"""Recordings of signals: levels over time, wherever they come from.

A recording knows nothing of kernels. Times are integers in its own unit: cycles or
instructions for our boards, nanoseconds for a capture of a logic analyser.
"""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from foliot.model.errors import FoliotError, LogError, UsageError

FOUR = ("thread_any", "scheduler", "queueing", "thread_0")
_UNITS_NS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
_PICOSECONDS = {"ps": 1000, "fs": 10**6}


@dataclass(frozen=True, slots=True)
class Pulse:
    """One time that a signal was high: from `start` until `end`."""

    start: int
    end: int

    @property
    def length(self) -> int:
        """How long it was high."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Recording:
    """Signals by name, each as its pulses in order, over `start` to `end`."""

    unit: str
    start: int
    end: int
    pulses: Mapping[str, tuple[Pulse, ...]] = field(default_factory=dict)

    def signal(self, name: str) -> tuple[Pulse, ...]:
        """Return a signal's pulses; none where it was not recorded."""
        return self.pulses.get(name, ())

    def threads(self) -> list[tuple[int, tuple[Pulse, ...]]]:
        """Return the numbers of the threads that ran, each with its pulses."""
        found = [
            (int(name.removeprefix("thread_")), pulses)
            for name, pulses in self.pulses.items()
            if name.removeprefix("thread_").isdigit() and pulses
        ]
        return sorted(found)

    def cut(self, start: int, end: int) -> Recording:
        """Return the part from `start` to `end`, times counted from its beginning."""

        def inside(pulses: Sequence[Pulse]) -> tuple[Pulse, ...]:
            first = bisect_right([pulse.end for pulse in pulses], start)
            kept = []
            for pulse in pulses[first:]:
                if pulse.start >= end:
                    break
                kept.append(Pulse(max(pulse.start, start) - start, min(pulse.end, end) - start))
            return tuple(kept)

        cut = {name: inside(pulses) for name, pulses in self.pulses.items()}
        return Recording(self.unit, 0, end - start, cut)


def from_changes(
    unit: str, changes: Iterable[tuple[int, str, bool]], start: int, end: int
) -> Recording:
    """Make a recording of (time, signal, level) in the order of time."""
    since: dict[str, int] = {}
    pulses: dict[str, list[Pulse]] = {}
    for time, name, level in changes:
        pulses.setdefault(name, [])
        if level:
            since.setdefault(name, time)
        elif name in since:
            began = since.pop(name)
            if time > began:
                pulses[name].append(Pulse(began, time))
    for name, began in since.items():
        if end > began:
            pulses[name].append(Pulse(began, end))
    return Recording(unit, start, end, {name: tuple(found) for name, found in pulses.items()})


def from_records(unit: str, records: Sequence[Mapping[str, Any]], end: int) -> Recording:
    """Read "signals" records, as boards without pins print them; see suites/periodic."""
    changes: list[tuple[int, str, bool]] = []
    before = 0
    for record in records:
        names, events = record.get("names"), record.get("events")
        if not isinstance(names, list) or not isinstance(events, list):
            raise LogError("a 'signals' record without names or events")
        if record.get("lost"):
            raise FoliotError(
                f"the target's ring of signals was too small: {record['lost']} events are lost",
                "make CONFIG_TRACE_RING_SIZE larger, or the case shorter with --ticks",
            )
        for time, mask in events:
            for bit, name in enumerate(names):
                if (mask ^ before) >> bit & 1:
                    changes.append((time, name, bool(mask >> bit & 1)))
            before = mask
    return from_changes(unit, changes, 0, end)


def from_vcd(path: Path, pins: Mapping[str, str] | None = None, unit: str = "ns") -> Recording:
    """Read a VCD; `pins` maps our signals' names to those in the file.

    With the unit `cycles` the file's own time steps are taken as they are; with `ns` its
    timescale is honoured. Raises FoliotError where the file can't be understood.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    ours = {theirs: name for name, theirs in (pins or {}).items()}
    try:
        changes, names, last = _tokens(content, ours, unit)
    except Exception as error:
        raise FoliotError(f"{path} is no VCD that can be read: {error}") from None
    missing = [theirs for theirs in ours if theirs not in names]
    if missing:
        raise UsageError(
            f"{path} has no signal {', '.join(missing)}: it has {', '.join(sorted(names))}"
        )
    start = changes[0][0] if changes else 0
    return from_changes(unit, changes, start, last)


def _tokens(
    content: bytes, ours: Mapping[str, str], unit: str
) -> tuple[list[tuple[int, str, bool]], set[str], int]:
    from vcd.reader import TokenKind, tokenize

    step_numerator, step_denominator = 1, 1
    names: dict[str, str] = {}
    changes: list[tuple[int, str, bool]] = []
    now = 0
    for token in tokenize(io.BytesIO(content)):
        if token.kind is TokenKind.TIMESCALE and unit == "ns":
            scale = token.timescale
            step_numerator = scale.magnitude.value * _UNITS_NS.get(scale.unit.value, 1)
            step_denominator = _PICOSECONDS.get(scale.unit.value, 1)
        elif token.kind is TokenKind.VAR:
            names[token.var.id_code] = token.var.reference
        elif token.kind is TokenKind.CHANGE_TIME:
            now = token.time_change * step_numerator // step_denominator
        elif token.kind is TokenKind.CHANGE_SCALAR:
            name = names.get(token.scalar_change.id_code, "")
            changes.append((now, ours.get(name, name), token.scalar_change.value == "1"))
    return changes, set(names.values()), now


def write_vcd(recording: Recording, path: Path, timescale: str = "10 ns") -> None:
    """Write a recording as a VCD that GTKWave and Surfer open, scope `foliot`."""
    from vcd import VCDWriter

    order = sorted(recording.pulses, key=_place)
    edges = sorted(
        (time, order.index(name), level)
        for name, pulses in recording.pulses.items()
        for pulse in pulses
        for time, level in ((pulse.start, 1), (pulse.end, 0))
    )
    with path.open("w", encoding="utf-8") as out, VCDWriter(out, timescale=timescale) as writer:
        wires = [writer.register_var("foliot", name, "wire", size=1, init=0) for name in order]
        for time, index, level in edges:
            writer.change(wires[index], time, level)
        writer.close(recording.end)


def _place(name: str) -> tuple[int, int, str]:
    if name in FOUR:
        return 0, FOUR.index(name), name
    number = name.removeprefix("thread_")
    return (1, int(number), name) if number.isdigit() else (2, 0, name)
