# SPDX-License-Identifier: Apache-2.0
"""What `rtla timerlat hist` and `rtla osnoise hist` print: a histogram a CPU, and its statistics.

    # RTLA timerlat histogram
    # Time unit is microseconds (us)
    Index   IRQ-000   Thr-000
    1          1422         3
    over:         0         0
    count:    60001     60001
    min:          0         1                 also avg, max

Bars wider than a unit (--bucket-size) are told by their distance; of those the average is what is
printed, without its fraction. Of others the histogram gives it.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from foliot.importers.figures import counted
from foliot.importers.numbers import whole
from foliot.importers.registry import LineReader, line_format
from foliot.model.errors import LogError
from foliot.model.published import published_run
from foliot.model.run import Origin, Row

_TITLE = re.compile(r"# RTLA (?P<tool>timerlat|osnoise) histogram")
_UNIT = re.compile(r"# Time unit is (?P<unit>\w+)")
_COLUMN = re.compile(r"(?P<kind>IRQ|Thr|Usr|CPU)-(?P<cpu>\d{1,5})")
_BAR = re.compile(r"^\s*(?P<index>\d{1,12})(?P<counts>(?:\s+(?:\d{1,18}|-))+)\s*$")
_SUMMARY = re.compile(r"^\s*(?P<what>over|count|min|avg|max):(?P<all>(?:\s+(?:\d{1,18}|-))*)\s*$")
_KINDS = {"IRQ": "timerlat.irq", "Thr": "timerlat.thread", "Usr": "timerlat.user", "CPU": "osnoise"}
_TEXTS = {
    "IRQ": "Latency of the timer's interrupt", "Thr": "Latency of the timer's thread",
    "Usr": "Latency of the return to user mode", "CPU": "Noise of the operating system",
}  # fmt: skip


@line_format
class Rtla(LineReader):
    """Takes a histogram from its title to the last line of its summary."""

    name = "rtla timerlat and osnoise"
    asked = 63
    marks = (b"# RTLA ",)

    def __init__(self, source: str) -> None:
        """Begin outside of any histogram."""
        super().__init__(source)
        self._begin("", 0)

    def _begin(self, tool: str, number: int) -> None:
        self._tool, self._first, self._last, self._factor = tool, number, number, 1000
        self._columns: list[tuple[str, int]] = []
        self._bars: list[tuple[int, list[int | None]]] = []
        self._summary: dict[str, list[int | None]] = {}

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line; True where it was one of rtla's."""
        text = line.decode("utf-8", "replace").rstrip()
        title = _TITLE.search(text)
        if title:
            self._close()
            self._begin(title["tool"], number)
            self.reading = True
            return True
        if not self.reading:
            return False
        self._last = number
        unit = _UNIT.search(text)
        columns = _COLUMN.findall(text) if text.lstrip().startswith("Index") else []
        if unit:
            self._factor = {"nanoseconds": 1, "microseconds": 1000}.get(unit["unit"], 0)
            if not self._factor:
                raise LogError(
                    f"line {number}: rtla's unit '{unit['unit'][:20]}' is not known here"
                )
        elif columns and not self._columns:
            self._columns = [(kind, int(cpu)) for kind, cpu in columns]
        elif not self._take(text, number) and text and not text.lstrip().startswith("#"):
            self._close()
        return True

    def _take(self, text: str, number: int) -> bool:
        """Take a bar, or a line of the summary."""
        bar, summary = _BAR.match(text), _SUMMARY.match(text)
        if bar and not self._summary:
            self._bars.append((whole(bar["index"]), self._cells(bar["counts"], number)))
            return True
        if summary and summary["what"] not in self._summary:
            self._summary[summary["what"]] = self._cells(summary["all"], number)
            return True
        return False  # a second summary, of all CPUs together, ends it too

    def _cells(self, text: str, number: int) -> list[int | None]:
        cells = [None if cell == "-" else whole(cell) for cell in text.split()]
        if self._columns and len(cells) != len(self._columns):
            raise LogError(
                f"line {number}: {len(cells)} cells, where the histogram has "
                f"{len(self._columns)} columns"
            )
        return cells

    def end(self, number: int) -> None:
        """Close what is open."""
        self._close()

    def _close(self) -> None:
        self.reading = False
        if not self._tool:
            return
        counts = self._summary.get("count")
        if self._bars and counts is None:
            raise LogError(f"line {self._last}: the histogram is cut off: no line 'count:'")
        rows = [row for place in range(len(self._columns)) if (row := self._row(place))]
        tool = self._tool
        if rows:
            origin = Origin(
                kernel="Linux", title=f"rtla {tool}", source=self.source,
                lines=(self._first, self._last), format="rtla",
            )  # fmt: skip
            self.done.append(published_run(
                rows, origin=origin, suite=tool, unit="ns",
                header={"counter": {"granule": self._factor}},
            ))  # fmt: skip
        self._begin("", 0)

    def _row(self, place: int) -> Row | None:
        kind, cpu = self._columns[place]
        bars = tuple(
            (index * self._factor, count)
            for index, cells in self._bars
            if place < len(cells) and (count := cells[place])
        )
        beyond, count = self._of("over", place) or 0, self._of("count", place) or 0
        inside = sum(number for _, number in bars)
        if inside + beyond != count:
            raise LogError(
                f"line {self._last}: {kind}-{cpu:03} has {inside + beyond} samples in its bars, "
                f"and 'count:' says {count}"
            )
        known = {
            name: value * self._factor
            for name in ("min", "max")
            if (value := self._of(name, place)) is not None
        }
        wide = len(self._bars) > 1 and math.gcd(*(index for index, _ in self._bars)) > 1
        average = self._of("avg", place)
        if (wide or beyond) and average is not None:
            known["mean"] = average * self._factor
        row = counted(f"{_KINDS[kind]}.cpu{cpu}", _TEXTS[kind], bars, beyond, **known)
        return replace(row, buckets=wide) if row is not None else None

    def _of(self, what: str, place: int) -> int | None:
        cells = self._summary.get(what, [])
        return cells[place] if place < len(cells) else None
