# SPDX-License-Identifier: Apache-2.0
"""What is proved of system calls' fast paths, on an image's bytes: what they leave alone.

A fast path is C, compiled not to touch some registers, and user.S rests on that: what it neither
saves nor wipes goes back to user mode as it came. So each function of fast_table is followed, on
all of its paths, possible or not, to where it ends: in one of the port's functions, and it calls
nothing. There its stack, its return address and what a callee keeps are as they were, no control
register is another;

* where the call is done, nothing was changed but a0 to a5;
* where all is wiped, or another function goes on, the rest of what a function may change may be;
* where it goes on by its slow path, its arguments and its number are there still, and from its
  verifier on nothing has been stored but below its stack.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from foliot.model.errors import FoliotError
from foliot.prove.claims import Claim
from foliot.prove.rv32 import Image, State, beginning, holds, literal, paths, split
from foliot.prove.traps import BY_CALLEE

_DONE = "arch_user_call_done"
_ANYWHERE = ("arch_user_call_cleared", "arch_user_call_masked", "arch_user_call_masked_throughout",
             "arch_user_call_switch", "arch_user_call_switch_and_store")  # fmt: skip
_SLOW = ("arch_user_call_verified", "arch_user_call_checked")
_KEPT = ("x1", "x2", "x3", "x4", *BY_CALLEE)
_CHANGED = tuple(f"x{n}" for n in range(10, 16))  # a0 to a5
_NUMBER = "x17"
_ROOM = 64  # of its stack, that a fast path may have


def fast_paths(image: Image, only: str = "") -> list[Claim]:
    """Follow each function of fast_table; or one of them."""
    found = _parameters(image.elf)
    chosen = [name for name in names(image) if only in ("", name)]
    return [claim for name in chosen for claim in _claims(image, name, found[name])]


def names(image: Image) -> list[str]:
    """Return the functions of the table, as the image has them."""
    by_place = {place: name for name, place in image.symbols.items() if name.startswith("fast_")}
    table, count = image.symbols["fast_table"], image.symbols["NUM_FAST"]
    words = [image.word(table + 4 * number) for number in range(count)]
    missing = [f"{word:#x}" for word in words if word not in by_place]
    if missing or not words:
        raise FoliotError("the table of fast paths is not read", lines=missing)
    return [by_place[word] for word in words]


@cache
def _parameters(elf: Path) -> dict[str, list[bool]]:
    """Return of each function's parameters whether it is a `bool`, as the debugger knows them."""
    from elftools.elf.elffile import ELFFile

    found: dict[str, list[bool]] = {}
    with elf.open("rb") as file:
        for unit in ELFFile(file).get_dwarf_info().iter_CUs():
            top = unit.get_top_DIE()
            if b"/syscall/fast" not in top.attributes["DW_AT_name"].value:
                continue
            for one in top.iter_children():
                if one.tag == "DW_TAG_subprogram" and "DW_AT_external" in one.attributes:
                    found[one.attributes["DW_AT_name"].value.decode()] = [
                        _is_bool(part) for part in one.iter_children()
                        if part.tag == "DW_TAG_formal_parameter"
                    ]  # fmt: skip
    return found


def _is_bool(parameter: Any) -> bool:
    of = parameter.get_DIE_from_attribute("DW_AT_type")
    return "DW_AT_name" in of.attributes and of.attributes["DW_AT_name"].value == b"_Bool"


def _claims(image: Image, name: str, parameters: list[bool]) -> Iterator[Claim]:
    ends = {image.symbols[one]: one for one in (_DONE, *_ANYWHERE, *_SLOW)}
    begin = replace(beginning(image, name), frame="x2")
    for end in paths(image, begin, lambda now: now.pc in ends):
        to = "" if end.end else ends[end.pc]
        yield Claim(f"{name}: it ends in one of the port's functions", to != "")
        kept = list(_KEPT)
        if to == _DONE:
            kept += [f"x{n}" for n in range(1, 32) if f"x{n}" not in (*kept, *_CHANGED)]
        if to in _SLOW:
            kept.append(_NUMBER)
            for number, is_bool in enumerate(parameters):
                one = f"x{10 + number}"
                yield Claim(f"{name}, {to}: {one} is as it came", _came(end, one, is_bool))
        for one in kept:
            is_same = end.register(one) == begin.register(one)
            yield Claim(f"{name}, {to}: {one} is as it was", is_same)
        yield Claim(f"{name}, {to}: no control register is another", not end.controls)
        if to == _SLOW[0]:
            is_own = all(map(_is_below_stack, end.stores))
            yield Claim(f"{name}, {to}: nothing is stored but below its stack", is_own)


def _came(end: State, name: str, is_bool: bool) -> bool:
    """Say whether an argument is there still: of a `bool` that is whether it is 0."""
    if end.register(name) == name:
        return True
    number = f"(ite (= {name} {literal(0)}) {literal(0)} {literal(1)})"
    return is_bool and holds(end, [], f"(= {end.register(name)} {number})")


def _is_below_stack(address: str) -> bool:
    base, offset = split(address)
    return base == "x2" and -_ROOM <= offset < 0
