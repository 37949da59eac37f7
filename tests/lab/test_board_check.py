# SPDX-License-Identifier: Apache-2.0
"""`foliot board-check`: in simulators, and on a pseudo-terminal that plays a board, and lies."""

from __future__ import annotations

import itertools
import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from desk import Board

from foliot.measure import board_check
from foliot.measure.board_check import AGREES, DIFFERS, LEFT_OUT, UNHEARD
from foliot.model.errors import FoliotError
from foliot.show.terminal import Progress
from foliot.store import checks
from foliot.store.sqlite import Store
from foliot.target import boards, paths

QUIET = Progress(quiet=True)
PICO = boards.load("rpi_pico")
NO_CLOCK = (
    b'@check {"n":0,"type":"board","board":"rpi_pico","clock_hz":1,"tick_hz":0,'
    b'"counter":{"bits":1,"num":1,"den":0}}\r\n'
)
LISTEN_S = 1.2
BEAT_S = 0.05
PATIENCE_S = 60
NAMES = ["image", "start", "clock", "counter", "wake-up from sleep", "console"]
SIGNALS = [f"signal {name}" for name in ("thread_any", "scheduler", "queueing", "isr", "thread_0")]


@dataclass(frozen=True)
class Lies:
    """What a played board says that is not so; without any, it is an rpi_pico."""

    rate: float = 1.0
    counter: float = 1.0
    board: str = "rpi_pico"
    fallback: str = ""
    text: int = 8
    slept: int = 4
    beats: int = 1000
    spun: int = 1
    signal: int = 1
    skip: int = -1  # the number of a line that the console loses
    before: bytes = b""


def play(lies: Lies, board: Board | Wire, sleep: Callable[[float], None] = lambda _: None) -> None:
    """Send what such a board sends; its ticks are those of the beats, and of no clock."""
    number = 0

    def say(kind: str, **more: object) -> None:
        nonlocal number
        line = "@check " + json.dumps({"n": number, "type": kind, **more}) + "\r\n"
        if number != lies.skip:
            board.send(line.encode())
        number += 1

    board.send(lies.before)
    counter = {"name": "systick", "bits": 24, "num": 1, "den": 1}
    said = {"fallback": lies.fallback} if lies.fallback else {}
    say("board", board=lies.board, clock_hz=125_000_000, tick_hz=100, counter=counter, **said)
    for line in range(lies.text):
        say("text", line=line, text=board_check._letters(line))
    for signal in SIGNALS:
        say("signal", signal=signal.removeprefix("signal "), raised=lies.signal, lowered=1)
    for beat in range(lies.beats):
        say("sleeps")
        sleep(BEAT_S)
        ticks = int((beat + 1) * BEAT_S * 100 * lies.rate)
        counted = int(1_250_000 * lies.counter) & 0xFFFFFF
        say("beat", ticks=ticks, slept=lies.slept, asked=4, counted=counted, spun=lies.spun)
        if board.closed.is_set():
            return
    if lies.beats < 1000:
        say("sleeps")


class Wire:
    """Hands a played board's lines to the listener, as far as it listens."""

    def __init__(self, heard: board_check.Heard) -> None:
        self.heard = heard
        self.closed = threading.Event()

    def send(self, data: bytes) -> None:
        *lines, rest = data.split(b"\n")
        assert rest == b""
        for line in lines:
            if not self.closed.is_set() and self.heard.line(line.rstrip(b"\r")):
                self.closed.set()


def hearing() -> board_check.Heard:
    """Return a listener whose clock goes on with each beat, so that no load delays one."""
    beats = itertools.count()
    return board_check.hearing(LISTEN_S, lambda: next(beats) * BEAT_S)


def judged(lies: Lies) -> tuple[dict[str, str], dict[str, board_check.Fact]]:
    """Listen to a board that lies; return the verdicts, and the facts, by name."""
    wire = Wire(hearing())
    play(lies, wire)
    facts = board_check.judge(PICO, wire.heard, on_device=True)
    return {fact.name: fact.verdict for fact in facts}, {fact.name: fact for fact in facts}


