# SPDX-License-Identifier: Apache-2.0
"""A figure over commits; and the ends of commands that read and write files."""

from __future__ import annotations

import io
import json
import shlex
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

import logs
from foliot.log.reader import parse
from foliot.model.run import Footprint
from foliot.store.sqlite import Store
from foliot.store.writer import record

LOG = logs.log([logs.row("a.b", [9] * 200)])


@pytest.fixture
def commits(own_store):
    for commit, value, text, dirty in (
        ("a" * 12, 50, 1000, 0), ("b" * 12, 50, 1010, 0), ("c" * 12, 40, 1010, 1),
    ):  # fmt: skip
        header = {**logs.HEADER, "kernel_commit": commit, "dirty": dirty}
        run = parse(logs.log([logs.row("a.b", [value] * 200)], header))
        run = replace(run, footprint=Footprint(text, 4, 80, {"thread": 64}))
        record(Store(own_store), run, io.BytesIO(commit.encode()), "bench", "x")


def changed(text):
    """Map the commits at which it changed to what is said of that."""
    lines = [line.split() for line in text.splitlines() if line.startswith("20")]
    return {words[2]: words[4].rstrip(",") for words in lines if len(words) > 4}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("a.b", {"c" * 12 + "+": "-10"}),
        ("footprint.text", {"b" * 12: "+10"}),
        ("footprint.thread", {}),
        ("mean", {"c" * 12 + "+": "-0.2"}),
    ],
)
def test_the_commit_where_it_changed(foliot, commits, row, expected):
    done = foliot("history", row)
    assert done.returncode == 0, done.stderr
    assert changed(done.stdout) == expected
    assert "+ with changes that were not committed" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_history_for_programs_and_of_nothing(foliot, commits, tmp_path):
    told = json.loads(foliot("history", "a.b", "--json").stdout)
    assert [(point["value"], point["dirty"]) for point in told] == [
        (50, False), (50, False), (40, True),
    ]  # fmt: skip
    assert "did you mean a.b?" in foliot("history", "a.bb").stderr
    done = foliot("history", "a.b", "--store", tmp_path / "none")
    assert (done.returncode, "no run on record" in done.stderr) == (2, True)


def test_a_pipe_is_imported_like_a_file(foliot, tmp_path, own_store):
    (tmp_path / "log").write_text(LOG)
    command = f"{shlex.join(foliot.words)} import <(cat {tmp_path}/log)"
    done = foliot.program("bash", "-c", command)
    assert done.returncode == 0, done.stderr
    assert Store(own_store).runs()[0].row_count == 1


@pytest.mark.slow
def test_the_same_file_twice_is_noticed(foliot, tmp_path):
    (tmp_path / "log").write_text(LOG)
    assert "on record before" not in foliot("import", tmp_path / "log").stdout
    assert "on record before" in foliot("import", tmp_path / "log").stdout


def test_a_page_or_charts_alone(foliot, tmp_path):
    done = foliot("report", "zephyr-*@ibex", "-o", tmp_path / "x", "--svg", tmp_path)
    assert done.returncode == 2
    assert "--output and --svg" in done.stderr


def test_a_full_disk_is_reported_with_the_file(foliot):
    done = foliot("export", "zephyr-3.3@ibex", "-o", "/dev/full")
    assert done.returncode == 1
    assert done.stderr == "foliot: /dev/full can't be written: No space left on device\n"


@pytest.mark.slow
def test_a_chart_by_itself_has_a_ground_of_its_own(foliot, tmp_path):
    done = foliot("report", "zephyr-3.3@ibex", "freertos@ibex", "--svg", tmp_path, "-q")
    assert done.returncode == 0, done.stderr
    for chart in tmp_path.glob("*.svg"):
        root = ET.parse(chart).getroot()
        x, y, width, height = root.attrib["viewBox"].split()
        wanted = {"x": x, "y": y, "width": width, "height": height, "fill": "#faf8f3"}
        assert root[0].attrib == wanted  # all of it, from wherever it begins
