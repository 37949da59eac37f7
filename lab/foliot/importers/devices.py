# SPDX-License-Identifier: Apache-2.0
"""A page's tables of devices: which columns are what, and which heading names which device.

Nothing depends on the language of the page. A column is told by a word in its title where it
has one that is known, else by what its cells hold: frequencies are the clock, sizes are
memories. Devices may be the lines of a table or its columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from foliot.importers.headings import MARKED, SENTENCE, SHORT, Heading, clean_title
from foliot.importers.numbers import clock_hz

Device = dict[str, str]

_WORDS = (("clock", ("clock", "freq", "mhz", "クロック", "周波数", "takt", "speed")),
          ("core", ("core", "コア", "cpu", "processor")),
          ("ram", ("ram", "memory", "メモリ")),
          ("rom", ("rom", "flash", "nvm", "フラッシュ")), ("fpu", ("fpu", "float")))  # fmt: skip
_NAMES = ("board", "device", "name", "product", "platform", "target", "製品", "ボード", "デバイス",
          "mcu", "kit")  # fmt: skip
_SIZE = re.compile(r"\d+(?:\.\d+)?\s*[kKMG]i?B?")
_FEWEST_SIZED = 0.6
_SHORTEST_NAME = 4


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it was read: its head, and its lines, all of the head's length."""

    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    first: int = 0  # where it stands in the document
    last: int = 0

    def turned(self) -> Table:
        """Return the same table with lines for columns."""
        head, *lines = zip(self.head, *self.lines, strict=True)
        return Table(head, tuple(lines), self.first, self.last)


def devices_of(table: Table, headings: Iterable[str]) -> dict[str, Device]:
    """Map the bare names of a table's devices to what it says of them; empty where it has none.

    `headings` are the page's: where nothing says which column holds the names, they do.
    """
    known = {bare(clean_title(heading)) for heading in headings} - {""}
    for one in (table, table.turned()):
        keys = [_kind(title, [line[place] for line in one.lines])
                for place, title in enumerate(one.head)]  # fmt: skip
        if "clock" not in keys:
            continue
        names = _names_column(one, keys, known)
        if names is None:
            continue
        found = {}
        for line in one.lines:
            told = {key: cell for key, cell in zip(keys, line, strict=True) if key and cell}
            clock = keys.index("clock")
            told["clock"] = _with_unit(line[clock], one.head[clock])
            if clock_hz(told["clock"]) and bare(line[names]):
                found[bare(line[names])] = {"name": line[names], **told}
        if found:
            return found
    return {}


def _kind(title: str, cells: Sequence[str]) -> str:
    """Return what a column holds: by its title, else by its cells; nothing where neither says."""
    lower = title.lower()
    for key, words in _WORDS:
        if any(word in lower for word in words):
            return key
    if cells and sum(1 for cell in cells if clock_hz(cell)) >= _FEWEST_SIZED * len(cells):
        return "clock"
    return ""


def _names_column(table: Table, keys: Sequence[str], known: set[str]) -> int | None:
    """Return the column that names the devices: that of the page's headings, else by its title."""
    free = [place for place, key in enumerate(keys) if not key]
    if not free:
        return None
    hits = {
        place: sum(1 for line in table.lines if _is_named(bare(line[place]), known))
        for place in free
    }
    best = max(free, key=lambda place: hits[place])
    if hits[best]:
        return best
    titled = [place for place in free if any(name in table.head[place].lower() for name in _NAMES)]
    return (titled or free)[0]


def _is_named(name: str, known: set[str]) -> bool:
    return bool(name) and any(name.startswith(one) for one in known)


def _with_unit(cell: str, title: str) -> str:
    """Return a clock with its unit, which may stand in the column's title."""
    if clock_hz(cell) or not re.fullmatch(r"\d+(?:\.\d+)?", cell.strip()):
        return cell
    unit = re.search(r"[kMG]Hz", title, re.IGNORECASE)
    return f"{cell.strip()} {unit[0]}" if unit else cell


def bare(name: str) -> str:
    """Return a name without what stands in brackets, spaces and marks, in lower case."""
    return re.sub(r"[\W_]", "", re.sub(r"\(.*?\)", "", name)).lower()


def matching(title: str, devices: Mapping[str, Device]) -> Device | None:
    """Return the device that a title is about: the same name, or the one that begins with it."""
    wanted = bare(title)
    if not wanted:
        return None
    if wanted in devices:
        return devices[wanted]
    if len(wanted) < _SHORTEST_NAME:
        return None  # what is left of a row that was cut is no name
    longer = [name for name in devices if name.startswith(wanted)]
    return devices[longer[0]] if len(longer) == 1 else None


@dataclass(frozen=True, slots=True)
class Named:
    """A heading that names a device: with which words, and at which level it stands."""

    title: str
    level: int


def named_in(said: Sequence[Heading], names: Mapping[str, Device]) -> Named | None:
    """Return the heading among lines that names one of `names`; the nearest to the log's rows.

    A line that is a name goes before one that holds one, and a heading before a sentence.
    """
    best: tuple[int, Named] | None = None
    for heading in reversed(said):
        title = clean_title(heading.text)
        is_title = heading.rank in (SHORT, MARKED)
        if matching(title, names):
            weight, found = (4 if is_title else 2), _held(title, names) or title
        else:
            held = _held(heading.text, names)
            if not held:
                continue
            weight, found = (3 if is_title else 1), held
        if best is None or weight > best[0]:
            best = (weight, Named(found, heading.level))
    return best[1] if best else None


def plain_name(title: str, names: Mapping[str, Device]) -> str:
    """Return a title that is about a device without what else it says."""
    return (_held(title, names) or title) if matching(title, names) else title


def _held(text: str, names: Mapping[str, Device]) -> str:
    """Return the longest of the names that stands in a text, in the text's own words."""
    found = [match[0] for name in names.values() if (match := _pattern(name["name"]).search(text))]
    return max(found, key=len, default="")


@lru_cache(maxsize=1024)
def _pattern(name: str) -> re.Pattern[str]:
    """Return what finds a name in a text, however its words are joined."""
    words = re.findall(r"[^\W_]+", re.sub(r"\(.*?\)", "", name))
    if len("".join(words)) < _SHORTEST_NAME:
        return re.compile(r"(?!)")
    joined = r"[\W_]*".join(map(re.escape, words))
    return re.compile(rf"(?<![A-Za-z0-9]){joined}(?![A-Za-z0-9])", re.IGNORECASE)


def deepest(said: Sequence[Heading]) -> int:
    """Return the level of the nearest heading by markup; 0 where there is none."""
    return next((one.level for one in reversed(said) if one.rank == MARKED), 0)


def is_headed(said: Sequence[Heading]) -> bool:
    """Whether anything that could name a device stands among these lines."""
    return any(one.rank > SENTENCE for one in said)
