# SPDX-License-Identifier: Apache-2.0
"""docs/compatibility.md's tables: each name of Zephyr's kernel API, and what of it is here.

The names are data (data/zephyr/api.toml), and whether one is there is asked of the headers
themselves, so that the page can't promise what nobody declares.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from foliot.target import paths

_DATA = "data/zephyr/api.toml"
_HEADERS = ("include/foliot", "include/zephyr")
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")


@dataclass(frozen=True, slots=True)
class Entry:
    """A name: `state` is "there", "different" or "not there"; `note` says how, or why."""

    name: str
    state: str
    note: str


def groups() -> Iterator[tuple[str, list[Entry]]]:
    """Give each group's title and entries, in the data's order."""
    data = tomllib.loads((paths.ROOT / _DATA).read_text(encoding="utf-8"))
    known = declared()
    for title, names in data["groups"].items():
        yield title, [_entry(name, known, data) for name in dict.fromkeys(names.split())]


def declared() -> frozenset[str]:
    """Return every word that stands in our headers outside of comments."""
    words: set[str] = set()
    for room in _HEADERS:
        for path in (paths.ROOT / room).rglob("*.h"):
            text = path.read_text(encoding="utf-8")
            words |= set(_WORD.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)))
    return frozenset(words)


def lines() -> list[str]:
    """Return the tables, a group each, with how many of its names are there."""
    out: list[str] = []
    for title, entries in groups():
        there = sum(entry.state != "not there" for entry in entries)
        out += ["", f"### {title}", "", f"{there} of {len(entries)} are there.", ""]
        out += ["| name | | |", "| --- | --- | --- |"]
        out += [f"| `{e.name}` | {e.state} | {e.note} |" for e in entries]
    return out[1:]


def _entry(name: str, known: frozenset[str], data: Mapping[str, Any]) -> Entry:
    if name in known:
        note = data["different"].get(name, "")
        return Entry(name, "different" if note else "there", note or data["noted"].get(name, ""))
    absent = data["absent"]
    exact = absent.get(name)
    why = exact or next((absent[key] for key in absent if fnmatchcase(name, key)), "")
    return Entry(name, "not there", why)
