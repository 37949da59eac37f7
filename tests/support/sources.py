# SPDX-License-Identifier: Apache-2.0
"""The kernel's and the ports' sources, line by line, each with the function that it lies in.

What is looked for in the kernel is looked for by its text and its function, and in all files: who
moves or splits a file changes nothing for the seeded faults (tests/user/attack, tests/ipc).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from support.command import ROOT

ROOMS = ("kernel", "arch", "include")
# A port's own tests and floors are not the kernel.
NOT_KERNEL = {"tests", "suites", "zephyr", "libc", "libcpp"}
# The head of an operation, whose body follows (kernel/objects/operation.h): its second word.
_OPERATION = re.compile(r"^OPERATION\w*\([^,]+, (\w+),")
# The first line of a function in C: its name is the last word in front of a bracket at depth 0.
_BEGINS = re.compile(r"^(?!typedef|extern|BUILD_ASSERT|else\b)[A-Za-z_].*\([^;]*$")
_VARIABLE = re.compile(r"^(?!typedef|extern)[A-Za-z_][^()]*?\b(\w+)(?:\[[^=]*\])* = ")
_DEFINE = re.compile(r"^#\s*define (\w+)")
_LABEL = re.compile(r"^([A-Za-z_]\w*):|^\s*\.macro (\w+)")


@dataclass(frozen=True)
class Source:
    """One file: where it lies, what is in it, and each line's function, or variable, or macro."""

    path: Path
    port: str  # "" of what is common
    text: str
    functions: tuple[str, ...]

    @property
    def file(self) -> str:
        """Its path in the tree, which names no seeded fault."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def room(self) -> str:
        """The directory that it lies in."""
        return self.path.parent.relative_to(ROOT).as_posix()

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    def line_at(self, at: int) -> int:
        """Return the number of the line that a place of the text lies in, from 1 on."""
        return self.text.count("\n", 0, at) + 1

    def function(self, line: int) -> str:
        """Name what the line lies in: its port in front, where it is a port's."""
        name = self.functions[line - 1]
        return f"{self.port}:{name}" if self.port else name


def _name(line: str) -> str:
    """Return the name of the function, or the operation, that begins in that line."""
    if operation := _OPERATION.match(line):
        return operation[1]
    line = re.sub(r"__attribute__\(\(.*?\)\)+ ?", "", line)
    at = line.find("(")
    return re.findall(r"\w+", line[:at])[-1] if re.search(r"\w", line[: max(at, 0)]) else ""


def _functions_of_c(lines: list[str]) -> Iterator[str]:
    name, is_macro, is_open = "", False, False
    for line in lines:
        define = _DEFINE.match(line)
        if define:
            within, is_macro = define[1], True
        elif not is_macro and not is_open and (_BEGINS.match(line) or _VARIABLE.match(line)):
            variable = _VARIABLE.match(line)
            begun = variable[1] if variable else _name(line)
            name = begun or name
            is_open = bool(variable) and not line.rstrip().endswith(";")
        yield within if is_macro else name
        is_macro = is_macro and line.endswith("\\")
        if line[:1] == "}":
            name, is_open = "", False


def _functions_of_assembly(lines: list[str]) -> Iterator[str]:
    name = ""
    for line in lines:
        begins = _LABEL.match(line)
        name = (begins[1] or begins[2]) if begins else name
        define = _DEFINE.match(line)
        yield define[1] if define else name


@cache
def source(path: Path) -> Source:
    """Read one file."""
    text = path.read_text(encoding="utf-8")
    parts = path.relative_to(ROOT).parts
    of = _functions_of_assembly if path.suffix in {".S", ".inc"} else _functions_of_c
    return Source(path, parts[1] if parts[0] == "arch" and len(parts) > 2 else "", text,
                  tuple(of(text.splitlines())))  # fmt: skip


@cache
def sources() -> tuple[Source, ...]:
    """All of them, in the order of their paths."""
    found = (path for room in ROOMS for path in (ROOT / room).rglob("*.*")
             if path.suffix in {".c", ".h", ".S", ".inc"})  # fmt: skip
    return tuple(source(path) for path in sorted(found)
                 if not NOT_KERNEL & set(path.relative_to(ROOT).parts))  # fmt: skip


def places(functions: str, text: str, beside: str = "") -> list[tuple[Source, int]]:
    """Find each line where a text begins in one of those functions; in a file with `beside` only.

    A port's function has the port in front: `riscv:arch_user_enter`. A function that moves to
    another file is found there.
    """
    found: list[tuple[Source, int]] = []
    for one in sources():
        at = one.text.find(text) if beside in one.text else -1
        while at >= 0:
            line = one.line_at(at)
            if one.function(line) in functions.split():
                found.append((one, line))
            at = one.text.find(text, at + 1)
    assert found, f"in {functions}: nowhere is {text}"
    return found
