# SPDX-License-Identifier: Apache-2.0
"""Our own logs, as many as a file holds; each is read as strictly as while it is measured."""

from __future__ import annotations

from dataclasses import replace

from foliot.log.reader import FAILED, MARK, SUCCESSFUL, LogReader
from foliot.model.errors import LogError
from foliot.model.run import Origin, Run

_ENDS = (SUCCESSFUL.encode(), FAILED.encode())


class OwnLogs:
    """Takes the lines from a header to the end of its log; raises LogError for a bad one."""

    name = "Foliot's log"

    def __init__(self, source: str) -> None:
        """Begin outside of any log."""
        self.source = source
        self.done: list[Run] = []
        self._reader: LogReader | None = None
        self._first = 0

    @property
    def reading(self) -> bool:
        """True inside of a log: then every line belongs to it."""
        return self._reader is not None

    def feed(self, line: bytes, number: int) -> bool:
        """Take a line of a log, or the one that begins it; True where it was one."""
        if self._reader is None:
            if not line.startswith(MARK):
                return False
            self._reader, self._first = LogReader(), number
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
        self._reader = None
