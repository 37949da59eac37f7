# SPDX-License-Identifier: Apache-2.0
"""What a build directory was made for: which sources, which toolchain; and whether it is whole.

Ninja asks neither: it goes by paths and times of files, so in a copied checkout it builds the
original's sources, in a moved one nothing, and beside a new compiler's objects it leaves the old
one's. So a note is put into each directory, last, once CMake is through with it, and one without
the right note is made anew.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from foliot.target import cache, paths
from foliot.target.boards import Board

NAME = "made-for.json"
# What Ninja can't begin without, or CMake would not make again by itself.
_NEEDED = ("build.ninja", "CMakeCache.txt", "CMakeFiles/rules.ninja", "compile_commands.json")
_SOURCES, _DIRECTORY, _TOOLS = "sources", "directory", "tools"


def facts(board: Board, app: Path, where: Path) -> dict[str, str]:
    """Return what a build directory depends on beside the files that Ninja watches."""
    return {
        _SOURCES: f"{paths.ROOT} {app}", _DIRECTORY: str(where), _TOOLS: _tools(board.packages),
    }  # fmt: skip


def objection(where: Path, wanted: Mapping[str, str]) -> str:
    """Say why a directory can't be built in as it is, in words that follow its name; "" if it can.

    One without anything in it is new, and nothing is said against it but that.
    """
    if not (where / "build.ninja").exists() and not (where / "CMakeCache.txt").exists():
        return "is new"
    try:
        known = json.loads((where / NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = None
    if not isinstance(known, dict) or not all((where / name).is_file() for name in _NEEDED):
        return "was not made to its end, or lacks files"
    for what, words in (
        (_DIRECTORY, "was copied or moved"),
        (_SOURCES, "was made for other sources"),
        (_TOOLS, "was made by other tools"),
    ):
        if known.get(what) != wanted[what]:
            return words
    return ""


def note(where: Path, made: Mapping[str, str]) -> None:
    """Leave the note: everything is there."""
    paths.write_if_changed(where / NAME, json.dumps(made, indent=1) + "\n")


def forget(where: Path) -> None:
    """Take away what was made, but not the configuration, nor images that somebody uses."""
    for path in where.iterdir() if where.is_dir() else ():
        if path.name not in ("generated", paths.KEPT):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def _tools(packages: Mapping[str, str]) -> str:
    """Name the tools that code comes from by what changes with each installation of them."""
    names = {cache.PROGRAM}
    for command in packages.values():
        if command.endswith(("gcc", "g++")):
            names |= {command, *(command[:-3] + tool for tool in ("ld", "as"))}
        elif command in ("cmake", "ninja"):
            names.add(command)
    told = []
    for name in sorted(names):
        found = shutil.which(name)
        if found:
            state = Path(found).resolve().stat()
            told.append(f"{name} {Path(found).resolve()} {state.st_size} {state.st_mtime_ns}")
    return hashlib.sha256("\n".join(told).encode()).hexdigest()
