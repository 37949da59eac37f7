# SPDX-License-Identifier: Apache-2.0
"""What calls took where they ran: images run on the RTL, folded, and kept for as long as they stay.

A run is known by its image and by what runs it, so that it is run again where either changes.
"""

from __future__ import annotations

import hashlib
import os
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from foliot.bound import counted, folded, graph, isr, never
from foliot.bound.folded import Folded, Ran
from foliot.bound.image import Program
from foliot.image.elf import Image
from foliot.model.errors import FoliotError
from foliot.show.terminal import Progress
from foliot.target import paths, provision, runner
from foliot.target.boards import Board

OUT = paths.BUILD / "bound"
_MOST_KEPT = 60
_ASKS = ("branches.py", "counted.py", "facts.py", "never.py")  # what a run is asked for
_ENDLESS_CYCLES = 20_000_000  # of a program that does not end by itself


@dataclass(frozen=True, slots=True)
class Observed:
    """The longest that a call took to an end, in which image."""

    clocks: int
    count: int
    image: str
    spent: Mapping[str, int] = field(default_factory=dict)  # clocks of that one, by function
    elf: Path | None = None
    places: frozenset[int] = frozenset()  # the instructions that it ran


def fold(board: Board, elf: Path, progress: Progress, max_cycles: int | None = None) -> Folded:
    """Run an image, or take what is kept of its run; FoliotError where it can't run."""
    asked = b"".join((Path(__file__).parent / name).read_bytes() for name in _ASKS)
    known = hashlib.sha256(elf.read_bytes() + provision.identity(board) + asked).hexdigest()[:24]
    kept = OUT / f"{known}.fold"
    with paths.locked(kept):
        if not kept.is_file():
            OUT.mkdir(parents=True, exist_ok=True)
            made = kept.with_suffix(f".{os.getpid()}")
            loops = kept.with_suffix(f".{os.getpid()}.loops")
            program = Program(elf)
            loops.write_text("".join(f"{line}\n" for line in counted.lines(program)))
            with progress.task(f"Running {name_of(elf)} on {board.name}"):
                outcome = runner.run(
                    board, elf, lambda line: None, max_cycles=max_cycles,
                    options=("--fold", str(made), "--fold-loops", str(loops), *_within(program),
                             *_paths(program), *_handlers(program), *_faults(program)),
                )  # fmt: skip
            loops.unlink()
            if not made.is_file() or outcome.reason in ("crash", "refused"):
                raise FoliotError(f"{name_of(elf)} can't be run on {board.name}")
            made.replace(kept)
            _forget_old()
        kept.touch()
    return folded.read(kept)


def _within(program: Program) -> list[str]:
    """Return what asks the simulator where that ran which a call does not reach, or undisturbed."""
    found = [program.image.address(name) for name in sorted(never.all_functions())]
    found += sorted(counted.watched(program))
    return [word for pc in found if pc is not None for word in ("--fold-within", hex(pc))]


def _paths(program: Program) -> list[str]:
    """Return what asks the simulator what the longest calls of the kernel were made of."""
    calls = (start for start, _, name in program.image.functions() if name.startswith("k_"))
    return [word for start in calls for word in ("--fold-path", hex(start))]


def _handlers(program: Program) -> list[str]:
    """Return what asks the simulator which handlers interrupts have called."""
    pcs = (program.image.address(name) for name in isr.handlers(program))
    return [word for pc in pcs if pc is not None for word in ("--fold-handler", hex(pc))]


def _faults(program: Program) -> list[str]:
    """Return what asks the simulator to forget calls that end in a report."""
    pcs = (program.image.address(name) for name in sorted(graph.FAULTS))
    return [word for pc in pcs if pc is not None for word in ("--fold-fault", hex(pc))]


def observed(
    board: Board, images: Iterable[Path], progress: Progress, endless: bool = False
) -> Mapping[tuple[str, str], Observed]:
    """Return the longest that each function took to each end, over the runs of some images."""
    found: dict[tuple[str, str], Observed] = {}
    for elf in images:
        ran = fold(board, elf, progress, _ENDLESS_CYCLES if endless else None)
        for key, one in of_run(elf, ran).items():
            if key not in found or found[key].clocks < one.clocks:
                found[key] = one
    return found


def of_run(elf: Path, ran: Folded) -> Mapping[tuple[str, str], Observed]:
    """Return the longest that each function took to each end in a run."""
    functions = Image(elf).functions()
    names = {start: name for start, _, name in functions}
    return {
        (names.get(entry, ""), end): Observed(
            longest.clocks, longest.count, name_of(elf),
            _by_function(functions, ran.paths.get((entry, end), {})), elf,
            frozenset(ran.paths.get((entry, end), ())),
        )
        for (entry, end), longest in ran.calls.items()
    }  # fmt: skip


def _by_function(
    functions: Sequence[tuple[int, int, str]], path: Mapping[int, Ran]
) -> Mapping[str, int]:
    """Return what of a path each function took; functions are in the order of their places."""
    starts = [start for start, _, _ in functions]
    spent: Counter[str] = Counter()
    for pc, ran in path.items():
        spent[functions[max(0, bisect_right(starts, pc) - 1)][2]] += ran.clocks
    return spent


def name_of(elf: Path) -> str:
    """Return what an image is called: its application, also of one that was kept aside."""
    parts = elf.resolve().parts
    return parts[parts.index(paths.KEPT) - 1] if paths.KEPT in parts else elf.parent.name


def _forget_old() -> None:
    for path in paths.newest_first(OUT.glob("*.fold"))[_MOST_KEPT:]:
        path.unlink(missing_ok=True)
