# SPDX-License-Identifier: Apache-2.0
"""What readers of other tools' consoles share: a block of figures, told to its last line.

A tool's JSON says more, and is read as well; but what people paste is its console. A reader of
this kind takes the lines that are its tool's, whatever else stands between them, and makes one
run of what it collected until the tool starts again or the document ends.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from foliot.importers.figures import Collected
from foliot.importers.registry import LineReader
from foliot.model.run import Origin

NUMBER = r"\d{1,15}(?:\.\d{1,12})?(?:e[+-]?\d{1,3})?"
TIME_UNIT = r"(?:ps|ns|us|µs|μs|ms|s)"
_LONGEST = 2000


class ConsoleReader(LineReader):
    """Collects one tool's figures; `take` says of each line whether it is the tool's."""

    suite: ClassVar[str]

    def __init__(self, source: str) -> None:
        """Begin with nothing read."""
        super().__init__(source)
        self.begin()

    def begin(self) -> None:
        """Forget what was read: another run begins."""
        self.found = Collected()
        self.title, self.header = self.suite, dict[str, Any]()
        self.first = self.last = 0

    @abstractmethod
    def take(self, text: str, number: int, heading: bytes) -> bool:
        """Take a line if it is the tool's."""

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line; True where it was the tool's."""
        if len(line) > _LONGEST or not self.take(
            line.decode("utf-8", "replace").rstrip(), number, heading
        ):
            return False
        self.first, self.last = self.first or number, number
        return True

    def finish(self) -> None:
        """Complete what is open, before a run is made of it."""

    def close(self) -> None:
        """Make a run of what was read, where there is anything."""
        self.finish()
        if self.found.rows or self.found.failures:
            origin = Origin(
                title=self.title, source=self.source, format=self.name,
                lines=(self.first, self.last),
            )  # fmt: skip
            self.done += self.found.runs(origin, self.suite, header=self.header or None)
        self.begin()

    def end(self, number: int) -> None:
        """Close the last run."""
        self.close()


def figures(found: re.Match[str], *names: str) -> Mapping[str, float]:
    """Return those of a line's named figures that stand there."""
    return {name: float(text) for name in names if (text := found[name]) is not None}
