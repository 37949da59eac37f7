# SPDX-License-Identifier: Apache-2.0
"""What is proved of system calls' verifiers, on an image's bytes: what they let pass at once.

A verifier looks at its object quickly, with what C has no words for (a right is read at an address
that was computed of the thread's and the index). So that is shown where it ends up: on all paths of
`verify_NAME`, for whatever a user passes and whatever lies there, the first function that is
called is the thorough look with the same object, the place of its tag and its kind, or there is an
entry whose name is that of this object with this kind and which the running thread has a right to,
or everybody. Which kind a verifier has to ask for is read from its source.

Assumed: the stack of system calls lies in nothing of the kernel's that is read here. What a user
names may lie there: what is read of it is anything, as all of memory is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from foliot.model.errors import FoliotError
from foliot.prove.claims import Claim, claims_of
from foliot.prove.rv32 import Image, beginning, is_possible, literal, paths
from foliot.target import paths as places

_SOURCES = ("kernel/syscall", "kernel/ipc", "kernel/objects")
_LOOK = re.compile(
    r"#define (VERIFY_\w+)\((\w+)\)\s+(?:\\\n\s*)?VERIFY_OBJECT\(\2, struct (\w+), (K_OBJ_\w+)\)"
)
_VERIFIER = re.compile(r"^[a-z][\w *]*?\bverify_(k_\w+)\(([^)]*)\)\n\{(.*?)^\}", re.M | re.S)
_CALL = re.compile(
    r"^OPERATION\w*\(\w[\w *]*?, (k_\w+), \(([^)]*)\),.*?"
    r"IS_USABLE\((\w+), struct (\w+), (K_OBJ_\w+)\)\)$",
    re.M | re.S,
)
_LATER = frozenset({"k_thread_abort"})  # it ends what waits for its end first, and looks then
_NAME = re.compile(r"\w+$")
_THOROUGH = ("verify_allocated", "verify_allocated_thread")
_PUBLIC, _NAME_SHIFT = 0x20, 24


@dataclass(frozen=True, slots=True)
class _Asked:
    """A verifier, and what it has to ask of its first parameter."""

    name: str
    type: str
    kind: str


def asked() -> list[_Asked]:
    """Return the verifiers whose first parameter is an object, as their sources have them."""
    looks: dict[str, tuple[str, str]] = {}
    found: dict[str, _Asked] = {}
    files = [file for room in _SOURCES for file in sorted((places.ROOT / room).glob("*.[ch]"))]
    texts = [file.read_text(encoding="utf-8") for file in files]
    for text in texts:
        looks |= {name: (struct, kind) for name, _, struct, kind in _LOOK.findall(text)}
    for text in texts:
        for name, parameters, first, struct, kind in _CALL.findall(text):
            if _first(parameters) == first:
                found[name] = _Asked(name, struct, kind)
        for name, parameters, body in _VERIFIER.findall(text):
            for look, argument in re.findall(r"\b(VERIFY_\w+|verify_thread)\((\w+)\)", body):
                if argument != _first(parameters):
                    continue
                struct, kind = looks.get(look, ("k_thread", "K_OBJ_THREAD"))
                found.setdefault(name, _Asked(name, struct, kind))
    return sorted(
        (one for one in found.values() if one.name not in _LATER), key=lambda one: one.name
    )


def _first(parameters: str) -> str:
    """Return the name of the first."""
    found = _NAME.search(parameters.partition(",")[0])
    return found[0] if found else ""


class _Types:
    """Where structures have their members, and enumerations' values, as the debugger knows them."""

    def __init__(self, image: Image, structs: set[str]) -> None:
        from elftools.elf.elffile import ELFFile

        self.offsets: dict[tuple[str, str], int] = {}
        self.kinds: dict[str, int] = {}
        with image.elf.open("rb") as file:
            for unit in ELFFile(file).get_dwarf_info().iter_CUs():
                if structs <= {name for name, _ in self.offsets} and self.kinds:
                    break
                self._read(unit)

    def _read(self, unit: Any) -> None:
        for one in unit.get_top_DIE().iter_children():
            if one.tag == "DW_TAG_structure_type" and "DW_AT_name" in one.attributes:
                self._members(_name(one), one, 0)
            elif one.tag == "DW_TAG_enumeration_type":
                for value in one.iter_children():
                    if _name(value).startswith("K_OBJ_"):
                        self.kinds[_name(value)] = value.attributes["DW_AT_const_value"].value

    def _members(self, struct: str, die: Any, base: int) -> None:
        for one in die.iter_children():
            if one.tag != "DW_TAG_member" or "DW_AT_name" not in one.attributes:
                continue
            place = base + one.attributes["DW_AT_data_member_location"].value
            self.offsets.setdefault((struct, _name(one)), place)
            if _name(one) == "user" and struct == "k_thread":
                self._members(struct, one.get_DIE_from_attribute("DW_AT_type"), place)


