# SPDX-License-Identifier: Apache-2.0
"""What stands at an address: the instruction, its function, its line of source.

The toolchain's own objdump and addr2line are asked, once for all addresses: they know
every instruction set that they assemble, and inlined functions.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from foliot.image.elf import Image
from foliot.model.errors import FoliotError
from foliot.target import paths

_TOOLS = {
    "RISC-V": "riscv64-unknown-elf-",
    "ARM": "arm-none-eabi-",
    "AArch64": "aarch64-linux-gnu-",
    "x64": "x86_64-linux-gnu-",
}
_LIMIT_S = 60

# What objdump says of an address: `8000398c <take_blocking+0x4>`, behind `#` or `@` or plain.
_TARGET = re.compile(r"(?:[#@;] )?\(?\b(?:0x)?[0-9a-f]+ <([^>]+)>\)?")
_COMMENT = re.compile(r" [#@;] (?:0x)?[0-9a-f]+$")
# A constant that Arm code keeps between functions: `ldr r0, [pc, #24] @ (172c <take+0x2c>)`.
_LITERAL = re.compile(r"\[pc, #\d+\] [@;] \((?:0x)?([0-9a-f]+) <[^>]+>\)")


@dataclass(frozen=True, slots=True)
class Place:
    """Where an instruction comes from; empty and 0 stand for what is not known.

    `function` is the symbol it lies in, `offset` how many bytes behind its beginning, and
    `home` the file of that; `inlined` the function
    whose body it is, where the compiler put that into another. `file` is as the compiler
    was told, relative to the repository, `line` counted from 1, and `text` what stands
    there, without its indentation.
    """

    function: str
    offset: int = 0
    home: str = ""
    inlined: str = ""
    file: str = ""
    line: int = 0
    text: str = ""

    @property
    def shown(self) -> str:
        """`sem.c:57`, or nothing."""
        return f"{Path(self.file).name}:{self.line}" if self.file else ""

    @property
    def is_assembly(self) -> bool:
        """True where the source is one instruction a line."""
        return self.file.endswith(".S")


@dataclass(frozen=True, slots=True)
class Frame:
    """A line of source within a function, which may be inlined in the next frame's."""

    function: str
    file: str
    line: int


class Code:
    """The code of one image."""

    def __init__(self, elf: Path) -> None:
        """Open the image; UsageError where it is none.

        Sources are looked for in the tree that the image was built in.
        """
        self.image = Image(elf)
        self._elf = elf
        self._built = elf.stat().st_mtime
        parts = elf.resolve().parts
        trees = paths.TREES.parts
        known = parts[: len(trees)] == trees and len(parts) > len(trees)
        self._root = Path(*parts[: len(trees) + 1]) if known else paths.ROOT
        self._places: dict[int, Place] = {}
        self._frames: dict[int, tuple[Frame, ...]] = {}

    def instruction(self, pc: int) -> str:
        """Return the instruction at `pc`, addresses in it as symbols; `?` where there is none."""
        return self._instructions.get(pc, "?")

    def place(self, pc: int) -> Place:
        """Return where the instruction at `pc` comes from."""
        if pc not in self._places:
            self.prefetch([pc])
        return self._places[pc]

    def frames(self, pc: int) -> tuple[Frame, ...]:
        """Return the line that `pc` comes from, and those it was inlined at, innermost first."""
        if pc not in self._frames:
            self.prefetch([pc])
        return self._frames[pc]

    def text(self, file: str, line: int) -> str:
        """Return a line of source; nothing where the file is newer than the image."""
        return self._source(file, line)

    def is_stale(self, file: str) -> bool:
        """Say whether a source was changed after the image was made."""
        try:
            return bool(file) and (self._root / file).stat().st_mtime > self._built
        except OSError:
            return False

    def prefetch(self, pcs: Iterable[int]) -> None:
        """Look up many addresses at once: one start of addr2line for all."""
        wanted = [pc for pc in dict.fromkeys(pcs) if pc not in self._places]
        if not wanted:
            return
        said = self._tool(
            "addr2line", ["-a", "-f", "-i", "-e"], "".join(f"{pc:#x}\n" for pc in wanted)
        )
        for pc, chain in zip(wanted, _chains(said), strict=True):
            self._places[pc] = self._place(pc, chain)
            self._frames[pc] = tuple(
                Frame(name, self._relative(file), line) for name, file, line in chain
            )

    def _place(self, pc: int, chain: Sequence[tuple[str, str, int]]) -> Place:
        function, _, offset = (self.image.function(pc) or "?").partition("+0x")
        name, file, line = chain[0]
        return Place(
            function=function,
            offset=int(offset or "0", 16),
            home=self._relative(chain[-1][1]),
            inlined=name if len(chain) > 1 else "",
            file=self._relative(file),
            line=line,
            text=self._source(file, line),
        )

    def _relative(self, file: str) -> str:
        path = os.path.normpath(file) if file else ""
        return path.removeprefix(f"{self._root}/")

    def _source(self, file: str, line: int) -> str:
        """Return a line of source; nothing where the file is newer than the image."""
        path = self._root / file
        try:
            lines = _lines(path) if file and path.stat().st_mtime <= self._built else ()
        except OSError:
            return ""
        return lines[line - 1].strip() if 0 < line <= len(lines) else ""

    @cached_property
    def _instructions(self) -> dict[int, str]:
        found = {}
        for line in self._tool("objdump", ["-d", "--no-show-raw-insn"]).splitlines():
            address, *words = line.split("\t")
            if words and address.endswith(":"):
                found[int(address[:-1], 16)] = self._tidy(" ".join(words))
        return found

    def _tidy(self, text: str) -> str:
        """Put symbols in place of addresses, so that two builds can be compared."""
        text = _LITERAL.sub(self._constant, " ".join(text.split()))
        return _COMMENT.sub("", _TARGET.sub(_symbol, text)).rstrip()

    def _constant(self, match: re.Match[str]) -> str:
        value = self.image.word(int(match[1], 16))
        if value is None:
            return match[0]
        return "=" + (self.image.variable(value) or self.image.function(value) or f"{value:#x}")

    def _tool(self, name: str, options: Sequence[str], given: str = "") -> str:
        machine = self.image.machine
        tool = _TOOLS.get(machine, "") + name
        if not shutil.which(tool):
            raise FoliotError(f"{tool} is missing", "./foliot setup BOARD installs it")
        try:
            return subprocess.run(
                [tool, *options, str(self._elf)], input=given, capture_output=True, text=True,
                check=True, timeout=_LIMIT_S,
            ).stdout  # fmt: skip
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            raise FoliotError(f"{tool} can't read {paths.shown(self._elf)}: {error}") from None


def _symbol(match: re.Match[str]) -> str:
    """Return `<symbol+0x4>`; nothing where the nearest symbol lies behind the address."""
    return "" if "-0x" in match[1] else f"<{match[1]}>"


def _chains(said: str) -> list[list[tuple[str, str, int]]]:
    """Take addr2line's answer apart: for each address (function, file, line), innermost first."""
    found: list[list[tuple[str, str, int]]] = []
    name = ""
    for line in said.splitlines():
        if line.startswith("0x"):
            found.append([])
            name = ""
        elif not name:
            name = line
        else:
            file, _, number = line.partition(" (")[0].rpartition(":")
            known = file not in ("", "??")
            found[-1].append((name, file if known else "", int(number) if number.isdigit() else 0))
            name = ""
    return found


@cache
def _lines(path: Path) -> Sequence[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines()
