# SPDX-License-Identifier: Apache-2.0
"""Proved functions changed, one place at a time: a contract that lets a change through says little.

Each comparison, each connective, each number and each store of a function's body is changed in
turn, as the compiler sees it. The proof of the changed function has to fail, at an effort at which
that of the function itself does not.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from foliot.prove import pieces, units, wp
from foliot.prove.pieces import Piece, Slice
from foliot.show.terminal import Progress
from foliot.target import paths

SURVIVORS = units.PLACE / "survivors.txt"
_EFFORTS = (1, 3, wp.EFFORT)
_ANNOTATION = re.compile(r"/\*@.*?\*/|//@[^\n]*", re.DOTALL)
_CHANGES = (
    (re.compile(r"(?<![<>=!+\-*/&|^%-])(<=|>=|==|!=|<|>)(?![<>=])"),
     {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}),
    (re.compile(r"&&|\|\|"), {"&&": "||", "||": "&&"}),
)  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-fA-F]+|\d+)([uUlL]*)(?![\w.])")
_STORE = re.compile(r"(?<=[;{}])(\s*)(\*?\(?[\w\->.\[\]* /()%]+?\s(?:[-+|&^]?=)\s[^;{}]*;)")
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
    survived: tuple[Mutant, ...]


def mutants(piece: Piece) -> Iterator[Mutant]:
    """Give each change of a function's body."""
    body = piece.body
    bare = _ANNOTATION.sub(lambda found: " " * len(found[0]), body)
    before = piece.head.count("\n")

    def changed(start: int, end: int, new: str) -> Mutant:
        line = piece.line + before + body.count("\n", 0, start)
        was = " ".join(body[start:end].split())
        return Mutant(
            line, f"{was} -> {new if new != ';' else 'nothing'}", body[:start] + new + body[end:]
        )

    for pattern, others in _CHANGES:
        for found in pattern.finditer(bare):
            if bare[found.start() - 1 : found.start()] != "-":  # no `->`
                yield changed(*found.span(), others[found[0]])
    for found in _NUMBER.finditer(bare):
        new = 0 if found[0] == "1" else int(found[1], 0) + 1  # `true` is a 1, and 2 is true
        yield changed(*found.span(), f"{new}{found[2]}")
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


def listed_as(name: str, mutant: Mutant) -> str:
    """Return what a mutant is listed by: its line may move."""
    return f"{name} {mutant.change}".replace(": ", " ")


def try_all(files: Sequence[str], left: set[str], progress: Progress) -> list[Tried]:
    """Try the mutants of these files' functions."""
    jobs = [
        (unit, piece)
        for unit in units.units(files)
        for piece in unit.pieces
        if piece.body and piece.function in unit.functions()
        and f"{piece.file} {piece.function}" not in left
    ]  # fmt: skip
    done: list[Tried] = []
    with progress.task("Trying mutants") as task, ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        found = pool.map(lambda job: _try(job[0].pieces, job[1]), jobs)
        for number, one in enumerate(found):
            done.append(one)
            task.update(one.name, number + 1, len(jobs))
    return done


def _try(every: Sequence[Piece], piece: Piece) -> Tried:
    name = f"{piece.file} {piece.function}"
    place = paths.BUILD / "prove" / "mutants" / piece.file.replace("/", "-")
    part = pieces.slice_of(every, piece.function)
    effort = next(one for one in _EFFORTS if one == wp.EFFORT or _holds(piece, part, place, one))
    killed, survived = 0, []
    for mutant in mutants(piece):
        changed = [replace(one, body=mutant.body) if one is piece else one for one in every]
        if _holds(piece, pieces.slice_of(changed, piece.function), place, effort):
            survived.append(mutant)
        else:
            killed += 1
    return Tried(name, killed, tuple(survived))


def _holds(piece: Piece, part: Slice, place: Path, effort: int) -> bool:
    proof = wp.prove(piece.function, part, place, effort)
    return not proof.error and not proof.failed
