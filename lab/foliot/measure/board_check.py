# SPDX-License-Identifier: Apache-2.0
"""The first time on silicon: what a board's firmware says of itself, against this machine's clock.

The firmware is tests/board_check, which judges nothing. Each fact that its board declares is
compared with what was heard: it agrees, or does not, or was not heard. A board's time is compared
with ours by the median over pairs of its beats, so that what a USB plug delays now and then does
not count; in a simulator, whose time is none, that is left out.
"""

from __future__ import annotations

import json
import re
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foliot.measure.port import follow
from foliot.model.errors import FoliotError
from foliot.model.names import counted, plain
from foliot.show.terminal import Progress
from foliot.target import build, paths, runner
from foliot.target.boards import Board
from foliot.target.serialport import Port

APPLICATION = paths.ROOT / "tests" / "board_check"
AGREES, DIFFERS, UNHEARD, LEFT_OUT = "agrees", "DIFFERS", "NOT HEARD", "not compared"
SECONDS = 10.0
SIMULATED_BEATS = 3
_MARK = b"@check "
_TEXT_LINES, _TEXT_LENGTH, _LETTERS = 8, 80, 95
_CLOCK_OFF = 0.03  # RC oscillators are within 2 per cent, and a serial port within the rest
_COUNTER_OFF = 0.02
_FEWEST_BEATS = 5
_SHORTEST_S = 1.0
_WORD_BITS = 64
_LONGEST_LOG = 16 << 20
_QUIET_S = 5.0  # beyond the beats: a clock at half its rate is still heard to the end


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the page: what is declared, what was seen, and whether these agree."""

    name: str
    declared: str
    seen: str
    verdict: str


@dataclass(slots=True)
class Heard:
    """Takes a console's lines, with the time of their arrival, until there are beats enough."""

    enough: Callable[[Heard], bool]
    records: list[Mapping[str, Any]] = field(default_factory=list)
    arrived: list[float] = field(default_factory=list)  # of the beats
    log: list[bytes] = field(default_factory=list)
    garbled: int = 0
    size: int = 0
    others: int = 0  # lines of something else, since the board began
    clock: Callable[[], float] = time.monotonic

    def line(self, line: bytes) -> bool:
        """Take one line; return True where that is enough."""
        self.log.append(line)
        self.size += len(line)
        if self.size > _LONGEST_LOG:
            raise FoliotError("the port sent more than 16 MiB: that is no check of a board")
        at = line.find(_MARK)
        record = _record(line[at + len(_MARK) :]) if at >= 0 else None
        if record is None:
            self.garbled += at >= 0
            self.others += at < 0 and bool(line.strip())
            return False
        if record["type"] == "board":
            # It began anew: what came before was another run's, or the rest of one.
            self.records, self.arrived, self.garbled, self.others = [], [], 0, 0
        self.records.append(record)
        if record["type"] == "beat":
            self.arrived.append(self.clock())
        return record["type"] == "end" or self.enough(self)

    def of(self, kind: str) -> list[Mapping[str, Any]]:
        """Return the records of a type."""
        return [record for record in self.records if record["type"] == kind]


def _record(text: bytes) -> Mapping[str, Any] | None:
    """Return a record whose fields are what they should be; None of a garbled one."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    kind = record.get("type") if isinstance(record, dict) else None
    if not isinstance(kind, str) or kind not in _FIELDS:
        return None
    wanted = {"n": int, **_FIELDS[kind]}
    if not all(_is(record.get(key), type_) for key, type_ in wanted.items()):
        return None
    return record if kind != "board" or _is_possible(record) else None


def _is_possible(record: Mapping[str, Any]) -> bool:
    """Whether a board's own record tells rates and a counter that there may be."""
    counter = record["counter"]
    if not all(_is(counter.get(key), int) for key in ("bits", "num", "den")):
        return False
    rates = (record["clock_hz"], record["tick_hz"], counter["num"], counter["den"])
    return bool(min(rates) > 0 and 0 < counter["bits"] <= _WORD_BITS)


def _is(value: object, kind: type) -> bool:
    return type(value) is kind and not (isinstance(value, int) and abs(value) >> _WORD_BITS)


_FIELDS: Mapping[str, Mapping[str, type]] = {
    "board": {"board": str, "clock_hz": int, "tick_hz": int, "counter": dict},
    "text": {"line": int, "text": str},
    "signal": {"signal": str, "raised": int, "lowered": int},
    "sleeps": {},
    "beat": {"ticks": int, "slept": int, "asked": int, "counted": int, "spun": int},
    "end": {},
}


