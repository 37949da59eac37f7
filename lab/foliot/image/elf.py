# SPDX-License-Identifier: Apache-2.0
"""What the lab reads out of an ELF: names for addresses, sizes of types, kinds of sections.

An image is all that the lab knows of the firmware beside its output, so a foreign
kernel's image is as good as our own; what it lacks (symbols, debug information) leaves
an answer empty and is no error.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foliot.model.errors import UsageError

if TYPE_CHECKING:
    from elftools.elf.elffile import ELFFile

# The p_flags and sh_flags bits that say what a section weighs in.
_WRITE, _ALLOC = 1, 2


class Image:
    """One ELF file, opened lazily and read as far as the questions need."""

    def __init__(self, path: Path) -> None:
        """Open `path`; UsageError where it can't be read or is no ELF file."""
        from elftools.common.exceptions import ELFError
        from elftools.elf.elffile import ELFFile

        try:
            self._file = path.open("rb")
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}") from None
        try:
            self._elf: ELFFile = ELFFile(self._file)
        except (ELFError, EOFError):
            raise UsageError(f"{path} is no ELF file") from None
        self.path = path

    @cached_property
    def machine(self) -> str:
        """The machine it is for, in pyelftools' words: RISC-V, ARM, x64..."""
        return str(self._elf.get_machine_arch())

    @property
    def word_bytes(self) -> int:
        """How many bytes an address has."""
        return int(self._elf.elfclass) // 8

    @property
    def thumb(self) -> bool:
        """True where bit 0 of a code address is no part of the address."""
        return self.machine == "ARM"

    def function(self, address: int) -> str | None:
        """Return `name+0x12` for an address inside of a function, else None."""
        address &= ~1 if self.thumb else ~0
        starts, functions = self._functions
        index = bisect.bisect_right(starts, address) - 1
        if index < 0:
            return None
        start, size, name = functions[index]
        if address >= start + size:
            return None
        return name if address == start else f"{name}+{address - start:#x}"

    def functions(self) -> Sequence[tuple[int, int, str]]:
        """Return all functions, as (address, size in bytes, name), in rising order."""
        return self._functions[1]

    def address(self, function: str) -> int | None:
        """Return where the function of that name begins, or None; before a label of assembly."""
        found = [start for start, _, name in self._functions[1] if name == function]
        if len(found) > 1:
            told = {
                int(symbol["st_value"]) & (~1 if self.thumb else ~0)
                for symbol in self._symbols(function)
                if symbol["st_info"]["type"] == "STT_FUNC"
            }
            found = [start for start in found if start in told] or found
        return found[0] if found else None

    def label(self, name: str) -> int | None:
        """Return the address of code or data of this name, be it one of several there; or None."""
        for symbol in self._symbols(name):
            if symbol["st_info"]["type"] in ("STT_FUNC", "STT_NOTYPE", "STT_OBJECT"):
                return int(symbol["st_value"]) & (~1 if self.thumb else ~0)
        return None

    def size(self, name: str) -> int:
        """Return how many bytes the variable or function of that name has; 0 where none is."""
        return max((int(symbol["st_size"]) for symbol in self._symbols(name)), default=0)

    def end(self) -> int:
        """Return the address behind the last byte that it occupies in memory."""
        segments = self._elf.iter_segments("PT_LOAD")
        return max((segment["p_paddr"] + segment["p_memsz"] for segment in segments), default=0)

    def word(self, address: int) -> int | None:
        """Return the 32 bits that the image puts at `address`, or None where it has none."""
        for segment in self._elf.iter_segments("PT_LOAD"):
            offset = address - segment["p_vaddr"]
            if 0 <= offset <= segment["p_filesz"] - 4:
                data = segment.data()[offset : offset + 4]
                return int.from_bytes(data, "little" if self._elf.little_endian else "big")
        return None

    def variable(self, address: int) -> str | None:
        """Return `name+0x12` for an address inside of a variable, else None."""
        starts, variables = self._variables
        index = bisect.bisect_right(starts, address) - 1
        if index < 0 or address >= variables[index][0] + variables[index][1]:
            return None
        start, _, name = variables[index]
        return name if address == start else f"{name}+{address - start:#x}"

    def line(self, address: int) -> str | None:
        """Return `file.c:12` for an address, where there is debug information for it."""
        address &= ~1 if self.thumb else ~0
        lines = (line for start, end, line in self._lines if start <= address < end)
        return next(lines, None)

    def where(self, address: int) -> str | None:
        """Return `function+0x12 (file.c:34)`, as much of it as is known."""
        function = self.function(address)
        if function is None:
            return None
        line = self.line(address)
        return f"{function} ({line})" if line else function

    def section(self, name: str) -> bytes | None:
        """Return the content of a section, or None where there is none of that name."""
        found = self._elf.get_section_by_name(name)
        return bytes(found.data()) if found is not None else None

    def section_kinds(self) -> dict[str, str]:
        """Map each loaded section to what it weighs in: text (with constants), data or bss."""
        kinds = {}
        for section in self._elf.iter_sections():
            flags = section["sh_flags"]
            if not flags & _ALLOC or not section["sh_size"]:
                continue
            if section["sh_type"] == "SHT_NOBITS":
                kinds[section.name] = "bss"
            else:
                kinds[section.name] = "data" if flags & _WRITE else "text"
        return kinds

    def section_sizes(self) -> dict[str, int]:
        """Map each section's name to its size in bytes."""
        return {section.name: section["sh_size"] for section in self._elf.iter_sections()}

    def struct_sizes(self, names: Iterable[str]) -> Mapping[str, int]:
        """Return the size in bytes of those structures that the debug information defines."""
        wanted = set(names)
        found: dict[str, int] = {}
        if not self._elf.has_dwarf_info():
            return found
        for unit in self._dwarf.iter_CUs():
            for entry in unit.get_top_DIE().iter_children():
                name, size = _struct(entry)
                if name in wanted and size is not None:
                    found[name] = size
            if len(found) == len(wanted):
                break
        return found

    def has_debug_info(self) -> bool:
        """Say whether it was built with debug information."""
        return bool(self._elf.has_dwarf_info())

    def debug_units(self) -> Iterator[Any]:
        """Yield the units of its debug information, as pyelftools has them (debug_info.py)."""
        yield from self._dwarf.iter_CUs()

    @cached_property
    def _lines(self) -> Sequence[tuple[int, int, str]]:
        """Where each line's instructions begin and end, unit by unit."""
        if not self._elf.has_dwarf_info():
            return ()
        return [line for unit in self._dwarf.iter_CUs() for line in _lines_of(self._dwarf, unit)]

    def _symbols(self, name: str) -> Sequence[Any]:
        return (self._table.get_symbol_by_name(name) or ()) if self._table else ()

    @cached_property
    def _table(self) -> Any:
        """The table of symbols, or None: asked for anew it is another, that reads them anew."""
        return self._elf.get_section_by_name(".symtab")

    @cached_property
    def _dwarf(self) -> Any:
        """The debug information; it remembers what was read of it."""
        return self._elf.get_dwarf_info()

    @cached_property
    def _variables(self) -> tuple[list[int], list[tuple[int, int, str]]]:
        found = sorted(
            (symbol["st_value"], symbol["st_size"], symbol.name)
            for symbol in (self._table.iter_symbols() if self._table else ())
            if symbol["st_info"]["type"] == "STT_OBJECT" and symbol["st_size"]
        )
        return [start for start, _, _ in found], found

    @cached_property
    def _functions(self) -> tuple[list[int], list[tuple[int, int, str]]]:
        functions: dict[int, tuple[int, int, str]] = {}
        for symbol in self._table.iter_symbols() if self._table else ():
            kind = symbol["st_info"]["type"]
            mapping = symbol.name.startswith(("$", ".L"))
            if kind not in ("STT_FUNC", "STT_NOTYPE") or not symbol.name or mapping:
                continue
            if not isinstance(symbol["st_shndx"], int):
                continue
            start = symbol["st_value"] & (~1 if self.thumb else ~0)
            known = functions.get(start)
            if kind == "STT_FUNC" or known is None:
                functions[start] = (start, symbol["st_size"], symbol.name)
        ordered = sorted(functions.values())
        # Assembly labels carry no size: such a function reaches as far as the next one.
        sized = [
            (start, size or (ordered[i + 1][0] - start if i + 1 < len(ordered) else 4), name)
            for i, (start, size, name) in enumerate(ordered)
        ]
        return [start for start, _, _ in sized], sized


def _struct(entry: Any) -> tuple[str | None, int | None]:
    if entry.tag != "DW_TAG_structure_type" or "DW_AT_byte_size" not in entry.attributes:
        return None, None
    name = entry.attributes.get("DW_AT_name")
    return (name.value.decode() if name else None), entry.attributes["DW_AT_byte_size"].value


def _lines_of(dwarf: Any, unit: Any) -> Iterator[tuple[int, int, str]]:
    program = dwarf.line_program_for_CU(unit)
    before = None
    for entry in program.get_entries() if program else ():
        state = entry.state
        if state is None:
            continue
        if before is not None and before.address < state.address:
            index = before.file - (0 if program["version"] >= 5 else 1)
            name = program["file_entry"][index].name.decode()
            yield before.address, state.address, f"{name}:{before.line}"
        before = None if state.end_sequence else state
