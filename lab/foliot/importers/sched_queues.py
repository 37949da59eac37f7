# SPDX-License-Identifier: Apache-2.0
"""Zephyr's sched_queues and wait_queues: four statistics of a row, each on a line of its own.

    REC: sched.add.thread.ReadyQ_tail.min - Add threads of ..., min. : N cycles , M ns :

and the same ending in max, avg and stddev; or in words where nothing is recorded:

    Add threads of decreasing priority
        Minimum : N cycles ( M nsec)

Each is one row: its figure is the average, of which the median is not known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from foliot.importers.figures import row_name, told
from foliot.importers.numbers import whole
from foliot.importers.registry import LineReader, line_format
from foliot.importers.zephyr_names import booted
from foliot.model.names import plain
from foliot.model.published import published_run, single
from foliot.model.run import Failure, Origin, Row

_FIGURES = r"(?P<cycles>\d+) cycles ?,\s*(?P<ns>\d+) ns"
_RECORDED = re.compile(rf"REC: (?P<id>\S+)\s+- (?P<text>[^|]*?)\s*:\s*{_FIGURES}")
_THREAD = re.compile(
    rf"(?:^|\s)(?P<id>(?:ReadyQ|WaitQ)[\w.]+)\s+- (?P<text>[^|]*?)\s*:\s*{_FIGURES}"
)
_WORDS = re.compile(
    r"^\s*(?P<word>Minimum|Maximum|Average|Std Deviation)\s*:\s*(?P<cycles>\d+) cycles "
    r"\(\s*(?P<ns>\d+) nsec\)"
)
_STATISTICS = {"Minimum": "min", "Maximum": "max", "Average": "avg", "Std Deviation": "stddev"}
_ENDING = re.compile(r",?\s*(?:min|max|avg|stddev)\.\s*$")


@dataclass(slots=True)
class Statistics:
    """Collects statistics of rows by their ids' endings, and makes rows of them."""

    figures: dict[str, dict[str, tuple[float, float]]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def take(self, metric: str, text: str, cycles: float, ns: float) -> bool:
        """Take a figure whose id ends in a statistic's name; False of any other id."""
        name, _, ending = metric.rpartition(".")
        if not name or ending not in _STATISTICS.values():
            return False
        name = row_name(name)
        self.figures.setdefault(name, {})[ending] = (cycles, ns)
        self.texts.setdefault(name, _ENDING.sub("", text).strip())
        return True

    def rows(self) -> tuple[list[Row], list[Failure]]:
        """Return the rows, and those of which there is no average."""
        rows, failures = [], []
        for name, found in self.figures.items():
            if "avg" in found:
                rows.append(_row(name, self.texts[name], found))
            else:
                failures.append(Failure(name, f"only {', '.join(found)} of it, no average"))
        return rows, failures


def _row(name: str, text: str, found: Mapping[str, tuple[float, float]]) -> Row:
    value, ns = found["avg"]
    stats = {key: found[key][0] for key in ("min", "max") if key in found}
    row = told(single(name, text, value, ns), mean=value, **stats)
    deviation = {"stddev": found["stddev"][0]} if "stddev" in found else {}
    return replace(row, extra={**row.extra, **deviation})


@line_format
class SchedQueues(LineReader):
    """Collects the rows of one run."""

    name = "Zephyr's sched_queues and wait_queues"
    asked = 9  # before latency_measure, which would take the half of an id with capitals
    marks = (b"REC: ", b"ReadyQ", b"WaitQ", b" cycles (", b"ooting", b"BOOTING")

    def __init__(self, source: str) -> None:
        """Begin with nothing read."""
        super().__init__(source)
        self._statistics = Statistics()
        self._single: dict[str, Row] = {}
        self._about = self._version = ""

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line; True where it was a figure."""
        if not any(mark in line for mark in self.marks):
            return False
        version = booted(line)
        if version is not None:
            self.end(number)
            self._version = version
            return False
        text = line.decode("utf-8", "replace")
        recorded = _RECORDED.search(text)
        if recorded:
            figures = whole(recorded["cycles"]), whole(recorded["ns"])
            return self._statistics.take(recorded["id"], plain(recorded["text"]), *figures)
        thread = _THREAD.search(text)
        if thread:
            name = row_name(thread["id"])
            figures = whole(thread["cycles"]), whole(thread["ns"])
            self._single.setdefault(name, single(name, plain(thread["text"]), *figures))
            return True
        words = _WORDS.match(text)
        if not words:
            return False
        if words["word"] == "Minimum":
            self._about = plain(heading.decode("utf-8", "replace")).strip()
        metric = f"sched_queues.{row_name(self._about)}.{_STATISTICS[words['word']]}"
        return self._statistics.take(
            metric, self._about, whole(words["cycles"]), whole(words["ns"])
        )

    def end(self, number: int) -> None:
        """Close the run."""
        rows, failures = self._statistics.rows()
        rows += self._single.values()
        if rows or failures:
            origin = Origin(
                kernel="Zephyr", kernel_version=self._version, title="sched_queues",
                source=self.source, format="sched_queues",
            )  # fmt: skip
            self.done.append(published_run(
                rows, origin=origin, suite="sched_queues", unit="cycles", failures=failures,
                successful=not failures,
            ))  # fmt: skip
        self._statistics, self._single = Statistics(), {}
