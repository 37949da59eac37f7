# SPDX-License-Identifier: Apache-2.0
"""A board on the desk, played by a pseudo-terminal that dawdles, drops and garbles."""

from __future__ import annotations

import json
import os
import pty
import random
import threading
import time
import tty

import pytest
import serial
from desk import Board

import logs
from foliot.measure import session
from foliot.measure.port import Listener, measure
from foliot.measure.session import Request
from foliot.model.errors import FoliotError, LogError, UsageError
from foliot.show.terminal import Progress
from foliot.target.serialport import Port

ROWS = [logs.row(f"a.row.{i}", [10 + i] * 100 + [12 + i]) for i in range(40)]
LOG = logs.log(ROWS, boot="*** Booting Foliot ***\n").replace("\n", "\r\n").encode()
FOREIGN = b"""*** Booting Zephyr OS build v3.7.0 ***\r
semaphore.give.immediate.kernel  - Give a semaphore (no waiters) :      76 cycles ,  760 ns :\r
semaphore.take.immediate.kernel  - Take a semaphore (no blocking) :     43 cycles ,  430 ns :\r
PROJECT EXECUTION SUCCESSFUL\r
"""


@pytest.fixture
def board(tmp_path):
    """Make a board that sends what `play` says."""
    made = []

    def make(play):
        made.append(Board(play, tmp_path))
        return made[-1].port

    yield make
    for one in made:
        one.close()


@pytest.fixture
def listen(board):
    """Listen to such a board; return the run and its log."""

    def run(play, limit_s=10.0):
        return measure(board(play), limit_s, Progress(quiet=True))

    return run


def test_a_whole_log(listen):
    run, log = listen(lambda b: b.send(LOG))
    assert [row.id for row in run.rows] == [f"a.row.{i}" for i in range(40)]
    assert log.startswith(b'@foliot {"type":"header"')
    assert log.endswith(b"PROJECT EXECUTION SUCCESSFUL\n")


def test_a_board_that_dawdles(listen):
    def play(b):
        time.sleep(0.4)
        cut = len(LOG) // 2
        b.send(LOG[:cut], piece=501, pause_s=0.005)
        time.sleep(0.5)
        b.send(LOG[cut:], piece=1003, pause_s=0.005)

    assert len(listen(play)[0].rows) == 40


