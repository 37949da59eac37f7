# SPDX-License-Identifier: Apache-2.0
"""The code of one image: its instructions, and whom a call through a pointer may reach.

A call through a pointer is read off its line of source: `timeout->expire(timeout)` calls through
the member `expire`. Whatever function of that member's prototype has its address somewhere in the
image, in a word of data or as a constant of the code, may be called there; no other can, since
nobody casts a function to another prototype (the compiler warns, and warnings are errors).
Where the line names no such member or variable, or in assembly, the call has no known target,
and what leads there no bound.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import product, takewhile
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

from foliot.bound import instructions
from foliot.bound.instructions import Instruction, Unreadable
from foliot.explain.code import Code, Frame
from foliot.image.elf import Image
from foliot.model.errors import FoliotError
from foliot.target import paths

Prototype = tuple[str, ...]

_ALLOC, _EXEC = 2, 4
_CALLED = re.compile(r"(?:->|\.|\b)(\w+)\s*\)?\s*\(")
_QUALIFIERS = (
    "DW_TAG_const_type",
    "DW_TAG_volatile_type",
    "DW_TAG_typedef",
    "DW_TAG_restrict_type",
)
_DEEPEST = 8
_TABLES_OF_CALLS = ("syscall_table", "checked_table", "fast_table")  # read by number, not called
_KERNELS = re.compile(r"structure_type k_\w+ \*")
_A0, _ARGUMENTS = 10, 8
_FEW = 24  # functions whose lines are looked up one by one
_TABLE_CODE = 16  # instructions in front of a jump through a table that may say where it is


class Program:
    """One RV32 image, read as code."""

    def __init__(self, elf: Path) -> None:
        """Read the instructions; FoliotError where it is no image for RV32."""
        self.path = elf
        self.image = Image(elf)
        self.source = Code(elf)
        self.code: dict[int, Instruction] = {}
        self.kept: dict[int, Any] = {}  # loops.py's: what sources say of an instruction
        self._frames: dict[int, Sequence[Frame]] = {}
        self._names: dict[int, str] = {}
        self._asked = 0
        self._data: list[tuple[int, bytes]] = []
        with elf.open("rb") as stream:
            file = ELFFile(stream)
            if self.image.machine != "RISC-V" or file.elfclass != 32:
                raise FoliotError(
                    f"{elf.name} is no image for RV32: there is no table for its core"
                )
            for section in file.iter_sections():
                if section["sh_type"] == "SHT_PROGBITS" and section["sh_flags"] & _ALLOC:
                    self._take(section)
        self.entries = {start: name for start, _, name in self.image.functions()}
        self.names = frozenset(self.entries.values())
        self.leaders = self._leaders()

    def _take(self, section: Any) -> None:
        address, data = int(section["sh_addr"]), bytes(section.data())
        self._data.append((address, data))
        if not section["sh_flags"] & _EXEC:
            return
        at = 0
        while at + 1 < len(data):
            size = instructions.size_of(data[at] | data[at + 1] << 8)
            try:
                word = int.from_bytes(data[at : at + size], "little")
                self.code[address + at] = instructions.read(word, size)
            except Unreadable:
                pass  # between functions, or a table: what leads there is refused
            at += size

    def _leaders(self) -> set[int]:
        """Return where a straight piece of code begins: at whatever is jumped to or called."""
        found = set(self.entries)
        for pc, what in self.code.items():
            if what.kind in ("branch", "jal"):
                found |= {pc + what.imm, pc + what.size}
            elif what.kind in ("jalr", "mret", "csr"):
                found.add(pc + what.size)
        return found

    @property
    def name(self) -> str:
        """What the image is called: its application."""
        parts = self.path.resolve().parts
        return parts[parts.index(paths.KEPT) - 1] if paths.KEPT in parts else self.path.parent.name

    def function(self, pc: int) -> str:
        """Return the name of the function that `pc` lies in."""
        found = self._names.get(pc)
        if found is None:
            found = (self.image.function(pc) or "?").partition("+0x")[0]
            self._names[pc] = found
        return found

    def frames(self, pc: int) -> Sequence[Frame]:
        """Return the line that `pc` comes from, and those it was inlined at, innermost first.

        Of few functions each is looked up by itself, then all that there is at once.
        """
        found = self._frames.get(pc)
        if found is None:
            self._asked += 1
            function = self.of_function.get(self.function(pc), ())
            near = [at for at, _ in function] if self._asked < _FEW else [*self.code]
            self.source.prefetch(near)
            for at in (*near, pc):
                self._frames[at] = self.source.frames(at)
            found = self._frames[pc]
        return found

    def where(self, pc: int) -> str:
        """Return `function (file.c:12)`."""
        frame = self.frames(pc)[0]
        place = f" ({Path(frame.file).name}:{frame.line})" if frame.file else ""
        return f"{self.function(pc)}{place}"

    def called(self, pc: int) -> Sequence[int] | None:
        """Return whom the call through a pointer at `pc` may reach; None where nobody knows."""
        frame = self.frames(pc)[0]
        wanted: set[Prototype] = set()
        for name in _CALLED.findall(self.source.text(frame.file, frame.line)):
            wanted |= self._pointers.get(name, set())
        if not wanted or frame.file.endswith(".S"):
            return None
        return [pc for pc in sorted(self._taken) if self._prototypes.get(pc) in wanted]

    def switched(self, pc: int) -> Sequence[int] | None:
        """Return where a `switch` through a table may go, by the jump at `pc`; None: it is none.

        The table is the words of the image from where the code in front says, as long as they are
        addresses of that function.
        """
        what, function = self.code[pc], self.function(pc)
        own = [(at, one) for at, one in self.of_function[function] if at <= pc][-_TABLE_CODE:]
        if what.rd or not any(one.kind == "load" and one.rd == what.reads[0] for _, one in own):
            return None
        for (at, high), (_, low) in product(own, own):
            if high.name not in ("lui", "auipc") or low.name not in ("addi", "lw"):
                continue
            table = (at if high.name == "auipc" else 0) + high.imm + low.imm & 0xFFFFFFFF
            found = list(self._table(table, function))
            if found:
                return sorted(set(found))
        return None

    def _table(self, table: int, function: str) -> Iterator[int]:
        while True:
            word = self.image.word(table) or 0
            if word not in self.code or self.function(word) != function:
                return
            yield word
            table += 4

    def of_member(self, structure: str, name: str) -> Sequence[int]:
        """Return the functions that a structure's member of that name may lead to."""
        wanted = self._pointers.get(f"{structure}.{name}", set())
        return [pc for pc in sorted(self._taken) if self._prototypes.get(pc) in wanted]

    @cached_property
    def of_function(self) -> Mapping[str, Sequence[tuple[int, Instruction]]]:
        """The instructions of each function."""
        found: dict[str, list[tuple[int, Instruction]]] = defaultdict(list)
        for pc, what in self.code.items():
            found[self.function(pc)].append((pc, what))
        return found

    def made_in(self, names: set[str], register: int) -> Sequence[int]:
        """Return the functions whose addresses some functions make of two halves in a register."""
        found: set[int] = set()
        for name in names:
            own = self.of_function.get(name, ())
            lows = {what.imm for _, what in own if what.name == "addi" and what.rd == register}
            for pc, what in own:
                if what.name in ("lui", "auipc"):
                    base = pc if what.name == "auipc" else 0
                    found |= {base + what.imm + low & 0xFFFFFFFF for low in lows}
        return sorted(found & self.entries.keys())

    @cached_property
    def global_pointer(self) -> int | None:
        """What gp holds, by the linker; None: nothing."""
        return self.image.label("__global_pointer$")

    @cached_property
    def in_isr(self) -> int | None:
        """Where the word lies that is not 0 while a handler runs; None: this port has none."""
        return self.member("k_cpu", "cpu", "arch", "in_isr")

    def extent(self, name: str) -> tuple[int, int]:
        """Return where a variable begins and ends; twice 0 where there is none."""
        at = self.image.label(name)
        return (at, at + self.image.size(name)) if at is not None else (0, 0)

    def constant(self, pc: int, register: int) -> int | None:
        """Return what the instruction before `pc` leaves in a register, where it is an address."""
        for size in (4, 2) if pc not in self.leaders else ():
            before = self.code.get(pc - size)
            if before is not None and before.size == size and before.rd == register:
                if before.name == "auipc":
                    return pc - size + before.imm & 0xFFFFFFFF
                if before.name == "lui":
                    return before.imm
        return None

    @cached_property
    def _taken(self) -> set[int]:
        """The functions whose address is in the image: in data, or made by code of two halves."""
        taken = set()
        skipped = [range(start, end) for start, end in map(self.extent, _TABLES_OF_CALLS)]
        for address, data in self._data:
            for at in range(0, len(data) - 3, 4):
                word = int.from_bytes(data[at : at + 4], "little")
                if word in self.entries and not any(address + at in one for one in skipped):
                    taken.add(word)
        halves: dict[tuple[str, int], set[int]] = defaultdict(set)  # by function and register
        lows: dict[tuple[str, int], set[int]] = defaultdict(set)
        for pc, what in self.code.items():
            if what.name == "lui":
                halves[self.function(pc), what.rd].add(what.imm)
            elif what.name == "auipc":
                halves[self.function(pc), what.rd].add(pc + what.imm & 0xFFFFFFFF)
            elif what.name == "addi" and what.reads != (0,):
                lows[self.function(pc), what.reads[0]].add(what.imm)
        for name, high in halves.items():
            found = {half + low & 0xFFFFFFFF for half in high for low in (*lows[name], 0)}
            taken |= found & self.entries.keys()
        return taken

    @cached_property
    def _debug(
        self,
    ) -> tuple[Mapping[int, Prototype], Mapping[str, set[Prototype]], Set[str]]:
        """What functions there are, by address; pointers to functions, by name; all functions."""
        functions: dict[int, Prototype] = {}
        pointers: dict[str, set[Prototype]] = defaultdict(set)
        named: set[str] = set()
        for unit in self.image.debug_units():
            for entry in unit.iter_DIEs():
                if entry.tag == "DW_TAG_subprogram" and _named(entry):
                    named.add(_name(entry))
                if entry.tag == "DW_TAG_subprogram" and "DW_AT_low_pc" in entry.attributes:
                    functions[entry.attributes["DW_AT_low_pc"].value] = _prototype(_origin(entry))
                elif entry.tag in ("DW_TAG_member", "DW_TAG_formal_parameter", "DW_TAG_variable"):
                    pointed = _pointed_function(entry)
                    if pointed is not None and "DW_AT_name" in entry.attributes:
                        pointers[_name(entry)].add(_prototype(pointed))
                        owner = entry.get_parent()
                        if entry.tag == "DW_TAG_member" and _named(owner):
                            pointers[f"{_name(owner)}.{_name(entry)}"].add(_prototype(pointed))
        return functions, pointers, named

    def member(self, variable: str, structure: str, *path: str) -> int | None:
        """Return where a member of a variable, or of a structure in it, is; None: nowhere."""
        at = self.image.label(variable)
        entry = next(self._structures(structure), None)
        for name in path:
            found = [one for one in entry.iter_children() if _is_named(one, name)] if entry else []
            if at is None or not found:
                return None
            at += found[0].attributes["DW_AT_data_member_location"].value
            entry = _type(found[0])
        return at

    def _structures(self, name: str) -> Iterator[Any]:
        for unit in self.image.debug_units():
            for entry in unit.get_top_DIE().iter_children():
                is_whole = entry.tag == "DW_TAG_structure_type" and entry.has_children
                if is_whole and _is_named(entry, name):
                    yield entry

    def at_words(self, pc: int) -> Sequence[int]:
        """Return the registers that hold addresses of the kernel's structures, which lie at words.

        Of a call's first arguments, by its prototype: `struct k_sem *`.
        """
        _, *parameters = self._prototypes.get(pc, ("",))
        pointers = [*takewhile(lambda told: told.endswith("*"), parameters[:_ARGUMENTS])]
        return [_A0 + n for n, told in enumerate(pointers) if _KERNELS.fullmatch(told)]

    def is_inlined(self, name: str) -> bool:
        """Say whether a function of that name is in the sources, without code of its own."""
        return name in self._debug[2] and self.image.address(name) is None

    @property
    def _prototypes(self) -> Mapping[int, Prototype]:
        return self._debug[0]

    @property
    def _pointers(self) -> Mapping[str, set[Prototype]]:
        return self._debug[1]


