# SPDX-License-Identifier: Apache-2.0
"""What criterion (Rust) prints: the estimate of each benchmark between its confidence limits.

    fib 10                  time:   [143.77 ns 145.36 ns 147.84 ns]
    a long name/sum/64                                    on a line of its own
                            time:   [8.6385 ns 8.9499 ns 9.2988 ns]
                            thrpt:  [...]                 and the change since the last time

The three are the limits of the mean's interval (or the slope's) around the estimate: neither is
the smallest or largest sample, so only the mean is reported, and the limits stand beside it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from foliot.importers.console import NUMBER, TIME_UNIT, ConsoleReader
from foliot.importers.figures import row_name, told
from foliot.importers.registry import line_format
from foliot.importers.units import scaled, unit_of
from foliot.model.names import plain
from foliot.model.published import single

_ONE = rf"({NUMBER}) ({TIME_UNIT})"
_TIME = re.compile(rf"(?P<name>.*?)\s*time:\s+\[{_ONE} {_ONE} {_ONE}\]\s*")
_BROKEN = re.compile(r"(?P<name>.*?)\s*time:\s+\[\d.*(?:ps|ns|us|µs|μs|ms| s)\b.*")
_OTHER = re.compile(
    r"\s*(?:change:.*|time:\s+\[[+-].*|thrpt:.*|.*\(p = .*|No change in performance .*|"
    r"Performance has .*|Change within noise .*|Found \d+ outliers? among .*|"
    r"\d+ \(\d+\.\d+%\) (?:low|high) (?:mild|severe)|"
    r"(?:slope|mean|median|std\. dev\.|R\^2)\s+\[.*|"
    r"Benchmarking .*|Warning: .*|Gnuplot not found.*|"
    r"running \d+ tests?|test result: .*)"
)
_PROGRESS = re.compile(r"\s*Benchmarking (?P<name>.*?)(?:: (?:Warming up|Collecting|Analyzing).*)?")


@line_format
class Criterion(ConsoleReader):
    """Takes each line with a time; a name that has no room there stands on the line before."""

    name = "criterion's console"
    suite = "criterion"
    asked = 41
    marks = (b"time:", b"thrpt:", b"change:", b"Benchmarking ", b"outliers", b"Gnuplot not",
             b"(p = ")  # fmt: skip

    def begin(self) -> None:
        """Forget what was read."""
        super().begin()
        self._before = ""

    def take(self, text: str, number: int, heading: bytes) -> bool:
        """Take a line that is criterion's, and remember one that may be a name."""
        found = _TIME.fullmatch(text)
        if found:
            self.watching = True
            self._time(found, heading)
            return True
        if (broken := _BROKEN.fullmatch(text)) and self.watching:
            name = broken["name"].strip() or self._before
            self.found.fail(row_name(name), "its three times are not whole")
            return True
        if _OTHER.fullmatch(text):
            progress = _PROGRESS.fullmatch(text)
            self.watching = True
            self._before = progress["name"] if progress else ""
            return True
        if text.strip():
            self._before = text.strip()
        return False

    def _time(self, found: re.Match[str], heading: bytes) -> None:
        name = found["name"].strip() or self._before or heading.decode("utf-8", "replace")
        self._before = ""
        name = plain(name).strip()
        low, middle, high = (
            scaled(float(found[place]), known[1])
            for place in (2, 4, 6)
            if (known := unit_of(found[place + 1]))
        )
        row_id = row_name(*name.split("/"))
        if not low <= middle <= high:
            self.found.fail(row_id, "the estimate is not between its limits: garbled")
            return
        row = told(single(row_id, name, middle), mean=middle)
        self.found.add("ns", replace(row, extra={**row.extra, "low": low, "high": high}))
