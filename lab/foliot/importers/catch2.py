# SPDX-License-Identifier: Apache-2.0
"""What Catch2 (C++) prints of its benchmarks: a mean between its limits, three lines a benchmark.

    benchmark name                       samples       iterations    est run time
                                         mean          low mean      high mean
                                         std dev       low std dev   high std dev
    -------------------------------------------------------------------------------
    put a message                                  100           208     7.1968 ms
                                            347.41 ns     345.11 ns     351.04 ns
                                            14.2 ns        9.8 ns        20.1 ns

Without its analysis the mean stands in the first line, where the estimated time is otherwise. A
long name is broken into lines, of which the last has the figures.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from foliot.importers.console import NUMBER, ConsoleReader
from foliot.importers.figures import row_name, told
from foliot.importers.registry import line_format
from foliot.importers.units import scaled
from foliot.model.names import plain
from foliot.model.published import single

_HEAD = re.compile(r"benchmark name\s+samples\s+iterations\s+(?P<last>est run time|mean)")
_MORE_HEAD = re.compile(r"\s+(?:std dev|mean)(?:\s+(?:low|high) (?:std dev|mean)){2}")
_TIME = rf"({NUMBER}) (ns|us|ms|s|m|h)"
_FIRST = re.compile(rf"(?P<name>\S.*?)?\s+(?P<n>\d{{1,9}})\s+\d{{1,15}}\s+{_TIME}")
_THREE = re.compile(rf"\s+{_TIME}\s+{_TIME}\s+{_TIME}")
_RULE = re.compile(r"([-=.])\1{20,}")
_NS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
_OUTSIDE, _IN_HEAD, _IN_ROWS = range(3)


@line_format
class Catch2(ConsoleReader):
    """Takes the lines from the head of the benchmarks to the rule behind them."""

    name = "Catch2"
    suite = "catch2"
    asked = 47
    marks = (b"benchmark name",)

    def begin(self) -> None:
        """Forget what was read."""
        super().begin()
        self._name, self._samples, self._times = "", 0, list[Sequence[float]]()
        self._place = _OUTSIDE
        self._is_short = False

    def take(self, text: str, number: int, heading: bytes) -> bool:
        """Take a line that is of the benchmarks' table."""
        if head := _HEAD.fullmatch(text):
            self._is_short = head["last"] == "mean"
            self._place = _IN_HEAD
        elif self._place == _OUTSIDE:
            return False
        elif _RULE.fullmatch(text):
            self._keep()
            self._place = _IN_ROWS if self._place == _IN_HEAD else _OUTSIDE
        elif self._place == _IN_HEAD:
            return _MORE_HEAD.fullmatch(text) is not None
        elif first := _FIRST.fullmatch(text):
            self._begin_row(first)
        elif self._samples and (three := _THREE.fullmatch(text)):
            self._times.append(
                [scaled(float(three[one]), _NS[three[one + 1]]) for one in (1, 3, 5)]
            )
        elif text.strip():
            self._keep()
            self._name = f"{self._name} {text.strip()}".strip()
        self.watching = self._place != _OUTSIDE
        return True

    def _begin_row(self, first: re.Match[str]) -> None:
        self._keep()
        self._name = f"{self._name} {first['name'] or ''}".strip()
        self._samples = int(first["n"])
        if self._is_short:
            self._times.append([scaled(float(first[3]), _NS[first[4]])])

    def _keep(self) -> None:
        """Make a row of the benchmark whose lines end here; a name alone waits for its figures."""
        if not self._samples:
            return
        name = plain(self._name)
        if self._times:
            mean, *limits = self._times[0]
            row = told(single(row_name(name), name, mean), mean=mean, n=self._samples)
            beside = dict(zip(("low", "high"), limits, strict=False))
            if len(self._times) > 1:
                beside["stddev"] = self._times[1][0]
            self.found.add("ns", replace(row, extra={**row.extra, **beside}))
        else:
            self.found.fail(row_name(name), "no mean stands below it: cut off?")
        self._name, self._samples, self._times = "", 0, []

    def finish(self) -> None:
        """Make a row of the last benchmark."""
        self._keep()
