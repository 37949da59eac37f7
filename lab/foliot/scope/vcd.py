# SPDX-License-Identifier: Apache-2.0
"""Recordings as VCD files: those of logic analysers read, our own written and read again.

VCD knows times only. A count of instructions is none, so a file of ours says in its
comment and in its scope's name what a step is, and the import goes by that: comments get
lost in viewers that save a file again, scopes don't. No date is written: two runs that
were the same are the same bytes.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from foliot.model.errors import FoliotError, UsageError
from foliot.scope.signals import FOUR, Recording, from_changes

_FEMTOSECONDS = {"s": 10**15, "ms": 10**12, "us": 10**9, "ns": 10**6, "ps": 10**3, "fs": 1}
_NS = _FEMTOSECONDS["ns"]


@dataclass(frozen=True, slots=True)
class Step:
    """What one time step of a file of ours is, and how the file says so."""

    timescale: str
    comment: str
    scope: str


STEPS = {
    "cycles": Step("10 ns", "foliot: one step is one clock cycle, 10 ns at the nominal 100 MHz",
                   "foliot"),
    "insn": Step("1 ns", "foliot: one step is one instruction and no time: read each ns as one "
                         "instruction", "foliot_one_ns_is_one_instruction"),
    "emulated": Step("1 ns", "foliot: one step is one clock of an emulator, which knows no "
                             "cycles of the chip: an order, and no times", "foliot_emulated"),
    "ns": Step("1 ns", "foliot: one step is one nanosecond", "foliot"),
}  # fmt: skip
# Units that are no times, as readers are told of them.
NO_TIMES = {
    "insn": "instructions, which are no times",
    "emulated": "an emulator's clocks, which are no times of the chip",
}
_MARKS = (
    ("one step is one instruction", "insn"),
    ("one_ns_is_one_instruction", "insn"),
    ("one step is one clock cycle", "cycles"),
    ("one step is one clock of an emulator", "emulated"),
    ("foliot_emulated", "emulated"),
)


@dataclass(slots=True)
class _File:
    """What was read so far: signals by their code in the file, and when each changed."""

    unit: str = "ns"
    step_fs: int = 0  # femtoseconds; 0: no timescale was said
    names: dict[str, list[str]] = field(default_factory=dict)  # code: plain names, full ones
    changes: list[tuple[int, str, bool]] = field(default_factory=list)  # in steps, by code
    first: int | None = None
    last: int = 0

    def time(self, steps: int) -> int:
        """Return a time in the file's unit: its own steps, or nanoseconds."""
        return steps * self.step_fs // _NS if self.unit == "ns" else steps


def from_vcd(
    path: Path, pins: Mapping[str, str] | None = None, unit: str | None = None
) -> Recording:
    """Read a VCD; `pins` maps our signals' names to those in the file, or to SCOPE.NAME.

    The unit is nanoseconds by the file's timescale, or what a file of ours says that its
    steps are; the simulator's own says nothing, and who ran it knows the `unit`. Raises
    FoliotError where the file can't be understood, UsageError where it has no such signal,
    or two by one name.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    try:
        file = _read(content)
    except Exception as error:
        raise FoliotError(f"{path} is no VCD that can be read: {error}") from None
    if not file.step_fs:
        raise FoliotError(f"{path} has no $timescale, so its times could be anything")
    if file.first is None:
        raise FoliotError(f"{path} holds no changes: nothing was captured")
    file.unit = unit or file.unit
    names = _resolved(path, file, pins or {})
    changes = [
        (file.time(steps), names[code], level)
        for steps, code, level in file.changes
        if code in names
    ]
    return from_changes(file.unit, changes, file.time(file.first), file.time(file.last))


def _read(content: bytes) -> _File:
    from vcd.reader import TokenKind, tokenize

    file = _File()
    scopes: list[str] = []
    now = 0
    for token in tokenize(io.BytesIO(content)):
        if token.kind is TokenKind.TIMESCALE:
            scale = token.timescale
            file.step_fs = scale.magnitude.value * _FEMTOSECONDS[scale.unit.value]
        elif token.kind is TokenKind.COMMENT:
            file.unit = _reported(token.comment, file.unit)
        elif token.kind is TokenKind.SCOPE:
            scopes.append(token.scope.ident)
            file.unit = _reported(token.scope.ident, file.unit)
        elif token.kind is TokenKind.UPSCOPE:
            scopes.pop()
        elif token.kind is TokenKind.VAR:
            name = token.var.reference
            file.names.setdefault(token.var.id_code, []).extend([name, ".".join([*scopes, name])])
        elif token.kind is TokenKind.CHANGE_TIME:
            now = token.time_change
            file.first = now if file.first is None else file.first
            file.last = max(file.last, now)
        elif token.kind is TokenKind.CHANGE_SCALAR:
            change = token.scalar_change
            file.first = now if file.first is None else file.first
            file.changes.append((now, change.id_code, change.value == "1"))
    return file


def _reported(words: str, unit: str) -> str:
    """Return the unit that a comment or a scope's name says, else the one known so far."""
    plain = " ".join(words.split())
    return next((told for mark, told in _MARKS if mark in plain), unit)


