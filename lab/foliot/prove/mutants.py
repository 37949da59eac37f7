# SPDX-License-Identifier: Apache-2.0
"""Proved functions changed, one place at a time: a contract that lets a change through says little.

Each comparison, each connective, each number and each store of a function's body is changed in
turn, as the compiler sees it. The proof of the changed function has to fail, in the model of memory
and at the effort in which that of the function itself does not.

One of which the compiler makes the same code as of the function itself is equivalent, and counted
apart: what it changes is dead in the build that is proved, or says the same in other words.

A verdict belongs to what the proof read, as a proof's does: a campaign that was stopped goes on
where it was (build/prove/mutants.txt), and what it found is committed (data/mutants.json).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from foliot.prove import pieces, saved, units, wp
from foliot.prove.pieces import Piece, Slice
from foliot.show.terminal import Progress
from foliot.target import paths

SURVIVORS = units.PLACE / "survivors.txt"
COMMITTED = paths.ROOT / "data" / "mutants.json"
VERDICTS = paths.BUILD / "prove" / "mutants.txt"
_EFFORTS = (1, 3, wp.EFFORT)
_ANNOTATION = re.compile(r"/\*@.*?\*/|//@[^\n]*", re.DOTALL)
_CHANGES = (
    (re.compile(r"(?<![<>=!+\-*/&|^%-])(<=|>=|==|!=|<|>)(?![<>=])"),
     {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}),
    (re.compile(r"&&|\|\|"), {"&&": "||", "||": "&&"}),
    (re.compile(r"!(?!=)"), {"!": ""}),
)  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-fA-F]+|\d+)([uUlL]*)(?![\w.])")
_NAMED = re.compile(r"(?<![\w.>])[A-Z][A-Z0-9_]{2,}(?!\w|\s*\()")  # of an enumeration
_STORE = re.compile(r"(?<=[;{}])(\s*)(\*?\(?[\w\->.\[\]* /()%]+?\s(?:[-+|&^]?=)\s[^;{}]*;)")
_MARKER = re.compile(r"^# \d+ \"[^\n]*$", re.MULTILINE)
_READS = frozenset({"-include", "-imacros", "-I", "-isystem"})  # the text is preprocessed
_COUNT = re.compile(r"(?<=[;{}])(\s*)([\w\->.]+(?:\+\+|--);)")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of a function's body."""

    line: int
    change: str
    body: str


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a function's mutants."""

    name: str
    killed: int
    same: int  # code, of the compiler's
    alive: tuple[tuple[int, str], ...]  # by line and change
    was_kept: bool = False


def mutants(piece: Piece) -> list[Mutant]:
    """Return each change of a function's body; of changes that read the same each has a number."""
    times: Counter[str] = Counter()
    found = []
    for one in _mutants(piece):
        times[one.change] += 1
        number = f" #{times[one.change]}" if times[one.change] > 1 else ""
        found.append(replace(one, change=f"{one.change}{number}"))
    return found


def _mutants(piece: Piece) -> Iterator[Mutant]:
    body = piece.body
    bare = _ANNOTATION.sub(lambda found: " " * len(found[0]), body)
    before = piece.head.count("\n")

    def changed(start: int, end: int, new: str) -> Mutant:
        line = piece.line + before + body.count("\n", 0, start)
        was = " ".join(body[start:end].split())
        return Mutant(
            line,
            f"{was} -> {new if new not in ('', ';') else 'nothing'}",
            body[:start] + new + body[end:],
        )

    for pattern, others in _CHANGES:
        for found in pattern.finditer(bare):
            if bare[found.start() - 1 : found.start()] != "-":  # no `->`
                yield changed(*found.span(), others[found[0]])
    for found in _NUMBER.finditer(bare):
        new = 0 if found[0] == "1" else int(found[1], 0) + 1  # `true` is a 1, and 2 is true
        yield changed(*found.span(), f"{new}{found[2]}")
    for found in _NAMED.finditer(bare):
        yield changed(*found.span(), f"({found[0]} + 1)")
    for pattern in (_STORE, _COUNT):
        for found in pattern.finditer(bare):
            words = found[2].split("=")[0].split()
            if len(words) == 1 or words[0].startswith("*"):  # no declaration
                yield changed(*found.span(2), ";")


def survivors() -> dict[str, str]:
    """Return the mutants that are known to live: `FILE FUNCTION CHANGE` to why that may be."""
    lines = SURVIVORS.read_text(encoding="utf-8").splitlines()
    return {
        line.split(": ", 1)[0]: line.split(": ", 1)[1]
        for line in lines
        if line and not line.startswith("#")
    }


def listed_as(name: str, change: str) -> str:
    """Return what a mutant is listed by: its line may move."""
    return f"{name} {change}".replace(": ", " ")


