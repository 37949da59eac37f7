# SPDX-License-Identifier: Apache-2.0
"""Reading other people's results, whole pages and logs as they have them.

The format is found by content. Text is read once, line by line, in bounded memory: every
reader sees the lines that may be its own, and the rest is counted and forgotten. A file
that is one JSON value or one table is read whole. What is not a row is skipped and
counted; a file without a row is an error that says which formats were tried.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from foliot.model.errors import UsageError
from foliot.model.run import Run


@dataclass(slots=True)
class Reading:
    """What came of reading a document: its runs, and how many of its lines were no rows."""

    runs: list[Run] = field(default_factory=list)
    lines: int = 0
    skipped: int = 0


def read_file(path: Path) -> Reading:
    """Read one document whole; FoliotError says what is wrong with it."""
    from foliot.importers.document import Reader

    if path.is_dir():
        raise UsageError(f"{path} is a directory: name the files in it")
    if not path.exists():
        raise UsageError(f"{path}: there is no such file")
    with path.open("rb") as stream:
        reader = Reader(path.name)
        runs = list(reader.read(stream))
    return Reading(runs, reader.lines, reader.skipped)
