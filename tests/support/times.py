# SPDX-License-Identifier: Apache-2.0
"""What each test takes of this machine's processors, by the part of the tests that it is in.

Processor time, the test's own and that of all it started, and no clock on the wall: that depends on
who else is at work on the machine, so a limit in it would fail for what others do. `foliot test`
reads the file that --times-file names and holds each part against its share (lab/foliot/project/
times.py).

Even that time grows where others keep the caches and the other half of a core busy, or the machine
is another one. So now and then the same small program is run as a yardstick, and its times go with
those of the tests.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

PROPERTY, YARDSTICK = "times", "yardstick"
EACH_S = 30.0
# A process that starts, reads files, and fills memory with small structures, as compilers do.
WORK = "import ast, inspect; ast.parse(inspect.getsource(ast))"


def processor_s() -> float:
    """Return the processor time of this process and of all that it waited for, in seconds."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def yardstick_s() -> float:
    """Run the yardstick; return the processor time that it took, in seconds."""
    before = processor_s()
    subprocess.run([sys.executable, "-I", "-c", WORK], check=True, timeout=300)
    return processor_s() - before


BEGUN = pytest.StashKey[float]()
LAST = pytest.StashKey[float]()  # when the yardstick was taken


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note when a test begins: what its fixtures take is its own."""
    due = item.config.stash.get(LAST, -EACH_S) + EACH_S
    if item.config.getoption("--times-file") and time.monotonic() >= due:
        item.config.stash[LAST] = time.monotonic()
        item.user_properties.append((YARDSTICK, yardstick_s()))
    item.stash[BEGUN] = processor_s()
    return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[pytest.TestReport]:
    """Send what it took with its last report, which a worker hands to the process that asked."""
    report = yield
    if report.when == "teardown":
        report.user_properties.append((PROPERTY, processor_s() - item.stash[BEGUN]))
    return report


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("foliot")
    group.addoption("--times-file", help="write each test's processor time, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    place = config.getoption("--times-file")
    if place and not hasattr(config, "workerinput"):  # the process that asked, and no worker
        config.pluginmanager.register(Times(Path(place)))


class Times:
    """Gathers what the tests took, and writes it at the end."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.tests: dict[str, float] = {}
        self.yardsticks: list[float] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        properties = dict(report.user_properties)
        if PROPERTY in properties:
            self.tests[report.nodeid] = properties[PROPERTY]
            self.yardsticks += [properties[YARDSTICK]] if YARDSTICK in properties else []

    def pytest_sessionfinish(self) -> None:
        found = {"tests": self.tests, "yardsticks": self.yardsticks}
        self.place.write_text(json.dumps(found), encoding="utf-8")
