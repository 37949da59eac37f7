# SPDX-License-Identifier: Apache-2.0
"""What `perf bench` prints of Linux: a time an operation, where a benchmark tells one.

    # Running 'sched/pipe' benchmark:
    # Executed 1000000 pipe operations between two processes
         Total time: 8.041 [sec]
           8.041561 usecs/op
             124354 ops/sec

One that tells its whole time alone (sched/messaging) has that; one that tells rates has nothing.
"""

from __future__ import annotations

import re

from foliot.importers.console import NUMBER, ConsoleReader
from foliot.importers.figures import row_name
from foliot.importers.registry import line_format

_BEGIN = re.compile(r"# Running '?(?P<name>[\w-]+/[\w-]+)'? benchmark(?::|\.\.\.)")
_TOTAL = re.compile(rf"\s*Total time:\s+(?P<time>{NUMBER}) \[(?P<unit>\w?sec)\]")
_EACH = re.compile(rf"\s*(?P<time>{NUMBER}) (?P<unit>[num]secs)/op")
_MORE = re.compile(r"# .*|\s*[\d.]+ (?:(?:ops|[KMG]?B)/sec|[num]secs/op/cpu)")


@line_format
class PerfBench(ConsoleReader):
    """Takes each benchmark from its first line to the next one's; a time an operation wins."""

    name = "perf bench"
    suite = "perf"
    asked = 46
    marks = (b"# Running ", b"Total time:", b"secs/op", b"/sec")

    def begin(self) -> None:
        """Forget what was read."""
        super().begin()
        self._benchmark, self._reported = "", ("", "")

    def take(self, text: str, number: int, heading: bytes) -> bool:
        """Take a line that is a benchmark's."""
        if found := _BEGIN.fullmatch(text):
            self._keep()
            self._benchmark = found["name"]
        elif not self._benchmark:
            return False
        elif found := _EACH.fullmatch(text):
            self._reported = (found["time"], found["unit"])
        elif found := _TOTAL.fullmatch(text):
            self._reported = self._reported if self._reported[0] else (found["time"], found["unit"])
        else:
            return _MORE.fullmatch(text) is not None
        return True

    def _keep(self) -> None:
        """Make a row of the benchmark that ends here."""
        name = row_name(*self._benchmark.split("/"))
        time, unit = self._reported
        if time:
            self.found.take(name, self._benchmark, float(time), unit, mean=float(time))
        elif self._benchmark:
            self.found.fail(name, "it tells no time, but at most a rate")
        self._benchmark, self._reported = "", ("", "")

    def finish(self) -> None:
        """Make a row of the last benchmark."""
        self._keep()
