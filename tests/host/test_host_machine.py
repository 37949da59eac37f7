# SPDX-License-Identifier: Apache-2.0
"""The fake machine (arch/host): its virtual time, its limit, and that it repeats itself."""

from __future__ import annotations

import pytest

from support.command import ROOT

pytestmark = pytest.mark.board("host")


@pytest.fixture(scope="module")
def hello(foliot):
    done = foliot("build", "samples/hello", "--board", "host", "--quiet")
    assert done.returncode == 0, done.stderr
    return ROOT / "build/firmware/host/hello/firmware.elf"


def test_time_is_virtual_and_every_run_the_same(foliot, hello):
    first, second = foliot.program(hello), foliot.program(hello)
    assert first.returncode == 0
    assert "404 ms after the start" in first.stdout
    assert first.stdout == second.stdout


@pytest.mark.slow
def test_nothing_left_to_do_ends_at_the_limit(foliot):
    done = foliot("run", "tests/lab/apps/sleep", "--board", "host", "--timeout", "100", "-q")
    assert done.returncode == 1
    assert "limit of simulated time" in done.stderr


def test_a_limit_that_is_none_is_refused(foliot, hello):
    for text in ("0", "soon"):
        done = foliot.program(hello, "--limit-s", text)
        assert done.returncode == 2
        assert done.stderr == "--limit-s takes seconds of simulated time\n"


def test_a_limit_ends_the_program(foliot, hello):
    done = foliot.program(hello, "--limit-s", "0.25")
    assert done.returncode == 3
    assert "202 ms" in done.stdout
    assert "303 ms" not in done.stdout