def _resolved(path: Path, file: _File, pins: Mapping[str, str]) -> dict[str, str]:
    """Return by each code in the file what we call its signal: as `pins` say, or as it is."""
    names = {code: theirs[0] for code, theirs in file.names.items()}
    used: dict[str, str] = {}
    for ours, theirs in pins.items():
        codes = [code for code, known in file.names.items() if theirs in known]
        if not codes:
            raise UsageError(
                f"{path} has no signal {theirs}: it has {', '.join(sorted(set(names.values())))}"
            )
        if len(codes) > 1:
            places = sorted(known[1] for code, known in file.names.items() if code in codes)
            raise UsageError(f"{path} has {theirs} more than once: say which, "
                             f"{' or '.join(places)}")  # fmt: skip
        if codes[0] in used:
            raise UsageError(f"--pin gives {theirs} to {used[codes[0]]} and to {ours}")
        used[codes[0]] = ours
    # A signal of theirs that is called like one of ours, and was not meant, is left out.
    found = {code: name for code, name in names.items() if name not in pins} | used
    twice = sorted(name for name, times in Counter(found.values()).items()
                   if times > 1 and is_ours(name))  # fmt: skip
    if twice:
        raise UsageError(f"{path} has {', '.join(twice)} more than once: say which is meant, "
                         f"--pin {twice[0]}=SCOPE.NAME")  # fmt: skip
    return found


def write_vcd(recording: Recording, path: Path) -> None:
    """Write a recording as a VCD that GTKWave and Surfer open, in its unit's scope."""
    from vcd import VCDWriter

    step = STEPS[recording.unit]
    order = signals_in_order(recording)
    edges = sorted(
        (time, order.index(name), level)
        for name, pulses in recording.pulses.items()
        for pulse in pulses
        for time, level in ((pulse.start, 1), (pulse.end, 0))
    )
    with (
        path.open("w", encoding="utf-8") as out,
        VCDWriter(out, timescale=step.timescale, date="", comment=step.comment) as writer,
    ):
        wires = [writer.register_var(step.scope, name, "wire", size=1, init=0) for name in order]
        for time, index, level in edges:
            writer.change(wires[index], time, level)
        writer.close(recording.end)


def signals_in_order(recording: Recording) -> list[str]:
    """Return the signals' names: KernelPerf's four, the threads, the rest."""
    return sorted(recording.pulses, key=_place)


def is_ours(name: str) -> bool:
    """Tell whether a signal is one of those that the analysis reads."""
    return name in (*FOUR, "isr", "syscall") or name.removeprefix("thread_").isdigit()


def _place(name: str) -> tuple[int, int, str]:
    if name in FOUR:
        return 0, FOUR.index(name), name
    number = name.removeprefix("thread_")
    return (1, int(number), name) if number.isdigit() else (2, 0, name)
