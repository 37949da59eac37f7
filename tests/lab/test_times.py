# SPDX-License-Identifier: Apache-2.0
"""What the tests take: measured by the test, summed up by part, and held against its share."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from foliot.project import times
from foliot.target import paths

TESTS = """
import subprocess
import sys
import time

BUSY = "import time\\nwhile time.process_time() < 0.4: pass"

def test_that_works_in_a_program():
    subprocess.run([sys.executable, "-c", BUSY], check=True)

def test_that_waits():
    time.sleep(0.4)
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_what_a_test_and_its_programs_compute_counts_and_not_how_long_it_waits(tmp_path, workers):
    (tmp_path / "test_two.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text(
        f"import sys\nsys.path.insert(0, {str(paths.ROOT / 'tests')!r})\n"
        "pytest_plugins = ['support.times']\n"
    )
    file = tmp_path / "times.json"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", str(workers), f"--times-file={file}",
         f"--rootdir={tmp_path}", tmp_path],
        capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    taken = json.loads(file.read_text())
    assert 1 <= len(taken["yardsticks"]) <= 2  # a worker's first test, and then each half a minute
    assert all(0.01 < seconds < 2 for seconds in taken["yardsticks"])
    works, waits = (taken["tests"][f"test_two.py::test_that_{what}"] for what in
                    ("works_in_a_program", "waits"))  # fmt: skip
    assert 0.4 <= works < 2
    assert waits < 0.3


def test_the_parts_are_the_directories_and_the_shares_are_no_more_than_there_is():
    assert sum(times.SHARES.values()) <= times.CORES * times.LIMIT_MINUTES
    there = {path.name for path in (paths.ROOT / "tests").iterdir() if path.is_dir()}
    assert set(times.SHARES) - {"style", "others"} <= there
    tests = {
        "tests/lab/test_a.py::b": 60,
        "tests/pc/test_c.py::d": 30,
        "tests/user/fuzz/e.py::f": 6,
    }
    taken = times.by_part(times.Taken(tests), 90)
    assert (taken["lab"], taken["others"], taken["user"], taken["style"]) == (1, 0.5, 0.1, 1.5)


@pytest.mark.parametrize("slower", [0.5, 1.0, 1.5, 3.0])
def test_a_slow_or_loaded_machine_takes_no_more(slower):
    """As the yardstick says it; a fast one is not held to its own times."""
    near = 0.9 * times.CORES * times.LIMIT_MINUTES
    seconds = near * 60 * slower
    tests = times.Taken({"tests/lab/a.py::b": seconds}, [times.YARDSTICK_S * slower] * 4)
    assert times.by_part(tests, 0)["lab"] == pytest.approx(near * min(slower, 1))
    assert times.exceeded(times.by_part(tests, 0)) == []
    much = times.Taken({"tests/lab/a.py::b": seconds * 1.2}, tests.yardsticks)
    assert bool(times.exceeded(times.by_part(much, 0))) == (slower >= 1)


def test_what_all_take_too_much_is_said_with_the_parts_that_are_above_their_shares():
    full = dict(times.SHARES)
    assert times.exceeded(full) == []
    full["lab"] += 2
    full["style"] -= 2  # which leaves it to another
    assert times.exceeded(full) == []
    full["lab"] += 10
    whole, part = times.exceeded(full)
    takes, share = f"{full['lab']:.1f}", times.SHARES["lab"]
    assert whole.startswith(f"they take {sum(full.values()):.0f} min")
    assert part == f"those of lab take {takes} min: their share is {share:g}"
    assert any(line.split() == ["lab", takes, "of", f"{share:.1f}"]
               for line in times.table(full, True))  # fmt: skip
    assert not any(" of " in line for line in times.table(full, False)[2:])
    assert "1.20 times" in times.table(full, True, 1.2)[1]


def test_where_pytest_was_ended_there_are_no_times(tmp_path):
    assert times.read(tmp_path / "none") == times.Taken({})
    (tmp_path / "half").write_text('{"a"')
    assert times.read(tmp_path / "half") == times.Taken({})
    assert times.Taken({}).slowness == 1
