# SPDX-License-Identifier: Apache-2.0
"""`foliot watch`: a program's threads, at a pace; what it does not change and what it refuses."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import socket
import subprocess
import threading
import time
import tty
from pathlib import Path

import pytest

from foliot.show.terminal import Progress
from foliot.target import boards, build, debugger, thread_stub
from foliot.target.thread_stub import Packets, packet
from foliot.watch import machine, reports, show
from foliot.watch.samples import Heap, Sample, Stack, Thread, shares

APP = Path(__file__).parent / "apps" / "watched"
QUIET = Progress(quiet=True)
# Of APP on ibex, --conf report,often; a thread of the program's has printed in between.
REPORT = b"""\
2030909 cycles, 1417187 of them idle, 20 times idle
thread     name             prio state                    stack     cpu  switches      average\
         peak
0x80006e70 worker              5 pending               128/1024  29.8 %        21        28983\
        30422
0x80006db0 waiter and more     6 pending+suspended      64/1024   0.0 %         1          160\
          160
something of the program's
0x80007788 kernel_report      14 queued                608/1024   3.8 %         2        26066\
        69478
0x80006f30 ma0x80006f30 main
80006ff0   -               15 queued                     -/512       -         -            -\
            -
objects: THRD 5, SEM4 1, MUTX 0
"""


def looked(board: str, until: int) -> list[Sample]:
    """Look at APP until so many ticks have passed since the first sample with a worker."""
    image = build.build(APP, boards.load(board), QUIET, ("watch",)).image
    found: list[Sample] = []
    with machine.looking(boards.load(board), image, 0.1) as (samples, _):
        for sample in samples:
            if any(t.name == "worker" and t.cycles for t in sample.threads):
                found.append(sample)
            if found and sample.tick - found[0].tick > until:
                return found
    raise AssertionError("it ended")


@pytest.mark.parametrize("board", [
    pytest.param("ibex", marks=pytest.mark.board),
    pytest.param("mps2_an385", marks=[pytest.mark.board, pytest.mark.long]),
    pytest.param("qemu_aarch64", marks=[pytest.mark.board, pytest.mark.long]),
])  # fmt: skip
@pytest.mark.slow
def test_shares_stacks_and_heaps_of_a_program(board):
    found = looked(board, 30)
    first, last = found[0], found[-1]
    threads = {thread.name: thread for thread in last.threads}
    assert set(threads) == {"main", "idle", "worker", "waiter"}
    assert threads["waiter"].state == "waits for semaphore never"
    assert 0 < threads["worker"].stack.most < threads["worker"].stack.size == 1024
    parts = {thread.name: shares(first, last)[thread.at] for thread in last.threads}
    assert sum(parts.values()) == pytest.approx(100)
    assert parts["waiter"] == parts["main"] == 0
    if board == "ibex":  # whose time is exact
        assert 27 < parts["worker"] < 34
    assert 0 < parts["worker"] < 100
    store = next(heap for heap in last.heaps if heap.name == "store")
    assert store.blocks == 2
    assert 2 * 96 < store.used < 2 * 96 + 32 < store.size
    text = "\n".join(show.lines(last, shares(first, last)))
    assert "heap store: " in text
    assert show.missing(last, shares(first, last)) == []


@pytest.mark.board("ibex")
@pytest.mark.slow
def test_an_image_that_keeps_less_says_what_it_lacks(foliot):
    done = foliot("watch", APP, "--board", "ibex", "--conf", "default", "--once", "--every", "0.3",
                  "--quiet", limit_s=200)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "CONFIG_THREAD_USAGE" in done.stdout
    assert "CONFIG_INIT_STACKS" in done.stdout
    assert all(len(line) <= 100 for line in done.stdout.splitlines())


def test_a_report_is_read_between_other_lines():
    lines = REPORT.splitlines()
    first, second = reports.samples([*lines[-3:], *lines, *lines])
    assert first == second
    assert [thread.name for thread in first.threads] == [
        "worker", "waiter and more", "kernel_report", "-",
    ]  # fmt: skip
    worker, waiter, _, nameless = first.threads
    assert (worker.priority, worker.state, worker.stack) == (5, "pending", Stack(None, 128, 1024))
    assert waiter.state == "pending+suspended"
    assert nameless.stack == Stack(None, None, 512)
    assert shares(None, first) == {"0x80006e70": 29.8, "0x80006db0": 0.0, "0x80007788": 3.8}
    assert list(show.lines(first, shares(None, first)))[2].endswith("29.8 %       -    128   1024")


def thread(at: str, cycles: int | None) -> Thread:
    return Thread(at, at, 1, "ready", None, cycles)


@pytest.mark.parametrize(
    ("before", "now", "parts"),
    [
        (None, (300, 100), {"0": 75.0, "1": 25.0}),
        ((100, 100), (250, 150), {"0": 75.0, "1": 25.0}),
        ((100, 100), (100, 100), {"0": 0.0, "1": 100.0}),  # nobody was switched from
        ((900, 100), (50, 150), {"0": 50.0, "1": 50.0}),  # created anew
        ((100,), (150, 50), {"0": 50.0, "1": 50.0}),  # a thread came
        (None, (None, None), {}),
    ],
)
def test_shares_between_two_looks(before, now, parts):
    def sample(cycles):
        return Sample(tuple(thread(str(n), one) for n, one in enumerate(cycles)), running="1")

    assert shares(sample(before) if before else None, sample(now)) == parts


def test_heaps_that_were_configured_away_are_not_shown():
    sample = Sample((), (Heap("none", 8, 0, 0), Heap("some", 640, 64, 1)))
    assert list(show.lines(sample, {}))[2:] == ["heap some: 64 of 640 bytes (10.0 %) in 1 blocks"]


def test_what_a_program_calls_its_threads_does_not_steer_the_terminal():
    sample = Sample((Thread("1", "\x1b[2Jbad", 1, "\x1b]0;x\x07", None, None),))
    assert "\x1b" not in "".join(show.lines(sample, {}))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--board", "host"), "is a process: no debugger sees its threads"),
        (("--board", "nucleo_f401re"), "--conf report"),
        (("--port", "/dev/ttyX"), "no DIR, --elf, --conf or --board"),
        (("--elf", "x"), "either a directory or --elf FILE"),
        (("--baud", "9600"), "--baud is for --port"),
    ],
)
def test_what_is_refused(foliot, words, why):
    done = foliot("watch", APP, *words)
    assert done.returncode == 2
    assert why in done.stderr


def test_a_port_that_is_not_there(foliot):
    done = foliot("watch", "--port", "/dev/tty-of-nobody")
    assert done.returncode == 2
    assert "there is no port" in done.stderr


def _read_until_two(shown, child):
    """Read two samples, then send Ctrl-C; a terminal that nobody reads holds the program up.

    Python loses an interrupt that comes in a finaliser: it is sent again, as people do.
    """
    text = b""
    again = None
    until = time.monotonic() + 120
    while child.poll() is None and time.monotonic() < until:
        if select.select([shown], [], [], 0.1)[0]:
            text += os.read(shown, 4096)
        if text.count(b"kernel_report") >= 2 and (again is None or time.monotonic() > again):
            child.send_signal(2)
            again = time.monotonic() + 10
    assert again is not None, text[-1000:]
    return text


@pytest.mark.parametrize("live", [False, True])
def test_a_board_on_the_desk(foliot, live):
    """In a pipe a table a sample, on a terminal in its place; Ctrl-C ends it in order."""
    board, its = pty.openpty()
    os.set_blocking(board, False)
    tty.setraw(its)
    shown, screen = pty.openpty()
    words = [*foliot.words, "watch", "--port", os.ttyname(its), *([] if live else ["--once"])]
    output = screen if live else subprocess.PIPE
    environment = {**foliot.environment(), "TERM": "xterm"}
    with subprocess.Popen(words, stdout=output, stderr=subprocess.PIPE, env=environment) as child:
        assert child.stderr.readline().startswith(b"Waiting for reports")
        ended = threading.Event()

        def play():
            while not ended.wait(0.2):
                with contextlib.suppress(BlockingIOError):  # nobody listens any more
                    os.write(board, REPORT.replace(b"\n", b"\r\n"))

        playing = threading.Thread(target=play)
        playing.start()
        try:
            text = _read_until_two(shown, child) if live else child.stdout.read()
            assert child.wait(timeout=60) == 0
        finally:
            child.kill()
            ended.set()
            playing.join()
    for one in (board, its, shown, screen):
        os.close(one)
    assert b"29.8 %" in text
    assert (b"\x1b[" in text) == live


class _Running:
    """A stub whose machine runs until it is interrupted."""

    def __init__(self):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        gdb, _ = self.server.accept()
        taken, running = Packets(), False
        with gdb:
            while data := gdb.recv(4096):
                for whole in taken.feed(data):
                    if whole == b"\x03" and running:
                        gdb.sendall(packet(b"S02"))
                        running = False
                    elif whole == packet(b"vCont;c"):
                        running = True
                    elif whole != b"\x03":
                        gdb.sendall(packet(b"OK"))


def test_a_machine_is_interrupted_at_its_pace():
    stub, port = _Running(), debugger.free_port()
    with (
        thread_stub.between(port, stub.port, pace_s=0.01),
        socket.create_connection(("127.0.0.1", port), timeout=20) as gdb,
    ):
        taken = Packets()
        for _ in range(3):
            gdb.sendall(packet(b"vCont;c"))
            found: list[bytes] = []
            while not found:
                found += taken.feed(gdb.recv(4096))
            assert found == [packet(b"T02thread:1;")]
    stub.server.close()
    stub.thread.join(timeout=10)
