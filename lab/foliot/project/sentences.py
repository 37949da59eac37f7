# SPDX-License-Identifier: Apache-2.0
"""Figures within the sentences of README.md and CAVEATS.md: measured too, or marked as not.

A table shows where its figures come from; a sentence does not, and so its figures grow old in
silence. Behind each stands a comment, which no reader of the page sees, with its source:

    880<!-- is row ibex periodic periodic.tick.16_of_16 p50 -->
    72<!-- is weight mps2_an385 samples/interrupt thread -->
    47<!-- is rows default -->
    8<!-- is option MUTEX_CHAIN_MAX -->            64<!-- is option STACK_GUARD_SIZE stackguard -->
    16<!-- is define kernel/sched/period.c GROUPS_LOOKED_AT -->
    900<!-- is target ibex periodic periodic.tick.16_of_16 -->
    0.8<!-- is by hand: make -C sim PMP=rtl, clocks a second -->

A comment `are by hand: ...` is for all numbers of its paragraph, or point of a list, that stand
before it. `foliot docs` writes figures anew, but for those by hand: whether they still hold
can only say whoever repeats what the comment names. A number with no source is named by
`foliot docs --check`; names that hold numbers (Cortex-M3, -O2), powers of two and the like are
no figures (_NO_FIGURE).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from foliot.image.footprint import footprint
from foliot.model.errors import FoliotError
from foliot.model.run import Run
from foliot.reference import goals
from foliot.reference.rows import catalogue
from foliot.show.terminal import Progress
from foliot.target import boards, build, configure, paths

# Documents whose every number has a source.
WHOLE = ("README.md", "CAVEATS.md")
HOW = "see lab/foliot/project/sentences.py"
_BY_HAND = "by hand:"

_FIGURE = re.compile(r"(?P<value>\d[\d.,]*)(?P<unit> KB)?(?P<mark><!-- is (?P<source>[^>]+?) -->)")
_ALL_BY_HAND = re.compile(
    r"(?:^\* |(?<=\n\n))(?:(?!\n\* |\n\n).)*?<!-- are by hand: [^>]+ -->", re.DOTALL | re.MULTILINE
)
_PROSE_ONLY = re.compile(
    r"<!-- generated:.*?<!-- end -->|^```.*?^```|`[^`]*`|\]\([^)]*\)|<!--.*?-->",
    re.DOTALL | re.MULTILINE,
)
_NO_FIGURE = re.compile(
    r"[A-Za-z_]+[-.]?\d[\w.+-]*"  # RV32IMC, Cortex-M3, Apache-2.0, r0
    r"|\bhas 0\b"
    r"|-O\d|\b2\^\d+(?: - 1)?"
    r"|\b(?:Debian|QEMU|Verilator|Zephyr|UTF|schema|cases?|address) \d[\d.]*(?: (?:and|to) \d+)?"
    r"|\b\d+(?:-bit| bits?)\b"
)
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*\d|(?<![\w.])\d")

Measured = Callable[[str, str], Run]


@dataclass(frozen=True, slots=True)
class Unsourced:
    """A number in a sentence that nothing makes: where it stands, and the line's beginning."""

    line: int
    number: str
    text: str


def renewed(text: str, path: Path, measured: Measured) -> str:
    """Return a document with the figures of its sentences as they are now."""

    def one(found: re.Match[str]) -> str:
        source = found["source"]
        if source.startswith(_BY_HAND):
            return found[0]
        value = _value(source.split(), path, measured)
        if found["unit"]:
            return f"{value / 1000:.1f}{found['unit']}{found['mark']}"
        return f"{value:g}{found['mark']}"

    return _FIGURE.sub(one, text)


def unsourced(text: str) -> Iterator[Unsourced]:
    """Yield the numbers of a document's sentences that have no source."""
    text = _FIGURE.sub(lambda found: " " * len(found[0]), text)
    prose = _ALL_BY_HAND.sub(_blank, text)
    prose = _PROSE_ONLY.sub(_blank, prose)
    prose = _NO_FIGURE.sub(_blank, prose)
    for number, line in enumerate(prose.split("\n"), 1):
        line = re.sub(r"^\s*\d+\. ", "", line)  # noqa: PLW2901 - a list's own numbers
        for found in _NUMBER.finditer(line):
            yield Unsourced(number, found[0], text.split("\n")[number - 1].strip()[:60])


def _blank(found: re.Match[str]) -> str:
    """Take a piece away and leave the lines where they are."""
    return re.sub(r"[^\n]", " ", found[0])


def _value(words: list[str], path: Path, measured: Measured) -> float:
    """Return the figure of a source; FoliotError where there is none."""
    known: float | None = None
    match words:
        case ["row", board, suite, row_id, statistic]:
            row = measured(board, suite).row(row_id)
            known = row.told(statistic) if row and hasattr(row, statistic) else None
        case ["rows", configuration]:
            known = sum(configuration in row.configurations for row in catalogue())
        case ["weight", board, app, name, *conf]:
            known = _weight(board, app, name, conf)
        case ["target", board, suite, row_id]:
            known = goals.targets(board, suite).get(row_id, {}).get("target")
        case ["option", name, *conf]:
            hello = paths.ROOT / "samples" / "hello"
            told = configure.resolve(hello, boards.load(boards.default()), conf).values.get(
                name, ""
            )
            known = float(told) if re.fullmatch(r"\d+", told) else None
        case ["define", file, name]:
            known = _defined(file, name)
    if known is None:
        raise FoliotError(f"{paths.shown(path)}: there is no figure '{' '.join(words)}'")
    return float(known)


def _defined(file: str, name: str) -> float | None:
    try:
        text = (paths.ROOT / file).read_text(encoding="utf-8")
    except OSError:
        return None
    found = re.search(rf"^#define {re.escape(name)}\s+(\d+)", text, re.MULTILINE)
    return float(found[1]) if found else None


def _weight(board: str, app: str, name: str, conf: list[str]) -> float | None:
    made = build.build(paths.ROOT / app, boards.load(board), Progress(quiet=True), conf)
    return footprint(made.elf, made.map).weights().get(f"footprint.{name}")
