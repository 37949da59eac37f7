# SPDX-License-Identifier: Apache-2.0
"""A capture of a board on a desk: what its pins show, and which figure lacks which pin.

Four pins as KernelPerf drives them are enough; with two, the scheduler and queueing, what
threads do is left open. A figure that was not to be seen is called that, and never 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foliot.model.errors import UsageError
from foliot.scope import results, signals, vcd
from foliot.scope.analysis import Analysis, analyse
from foliot.scope.signals import Recording

_NEEDED = ("scheduler", "queueing")

# What a figure needs beyond those; the others can always be told.
_LACKS = {
    "interrupt": "needs the pin isr",
    "interrupt_share": "needs the pin isr",
    "switch": "needs the pin thread_any, and threads in a row",
    "switching_share": "needs the pin thread_any, and threads in a row",
    "release_offsets": "needs the pin thread_0",
    "release_jitter": "needs the pins thread_any and thread_0, and two ticks alike",
    "completion_jitter": "needs the pin thread_any, and two ticks alike",
    "thread_0_intervals": "needs the pin thread_0",
}
_NO_TICK = "needs a whole tick"
_LONG = 64  # letters: a longer list is told by its ends


@dataclass(frozen=True, slots=True)
class Capture:
    """A capture as it was read and measured."""

    path: Path
    recording: Recording
    analysis: Analysis


def pin_names(pins: Iterable[str]) -> Mapping[str, str]:
    """Take `--pin scheduler=D1` apart; UsageError for a signal that there is none of."""
    found: dict[str, str] = {}
    known = [*signals.FOUR, *(f"thread_{n}" for n in range(1, 16)), "isr", "syscall"]
    for pin in pins:
        name, equals, theirs = pin.partition("=")
        if not equals or not theirs or name not in known:
            raise UsageError(f"--pin takes SIGNAL=NAME, not '{pin}'",
                             f"signals are {', '.join(signals.FOUR)}, thread_1 to thread_15, "
                             "isr, syscall")  # fmt: skip
        if name in found:
            raise UsageError(f"--pin names {name} twice: {found[name]} and {theirs}")
        found[name] = theirs
    return found


def read(path: Path, pins: Iterable[str], tick: int | None) -> Capture:
    """Read and measure a capture; its tick too, where it is not told."""
    names = pin_names(pins)
    recording = vcd.from_vcd(path, names)
    absent = [name for name in _NEEDED if name not in recording.pulses]
    if absent:
        raise UsageError(
            f"{path} shows no {' and no '.join(absent)}",
            "name its signals: --pin scheduler=D1 --pin queueing=D2 --pin thread_any=D0 ...",
        )
    still = [name for name in _NEEDED if not recording.signal(name)]
    if still:
        silent = " and ".join(names.get(name, name) for name in still)
        raise UsageError(
            f"{path}: {silent} never rises, so there is nothing to measure",
            "see whether the pins are the right ones, and the capture long enough",
        )
    recording = recording.cut(recording.start, recording.end)
    return Capture(path, recording, analyse(recording, tick))


def lines(capture: Capture) -> list[str]:
    """Return the figures, one a line: NAME VALUE, and why one is missing."""
    found = figures(capture)
    said = [f"{name:32} {_shown(name, value, found['ticks'])}" for name, value in found.items()]
    cut = len(capture.analysis.releases) - len(capture.analysis.ticks)
    if cut:
        said.append("The last tick is cut off by the end of the capture: in no share, no jitter.")
    if capture.recording.unit == "insn":
        said.append("Steps of this file are instructions: counts, and no times.")
    if capture.recording.unit == "emulated":
        said.append("Steps of this file are an emulator's: an order of events, and no times.")
    return said


def figures(capture: Capture) -> dict[str, Any]:
    """Return the figures by name. The gap of pins around a switch is the switch."""
    found = results.figures(capture.analysis)
    return {"switch" if name == "gap" else name: value for name, value in found.items()}


def _shown(name: str, value: object, ticks: int) -> str:
    if isinstance(value, list) and len(str(value)) > _LONG:
        return f"{min(value)} to {max(value)} ({len(value)} values)"
    if value is not None:
        return str(value)
    return f"- ({_LACKS.get(name, _NO_TICK) if ticks else _NO_TICK})"
