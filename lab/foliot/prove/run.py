# SPDX-License-Identifier: Apache-2.0
"""All contracts proved, or those of some files: what is kept is taken from there."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

from foliot.model.errors import UsageError, nearest_path
from foliot.prove import pieces, saved, units, wp
from foliot.prove.pieces import Piece, Slice
from foliot.prove.units import Unit
from foliot.prove.wp import Goal, Proof
from foliot.show.terminal import Progress
from foliot.target import boards, paths, provision

EFFORTS = (1, 3, wp.EFFORT)  # the first is what most need, in one model of memory or the other
UNPROVED = units.PLACE / "unproved.txt"


@dataclass(frozen=True, slots=True)
class Result:
    """A function of a file, and its proof."""

    file: str
    function: str
    line: int
    proof: Proof
    was_kept: bool
    assumed: tuple[str, ...] = ()  # functions of assumed.h that its proof reads

    @property
    def name(self) -> str:
        """What it is listed by."""
        return f"{self.file} {self.function}"

    @property
    def is_proved(self) -> bool:
        """All its goals hold."""
        return not self.proof.error and not self.proof.failed


@dataclass(frozen=True, slots=True)
class _Job:
    unit: Unit
    piece: Piece
    part: Slice

    @property
    def name(self) -> str:
        return f"{self.piece.file} {self.piece.function}"


def install(progress: Progress) -> None:
    """Install what proves, and what compiles for the board whose code is proved."""
    provision.install(provision.PROVER_PACKAGES, progress)
    for board in {board for board, _, _ in units.BUILDS}:
        provision.install(boards.load(board).packages, progress)


def unproved() -> list[str]:
    """Return the functions whose contracts are not proved, as lab/foliot/prove/unproved.txt has."""
    lines = UNPROVED.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def files_of(given: Sequence[Path]) -> list[str]:
    """Return the files with contracts that are meant: all, or those named and in directories.

    Raises UsageError where one is not there or has no contract.
    """
    known = units.files_with_contracts()
    if not given:
        return known
    chosen: set[str] = set()
    for one in given:
        path = one.resolve()
        if not path.exists():
            raise UsageError(f"{one} is not there{nearest_path(one)}")
        if not path.is_relative_to(paths.ROOT):
            raise UsageError(f"{one} is not the kernel's")
        name = str(path.relative_to(paths.ROOT))
        found = [file for file in known if file == name or file.startswith(f"{name}/")]
        if not found:
            raise UsageError(f"{one} has no contract", "docs/proofs.md says how to write one")
        chosen.update(found)
    return sorted(chosen)


def prove(
    files: Sequence[str], progress: Progress, fresh: bool = False, listed_too: bool = False
) -> tuple[list[Result], saved.Saved]:
    """Prove the contracts of these files.

    What is proved is kept as it goes. `fresh`: without what is kept. `listed_too`: those too that
    unproved.txt has, which else are left.
    Raises FoliotError where a tool is missing or a file can't be read.
    """
    left = set() if listed_too else set(unproved())
    with progress.task("Reading the sources"):
        jobs = [job for job in _jobs(units.units(files)) if job.name not in left]
    store, asked = saved.Saved(fresh), saved.how()
    found: dict[str, Result] = {}
    todo: list[_Job] = []
    for job in jobs:
        proof = store.find(job.name, saved.key(job.part, asked))
        if proof is None:
            todo.append(job)
        else:
            found[job.name] = _result(job, proof, True)
    with progress.task("Proving") as task:
        for number, (job, proof) in enumerate(_each_proved(todo)):
            task.update(job.piece.function, number + 1, len(todo))
            store.add(job.name, saved.key(job.part, asked), proof)
            found[job.name] = _result(job, proof, False)
    return [found[job.name] for job in jobs], store


def _each_proved(todo: Sequence[_Job]) -> Iterator[tuple[_Job, Proof]]:
    """Yield each as soon as it is proved; whoever goes away before the end has no more begun."""
    workers = ThreadPoolExecutor(len(os.sched_getaffinity(0)))
    try:
        jobs = {workers.submit(_prove, job): job for job in todo}
        for one in as_completed(jobs):
            yield jobs[one], one.result()
    finally:
        workers.shutdown(cancel_futures=True)


def _jobs(found: Iterable[Unit]) -> Iterable[_Job]:
    for unit in found:
        for function in unit.functions():
            piece = next(one for one in unit.pieces if one.function == function and one.body)
            yield _Job(unit, piece, pieces.slice_of(unit.pieces, function))


def _prove(job: _Job) -> Proof:
    room = paths.BUILD / "prove"
    room.mkdir(parents=True, exist_ok=True)
    name = f"{job.piece.file.replace('/', '-')}-"
    with tempfile.TemporaryDirectory(prefix=name, dir=room) as place:  # another may prove it, too
        spent = 0.0
        # What is listed as not proved was tried with all effort when it was listed.
        for effort in EFFORTS[:1] if job.name in unproved() else EFFORTS:
            proof = wp.prove(job.piece.function, job.part, Path(place), effort)
            spent += proof.seconds
            if not proof.failed and not proof.error:
                break
        return replace(proof, seconds=spent)


def _result(job: _Job, proof: Proof, was_kept: bool) -> Result:
    assumed = tuple(one for one in units.assumed() if re.search(rf"\b{one}\(", job.part.text))
    return Result(job.piece.file, job.piece.function, job.piece.line, proof, was_kept, assumed)


def places(result: Result) -> list[tuple[Goal, str]]:
    """Return the goals that failed, each with its place."""
    return [(goal, f"{result.file}:{goal.line or result.line}") for goal in result.proof.failed]