def _name(die: Any) -> str:
    return str(die.attributes["DW_AT_name"].value.decode())


def types_of(image: Image) -> _Types:
    """Read them for all verifiers that the image has."""
    there = {one.type for one in asked() if f"verify_{one.name}" in image.symbols}
    return _Types(image, there | {"k_thread"})


def verifiers(image: Image, only: str = "") -> list[Claim]:
    """Follow each verifier of an object that the image has; or one of them."""
    types = types_of(image)
    found: list[Claim] = []
    for one in asked():
        if f"verify_{one.name}" in image.symbols and only in ("", one.name):
            found += _claims(image, types, one)
    if not found:
        raise FoliotError("the image has no verifiers")
    return found


def _claims(image: Image, types: _Types, one: _Asked) -> Iterator[Claim]:
    symbol = f"verify_{one.name}"
    own = image.symbols[symbol]
    stops = {place: name for name, place in image.symbols.items() if place != own}
    kind = types.kinds[one.kind]
    current = f"(select memory {literal(image.symbols['k_cpu'])})"
    given = [f"(= (bvand {current} #x00000003) #x00000000)"]
    begin = replace(beginning(image, symbol), frame="x2")
    for end in paths(image, begin, lambda now: now.pc in stops):
        if end.end or not is_possible(end, given):
            continue  # it returns, and has called nobody
        tag = types.offsets[one.type, "object_tag"]
        said = _may(image, types, kind, tag)
        if stops[end.pc] in _THOROUGH:  # of that, or of another that is looked at behind it
            asks = [f"(= {end.register('x10')} x10)"]
            if stops[end.pc] == "verify_allocated":
                asks.append(f"(= {end.register('x11')} {literal(tag)})")
                asks.append(f"(= {end.register('x12')} {literal(kind)})")
            said = f"(or {said} (and {' '.join(asks)}))"
        what = "asks" if stops[end.pc] in _THOROUGH else "goes on"
        yield from claims_of(f"{symbol}, {what}", end, given, {"the right is there": said})


def _entries(image: Image) -> int:
    return image.sizes["object_names"] // 4


def _may(image: Image, types: _Types, kind: int, tag: int) -> str:
    """Say that the name where its tag leads is this object's, and the thread may use it."""
    place = f"(bvadd x10 {literal(tag)})"
    word = f"(select memory (bvand {place} {literal(-4)}))"
    shift = f"(bvshl (bvand {place} {literal(3)}) {literal(3)})"
    index = f"(bvand (bvlshr {word} {shift}) {literal(_entries(image) - 1)})"
    names = literal(image.symbols["object_names"])
    name = f"(bvxor (select memory (bvadd {names} (bvshl {index} {literal(2)}))) x10)"
    grants = (
        f"(bvadd (select memory {literal(image.symbols['k_cpu'])}) "
        f"{literal(types.offsets['k_thread', 'grants'])})"
    )
    granted = f"(select memory (bvadd {grants} (bvshl (bvlshr {index} {literal(5)}) {literal(2)})))"
    right = (
        f"(= (bvand (bvlshr {granted} (bvand {index} {literal(31)})) {literal(1)}) {literal(1)})"
    )
    own, public = (f"(= {name} {literal(word << _NAME_SHIFT)})" for word in (kind, kind | _PUBLIC))
    return f"(or {public} (and {own} {right}))"
