# SPDX-License-Identifier: Apache-2.0
"""The whole way on the real boards: rows, evidence, determinism, hangs and faults."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from foliot.log.reader import parse
from foliot.reference.rows import catalogue
from foliot.target import boards, paths

APPS = Path(__file__).parent / "apps"
# What an emulated RISC-V adds to the simulated one is no part of the lab's, and takes four builds.
BOARDS = ["ibex", "mps2_an385", pytest.param("qemu_riscv32", marks=pytest.mark.long)]
X86_64 = pytest.param("qemu_x86_64", marks=pytest.mark.long)
# As zephyr/scripts/pylib/twister's documentation and tests have it.
TWISTER = re.compile(
    r"(?P<metric>.*) - (?P<description>.*):(?P<cycles>.*) cycles ,(?P<nanoseconds>.*) ns"
)
SAMPLES = "100"


CORTEX_M = [pytest.param(name, marks=pytest.mark.long)
            for name in ("mps2_an386", "mps2_an500", "mps2_an521", "microbit",
                         "netduinoplus2")]  # fmt: skip
MORE = [pytest.param(name, marks=pytest.mark.long)
        for name in ("qemu_aarch64", "qemu_riscv64", "raspi3b")]  # fmt: skip


@pytest.fixture(params=[*BOARDS, *MORE, X86_64])
def board(request):
    return request.param


def console(foliot, *words):
    """Return what `foliot run` prints, twice: it has to be the same, byte by byte."""
    first, second = (foliot("run", "-q", *words) for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    return first.stdout


@pytest.mark.board
@pytest.mark.parametrize(
    "board",
    [
        pytest.param("ibex", marks=pytest.mark.long),  # test_gate.py has its rows
        *BOARDS[1:],
        *CORTEX_M,
        *MORE,
        X86_64,
    ],
)
def test_47_rows_with_evidence_and_no_doubts(foliot, board):
    result = foliot("bench", "-q", "--board", board, "--samples", SAMPLES, "--json", "-")
    assert result.returncode == 0, result.stderr
    run = json.loads(result.stdout)
    assert len(run["rows"]) == 47
    assert run["doubts"] == []
    for row in run["rows"]:
        assert row["n"] >= int(SAMPLES)
        assert row["doubts"] == [], row
        assert row["evidence"]
        assert all(count == row["n"] for count in row["evidence"].values()), row
        if boards.load(board).reference:
            assert row["reference"]["value"] > 0
    floors = [row for row in run["rows"] if row["floor"] is not None]
    assert len(floors) >= (6 if boards.load(board).floor else 0)
    for block in ("thread", "semaphore", "mutex", "condvar", "fifo", "timer", "msgq", "heap"):
        assert run["footprint"][block] > 0
    assert 1000 < run["footprint"]["kernel_text"] < run["footprint"]["image_text"]


@pytest.mark.board
@pytest.mark.parametrize(
    "board", [pytest.param("ibex", marks=pytest.mark.long), *BOARDS[1:], *MORE, X86_64]
)
def test_two_runs_are_byte_identical_and_rows_fit_twister(foliot, board):
    foliot("build", "-q", str(paths.SUITES / "latency"), "--board", board, "--samples", SAMPLES)
    elf = paths.BUILD / "firmware" / board / f"latency-n{SAMPLES}" / "firmware.elf"
    text = console(foliot, "--elf", str(elf), "--board", board)
    run = parse(text)
    collected = {
        match["metric"].strip(): (int(match["cycles"]), int(match["nanoseconds"]))
        for match in map(TWISTER.match, text.splitlines())
        if match
    }
    # Zephyr's own columns: 40, 50, 8 and 8 wide.
    ns = 1_000_000_000 // run.header.clock_hz
    figure = "{0:>8} cycles , {1:>8} ns :" if run.header.unit == "cycles" else "{0:>8} insn :"
    for row in run.rows:
        padded = f"{row.id:<40} - {row.text:<50} :"
        assert padded + figure.format(row.p50, row.p50 * ns) in text.splitlines()
        assert row.text == next(known.text for known in catalogue() if known.id == row.id)
    if boards.load(board).unit == "cycles":
        assert collected == {row.id: (row.p50, row.p50 * ns) for row in run.rows}
    else:
        assert collected == {}
        assert "cycles ," not in text


@pytest.mark.board
def test_known_instructions_are_measured_as_what_they_are(foliot, board):
    suite = str(paths.SUITES / "calibration")
    rows = {row.id: row for row in parse(console(foliot, suite, "--board", board)).rows}
    for count in (1, 10, 100, 400):
        row = rows[f"calib.nop{count:03}"]
        assert (row.min, row.p50, row.max) == (count, count, count)


@pytest.mark.board
@pytest.mark.parametrize(  # not qemu_aarch64, whose clock counts seconds
    "board", ["ibex", "mps2_an385", pytest.param("qemu_riscv32", marks=pytest.mark.long), X86_64]
)
def test_a_hang_is_stopped_and_its_function_named(foliot, board):
    result = foliot("run", "-q", str(APPS / "hang"), "--board", board, "--timeout", "0.02")
    assert result.returncode == 1
    assert result.stdout == "about to hang\n"
    assert "stopped at the limit of simulated time" in result.stderr
    assert re.search(r"the program counter is 0x\w+ spin_forever(\+0x\w+)? \(main.c:\d+\)",
                     result.stderr)  # fmt: skip
    assert "about to hang" in result.stderr


@pytest.mark.board
@pytest.mark.parametrize(
    "board",
    [
        "mps2_an521",
        "microbit",
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("mps2_an386", "mps2_an500", "netduinoplus2")
        ),
    ],
)
def test_the_first_program_runs(foliot, board):
    result = foliot("run", "-q", str(paths.ROOT / "samples" / "hello"), "--board", board)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("Hello number") == 5


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize("board", ["mps2_an386", "mps2_an500", "mps2_an521", "netduinoplus2"])
def test_a_row_takes_within_a_tenth_of_what_it_takes_on_a_cortex_m3(foliot, board):
    """In instructions; ARMv6-M takes more, and CAVEATS.md says why."""
    rows = []
    for name in ("mps2_an385", board):
        done = foliot("bench", "-q", "--no-record", "--samples", SAMPLES, "--board", name,
                      "--json", "-")  # fmt: skip
        rows.append({row["id"]: row["p50"] for row in json.loads(done.stdout)["rows"]})
    assert rows[0].keys() == rows[1].keys()
    assert all(rows[1][row] <= 1.1 * p50 for row, p50 in rows[0].items())


@pytest.mark.board
def test_a_fault_names_its_function_and_registers(foliot, board):
    result = foliot("run", "-q", str(APPS / "fault"), "--board", board)
    assert result.returncode == 1
    assert "about to fault" in result.stdout
    lines = result.stderr.splitlines()
    assert lines[0].startswith("foliot: fault on the target: ")
    assert re.search(r"at 0x\w+ read_from(\+0x\w+)? \(main.c:\d+\), in thread ", lines[1])
    assert any(re.match(r" +\w+ 0x\w{8}", line) for line in lines[2:])


@pytest.mark.board("ibex")
def test_bench_of_firmware_that_hangs(foliot):
    foliot("build", "-q", str(APPS / "sleep"), "--board", "ibex")
    elf = paths.BUILD / "firmware" / "ibex" / "tests-lab-apps-sleep" / "firmware.elf"
    words = ["--board", "ibex", "--max-cycles", "300000"]
    result = foliot("bench", "-q", "--elf", str(elf), *words)
    assert result.returncode == 1
    assert "stopped at the limit of simulated time, after 300000 cycles" in result.stderr
    assert "about to wait" in result.stderr
    assert result.stdout == ""


@pytest.mark.board("ibex")
def test_another_kernels_image_is_just_an_image(tmp_path, foliot):
    """Bare code that prints two rows by the UART of QEMU's map, and hangs after its last line."""
    text = (Path(__file__).parent / "golden" / "published.log").read_text()
    (tmp_path / "main.S").write_text(
        ".globl _start\n_start: la a0, text\n li a1, 0x10000000\n"
        "1: lbu a2, 0(a0)\n beqz a2, 2f\n sb a2, 0(a1)\n addi a0, a0, 1\n j 1b\n2: j 2b\n"
        f"text: .asciz {json.dumps(text)}\n"
    )
    command = ["riscv64-unknown-elf-gcc", "-march=rv32imc", "-mabi=ilp32", "-nostdlib",
               "-Wl,-N,-Ttext=0x80000000", "main.S", "-o", "zephyr.elf"]  # fmt: skip
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    elf = str(tmp_path / "zephyr.elf")
    result = foliot("bench", "-q", "--elf", elf, "--board", "ibex", "--json", "-")
    assert result.returncode == 0, result.stderr
    run = json.loads(result.stdout)
    assert [(row["id"], row["p50"]) for row in run["rows"]] == [
        ("thread.yield.preemptive.ctx.k_to_k", 159), ("heap.free.immediate", 287),
    ]  # fmt: skip
    assert [doubt["name"] for doubt in run["doubts"]] == ["foreign-figures"]
