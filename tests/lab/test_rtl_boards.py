# SPDX-License-Identifier: Apache-2.0
"""The boards in RTL beside `ibex`: the suites on each, and what differs from core to core.

Long: each core's simulator takes half a minute of CPU time to build.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from foliot.log.reader import parse
from foliot.model.figures import geometric_mean
from foliot.target import boards, paths

APPS = Path(__file__).parent / "apps"
CORES = ["cv32e40p", "ibex_small", "vexriscv"]
SLOWER = ["ibex_ws1", "ibex_ws2", "vexriscv_ws2"]
# 4 KiB of one way don't hold a row's code and data beside the harness's: some have two figures.
CACHED = {"vexriscv": {"bimodal"}, "vexriscv_ws2": {"bimodal", "below-floor"}}
# Where a fetch takes long, what lies where in words counts: a call into the floor may cost a cycle
# more than one into the kernel.
SLOW = {"ibex_ws1": {"below-floor"}, "ibex_ws2": {"below-floor"}}
LIMIT_S = 900

pytestmark = pytest.mark.long


def bench(foliot, board, *words):
    """Return what a suite measures, as JSON has it."""
    done = foliot("bench", "-q", "--no-record", "--board", board, "--json", "-", *words,
                  limit_s=LIMIT_S)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def all_happened(run):
    return all(count == row["n"] for row in run["rows"] for count in row["evidence"].values())


def over_floor(run):
    return geometric_mean([row["p50"] / row["floor"] for row in run["rows"] if row["floor"]])


@pytest.mark.board
@pytest.mark.parametrize("board", [*CORES, *SLOWER])
def test_47_rows_with_evidence_beside_the_cores_own_floor(foliot, board):
    run = bench(foliot, board, "--samples", "100")
    assert len(run["rows"]) == 47
    assert all_happened(run)
    assert run["unit"] == "cycles"
    assert {doubt["name"] for doubt in run["doubts"]} <= CACHED.get(board, SLOW.get(board, set()))
    assert over_floor(run) < (2.0 if board in CACHED else 1.5)


@pytest.mark.board
@pytest.mark.parametrize("board", CORES)
def test_periodic_threads_and_the_floor_run_with_evidence(foliot, board):
    for suite in ("periodic", "floor"):
        run = bench(foliot, board, "--suite", suite)
        assert run["rows"]
        assert all_happened(run)


@pytest.mark.board
@pytest.mark.parametrize("board", CORES)
def test_two_runs_are_byte_identical(foliot, board):
    suite = str(paths.SUITES / "calibration")
    first, second = (foliot("run", "-q", suite, "--board", board, limit_s=LIMIT_S).stdout
                     for _ in range(2))  # fmt: skip
    assert first == second
    rows = {row.id: row for row in parse(first).rows}
    if board not in CACHED:
        assert [rows[f"calib.nop{n:03}"].p50 for n in (1, 10, 100, 400)] == [1, 10, 100, 400]


@pytest.mark.board
@pytest.mark.parametrize("board", CORES)
def test_a_fault_is_reported_or_the_run_ends_where_a_deaf_core_touches_nothing(foliot, board):
    done = foliot("run", "-q", str(APPS / "fault"), "--board", board, limit_s=LIMIT_S)
    assert done.returncode == 1
    assert "about to fault" in done.stdout + done.stderr
    if board == "ibex_small":
        assert "fault on the target: " in done.stderr
    else:
        assert "an access where nothing is" in done.stderr
        assert re.search(r"the program counter is 0x\w+ \w+(\+0x\w+)? \(main.c:\d+\)", done.stderr)


@pytest.mark.board("vexriscv")
def test_cold_caches_cost_more_and_those_that_write_through_need_no_cleaning(foliot):
    rows = {row["id"]: row for row in bench(foliot, "vexriscv", "--suite", "caches")["rows"]}
    operations = {name.partition("/")[0] for name in rows}
    assert len(operations) == 8
    for name in operations:
        assert rows[f"{name}/cold"]["p50"] > rows[f"{name}/warm"]["p50"]
        assert rows[f"{name}/cold"]["p50"] >= rows[f"{name}/cold_code"]["p50"]
        assert rows[f"{name}/cleaned"]["p50"] == rows[f"{name}/warm"]["p50"]


@pytest.mark.board("vexriscv")
def test_the_first_tick_is_slow_while_the_caches_fill(foliot, tmp_path):
    done = foliot("scope", "0", "-q", "--board", "vexriscv", "--ticks", "6", "--json", "-",
                  "-o", tmp_path, limit_s=LIMIT_S)  # fmt: skip
    assert done.returncode == 0, done.stderr
    first, *later = json.loads(done.stdout)["cases"][0]["release_offsets"]
    assert first > 1.1 * max(later)


@pytest.mark.board("ibex")
def test_without_caches_every_state_is_alike(foliot):
    rows = {row["id"]: row for row in bench(foliot, "ibex", "--suite", "caches")["rows"]}
    for name, row in rows.items():
        assert row["p50"] == rows[f"{name.partition('/')[0]}/warm"]["p50"]


@pytest.mark.board("cv32e40p")
def test_a_core_without_user_mode_refuses_user_threads(foliot):
    done = foliot("build", "-q", str(paths.SUITES / "latency"), "--board", "cv32e40p",
                  "--conf", "userspace")  # fmt: skip
    assert done.returncode != 0
    assert "USERSPACE" in done.stderr


@pytest.mark.board("ibex_small")
def test_gdb_is_refused_where_a_core_shows_nothing(foliot):
    assert boards.load("ibex_small").run["core"] == "ibex_small"
    done = foliot("debug", str(paths.ROOT / "samples" / "hello"), "--board", "ibex_small")
    assert done.returncode != 0
    assert "gdb sees nothing of this core" in done.stderr
