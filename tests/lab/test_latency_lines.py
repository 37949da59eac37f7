# SPDX-License-Identifier: Apache-2.0
"""Rows in the words and columns of Zephyr's benchmark, and what twister is told of them.

That the firmware prints them so: test_boards.py.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import logs
from foliot.importers.document import read_file
from foliot.log.reader import parse
from foliot.reference.rows import catalogue
from foliot.target import paths

SUITE = paths.SUITES / "latency"
# Columns counted in the READMEs and logs that Zephyr publishes: 40, 50, 8 and 8 wide.
LINE = "{id:<40} - {text:<50} :{value:>8} cycles , {ns:>8} ns :"
TEXTS = {row.id: row.text for row in catalogue()}

# What Zephyr's schema (scripts/schemas/twister) lets a scenario and a harness's configuration have.
SCENARIO = {
    "arch_allow", "arch_exclude", "build_only", "extra_args", "extra_configs", "filter", "harness",
    "harness_config", "integration_platforms", "min_flash", "min_ram", "platform_allow",
    "platform_exclude", "platform_key", "skip", "slow", "tags", "timeout",
}  # fmt: skip
HARNESS = {"type", "record", "regex", "ordered", "repeat", "fixture"}


def yaml(text: str) -> Any:
    """What our own file holds: maps and lists by indentation, plain and quoted words."""
    lines = [
        line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")
    ]

    def word(said: str) -> Any:
        return {} if said == "{}" else json.loads(said) if said[0] == '"' else said

    def block(deep: int) -> Any:
        found: Any = None
        while lines and len(lines[0]) - len(lines[0].lstrip()) == deep:
            line = lines.pop(0).strip()
            if line.startswith("- "):
                found = [*(found or []), word(line[2:])]
                continue
            key, said = re.fullmatch(r"([\w.]+):\s*(.*)", line).groups()
            deeper = len(lines[0]) - len(lines[0].lstrip()) if lines else 0
            found = {**(found or {}), key: word(said) if said else block(deeper)}
        return found

    return block(0)


CASES = yaml((SUITE / "testcase.yaml").read_text())


def _published(newer: bool) -> dict[str, set[str]]:
    """The texts by row of what Zephyr 4.3 printed, or of what is older."""
    found: dict[str, set[str]] = {}
    for run in json.loads((paths.REFERENCE / "zephyr_latency_measure_published.json").read_text()):
        if run.get("kernel_version", "").startswith("v4.3") is newer:
            for row in run["rows"]:
                found.setdefault(row["id"], set()).add(row["text"])
    return found


def test_texts_are_those_of_zephyr_4_3_and_the_older_ones_differ_in_their_slips_alone():
    """suites/README.md says so; there is no option for a word that Zephyr has mended."""
    newer, older = _published(True), _published(False)
    assert len(newer) == 47
    assert all(newer[row] == {TEXTS[row]} for row in newer)
    differing = {row: older[row] - {TEXTS[row]} for row in older if older[row] != {TEXTS[row]}}
    assert {row for row in differing if row.endswith("k_to_k")} == {
        "fifo.get.free.blocking.k_to_k", "lifo.put.alloc.wake+ctx.k_to_k",
    }  # fmt: skip
    assert all("siwtch" in text for told in differing.values() for text in told)


@pytest.mark.parametrize("width", [40, 48, 50])
def test_our_logs_are_read_however_they_are_padded(width, tmp_path):
    """48 until this commit, 50 since; a row by row comparison of the two is what people do."""
    rows = [logs.row("fifo.get.free.blocking.k_to_k", [74] * 20,
                     "Free when getting data from FIFO (w/ ctx switch)")]  # fmt: skip
    text = logs.log(rows)
    old = next(line for line in text.splitlines() if line.startswith("fifo"))
    ours = LINE.replace("<50", f"<{width}").format(
        id=rows[0]["id"], text=rows[0]["text"], value=74, ns=740
    )
    run = parse(text.replace(old, ours))
    assert [(row.id, row.p50) for row in run.rows] == [("fifo.get.free.blocking.k_to_k", 74)]
    slip = "Allocate to add data to LIFO (w/ ctx siwtch)"
    older = LINE.replace("<50", f"<{width}").format(
        id="lifo.put.alloc.wake+ctx.k_to_k", text=slip, value=76, ns=760
    )
    bare = tmp_path / "log"
    bare.write_text(f"{ours}\n{older}\n")
    found = [row for one in read_file(bare).runs for row in one.rows]
    assert {row.id: row.p50 for row in found} == {rows[0]["id"]: 74, older.split()[0]: 76}


# ---- testcase.yaml ----


def test_twister_finds_what_its_schema_has():
    assert CASES.keys() == {"common", "tests"}
    for scenario in (CASES["common"], *CASES["tests"].values()):
        assert scenario.keys() <= SCENARIO
    assert all(re.fullmatch(r"[a-z0-9_]+(\.[a-z0-9_]+)+", name) for name in CASES["tests"])
    common = CASES["common"]
    assert common["harness"] == "console"
    harness = common["harness_config"]
    assert harness.keys() <= HARNESS
    assert harness["type"] == "one_line"
    assert harness["regex"] == ["PROJECT EXECUTION SUCCESSFUL"]
    assert common["timeout"].isdigit()


def test_its_scenarios_are_our_configurations():
    for name, scenario in CASES["tests"].items():
        conf = name.removeprefix("benchmark.kernel.latency").removeprefix(".")
        conf = {"canaries": "canaries-all"}.get(conf, conf)
        options = scenario.get("extra_configs", [])
        file = Path(paths.ROOT / "conf" / f"prj.{conf}.conf")
        set_there = re.findall(r"^CONFIG_\S+", file.read_text(), re.M) if conf else []
        assert options == set_there, name


def test_its_records_are_our_rows():
    (regex,) = CASES["common"]["harness_config"]["record"]["regex"]
    text = logs.log([logs.row(f"a.row.{n}", [n + 10] * 20) for n in range(3)])
    found = [match for match in map(re.compile(regex).search, text.splitlines()) if match]
    assert [match["metric"].strip() for match in found] == ["a.row.0", "a.row.1", "a.row.2"]
    assert [(int(match["cycles"]), int(match["nanoseconds"])) for match in found] == [
        (10, 100), (11, 110), (12, 120),
    ]  # fmt: skip
    ends = CASES["common"]["harness_config"]["regex"]
    assert all(any(re.search(end, line) for line in text.splitlines()) for end in ends)
    failed = logs.log([logs.failure("a.row", "no heap")])
    assert not any(re.search(end, line) for end in ends for line in failed.splitlines())
