# SPDX-License-Identifier: Apache-2.0
"""The table in which L4Re publishes what its IPC costs.

Its x86 figures are triples of tsc, clk and insn, and a mark of the footnote that says so
may have been glued to the last (judge/doubts.py finds that out).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from foliot.importers.numbers import whole
from foliot.importers.registry import table_format
from foliot.model.names import plain, slug
from foliot.model.published import published_run, single
from foliot.model.run import Origin, Row, Run

_FIGURE = r"(?P<{0}>\d+(?:/\d+)*)\s*(?:\[#?(?P<{0}_mark>\d+)\]_?)?"
_LINE = re.compile(
    r"\|(?P<platform>[^|]+)\|(?P<cpu>[^|]+)\|\s*"
    + r"\s*\|\s*".join(_FIGURE.format(name) for name in ("intra", "inter", "syscall"))
    + r"\s*\|(?P<rest>.*?)(?=\+-|\|[^|]+\|[^|]+\|\s*\d|$)",
    re.DOTALL,
)


@table_format("L4Re's table")
def l4re_table(text: str, source: str, lines: tuple[int, int]) -> list[Run]:
    """Return the runs of L4Re's table of IPC costs: a run a platform and unit; or none."""
    head = text.lower()
    if not ("intra" in head and "inter" in head and "syscall" in head):
        return []
    runs = []
    for found in _LINE.finditer(text):
        platform, cpu = _joined(found)
        for unit, place in (("cycles", 1), ("insn", 2), ("tsc", 0)):
            rows = list(_table_rows(found, unit, place))
            if rows:
                device = {"name": platform, "core": cpu}
                title = f"{cpu} {platform}" + ("" if unit == "cycles" else f" {unit}")
                origin = Origin(kernel="L4Re", title=title, source=source, lines=lines,
                                format="L4Re table", device=device)  # fmt: skip
                level = re.search(r"EL\d", platform)
                board = slug(f"{cpu} {level[0]}" if level else cpu)
                runs.append(published_run(rows, origin=origin, suite="ipc", unit=unit, board=board,
                                  configuration="performance"))  # fmt: skip
    return runs


def _joined(found: re.Match[str]) -> tuple[str, str]:
    """Return platform and processor, with what their cells go on with in a second line."""
    cells = [cell.strip() for cell in found["rest"].split("|")]
    more = cells[2:4] if len(cells) >= 4 else ["", ""]
    names = (found["platform"].strip(), found["cpu"].strip())
    platform, cpu = (plain(" ".join(f"{a} {b}".split())) for a, b in zip(names, more, strict=True))
    return platform, cpu


def _table_rows(found: re.Match[str], unit: str, place: int) -> Iterator[Row]:
    for name in ("intra", "inter", "syscall"):
        figures: Sequence[int] = [whole(part) for part in found[name].split("/")]
        if len(figures) == 1 and unit == "cycles":
            yield single(f"ipc.{name}", f"One-way IPC, {name}", figures[0])
        elif len(figures) == 3:
            marked = unit == "insn" and found[f"{name}_mark"]
            extra: dict[str, Any] = {}
            if marked:
                extra = {"footnote": found[f"{name}_mark"], "cycles": figures[1]}
            yield single(f"ipc.{name}", f"One-way IPC, {name}", figures[place], **extra)
