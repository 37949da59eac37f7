# SPDX-License-Identifier: Apache-2.0
"""What a sweep found of a row, held against the path that the row takes without an interrupt.

An instruction of the path is *hit* where an interrupt was taken in front of it. One that is not is
*masked* if an arrival that rose while it was executed was taken at the next one that is hit, which
the latency there proves: it is at least the way from one to the other. What is neither is a *gap*:
interrupts were open there, and none came.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foliot.explain.code import Code, Place
from foliot.explain.sample import Sample, Step
from foliot.model.errors import LogError
from foliot.sweep.plan import ACTS
from foliot.target.boards import Board

# Where all of a window is masked: QEMU's timers are an instruction off, and nothing but the longest
# latency tells of its beginning.
SLACK = {"cycles": 0, "insn": 1}
_PLACE = 16  # characters of a hit: eight of pc, four of the longest latency, four of its rise
_WINDOW = "arch_isr_window"  # which a handler calls that lets others in
# Where the caller masks, or is a handler and handlers don't nest, that is no kernel's doing.
BY_CALLER = ("/masked", ".to_masked")
BY_HANDLER = ("/isr", ".isr.")
NESTING = ("cortex_m",)
_MASKS = ("csrci", "csrrci", "csrc ", "csrrc ", "cpsid", "msr basepri", "msr BASEPRI")
_NEAR = 4  # instructions around the rise among which the one that masked is looked for


@dataclass(frozen=True, slots=True)
class Hit:
    """An instruction in front of which interrupts were taken: the longest latency, in units.

    `at`: that one's rise, behind the window's beginning; `in_handler`: it is a handler's, of a core
    whose handlers nest.
    """

    pc: int
    latency: int
    at: int
    in_handler: bool = False


@dataclass(frozen=True, slots=True)
class Swept:
    """A row's record. `least`: latency, in units; `wrong`: the first thing that was."""

    row: str
    samples: int
    arrivals: int
    least: int
    hits: Mapping[int, Hit]
    cut: bool = False
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A row, its path, and what of that was hit.

    `longest` is of those that interrupted a thread: `culprit` masked it, until `opened`. `alarm` is
    the longest latency that ended in a handler that lets others in, which is the kernel's alarm.
    """

    swept: Swept
    path: int
    hit: int
    masked: int
    longest: Hit | None = None
    alarm: int = 0
    gaps: tuple[Step, ...] = ()
    culprit: Step | None = None
    opened: Place | None = None
    by_caller: bool = False
    beside: int = 0  # interrupted instructions beside the path: of handlers, of threads that came

    @property
    def latency(self) -> int:
        """The longest, in units."""
        return self.longest.latency if self.longest else 0

    @property
    def held(self) -> int:
        """How much longer the longest took than the least: what was masked."""
        return self.latency - self.swept.least if self.longest else 0

    @property
    def good(self) -> bool:
        """Whether nothing was wrong, and all of the path was tried."""
        return not self.swept.wrong and not self.gaps and not self.swept.cut


@dataclass(slots=True)
class Found:
    """A whole sweep."""

    board: str
    unit: str
    suite: str
    conf: tuple[str, ...]
    step: int = 1
    rows: list[Judged] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)  # rows of which the suite sweeps none
    failures: list[str] = field(default_factory=list)  # of runs that did not come to their end

    @property
    def judged(self) -> list[Judged]:
        """Return the rows whose latency is the kernel's."""
        return [row for row in self.rows if not row.by_caller and row.longest]

    @property
    def bad(self) -> list[Judged]:
        """Return the rows in which something is not as it should be."""
        return [row for row in self.rows if not row.good]


def swept(record: Mapping[str, Any]) -> Swept:
    """Read a record `sweep`; LogError where it is none."""
    try:
        places = str(record["places"])
        hits = [_hit(places[at : at + _PLACE]) for at in range(0, len(places), _PLACE)]
        wrong = record.get("wrong_at")
        return Swept(
            row=str(record["id"]), samples=int(record["samples"]),
            arrivals=int(record["arrivals"]), least=int(record["least"]),
            hits={hit.pc: hit for hit in hits},
            cut=bool(record["cut"] or record["dropped"]),
            wrong="" if wrong is None else _wrong(record["wrong"], wrong),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError):
        raise LogError("a 'sweep' record that is none (garbled)") from None


