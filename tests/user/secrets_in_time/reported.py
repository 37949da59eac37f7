# SPDX-License-Identifier: Apache-2.0
"""What a run of this program says that one domain is told of another.

    ./foliot run tests/user/secrets_in_time -b ibex --conf all --quiet --timeout 7200 >all.txt
    ./foliot run tests/user/secrets_in_time -b ibex --conf more --quiet --timeout 7200 >more.txt
    python tests/user/secrets_in_time/reported.py all.txt more.txt

writes docs/security.md's table of it anew. Calls of A's that tell the same share a line of it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).resolve().parents[3] / "docs" / "security.md"
HEAD = "<!-- secrets in time -->\n| A's calls | of B's calls | cycles | in |\n|---|---|---|---|\n"
BEGINNING = "its first instruction"
_TABLE = re.compile(re.escape(HEAD) + r"((?:\|.*\n)*)")
_SUMMARY = re.compile(r"(\d+) pairs, (\d+) calls of A, (\d+) of B, (\d+) pairs differ")


@dataclass(frozen=True)
class Told:
    """What one of A's calls tells: the most of B's calls by one way, and cycles, in which call."""

    calls: int
    cycles: int
    where: str


@dataclass(frozen=True)
class Summary:
    """How many pairs were compared, of how many calls of A's and of B's; and how many differ."""

    pairs: int
    of_a: int
    of_b: int
    differing: int


def _plain(call: str) -> str:
    """Return a call as the table has it."""
    return call.replace("me->", "").replace("(uint8_t *)", "").replace("(void *)", "")


def _more(one: Told | None, other: Told) -> Told:
    if one is None:
        return other
    most = max(one, other, key=lambda told: told.cycles)
    return Told(max(one.calls, other.calls), most.cycles, most.where)


def told(lines: Iterable[str], kind: str = "TOLD") -> dict[str, Told]:
    """Return what each call of A's told, of all ways of deciding about it.

    Of a LEAK that is seeded likewise. Raises ValueError where a run that was made again differed.
    """
    found: dict[str, Told] = {}
    for line in lines:
        if line.startswith(f"{kind} "):
            call, way, calls, where, cycles = line.removeprefix(f"{kind} ").split(" | ")
            if way == "nothing":
                raise ValueError(f"a run that is made again differs: {line}")
            new = Told(int(calls), int(cycles), _plain(where))
            found[_plain(call)] = _more(found.get(_plain(call)), new)
    return found


def latest_beginning(lines: Iterable[str]) -> tuple[str, int]:
    """Return by how many cycles B's first instruction moved at most, and the call of A's."""
    begins = [line.removeprefix("BEGINS ").split(" | ") for line in lines
              if line.startswith("BEGINS ")]  # fmt: skip
    call, _, cycles = max(begins, key=lambda one: int(one[2]), default=("", "", "0"))
    return _plain(call), int(cycles)


def summary(*outputs: str) -> Summary:
    """Return what the ends of runs say, added up. Raises ValueError if one has none."""
    ends = [_SUMMARY.search(text) for text in outputs]
    if None in ends:
        raise ValueError("a run has not come to its end")
    pairs, of_a, of_b, differing = zip(
        *(map(int, end.groups()) for end in ends if end), strict=True
    )
    return Summary(sum(pairs), of_a[0], of_b[0], sum(differing))


def rows(text: str) -> str:
    """Return the table's rows for what a run printed."""
    lines = text.splitlines()
    alike: dict[Told, list[str]] = {}
    for call, one in told(lines).items():
        alike.setdefault(one, []).append(call)
    out = []
    for one in sorted(alike, key=lambda one: (-one.cycles, -one.calls, one.where)):
        calls = ", ".join(f"`{call}`" for call in alike[one])
        out.append(f"| {calls} | {one.calls} | {one.cycles} | `{one.where}` |\n")
    call, cycles = latest_beginning(lines)
    return "".join(out) + f"| `{call}` | 0 | {cycles} | `{BEGINNING}` |\n"


def table() -> str:
    """Return the rows that docs/security.md has. Raises ValueError if there is no table."""
    found = _TABLE.search(DOCS.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{DOCS} has no table of secrets in time")
    return found[1]


def known() -> tuple[dict[str, Told], int]:
    """Return what the table says of each call of A's, and of B's beginning, in cycles."""
    found: dict[str, Told] = {}
    beginning = 0
    for row in table().splitlines():
        calls, count, cycles, where = row.strip("| ").split(" | ")
        if where == f"`{BEGINNING}`":
            beginning = int(cycles)
        else:
            for call in re.findall(r"`([^`]*)`", calls):
                found[call] = Told(int(count), int(cycles), where.strip("`"))
    return found, beginning


def _write(*outputs: str) -> None:
    print(summary(*outputs))
    text = "".join(outputs)
    page = DOCS.read_text(encoding="utf-8")
    DOCS.write_text(_TABLE.sub(lambda _: HEAD + rows(text), page, count=1), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    _write(*(Path(name).read_text(encoding="utf-8") for name in sys.argv[1:]))
