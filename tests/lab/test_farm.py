# SPDX-License-Identifier: Apache-2.0
"""Boards of others: labgrid's own coordinator, exporter and client, and boards that are played."""

from __future__ import annotations

import contextlib
import os
import pty
import threading
import tty
from pathlib import Path

import pytest
from farm import LIMIT_S, Desk, Played

import logs
from foliot.farm import client, place
from foliot.farm.client import Client, Resource, shown
from foliot.farm.place import Wanted, taken
from foliot.measure import session
from foliot.measure.session import Request
from foliot.model.errors import FoliotError, UsageError
from foliot.show.terminal import Progress
from foliot.target import provision

ROWS = [logs.row(f"a.row.{i}", [10 + i] * 100) for i in range(9)]
LOG = logs.log(ROWS, boot="*** Booting Foliot ***\n").replace("\n", "\r\n").encode()
SHOWN = """Place 'desk':
  comment: the one at the window
  matches:
    here/one/*
  acquired: other/bob
  acquired resources:
    here/one/NetworkSerialPort/serial
  created: 2026-11-23 22:00:00
Acquired resource 'serial' (here/one/NetworkSerialPort/serial):
  {'acquired': 'desk',
   'avail': True,
   'cls': 'NetworkSerialPort',
   'params': {'extra': {'path': '/dev/ttyACM0'},
              'host': 'desk-pc',
              'port': 40123,
              'speed': 115200}}
"""


def plays(*what):
    """Return plays of a board: bytes that it sends, then whatever is called."""

    def one(data, then):
        def play(board):
            board.send(data)
            if then:
                then(board)

        return play

    return [one(*(part if isinstance(part, tuple) else (part, None))) for part in what]


# ---- what labgrid shows ----


def test_what_is_shown_is_read():
    assert shown(SHOWN.splitlines()) == client.Shown("other/bob", (Resource(
        "serial", "here/one/NetworkSerialPort/serial", "NetworkSerialPort",
        {"extra": {"path": "/dev/ttyACM0"}, "host": "desk-pc", "port": 40123, "speed": 115200},
        True,
    ),))  # fmt: skip
    free = SHOWN.replace("other/bob", "None").partition("Acquired")[0]
    assert shown(free.splitlines()) == client.Shown("", ())


@pytest.mark.parametrize("bad", ["'cls'", "{'acquired'", "'avail': True"])
def test_what_is_shown_otherwise_is_no_guess(bad):
    with pytest.raises(FoliotError, match="in a way that is not known"):
        shown(SHOWN.replace(bad, "nonsense(").splitlines())


@pytest.mark.parametrize("name", ["", "a b", "-x", "../x", "a;b", "+", "ä"])
def test_a_name_of_no_place_reaches_no_command(name, monkeypatch):
    monkeypatch.setattr(provision, "environment", lambda *_: pytest.fail("it was asked for"))
    with pytest.raises(UsageError, match="takes a place's name"):
        Client(name, None, Progress(quiet=True))


class Fake:
    """A client of a place that shows what it is told to."""

    place = "desk"

    def __init__(self, *lines):
        self.lines = lines

    def shown(self):
        return shown(self.lines)

    def words(self, *words):
        return ["labgrid-client", *words]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("'avail': True", "'avail': False", "its serial is not there (here/one/"),
        ("'cls': 'NetworkSerialPort'", "'cls': 'NetworkPowerPort'", "and has NetworkPowerPort"),
        ("'speed': 115200", "'protocol': 'ssh'", "speaks ssh"),
        (SHOWN[SHOWN.index("Acquired res"):], "", "and has nothing"),
        (SHOWN[SHOWN.index("Acquired res"):],
         "Orphaned resource 'serial' (here/one/NetworkSerialPort/serial)", "exporter of its seri"),
    ],
)  # fmt: skip
def test_a_place_that_can_not_be_listened_to_says_why(old, new, says):
    assert old in SHOWN
    with pytest.raises(FoliotError) as error:
        place._port(Fake(*SHOWN.replace(old, new).splitlines()), Wanted("desk"))
    assert says in error.value.message


