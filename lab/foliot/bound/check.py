# SPDX-License-Identifier: Apache-2.0
"""The table held against what the RTL did: each step of a run, none may take longer.

Boot code and sleep are left out: the first has no memory of ours behind it, and WFI has no
bound. A step behind a trap is held against the trap's own rule.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from foliot.bound import counted, facts, ibex, never
from foliot.bound import held as held_calls
from foliot.bound.folded import Folded, Step
from foliot.bound.image import Program
from foliot.bound.instructions import Instruction

_RAM = 0x80000000
_SHOWN = 20
_FAULTS = ("e5", "e7")  # of a load, of a store
_WIDTH = 100
_UNALIGNED = 2  # both halves of an access that is not aligned are asked for, and both denied
_AT = re.compile(r"(.+?): (?:the loop|what is in the braces) at (\S+) ")
_RAN = re.compile(r"(\S+) ran within (\S+) ")


@dataclass(slots=True)
class Verdict:
    """What was compared, and which steps took longer than the table says."""

    instructions: int = 0
    pairs: int = 0
    traps: int = 0
    clocks: int = 0
    modelled: int = 0
    loops: int = 0  # of sources, in each program, that ran and were held against `Bound:`
    uncounted: int = 0
    branches: int = 0  # of sources, in each program, that say when they are taken
    calls: int = 0  # ends and masked stretches, of each program, that were held against bounds
    worse: list[str] = field(default_factory=list)

    def take(
        self, elf: Path, folded: Folded, parameters: Mapping[str, int] | None,
        attacked: bool = False, of_calls: Mapping[str, int] | None = None,
    ) -> None:  # fmt: skip
        """Take an image's run in: its steps, what it never reaches, its calls, its loops.

        `of_calls`: what its calls' bounds are of, where nothing is said of its loops.
        """
        program = Program(elf)
        self.add(check(folded, _UNALIGNED if attacked else 0))
        self.worse += never_reached(folded, program.entries)
        calls, longer = held_calls.check(program, folded, parameters or of_calls or facts.USUAL)
        self.calls += calls
        self.worse += longer
        if parameters is not None:
            held, above = counted.check(program, folded, parameters)
            self.loops += held
            self.uncounted += counted.find(program).others
            self.worse += above
            branches, wrongly = counted.taken(program, folded, parameters)
            self.branches += branches
            self.worse += wrongly

    def add(self, other: Verdict) -> None:
        """Take another run's in."""
        for name in ("instructions", "pairs", "traps", "clocks", "modelled", "loops", "uncounted",
                     "branches", "calls"):  # fmt: skip
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.worse += other.worse


def check(folded: Folded, unaligned: int = 0) -> Verdict:
    """Hold each step of a run against the table; `unaligned` clocks more where an access faults."""
    verdict = Verdict()
    for step in _in_ram(folded.steps):
        before, what = folded.code[step.before], folded.code[step.pc]
        if before.kind == "wfi":
            continue
        most = modelled(before, what, step)
        most += unaligned if step.event in _FAULTS else 0
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
    there = frozenset(names.values())
    return [
        f"{names.get(pc, '?')} ran within {names.get(entry, '?')} ({count} times)"
        for (pc, entry), count in folded.within.items()
        if names.get(pc) in never.of(names.get(entry, ""), there)
    ]


def modelled(before: Instruction, what: Instruction, step: Step) -> int:
    """Return the most that a step can take by the table."""
    if step.event:
        return ibex.trap(before, what, step.event)
    return ibex.step(before, what, step.pc, step.pc != step.before + before.size)


def told(verdict: Verdict, names: Sequence[str]) -> Iterator[str]:
    """Give the lines of a verdict."""
    yield (
        f"{verdict.instructions} instructions of {len(names)} programs, {verdict.pairs} kinds of "
        f"step, {verdict.traps} traps: {verdict.clocks} cycles, {verdict.modelled} by the table"
    )
    if verdict.calls:
        yield (
            f"{verdict.calls} ends of calls, and masked stretches, held against their bounds in "
            "the image that ran"
        )
    if verdict.loops:
        yield (
            f"{verdict.loops} loops held against what their sources say, "
            f"{verdict.uncounted} not countable; {verdict.branches} branches not taken undisturbed"
        )
    yield from verdict.worse[:_SHOWN]
    if len(verdict.worse) > _SHOWN:
        yield f"... and {len(verdict.worse) - _SHOWN} more. All of them, by program and place:"
        yield from _summary(verdict.worse)


def _summary(worse: Sequence[str]) -> Iterator[str]:
    """Give how many violations there are of each program, or the table, by place."""
    found: dict[str, Counter[str]] = {}
    for line in worse:
        program, place = _place(line)
        found.setdefault(program, Counter())[place] += 1
    for program, places in found.items():
        each = (f"{place} {count}" for place, count in sorted(places.items()))
        text = f"{program} {places.total()}: {', '.join(each)}"
        yield from textwrap.wrap(text, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _place(line: str) -> tuple[str, str]:
    """Return the program of a violation, and the place, as counted.py and check() tell it."""
    found = _AT.match(line)
    if found:
        return found[1], found[2]
    ran = _RAN.match(line)
    return ("never", f"{ran[1]} in {ran[2]}") if ran else ("table", re.sub(r" at .*", "", line))


def _in_ram(steps: Iterable[Step]) -> Iterable[Step]:
    return (step for step in steps if step.before >= _RAM and step.pc >= _RAM)
