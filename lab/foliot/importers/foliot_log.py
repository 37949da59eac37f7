# SPDX-License-Identifier: Apache-2.0
"""Our own logs, as many as a file holds; each is read as strictly as while it is measured."""

from __future__ import annotations

from dataclasses import replace

from foliot.importers.registry import LineReader, line_format
from foliot.log.reader import FAILED, MARK, SUCCESSFUL, LogReader
from foliot.model.errors import LogError
from foliot.model.run import Origin

_ENDS = (SUCCESSFUL.encode(), FAILED.encode())


@line_format
class FoliotLogs(LineReader):
    """Takes the lines from a header to the end of its log; raises LogError for a bad one."""

    name = "Foliot's log"
    asked = 0
    begins = MARK
    in_pages = True

    def __init__(self, source: str) -> None:
        """Begin outside of any log."""
        super().__init__(source)
        self._reader: LogReader | None = None
        self._first = 0

    def feed(self, line: bytes, number: int, heading: bytes) -> bool:
        """Take a line of a log, or the one that begins it; True where it was one."""
        if self._reader is None:
            if not line.startswith(MARK):
                return False
            self._reader, self._first = LogReader(), number
            self.reading = True
            self._reader.line = number - 1
        self._reader.feed(line)
        if line.strip() in _ENDS:
            self.end(number)
        return True

    def end(self, number: int) -> None:
        """Close the log that is open: LogError where it is not complete."""
        if self._reader is None:
            return
        try:
            run = self._reader.finish()
        except LogError as error:
            raise LogError(f"lines {self._first} to {number}: {error.message}") from None
        origin = Origin(
            kernel="Foliot", kernel_version=run.header.kernel_commit,
            title=f"{run.header.suite}-{run.header.board}", source=self.source,
            lines=(self._first, number), format="foliot",
        )  # fmt: skip
        self.done.append(replace(run, origin=origin))
        self._reader, self.reading = None, False