def test_the_port_of_a_place():
    fake = Fake(*SHOWN.splitlines())
    port = place._port(fake, Wanted("desk"))
    assert port.name == "rfc2217://desk-pc:40123?ign_set_control"
    assert (port.baud, port.again) == (115200, place.AGAIN)
    assert port.reset == "labgrid-client power cycle"
    raw = Fake(*SHOWN.replace("'speed': 115200", "'protocol': 'raw'").splitlines())
    port = place._port(raw, Wanted("desk", reset="mine", baud=9600))
    assert (port.name, port.baud, port.reset) == ("socket://desk-pc:40123", 9600, "mine")


@pytest.mark.parametrize("words", [
    ("--place", "x", "--port", "/dev/null"), ("--write", "true"), ("--place", "x", "-b", "all"),
])  # fmt: skip
def test_what_does_not_go_with_a_place(foliot, words):
    done = foliot("bench", "-q", *words)
    assert done.returncode == 2
    assert "can't be given together" in done.stderr or "is of a board at" in done.stderr


class Called(Fake):
    """... that notes what is called, and fails where it is told to."""

    def __init__(self, fails=(), error=FoliotError):
        super().__init__(*SHOWN.splitlines())
        self.called, self.fails, self.error = [], fails, error

    def reserve(self):
        return "TOKEN"

    def call(self, *words, limit_s=0):
        self.called.append(words[0])
        if words[0] in self.fails:
            raise self.error("as it is told")


@pytest.mark.parametrize(
    ("fails", "error", "called"),
    [
        ((), FoliotError, ["wait", "acquire", "release", "cancel-reservation"]),
        # Refused: it is somebody else's, perhaps of another session of the same user's.
        (("acquire",), FoliotError, ["wait", "acquire", "cancel-reservation"]),
        # Stopped in the midst: it may be taken already.
        (("acquire",), KeyboardInterrupt, ["wait", "acquire", "release", "cancel-reservation"]),
        (("wait",), KeyboardInterrupt, ["wait", "cancel-reservation"]),
    ],
)
def test_a_place_is_given_back_by_whoever_took_it_and_nobody_else(fails, error, called):
    fake = Called(fails, error)
    with contextlib.suppress(error), place._held(fake, Progress(quiet=True)):
        assert fails == ()
    assert fake.called == called


def test_a_place_that_can_not_be_given_back_hides_no_other_error_and_says_how(capsys):
    fake = Called(("release", "cancel-reservation"))
    with pytest.raises(ValueError, match="mine"), place._held(fake, Progress(quiet=True)):
        raise ValueError("mine")
    assert "was not given back (as it is told): labgrid-client release" in capsys.readouterr().err


def test_who_has_it_is_said_and_how_ones_own_is_given_back(monkeypatch):
    for user, more in (("bob", "where nothing of yours runs there"), ("eve", "")):
        monkeypatch.setenv("LG_USERNAME", user)
        monkeypatch.setenv("LG_HOSTNAME", "other")
        said = Said()
        place._say_who_has_it(Fake(*SHOWN.splitlines()), said)
        (line,) = said.lines
        assert line.startswith("desk is taken by other/bob")
        assert more in line and (more != "") == ("labgrid-client release" in line)


# ---- with labgrid ----


@pytest.fixture
def make_desk(tmp_path_factory):
    made = []

    def make(serial, power):
        made.append(Desk(tmp_path_factory.mktemp("desk"), serial, power))
        return made[-1]

    yield make
    for one in made:
        one.end()


def tcp(board):
    return f"NetworkSerialPort: {{host: 127.0.0.1, port: {board.port}, protocol: raw}}"


def measured(desk, said, limit_s=8.0, write=""):
    """Measure what a board at the desk says."""
    image = {"elf": Path(__file__), "image": Path(__file__)}
    with taken(Wanted("desk", desk.coordinator, write), image, said) as port:
        return session.measure(Request("", port=port, limit_s=limit_s), said).facts


class Said(Progress):
    """What was said, and what is done when it is."""

    def __init__(self, **when):
        super().__init__()
        self.lines, self.when = [], when

    def say(self, line):
        self.lines.append(line)
        for word, call in self.when.items():
            if word in line:
                call()


