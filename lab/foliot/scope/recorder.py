# SPDX-License-Identifier: Apache-2.0
"""Recording the test cases on a board: build, run, and take the signals where they are.

An RTL board's pins come as a VCD from the simulator, and its input pins choose the case
and the number of ticks, so that one image serves all. Other boards run every case they
have and print what their ring kept. A device's pins are recorded where it has an emulator: the
order of what happens, and no times.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from foliot.log.records import integer
from foliot.measure.console import listen
from foliot.model.errors import FoliotError, LogError, UsageError
from foliot.model.run import Run
from foliot.scope import signals, vcd
from foliot.scope.analysis import Analysis, analyse
from foliot.scope.expected import TITLES, Check, Facts, check
from foliot.scope.signals import Recording
from foliot.show.terminal import Progress, Task
from foliot.target import boards, provision, suites
from foliot.target import build as building
from foliot.target.boards import Board

SUITE = "periodic"
CONFIGURATION = "scope"
_LEAD = 20  # a recording begins so far before the first release, in parts of a tick
SWITCH_ROW = "periodic.switch"  # from before k_period_wait() to after it, in the next thread


@dataclass(frozen=True, slots=True)
class Request:
    """What to record."""

    cases: tuple[int, ...] = ()  # none: all that the board has
    ticks: int | None = None
    wait_states: str | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One test case as it was recorded and measured, and what was expected of it."""

    facts: Facts
    recording: Recording
    analysis: Analysis
    checks: tuple[Check, ...]

    @property
    def title(self) -> str:
        """Its number and what it is about."""
        return f"Test case {self.facts.number}: {TITLES[self.facts.number]}"


@dataclass(frozen=True, slots=True)
class Session:
    """The cases of one board; `run` is what the firmware said of itself.

    `switch` is KernelPerf's: from before the call that gives the CPU up to after it in the
    next thread, without any trace; None where nothing can be measured.
    """

    board: Board
    memory: str
    run: Run
    cases: tuple[Case, ...]
    switch: int | None

    @property
    def unit(self) -> str:
        """What times are counted in."""
        return unit_of(self.board)

    @property
    def measured_switch(self) -> int:
        """The switch, of a board that measures; FoliotError of another."""
        if self.switch is None:
            raise FoliotError(f"{self.board.name} has no figure of a switch: it measures nothing")
        return self.switch


def unit_of(board: Board) -> str:
    """Return what a recording's times are: the board's unit, or an emulator's clocks."""
    return "emulated" if board.emulated else board.unit


def record(board: Board, request: Request, progress: Progress) -> Session:
    """Build the suite, run it, and return its cases in their order.

    Raises UsageError for a case that there is none of, or that the board hasn't.
    """
    unknown = [str(number) for number in request.cases if number not in TITLES]
    if unknown:
        raise UsageError(f"there is no test case {', '.join(unknown)}: 0 to {max(TITLES)}")
    if not board.emulated:
        boards.check_measures(board)
    if board.kind != "verilator" and (request.ticks or request.wait_states):
        raise UsageError(f"--ticks and --wait-states are for boards in RTL, not for {board.name}")
    provision.prepare(board, progress)
    app = suites.directory(SUITE)
    firmware = building.build(app, board, progress, (CONFIGURATION,))
    # One run of all cases, or one of each.
    wanted: Sequence[int | None] = request.cases if board.kind == "verilator" else ()
    found: dict[int, Case] = {}
    run: Run | None = None
    for number in wanted or (None,):
        run, cases = _run(board, firmware.image, number, request, progress)
        found |= {case.facts.number: case for case in cases}
    if run is None:
        raise FoliotError("nothing was run")
    absent = [str(number) for number in request.cases if number not in found]
    if absent:
        raise UsageError(
            f"{board.name} has no test case {', '.join(absent)}: it has no UART for it"
        )
    numbers = [number for number in sorted(found) if number in (request.cases or TITLES)]
    memory = board.memory
    if request.wait_states:
        memory += f", but {request.wait_states} wait states (instructions, data)"
    switch = None if board.emulated else _switch(board, request, progress)
    return Session(board, memory, run, tuple(found[number] for number in numbers), switch)


def _run(
    board: Board, elf: Path, number: int | None, request: Request, progress: Progress
) -> tuple[Run, list[Case]]:
    with tempfile.TemporaryDirectory(prefix="foliot-") as scratch:
        pins = Path(scratch) / "signals.vcd"
        options = _options(board, pins, number, request)
        title = f"Recording {'all cases' if number is None else f'case {number}'} on {board.name}"
        with progress.task(title) as task:
            run = _follow(board, elf, options, task)
        watched = vcd.from_vcd(pins, unit=unit_of(board)) if pins.exists() else None
    return run, _cases(board, run, watched)


