# SPDX-License-Identifier: Apache-2.0
"""Options of Zephyr's in an application's prj.conf that are none of ours: data/zephyr/options.toml.

A program that was written for Zephyr names what it needs. Some of that is ours by another name;
much is always there here, and some of it never. The second is ignored, and said; the third refused
by its own name, and not as an unknown word.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from foliot.target import paths

_FILE = "data/zephyr/options.toml"
_NUMBER = re.compile(r"-?\d+|0x[0-9a-fA-F]+")
_PROMPT = re.compile(r'^config (\w+)\n\t(?:bool|int|hex|string) "', re.MULTILINE)
# What Zephyr calls an architecture of ours in C.
_ARCHITECTURES = {
    "cortex_m": ("ARM", "CPU_CORTEX_M"),
    "riscv": ("RISCV",),
    "aarch64": ("ARM64",),
    "x86_64": ("X86", "X86_64"),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of an assignment: ignored or refused, and why; or `ours` has it instead."""

    ignored: bool
    why: str
    ours: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of Zephyr's as docs/compatibility.md has it."""

    name: str
    state: str  # "same", "ignored", "refused"
    note: str


@functools.cache
def _tables(root: str) -> Mapping[str, Any]:
    path = paths.ROOT / _FILE
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _find(table: str, name: str) -> Any:
    """Return a table's entry of that name, or else of the first pattern that the name matches."""
    entries = _tables(str(paths.ROOT)).get(table, {})
    if name in entries:
        return entries[name]
    return next((entries[key] for key in entries if "*" in key and fnmatchcase(name, key)), None)


def judge(name: str, value: str, known: Collection[str] = ()) -> Verdict | None:
    """Say what becomes of CONFIG_`name`=`value`, which is none of ours; None: nor is it Zephyr's.

    `known` are our options on this board.
    """
    ours = _find("same", name)
    implied, absent = _find("implied", name), _find("absent", name)
    verdict = None
    if ours in known and value == "n":
        verdict = Verdict(True, f"is off anyway: it is CONFIG_{ours} here")
    elif ours in known:
        verdict = Verdict(True, f"is CONFIG_{ours} here", ours)
    elif implied is not None and implied[0] in ("*", value):
        verdict = Verdict(True, f"is implied: {implied[1]}")
    elif absent is not None and value == "n":
        verdict = Verdict(True, "is off anyway")
    elif absent is not None:
        verdict = Verdict(False, f"is not supported: {absent}")
    elif implied is not None:
        verdict = Verdict(False, f"is not supported (it is always {implied[0]}): {implied[1]}")
    return verdict


def defined(
    values: Mapping[str, str], assigned: Mapping[str, str], arch: str, emulated: bool
) -> dict[str, str]:
    """Return what of Zephyr's options C sees beside ours: `values` of those, what prj.conf has.

    Of what always holds its value; of what is ours by another name what was asked for; and
    what Zephyr's build makes of priorities and of the board.
    """
    found = {"TEST_EXTRA_STACK_SIZE": "0"}  # in a tree without the table, too
    for name, (value, _, *shown) in _tables(str(paths.ROOT)).get("implied", {}).items():
        if "*" in name or value == "n":
            continue
        if value != "*":
            found[name] = value
        elif shown and assigned.get(name, shown[0]):
            found[name] = assigned.get(name, shown[0])
    for name, ours in _tables(str(paths.ROOT)).get("same", {}).items():
        if name in assigned and values.get(ours, "n") != "n":
            found[name] = assigned[name]
    found |= dict.fromkeys(_ARCHITECTURES.get(arch, ()), "y")
    for name, count in (("COOP", "NUM_COOP_PRIORITIES"), ("PREEMPT", "NUM_PREEMPT_PRIORITIES")):
        if values.get(count, "0") != "0":
            found[f"{name}_ENABLED"] = "y"
    if emulated:
        found["QEMU_TARGET"] = "y"
    return {
        name: "1" if value == "y" else value
        for name, value in found.items()
        if name not in values and (value == "y" or _NUMBER.fullmatch(value))
    }


def groups() -> Iterator[tuple[str, list[Option]]]:
    """Give each of Zephyr's Kconfig files with what its options are here."""
    ours = own_options()
    for title, names in _tables(str(paths.ROOT))["groups"].items():
        yield title, [_option(name, ours) for name in dict.fromkeys(names.split())]


def own_options() -> frozenset[str]:
    """Return the names of all options of ours that a prj.conf may set, on whatever board."""
    return frozenset(
        name
        for room in ("kernel", "lib", "arch", "boards")
        for path in (paths.ROOT / room).rglob("Kconfig")
        for name in _PROMPT.findall(path.read_text(encoding="utf-8"))
    )


def _option(name: str, ours: Collection[str]) -> Option:
    if name in ours:
        return Option(name, "same", "")
    other = _find("same", name)
    if other is not None:
        return Option(name, "same", f"CONFIG_{other}")
    implied, absent = _find("implied", name), _find("absent", name)
    if implied is not None and implied[0] != "n":
        note = implied[1] if implied[0] == "*" else f"at {implied[0]}: {implied[1]}"
        return Option(name, "ignored", note)
    why = absent if absent is not None else implied and implied[1]
    return Option(name, "refused" if why else "", why or "")