def firmware(board: Board, conf: Sequence[str], progress: Progress) -> build.Firmware:
    """Build what the board is checked by."""
    return build.build(APPLICATION, board, progress, configuration(board, conf))


def configuration(board: Board, conf: Sequence[str]) -> tuple[str, ...]:
    """Return the configurations of its image: with the signals where the board has pins of them."""
    return (*conf, *(("signals",) if board.pins else ()))


def hearing(seconds: float, clock: Callable[[], float] = time.monotonic) -> Heard:
    """Return what takes lines until it has heard so many seconds of beats, by that clock."""
    return Heard(lambda heard: heard.arrived[-1] - heard.arrived[0] >= seconds
                 if len(heard.arrived) > 1 else False, clock=clock)  # fmt: skip


def listen(port: Port, heard: Heard, limit_s: float, progress: Progress) -> Heard:
    """Reset a board, and listen until that is enough; FoliotError as of any port."""
    with progress.task(f"Listening on {port.name} at {port.baud} baud") as task:

        def take(line: bytes) -> bool:
            done = heard.line(line)
            task.update(counted(len(heard.arrived), "beat"))
            return done

        follow(port, take, limit_s, progress, task)
    return heard


def simulate(board: Board, image: build.Firmware, progress: Progress) -> Heard:
    """Run the firmware where the board is simulated, for a few beats."""
    heard = Heard(lambda heard: len(heard.arrived) >= SIMULATED_BEATS)
    with progress.task(f"Running it on {board.name}"):
        runner.run(board, image.elf, heard.line)
    return heard


def judge(board: Board, heard: Heard, on_device: bool) -> list[Fact]:
    """Return the page's lines."""
    told = heard.of("board")
    first = told[-1] if told else {}
    return [
        _image(board, heard, first),
        _start(first),
        _clock(board, heard, first, on_device),
        _counter(board, heard, first),
        _sleep(heard),
        _console(heard),
        *_signals(board, heard),
    ]


def _image(board: Board, heard: Heard, first: Mapping[str, Any]) -> Fact:
    if first:
        agrees = first["board"] == board.name
        return Fact("image", board.name, plain(first["board"]), AGREES if agrees else DIFFERS)
    if heard.records or heard.garbled:
        return Fact("image", board.name, "its beginning was not heard", UNHEARD)
    if heard.others:
        last = plain(heard.log[-1].decode("ascii", "replace")).strip()[:40]
        said = f"{counted(heard.others, 'line')} of something else: {last}"
        return Fact("image", board.name, said, DIFFERS)
    return Fact("image", board.name, "nothing came", UNHEARD)


def _start(first: Mapping[str, Any]) -> Fact:
    declared = "the clock comes up"
    if not first:
        return Fact("start", declared, "", UNHEARD)
    fallback = first.get("fallback")
    if fallback is None:
        return Fact("start", declared, "as declared", AGREES)
    return Fact("start", declared, plain(str(fallback)), DIFFERS)


def _clock(board: Board, heard: Heard, first: Mapping[str, Any], on_device: bool) -> Fact:
    hz = first.get("clock_hz", board.clock_hz)
    declared = f"{hz / 1e6:g} MHz"
    if not on_device:
        return Fact("clock", declared, "the time of a simulator is none", LEFT_OUT)
    ticks = [beat["ticks"] for beat in heard.of("beat")]
    spent = heard.arrived[-1] - heard.arrived[0] if heard.arrived else 0.0
    if not first or len(ticks) < _FEWEST_BEATS or spent < _SHORTEST_S:
        return Fact("clock", declared, f"{counted(len(ticks), 'beat')} in {spent:.1f} s", UNHEARD)
    slope = _slope(heard.arrived, ticks) / first["tick_hz"]
    seen = f"{slope:.3f} s of ticks a second of ours, by {spent:.1f} s"
    if abs(slope - 1) <= _CLOCK_OFF:
        return Fact("clock", declared, seen, AGREES)
    return Fact("clock", declared, f"{seen}: {hz * slope / 1e6:.4g} MHz?", DIFFERS)


def _slope(arrived: Sequence[float], ticks: Sequence[int]) -> float:
    """Return ticks a second: the median over beats half the run apart, of which some came late."""
    half = len(ticks) // 2
    ahead = zip(arrived, ticks, arrived[half:], ticks[half:], strict=False)
    return statistics.median(
        (after - before) / (later - sooner) for sooner, before, later, after in ahead
        if later > sooner
    )  # fmt: skip


