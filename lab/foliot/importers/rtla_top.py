# SPDX-License-Identifier: Apache-2.0
"""What `rtla timerlat top` shows: the latest and the extremes of each CPU's latencies.

      0 00:00:59   |          IRQ Timer Latency (us)        |         Thread Timer Latency (us)
    CPU COUNT      |      cur       min       avg       max |      cur       min       avg       max
      0 #58634     |        1         0         1        10 |       11         2        10        23

With -u a third group tells of the return to user mode. The screen is shown again and again: the
last one counts. A window that is narrower than its lines breaks them, and they are joined.
"""

from __future__ import annotations

import re

from foliot.importers.figures import told
from foliot.importers.numbers import whole
from foliot.importers.registry import LineReader, line_format
from foliot.model.errors import LogError
from foliot.model.published import published_run, single
from foliot.model.run import Origin, Row

_TITLE = re.compile(r"\s*\d+ \d\d:\d\d:\d\d\s+\|\s+IRQ Timer Latency.*")
_UNIT = re.compile(r"Timer Latency \((?P<unit>us|ns)\)")
_COLUMNS = re.compile(r"\s*CPU COUNT\s.*")
_ROW = re.compile(r"\s*(?P<cpu>\d{1,5}|ALL) #(?P<count>\d{1,15})\s+(?P<rest>.*)")
_GROUP = re.compile(r"\|?((?:\s+(?:\d{1,15}|-)){4})(?=\s*(?:\||<|$))")
_REST = re.compile(r"[\s\d|-]*(?:<-.*)?")
_KINDS = (("irq", "Latency of the timer's interrupt"), ("thread", "Latency of the timer's thread"),
          ("user", "Latency of the return to user mode"))  # fmt: skip


@line_format
class RtlaTop(LineReader):
    """Takes a screen from its title on; the next one takes its place."""

    name = "rtla timerlat top"
    asked = 43  # before the tables: its lines have bars in them
    marks = (b"IRQ Timer Latency",)

    def __init__(self, source: str) -> None:
        """Begin before any screen."""
        super().__init__(source)
        self._first = self._last = 0
        self._begin("")

    def _begin(self, title: str) -> None:
        self._head = title
        self._lines: list[tuple[int, str]] = []

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line; True where it was of a screen."""
        text = line.decode("utf-8", "replace").rstrip()
        if _TITLE.fullmatch(text):
            self._first = self._first or number
            self._keep()
            self._begin(text)
            self.reading = True
        elif not self.reading:
            return False
        elif _ROW.fullmatch(text):
            self._lines.append((number, text))
        elif self._lines and self._is_short() and _REST.fullmatch(text):
            self._lines[-1] = (self._lines[-1][0], self._lines[-1][1] + text)
        elif not self._lines and len(self._head) < 400:
            self._head += text
        else:
            self.reading = False
            return not text
        self._last = number
        return True

    def _groups(self) -> int:
        return self._head.count("Latency (") or 2

    def _is_short(self) -> bool:
        return len(_GROUP.findall(self._rest())) < self._groups() or self._lines[-1][1][-1:] == " "

    def _rest(self) -> str:
        found = _ROW.fullmatch(self._lines[-1][1])
        return found["rest"] if found else ""

    def end(self, number: int) -> None:
        """Make a run of the last screen."""
        self._keep()
        self.reading = False

    def _keep(self) -> None:
        """Keep what a screen shows, in place of the one before."""
        if not self._lines:
            return
        unit = _UNIT.search(self._head)
        if unit is None:
            raise LogError(f"line {self._first}: rtla's head says no unit")
        factor = 1 if unit["unit"] == "ns" else 1000
        rows = [row for number, text in self._lines for row in self._rows(number, text, factor)]
        self._lines = []
        if not rows:
            return
        origin = Origin(
            kernel="Linux", title="rtla timerlat", source=self.source,
            lines=(self._first, self._last), format="rtla timerlat top",
        )  # fmt: skip
        self.done = [published_run(
            rows, origin=origin, suite="timerlat", unit="ns",
            header={"counter": {"granule": factor}},
        )]  # fmt: skip

    def _rows(self, number: int, text: str, factor: int) -> list[Row]:
        found = _ROW.fullmatch(text)
        if not found or found["cpu"] == "ALL":
            return []
        groups = [group.split() for group in _GROUP.findall(found["rest"])]
        if len(groups) < self._groups():
            raise LogError(f"line {number}: the screen is cut off: {len(groups)} groups of figures")
        rows = []
        for (kind, what), cells in zip(_KINDS, groups, strict=False):
            if "-" in cells:
                continue
            _, low, mean, high = (whole(cell) * factor for cell in cells)
            if not low <= mean <= high:
                raise LogError(f"line {number}: an average that is not between its extremes")
            row = single(f"timerlat.{kind}.cpu{whole(found['cpu'])}", what, mean)
            rows.append(told(row, n=max(1, whole(found["count"])), min=low, mean=mean, max=high))
        return rows
