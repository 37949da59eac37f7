# SPDX-License-Identifier: Apache-2.0
"""The tables of the worst case, out of what `foliot sweep --figures` wrote (data/sweep/).

A sweep takes minutes to an hour, so `foliot docs` makes none: what stands there is of the kernel of
the commit that brought it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from foliot.model.errors import FoliotError
from foliot.show import markdown
from foliot.target import paths

PLACE = paths.ROOT / "data" / "sweep"
_UNITS = {"insn": "instructions", "cycles": "cycles"}
# README's: what stands in its table of medians, where the suite has it, and their other halves.
SEVEN = (
    "thread.yield.ctx.k_to_k", "thread.create.kernel.from.kernel",
    "thread.suspend.kernel.from.kernel", "semaphore.take.blocking.k_to_k",
    "semaphore.give.wake+ctx.k_to_k", "mutex.lock.blocking.k_to_k", "heap.malloc.immediate",
)  # fmt: skip


def file(board: str, suite: str) -> Path:
    """Return where a sweep's figures stand."""
    return PLACE / f"{board}-{suite}.json"


def every(board: str, suite: str) -> list[str]:
    """Return each operation's worst state: how late, how much of that was masked, by whom."""
    found = _load(board, suite)
    lines = markdown.head(
        ("operation", "worst state", "arrivals", "latency", "masked", "by", "until"), "llrrrll"
    )
    for row in found["worst"]:
        operation, _, state = row["id"].partition("/")
        lines.append(markdown.line((
            f"`{operation}`", state, row["arrivals"], row["latency"], row["masked"],
            _function(row["from"]), _function(row["to"]),
        )))  # fmt: skip
    return [*_said(found), "", *lines]


def main(board: str, suite: str) -> list[str]:
    """Return the seven lines of it that README has."""
    found = _load(board, suite)
    known = {row["id"].partition("/")[0]: row for row in found["worst"]}
    lines = markdown.head(("operation", "worst state", "arrivals", "latency", "masked"), "llrrr")
    for operation in SEVEN:
        row = known.get(operation)
        if row is None:
            raise FoliotError(f"data/sweep has no {operation} of {suite} on {board}")
        state = row["id"].partition("/")[2]
        lines.append(markdown.line(
            (f"`{operation}`", state, row["arrivals"], row["latency"], row["masked"])
        ))  # fmt: skip
    return lines


def _load(board: str, suite: str) -> Mapping[str, Any]:
    try:
        known: Mapping[str, Any] = json.loads(file(board, suite).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise FoliotError(
            f"{paths.shown(file(board, suite))} is not there",
            f"`foliot sweep --board {board} --suite {suite} --figures` writes it",
        ) from None
    return known


def _said(found: Mapping[str, Any]) -> Sequence[str]:
    total, unit = found["total"], _UNITS[found["unit"]]
    longest = max(found["worst"], key=lambda row: row["masked"])
    path = f"{total['interrupted']} were interrupted, {total['masked']} are masked"
    arrivals = f"{total['arrivals']} arrivals in {total['rows']} rows"
    left = f"{total['not_tried']} were not tried"
    alarm = f"behind the kernel's alarm an interrupt waits {total['alarm']} at the most"
    masked = f"from `{longest['instruction']}` in `{_function(longest['from'])}`"
    return [
        f"* {arrivals}. Of {total['path']} instructions of their paths {path}, {left}.",
        f"* The way in takes {total['least']} {unit}; {alarm}.",
        f"* Masked longest: {longest['masked']} {unit}, in `{longest['id']}`, {masked}.",
    ]


def _function(place: Mapping[str, Any] | None) -> str:
    return str(place["function"]) if place else ""
