# SPDX-License-Identifier: Apache-2.0
"""Periodic threads and awaited flags on the boards, and two of KernelPerf's cases.

The firmware of this directory checks itself. Of the test cases the shortest runs that
show something are here, and all of them in the campaign.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foliot.scope import vcd


@pytest.mark.slow
@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "conf"),
    [
        ("host", "default"),
        ("mps2_an385", "default"),
        ("ibex", "fast"),
        pytest.param("ibex", "default", marks=pytest.mark.long),
    ],
)
def test_the_kernel_keeps_its_word(foliot, board, conf):
    done = foliot.run("tests/periodic", board, conf)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "FAIL" not in done.stdout
    assert "PROJECT EXECUTION SUCCESSFUL" in done.stdout


def scope(foliot, directory: Path, *words: str) -> dict:
    done = foliot("scope", "-q", "--json", "-", "--out", directory, *words, limit_s=600)
    found = json.loads(done.stdout)
    assert found["failed"] == [], done.stderr
    assert done.returncode == 0
    return found


@pytest.mark.board("ibex")
def test_a_case_on_the_cycle(foliot, tmp_path):
    found = scope(foliot, tmp_path, "0", "--ticks", "3")
    (case,) = found["cases"]
    assert case["queued"] == [16, 16, 16]
    assert case["scheduler"] == case["checking"] + case["queueing"] < 1500
    assert case["overruns"] == [0] * 16
    assert {path.name for path in tmp_path.iterdir()} == {
        "case-0.vcd", "case-0.gtkw", "case-0.svg", "case-0.png",
    }  # fmt: skip
    # Nobody but the case's own threads runs, and the switch is KernelPerf's: no probe in it.
    assert vcd.from_vcd(tmp_path / "case-0.vcd").others() == ()
    assert case["gap"] < found["switch"] < 100
    assert case["scheduler_share"] > 0


@pytest.mark.board("ibex")
def test_two_runs_are_the_same_bytes(foliot, tmp_path):
    for name in ("a", "b"):
        scope(foliot, tmp_path / name, "12", "--ticks", "3")
    for path in sorted((tmp_path / "a").iterdir()):
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes(), path.name


@pytest.mark.board("ibex")
def test_half_the_tick_shows_the_same_time(foliot, tmp_path):
    found = scope(foliot, tmp_path, "12", "--ticks", "3")
    assert found["cases"][0]["ticks"] == 6
    assert found["cases"][0]["tick"] * 2 == 1_000_000


@pytest.mark.board("ibex")
def test_what_a_case_wrote_is_read_again_with_the_same_figures(foliot, tmp_path):
    (case,) = scope(foliot, tmp_path, "0", "--ticks", "3")["cases"]
    done = foliot("scope", "-q", "--import", tmp_path / "case-0.vcd", "--out", tmp_path)
    said = dict(line.split(None, 1) for line in done.stdout.splitlines())
    assert said["unit"] == "cycles"
    for name in ("scheduler", "queueing", "tick", "interrupt", "release_jitter"):
        assert said[name] == str(case[name]), name
    assert said["switch"] == str(case["gap"])


@pytest.mark.slow
@pytest.mark.parametrize("words", [("scope",), ("bench",), ("bench", "--suite", "periodic")])
def test_a_machine_without_a_clock_of_its_own_says_that_it_can_not_measure(foliot, words):
    done = foliot(*words, "-q", "--board", "host")
    assert done.returncode == 2
    assert "host can't measure: its clock stands still while code runs" in done.stderr
    assert "foliot run DIR --board host" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 2


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize("board", ["mps2_an385", "qemu_riscv32"])
def test_the_signals_of_a_board_without_pins(foliot, board, tmp_path):
    found = scope(foliot, tmp_path, "--board", board)
    assert [case["case"] for case in found["cases"]] == [0, 1, 2, 9, 10, 11, 12]
    assert found["unit"] == "insn"
    assert vcd.from_vcd(tmp_path / "case-12.vcd").unit == "insn"
    assert {case["ticks"] for case in found["cases"]} == {6, 12}


@pytest.mark.board("mps2_an385")
def test_a_case_that_the_board_has_not(foliot, tmp_path):
    done = foliot("scope", "-q", "4", "--board", "mps2_an385", "--out", tmp_path)
    assert done.returncode == 2
    assert "no UART" in done.stderr


@pytest.mark.board("ibex")
@pytest.mark.long
def test_all_cases(foliot, tmp_path):
    found = scope(foliot, tmp_path)
    assert [case["case"] for case in found["cases"]] == list(range(13))
    assert found["cases"][7]["skipped"][0] > 0
    assert sum(found["cases"][4]["overruns"]) > 0


@pytest.mark.board("ibex")
@pytest.mark.long
def test_slow_memory_is_slower(foliot, tmp_path):
    fast = scope(foliot, tmp_path, "0", "--ticks", "3")
    slow = scope(foliot, tmp_path, "0", "--ticks", "3", "--wait-states", "2,1")
    assert slow["cases"][0]["scheduler"] > fast["cases"][0]["scheduler"]


@pytest.mark.long
@pytest.mark.board
@pytest.mark.parametrize("board", ["ibex", "mps2_an385"])
def test_a_release_costs_the_same_whoever_else_there_is(foliot, board, tmp_path):
    out = tmp_path / "rows.json"
    done = foliot("bench", "--suite", "periodic", "--board", board, "--json", out, "-q")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {row["id"]: row["min"] for row in json.loads(out.read_text())["rows"]}
    same = [rows[f"periodic.tick.16_of_{installed}"] for installed in (16, 64, 256)]
    assert max(same) - min(same) <= 100  # a look into the wheel more or less
    assert abs(rows["periodic.tick.0_of_16"] - rows["periodic.tick.0_of_256"]) <= 100
