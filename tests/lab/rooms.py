# SPDX-License-Identifier: Apache-2.0
"""Which room imports which, held against a table of rooms from low to high.

The check knows nothing of Python or of this lab: it takes who needs whom (files, by their
path without the suffix, `room/file`) and the rooms in their order. For Python `imported`
finds that out, wherever in a file the import stands; a table of another tree, such as the
kernel's with its includes, needs a function like it and no more.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

Needs = Mapping[str, Collection[str]]


def imported(package: Path) -> dict[str, set[str]]:
    """Map each file of a Python package to the files of it that it imports.

    Imports within functions count like all others: they hide a circle and don't open it.
    """
    files = {_name(path, package): path for path in package.rglob("*.py")}
    return {name: _imports(path, package, files) - {name} for name, path in files.items()}


def upward(
    needs: Needs, order: Sequence[str], room: Callable[[str], str] | None = None
) -> list[str]:
    """Name each need that points up, or at a room that is not in the table.

    `room` says which one a file is in, where that is not its directory.
    """
    room = room or room_of
    place = {room: number for number, room in enumerate(order)}
    found = []
    for file, others in sorted(needs.items()):
        for other in sorted(others):
            here, there = room(file), room(other)
            if here not in place or there not in place:
                found.append(f"{file} needs {other}: no such room in the table")
            elif place[there] > place[here]:
                found.append(f"{file} needs {other}, which is above it")
    return found


def circles(needs: Needs) -> list[list[str]]:
    """Return the groups of files that need one another, each sorted (Tarjan's algorithm)."""
    found: list[list[str]] = []
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []

    def visit(file: str) -> None:
        number[file] = lowest[file] = len(number)
        stack.append(file)
        for other in sorted(needs.get(file, ())):
            if other not in number:
                visit(other)
                lowest[file] = min(lowest[file], lowest[other])
            elif other in stack:
                lowest[file] = min(lowest[file], number[other])
        if lowest[file] == number[file]:
            group = stack[stack.index(file) :]
            del stack[stack.index(file) :]
            if len(group) > 1 or file in needs.get(file, ()):
                found.append(sorted(group))

    for file in sorted(needs):
        if file not in number:
            visit(file)
    return found


def room_of(file: str) -> str:
    """Return the room that a file is in: its directory, or nothing for those at the top."""
    return file.rpartition("/")[0]


def _name(path: Path, package: Path) -> str:
    return path.relative_to(package).with_suffix("").as_posix()


def _imports(path: Path, package: Path, files: Mapping[str, Path]) -> set[str]:
    """Return the files of the package that a file imports."""
    found = set()
    for module in _modules(ast.parse(path.read_text(encoding="utf-8"))):
        first, _, rest = module.partition(".")
        if first == package.name:
            # A file, or a name in one, or a name in a room's __init__.
            name = rest.replace(".", "/")
            candidates = (name, room_of(name), f"{name}/__init__", f"{room_of(name)}/__init__")
            found.add(next((file for file in candidates if file in files), name))
    return found


def _modules(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
