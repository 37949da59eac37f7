# SPDX-License-Identifier: Apache-2.0
"""The configurations on every board: overflows are caught, objects listed, turns taken."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
BOARDS = ["host", "ibex", "mps2_an385", "qemu_riscv32"]
ALL = "canaries,objcore,stackguard,timeslicing"


def run(application: Path, board: str, conf: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "foliot", "run", str(application), "--board", board,
         "--conf", conf, "-q"],
        capture_output=True, text=True, check=False, timeout=600,
        env={**os.environ, "PYTHONPATH": str(ROOT / "lab")},
    )  # fmt: skip


def faults(output: str) -> list[dict[str, object]]:
    head = '@foliot {"type":"fault"'
    lines = [line for line in output.splitlines() if line.startswith(head)]
    return [json.loads(line.removeprefix("@foliot ")) for line in lines]


# Alone on the quick boards; on the RTL together.
OVERFLOWS = [
    (board, conf)
    for board in ("host", "mps2_an385", "qemu_riscv32")
    for conf in ("canaries", "canaries-all", "stackguard")
] + [(board, ALL) for board in BOARDS]


@pytest.mark.parametrize(("board", "conf"), OVERFLOWS)
def test_overflows_are_caught(board, conf):
    done = run(HERE / "overflow", board, conf)
    assert "all checks passed" in done.stdout, done.stdout + done.stderr
    assert "FAILED" not in done.stdout
    assert done.returncode == 1  # the last overflow is of those that nobody may survive
    found = faults(done.stdout)
    reasons = {fault["reason"] for fault in found[:-1]}
    assert reasons == {"stack overflow"}
    causes = {str(fault["cause"]) for fault in found}
    assert ("stack canary overwritten" in causes) == ("canaries" in conf)
    if "guard" in conf and board != "host":
        assert any("stack guard" in cause for cause in causes)


@pytest.mark.parametrize("board", BOARDS)
def test_a_canary_names_the_function(board):
    done = run(HERE / "overflow", board, "canaries")
    assert " writes_too_far+" in done.stderr, done.stderr
    assert "thread victim" in done.stderr


@pytest.mark.parametrize("application", ["objects", "slicing"])
@pytest.mark.parametrize(
    ("board", "conf"), [*((board, "default") for board in BOARDS), ("mps2_an385", ALL)]
)
def test_the_feature(board, application, conf):
    done = run(HERE / application, board, conf)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all checks passed" in done.stdout


_MIXES = [
    ",".join(mix)
    for count in range(1, 5)
    for mix in itertools.combinations(["canaries", "objcore", "stackguard", "timeslicing"], count)
]


@pytest.mark.long
@pytest.mark.parametrize("board", ["host", "mps2_an385", "qemu_riscv32"])
@pytest.mark.parametrize("conf", _MIXES)
def test_any_mix(board, conf):
    """tests/kernel in every mix; in which it runs always, is said there."""
    done = run(ROOT / "tests" / "kernel", board, conf)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 failed" in done.stdout
