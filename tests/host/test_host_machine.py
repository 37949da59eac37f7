# SPDX-License-Identifier: Apache-2.0
"""The fake machine (arch/host): its virtual time, its limit, and that it repeats itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def foliot(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / "foliot", *words, "--quiet"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture(scope="module")
def hello() -> str:
    done = foliot("build", "samples/hello", "--board", "host")
    assert done.returncode == 0, done.stderr
    return str(ROOT / "build/firmware/host/hello/firmware.elf")


def test_time_is_virtual_and_every_run_the_same(hello):
    first, second = run(hello), run(hello)
    assert first.returncode == 0
    assert "404 ms after the start" in first.stdout
    assert first.stdout == second.stdout


def test_nothing_left_to_do_ends_at_the_limit():
    done = foliot("run", "tests/lab/apps/sleep", "--board", "host", "--timeout", "100")
    assert done.returncode == 1
    assert "limit of simulated time" in done.stderr


def test_a_limit_that_is_none_is_refused(hello):
    for text in ("0", "soon"):
        done = run(hello, "--limit-s", text)
        assert done.returncode == 2
        assert done.stderr == "--limit-s takes seconds of simulated time\n"


def test_a_limit_ends_the_program(hello):
    done = run(hello, "--limit-s", "0.25")
    assert done.returncode == 3
    assert "202 ms" in done.stdout
    assert "303 ms" not in done.stdout