@pytest.mark.long
@pytest.mark.needs("farm")
def test_a_board_is_waited_for_and_switched_off_and_on_where_it_hangs(make_desk, tmp_path):
    """Bob has it; then it says half of what it should, and all of it when it has been off."""
    board = Played(*plays(LOG[: len(LOG) // 2], LOG))
    desk = make_desk(tcp(board), board.power)
    assert desk.client("acquire").returncode == 0
    assert desk.holder().endswith("/bob")
    waiting = threading.Thread(target=lambda: assert_ok(desk.client("release")))
    said = Said(**{"is taken by": waiting.start})
    copy = tmp_path / "written"
    run = measured(desk, said, write=f"sh -c 'cp {{image}} {copy}; echo $LG_PLACE >>{copy}'")
    waiting.join(LIMIT_S)
    assert [row.id for row in run.rows] == [f"a.row.{i}" for i in range(9)]
    assert copy.read_text() == Path(__file__).read_text() + "desk\n"
    assert desk.relay.switched == [0, 1, 0, 1]
    taken_by, *_, hung = [line for line in said.lines if "..." not in line]
    assert taken_by.startswith("desk is taken by ") and taken_by.endswith("/bob")
    assert hung.startswith("The board hangs: ") and "no end came in 8 s" in hung
    assert desk.holder() == "None"


def assert_ok(done):
    assert done.returncode == 0, done.stderr


@pytest.mark.long
@pytest.mark.needs("farm")
def test_two_wait_their_turn(make_desk, foliot, tmp_path):
    """Two commands at once: each has the board to itself, and both have their figures."""
    board = Played(*plays(LOG, LOG))
    desk = make_desk(tcp(board), board.power)
    held, tops = [], []

    def power(on):
        held.append(desk.holder())
        board.power(on)

    desk.relay.power = power

    def one():
        tops.append(measured(desk, Progress(quiet=True), 60.0))

    threads = [threading.Thread(target=one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT_S)
    assert [len(run.rows) for run in tops] == [9, 9]
    assert desk.relay.switched == [0, 1, 0, 1]
    assert "None" not in held


@pytest.mark.long
@pytest.mark.needs("farm")
def test_a_cable_that_goes_is_said_and_the_place_is_given_back(make_desk):
    board = Played(*plays((LOG[:900], Played.unplug)))
    desk = make_desk(tcp(board), board.power)
    said = Said()
    with pytest.raises(FoliotError, match="can't be opened"):
        measured(desk, said, 3.0)
    assert any("is its cable plugged in?" in line for line in said.lines)
    assert desk.holder() == "None"


@pytest.mark.long
@pytest.mark.needs("farm")
def test_an_exporter_that_goes_is_said(make_desk):
    board = Played(*plays((LOG[:900], lambda board: gone(desk, board))))
    desk = make_desk(tcp(board), board.power)
    with pytest.raises(FoliotError, match=r"the exporter of its .* is gone") as error:
        measured(desk, Said(), 3.0)
    assert error.value.advice == "is its cable plugged in?"


def gone(desk, board):
    board.unplug()
    desk.exporter.kill()


@pytest.mark.long
@pytest.mark.needs("farm")
def test_a_serial_port_of_the_exporters_by_ser2net(make_desk):
    """A pseudo-terminal is the board; its port travels by RFC 2217, as real ones do."""
    master, slave = pty.openpty()
    for end in (master, slave):
        tty.setraw(end)

    def play():
        for at in range(0, len(LOG), 512):
            os.write(master, LOG[at : at + 512])

    def power(on):
        if on:
            threading.Thread(target=play, daemon=True).start()

    desk = make_desk(f"RawSerialPort: {{port: '{os.ttyname(slave)}', speed: 115200}}", power)
    assert len(measured(desk, Said(), 60.0).rows) == 9
    os.close(master)
    os.close(slave)


@pytest.mark.needs("farm")
@pytest.mark.slow
def test_nobody_answers_there():
    quiet = Progress(quiet=True)
    with (
        pytest.raises(FoliotError, match=r"^labgrid: ") as error,
        taken(Wanted("desk", "127.0.0.1:9"), {}, quiet),
    ):
        pytest.fail("it was taken")
    assert "-x 127.0.0.1:9 -p desk show" in error.value.advice
