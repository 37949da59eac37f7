# SPDX-License-Identifier: Apache-2.0
"""A command that is ended takes with it what it started, whatever ends it."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest

from foliot.target import watcher

LIMIT_S = 40  # machines that do much else; what ends in time takes a second
# A shell starts what is in the background deaf to Ctrl-C.
HEARS = ("env", "--default-signal=INT,HUP")
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL)


def gone(pid):
    """Say whether a process is no more, or dead and only not collected by its new parent."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def all_gone(pids):
    end = time.monotonic() + LIMIT_S
    while not all(gone(pid) for pid in pids):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def start(foliot, *words):
    return subprocess.Popen(
        [*HEARS, *foliot.words, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=foliot.environment(), text=True,
    )  # fmt: skip


def children(pid):
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.fixture
def program(tmp_path):
    """A program that says which processes it is, ignores TERM, and never ends."""
    path = tmp_path / "program"
    path.write_text("#!/bin/sh\ntrap '' TERM\nsleep 300 &\necho $$ $!\nwait\nsleep 300\n")
    path.chmod(0o755)
    return path


@pytest.mark.slow
@pytest.mark.board("host")
@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_a_run_that_is_ended_takes_the_program_and_its_children_along(foliot, program, number):
    child = start(foliot, "run", "--elf", program, "--board", "host", "-q")
    try:
        pids = [int(word) for word in child.stdout.readline().split()]
        assert len(pids) == 2
        child.send_signal(number)
        said = child.communicate(timeout=LIMIT_S)[1]
        assert all_gone(pids)
    finally:
        child.kill()
    caught = {signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGINT: 130}
    assert child.returncode == caught.get(number, -number)
    assert said == ("foliot: stopped\n" if number in caught else "")


@pytest.mark.board("ibex")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=lambda one: one.name)
def test_the_simulator_ends_with_its_command(foliot, build, simulator, number):
    elf = build("spin")  # a program that sleeps reaches its limit at once: nobody steps through it
    child = start(foliot, "run", "--elf", elf, "--board", "ibex", "--max-cycles", 10**11, "-q")
    try:
        end = time.monotonic() + 8 * LIMIT_S
        found = []
        while not found and time.monotonic() < end:
            assert child.poll() is None, child.stderr.read()
            found = [pid for pid in children(child.pid) if runs(pid, elf)]
            time.sleep(0.05)
        assert found
        child.send_signal(number)
        child.communicate(timeout=LIMIT_S)
        assert all_gone(found)
    finally:
        child.kill()


def runs(pid, elf):
    try:
        return str(elf).encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.slow
@pytest.mark.board("host")
def test_under_nohup_the_command_survives_its_terminal(foliot, program, tmp_path):
    words = ["nohup", *foliot.words, "run", "--elf", program, "--board", "host", "-q"]
    with subprocess.Popen(
        list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=foliot.environment(),
    ) as child:  # fmt: skip
        pids = [int(word) for word in child.stdout.readline().split()]
        child.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        assert child.poll() is None
        child.terminate()
        child.wait(LIMIT_S)
        assert all_gone(pids)


def test_the_watcher_lets_those_live_that_were_forgotten():
    sleepers = [subprocess.Popen(["sleep", "60"], process_group=0) for _ in range(3)]
    try:
        with subprocess.Popen(["/bin/sh", "-c", watcher._SCRIPT], stdin=subprocess.PIPE) as shell:
            for sleeper in sleepers:
                shell.stdin.write(f"+ {sleeper.pid}\n".encode())
            shell.stdin.write(f"- {sleepers[1].pid}\n".encode())
        assert [sleeper.poll() is None for sleeper in sleepers] == [False, True, False]
    finally:
        for sleeper in sleepers:
            sleeper.kill()
            sleeper.wait()