def _counter(board: Board, heard: Heard, first: Mapping[str, Any]) -> Fact:
    beats = [beat for beat in heard.of("beat") if beat["spun"] > 0]
    if not first or not beats:
        stuck = bool(first) and bool(heard.of("beat"))
        said = "the ticks stand still" if stuck else "no beat"
        return Fact("counter", "", said, DIFFERS if stuck else UNHEARD)
    counter = first["counter"]
    name = plain(str(counter.get("name", "")))
    counts = [beat["counted"] % (1 << counter["bits"]) for beat in beats]
    if not any(counts):
        return Fact("counter", name, "stands still", DIFFERS)
    if board.unit != "cycles":
        steady = max(counts) - min(counts) <= _COUNTER_OFF * max(counts)
        seen = f"{min(counts)} to {max(counts)} counts a stretch"
        return Fact("counter", name, seen, AGREES if steady else DIFFERS)
    rate = first["clock_hz"] * counter["num"] / counter["den"]
    wanted = rate * beats[0]["spun"] / first["tick_hz"]
    off = [_wrapped(count - wanted, 1 << counter["bits"]) / wanted for count in counts]
    worst = max(off, key=abs)
    declared = f"{name}, {rate / 1e6:g} MHz"
    seen = f"{worst:+.2%} by the ticks, at most"
    return Fact("counter", declared, seen, AGREES if abs(worst) <= _COUNTER_OFF else DIFFERS)


def _wrapped(difference: float, modulus: int) -> float:
    """Return the distance that is nearest, of a counter that may have wrapped."""
    return (difference + modulus / 2) % modulus - modulus / 2


def _sleep(heard: Heard) -> Fact:
    begun, beats = heard.of("sleeps"), heard.of("beat")
    if not beats:
        said = "the first sleep never ended" if begun else "no beat"
        return Fact("wake-up from sleep", "", said, DIFFERS if begun else UNHEARD)
    declared = f"{beats[0]['asked']} ticks"
    wrong = [beat for beat in beats if not beat["asked"] <= beat["slept"] <= beat["asked"] + 2]
    if wrong:
        said = f"{wrong[0]['slept']} ticks, {len(wrong)} times of {len(beats)}"
        return Fact("wake-up from sleep", declared, said, DIFFERS)
    if heard.records[-1]["type"] == "sleeps":
        said = f"the sleep behind {counted(len(beats), 'beat')} never ended"
        return Fact("wake-up from sleep", declared, said, DIFFERS)
    return Fact("wake-up from sleep", declared, counted(len(beats), "time"), AGREES)


def _letters(line: int) -> str:
    letters = (chr(32 + (line * 11 + place) % _LETTERS) for place in range(_TEXT_LENGTH))
    return "".join("." if letter in '"\\' else letter for letter in letters)


def _console(heard: Heard) -> Fact:
    declared = f"{_TEXT_LINES} lines of all letters, none lost"
    if not heard.records:
        return Fact("console", declared, "", UNHEARD)
    whole = {text["line"] for text in heard.of("text") if text["text"] == _letters(text["line"])}
    numbers = [record["n"] for record in heard.records]
    lost = numbers[-1] - numbers[0] + 1 - len(numbers)
    if numbers[0] == 0 and len(whole) == _TEXT_LINES and not (lost or heard.garbled):
        return Fact("console", declared, f"{counted(len(numbers), 'line')}, all whole", AGREES)
    bad = counted(max(lost, heard.garbled), "line")
    return Fact("console", declared, f"{len(whole)} whole, {bad} lost or garbled", DIFFERS)


def _signals(board: Board, heard: Heard) -> list[Fact]:
    """Return a fact a pin: its port's register takes the level. What a probe sees is not here."""
    told = {record["signal"]: record for record in heard.of("signal")}
    facts = []
    for signal, pin in board.signal_pins().items():
        if signal.startswith("thread_") and signal not in {"thread_any", "thread_0"}:
            continue
        record = told.get(signal)
        if record is None:
            facts.append(Fact(f"signal {signal}", pin, "", UNHEARD))
            continue
        wrong = [word for word in ("raised", "lowered") if not record[word]]
        seen = f"is not {' nor '.join(wrong)}" if wrong else "its port takes both levels"
        facts.append(Fact(f"signal {signal}", pin, seen, DIFFERS if wrong else AGREES))
    return facts


def is_pseudo(port: str) -> bool:
    """Whether a port is a pseudo-terminal, behind which is a program and no silicon."""
    from pathlib import Path

    return re.match(r"/dev/(pts/|tty[p-za-e][0-9a-f]$)", str(Path(port).resolve())) is not None


def limit_of(seconds: float) -> float:
    """Return how long to listen at most: to a board at a third of its rate, and its reset."""
    return 3 * seconds + _QUIET_S
