# SPDX-License-Identifier: Apache-2.0
"""A board of labgrid's: its coordinator, exporter and client, and its QEMU driver runs our image.

What is measured there is to the instruction what is measured here.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
from pathlib import Path

import pytest
from farm import LIMIT_S, Desk

from foliot.target import paths
from support.command import ROOT

BOARD = "mps2_an385"
SUITE = ("--suite", "floor", "--samples", "20")
ENVIRONMENT = """
targets:
  main:
    drivers:
      QEMUDriver:
        qemu_bin: qemu
        machine: mps2-an385
        cpu: cortex-m3
        memory: 16M
        kernel: image
        extra_args: -icount shift=10,sleep=off -semihosting-config enable=on,target=native
tools:
  qemu: /usr/bin/qemu-system-arm
images:
  image: {image}
"""


class QemuBoard:
    """The process of labgrid's that has the board."""

    def __init__(self, place: Path) -> None:
        self.image = place / "image.elf"
        self.image.write_bytes(b"")
        (place / "env.yaml").write_text(ENVIRONMENT.format(image=self.image))
        python = paths.BUILD / "environments" / "farm" / "bin" / "python"
        self.lock = threading.Lock()
        self.process = subprocess.Popen(
            [python, Path(__file__).with_name("qemu_board.py"), place / "env.yaml"], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=(place / "board.log").open("wb"),
        )  # fmt: skip
        self.port = int(self.process.stdout.readline())

    def ask(self, words: str) -> None:
        with self.lock:
            self.process.stdin.write(words + "\n")
            self.process.stdin.flush()
            assert self.process.stdout.readline() == "done\n"

    def power(self, on: bool) -> None:
        self.ask("on" if on else "off")

    def end(self) -> None:
        self.process.stdin.close()
        try:
            self.process.wait(20)
        finally:
            self.process.kill()


class Lent:
    """A desk that has it; `bench` is what somebody calls, and `held` who had it at each switch."""

    def __init__(self, foliot, place: Path) -> None:
        self.foliot, self.place = foliot, place
        self.board = QemuBoard(place)
        serial = f"NetworkSerialPort: {{host: 127.0.0.1, port: {self.board.port}, protocol: raw}}"
        self.desk = Desk(place, serial, self.power)
        self.held: list[str] = []

    def power(self, on: bool) -> None:
        self.held.append(self.desk.holder().rpartition("/")[2])
        self.board.power(on)

    def bench(self, user: str, *more: str) -> subprocess.Popen[str]:
        words = ["bench", "--board", BOARD, *SUITE, "--place", "desk", "--coordinator",
                 self.desk.coordinator, "--write", f"cp {{elf}} {self.board.image}",
                 "--json", str(self.place / f"{user}.json"), *more]  # fmt: skip
        return subprocess.Popen(
            [*self.foliot.words, *words], text=True, cwd=ROOT, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.foliot.environment(LG_USERNAME=user, FOLIOT_STORE=str(self.place / user)),
        )  # fmt: skip

    def figures(self, user: str) -> dict[str, float]:
        return figures(self.place / f"{user}.json")

    def end(self) -> None:
        self.desk.end()
        self.board.end()


def figures(file: Path) -> dict[str, float]:
    return {row["id"]: row["p50"] for row in json.loads(file.read_text())["rows"]}


def ended(*benches: subprocess.Popen[str]) -> list[tuple[int, str]]:
    """Wait for each; return how it ended, and what it said."""
    try:
        return [(one.returncode, said) for one in benches
                for _, said in [one.communicate(timeout=3 * LIMIT_S)]]  # fmt: skip
    finally:
        for one in benches:
            one.kill()


@pytest.fixture
def lent(foliot, tmp_path):
    made = Lent(foliot, tmp_path)
    yield made
    made.end()


@pytest.fixture(scope="module")
def here(foliot, tmp_path_factory):
    """The same, measured without labgrid."""
    file = tmp_path_factory.mktemp("here") / "here.json"
    done = foliot("bench", "--board", BOARD, *SUITE, "--json", file, "--no-record", "--quiet")
    assert done.returncode == 0, done.stderr
    return figures(file)


@pytest.mark.long
@pytest.mark.board(BOARD)
@pytest.mark.needs("farm")
def test_two_people_want_the_board_that_labgrids_qemu_driver_runs(lent, here):
    """Ada and Bob at once: one after the other, and both have the figures of this machine."""
    ends = ended(lent.bench("ada"), lent.bench("bob"))
    assert [status for status, _ in ends] == [0, 0], ends
    assert lent.figures("ada") == lent.figures("bob") == here
    assert sorted(lent.held) == ["ada", "ada", "bob", "bob"]  # off and on, and nobody else's
    assert lent.held[0] == lent.held[1]
    assert lent.desk.holder() == "None"


@pytest.mark.long
@pytest.mark.board(BOARD)
@pytest.mark.needs("farm")
def test_a_machine_that_stands_still_is_powered_off_and_on(lent, here):
    lent.board.ask("hang 2000")
    ((status, said),) = ended(lent.bench("ada", "--timeout", "20"))
    assert status == 0, said
    assert "The board hangs: " in said
    assert lent.figures("ada") == here
    assert lent.held == ["ada"] * 4


@pytest.mark.long
@pytest.mark.board(BOARD)
@pytest.mark.needs("farm")
def test_a_cable_that_goes_is_said(lent):
    lent.board.ask("hang 2000")
    bench = lent.bench("ada", "--timeout", "20")
    while len(lent.held) < 2 and bench.poll() is None:
        a_moment(bench)
    lent.board.ask("unplug")
    ((status, said),) = ended(bench)
    assert status == 1
    assert "is its cable plugged in?" in said
    assert lent.desk.holder() == "None"


def a_moment(bench: subprocess.Popen[str]) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        bench.wait(0.1)
