# SPDX-License-Identifier: Apache-2.0
"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

_RULES = {"l": "---", "r": "---:"}


def head(titles: Sequence[str], alignment: str) -> list[str]:
    """Return a table's first two lines; `alignment` has l or r for each column."""
    return [line(titles), line([_RULES[side] for side in alignment])]


def line(cells: Sequence[object]) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(map(str, cells))} |"
