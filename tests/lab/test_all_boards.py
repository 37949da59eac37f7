# SPDX-License-Identifier: Apache-2.0
"""`foliot bench --board all`: which boards, what becomes of one that fails, and the tables."""

from __future__ import annotations

import io
import json
import re

import pytest

from foliot.commands import bench
from foliot.compare import boards_table
from foliot.measure import fleet, session
from foliot.measure.session import Request
from foliot.model.errors import FoliotError, UsageError
from foliot.reference import systems
from foliot.show.terminal import WIDTH, Progress
from foliot.target import boards, paths, provision

QUIET = Progress(quiet=True)


def test_all_boards_are_those_that_need_no_device_and_measure():
    names = fleet.names()
    assert "host" not in names
    assert {"ibex", "mps2_an385", "mps2_an386", "mps2_an500", "mps2_an521", "microbit"} <= {*names}
    assert all(boards.load(name).kind in ("verilator", "qemu") for name in names)


def test_a_board_without_its_emulator_is_said_and_the_others_go_on(monkeypatch):
    def prepare(board, progress, to_run=True):
        if board.name == "microbit":
            raise FoliotError("missing: qemu-system-arm")

    monkeypatch.setattr(provision, "prepare", prepare)
    monkeypatch.setattr(session, "prepare", _no_run)
    found = fleet.measure(Request("all"), QUIET, ["microbit", "mps2_an386"])
    assert [(one.board, one.why) for one in found] == [
        ("microbit", "missing: qemu-system-arm"), ("mps2_an386", "no run"),
    ]  # fmt: skip


def test_what_is_done_and_how_long_it_takes_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(paths, "BUILD", tmp_path)
    monkeypatch.setattr(provision, "prepare", lambda *_: None)
    monkeypatch.setattr(session, "prepare", _no_run)
    stream = io.StringIO()
    fleet.measure(Request("all"), Progress(stream=stream), ["microbit", "ibex", "ibex_ws1"])
    plan, once, title, *each, last = stream.getvalue().splitlines()
    assert plan.startswith("latency is built for 3 boards and run there, ")
    assert once == "before that, once, the simulator of each of ibex is built: minutes each"
    assert title == "Measuring latency on 3 boards..."
    assert [line.split(";")[1].split(",")[0] for line in each[:2]] == [" 2 left", " 1 left"]
    assert ";" not in each[2]
    assert re.match(r"3 boards in \d+ s; the last was (microbit|ibex|ibex_ws1)$", last)
    assert fleet._left(10, 20) == "; 10 left, about 3 min"


def _no_run(request):
    raise FoliotError("no run")


def test_published_devices_stand_in_the_table_within_100_columns_in_cycles_alone():
    published = [line.name for line in boards_table.published()]
    assert len(published) == 8
    runs = [systems.load("zephyr-3.3@ibex"), systems.load("zephyr-3.3@mps2_an385")]
    told = list(boards_table.lines(runs))
    assert max(map(len, told)) <= WIDTH
    text = "\n".join(told)
    assert text.index("In cycles") < text.index("In instructions") < text.index("published")
    assert all(any(line.startswith(name[:12]) for line in told) for name in published)


def test_a_mean_of_seven_rows_is_over_the_medians_of_its_own_table():
    run = systems.load("zephyr-3.3@ibex")
    [line] = [line for line in boards_table.lines([run])
              if line.startswith("ibex")]  # fmt: skip
    assert line.split()[8] == "1.00"


@pytest.mark.parametrize("option", ["--csv=x", "--conf-matrix", "--repeat=2", "--wait-states=1,1"])
def test_what_is_of_one_board_is_refused(foliot, option):
    done = foliot("bench", "-q", "--board", "all", option)
    assert done.returncode == 2
    assert "can't be given together" in done.stderr


@pytest.mark.long
@pytest.mark.board("mps2_an386", "microbit")
def test_runs_of_several_boards_are_printed_and_recorded(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(fleet, "names", lambda: ["mps2_an386", "microbit"])
    file = tmp_path / "all.json"
    request = Request("all", "latency", samples=20)
    assert bench.bench_fleet(request, str(file), quiet=True, recorder=None) == 0
    told = capsys.readouterr().out
    assert "mps2_an386" in told
    assert [run["board"] for run in json.loads(file.read_text())["runs"]] == [
        "mps2_an386", "microbit",
    ]  # fmt: skip


def test_a_device_that_is_not_here_is_said():
    board = boards.Board("some", "", "", "", "cycles", 1, "", {}, {"kind": "device"})
    assert board.tried == "not yet"
    with pytest.raises(UsageError, match="is a device"):
        boards.check_measures(board)
