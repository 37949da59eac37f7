# SPDX-License-Identifier: Apache-2.0
"""What the simulator folds a run into (sim/fold.h), read back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from foliot.bound import instructions
from foliot.bound.instructions import Instruction
from foliot.model.errors import FoliotError


@dataclass(frozen=True, slots=True)
class Step:
    """An instruction behind another: how often it took so long."""

    before: int
    pc: int
    took: int
    event: str  # the trap before it, or empty
    count: int


@dataclass(frozen=True, slots=True)
class Longest:
    """The longest of some calls, or their masked stretches: clocks, where it began, how many."""

    clocks: int
    began: int
    count: int


@dataclass(frozen=True, slots=True)
class Rounds:
    """How often a loop began anew, at most, each time it was come to; how often that was."""

    most: int
    count: int


@dataclass(frozen=True, slots=True)
class Ran:
    """How often an instruction ran within a call, and how many clocks that took."""

    clocks: int
    count: int


@dataclass(slots=True)
class Folded:
    """A run."""

    code: dict[int, Instruction] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    calls: dict[tuple[int, str], Longest] = field(default_factory=dict)
    within: dict[tuple[int, int], int] = field(default_factory=dict)
    loops: dict[int, Rounds] = field(default_factory=dict)
    paths: dict[tuple[int, str], dict[int, Ran]] = field(default_factory=dict)  # of the longest


def read(path: Path) -> Folded:
    """Read a file of the simulator's; FoliotError where it is none."""
    folded = Folded()
    try:
        for words in _lines(path):
            _take(folded, words)
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise FoliotError(f"{path} is no run that the simulator folded: {error}") from None
    return folded


def _lines(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="ascii") as lines:
        for line in lines:
            yield line.split()


def _take(folded: Folded, words: list[str]) -> None:
    what, one, two, *rest = words
    if what == "insn":
        word = int(two, 16)
        folded.code[int(one, 16)] = instructions.read(word, instructions.size_of(word))
    elif what == "step":
        event = "" if rest[1] == "-" else rest[1]
        step = Step(int(one, 16), int(two, 16), int(rest[0]), event, int(rest[2]))
        folded.steps.append(step)
    elif what == "call":
        folded.calls[int(one, 16), two] = Longest(*map(int, rest))
    elif what == "within":
        folded.within[int(one, 16), int(two, 16)] = int(rest[0])
    elif what == "loop":
        folded.loops[int(one, 16)] = Rounds(int(two), int(rest[0]))
    elif what == "path":
        path = folded.paths.setdefault((int(one, 16), two), {})
        path[int(rest[0], 16)] = Ran(*map(int, rest[1:]))
    else:
        raise ValueError(f"a line begins with '{what}'")
