# SPDX-License-Identifier: Apache-2.0
"""The rows that another kernel's image prints, in the grammar of twister's record regex.

Such a row is one figure: no distribution, no evidence, and the stamps are still in it as
its benchmark left them. It is marked as what it is (n is 1) and compared all the same.
"""

from __future__ import annotations

import re

from foliot.log.reader import FAILED, SUCCESSFUL
from foliot.model.errors import LogError
from foliot.model.published import published_run, single
from foliot.model.run import Origin, Row, Run
from foliot.target.boards import Board

ROW = re.compile(
    r"(?P<metric>\S+)\s* - (?P<description>.*?)\s*:\s*(?P<cycles>-?\d{1,18}) cycles ,"
    r"\s*(?P<nanoseconds>-?\d{1,18}) ns"
)
ENDS = (SUCCESSFUL, FAILED)


class ForeignReader:
    """Collects rows from the console of an image that knows nothing of Foliot."""

    def __init__(self) -> None:
        """Begin with no row."""
        self.rows: dict[str, Row] = {}
        self.banner: str | None = None
        self.outcome: str | None = None

    def feed(self, line: bytes) -> Row | None:
        """Take the next line; return the row that it holds, if it is one."""
        text = line.decode("utf-8", "replace").strip()
        if text in ENDS:
            self.outcome = text
            return None
        if text.startswith("***") and self.banner is None:
            self.banner = text.strip("* ")
        match = ROW.match(text)
        if not match:
            return None
        row = single(match["metric"], match["description"], int(match["cycles"]))
        self.rows[row.id] = row
        return row

    def finish(self, board: Board, suite: str) -> Run:
        """Return the rows as a run; LogError where there were none."""
        if not self.rows:
            raise LogError("the image printed no row ('ID - TEXT : N cycles , M ns')")
        header = {
            "kernel_commit": self.banner or "not known", "core": board.core, "memory": board.memory,
        }  # fmt: skip
        return published_run(
            list(self.rows.values()), origin=Origin(), suite=suite, unit=board.unit,
            board=board.name, configuration="foreign", declared_hz=board.clock_hz,
            successful=self.outcome != FAILED, header=header,
        )  # fmt: skip
