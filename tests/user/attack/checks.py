# SPDX-License-Identifier: Apache-2.0
"""The kernel's checks at the boundary, found in its sources, and what takes the place of each.

What has a form that is always the same is found by that; all else is in seeded_faults.txt, line by
line. What looks like a check and is none is named, too (no_checks.py): a new line is one or
the other. All sources are searched, by function and text (support/sources.py): no seeded
fault's name holds a path, and what moves is found where it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support.command import ROOT
from support.sources import Source, places, sources

# Of what only a port has; what they have alike is tried by the first.
BOARDS = {"cortex_m": "mps2_an385", "aarch64": "qemu_aarch64", "x86_64": "qemu_x86_64"}


@dataclass(frozen=True)
class SeededFault:
    """One check less: `old` in line `line` of a file becomes `new`; and `without` those lines."""

    file: str
    function: str
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
        return self.on or BOARDS.get(self.port, "qemu_riscv32")

    @property
    def port(self) -> str:
        """Whose code it is, "" of what is common."""
        return self.function.partition(":")[0] if ":" in self.function else ""

    @property
    def option(self) -> str:
        """What it is built with wherever it is looked for; the rest of conf is the attackers'."""
        return self.conf if self.conf in OPTIONS.values() else ""

    @property
    def is_for_tests(self) -> bool:
        """They look first: they know a port, but for registers, which attackers look at always."""
        is_registers = self.file.endswith(".S") and self.port != "cortex_m"
        return self.on != "" or (self.port in BOARDS and not is_registers)

    def __str__(self) -> str:
        return f"{self.function}: {self.what}{' '.join(self.old.split())[:60]}"


# A line each: what takes the check's place.
FORMS = (
    (re.compile(r"^\tVERIFY_\w+\(\w+\);"), "\t(void)0;"),
    (re.compile(r"\bverify_thread\(\w+\)(?!;)"), "true"),
    (re.compile(r"\(void\)verify_thread\(\w+\);"), "(void)0;"),
    (re.compile(r"\bIS_USABLE\(\w+, struct \w+, \w+\)"), "true"),
    (re.compile(r"\buser_copy_(?:in|out)\("), "memcpy("),
    (re.compile(r"^\treference_poll\(.*\);"), "\t(void)0;"),
    (re.compile(r"^\tK_SYSCALL_NARROW\(\w+\);"), "\t(void)0;"),
)
NARROW = "K_SYSCALL_NARROW"
# Whom it calls makes 64 bits of that number before it looks at it.
NOT_LOOKED_AT = {"\tK_SYSCALL_NARROW(max_msgs);", "\tK_SYSCALL_NARROW(usec);"}
# Of calls that do not stay masked: RISC-V has none of it.
NOT_MASKED = "wait_and_reset("
# Looks at a buffer before it is copied to, which looks again: a fault only where both are gone.
EARLY = re.compile(r"^\tuser_verify_(?:writable|readable)\(")
# Registers that are cleared on the way to user mode: in place of one, zero is cleared twice.
CLEARED = {
    "riscv": (re.compile(r"^\t\.irp register, ([ast]\d+(?:, [ast]\d+)+)$"), " zero"),
    # Once a life: cleared as the thread begins.
    "cortex_m": (re.compile(r"^\t\.irp register, (r\d+(?:, r\d+)+)$"), ""),
    "aarch64": (re.compile(r"^\t\.irp register, (x\d+(?:, x\d+)+)$"), " x18"),
    "x86_64": (re.compile(r"^\t\.irp register, (e\w+(?:, \w+)+)$"), ""),
}
# What is built with an option only is tried with it.
OPTIONS = {"#ifdef CONFIG_SCHED_DEADLINE": "deadline"}
# What hides a seeded fault has to be off: CONFIG_INIT_STACKS fills the stacks that are wiped.
CONF = {"wipe(thread->stack_start, thread->stack_size);": "uninitialised"}
# What has no such form.
NAMED = ROOT / "tests" / "user" / "attack" / "seeded_faults.txt"
# Messages between domains, whose checks are tests/ipc's (README.md): their functions.
OF_MESSAGES = re.compile(
    r"(?:\w+:)?(?:take_in|give_out|clear_rest|may_remember|\w+_ipc\w*|user_\w+_words|verify_is_own)"
)
# In a function, or an operation's head: first lines, declarations and comments are no calls.
_CODE = re.compile(r"(?! \*)\s|OPERATION")


def _early(source: Source, function: str, own: list[int]) -> tuple[int, ...]:
    """Return the lines that look first: the function's own, or of all who call it."""
    if own or not function:
        return tuple(own)
    lines = source.lines
    calls = {source.function(n) for n, line in enumerate(lines, 1) if f" {function}(" in line}
    return tuple(number for number, line in enumerate(lines, 1)
                 if EARLY.match(line) and source.function(number) in calls)  # fmt: skip


