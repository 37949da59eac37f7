# SPDX-License-Identifier: Apache-2.0
"""A sweep as a table, as sentences, and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foliot.explain.code import Place
from foliot.model.names import counted
from foliot.sweep.judged import Found, Judged
from foliot.sweep.plan import ACTS

TITLES = ("operation", "state", "arrivals", "path", "late", "masked", "by")
_UNITS = {"insn": "instructions", "cycles": "cycles"}
_GAPS = 6  # that are named


def operation(row: str) -> str:
    """Return what a row is a state of."""
    return row.partition("/")[0]


def worst(found: Found) -> list[Judged]:
    """Return of each operation the state with the longest latency, in the rows' order."""
    best: dict[str, Judged] = {}
    for row in found.judged:
        name = operation(row.swept.row)
        if name not in best or row.latency > best[name].latency:
            best[name] = row
    return list(best.values())


def lines(found: Found, whole: bool = False) -> list[tuple[str, ...]]:
    """Return the table's lines: of each operation its worst state, or `whole` of all rows."""
    rows = found.rows if whole else worst(found)
    return [_line(row) for row in rows]


def _line(row: Judged) -> tuple[str, ...]:
    one = row.swept
    name, _, state = one.row.partition("/")
    return (
        name.removesuffix(".kernel"), state, str(one.arrivals),
        f"{row.hit}+{row.masked}/{row.path}", str(row.latency),
        f"{row.held}" + "*" * row.by_caller, row.culprit.place.function if row.culprit else "",
    )  # fmt: skip


def sentences(found: Found) -> list[str]:
    """Return what the sweep came to."""
    unit = _UNITS[found.unit]
    total = sum(row.swept.arrivals for row in found.rows)
    rows = counted(len(found.rows), "row")
    arrivals = f"{counted(total, 'arrival')} in {rows}"
    told = [f"{found.suite} on {found.board}: {arrivals}; {_path(found)}"]
    if found.judged:
        least = min(row.swept.least for row in found.judged)
        most = max(found.judged, key=lambda row: row.latency)
        held = max(found.judged, key=lambda row: row.held)
        alarm = max(row.alarm for row in found.judged)
        told.append(f"way in: {least} {unit}; latest: {most.latency}, in {most.swept.row}")
        if alarm:
            told.append(f"latest behind the kernel's alarm: {alarm}")
        told.append(f"masked longest: {held.held} {unit}, in {held.swept.row}: {_culprit(held)}")
    if any(row.by_caller for row in found.rows):
        told.append("* the caller masks, or is a handler: none of these is counted above")
    if found.left_out:
        told.append(f"not swept, their loops are in user mode: {len(found.left_out)} rows")
    told += [f"not tried: {_gap(row)}" for row in found.rows if row.gaps]
    told += [f"cut off: {row.swept.row}" for row in found.rows if row.swept.cut]
    told += [f"WRONG: {row.swept.row}: {row.swept.wrong}" for row in found.rows if row.swept.wrong]
    return told + [f"FAILED: {failure}" for failure in found.failures]


def _path(found: Found) -> str:
    path, hit, masked = (
        sum(getattr(row, name) for row in found.rows) for name in ("path", "hit", "masked")
    )
    gaps = path - hit - masked
    told = f"{hit} interrupted, {masked} masked, {gaps} not tried"
    return f"of {path} instructions of their paths {told}"


def _culprit(row: Judged) -> str:
    if row.culprit is None or row.opened is None:
        return "?"
    return f"`{row.culprit.text}`, {_where(row.culprit.place)}, until {_where(row.opened)}"


def _where(place: Place) -> str:
    inlined = f", {place.inlined} at {place.shown}" if place.inlined else f" at {place.shown}"
    return f"{place.function}+{place.offset:#x}{inlined}"


def _gap(row: Judged) -> str:
    shown: Sequence[str] = [f"{gap.text} ({gap.place.function})" for gap in row.gaps[:_GAPS]]
    more = len(row.gaps) - len(shown)
    return f"{row.swept.row}: {', '.join(shown)}" + (f" and {more} more" if more else "")


def as_dict(found: Found) -> dict[str, Any]:
    """Return the sweep for programs."""
    return _head(found) | {"failures": found.failures, "rows": [_row(row) for row in found.rows]}


def figures(found: Found) -> dict[str, Any]:
    """Return what the documentation's tables are made of: of each operation the worst state."""
    return _head(found) | {"worst": [_row(row) for row in worst(found)]}


def _head(found: Found) -> dict[str, Any]:
    path, hit, masked, arrivals = (
        sum(numbers) for numbers in zip(*(
            (row.path, row.hit, row.masked, row.swept.arrivals) for row in found.rows
        ), strict=True)
    ) if found.rows else (0, 0, 0, 0)  # fmt: skip
    return {
        "schema": 1, "board": found.board, "unit": found.unit, "suite": found.suite,
        "conf": list(found.conf), "step": found.step, "acts": list(ACTS),
        "total": {
            "rows": len(found.rows), "arrivals": arrivals, "path": path, "interrupted": hit,
            "masked": masked, "not_tried": path - hit - masked,
            "least": min((row.swept.least for row in found.judged), default=0),
            "alarm": max((row.alarm for row in found.judged), default=0),
            "left_out": len(found.left_out),
        },
    }  # fmt: skip


def _row(row: Judged) -> dict[str, Any]:
    one = row.swept
    return {
        "id": one.row, "samples": one.samples, "arrivals": one.arrivals, "least": one.least,
        "latency": row.latency, "masked": row.held, "alarm": row.alarm, "by_caller": row.by_caller,
        "path": row.path, "interrupted": row.hit, "masked_instructions": row.masked,
        "beside": row.beside, "not_tried": [f"{gap.pc:#x}" for gap in row.gaps],
        "from": _place(row.culprit.place if row.culprit else None),
        "instruction": row.culprit.text if row.culprit else "", "to": _place(row.opened),
        "cut": one.cut, "wrong": one.wrong,
    }  # fmt: skip


def _place(place: Place | None) -> dict[str, Any] | None:
    if place is None:
        return None
    return {
        "function": place.function, "inlined": place.inlined, "file": place.file,
        "line": place.line,
    }  # fmt: skip
