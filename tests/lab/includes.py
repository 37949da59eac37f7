# SPDX-License-Identifier: Apache-2.0
"""Which file of the firmware includes which: for C what rooms.py's `imported` is for Python.

Read from the text, whatever an option leaves out, so that no build has to be made for each
mix of options. A header that each port or board has under one name (`<arch_inline.h>`,
`<board.h>`) stands for all of them, but for a port that includes its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
_SOURCES = {".c", ".h", ".S", ".inc", ".ld"}


def included(root: Path, directories: Iterable[str]) -> dict[str, set[str]]:
    """Map each file below `directories` to those below `root` that it includes.

    Names are paths from `root`. What is found nowhere is the compiler's or the C library's,
    or written by a build, and is left out; a name in quotes must be found.
    """
    files = sorted(path for directory in directories for path in (root / directory).rglob("*")
                   if path.suffix in _SOURCES)  # fmt: skip
    return {_name(path, root): _includes(path, root) for path in files}


def _includes(path: Path, root: Path) -> set[str]:
    found: set[str] = set()
    for quoted, bracketed in _INCLUDE.findall(path.read_text(encoding="utf-8")):
        there = [*_own(path, root, quoted or bracketed, bool(quoted))]
        assert there or not quoted, f"{path}: no {quoted}"
        found |= {_name(other.resolve(), root) for other in there}
    return found


def _own(path: Path, root: Path, name: str, quoted: bool) -> list[Path]:
    """Return what `name` is where it is looked for first, in the compiler's order."""
    parts = path.relative_to(root).parts
    port = root.joinpath(*parts[:2], "include") if parts[0] == "arch" else None
    beside = [path.parent / name] if quoted else []
    alone = [*beside, root / "include" / name, *([port / name] if port else [])]
    alone += [root / name] if quoted else []
    for candidate in alone:
        if candidate.is_file():
            return [candidate]
    return [*root.glob(f"arch/*/include/{name}"), *root.glob(f"boards/*/{name}"),
            *root.glob(f"suites/*/include/{name}")]  # fmt: skip


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()
