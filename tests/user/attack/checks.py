# SPDX-License-Identifier: Apache-2.0
"""The kernel's checks at the boundary, found in its sources, and what takes the place of each.

What has a form that is always the same is found by that; all else is in holes.txt, line by line.
What looks like a check and is none is named, too (no_checks.py): a new line is one or the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support.command import ROOT

PROTECT = "kernel/protect/"
# Elsewhere the ports' own; what they have alike is tried by the first.
BOARDS = {"arch/cortex_m/": "mps2_an385", "arch/aarch64/": "qemu_aarch64",
          "arch/x86_64/": "qemu_x86_64"}  # fmt: skip


@dataclass(frozen=True)
class Hole:
    """One check less: `old` in line `line` of a file becomes `new`; and `without` those lines."""

    file: str
    line: int
    old: str
    new: str
    without: tuple[int, ...] = ()
    conf: str = ""  # where another check would hide it
    on: str = ""  # the one board that has it
    what: str = ""  # what is trusted, where the text does not say
    swept: str = ""  # a call: a sibling comes between at each of its instructions
    why: str = ""  # the reason why nobody notices it

    @property
    def board(self) -> str:
        """Where it is looked for."""
        port = (b for place, b in BOARDS.items() if self.file.startswith(place))
        return self.on or next(port, "qemu_riscv32")

    @property
    def is_for_tests(self) -> bool:
        """They look first: they know a port, but for registers, which attackers look at always."""
        is_registers = self.file.endswith("user.S") and self.board != BOARDS["arch/cortex_m/"]
        return self.on != "" or (self.file.startswith(tuple(BOARDS)) and not is_registers)

    def __str__(self) -> str:
        text = " ".join(self.old.split())[:40]
        return f"{Path(self.file).name}:{self.line}:{self.what}{text}"


# A line each: what takes the check's place.
FORMS = (
    (re.compile(r"^\tVERIFY_\w+\(\w+\);"), "\t(void)0;"),
    (re.compile(r"\bverify_thread\(\w+\)(?!;)"), "true"),
    (re.compile(r"\(void\)verify_thread\(\w+\);"), "(void)0;"),
    (re.compile(r"!IS_USABLE\(\w+, struct \w+, \w+\)"), "false"),
    (re.compile(r"\buser_copy_(?:in|out)\("), "memcpy("),
    (re.compile(r"^\treference_poll\(.*\);"), "\t(void)0;"),
    (re.compile(r"^\tK_SYSCALL_NARROW\(\w+\);"), "\t(void)0;"),
)
NARROW = "K_SYSCALL_NARROW"
# Whom it calls makes 64 bits of that number before it looks at it.
NOT_LOOKED_AT = {"\tK_SYSCALL_NARROW(max_msgs);", "\tK_SYSCALL_NARROW(usec);"}
# Of calls that do not stay masked: RISC-V has none of it.
NOT_MASKED = "wait_and_reset("
# Looks at a buffer before it is copied to, which looks again: a hole only where both are gone.
EARLY = re.compile(r"^\tuser_verify_(?:writable|readable)\(")
# Registers that are cleared on the way to user mode: in place of one, zero is cleared twice.
CLEARED = {
    "arch/riscv/user.S": (re.compile(r"^\t\.irp register, ([ast]\d+(?:, [ast]\d+)+)$"), " zero"),
    # Once a life: cleared as the thread begins.
    "arch/cortex_m/user.S": (re.compile(r"^\t\.irp register, (r\d+(?:, r\d+)+)$"), ""),
    "arch/aarch64/user.S": (re.compile(r"^\t\.irp register, (x\d+(?:, x\d+)+)$"), " x18"),
    "arch/x86_64/user.S": (re.compile(r"^\t\.irp register, (e\w+(?:, \w+)+)$"), ""),
}
# What is built with an option only is tried with it.
OPTIONS = {"#ifdef CONFIG_SCHED_DEADLINE": "deadline"}
# What hides a hole has to be off: CONFIG_INIT_STACKS fills the stacks that are wiped.
CONF = {"wipe(thread->stack_start, thread->stack_size);": "uninitialised"}
# What has no such form.
NAMED = ROOT / "tests" / "user" / "attack" / "holes.txt"
# Messages between domains: their verifiers' holes are not here (README.md).
OF_MESSAGES = "verify_ipc*.c"


def _early(path: Path, function: str, own: list[int]) -> tuple[int, ...]:
    """Return the lines that look first: the function's own, or all where several call it."""
    if not function.startswith("static"):
        return tuple(own)
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(number for number, line in enumerate(lines, 1) if EARLY.match(line))


