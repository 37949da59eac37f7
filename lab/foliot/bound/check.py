# SPDX-License-Identifier: Apache-2.0
"""The table held against what the RTL did: each step of a run, none may take longer.

Boot code and sleep are left out: the first has no memory of ours behind it, and WFI has no
bound. A step behind a trap is held against the trap's own rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from foliot.bound import ibex, never
from foliot.bound.folded import Folded, Step
from foliot.bound.instructions import Instruction

_RAM = 0x80000000


@dataclass(slots=True)
class Verdict:
    """What was compared, and which steps took longer than the table says."""

    instructions: int = 0
    pairs: int = 0
    traps: int = 0
    clocks: int = 0
    modelled: int = 0
    worse: list[str] = field(default_factory=list)

    def add(self, other: Verdict) -> None:
        """Take another run's in."""
        for name in ("instructions", "pairs", "traps", "clocks", "modelled"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.worse += other.worse


def check(folded: Folded) -> Verdict:
    """Hold each step of a run against the table."""
    verdict = Verdict()
    for step in _in_ram(folded.steps):
        before, what = folded.code[step.before], folded.code[step.pc]
        if before.kind == "wfi":
            continue
        most = modelled(before, what, step)
        verdict.pairs += 1
        verdict.instructions += step.count
        verdict.traps += step.count if step.event else 0
        verdict.clocks += step.took * step.count
        verdict.modelled += most * step.count
        if step.took > most:
            verdict.worse.append(
                f"{before.name} at {step.before:08x}, then {step.event or ''} {what.name} at "
                f"{step.pc:08x}: {step.took} clocks, the table says {most} ({step.count} times)"
            )
    return verdict


def never_reached(folded: Folded, names: Mapping[int, str]) -> list[str]:
    """Return which calls reached a function that never.py says they never do."""
    return [
        f"{names.get(pc, '?')} ran within {names.get(entry, '?')} ({count} times)"
        for (pc, entry), count in folded.within.items()
        if names.get(pc) in never.of(names.get(entry, ""))
    ]


def modelled(before: Instruction, what: Instruction, step: Step) -> int:
    """Return the most that a step can take by the table."""
    if step.event:
        return ibex.trap(before, what, step.event.startswith("i"))
    return ibex.step(before, what, step.pc, step.pc != step.before + before.size)


def _in_ram(steps: Iterable[Step]) -> Iterable[Step]:
    return (step for step in steps if step.before >= _RAM and step.pc >= _RAM)
