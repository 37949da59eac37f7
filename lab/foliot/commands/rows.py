# SPDX-License-Identifier: Apache-2.0
"""`foliot rows`: the rows of the latency suite."""

from __future__ import annotations

from rich import box
from rich.table import Table

from foliot.reference.rows import catalogue
from foliot.show.terminal import console


def command() -> None:
    """List the rows of the latency suite."""
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("row", "what it measures", "measured in"):
        shown.add_column(title, no_wrap=title == "row")
    for row in catalogue():
        shown.add_row(row.id, row.text, " ".join(row.configurations))
    console().print(shown)