def _of_forms() -> Iterator[SeededFault]:
    for source in sources():
        early: list[int] = []  # of this function
        head = conf = ""
        for number, line in enumerate(source.lines, 1):
            conf = OPTIONS.get(line, "") if line.startswith("#") else conf
            early = [] if line == "}" else early + [number] * bool(EARLY.match(line))
            head = line if line[:1].isalpha() else head
            function = source.function(number)
            if not _CODE.match(line) or OF_MESSAGES.fullmatch(function):
                continue
            for form, new in FORMS:
                match = form.search(line)
                if match and match[0] not in NOT_LOOKED_AT:
                    less = _early(source, function, early) if new == "memcpy(" else ()
                    on = "qemu_riscv64" if NARROW in match[0] else ""
                    on = "mps2_an385" if NOT_MASKED in head else on
                    yield SeededFault(source.file, function, number, match[0], new, less, conf, on)


def _of_registers() -> Iterator[SeededFault]:
    for source in sources():
        form, new = CLEARED.get(source.port, (None, ""))
        for number, line in enumerate(source.lines if form else (), 1):
            cleared = form.match(line) if form else None
            function = source.function(number)
            registers = cleared[1].split(", ") if cleared else []
            if not OF_MESSAGES.fullmatch(function):
                first = f" {registers[0]}" if registers else ""
                yield from (SeededFault(source.file, function, number, f" {one}", new or first)
                            for one in registers[0 if new else 1:])  # fmt: skip


def _texts(list_of: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Read seeded_faults.txt or trusted.txt: the functions, and each mark's text."""
    name = ""
    for block in list_of.read_text(encoding="utf-8").split("\n\n"):
        parts: dict[str, list[str]] = {mark: [] for mark in "=-+@~!"}
        for line in block.splitlines():
            if not line.startswith("#"):
                parts[line[0]].append(line[2:])
        name = parts["="][0] if parts["="] else name
        if parts["-"]:
            yield name, {mark: "\n".join(lines) for mark, lines in parts.items()}


def blocks(list_of: Path) -> Iterator[SeededFault]:
    """Find each place that a block of such a list means."""
    for functions, texts in _texts(list_of):
        old, new = texts["-"], texts["+"]
        for source, line in places(functions, old, texts["!"]):
            yield SeededFault(source.file, source.function(line), line, old, new, (),
                       CONF.get(old, ""), swept=texts["@"], why=texts["~"])  # fmt: skip


# A look at what a user thread passed.
LOOKS = re.compile(
    r"\b(?:VERIFY_\w+|IS_USABLE|verify_(?:thread|timeout|init_\w+|allocated\w*)|K_SYSCALL_NARROW|"
    r"user_(?:verify|copy|try_copy|may|holds|range|is_known)\w*|is_permitted\w*|"
    r"object_(?:hold|is_usable|is_granted|is_own|find|entry_at)\w*)\("
)
# A line that decides something, or that calls who does.
DECIDES = re.compile(
    r"\b(?:if|while)\s*\(|&&|\|\||\? |\b(?:VERIFY_\w+|IS_USABLE|verify_thread|verify_init_begin|"
    r"user_(?:verify|copy|try_copy|may|holds|range)\w*|K_SYSCALL_NARROW|may_\w+|is_permitted\w*|"
    r"object_hold|verify_allocated\w*)\("
)
Places = set[tuple[str, int]]


def _lines(source: Source, form: re.Pattern[str]) -> list[tuple[str, int]]:
    """Each line of code that has the form: its function and its number."""
    return [(source.function(number), number) for number, line in enumerate(source.lines, 1)
            if source.functions[number - 1] and form.search(line)
            and line[:1].isspace() and not re.match(r"\s*(?:/?\*|@|for \()", line)]  # fmt: skip


def looked_through(source: Source, tried: Places) -> list[tuple[str, int]]:
    """Each line that decides something, of functions that stand at the boundary.

    These are who looks, or has a seeded fault; and where a third of a file's functions are such,
    all of them. So nothing depends on where a file lies.
    """
    decide = _lines(source, DECIDES)
    look = {name for name, _ in _lines(source, LOOKS)}
    look |= {source.function(line) for file, line in tried if file == source.file}
    of_file = {name for name, _ in decide}
    is_whole = 0 < len(of_file) <= 3 * len(of_file & look)
    return [(name, line) for name, line in decide if is_whole or name in look]


def unnamed_decisions(tried: Places) -> dict[str, int]:
    """In which function how many lines decide something, and have no seeded fault."""
    found: dict[str, int] = {}
    for source in sources():
        if source.path.suffix in {".c", ".h"}:
            for function, number in looked_through(source, tried):
                if (source.file, number) not in tried:
                    found[function] = found.get(function, 0) + 1
    return found


def silent_rooms(tried: Places) -> set[str]:
    """Rooms that look at what users pass, and in which no seeded fault is: a mistake of ours."""
    look = {source.room for source in sources() if _lines(source, LOOKS)}
    return look - {Path(file).parent.as_posix() for file, _ in tried}


def seeded_faults() -> list[SeededFault]:
    """Find every check in the sources."""
    return [*_of_forms(), *_of_registers(), *blocks(NAMED)]
