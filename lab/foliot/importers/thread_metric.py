# SPDX-License-Identifier: Apache-2.0
"""Thread-Metric's output.

Thread-Metric counts iterations in periods of some seconds; a count says nothing by itself,
so a row is the time of one iteration: what smaller is better for, like everywhere here. twister
records the counts and not the period, which is then taken to be the usual one, with a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median

from foliot.importers.numbers import whole
from foliot.importers.registry import LineReader, line_format
from foliot.model.published import published_run, single
from foliot.model.run import Failure, Origin, Row

_TEST = re.compile(
    r"Thread-Metric (?P<test>.+?) Test \*+\s*Relative Time:\s*(?P<time>\d+(?:\.\d+)?)"
)
_TOTAL = re.compile(r"Time Period Total:\s*(?P<total>\d+)")
_TESTS = (
    ("basic", "basic"), ("cooperative", "cooperative"),
    ("interrupt preemption", "interrupt_preemption"),
    ("preemptive", "preemptive"), ("interrupt", "interrupt"), ("message", "message"),
    ("synchronization", "synchronization"), ("memory", "memory"),
)  # fmt: skip

PERIOD_S = 30  # of each period, unless somebody changed the benchmark


@line_format
class ThreadMetric(LineReader):
    """Collects the totals of each test; the row is the median of its periods."""

    name = "Thread-Metric"
    asked = 60
    marks = (b"-Metric", b"Time Period", b"ERROR:")

    def __init__(self, source: str) -> None:
        """Begin with nothing read."""
        super().__init__(source)
        self._totals: dict[str, list[tuple[int, float]]] = {}
        self._errors: dict[str, str] = {}
        self._test = ""
        self._seconds = self._time = 0.0

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line; True where it was Thread-Metric's."""
        text = line.decode("utf-8", "replace")
        test = _TEST.search(text)
        if test:
            words = test["test"].lower()
            name = _name_of(words)
            now = _seconds(test["time"])
            again = name == self._test and now > self._time
            self._seconds = round(now - self._time, 9) if again else now
            self._test, self._time = name, now
            return True
        total = _TOTAL.search(text)
        if total and self._test and self._seconds > 0:
            self._totals.setdefault(self._test, []).append((whole(total["total"]), self._seconds))
            return True
        if self._test and text.startswith("ERROR:"):
            self._errors[f"thread_metric.{self._test}"] = text.removeprefix("ERROR:").strip()
            return True
        return False

    def end(self, number: int) -> None:
        """Close the run."""
        rows = [
            row_of_totals(f"thread_metric.{test}", totals) for test, totals in self._totals.items()
        ]
        failures = [Failure(name, reason) for name, reason in self._errors.items()]
        failed = {failure.id for failure in failures}
        rows = [row for row in rows if row.id not in failed]
        if rows or failures:
            origin = Origin(title="Thread-Metric", source=self.source, format="Thread-Metric")
            self.done.append(published_run(rows, origin=origin, suite="thread_metric", unit="ns",
                                   failures=failures, successful=not failures))  # fmt: skip
        self._totals, self._errors = {}, {}


def row_of_totals(row_id: str, totals: Sequence[tuple[int, float]]) -> Row:
    """Return the row of a test's periods: how often it came round, in how many seconds."""
    each = sorted(seconds * 1e9 / total if total else 0 for total, seconds in totals)
    value = round(median(each), 1)
    test = row_id.rpartition(".")[2].replace("_", " ")
    return single(
        row_id, f"One iteration of the {test} test", value, value, total=totals[-1][0],
        period_s=totals[-1][1], periods=len(totals),
    )  # fmt: skip


def test_of(scenario: str) -> str:
    """Return the id of the test that a scenario's name ends with: ...thread_metric.posix.basic."""
    words = scenario.lower().rpartition("thread_metric.")[2]
    posix = "posix." if "posix" in words else ""
    return f"thread_metric.{posix}{_name_of(words.rpartition('.')[2].replace('_', ' '))}"


def _seconds(digits: str) -> float:
    """Return a relative time; one with a fraction is of a simulated core's short periods."""
    seconds, _, fraction = digits.partition(".")
    return whole(seconds) + (float(f"0.{fraction[:9]}") if fraction else 0)


def _name_of(words: str) -> str:
    return next((name for word, name in _TESTS if word in words), words.replace(" ", "_"))
