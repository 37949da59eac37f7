# SPDX-License-Identifier: Apache-2.0
"""Running images: what each end is taken for, and that nothing outlives its run."""

from __future__ import annotations

import re
import stat
import struct
import time
from pathlib import Path

import pytest

from foliot.model.errors import FoliotError, UsageError
from foliot.target import boards, process, runner
from foliot.target.boards import Board
from foliot.target.fault import describe_hang
from foliot.target.machines import Qemu, Verilator


def program(tree, script):
    path = tree.write("program", f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def run(tree, script, **limits):
    lines = []
    outcome = runner.run(boards.load("fake"), program(tree, script), lines.append, **limits)
    return outcome, lines


def gone(pid):
    """Say whether a process is no more, or dead and only not collected by its new parent."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
    except FileNotFoundError:
        return True


def test_lines_arrive_whole_and_in_order(tree):
    outcome, lines = run(tree, "printf 'one\\ntw'; sleep 0.1; printf 'o\\nrest'")
    assert lines == [b"one", b"two", b"rest"]
    assert (outcome.reason, outcome.status) == ("pass", 0)


@pytest.mark.parametrize(
    ("script", "reason"),
    [("exit 0", "pass"), ("exit 1", "fail"), ("exit 77", "fail"), ("kill -9 $$", "crash")],
)
def test_exit_status(tree, script, reason):
    assert run(tree, script)[0].reason == reason


def test_the_reader_may_end_the_run_with_all_its_children(tree):
    pids = []

    def on_line(line):
        pids.append(int(line))
        return len(pids) == 2

    outcome = runner.run(
        boards.load("fake"),
        program(tree, "sleep 60 & echo $!; echo $$; wait"),
        on_line,
    )
    assert outcome.reason == "stopped"
    time.sleep(0.1)
    assert all(gone(pid) for pid in pids)


def test_wall_clock_stands_behind_every_limit(tree, monkeypatch):
    monkeypatch.setattr(runner, "WALL_LIMIT_S", 0.5)
    monkeypatch.setattr(runner, "_POLL_S", 0.1)
    outcome, _ = run(tree, "echo alive; sleep 60", limit_s=0.5)
    assert outcome.reason == "wall"
    assert outcome.hung
    assert outcome.last_lines == ("alive",)
    assert outcome.wall_s < 10
    said = describe_hang(outcome, Path("firmware.elf"))[0]
    assert re.match(r"stopped after \d+ s of this machine's time \(--timeout S allows S\)", said)


def test_who_asks_for_more_simulated_time_gets_as_much_wall_clock(tree, monkeypatch):
    monkeypatch.setattr(runner, "WALL_LIMIT_S", 0.2)
    monkeypatch.setattr(runner, "_POLL_S", 0.1)
    assert run(tree, "sleep 1", limit_s=60)[0].reason == "pass"


def test_a_line_without_an_end_is_no_log(tree):
    with pytest.raises(FoliotError, match="more than 1 MiB"):
        run(tree, "yes | tr -d '\\n'")


def test_a_missing_image(tree):
    with pytest.raises(UsageError, match="is no file"):
        runner.run(boards.load("fake"), tree.root / "none", lambda _: None)


def test_a_missing_tool_names_the_cure():
    with pytest.raises(FoliotError) as missing:
        process.run(["no-such-tool"], "it")
    assert missing.value.message == "no-such-tool is missing"
    assert missing.value.advice == "./foliot setup BOARD installs it"


def test_a_tool_that_hangs_is_ended(tree):
    began = time.monotonic()
    with pytest.raises(FoliotError, match="took longer than 0 s"):
        process.run(["sleep", "60"], "sleeping", limit_s=0.3)
    assert time.monotonic() - began < 10


def ibex() -> Board:
    return boards.load("ibex")


@pytest.mark.parametrize(
    ("status", "record", "expected"),
    [
        (0, b'{"reason":"finisher","cycle":9,"pc":"0x80000010"}', ("pass", 9, 0x80000010)),
        (1, b'{"reason":"finisher","cycle":9}', ("fail", 9, None)),
        (3, b'{"reason":"limit","cycle":9,"pc":"0x80000010"}', ("limit", 9, 0x80000010)),
        (4, b'{"reason":"lockup","cycle":9,"pc":"0x80000010"}', ("lockup", 9, 0x80000010)),
        (-6, None, ("crash", None, None)),
    ],
)
def test_what_the_simulator_says_at_its_end(status, record, expected):
    assert Verilator(ibex()).judge(status, record) == expected


def test_limits_of_the_simulator(tmp_path):
    elf = minimal_elf(tmp_path, end=0x8010_0000)
    command = Verilator(ibex()).command(elf, limit_s=2, max_cycles=None)
    assert command[-2:] == ["--max-cycles", "200000000"]
    assert Verilator(ibex()).command(elf, limit_s=2, max_cycles=70)[-1] == "70"


def test_an_image_gets_the_ram_that_it_was_linked_for(tmp_path):
    elf = minimal_elf(tmp_path, end=0x8021_0000)
    command = Verilator(ibex()).command(elf, limit_s=2, max_cycles=None)
    assert command[command.index("--ram-kib") + 1] == "4096"


def minimal_elf(tmp_path, end):
    """Write an ELF of one segment, from the beginning of RAM to `end`, and nothing else."""
    ident = b"\x7fELF\x01\x01\x01" + bytes(9)
    header = struct.pack("<HHIIIIIHHHHHH", 2, 243, 1, 0, 52, 0, 0, 52, 32, 1, 0, 0, 0)
    base = 0x8000_0000
    segment = struct.pack("<IIIIIIII", 1, 84, base, base, 0, end - base, 5, 4)
    (tmp_path / "x.elf").write_bytes(ident + header + segment)
    return tmp_path / "x.elf"


def test_qemu_takes_no_cycles(tmp_path):
    machine = Qemu(boards.load("qemu_riscv32"), tmp_path)
    with pytest.raises(UsageError, match="takes --timeout, in simulated seconds"):
        machine.command(tmp_path / "x", 1, 100)
    assert f"unix:{tmp_path}/qmp,server=on,wait=off" in machine.command(tmp_path / "x", 1, None)
