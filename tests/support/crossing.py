# SPDX-License-Identifier: Apache-2.0
"""Where the kernel copies from and to user memory, by its sources; the types there, by DWARF."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elftools.dwarf.die import DIE

# Which argument is the kernel's side: where it goes to, or comes from.
COPIERS_IN = {"user_copy_in": 0, "user_try_copy_in": 0, "user_copy_string": 0,
              "user_copy_message": 1, "arch_copy_guarded": 0}  # fmt: skip
COPIERS_OUT = {"user_copy_out": 1, "user_try_copy_out": 1, "user_copy_out_steps": 1}
_CALL = re.compile(rf"\b({'|'.join([*COPIERS_IN, *COPIERS_OUT])})\(")
# The first line of a function: its name, in a line of its own or the one before that.
_BEGINS = re.compile(
    r"^(?!typedef|extern|BUILD_ASSERT|#)[A-Za-z_][^;=]*?\b(\w+)\s*\([^;]*$", re.MULTILINE
)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_OPENED = re.compile(r"ARCH_USER_OPEN\(\);(.*?)ARCH_USER_CLOSE\(\);", re.DOTALL)
# A variable, perhaps a part of it: `&kept[i].state`.
_PLAIN = re.compile(r"&?(\w+)((?:\[\w+\]|(?:->|\.)\w+)*)")


@dataclass(frozen=True)
class Place:
    """A copy between user memory and the kernel's `side`, in a function of a file."""

    file: str
    function: str
    copier: str
    side: str

    @property
    def is_out(self) -> bool:
        """It goes to user mode."""
        return self.copier in COPIERS_OUT


def without_comments(text: str) -> str:
    """Leave the lines where they are."""
    return _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)


def functions(text: str) -> Iterator[tuple[str, str]]:
    """Each function of a source and its body."""
    for begins in _BEGINS.finditer(text):
        start, end = text.find("\n{\n", begins.start()), text.find("\n}\n", begins.start())
        if 0 <= start < end and ";" not in text[begins.end() : start]:
            yield begins[1], text[start + 1 : end]


def _arguments(text: str) -> list[str]:
    """Split what stands behind an opened parenthesis at its commas, as far as that is closed."""
    depth, found = 0, [""]
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            break
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [" ".join(one.split()) for one in found]


def places(file: str, text: str) -> Iterator[Place]:
    """Find each copy in a source, but what one copying function asks of another one."""
    for function, body in functions(without_comments(text)):
        if function in COPIERS_IN or function in COPIERS_OUT:
            continue
        for call in _CALL.finditer(body):
            name = call[1]
            index = {**COPIERS_IN, **COPIERS_OUT}[name]
            yield Place(file, function, name, _arguments(body[call.end() :])[index])


def opened(text: str) -> Iterator[tuple[str, str]]:
    """Find what a source does while user memory is open to it: the function, the statements."""
    for function, body in functions(without_comments(text)):
        for found in _OPENED.finditer(body):
            yield function, " ".join(found[1].split())


# ---- types ----


@dataclass(frozen=True)
class Leaf:
    """A part of a type that has no parts: how to reach it, and what it is."""

    path: str
    kind: str  # a type's name as it was declared; "*" behind it: a pointer
    size: int

    @property
    def is_pointer(self) -> bool:
        """It leads somewhere."""
        return self.kind.endswith("*")


_PASSED = {"DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_typedef"}


def _target(die: DIE) -> DIE | None:
    return die.get_DIE_from_attribute("DW_AT_type") if "DW_AT_type" in die.attributes else None


def _name(die: DIE) -> str:
    found = die.attributes.get("DW_AT_name")
    return str(found.value.decode()) if found else ""


def bare(die: DIE | None) -> DIE | None:
    """Take qualifiers and other names off a type; None: void."""
    while die is not None and die.tag in _PASSED:
        die = _target(die)
    return die


