# SPDX-License-Identifier: Apache-2.0
"""What an image's debug information says of its variables, structures and functions.

A trace reads the kernel's structures where they lie, of an image that was not made for it. So
nothing here knows a layout: where a member is, what a variable is and what a function takes
and returns comes out of DWARF. What is not told leaves an answer empty and is no error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from foliot.image.elf import Image

_ADDRESS = 0x03  # DW_OP_addr
_SIGNED = 0x05  # DW_ATE_signed
_PASSED_THROUGH = ("DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type")


@dataclass(frozen=True, slots=True)
class Type:
    """A type as far as a trace needs it; `name` is the structure's for a pointer to one too."""

    name: str
    size: int  # bytes
    kind: str  # struct, pointer, integer, other
    signed: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable that lies at an address for good; `count` of them where it is an array."""

    name: str
    address: int
    type: Type
    count: int = 1


@dataclass(frozen=True, slots=True)
class Function:
    """What a function takes, by name, and what it returns: None for nothing."""

    name: str
    parameters: tuple[tuple[str, Type], ...]
    result: Type | None


class DebugInfo:
    """The debug information of one image, read once."""

    def __init__(self, image: Image) -> None:
        """Remember the image; nothing is read yet."""
        self._image = image

    def member(self, struct: str, *path: str) -> tuple[int, int] | None:
        """Return (offset, size) in bytes of a member, by its path of names; None if there is none.

        Members of unnamed structures and unions within are found as the compiler finds them.
        """
        entry = self._structs.get(struct)
        found = (0, 0)
        for name in path:
            step = _member(entry, name) if entry is not None else None
            if step is None:
                return None
            offset, entry = step
            found = (found[0] + offset, _type(entry).size)
        return found

    def size(self, struct: str) -> int:
        """Return a structure's size in bytes; 0 where it is not told."""
        entry = self._structs.get(struct)
        return 0 if entry is None else _attribute(entry, "DW_AT_byte_size", 0)

    def constants(self, enumeration: str) -> Mapping[int, str]:
        """Return the names of an enumeration's values."""
        entry = self._enumerations.get(enumeration)
        children = () if entry is None else entry.iter_children()
        return {_attribute(child, "DW_AT_const_value", 0): _name(child) for child in children}

    def variables(self) -> Sequence[Variable]:
        """Return all variables that lie at an address for good, those within functions too."""
        return self._variables

    def function(self, name: str) -> Function | None:
        """Return what is told of a function of that name, or None."""
        return self._functions.get(name)

    def _units(self) -> Iterator[Any]:
        if self._image.has_debug_info():
            yield from self._image.debug_units()

    @cached_property
    def _structs(self) -> Mapping[str, Any]:
        return self._top("DW_TAG_structure_type")

    @cached_property
    def _enumerations(self) -> Mapping[str, Any]:
        return self._top("DW_TAG_enumeration_type")

    def _top(self, tag: str) -> Mapping[str, Any]:
        return {
            _name(entry): entry
            for unit in self._units()
            for entry in unit.get_top_DIE().iter_children()
            if entry.tag == tag and "DW_AT_byte_size" in entry.attributes
        }

    @cached_property
    def _variables(self) -> Sequence[Variable]:
        found = {}
        for unit in self._units():
            for entry in unit.iter_DIEs():
                if entry.tag == "DW_TAG_variable":
                    variable = _variable(entry)
                    if variable is not None:
                        found[variable.address, variable.name] = variable
        return list(found.values())

    @cached_property
    def _functions(self) -> Mapping[str, Function]:
        found: dict[str, Function] = {}
        for unit in self._units():
            for entry in unit.get_top_DIE().iter_children():
                if entry.tag == "DW_TAG_subprogram" and "DW_AT_prototyped" in entry.attributes:
                    told = _function(entry)
                    known = found.get(told.name)
                    if known is None or _names(known) < _names(told):
                        found[told.name] = told
        return found


def _attribute(entry: Any, name: str, otherwise: Any) -> Any:
    found = entry.attributes.get(name)
    return otherwise if found is None else found.value


def _name(entry: Any) -> str:
    value = _attribute(entry, "DW_AT_name", b"")
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _of(entry: Any) -> Any:
    """Return what an entry is of: its type's entry, or None for void."""
    return entry.get_DIE_from_attribute("DW_AT_type") if "DW_AT_type" in entry.attributes else None


def _plain(entry: Any) -> Any:
    """Return a type without the names and the qualifiers around it."""
    while entry is not None and entry.tag in _PASSED_THROUGH:
        entry = _of(entry)
    return entry


def _type(entry: Any) -> Type:
    name, entry = ("" if entry is None else _name(entry)), _plain(entry)
    if entry is None:
        return Type("void", 0, "other")
    size = _attribute(entry, "DW_AT_byte_size", 0)
    if entry.tag == "DW_TAG_pointer_type":
        pointed = _plain(_of(entry))
        return Type("void" if pointed is None else _name(pointed), size, "pointer")
    if entry.tag in ("DW_TAG_structure_type", "DW_TAG_union_type"):
        return Type(_name(entry) or name, size, "struct")
    if entry.tag == "DW_TAG_array_type":
        element = _type(_of(entry))
        return Type(element.name, element.size * _elements(entry), "other")
    if entry.tag in ("DW_TAG_base_type", "DW_TAG_enumeration_type"):
        signed = _attribute(entry, "DW_AT_encoding", 0) == _SIGNED
        return Type(_name(entry), size, "integer", signed)
    return Type(_name(entry), size, "other")


def _member(entry: Any, name: str) -> tuple[int, Any] | None:
    """Return (offset, the type's entry) of a member."""
    entry = _plain(entry)
    for child in entry.iter_children() if entry is not None else ():
        if child.tag != "DW_TAG_member":
            continue
        offset = _attribute(child, "DW_AT_data_member_location", 0)
        if _name(child) == name:
            return offset, _of(child)
        if not _name(child):
            within = _member(_of(child), name)
            if within is not None:
                return offset + within[0], within[1]
    return None


def _variable(entry: Any) -> Variable | None:
    place = _attribute(entry, "DW_AT_location", None)
    if not isinstance(place, list) or not place or place[0] != _ADDRESS:
        return None
    if "DW_AT_specification" in entry.attributes:
        told = entry.get_DIE_from_attribute("DW_AT_specification")
    elif "DW_AT_abstract_origin" in entry.attributes:
        told = entry.get_DIE_from_attribute("DW_AT_abstract_origin")
    else:
        told = entry
    holder = entry if "DW_AT_type" in entry.attributes else told
    kind, count = _plain(_of(holder)), 1
    while kind is not None and kind.tag == "DW_TAG_array_type":
        count *= _elements(kind)
        kind = _plain(_of(kind))
    address = int.from_bytes(bytes(place[1:]), "little")
    return Variable(_name(told), address, _type(kind), count) if _name(told) else None


def _names(function: Function) -> int:
    """Return how many of its parameters have names: a declaration's have none."""
    return sum(bool(name) for name, _ in function.parameters)


def _elements(array: Any) -> int:
    """Return how many elements an array has; 0 where that is not told."""
    count = 1
    for bound in array.iter_children():
        last = _attribute(bound, "DW_AT_upper_bound", -1)
        count *= last + 1 if isinstance(last, int) else 0
    return count


def _function(entry: Any) -> Function:
    parameters = [
        (_name(child), _type(_of(child)))
        for child in entry.iter_children()
        if child.tag == "DW_TAG_formal_parameter"
    ]
    result = _of(entry)
    return Function(_name(entry), tuple(parameters), None if result is None else _type(result))