def test_an_honest_board_agrees_in_all(tmp_path):
    # Few enough that none is left unread, which a pseudo-terminal would wait for.
    board = Board(lambda board: play(Lies(beats=30), board), tmp_path)
    heard = board_check.listen(board.port, hearing(), PATIENCE_S, QUIET)
    board.close()
    verdicts = {fact.name: fact.verdict for fact in board_check.judge(PICO, heard, on_device=True)}
    assert verdicts == dict.fromkeys(NAMES + SIGNALS, AGREES)


@pytest.mark.parametrize(
    ("lies", "differing", "said"),
    [
        (Lies(rate=2.0), {"clock"}, " MHz?"),
        (Lies(rate=0.5), {"clock"}, " MHz?"),
        (Lies(rate=1.1), {"clock"}, " MHz?"),
        (Lies(counter=0), {"counter"}, "stands still"),
        (Lies(counter=2.0), {"counter"}, "+100.00%"),
        (Lies(counter=1.1), {"counter"}, "+10.00%"),
        (Lies(spun=0), {"counter"}, "the ticks stand still"),
        (Lies(board="rpi_pico2"), {"image"}, "rpi_pico2"),
        (Lies(fallback="the PLL does not lock"), {"start"}, "the PLL does not lock"),
        (Lies(slept=40), {"wake-up from sleep"}, "40 ticks"),
        (Lies(slept=0), {"wake-up from sleep"}, "0 ticks"),
        (Lies(text=7), {"console"}, "7 whole"),
        (Lies(skip=5), {"console"}, "1 line lost"),
        (Lies(signal=0), set(SIGNALS), "is not raised"),
        (Lies(before=b"Hello number 3\r\n@check {half a li\r\n"), set(), ""),
    ],
)
def test_what_a_board_lies_about_differs_and_nothing_else_does(lies, differing, said):
    verdicts, facts = judged(lies)
    assert {name for name, verdict in verdicts.items() if verdict != AGREES} == differing
    assert all(verdicts[name] == DIFFERS for name in differing)
    assert all(said in facts[name].seen for name in differing)
    found = re.search(r"([0-9.]+) s of ticks a second", facts["clock"].seen)
    assert float(found[1]) == pytest.approx(lies.rate, rel=0.02)


@pytest.mark.parametrize("rate", [1.0, 1.02, 2.0])
@pytest.mark.parametrize("late", [{}, {0: 0.5}, {99: 0.9}, dict.fromkeys(range(30, 50), 0.3)])
def test_beats_that_a_port_delays_do_not_count(rate, late):
    """By the arrivals alone: the last one nearly a second late, or a fifth of them."""
    heard = board_check.Heard(lambda _: False, clock=lambda: next(times))
    times = iter(n * 0.1 + late.get(n, 0.0) for n in range(100))
    for n in range(101):
        more = {"ticks": int((n - 1) * 10 * rate), "slept": 4, "asked": 4, "counted": 1, "spun": 1}
        head = {"board": "rpi_pico", "clock_hz": 1_000_000, "tick_hz": 100,
                "counter": {"bits": 32, "num": 1, "den": 1}}  # fmt: skip
        record = {"n": n, "type": "beat", **more} if n else {"n": 0, "type": "board", **head}
        heard.line(b"@check " + json.dumps(record).encode())
    clock = board_check.judge(PICO, heard, on_device=True)[2]
    assert float(clock.seen.split()[0]) == pytest.approx(rate, rel=0.005)
    assert clock.verdict == (AGREES if rate < 1.03 else DIFFERS)


HONEST = (
    {"type": "board", "board": "rpi_pico", "clock_hz": 1_000_000, "tick_hz": 100,
     "counter": {"bits": 32, "num": 1, "den": 1}},
    {"type": "text", "line": 0, "text": board_check._letters(0)},
    {"type": "signal", "signal": "scheduler", "raised": 1, "lowered": 1},
    {"type": "sleeps"},
    {"type": "beat", "ticks": 9, "slept": 4, "asked": 4, "counted": 10_000, "spun": 1},
)  # fmt: skip
ANYTHING = (None, 0, -1, 10**400, 1e308, "", "x" * 5000, [], {}, True, {"bits": 0}, "\x1b[2J\ud800")