def _name(entry: Any) -> str:
    return str(entry.attributes["DW_AT_name"].value.decode())


def _origin(entry: Any) -> Any:
    """Return the entry that has a function's types: an inlined one's own has none."""
    for attribute in ("DW_AT_abstract_origin", "DW_AT_specification"):
        if attribute in entry.attributes:
            return entry.get_DIE_from_attribute(attribute)
    return entry


def _type(entry: Any) -> Any:
    """Return the entry of its type, without qualifiers and other names; None for void."""
    while entry is not None:
        told = "DW_AT_type" in entry.attributes
        entry = entry.get_DIE_from_attribute("DW_AT_type") if told else None
        if entry is None or entry.tag not in _QUALIFIERS:
            return entry
    return None


def _pointed_function(entry: Any) -> Any:
    pointer = _type(entry)
    if pointer is None or pointer.tag != "DW_TAG_pointer_type":
        return None
    pointed = _type(pointer)
    return pointed if pointed is not None and pointed.tag == "DW_TAG_subroutine_type" else None


def _prototype(entry: Any) -> Prototype:
    return (_shown(_type(entry)), *_parameters(entry))


def _parameters(entry: Any) -> Iterator[str]:
    for child in entry.iter_children():
        if child.tag == "DW_TAG_formal_parameter":
            yield _shown(_type(child))


def _shown(entry: Any, depth: int = 0) -> str:
    if entry is None or depth > _DEEPEST:
        return "void"
    if entry.tag == "DW_TAG_pointer_type":
        return f"{_shown(_type(entry), depth + 1)} *"
    if entry.tag == "DW_TAG_subroutine_type":
        return f"function({', '.join(_parameters(entry))})"
    return f"{entry.tag.removeprefix('DW_TAG_')} {_name(entry) if _named(entry) else '?'}"


def _is_named(entry: Any, name: str) -> bool:
    return _named(entry) and _name(entry) == name


def _named(entry: Any) -> bool:
    return "DW_AT_name" in entry.attributes
