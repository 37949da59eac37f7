# SPDX-License-Identifier: Apache-2.0
"""Images for the instruction-set simulator's --taint, and its table of what the kernel checks.

sim/iss/checks.txt names the checking functions. In a copy of the tree each is kept from being
inlined, so that its arguments and its result stand where a function's do; nothing else differs
from the image that is built otherwise.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from elftools.elf.elffile import ELFFile

from support.command import ROOT
from support.seeded import Copy, copy_tree

CHECKS = ROOT / "sim" / "iss" / "checks.txt"
KERNEL = ("kernel", "arch/riscv", "lib")
Symbols = dict[str, list[tuple[int, int]]]
LIMIT = 10**9
FOUND = 7
NOT_INLINE = "__attribute__((noipa)) "
_ARGUMENT = re.compile(r"a([0-7])$")


@dataclass(frozen=True)
class Line:
    """One line of checks.txt."""

    kind: str
    name: str
    rest: tuple[str, ...]
    reason: str


def lines() -> list[Line]:
    """Read checks.txt."""
    found: list[Line] = []
    for text in CHECKS.read_text(encoding="utf-8").split("\n\n"):
        words = [line for line in text.splitlines() if not line.startswith("#")]
        if not words:
            continue
        heads = [line.split() for line in words if not line.startswith("\t")]
        reason = " ".join(line.strip() for line in words if line.startswith("\t"))
        assert heads, text
        assert reason, f"no reason: {text}"
        found += [Line(head[0], head[1], tuple(head[2:]), reason) for head in heads]
    return found


def definition(root: Path, name: str) -> tuple[Path, re.Match[str]] | None:
    """Find where a function of the kernel's is defined in C: its file, and the line's match."""
    form = re.compile(
        rf"^(?:{re.escape(NOT_INLINE)})?(?:static |inline )*[\w][\w \*\n]*?"
        rf"\b{name}\((?=[^;{{]*\)\n?\s*\{{)",
        re.MULTILINE,
    )
    for part in KERNEL:
        for path in sorted((root / part).rglob("*.[ch]")):
            match = form.search(path.read_text(encoding="utf-8"))
            if match:
                return path, match
    return None


def keep_out_of_line(root: Path) -> None:
    """Have the compiler leave each checking function as it is called."""
    for line in lines():
        found = definition(root, line.name)
        if found is None:
            continue
        path, match = found
        if match[0].startswith(NOT_INLINE):
            continue
        text = path.read_text(encoding="utf-8")
        head = re.sub(r"\binline ", "", match[0])
        path.write_text(text.replace(match[0], NOT_INLINE + head, 1), encoding="utf-8")


def make_copy(root: Path, *applications: str) -> Copy:
    """Copy the tree for builds under taint."""
    copy = copy_tree(root, *applications)
    keep_out_of_line(root)
    return copy


def _symbols(elf: Path) -> Symbols:
    found: Symbols = {}
    with elf.open("rb") as file:
        for symbol in ELFFile(file).get_section_by_name(".symtab").iter_symbols():
            if symbol["st_info"]["type"] in ("STT_FUNC", "STT_OBJECT"):
                place = symbol["st_value"], symbol["st_value"] + symbol["st_size"]
                if place not in found.setdefault(symbol.name, []):
                    found[symbol.name].append(place)
    return found


def _foreign(elf: Path) -> list[tuple[int, int]]:
    """Return where the application's own code lies, as the linker's map says."""
    text = (elf.parent / "firmware.map").read_text(encoding="utf-8")
    form = re.compile(r"^ \.text\S*\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) \S*app\.dir/", re.MULTILINE)
    places = ((int(match[1], 16), int(match[2], 16)) for match in form.finditer(text))
    return [(low, low + size) for low, size in places if size and low]


def table(elf: Path) -> str:
    """Return the table that --taint takes for an image."""
    symbols = _symbols(elf)
    out = [f"function {low:x} {end:x} {name}" for name, places in symbols.items()
           for low, end in places if low >= 0x80000000 and name]  # fmt: skip
    out += [f"foreign {low:x} {end:x}" for low, end in _foreign(elf)]
    options = (elf.parent / "generated" / "autoconf.h").read_text(encoding="utf-8")
    reserved = re.search(r"CONFIG_PRIVILEGED_STACK_SIZE (\d+)", options)
    assert reserved, "no image with user threads"
    out.append(f"reserved {int(reserved[1]):x}")
    low, end = symbols["sizes"][0]
    out.append(f"sizes {low:x} {(end - low) // 2:x}")
    for line in lines():
        for low, end in symbols.get(line.name, []):
            if line.kind == "check":
                passes, *rest = line.rest
                uses = " ".join(_use(*use, symbols) for use in _uses(rest))
                out.append(f"check {low:x} {passes} {line.name} {uses}")
            elif line.kind == "table":
                out += [f"table {low:x} {end:x} {at:x} {to:x} {line.name}"
                        for at, to in symbols.get(line.rest[0], [])]  # fmt: skip
            elif line.kind == "compare":
                out.append(f"compare {low:x} {end:x} {line.rest[0]} {line.name}")
            else:
                out.append(f"bounded {low:x} {end:x} {line.name}")
    return "\n".join(out) + "\n"


def _uses(words: list[str]) -> list[tuple[str, str, str]]:
    found, at = [], 0
    while at < len(words):
        argument, how = words[at], words[at + 1]
        alone = how in ("index", "length")
        found.append((argument, how, "8" if alone else words[at + 2]))
        at += 2 if alone else 3
    return found


@cache
def _kinds() -> dict[str, int]:
    """Return the numbers of kinds of objects."""
    text = (ROOT / "include" / "foliot" / "object.h").read_text(encoding="utf-8")
    body = text[text.index("K_OBJ_ANY") : text.index("K_OBJ_LAST_")]
    names = re.findall(r"^\s*(K_OBJ_\w+),", "\t" + body, re.MULTILINE)
    return {name: number for number, name in enumerate(names)}


def _number(word: str) -> str:
    match = _ARGUMENT.match(word)
    if word.startswith("K_OBJ_"):
        return f"{_kinds()[word]:x}"
    return match[1] if match else word


def _use(argument: str, how: str, second: str, symbols: Symbols) -> str:
    """Return a use with numbers: of a symbol, how many words it has, or where it lies."""
    if second in symbols:
        low, end = symbols[second][0]
        if how == "within":
            return f"within {low:x} {end:x}"
        return f"{how} {_number(argument)} {(end - low) // 4:x}"
    return f"{how} {_number(argument)} {_number(second)}"


def build(copy: Copy, app: str, conf: str) -> Path:
    """Build an application in the copy, for the board whose images the simulator runs."""
    words = ["--conf", conf] if conf else []
    done = copy.foliot("build", app, "--board", "ibex", *words)
    assert done.returncode == 0, done.stdout + done.stderr
    found = next(line for line in done.stdout.splitlines() if line.endswith(".elf"))
    elf = copy.root / found
    (elf.parent / "taint.txt").write_text(table(elf), encoding="utf-8")
    return elf


def write_without(elf: Path, line: Line, to: Path) -> Path:
    """Write an image's table as if that line of checks.txt were not there; return where."""
    rows = (elf.parent / "taint.txt").read_text(encoding="utf-8").splitlines()
    left = [row for row in rows if not (row.startswith(f"{line.kind} ")
                                        and line.name in row.split())]  # fmt: skip
    to.write_text("\n".join(left) + "\n", encoding="utf-8")
    return to


def run(
    iss: str, elf: Path, *options: str, known: Path | None = None, limit: int = LIMIT
) -> subprocess.CompletedProcess[str]:
    """Run it, until the kernel uses what user mode says unchecked, or for `limit` cycles."""
    command = [iss, "--elf", str(elf), "--max-cycles", str(limit),
               "--taint", str(known or elf.parent / "taint.txt"), *options]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False,
                          errors="replace")  # fmt: skip