@pytest.mark.parametrize("place", range(len(HONEST)))
def test_any_value_in_any_field_is_judged_or_passed_over(place):
    """Nothing that a line may hold ends the check, nor steers the terminal."""
    for key in HONEST[place]:
        for value in ANYTHING:
            times = iter(range(100))
            heard = board_check.Heard(lambda _: False, clock=lambda times=times: float(next(times)))
            for n in range(20):
                record = HONEST[min(n, len(HONEST) - 1)]
                broken = {**record, key: value} if record is HONEST[place] else record
                heard.line(b"@check " + json.dumps({"n": n, **broken}).encode())
            for fact in board_check.judge(PICO, heard, on_device=True):
                assert fact.seen.isprintable()


def test_a_port_that_floods_or_nests_is_no_end_of_memory():
    heard = board_check.Heard(lambda _: False)
    assert not heard.line(b"@check " + b"[" * 500_000)
    assert heard.garbled == 1
    for _ in range(15):
        heard.line(b"x" * (1 << 20))
    with pytest.raises(FoliotError, match="16 MiB"):
        heard.line(b"x" * (1 << 20))


def test_a_sleep_that_never_ends_is_told_from_silence():
    verdicts, facts = judged(Lies(beats=0))
    assert verdicts["wake-up from sleep"] == DIFFERS
    assert facts["wake-up from sleep"].seen == "the first sleep never ended"
    assert (verdicts["clock"], verdicts["counter"]) == (UNHEARD, UNHEARD)
    verdicts, facts = judged(Lies(beats=7))
    assert "behind 7 beats never ended" in facts["wake-up from sleep"].seen


@pytest.mark.parametrize(
    ("sent", "verdict", "said"),
    [
        (b"", UNHEARD, "nothing came"),
        (b"MicroPython v1.23\r\n>>> \r\n", DIFFERS, "2 lines of something else"),
        (b"Hello number 1, 0 ms after the start\r\n", DIFFERS, "Hello number 1"),
        (b"@check []\r\n@check {}\r\n", UNHEARD, "its beginning was not heard"),
        (NO_CLOCK, UNHEARD, "its beginning was not heard"),
        (b"\xff\xfe\x00\x80\r\n" * 3, DIFFERS, "something else"),
    ],
)  # fmt: skip
def test_another_image_or_none(sent, verdict, said):
    wire = Wire(hearing())
    wire.send(sent)
    facts = board_check.judge(PICO, wire.heard, on_device=True)
    assert (facts[0].name, facts[0].verdict) == ("image", verdict)
    assert said in facts[0].seen
    assert not any(fact.verdict == AGREES for fact in facts)


def test_a_port_that_is_silent_is_listened_to_until_the_limit(tmp_path):
    board = Board(lambda board: None, tmp_path)
    heard = board_check.listen(board.port, hearing(), 0.3, QUIET)
    board.close()
    assert (heard.log, heard.records) == ([], [])


@pytest.mark.slow
def test_the_command_prints_a_page_keeps_it_and_a_played_board_is_no_silicon(foliot, tmp_path):
    # By this machine's clock, so its load may make it look slower: not twenty times.
    lies = Board(lambda board: play(Lies(rate=20.0), board, time.sleep), tmp_path)
    store = str(tmp_path / "store")
    done = foliot(
        "board-check", "rpi_pico", "-q", "--port", lies.port.name, "--reset", lies.port.reset,
        "--seconds", "2", "--by", "a tester", FOLIOT_STORE=store,
    )  # fmt: skip
    lies.close()
    assert done.returncode == 1, done.stderr
    assert "don't: clock" in done.stdout
    assert "no check on silicon" in done.stdout
    page, _, place = done.stdout.partition("kept, with the console beside it:\n")
    assert all(len(line) <= 100 for line in page.splitlines())
    (kept,) = (tmp_path / "store" / "checks").glob("rpi_pico-*.json")
    assert (paths.ROOT / place.strip()).samefile(kept)  # the shorter name, from there or absolute
    assert json.loads(kept.read_text())["by"] == "a tester"
    assert b"@check" in kept.with_suffix(".log").read_bytes()
    assert "silicon" not in foliot("boards", FOLIOT_STORE=store).stdout


