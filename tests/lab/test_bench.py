# SPDX-License-Identifier: Apache-2.0
"""`foliot bench` from the build to the table, with a firmware that prints a given log."""

from __future__ import annotations

import csv
import io
import json
import stat
from pathlib import Path

import pytest

import logs
from foliot.commands.bench import bench
from foliot.measure import session
from foliot.model.errors import FoliotError, UsageError
from foliot.reference import rows
from foliot.target import runner

HEADER = {**logs.HEADER, "board": "fake"}
DEFAULT_ROWS = [row for row in rows.catalogue() if "default" in row.configurations]


def all_rows(value=50):
    return [logs.row(row.id, [value + 9] + [value] * 199, row.text) for row in DEFAULT_ROWS]


def latency(tree, records, **kw):
    return tree.suite("latency", logs.log(records, HEADER), **kw)


def floor(tree, value=40):
    row = logs.row("semaphore.give.immediate.kernel", [value] * 200)
    tree.suite("floor", logs.log([row], {**HEADER, "suite": "floor"}))


def run(tree, *files, quiet=True, **request):
    return bench(session.Request("fake", **request), *(files or (None, None)), quiet)


@pytest.mark.slow
def test_a_valid_run(tree, capsys):
    latency(tree, all_rows())
    floor(tree)
    assert run(tree, str(tree.root / "o.json"), None) == 0
    content = json.loads((tree.root / "o.json").read_text())
    assert content["schema"] == 1
    assert (content["board"], content["unit"], content["suite"]) == ("fake", "cycles", "latency")
    assert content["configuration"] == ["default"]
    assert content["commit"] == "0123456789ab"
    assert content["doubts"] == [] and content["failures"] == []
    assert {"kernel_text", "data", "bss"} <= set(content["footprint"])
    assert content["footprint"]["semaphore"] == 8
    assert [row["id"] for row in content["rows"]] == [row.id for row in DEFAULT_ROWS]
    row = next(r for r in content["rows"] if r["id"] == "semaphore.give.immediate.kernel")
    # And what was decoded or is in doubt, and the row as it was carried: test_export.py.
    told = {
        "id": "semaphore.give.immediate.kernel", "text": "Give a semaphore (no waiters)", "n": 200,
        "first": 59, "min": 50, "p50": 50, "p90": 50, "p99": 50, "max": 59, "max_index": 0,
        "mean": 50.045, "overhead": 3, "floor": 40.0,
        "reference": {"name": "Zephyr 3.3 -O2", "value": 76.0}, "evidence": {"switches": 200},
        "doubts": [],
    }  # fmt: skip
    assert told.items() <= row.items() and row["foliot"]["row"]["first"] == 59
    assert "doubts: none" in capsys.readouterr().out


@pytest.mark.slow
def test_json_and_csv_to_stdout(tree, capsys):
    latency(tree, all_rows())
    assert run(tree, "-", None) == 0
    assert json.loads(capsys.readouterr().out)["rows"]
    assert run(tree, None, "-") == 0
    table = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(table) == 47
    assert table[0]["p50"] == "50"
    with pytest.raises(UsageError, match="only one of"):
        run(tree, "-", "-")


@pytest.mark.parametrize("name", ["/nowhere/o.json", "."])
def test_an_unwritable_file_is_found_before_the_work(tree, name):
    with pytest.raises(UsageError, match="can't be written"):
        run(tree, name, None)


@pytest.mark.slow
def test_a_missing_row(tree, capsys):
    latency(tree, all_rows()[:-1])
    assert run(tree) == 1
    captured = capsys.readouterr()
    assert "heap.free.immediate: the row was not measured" in captured.out
    assert "not a valid result: 1 reason" in captured.err


def test_a_failed_row(tree, capsys):
    latency(tree, [*all_rows()[:-1], logs.failure("heap.free.immediate", "no heap")], status=1)
    assert run(tree) == 1
    assert "FAILED heap.free.immediate: no heap" in capsys.readouterr().out


def test_nothing_is_written_of_a_log_that_is_cut_off(tree):
    text = logs.log(all_rows(), HEADER)
    tree.suite("latency", text[: len(text) // 2].rpartition("\n")[0])
    with pytest.raises(FoliotError, match=r"cut off: \d+ rows and no end record"):
        run(tree, str(tree.root / "o.json"), None)
    assert not (tree.root / "o.json").exists()


@pytest.mark.slow
def test_the_floor_runs_once(tree, monkeypatch):
    latency(tree, all_rows())
    floor(tree)
    seen = []
    real = runner.run
    monkeypatch.setattr(
        runner, "run", lambda *a, **k: seen.append(a[1].parents[2].name) or real(*a, **k)
    )
    run(tree)
    run(tree)
    assert seen == ["latency", "floor", "latency"]
    floor(tree, 41)
    run(tree)
    assert seen[3:] == ["latency", "floor"]


def test_a_fault_names_the_function(tree):
    text = logs.log(all_rows(), HEADER).splitlines(keepends=True)[:5]
    fault = {
        "type": "fault", "reason": "cpu exception", "cause": "load access fault", "pc": "0x10",
        "thread": "0x0", "in_isr": 0, "registers": {"ra": "0xffffffff"},
    }  # fmt: skip
    tree.suite("latency", "".join(text) + logs.machine_line(fault))
    with pytest.raises(FoliotError) as death:
        run(tree)
    assert death.value.message == "fault on the target: cpu exception (load access fault)"
    assert "(in no known function), in thread 0x00000000" in death.value.lines[0]
    assert "ra 0xffffffff" in death.value.lines[1]


def test_unknown_suite(tree):
    latency(tree, all_rows())
    with pytest.raises(UsageError, match=r"unknown suite 'latenci' \(did you mean latency\?\)"):
        run(tree, suite="latenci")


def test_source_that_does_not_compile_is_quoted(tree):
    latency(tree, all_rows())
    tree.write("suites/latency/main.c", "int main(void) { return undeclared; }\n")
    with pytest.raises(FoliotError, match="the firmware does not compile") as failure:
        run(tree)
    assert any("undeclared" in line for line in failure.value.lines)


def image(tree, text):
    """Make a "foreign image": for the fake machine any program will do."""
    path = tree.write("zephyr.elf", f"#!/bin/sh\ncat <<'END'\n{text}END\nsleep 60\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_a_foreign_image_is_stopped_at_its_last_line(tree, capsys):
    elf = image(tree, (Path(__file__).parent / "golden" / "published.log").read_text())
    assert run(tree, None, None, elf=elf) == 0
    out = capsys.readouterr().out
    assert "zephyr.elf on fake" in out
    assert "thread.yield.preemptive.ctx.k_to_k" in out
    assert "1.39" in out  # 159 over Zephyr's 114 on the same RTL, by the stricter net


def test_an_image_of_ours_is_known_by_its_records(tree, capsys):
    elf = image(tree, logs.log(all_rows(), HEADER))
    assert run(tree, None, None, elf=elf) == 0
    assert "latency on fake" in capsys.readouterr().out