def type_name(die: DIE | None) -> str:
    """Return what a type is called, without qualifiers; "void", "struct k_sem", "char *"."""
    while die is not None and die.tag in {"DW_TAG_const_type", "DW_TAG_volatile_type"}:
        die = _target(die)
    if die is None:
        return "void"
    if die.tag == "DW_TAG_pointer_type":
        return f"{type_name(_target(die))} *"
    words = {"DW_TAG_structure_type": "struct ", "DW_TAG_union_type": "union ",
             "DW_TAG_subroutine_type": "function"}  # fmt: skip
    return words.get(str(die.tag), "") + _name(die)


def leaves(die: DIE | None, path: str = "") -> Iterator[Leaf]:
    """Walk a type down to what has no parts."""
    plain = bare(die)
    if plain is None:
        return
    if plain.tag in {"DW_TAG_structure_type", "DW_TAG_union_type"}:
        for member in plain.iter_children():
            if member.tag == "DW_TAG_member":
                name = _name(member)
                yield from leaves(_target(member), f"{path}.{name}" if path and name
                                  else path or name)  # fmt: skip
    elif plain.tag == "DW_TAG_array_type":
        yield from leaves(_target(plain), path)
    else:
        size = plain.attributes.get("DW_AT_byte_size")
        yield Leaf(path, type_name(plain if plain.tag == "DW_TAG_pointer_type" else die),
                   size.value if size else 0)  # fmt: skip


class Types:
    """The debug information of an image."""

    def __init__(self, path: Path) -> None:
        """Read it."""
        from elftools.elf.elffile import ELFFile

        self._functions: dict[tuple[str, str], Any] = {}
        self._file = path.open("rb")
        for unit in ELFFile(self._file).get_dwarf_info().iter_CUs():
            names = _file_names(unit)
            for die in unit.get_top_DIE().iter_children():
                file = die.attributes.get("DW_AT_decl_file")
                if die.tag == "DW_TAG_subprogram" and _name(die) and file:
                    self._functions.setdefault((names[file.value], _name(die)), die)

    def has(self, place: Place) -> bool:
        """Is that function there? What an image is not built with is not."""
        return (place.file, place.function) in self._functions

    def of(self, place: Place) -> DIE | None:
        """Return the type of what a place names, as it is declared; None: of bytes, void."""
        plain = _PLAIN.fullmatch(place.side)
        if plain is None:
            return None  # computed from a number, or cast: bytes
        function = self._functions[place.file, place.function]
        found = _variable(function, plain[1])
        if found is None:
            raise AssertionError(f"{place}: no variable {plain[1]}")
        declared = _target(found)
        for part in re.findall(r"\[\w+\]|\w+", plain[2]):
            declared = _pointee(declared) if part.startswith("[") else _member(declared, part)
        return declared if place.side.startswith("&") else _pointee(declared)


def _file_names(unit: Any) -> list[str]:
    program = unit.dwarfinfo.line_program_for_CU(unit)
    names = [entry.name.decode().rsplit("/", 1)[-1] for entry in program["file_entry"]]
    return names if program["version"] >= 5 else ["", *names]


def _variable(die: DIE, name: str) -> DIE | None:
    for child in die.iter_children():
        if child.tag in {"DW_TAG_variable", "DW_TAG_formal_parameter"} and _name(child) == name:
            return child
        found = _variable(child, name) if child.tag == "DW_TAG_lexical_block" else None
        if found is not None:
            return found
    return None


def _pointee(die: DIE | None) -> DIE | None:
    plain = bare(die)
    assert plain is not None
    assert plain.tag in {"DW_TAG_pointer_type", "DW_TAG_array_type"}, plain
    return _target(plain)


def _member(die: DIE | None, name: str) -> DIE | None:
    plain = bare(die)
    plain = bare(_target(plain)) if plain is not None and "pointer" in str(plain.tag) else plain
    assert plain is not None
    return next(_target(one) for one in plain.iter_children() if _name(one) == name)
