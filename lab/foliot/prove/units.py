# SPDX-License-Identifier: Apache-2.0
"""Which sources have contracts, and how the compiler's preprocessor shows them to the prover.

A source is read as a build of it is compiled: its flags, its configuration. A header is read in
the first source that includes it. Macros of the kernel may stand in contracts, too.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from foliot.model.errors import FoliotError
from foliot.prove.pieces import Piece, contracts, take_apart
from foliot.target import boards, build, paths

# In which builds a source is looked for, in this order: the first that holds it is what is proved.
BUILDS = (
    ("qemu_riscv32", "tests/user", ()),
    ("qemu_riscv32", "tests/ipc", ("user",)),
    ("qemu_riscv32", "tests/kernel", ("features",)),
    ("mps2_an385", "samples/minimal", ("small",)),
)
ROOMS = ("kernel", "arch", "lib", "include")
PLACE = Path(__file__).parent
ASSUMED = PLACE / "assumed.h"
# Read behind a source, whose types and predicates they speak of.
ASSUMED_OF_OBJECTS = PLACE / "assumed_of_objects.h"
OBLIGED = PLACE / "obliged.h"
MODEL = PLACE / "model.h"
_CONTRACT = re.compile(r"/\*@[\s@]*(?:requires|assigns|ensures)\b")
_INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
_ANNOTATION = re.compile(r"/\*@.*?\*/", re.DOTALL)
_DEFINITION = re.compile(r"#\s*(?:define|undef)\b")
_BARRIER = re.compile(r'\b__asm__\s*(?:volatile\s*)?\(\s*""[^;]*;')  # an instruction of none
_NOT_OURS = frozenset({"-c", "-g", "-Werror"})


@dataclass(frozen=True, slots=True)
class Unit:
    """A source as the preprocessor shows it, and which of its files' contracts are proved."""

    source: str
    build: str
    files: tuple[str, ...]
    pieces: tuple[Piece, ...]
    compiler: tuple[str, ...]  # and its flags

    def functions(self) -> list[str]:
        """Return the functions that have a contract and a body here, and belong to `files`."""
        with_contract = contracts(self.pieces)
        return [
            piece.function
            for piece in self.pieces
            if piece.body
            and piece.function in with_contract
            and piece.file in self.files
            and not (paths.ROOT / with_contract[piece.function].file).is_relative_to(PLACE)
        ]


def files_with_contracts() -> list[str]:
    """Return the sources of the kernel with a contract in them, relative to the repository."""
    return sorted(
        str(path.relative_to(paths.ROOT))
        for room in ROOMS
        for path in (paths.ROOT / room).rglob("*.[ch]")
        if _CONTRACT.search(path.read_text(encoding="utf-8"))
    )


def units(chosen: Sequence[str]) -> list[Unit]:
    """Return what proves the contracts of these files.

    Raises FoliotError where a file is in no build that proofs know.
    """
    found: dict[tuple[str, int], list[str]] = {}
    for file in chosen:
        found.setdefault(_shown_by(file), []).append(file)
    return [
        _unit(source, number, tuple(files))
        for (source, number), files in sorted(found.items(), key=lambda item: item[0])
    ]


@cache
def _commands(number: int) -> dict[str, tuple[list[str], Path]]:
    board, app, conf = BUILDS[number]
    firmware = build.configured(paths.ROOT / app, boards.load(board), conf)
    build.prepare(firmware)
    entries = json.loads((firmware.directory / "compile_commands.json").read_text(encoding="utf-8"))
    found: dict[str, tuple[list[str], Path]] = {}
    for entry in entries:
        path = Path(entry["file"])
        if path.suffix == ".c" and path.is_relative_to(paths.ROOT):
            name = str(path.relative_to(paths.ROOT))
            found.setdefault(name, (shlex.split(entry["command"]), firmware.directory))
    return found


def _shown_by(file: str) -> tuple[str, int]:
    """Return the source in which a file is read, and the build's number."""
    there = [number for number, (_, app, _) in enumerate(BUILDS) if (paths.ROOT / app).is_dir()]
    for number in there:
        commands = _commands(number)
        if file in commands:
            return file, number
        if not file.endswith(".h"):
            continue
        own = [one for one in commands if one.startswith(f"{Path(file).parent}/")]
        for source in (*own, *(one for one in commands if one not in own)):
            if source.split("/")[0] in ROOMS and file in _included(source):
                return source, number
    raise FoliotError(
        f"{file} is in no build that proofs know", "lab/foliot/prove/units.py: BUILDS"
    )


@cache
def _included(file: str) -> frozenset[str]:
    """Return what a source includes, by others too, whatever #if that stands in."""
    found: set[str] = set()
    todo = [file]
    while todo:
        text = (paths.ROOT / todo.pop()).read_text(encoding="utf-8")
        for name in _INCLUDE.findall(text):
            for place in ("", "include/", "arch/riscv/include/"):
                path = f"{place}{name}"
                if path not in found and (paths.ROOT / path).is_file():
                    found.add(path)
                    todo.append(path)
    return frozenset(found)


