# SPDX-License-Identifier: Apache-2.0
"""What `go test -bench` prints: a mean over its iterations for each benchmark.

    pkg: example.com/queue
    cpu: AMD EPYC 7B13
    BenchmarkPut/size=64-8   	50000000	        24.31 ns/op	      16 B/op	       1 allocs/op

With -count a benchmark stands there several times: these are the samples of its row. The number
behind its name is that of the processors, and no part of it.
"""

from __future__ import annotations

import re

from foliot.importers.console import NUMBER, ConsoleReader
from foliot.importers.figures import row_name, sampled
from foliot.importers.registry import line_format
from foliot.importers.units import scaled
from foliot.model.names import plain
from foliot.model.published import single

_ROW = re.compile(
    rf"(?P<name>Benchmark\S*?)(?:-\d{{1,4}})?\s+\d{{1,18}}\s+(?P<ns>{NUMBER}) ns/op(?:\s.*)?"
)
_BROKEN = re.compile(r"(?P<name>Benchmark\S*?)(?:-\d{1,4})?\s+\d{1,18}\s+\S.*")
_FAILED = re.compile(r"\s*--- (?:FAIL|SKIP): (?P<name>Benchmark\S*?)(?:-\d{1,4})?(?:\s.*)?")
_PACKAGE = re.compile(r"pkg: (?P<package>\S+)")
_MOST = 20_000


@line_format
class GoBench(ConsoleReader):
    """Takes the lines of benchmarks; a package that begins is a run of its own."""

    name = "go test -bench"
    suite = "go"
    asked = 44
    marks = (b"Benchmark", b"pkg: ")

    def begin(self) -> None:
        """Forget what was read."""
        super().begin()
        self._samples: dict[str, list[float]] = {}

    def take(self, text: str, number: int, heading: bytes) -> bool:
        """Take a line that is Go's."""
        package, row, failed = (one.fullmatch(text) for one in (_PACKAGE, _ROW, _FAILED))
        if package:
            self.close()
            self.title = plain(package["package"])
        elif failed:
            self.found.fail(row_name(*failed["name"].split("/")), "it failed, or was skipped")
        elif row and len(self._samples) < _MOST:
            self._samples.setdefault(row["name"], []).append(scaled(float(row["ns"]), 1))
        elif self._samples and (broken := _BROKEN.fullmatch(text)):
            self.found.fail(row_name(*broken["name"].split("/")), "no time in ns/op")
        else:
            return False
        return True

    def finish(self) -> None:
        """Make a row of each benchmark."""
        for name, samples in self._samples.items():
            row_id, text = row_name(*name.split("/")), plain(name)
            several = len(samples) > 1
            row = sampled(row_id, text, samples) if several else single(row_id, text, samples[0])
            self.found.add("ns", row)
        self._samples = {}