def test_the_end_of_the_run_before_is_dropped(listen):
    tail = LOG[len(LOG) // 3 :]
    assert len(listen(lambda b: b.send(tail + LOG))[0].rows) == 40


def test_a_reset_in_the_middle_begins_anew(listen):
    """Half a line, then the boot banner and the header, on one line with what was cut."""
    half = LOG[: len(LOG) // 2 + 7]
    assert len(listen(lambda b: b.send(half + LOG))[0].rows) == 40


def test_another_kernels_rows(listen):
    noise = b"\x00\xff\x80" + FOREIGN[60:130] + b"\r\n"
    run, log = listen(lambda b: b.send(noise + FOREIGN))
    assert {row.id: row.p50 for row in run.rows} == {
        "semaphore.give.immediate.kernel": 76, "semaphore.take.immediate.kernel": 43,
    }  # fmt: skip
    assert log.startswith(b"*** Booting Zephyr")
    assert run.published


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_a_line_that_drops_or_garbles(listen, seed):
    """A byte lost or changed anywhere but in what no figure depends on: refused."""
    chance = random.Random(seed)
    damaged = bytearray(LOG)
    start = LOG.index(b"@foliot")
    for _ in range(3):
        place = chance.randrange(start, len(damaged) - 40)
        if chance.random() < 0.5:
            del damaged[place]
        else:
            damaged[place] ^= 1 << chance.randrange(7)
    try:
        run, _ = listen(lambda b: b.send(bytes(damaged)), limit_s=1.5)
    except (LogError, FoliotError):
        return
    assert [(row.id, row.p50) for row in run.rows] == [
        (record["id"], record["p50"]) for record in ROWS
    ]


def test_a_header_that_can_not_be_read(listen):
    damaged = LOG.replace(b'"type":"header"', b'"type":"heXder"')
    with pytest.raises(LogError, match="and no header"):
        listen(lambda b: b.send(damaged), limit_s=2.0)


def test_silence(listen):
    with pytest.raises(FoliotError, match="nothing came from /dev/pts") as error:
        listen(lambda b: None, limit_s=0.5)
    assert "reset the board" in error.value.advice


def test_the_wrong_baud_rate(listen):
    noise = bytes(random.Random(1).randrange(128, 256) for _ in range(2000))
    with pytest.raises(FoliotError, match=r"no end of a run") as error:
        listen(lambda b: b.send(b"\n".join([noise] * 3) + b"\n"), limit_s=2.0)
    assert "is 115200 the board's baud rate?" in error.value.advice


def test_a_log_that_never_ends(listen):
    with pytest.raises(LogError, match="cut off: 40 rows and no end record"):
        listen(lambda b: b.send(LOG[: LOG.index(b'@foliot {"type":"end"')]), limit_s=2.0)


def test_a_port_that_goes_away_while_the_board_resets(tmp_path):
    """As a board's own USB does: the port is opened anew when it is back."""
    link, gone = tmp_path / "tty", tmp_path / "gone"
    first, slave = pty.openpty()
    link.symlink_to(os.ttyname(slave))
    second, back = pty.openpty()
    for end in (slave, second, back):
        tty.setraw(end)

    def play():
        while not gone.exists():
            time.sleep(0.01)
        os.close(first)
        os.close(slave)
        link.unlink()
        time.sleep(0.4)
        link.symlink_to(os.ttyname(back))
        time.sleep(0.6)
        for start in range(0, len(LOG), 2048):
            os.write(second, LOG[start : start + 2048])

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    run, _ = measure(Port(str(link), reset=f"touch {gone}"), 10, Progress(quiet=True))
    thread.join(timeout=10)
    os.close(second)
    os.close(back)
    assert len(run.rows) == 40


def test_a_fault_on_the_board(listen):
    fault = b'@foliot {"type":"fault","reason":"bus error","cause":"5","pc":"0x10","thread":"0x20",'
    fault += b'"in_isr":0,"registers":{}}\r\n'
    log = LOG[: LOG.index(b'@foliot {"type":"end"')] + fault
    with pytest.raises(FoliotError, match="died of a fault: bus error"):
        listen(lambda b: b.send(log + b"PROJECT EXECUTION FAILED\r\n"))


def test_a_listener_bounds_what_it_keeps():
    listener = Listener(size=(64 << 20) - 10)
    with pytest.raises(FoliotError, match="64 MiB"):
        listener.line(b"more than is left")


def test_no_such_port():
    with pytest.raises(UsageError, match="there is no port /dev/ttyNOWHERE"):
        measure(Port("/dev/ttyNOWHERE"), 1, Progress(quiet=True))


def test_a_port_that_another_program_has():
    master, slave = pty.openpty()
    port = Port(os.ttyname(slave), reset="true")
    with (
        serial.Serial(port.name, exclusive=True),
        pytest.raises(FoliotError, match="is used by another program"),
    ):
        measure(port, 1, Progress(quiet=True))
    os.close(master)
    os.close(slave)


def test_a_device_that_prints_something_else(listen):
    with pytest.raises(FoliotError, match=r"no end of a run came from .+: 3 lines, 0 rows"):
        listen(lambda b: b.send(b"MicroPython v1.23\r\n>>> \r\nhello\r\n"), limit_s=2.0)


def test_the_image_of_another_board(board):
    port = board(lambda b: b.send(LOG))
    request = Request(board="rpi_pico", suite="latency", port=port, limit_s=10.0)
    run = session.measure(request, Progress(quiet=True)).examined()
    assert not run.valid
    found = {doubt.name: doubt for doubt in run.doubts}
    assert "the log is of board ibex, asked for was rpi_pico" in found["other-board"].text
    assert "the image of this board" in found["other-board"].advice


def test_no_such_reset_command():
    master, slave = pty.openpty()
    port = Port(os.ttyname(slave), reset="nothing-here now")
    with pytest.raises(UsageError, match="no command nothing-here"):
        measure(port, 1, Progress(quiet=True))
    os.close(master)
    os.close(slave)


@pytest.mark.slow
def test_the_command(foliot, board, tmp_path):
    port = board(lambda b: b.send(LOG, pause_s=0.02))
    result = foliot(
        "bench", "--port", port.name, "--baud", "115200", "--quiet", "--timeout", "20",
        "--reset", port.reset, "--json", str(tmp_path / "out.json"), FOLIOT_STORE=str(tmp_path),
    )  # fmt: skip
    assert "a.row.0" in result.stdout, result.stderr
    assert len(json.loads((tmp_path / "out.json").read_text())["rows"]) == 40


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--baud", "9600"], "of a board at a --port"),
        (["--port", "/dev/null", "--elf", "x"], "--elf and --port can't be given together"),
        (["--port", "/dev/ttyNOWHERE"], "there is no port /dev/ttyNOWHERE"),
        (["/tmp", "--suite", "floor"], "DIR and --suite can't be given together"),
    ],
)
def test_wrong_use(foliot, words, said):
    result = foliot("bench", *words)
    assert result.returncode == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) <= 2
