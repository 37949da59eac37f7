# SPDX-License-Identifier: Apache-2.0
"""Thread-Metric's output, and KernelPerf's page.

Thread-Metric counts iterations in periods of some seconds; a count says nothing by itself,
so a row is the time of one iteration: what smaller is better for, like everywhere here.
KernelPerf is prose with figures read off an oscilloscope; its sentences are what is read.
"""

from __future__ import annotations

import re
from statistics import median

from foliot.importers.numbers import whole
from foliot.model.foreign import foreign_run, single
from foliot.model.run import Failure, Origin, Row, Run

_TEST = re.compile(r"Thread-Metric (?P<test>.+?) Test \*+\s*Relative Time:\s*(?P<time>\d+)")
_TOTAL = re.compile(r"Time Period Total:\s*(?P<total>\d+)")
_TESTS = (
    ("basic", "basic"), ("cooperative", "cooperative"),
    ("interrupt preemption", "interrupt_preemption"),
    ("preemptive", "preemptive"), ("interrupt", "interrupt"), ("message", "message"),
    ("synchronization", "synchronization"), ("memory", "memory"),
)  # fmt: skip


class ThreadMetric:
    """Collects the totals of each test; the row is the median of its periods."""

    name = "Thread-Metric"

    def __init__(self, source: str) -> None:
        """Begin with nothing read."""
        self.source = source
        self.done: list[Run] = []
        self._totals: dict[str, list[tuple[int, int]]] = {}
        self._errors: dict[str, str] = {}
        self._test = ""
        self._seconds = self._time = 0

    def feed(self, line: bytes) -> bool:
        """Take a line; True where it was Thread-Metric's."""
        text = line.decode("utf-8", "replace")
        test = _TEST.search(text)
        if test:
            words = test["test"].lower()
            name = next((name for word, name in _TESTS if word in words), words.replace(" ", "_"))
            now = whole(test["time"])
            self._seconds = now - self._time if name == self._test and now > self._time else now
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

    def end(self) -> None:
        """Close the run."""
        rows = [self._row(test, totals) for test, totals in self._totals.items()]
        failures = [Failure(name, reason) for name, reason in self._errors.items()]
        failed = {failure.id for failure in failures}
        rows = [row for row in rows if row.id not in failed]
        if rows or failures:
            origin = Origin(title="Thread-Metric", source=self.source, format="Thread-Metric")
            self.done.append(foreign_run(rows, origin=origin, suite="thread_metric", unit="ns",
                                   failures=failures, successful=not failures))  # fmt: skip
        self._totals, self._errors = {}, {}

    @staticmethod
    def _row(test: str, totals: list[tuple[int, int]]) -> Row:
        each = sorted(seconds * 1e9 / total if total else 0 for total, seconds in totals)
        value = round(median(each), 1)
        return single(
            f"thread_metric.{test}", f"One iteration of the {test.replace('_', ' ')} test", value,
            value, total=totals[-1][0], period_s=totals[-1][1], periods=len(totals),
        )  # fmt: skip


_NUMBER = r"(?P<value>\d+(?:\.\d+)?)"
_US = rf"(?:about )?{_NUMBER} (?:microseconds|us)\b"
_SENTENCES = tuple(
    (row_id, text, re.compile(pattern, re.IGNORECASE))
    for row_id, text, pattern in (
        ("periodic.tick.16_of_16", "Scheduler run, 16 threads checked and queued",
         rf"it takes the scheduler {_US}"),
        ("periodic.queue.16", "of which queueing 16 threads", rf"takes up {_US} for 16 threads"),
        ("periodic.queue.first", "Queueing the first thread",
         r"starting from (?P<value>[\d.]+) us"),
        ("periodic.queue.each_further", "Queueing each further thread adds",
         rf"each additional thread adding {_US}"),
        ("periodic.check.thread", "Status check, a thread", rf"constant {_US} per thread"),
        ("periodic.switch", "Context switch", rf"context switch takes {_US}"),
        ("periodic.switch.16", "Context switches of 16 threads in a tick",
         rf"16 \* [\d.]+ us = {_US}"),
        ("periodic.tick.8_of_16", "Scheduler run, 16 threads checked, 8 queued",
         rf"in the latter case goes down to {_US}"),
        ("periodic.tick.8_of_8", "Scheduler run, 8 threads checked and queued",
         rf"Test Case 10\b.*?overall scheduler run time is {_US}"),
        ("periodic.tick.16_rising_priority", "Scheduler run, 16 threads of rising priority",
         rf"Test Case 11\b.*?overall scheduler run time is {_US}"),
    )
)  # fmt: skip
_LONGEST_PAGE = 1 << 20


class KernelPerf:
    """Keeps a page of KernelPerf's and reads its sentences at the end."""

    name = "KernelPerf"

    def __init__(self, source: str) -> None:
        """Begin with nothing read."""
        self.source = source
        self.done: list[Run] = []
        self._kernel = ""
        self._text = ""

    def feed(self, line: bytes) -> None:
        """Take any line: of another document nothing is kept."""
        if b"KernelPerf" in line and not self._kernel:
            found = re.search(r"kernel-v\d+", line.decode("utf-8", "replace"))
            self._kernel = found[0] if found else "KernelPerf"
        if self._kernel and len(self._text) < _LONGEST_PAGE:
            text = line.decode("utf-8", "replace")
            found = re.search(r"kernel-v\d+", text)
            if self._kernel == "KernelPerf" and found:
                self._kernel = found[0]
            self._text += text + "\n"

    def end(self) -> int:
        """Close the run; return how many rows it has."""
        rows = []
        for row_id, text, pattern in _SENTENCES:
            found = pattern.search(self._text) or (
                re.search(pattern.pattern, self._text, re.IGNORECASE | re.DOTALL)
                if "Test Case" in pattern.pattern
                else None
            )
            if found:
                value = round(float(found["value"]) * 1000)
                rows.append(single(row_id, text, value, value))
        if rows:
            origin = Origin(kernel=self._kernel, title="KernelPerf", source=self.source,
                            format="KernelPerf")  # fmt: skip
            self.done.append(foreign_run(rows, origin=origin, suite="periodic", unit="ns"))
        return len(rows)
