# SPDX-License-Identifier: Apache-2.0
"""The simulator as a command: how runs end, what it says, how it refuses."""

import pytest


def test_hello(passes):
    run = passes("hello")
    assert run.stdout == "hello, world\n"
    assert run.stop["reason"] == "finisher"
    assert run.stop["value"] == "0x5555"


@pytest.mark.parametrize(
    ("value", "status"), [(0x5555, 0), (0x3333, 1), (0x33333, 1), (0x7777, 1), (0, 1)]
)
def test_finisher(sim, build, value, status):
    run = sim(build("finish", VALUE=value))
    assert (run.status, run.stdout) == (status, "")
    assert run.stop["reason"] == "finisher"
    assert run.stop["value"] == hex(value)


def test_cycle_limit(sim, build):
    run = sim(build("spin"), limit="12345")
    assert run.status == 3
    assert run.stop["reason"] == "limit"
    assert run.stop["cycle"] == 12345
    assert 0x80000000 <= int(run.stop["pc"], 16) < 0x80000400
    assert run.stop["sp"] == "0x80010000"


def test_a_sleep_without_end_reaches_the_limit_at_once(sim, build):
    run = sim(build("forever"), limit="1000000000000")
    assert (run.status, run.stop["cycle"]) == (3, 10**12)


@pytest.mark.parametrize("kind", [0, 1])
def test_lock_up(sim, build, kind):
    run = sim(build("lockup", KIND=kind))
    assert run.status == 4
    assert run.stop["reason"] == "lockup"


def test_many_exceptions_with_returns_are_no_lock_up(passes):
    passes("lockup", KIND=2)


def test_help(sim):
    run = sim("--help")
    assert run.status == 0
    assert run.stdout.startswith("usage: sim --elf FILE")
    assert run.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "--elf"),
        (["--nonsense"], "--nonsense"),
        (["--elf"], "needs a value"),
        (["--elf", "/nowhere/x.elf"], "No such file"),
        (["--elf", "/"], "/"),
        (["--elf", __file__], "not an ELF file"),
        (["--elf", "/bin/true"], "not a 32-bit RISC-V executable"),
        (["--elf", "x", "stray"], "stray"),
        (["--elf", "x", "--max-cycles", "0"], "--max-cycles"),
        (["--elf", "x", "--max-cycles", "12k"], "12k"),
        (["--elf", "x", "--max-cycles", "-1"], "-1"),
        (["--elf", "x", "--max-cycles", "99999999999999999999"], "--max-cycles"),
        (["--elf", "x", "--wait-states", "1"], "I,D"),
        (["--elf", "x", "--wait-states", "1,x"], "--wait-states"),
        (["--elf", "x", "--ram-kib", "99999"], "16384"),
        (["--elf", "x", "--pins", "0x100"], "255"),
        (["--elf", "x", "--vcd-from", "2", "--vcd-to", "1"], "--vcd-from"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(sim, arguments, words):
    run = sim(*arguments)
    assert (run.status, run.stdout) == (2, "")
    (line,) = run.stderr.splitlines()
    assert line.startswith("sim: ")
    assert words in line


@pytest.mark.parametrize("option", ["--vcd", "--trace", "--uart2"])
def test_output_files_that_cannot_be_written(sim, build, option):
    run = sim(build("hello"), option, "/nowhere/file")
    assert run.status == 2
    assert run.stderr == "sim: /nowhere/file: No such file or directory\n"
    assert run.stdout == ""


def test_a_full_disk_is_noticed(sim, build):
    run = sim(build("timing"), "--trace", "/dev/full")
    assert run.status == 2
    assert "/dev/full" in run.stderr


def test_a_program_outside_the_ram_is_refused(sim, build, tmp_path):
    elf = build("hello")
    assert sim(elf, "--ram-kib", "16").status == 0
    image = bytearray(elf.read_bytes())
    headers = int.from_bytes(image[28:32], "little")
    count = int.from_bytes(image[44:46], "little")
    for at in range(headers, headers + 32 * count, 32):
        if image[at] == 1:
            image[at + 12 : at + 16] = (0x80004000 - 4).to_bytes(4, "little")
    moved = tmp_path / "moved.elf"
    moved.write_bytes(image)
    run = sim(moved, "--ram-kib", "16")
    assert run.status == 2
    assert "outside the RAM (0x80000000 to 0x80004000" in run.stderr


def test_a_cut_off_program_is_refused(sim, build, tmp_path):
    image = build("hello").read_bytes()
    cut = tmp_path / "cut.elf"
    for size in (10, 60, 0x60):
        cut.write_bytes(image[:size])
        run = sim(cut)
        assert run.status == 2
        assert len(run.stderr.splitlines()) == 1
