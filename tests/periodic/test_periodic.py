# SPDX-License-Identifier: Apache-2.0
"""Periodic threads and awaited flags on the boards, and two of KernelPerf's cases.

The firmware of this directory checks itself. Of the test cases the shortest runs that
show something are here, and all of them in the campaign.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.mark.board
@pytest.mark.parametrize(
    ("board", "conf"),
    [("host", "default"), ("mps2_an385", "default"), ("ibex", "fast"), ("ibex", "default")],
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
        "case-0.vcd", "case-0.svg", "case-0.png",
    }  # fmt: skip


@pytest.mark.board("mps2_an385")
def test_the_signals_of_a_board_without_pins(foliot, tmp_path):
    found = scope(foliot, tmp_path, "--board", "mps2_an385")
    assert [case["case"] for case in found["cases"]] == [0, 1, 2, 9, 10, 11, 12]


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
