# SPDX-License-Identifier: Apache-2.0
"""KernelPerf's page: prose with figures read off an oscilloscope; its sentences are read."""

from __future__ import annotations

import re

from foliot.importers.registry import LineReader, line_format
from foliot.model.published import published_run, single
from foliot.model.run import Origin

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


@line_format
class KernelPerf(LineReader):
    """Keeps a page of KernelPerf's and reads its sentences at the end."""

    name = "KernelPerf"
    asked = 70
    marks = (b"KernelPerf",)

    def __init__(self, source: str) -> None:
        """Begin with nothing read."""
        super().__init__(source)
        self._kernel = ""
        self._text = ""

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Keep any line of its page, and of another document none; what is a row, `end` says."""
        if b"KernelPerf" in line and not self._kernel:
            found = re.search(r"kernel-v\d+", line.decode("utf-8", "replace"))
            self._kernel = found[0] if found else "KernelPerf"
            self.watching = True
        if self._kernel and len(self._text) < _LONGEST_PAGE:
            text = line.decode("utf-8", "replace")
            found = re.search(r"kernel-v\d+", text)
            if self._kernel == "KernelPerf" and found:
                self._kernel = found[0]
            self._text += text + "\n"
        return False

    def end(self, number: int) -> None:
        """Close the run."""
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
            self.done.append(published_run(rows, origin=origin, suite="periodic", unit="ns"))
        self.late = len(rows)