def _unit(source: str, number: int, files: tuple[str, ...]) -> Unit:
    words, directory = _commands(number)[source]
    board, app, conf = BUILDS[number]
    text = preprocessed(paths.ROOT / source, words, directory)
    pieces = take_apart(text)
    for piece in pieces:
        piece.file = piece.file.removeprefix(f"{paths.ROOT}/")
    pieces = _without_repeated(pieces)
    name = f"{app} on {board}" + (f", {','.join(conf)}" if conf else "")
    return Unit(source, name, files, tuple(pieces), tuple(_flags(words)))


def _without_repeated(pieces: list[Piece]) -> list[Piece]:
    """Leave out what assumed.h declares for contracts of other sources, where its own are.

    A variable of a source's own is the one declared there; a contract of its own counts.
    """
    ours = [(paths.ROOT / piece.file).is_relative_to(PLACE) for piece in pieces]
    variables = {
        name for piece, own in zip(pieces, ours, strict=True)
        if own and piece.head.startswith("extern") for name in piece.names
    }  # fmt: skip
    promised = {
        piece.function
        for piece, own in zip(pieces, ours, strict=True)
        if piece.contract and not own
    }
    return [
        piece for piece, own in zip(pieces, ours, strict=True)
        if not (own and piece.contract and piece.function in promised)
        and not (not own and piece.head.startswith("static") and piece.names & variables)
    ]  # fmt: skip


def _flags(command: Sequence[str]) -> list[str]:
    """Return the compiler and its flags, without the source and what is made of it."""
    words = [word for word in command if word not in _NOT_OURS]
    del words[words.index("-o") : words.index("-o") + 2]
    return [word for word in words if Path(word).suffix != ".c"]


def preprocessed(source: Path, compiler: Sequence[str], directory: Path) -> str:
    """Return a source preprocessed, its annotations kept, and the macros in them expanded."""
    words = [*_flags(compiler), "-x", "c", "-"]
    words[1:1] = ["-E", "-C", "-dD", "-include", str(MODEL)]
    # What is assumed stands behind the configuration, and in front of the source.
    words[-3:-3] = ["-include", str(ASSUMED)]
    read = (source, ASSUMED_OF_OBJECTS, OBLIGED)
    text = _run(words, directory, "".join(f'#include "{file}"\n' for file in read))
    definitions: list[str] = []
    lines: list[str] = []
    for line in text.split("\n"):
        is_definition = _DEFINITION.match(line) is not None
        (definitions if is_definition else lines).append(line)
        if is_definition:
            lines.append("")
    return _with_macros("\n".join(lines), "\n".join(definitions), compiler[0], directory)


def _with_macros(text: str, definitions: str, compiler: str, directory: Path) -> str:
    """Expand macros in annotations: the preprocessor takes them for comments."""
    found = _ANNOTATION.findall(text)
    marked = "".join(
        f"FOLIOT_MARK_{number} {one[2:-2]} FOLIOT_END\n".replace("\n", " FOLIOT_LINE\n")
        for number, one in enumerate(found)
    )
    shown = _run([compiler, "-E", "-P", "-x", "c", "-"], directory, f"{definitions}\n{marked}")
    bodies = re.findall(r"FOLIOT_MARK_\d+(.*?)FOLIOT_END", shown, re.DOTALL)
    if len(bodies) != len(found):
        raise FoliotError("the preprocessor lost an annotation")
    expanded = iter(re.sub(r"\s*FOLIOT_LINE\s*", "\n", re.sub(r"\n", " ", one)) for one in bodies)
    return _BARRIER.sub(";", _ANNOTATION.sub(lambda _: f"/*{next(expanded).strip()}*/", text))


def _run(words: Sequence[str], directory: Path, given: str | None = None) -> str:
    done = subprocess.run(
        words, check=False, cwd=directory, input=given, capture_output=True, text=True, timeout=60
    )
    if done.returncode != 0:
        raise FoliotError(f"{words[0]} can't read it", lines=done.stderr.splitlines()[:5])
    return done.stdout


@cache
def assumed() -> tuple[str, ...]:
    """Return the functions of which assumed.h says what they do."""
    text = "".join(file.read_text(encoding="utf-8") for file in (ASSUMED, ASSUMED_OF_OBJECTS))
    return tuple(re.findall(r"^[a-z].*?\b(\w+)\([^;]*\);$", text, re.MULTILINE))


def functions_of(text: str) -> Iterator[str]:
    """Name the functions that a source defines, as it stands, by the house's style."""
    for found in re.finditer(r"^[A-Za-z_][^;{}=#]*?\b(\w+)\([^;{}]*\)\n\{$", text, re.MULTILINE):
        yield found[1]