def test_boards_tells_who_tried_it_on_silicon_and_when(foliot, tmp_path):
    store = Store(tmp_path)
    fact = board_check.Fact("clock", "16 MHz", "the same", AGREES)
    check = checks.Check("ty51822r3", "2026-11-23T10:00:00Z", "Ada", "/dev/ttyACM0", True,
                         ("default",), "0123456789ab", (fact,))  # fmt: skip
    checks.keep(store, check, b"x")
    checks.keep(store, replace(check, board="microbit", silicon=False), b"x")
    wrong = replace(fact, verdict=DIFFERS)
    checks.keep(store, replace(check, board="teensy41", facts=(fact, wrong)), b"x")
    (tmp_path / "checks" / "torn.json").write_text('{"schema": 1, "board"')
    printed = " ".join(foliot("boards", FOLIOT_STORE=str(tmp_path)).stdout.split())
    assert checks.on_silicon(store).keys() == {"ty51822r3", "teensy41"}
    assert checks.on_silicon(store)["ty51822r3"].told == "on silicon (Ada, 2026-11-23)"
    assert "differing: clock" in checks.on_silicon(store)["teensy41"].told
    assert printed.count("(Ada,") == 2
    later = replace(check, when="2026-11-24T10:00:00Z", facts=(wrong,))
    checks.keep(store, later, b"x")
    assert checks.on_silicon(store)["ty51822r3"] == later


@pytest.mark.parametrize(
    ("port", "pseudo"),
    [("/dev/pts/3", True), ("/dev/ttyACM0", False), ("/dev/ttyUSB1", False), ("/dev/ttyp0", True),
     ("/dev/ttyS0", False)],
)  # fmt: skip
def test_a_pseudo_terminal_is_told_by_its_name(port, pseudo):
    assert board_check.is_pseudo(port) is pseudo


@pytest.mark.slow
@pytest.mark.board
@pytest.mark.parametrize(
    "board", ["mps2_an385", pytest.param("ibex", marks=pytest.mark.long), "host",
              pytest.param("qemu_x86_64", marks=pytest.mark.long)],
)  # fmt: skip
def test_a_simulated_board_agrees_in_all_but_time(foliot, tmp_path, board):
    done = foliot("board-check", board, "-q", "--json", FOLIOT_STORE=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    verdicts = {fact["name"]: fact["verdict"] for fact in json.loads(done.stdout)["facts"]}
    assert verdicts.pop("clock") == LEFT_OUT
    assert set(verdicts.values()) == {AGREES}


@pytest.mark.board("mps2_an385")
def test_a_store_that_can_not_be_used_is_said_before_anything_runs(foliot):
    done = foliot("board-check", "mps2_an385", "--store", "/dev/null/x")
    assert done.returncode == 1
    assert "the store can't be used" in done.stderr
    assert "Running" not in done.stderr


@pytest.mark.long
@pytest.mark.board("microbit")
def test_the_nrf51s_check_runs_in_qemus_nearest_machine_which_is_another_image():
    """Its console, counter, sleep and signals' port are those of the chip."""
    image = board_check.firmware(boards.load("ty51822r3"), (), QUIET)
    heard = board_check.simulate(boards.load("microbit"), image, QUIET)
    facts = {one.name: one for one in board_check.judge(boards.load("ty51822r3"), heard, False)}
    assert facts["image"].verdict == facts["console"].verdict == AGREES
    assert facts["wake-up from sleep"].verdict == AGREES
    assert {name for name in facts if name.startswith("signal")} == {*SIGNALS} - {"signal isr"}
    other = board_check.judge(boards.load("microbit"), heard, False)
    assert (other[0].name, other[0].verdict) == ("image", DIFFERS)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ty51822r3"], "is a device: there is none in this machine"),
        (["ibex", "--baud", "9600"], "of a board at a --port"),
        (["nothing"], "unknown board 'nothing'"),
        (["rpi_pico", "--port", "/dev/ttyNOWHERE"], "there is no port /dev/ttyNOWHERE"),
        (["rpi_pico", "--seconds", "0"], "seconds"),
        (["rpi_pico", "--seconds", "nan"], "--seconds takes 2 to 50"),
    ],
)
@pytest.mark.slow
def test_wrong_use(foliot, words, said):
    done = foliot("board-check", "-q", *words)
    assert done.returncode == 2, done.stdout + done.stderr
    assert said in done.stderr
    assert len(done.stderr.splitlines()) <= 2