def _of_forms() -> Iterator[Hole]:
    sources = set((ROOT / PROTECT).glob("verify_*.c"))
    for path in sorted(sources - set((ROOT / PROTECT).glob(OF_MESSAGES))):
        early: list[int] = []  # of this function
        function = conf = ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            conf = OPTIONS.get(line, "") if line.startswith("#") else conf
            early = [] if line == "}" else early + [number] * bool(EARLY.match(line))
            function = line if line[:1].isalpha() else function
            for form, new in FORMS:
                match = form.search(line)
                if match and match[0] not in NOT_LOOKED_AT:
                    less = _early(path, function, early) if new == "memcpy(" else ()
                    on = "qemu_riscv64" if NARROW in match[0] else ""
                    on = "mps2_an385" if NOT_MASKED in function else on
                    yield Hole(f"{PROTECT}{path.name}", number, match[0], new, less, conf, on)


def _of_registers() -> Iterator[Hole]:
    for file, (form, new) in CLEARED.items():
        for number, line in enumerate((ROOT / file).read_text(encoding="utf-8").splitlines(), 1):
            cleared = form.match(line)
            registers = cleared[1].split(", ") if cleared else ()
            yield from (Hole(file, number, f" {one}", new or f" {registers[0]}")
                        for one in registers[0 if new else 1:])  # fmt: skip


def _texts(list_of: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Read holes.txt or trusted.txt: the file, and each mark's text."""
    name = ""
    for block in list_of.read_text(encoding="utf-8").split("\n\n"):
        parts: dict[str, list[str]] = {mark: [] for mark in "=-+@~"}
        for line in block.splitlines():
            if not line.startswith("#"):
                parts[line[0]].append(line[2:])
        name = parts["="][0] if parts["="] else name
        if parts["-"]:
            yield name, {mark: "\n".join(lines) for mark, lines in parts.items()}


def blocks(list_of: Path) -> Iterator[Hole]:
    """Find each place that a block of such a list means."""
    for name, texts in _texts(list_of):
        old, new = texts["-"], texts["+"]
        file = name if "/" in name else PROTECT + name
        text = (ROOT / file).read_text(encoding="utf-8")
        assert old in text, f"{file} has no more: {old}"
        at = text.find(old)
        while at >= 0:
            line = text.count("\n", 0, at) + 1
            yield Hole(
                file, line, old, new, (), CONF.get(old, ""), swept=texts["@"], why=texts["~"]
            )
            at = text.find(old, at + 1)


# A line that decides something, or that calls who does.
DECIDES = re.compile(
    r"\b(?:if|while)\s*\(|&&|\|\||\? |\b(?:VERIFY_\w+|IS_USABLE|verify_thread|verify_init_begin|"
    r"user_(?:verify|copy|try_copy|may|holds|range)\w*|K_SYSCALL_NARROW|may_\w+|is_permitted\w*|"
    r"object_hold|verify_allocated\w*)\("
)
# The first line of a function: its name.
BEGINS = re.compile(r"^(?!typedef|extern|BUILD_ASSERT|struct|union)[A-Za-z_].*?\b(\w+)\s*\([^;]*$")


def decisions(path: Path) -> Iterator[tuple[str, int]]:
    """Each line of a source that decides something: its function and its number."""
    function = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        begins = BEGINS.match(line)
        function = begins[1] if begins else "" if line == "}" else function
        is_code = line[:1].isspace() and not re.match(r"\s*(?:/?\*|for \()", line)
        if function and is_code and DECIDES.search(line):
            yield function, number


def unnamed_decisions() -> dict[str, dict[str, int]]:
    """In which function of which file how many lines decide something, and are no hole's."""
    of_holes = {(hole.file, line) for hole in holes() for line in (hole.line, *hole.without)}
    found: dict[str, dict[str, int]] = {}
    for path in sorted((ROOT / PROTECT).glob("*.[ch]")):
        for function, number in decisions(path):
            if (PROTECT + path.name, number) not in of_holes:
                of_file = found.setdefault(path.name, {})
                of_file[function] = of_file.get(function, 0) + 1
    return found


def holes() -> list[Hole]:
    """Find every check in the sources."""
    return [*_of_forms(), *_of_registers(), *blocks(NAMED)]
