# SPDX-License-Identifier: Apache-2.0
"""Two builds' samples of the same row, line by line.

Lines of source are aligned by the function they lie in and by their text, not by number,
so that a line added above moves nothing. Instructions are compared without the addresses
and offsets in them: code that was only moved is the same code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from foliot.explain import show
from foliot.explain.sample import Sample, Step
from foliot.model.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

Block = Sequence[Step]

_OFFSET = re.compile(r"\+0x[0-9a-f]+>")
_BESIDE_SYMBOL = re.compile(r"-?\d+(?:\(\w+\))? (?=<)")
_HIGH_PART = re.compile(r"^((?:lui|auipc) \w+,).*")


@dataclass(frozen=True, slots=True)
class Pair:
    """A line of source in both builds; None where one build has no such line there."""

    a: Block | None
    b: Block | None

    @property
    def function(self) -> str:
        """The function that the line lies in."""
        return (self.a or self.b or ())[0].place.function

    @property
    def cycles(self) -> tuple[int, int]:
        """What the line takes in either."""
        return _cycles(self.a), _cycles(self.b)

    @property
    def same(self) -> bool:
        """True where both builds run the same instructions in the same time."""
        return (
            self.a is not None
            and self.b is not None
            and self.cycles[0] == self.cycles[1]
            and [_key(step) for step in self.a] == [_key(step) for step in self.b]
        )


def pairs(a: Sample, b: Sample) -> list[Pair]:
    """Align two samples, line by line, in the order of their running."""
    left, right = show.blocks(a.steps), show.blocks(b.steps)
    matcher = SequenceMatcher(
        None, [_line(block) for block in left], [_line(block) for block in right], autojunk=False
    )
    found = []
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        if tag == "equal":
            found += [Pair(x, y) for x, y in zip(left[i:i_end], right[j:j_end], strict=True)]
        else:
            found += [Pair(block, None) for block in left[i:i_end]]
            found += [Pair(None, block) for block in right[j:j_end]]
    return found


def print_difference(names: Sequence[str], samples: Sequence[Sample], console: Console) -> None:
    """Print what changed from the first build to the second."""
    a, b = samples
    if a.header.unit != b.header.unit:
        raise UsageError(f"{names[0]} is in {a.header.unit}, {names[1]} in {b.header.unit}")
    for line in show.heading(a)[:2]:
        console.print(line)
    delta = b.net - a.net
    console.print(
        f"{names[0]}: {a.net:g}; {names[1]}: {b.net:g} {show.UNITS[a.header.unit][1]}; "
        f"{f'{delta:+g}' if delta else 'no difference'}"
    )
    console.print()
    console.print(_table(names, "function", _by_function(a, b)))
    console.print()
    console.print(_table(names, "spent on", _by_cause(a, b)))
    console.print()
    print_lines(pairs(a, b), console)


def print_lines(aligned: Sequence[Pair], console: Console) -> None:
    """Print the lines that differ, with their instructions: - the first build, + the second."""
    if all(pair.same for pair in aligned):
        console.print("Both run the same instructions in the same time.")
        return
    function = None
    for pair in aligned:
        if pair.same:
            continue
        if pair.function != function:
            function = pair.function
            console.print(function, style="bold")
        for style, line in _lines(pair):
            console.print(line, style=style, soft_wrap=True)


def as_json(names: Sequence[str], samples: Sequence[Sample]) -> dict[str, Any]:
    """Return a difference for programs."""
    a, b = samples
    return {
        "schema": 1, "row": a.row.id, "board": a.header.board, "unit": a.header.unit,
        "builds": list(names), "net": [a.net, b.net],
        "functions": {name: list(taken) for name, taken in _by_function(a, b).items()},
        "causes": {name: list(taken) for name, taken in _by_cause(a, b).items()},
        "lines": [_pair_json(pair) for pair in pairs(a, b) if not pair.same],
    }  # fmt: skip


def _pair_json(pair: Pair) -> dict[str, Any]:
    place = (pair.a or pair.b or ())[0].place
    return {
        "function": place.function, "file": place.file, "text": place.text,
        "cycles": list(pair.cycles),
    }  # fmt: skip


def _lines(pair: Pair) -> Iterator[tuple[str, str]]:
    """Give the lines of a difference with their styles."""
    for mark, style, block in (("-", "red", pair.a), ("+", "green", pair.b)):
        if block is None:
            continue
        if not block[0].place.is_assembly:
            yield f"{style} bold", mark + show.source_line(block)[1:]
        for step in block:
            yield style, mark + show.step_line(step)[1:]


def _by_function(a: Sample, b: Sample) -> dict[str, tuple[int, int]]:
    left, right = show.by_function(a.steps), show.by_function(b.steps)
    names = [*left, *(name for name in right if name not in left)]
    return {name: (_cycles(left.get(name)), _cycles(right.get(name))) for name in names}


def _by_cause(a: Sample, b: Sample) -> dict[str, tuple[int, int]]:
    left, right = show.causes(a), show.causes(b)
    names = [*left, *(name for name in right if name not in left)]
    return {name: (left[name], right[name]) for name in names}


def _table(names: Sequence[str], title: str, taken: dict[str, tuple[int, int]]) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column(title, no_wrap=True)
    for name in (*names, "more"):
        table.add_column(name, justify="right", overflow="fold")
    total = tuple(sum(pair[side] for pair in taken.values()) for side in (0, 1))
    for name, (left, right) in [*taken.items(), ("all", (total[0], total[1]))]:
        more = f"{right - left:+d}" if left != right else ""
        table.add_row(name, str(left or ""), str(right or ""), more)
    return table


def _line(block: Block) -> tuple[str, str]:
    place = block[0].place
    return place.function, place.text or block[0].text


def _key(step: Step) -> str:
    text = _OFFSET.sub(">", step.text)
    return _HIGH_PART.sub(r"\1", _BESIDE_SYMBOL.sub("", text))


def _cycles(block: Block | None) -> int:
    return sum(step.cycles for step in block or ())
