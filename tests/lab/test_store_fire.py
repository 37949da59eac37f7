# SPDX-License-Identifier: Apache-2.0
"""The store under fire: killed, or its disk full, at each write; read while two write; and large.

store_fire.py tries each place in a process whose calls store_fire.c counts. What a machine without
power loses beyond that is SQLite's to answer for (synchronous=FULL) and fsync's.
"""

from __future__ import annotations

import io
import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from test_store import keep, run_of, writer

from foliot.store.sqlite import Store
from foliot.store.writer import Recording

HERE = Path(__file__).resolve().parent
LIMIT_S = 120
SLOW_S = 20  # of a command, on a busy machine


@pytest.fixture(scope="module")
def fire(tmp_path_factory):
    """What comes between a process and its disk."""
    library = tmp_path_factory.mktemp("fire") / "store_fire.so"
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library,
         HERE / "store_fire.c", "-ldl"],
        check=True, timeout=LIMIT_S,
    )  # fmt: skip
    return library


def tried(fire, directory, *words):
    """Have a recording end at each of its writes; return what store_fire.py found."""
    done = subprocess.run(
        [sys.executable, HERE / "store_fire.py", directory, *words],
        env={**os.environ, "LD_PRELOAD": str(fire)}, capture_output=True, text=True,
        check=True, timeout=LIMIT_S,
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.needs("compiler")
@pytest.mark.parametrize("how", ["kill", "kill-half", "full"])
def test_a_recording_that_ends_at_any_write_is_there_whole_or_not_at_all(fire, tmp_path, how):
    found = tried(fire, tmp_path, how)
    assert found["wrong"] == []
    assert found["places"] > 50


@pytest.mark.slow
@pytest.mark.needs("compiler")
def test_a_run_that_is_recorded_before_its_log_would_be_found(fire, tmp_path):
    found = tried(fire, tmp_path, "kill", "backwards")
    assert any("the log of new is another one" in one for one in found["wrong"])


@pytest.mark.slow
def test_who_reads_while_two_write_sees_whole_runs_and_never_fewer(tmp_path):
    store = Store(tmp_path / "store")
    keep(store, name="older")
    children = [writer(store, name, 15) for name in "ab"]
    before, reads = [], 0
    try:
        while any(child.poll() is None for child in children):
            found = store.runs()
            assert [one.id for one in found][: len(before)] == [one.id for one in before]
            assert all(len(run.rows) == 47 for run in store.load_all(found[len(before) :]))
            before, reads = found, reads + 1
    finally:
        ended = [child.wait(timeout=60) for child in children]
    assert ended == [0, 0]
    assert (len(store.runs()), reads > 2) == (31, True)


@pytest.mark.long
def test_a_hundred_thousand_runs(foliot, tmp_path):
    """Recorded at once, as a log of many would be; and looked at as ever."""
    store = Store(tmp_path / "store")
    one = replace(run_of(), rows=run_of().rows[:3])
    with Recording(store, "import", "x") as recording:
        for number in range(100_000):
            recording.add(one, f"n{number % 50}")
        recording.keep(io.BytesIO(b"a log"))
    assert store.recent().name == "n49"
    keep(store, name="last")
    words = ("--store", str(store.directory))
    for command, said in ((("runs",), "last"), (("show", "last"), "rpi_pico")):
        began = time.monotonic()
        assert said in foliot(*command, *words).stdout
        assert time.monotonic() - began < SLOW_S
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 1 << 20  # KiB