def _hit(text: str) -> Hit:
    place = int(text[:8], 16)
    return Hit(place & ~1, int(text[8:12], 16), int(text[12:], 16), in_handler=bool(place & 1))


def _wrong(what: object, at: Mapping[str, Any]) -> str:
    act = list(ACTS)[int(at["act"])]
    return f"{what} (first {int(at['at'])} behind the arming, at {int(at['pc']):#x}, act {act})"


def judge(found: Swept, sample: Sample, board: Board, code: Code, way_in: int) -> Judged:
    """Hold a row against its path; `way_in`: the least latency there is."""
    steps = sample.steps
    ends = _ends(steps)
    code.prefetch(found.hits)
    alarms, others = _alarms(found, code)
    if any(word in f".{found.row}" for word in BY_HANDLER):  # it is a handler's itself
        alarms, others = [], [*alarms, *others]
    longest = max(others, key=lambda hit: hit.latency, default=None)
    most = max((hit.latency for hit in found.hits.values()), default=0)
    unhit = [i for i, step in enumerate(steps) if step.pc not in found.hits]
    behind = most - way_in + SLACK[board.unit]
    gaps = [i for i in unhit if not _is_masked(i, steps, ends, found, behind)]
    pcs = {step.pc for step in steps}
    gap_pcs = {steps[i].pc: steps[i] for i in gaps}
    return Judged(
        swept=found, path=len(pcs), hit=len(pcs & set(found.hits)),
        masked=len(pcs - set(found.hits) - set(gap_pcs)), longest=longest,
        alarm=max((hit.latency for hit in alarms), default=0), gaps=tuple(gap_pcs.values()),
        culprit=_culprit(steps, ends, longest, found.least) if longest else None,
        opened=code.place(longest.pc) if longest else None,
        by_caller=any(word in f".{found.row}" for word in _callers(board)),
        beside=len(set(found.hits) - pcs),
    )  # fmt: skip


def _callers(board: Board) -> tuple[str, ...]:
    return BY_CALLER if board.arch in NESTING else (*BY_CALLER, *BY_HANDLER)


def _alarms(found: Swept, code: Code) -> tuple[list[Hit], list[Hit]]:
    """Part those that ended where a handler lets others in from those that interrupted a thread."""
    alarms, others = list[Hit](), list[Hit]()
    for hit in found.hits.values():
        place = code.place(hit.pc)
        is_window = _WINDOW in (place.function, place.inlined)
        (alarms if hit.in_handler or is_window else others).append(hit)
    return alarms, others


def _ends(steps: Sequence[Step]) -> list[int]:
    """Return by instruction how far behind the window's beginning it was over."""
    ends, at = [], 0
    for step in steps:
        at += step.cycles
        ends.append(at)
    return ends


def _is_masked(
    place: int, steps: Sequence[Step], ends: Sequence[int], found: Swept, behind: int
) -> bool:
    """Say whether what would have been taken in front of an instruction was, at the next one hit.

    Behind the last one that was, it is what follows the window: `behind`, of the longest latency.
    """
    begins = ends[place - 1] if place else 0
    for later in range(place + 1, len(steps)):
        hit = found.hits.get(steps[later].pc)
        if hit is not None:
            return hit.latency - found.least >= ends[later - 1] - begins
    return behind >= ends[-1] - begins


def _culprit(steps: Sequence[Step], ends: Sequence[int], longest: Hit, least: int) -> Step:
    """Return the instruction that masked when the longest one rose, else the one it rose in.

    Where it was taken in the path it is counted back from there: what came before may have made
    the way to it longer.
    """
    taken = [i for i, step in enumerate(steps) if step.pc == longest.pc and i > 0]
    rises = [ends[i - 1] - (longest.latency - least) for i in taken] or [longest.at]
    at = min(rises, key=lambda rise: abs(rise - longest.at))
    rose = next((i for i, end in enumerate(ends) if end >= at), len(steps) - 1)
    near = range(min(len(steps) - 1, rose + _NEAR), max(-1, rose - _NEAR), -1)
    masking = [i for i in near if any(steps[i].text.startswith(mask) for mask in _MASKS)]
    return steps[min(masking, key=lambda i: abs(i - rose))] if masking else steps[rose]