def _options(board: Board, watched: Path, number: int | None, request: Request) -> list[str]:
    """Return what the RTL simulator is told; suites/periodic/cases.c reads the pins."""
    if board.emulated:
        numbers = {name: re.sub(r"\D", "", pin) for name, pin in board.signal_pins().items()}
        named = [word for name, n in numbers.items() for word in ("--pin", f"{name}={n}")]
        return ["--vcd", str(watched), *named]
    if board.kind != "verilator":
        return []
    if not 3 <= (request.ticks or 3) <= 15:
        raise UsageError("--ticks takes 3 to 15")
    pins = (0 if number is None else number + 1) | (request.ticks or 0) << 4
    options = ["--vcd", str(watched), "--pins", str(pins)]
    return options + _memory_options(request)


def _memory_options(request: Request) -> list[str]:
    return ["--wait-states", request.wait_states] if request.wait_states else []


def _switch(board: Board, request: Request, progress: Progress) -> int:
    """Measure the switch as KernelPerf defines it: around the call, and without any trace.

    The lowest input pin tells suites/periodic/rows.c to measure nothing else; a board
    without pins measures all rows.
    """
    firmware = building.build(suites.directory(SUITE), board, progress)
    options = ["--pins", "1", *_memory_options(request)] if board.kind == "verilator" else []
    with progress.task(f"Measuring the switch on {board.name}") as task:
        heard = listen(
            board,
            firmware.image,
            lambda reader, _: task.update("", len(reader.rows)),
            options=options,
        )
    row = heard.reader.finish().row(SWITCH_ROW)
    if row is None:
        raise FoliotError(f"{board.name}: the suite {SUITE} did not measure {SWITCH_ROW}")
    return round(row.p50)


def _follow(board: Board, elf: Path, options: Sequence[str], task: Task) -> Run:
    task.update("starting", 0, len(TITLES))
    heard = listen(
        board, elf, lambda reader, _: task.update("", len(reader.rows)), options=options
    )  # fmt: skip
    return heard.reader.finish()


def _cases(board: Board, run: Run, pins: Recording | None) -> list[Case]:
    """Cut the recording into the cases that the firmware says there were."""
    if pins is not None and board.emulated:
        facts = [_facts(entry) for entry in run.records if entry["type"] == "case"]
        bits = integer(run.header.counter, "bits", 1)
        return [_case(board, one, pins, ()) for one in _unwrapped(facts, bits, pins.end)]
    cases: list[Case] = []
    ring: list[Mapping[str, Any]] = []
    told: Facts | None = None
    for entry in [*run.records, {"type": "case"}]:
        if entry["type"] == "signals":
            ring.append(entry)
        elif entry["type"] == "case":
            if told:
                cases.append(_case(board, told, pins, ring))
            ring = []
            told = _facts(entry) if len(entry) > 1 else None
    return cases


def _unwrapped(found: Sequence[Facts], bits: int, end: int) -> list[Facts]:
    """Return when each case was, where the counter that tells it wraps during a recording.

    From the last backwards: what lies between two cases, and behind the last, is shorter than
    the counter's range; how long one took is known to within a tick.
    """
    range_, later, told = 1 << bits, end, []
    for facts in reversed(found):
        stop = later - (later - facts.end) % range_
        length = (facts.end - facts.start) % range_
        about = facts.tick * (facts.ticks + 1)
        length += round((about - length) / range_) * range_
        told.append(replace(facts, start=stop - length, end=stop))
        later = stop - length
    return told[::-1]


def _facts(record: Mapping[str, Any]) -> Facts:
    def counts(key: str) -> tuple[int, ...]:
        values = record.get(key)
        if not isinstance(values, list) or not all(type(value) is int for value in values):
            raise LogError(f"a 'case' record whose '{key}' is no list of numbers")
        return tuple(values)

    return Facts(
        number=integer(record, "case", 0, max(TITLES)), threads=integer(record, "threads", 1),
        half_rate=integer(record, "half_rate", 0), tick=integer(record, "tick", 1),
        ticks=integer(record, "ticks", 1), load_permille=integer(record, "load_permille", 0),
        overload_permille=integer(record, "overload_permille", 0),
        characters=integer(record, "characters", 0), start=integer(record, "from", 0),
        end=integer(record, "to", 0), overruns=counts("overruns"), skipped=counts("skipped"),
    )  # fmt: skip


def _case(
    board: Board, facts: Facts, pins: Recording | None, ring: Sequence[Mapping[str, Any]]
) -> Case:
    if pins is not None:
        recording = pins.cut(facts.start, facts.end)
    else:
        last = ring[-1]["events"][-1][0] if ring and ring[-1].get("events") else 0
        recording = signals.from_records(board.unit, ring, last)
    recording = _without_main(recording, facts)
    analysis = analyse(recording, facts.tick, facts.ticks)
    return Case(facts, recording, analysis, tuple(check(facts, analysis)))


def _without_main(recording: Recording, facts: Facts) -> Recording:
    """Cut off where main() makes the threads, a tick before their release, and ends them."""
    lead = facts.tick // _LEAD
    over = facts.tick * (facts.ticks + 1) - lead
    ends = [pulse.start for pulse in recording.others() if pulse.start >= over]
    start = facts.tick - lead
    return recording.cut(start, min(ends, default=recording.end))