def committed() -> Mapping[str, Any]:
    """Return what was found of each function: how many were killed, and which live."""
    try:
        found: Mapping[str, Any] = json.loads(COMMITTED.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return found


@dataclass(frozen=True, slots=True)
class _Job:
    """A function whose mutants are tried."""

    every: Sequence[Piece]
    piece: Piece
    compiler: Sequence[str]

    @property
    def name(self) -> str:
        return f"{self.piece.file} {self.piece.function}"

    def part(self, body: str | None = None) -> Slice:
        """Return what its proof reads, or that of a mutant."""
        every = self.every
        if body is not None:
            every = [replace(one, body=body) if one is self.piece else one for one in every]
        return pieces.slice_of(every, self.piece.function)

    def key(self, asked: str) -> str:
        """Return what its verdicts are kept by: its text, and that of all its mutants."""
        bodies = "\n".join(one.body for one in mutants(self.piece))
        return saved.key(self.part(), hashlib.sha256(f"{asked}{bodies}".encode()).hexdigest())


def jobs(files: Sequence[str], left: set[str]) -> list[_Job]:
    """Return the functions of these files that have mutants to try."""
    return [
        one
        for unit in units.units(files)
        for one in (_Job(unit.pieces, piece, unit.compiler) for piece in unit.pieces)
        if one.piece.body and one.piece.function in unit.functions() and one.name not in left
    ]


def try_all(
    files: Sequence[str], left: set[str], progress: Progress, fresh: bool = False
) -> list[Tried]:
    """Try the mutants of these files' functions, and write down what was found.

    What is committed of the same content is taken as it is; `fresh`: all are tried. A function of
    those files that is no more is forgotten.
    """
    with progress.task("Reading the sources"):
        every, asked = jobs(files, left), saved.how()
        keys = {one.name: one.key(asked) for one in every}
    known = {
        name: entry for name, entry in committed().items()
        if name in keys or name.split()[0] not in files
    }  # fmt: skip
    verdicts = _Verdicts(fresh)
    todo = [one for one in every if fresh or known.get(one.name, {}).get("key") != keys[one.name]]
    done: dict[str, Tried] = {}
    count = len(os.sched_getaffinity(0))
    with progress.task("Trying mutants") as task, ThreadPoolExecutor(count) as pool:
        found = pool.map(lambda job: _try(job, verdicts, asked), todo)
        for number, (job, one) in enumerate(zip(todo, found, strict=True)):
            done[job.name] = one
            known[job.name] = {
                "key": keys[job.name], "killed": one.killed, "same": one.same,
                "alive": [list(a) for a in one.alive],
            }  # fmt: skip
            _write(known)
            task.update(job.piece.function, number + 1, len(todo))
    _write(known)
    return [done.get(job.name) or _kept(job.name, known[job.name]) for job in every]


def _kept(name: str, entry: Mapping[str, Any]) -> Tried:
    alive = tuple((line, change) for line, change in entry["alive"])
    return Tried(name, entry["killed"], entry["same"], alive, was_kept=True)


def _write(known: Mapping[str, Any]) -> None:
    """Write them a line a function: a change of one is a change of one line."""
    lines = [f"{json.dumps(name)}: {json.dumps(known[name])}" for name in sorted(known)]
    paths.write_if_changed(COMMITTED, "{\n" + ",\n".join(lines) + "\n}\n")


class _Verdicts:
    """What was found of each mutant, written down at once: who stops a campaign loses one."""

    def __init__(self, fresh: bool) -> None:
        VERDICTS.parent.mkdir(parents=True, exist_ok=True)
        if fresh:
            VERDICTS.unlink(missing_ok=True)
        text = VERDICTS.read_text(encoding="utf-8") if VERDICTS.exists() else ""
        words = [line.split() for line in text.splitlines()]
        self._known = {word[0]: word[1] for word in words if len(word) == len(("key", "verdict"))}

    def find(self, key: str) -> str | None:
        """Return what became of a mutant, if that is known."""
        return self._known.get(key)

    def add(self, key: str, verdict: str) -> None:
        """Write it down."""
        with VERDICTS.open("a", encoding="utf-8") as file:
            file.write(f"{key} {verdict}\n")
        self._known[key] = verdict


def _try(job: _Job, verdicts: _Verdicts, asked: str) -> Tried:
    way: tuple[str, int] | None = None
    counts: Counter[str] = Counter()
    alive = []
    own = _code(job, job.part())
    for mutant in mutants(job.piece):
        part = job.part(mutant.body)
        key = saved.key(part, asked)
        verdict = verdicts.find(key)
        if verdict is None or verdict == "alive":
            if own and _code(job, part) == own:
                verdict = "same"
            elif verdict is None:
                way = way or _way(job)
                verdict = "alive" if _holds(job, part, *way) else "killed"
            verdicts.add(key, verdict)
        counts[verdict] += 1
        if verdict == "alive":
            alive.append((mutant.line, mutant.change))
    return Tried(job.name, counts["killed"], counts["same"], tuple(alive))


def _code(job: _Job, part: Slice) -> str:
    """Return what the compiler makes of it, or nothing where it does not take it so."""
    read = {at + by for at, word in enumerate(job.compiler) if word in _READS for by in (0, 1)}
    flags = [word for at, word in enumerate(job.compiler) if at not in read]
    words = [*flags, "-w", "-g0", "-S", "-fkeep-static-functions", "-fkeep-inline-functions"]
    done = subprocess.run(
        [*words, "-x", "c", "-", "-o", "-"], input=_MARKER.sub("", part.text), check=False,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    return done.stdout if done.returncode == 0 else ""


def _way(job: _Job) -> tuple[str, int]:
    """Return the model of memory and the least effort in which the function itself is proved."""
    part = job.part()
    ways = [(model, effort) for effort in _EFFORTS for model in wp.MODELS]
    return next((one for one in ways if _holds(job, part, *one)), ways[-1])


def _holds(job: _Job, part: Slice, model: str, effort: int) -> bool:
    place = paths.BUILD / "prove" / "mutants" / job.name.replace("/", "-").replace(" ", "-")
    proof = wp.prove_in(model, job.piece.function, part, place, effort, to_first=True)
    return not proof.error and not proof.failed
