# SPDX-License-Identifier: Apache-2.0
"""docs/compatibility.md's tables: each name of Zephyr's kernel API and each option of its kernel.

The names are data (data/zephyr/api.toml), and whether one is there is asked of the headers
themselves, so that the page can't promise what nobody declares. Whether a user thread may call it
follows from the sources, too: it is a system call (kernel/base/syscalls.h), a function of lib/,
or made of those by a macro or an inline function; all else is kernel mode's. Where that is not
all there is to say, the data says it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from foliot.target import paths, zephyr

_DATA = "data/zephyr/api.toml"
_HEADERS = ("include/foliot", "include/zephyr")
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_CALLS = "kernel/base/syscalls.h"
_CALL = re.compile(r"^SYSCALL\w*\((\w+)\)", re.MULTILINE)
_USED = re.compile(r"\b([a-z_]\w*)\s*\(")
_MACRO = re.compile(r"^#define[ \t]+(\w+)(?:\([^)]*\))?[ \t]+((?:.*\\\n)*.*)$", re.MULTILINE)
_INLINE = re.compile(
    r"(?:static inline|ALWAYS_INLINE)\s[^;{}()]*?\b(\w+)\([^{};]*\)\s*\{(.*?)^\}",
    re.DOTALL | re.MULTILINE,
)
_DEFINED = re.compile(r"^(?!static)\w[^;{}()#\n]*?\b(\w+)\([^;{}]*\)\s*\{", re.MULTILINE)
# What looks like a call in a body, and is none, or does not leave user mode.
_NO_CALLS = frozenset(
    {
        *("if", "for", "while", "switch", "return", "sizeof", "offsetof", "defined"),
        *("__typeof__", "__attribute__", "__asm__", "__extension__", "likely", "unlikely"),
    }
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A name: `state` is "there", "different" or "not there"; `note` says how, or why.

    `user` is of user mode: "yes", "no", or how it differs; "" of what is no call, or not there.
    """

    name: str
    state: str
    note: str
    user: str


def groups() -> Iterator[tuple[str, list[Entry]]]:
    """Give each group's title and entries, in the data's order."""
    data = tomllib.loads((paths.ROOT / _DATA).read_text(encoding="utf-8"))
    known = declared()
    modes = Modes.read()
    for title, names in data["groups"].items():
        yield title, [_entry(name, known, data, modes) for name in dict.fromkeys(names.split())]


def declared() -> frozenset[str]:
    """Return every word that stands in our headers outside of comments."""
    words: set[str] = set()
    for room in _HEADERS:
        for path in (paths.ROOT / room).rglob("*.h"):
            text = path.read_text(encoding="utf-8")
            words |= set(_WORD.findall(_COMMENT.sub("", text)))
    return frozenset(words)


@dataclass(frozen=True, slots=True)
class Modes:
    """What user mode may call: `free` by itself, `made` by what stands in its body."""

    free: frozenset[str]
    made: Mapping[str, str]

    @classmethod
    def read(cls) -> Modes:
        """Read the list of system calls, lib/ and the headers."""
        calls = paths.ROOT / _CALLS
        free = set(_CALL.findall(calls.read_text(encoding="utf-8"))) if calls.is_file() else set()
        for path in (paths.ROOT / "lib").glob("*.c"):
            free |= set(_DEFINED.findall(_COMMENT.sub("", path.read_text(encoding="utf-8"))))
        made: dict[str, str] = {}
        for room in _HEADERS:
            for path in sorted((paths.ROOT / room).rglob("*.h")):
                text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
                for name, body in (*_MACRO.findall(text), *_INLINE.findall(text)):
                    made[name] = made.get(name, "") + "\n" + body
        return cls(frozenset(free), made)

    def may_call(self, name: str, above: tuple[str, ...] = ()) -> bool:
        """Say whether a user thread may call it: all that it is made of is free."""
        if name in self.free or name in above:
            return True
        if name not in self.made:
            return False
        used = set(_USED.findall(self.made[name])) - _NO_CALLS
        alias = re.fullmatch(r"\s*([a-z]\w*)\s*", self.made[name])
        used |= {alias[1]} if alias else set()
        return all(self.may_call(one, (*above, name)) for one in used)


def lines() -> list[str]:
    """Return the tables, a group each: how many of its names are there, and what of its options."""
    out: list[str] = []
    for title, entries in groups():
        there = sum(entry.state != "not there" for entry in entries)
        out += ["", f"### {title}", "", f"{there} of {len(entries)} are there.", ""]
        out += ["| name | | user mode | |", "| --- | --- | --- | --- |"]
        out += [f"| `{e.name}` | {e.state} | {e.user} | {e.note} |" for e in entries]
    for title, options in zephyr.groups():
        out += ["", f"### Options: {title}", "", "| option | | |", "| --- | --- | --- |"]
        out += [f"| `{o.name}` | {o.state} | {o.note} |" for o in options]
    return out[1:]


def _user(name: str, data: Mapping[str, Any], modes: Modes) -> str:
    said = data["user"].get(name)
    if said is not None or not name[0].islower():
        return str(said or "")
    return "yes" if modes.may_call(name) else "no"


def _entry(name: str, known: frozenset[str], data: Mapping[str, Any], modes: Modes) -> Entry:
    if name in known:
        note = data["different"].get(name, "")
        state = "different" if note else "there"
        user = _user(name, data, modes)
        return Entry(name, state, note or data["noted"].get(name, ""), user)
    absent = data["absent"]
    exact = absent.get(name)
    why = exact or next((absent[key] for key in absent if fnmatchcase(name, key)), "")
    return Entry(name, "not there", why, "")
