# SPDX-License-Identifier: Apache-2.0
"""What Rust's own harness prints (`cargo bench` with #[bench]): a median for each benchmark.

    test queue::put ... bench:       1,234.50 ns/iter (+/- 56.10)
    test memcpy_1k  ... bench:          43 ns/iter (+/- 2) = 23813 MB/s

What stands behind +/- is the largest sample less the smallest, and no deviation.
"""

from __future__ import annotations

import re
from dataclasses import replace

from foliot.importers.console import ConsoleReader
from foliot.importers.figures import row_name, told
from foliot.importers.registry import line_format
from foliot.model.names import plain
from foliot.model.published import single

_NUMBER = r"\d{1,3}(?:,\d{3}){0,5}(?:\.\d{1,6})?|\d{1,15}(?:\.\d{1,6})?"
_ROW = re.compile(
    rf"test (?P<name>\S.*?)\s+\.\.\. bench:\s+(?P<ns>{_NUMBER}) ns/iter "
    rf"\(\+/- (?P<spread>{_NUMBER})\)(?: = \d+ MB/s)?"
)
_NONE = re.compile(r"test (?P<name>\S.*?)\s+\.\.\. (?:(?P<broken>bench:.*)|FAILED)")


@line_format
class RustBench(ConsoleReader):
    """Takes the lines of benchmarks; those of tests are nobody's."""

    name = "Rust's bench"
    suite = "rust"
    asked = 45
    marks = (b"... bench:", b"... FAILED")

    def take(self, text: str, number: int, heading: bytes) -> bool:
        """Take a line that is a benchmark's."""
        if row := _ROW.fullmatch(text):
            median, spread = (float(row[name].replace(",", "")) for name in ("ns", "spread"))
            known = told(single(row_name(row["name"]), plain(row["name"]), median), p50=median)
            self.found.add("ns", replace(known, extra={**known.extra, "spread": spread}))
        elif (none := _NONE.fullmatch(text)) and (none["broken"] or self.found.rows):
            why = "no time in ns/iter" if none["broken"] else "it failed"
            self.found.fail(row_name(none["name"]), why)
        else:
            return False
        return True
