# SPDX-License-Identifier: Apache-2.0
"""One sample of one row, cut out of the trace between its two stamps.

The firmware printed both stamps of each sample. A simulator with clocks shows the very
clock that a stamp read; under QEMU a stamp's place is counted from the anchor's. Either
way what is cut out has to begin and end at an instruction that can be a stamp, and its
cycles have to add up to what was measured: else nothing is explained.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foliot.explain.code import Code, Place
from foliot.explain.trace import ANCHOR, Retired, Traced
from foliot.explain.waits import Wait, is_stamp, kind, waits
from foliot.model.errors import FoliotError, UsageError, unknown
from foliot.model.run import Header, Row

TYPICAL, FIRST, WORST = "typical", "first", "worst"
_STAMP_MASK = (1 << 32) - 1
_ANCHOR_STEPS = 8


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction of the sample; `cycles` holds its own and those of its waits."""

    pc: int
    cycles: int
    waits: tuple[Wait, ...]
    text: str
    place: Place

    @property
    def kind(self) -> str:
        """What it is; see waits.KINDS."""
        return kind(self.text)


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample's instructions, from behind the first stamp to the second, included.

    `raw` is the distance of the stamps, in the header's unit; `index` the sample's number.
    """

    row: Row
    header: Header
    index: int
    of: int
    why: str
    raw: int
    steps: tuple[Step, ...]

    @property
    def net(self) -> float:
        """What the row counts: the distance of the stamps without what two stamps cost."""
        return self.raw - self.row.overhead


def cut(traced: Traced, row_id: str, which: str = TYPICAL, code: Code | None = None) -> Sample:
    """Return a sample: `typical`, `first`, `worst`, or its number. `code`: of many the same.

    Raises UsageError for an unknown row or sample, FoliotError where trace and stamps don't
    agree.
    """
    row, record = _find(traced, row_id)
    stamps = [(start, end) for start, end in record["stamps"]]
    if not stamps:
        raise FoliotError(f"{row_id}: the image kept no stamps of this row's samples")
    ticks = _ticks_per_unit(traced.run.header)
    raws = [_units((end - start) & _STAMP_MASK, ticks) for start, end in stamps]
    index, why = choose(raws, which)
    code = code or Code(traced.elf)
    retired = _between(traced, record, stamps[index], ticks, code)
    _check(retired, raws[index], row_id, code)
    return Sample(row, traced.run.header, index, row.n, why, raws[index], _steps(retired, code))


def choose(raws: Sequence[int], which: str) -> tuple[int, str]:
    """Return the index of the sample that is meant, and what it is."""
    if which == FIRST:
        return 0, "the first, cold"
    if which == WORST:
        return raws.index(max(raws)), "the worst"
    if which == TYPICAL:
        median = sorted(raws)[(len(raws) - 1) // 2]
        return len(raws) - 1 - raws[::-1].index(median), "a typical one"
    if which.isdecimal() and int(which) < len(raws):
        return int(which), "the one asked for"
    raise UsageError(
        f"unknown sample '{which}': valid are typical, first, worst and 0 to {len(raws) - 1}"
    )


def _find(traced: Traced, row_id: str) -> tuple[Row, Mapping[str, Any]]:
    row = traced.run.row(row_id)
    record = next(
        (r for r in traced.run.records if r.get("type") == "samples" and r.get("id") == row_id),
        None,
    )
    if row is None or record is None:
        failure = next((f for f in traced.run.failures if f.id == row_id), None)
        if failure:
            raise FoliotError(f"{row_id} could not be measured: {failure.reason}")
        raise unknown("row", row_id, [row.id for row in traced.run.rows])
    return row, record


def _between(
    traced: Traced,
    record: Mapping[str, Any],
    stamps: tuple[int, int],
    ticks: tuple[int, int],
    code: Code,
) -> list[Retired]:
    """Return the instructions from the first stamp to the second, both included."""
    everything = traced.row(int(record["marker"]))
    if traced.board.kind == "verilator":
        begin, end = stamps
        places = {step.at & _STAMP_MASK: i for i, step in enumerate(everything)}
    else:
        zero = _anchor(everything, code)
        anchor = int(record["anchor"])
        begin, end = (zero + _units((s - anchor) & _STAMP_MASK, ticks) for s in stamps)
        places = {step.at: i for i, step in enumerate(everything)}
    if begin not in places or end not in places:
        raise FoliotError("the trace does not reach this sample: something slept, or it is cut off")
    return everything[places[begin] : places[end] + 1]


def _anchor(everything: Sequence[Retired], code: Code) -> int:
    """Return the place of the anchor's stamp: the last that can be one in its function."""
    stamps = [
        step.at
        for step in everything[:_ANCHOR_STEPS]
        if (code.image.function(step.pc) or "").partition("+")[0] == ANCHOR
        and is_stamp(code.instruction(step.pc))
    ]
    if not stamps:
        raise FoliotError("the trace does not show the anchor's stamp")
    return stamps[-1]


def _check(retired: Sequence[Retired], raw: int, row_id: str, code: Code) -> None:
    total = sum(step.took for step in retired[1:])
    ends = [code.instruction(step.pc) for step in (retired[0], retired[-1])]
    if total != raw or not all(is_stamp(text) for text in ends):
        raise FoliotError(
            f"{row_id}: the trace and the stamps don't agree ({total} and {raw})",
            "please report it: the trace or the image's stamps are wrong",
        )


def _steps(retired: Sequence[Retired], code: Code) -> tuple[Step, ...]:
    code.prefetch(step.pc for step in retired)
    texts = [code.instruction(step.pc) for step in retired]
    named = waits(retired[0], retired[1:], texts)
    return tuple(
        Step(
            pc=step.pc,
            cycles=1 + sum(wait.cycles for wait in waiting),
            waits=waiting,
            text=text,
            place=code.place(step.pc),
        )
        for step, text, waiting in zip(retired[1:], texts[1:], named, strict=True)
    )


def _ticks_per_unit(header: Header) -> tuple[int, int]:
    number, of = header.counter.get("ticks_per_unit", (1, 1))
    return int(number), int(of)


def _units(ticks: int, per_unit: tuple[int, int]) -> int:
    """Convert as the firmware does: to the nearest unit."""
    number, of = per_unit
    return (ticks * of + number // 2) // number
