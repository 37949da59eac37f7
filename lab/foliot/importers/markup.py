# SPDX-License-Identifier: Apache-2.0
"""Tables in other markup than Markdown: their rows, with the lines that they stand in.

LaTeX, AsciiDoc, the wiki of Jira and Confluence, reStructuredText's simple tables, and columns
that nothing but blanks parts (gnuplot's data, `column -t`; two of them where names have one). Grid
tables, Org and psql are drawn with bars and dashes: plain_table.py reads those as Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

_TABULAR = re.compile(r"\\begin\{(?:tabular\w*\*?|longtable|tabu|array)\}")
_TABULAR_END = re.compile(r"\\end\{(?:tabular\w*\*?|longtable|tabu|array)\}")
_RULES = re.compile(r"\\(?:hline|(?:top|mid|bottom|c)(?:rule|line)(?:\[[^]]*\])?(?:\{[^}]*\})?)")
_LATEX_FONT = re.compile(r"\\(?:text(?:tt|bf|it|sf|rm)|emph|mathrm|num|SI)\{([^{}]*)\}")
_SIMPLE_RULE = re.compile(r"\s*=+(?:\s+=+)+\s*")
_WIKI_HEAD = re.compile(r"\s*\|\|.+\|\|\s*")
_FIGURE = re.compile(r"[-+~±]?\d[\d.,]*(?:e[-+]?\d+)?%?", re.IGNORECASE)
_DASHES = re.compile(r"[\s=_+-]*")
_FEWEST_ROWS = 2

Rows = list[tuple[int, Sequence[str]]]  # the number of each one's line, and its cells


def rows(text: str) -> tuple[Rows, str]:
    """Return the rows of the text's first table, its head first, and what it was; or none."""
    lines = text.splitlines()
    forms: tuple[tuple[str, Callable[[Sequence[str]], Rows]], ...] = (
        ("a LaTeX table", _latex),
        ("an AsciiDoc table", _asciidoc),
        ("a wiki's table", _wiki),
        ("a table of reStructuredText", _simple),
        ("columns", _columns),
        ("columns", _gapped),
    )
    for kind, rows_of in forms:
        found = rows_of(lines)
        if len(found) >= _FEWEST_ROWS:
            return [(number + 1, cells) for number, cells in found], kind
    return [], ""


def _latex(lines: Sequence[str]) -> Rows:
    found: Rows = []
    inside, begun = False, ""
    for number, line in enumerate(lines):
        if _TABULAR.search(line):
            inside, begun = True, ""
            continue
        if _TABULAR_END.search(line):
            inside = False
        if not inside:
            continue
        bare = re.split(r"(?<!\\)%", line)[0]
        begun += " " + _RULES.sub("", bare).strip()
        if r"\\" in begun:
            cells = re.split(r"(?<!\\)&", begun.partition(r"\\")[0])
            found.append((number, [_of_latex(cell) for cell in cells]))
            begun = ""
    return found


def _of_latex(cell: str) -> str:
    text = re.sub(r"\\[,;: ]|~|\{,\}", "", _LATEX_FONT.sub(r"\1", cell))
    return re.sub(r"\\([_%&#$])", r"\1", text).replace("$", "").strip()


def _asciidoc(lines: Sequence[str]) -> Rows:
    found: Rows = []
    inside = False
    wide = 0
    cells: list[str] = []
    for number, line in enumerate(lines):
        if re.fullmatch(r"\s*\|={3,}\s*", line):
            inside, wide, cells = not inside, 0, []
            continue
        if not inside or not line.lstrip().startswith("|"):
            continue
        more = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:]]
        wide = wide or _declared(lines, number) or len(more)
        cells += more
        if len(cells) >= wide:
            found.append((number, cells[:wide]))
            cells = []
    return found


def _declared(lines: Sequence[str], number: int) -> int:
    """Return the number of columns that `[cols="..."]` above the table says, or 0."""
    for line in reversed(lines[max(0, number - 4) : number]):
        said = re.search(r'cols="([^"]+)"', line)
        if said:
            parts = said[1].split(",")
            times = re.match(r"(\d+)\*", parts[0])
            return int(times[1]) if times and len(parts) == 1 else len(parts)
    return 0


def _wiki(lines: Sequence[str]) -> Rows:
    """Read from a head between double bars on."""
    found: Rows = []
    for number, line in enumerate(lines):
        bare = line.strip()
        if _WIKI_HEAD.fullmatch(line) and not found:
            found.append((number, bare.strip("|").split("||")))
        elif found and bare.startswith("|") and bare.endswith("|"):
            found.append((number, bare[1:-1].split("|")))
        elif found:
            break
    return found


def _simple(lines: Sequence[str]) -> Rows:
    """Read what lies below two rules around the head: they tell where the columns are."""
    rules = [number for number, line in enumerate(lines) if _SIMPLE_RULE.fullmatch(line)]
    if len(rules) < 3:
        return []
    first, below, last = rules[:3]
    places = [match.start() for match in re.finditer(r"=+", lines[first])]
    if below == first + 1:
        return []
    rows = [
        (number, _cut(lines[number], places)) for number in (below - 1, *range(below + 1, last))
    ]
    return [row for row in rows if any(row[1])]


def _cut(line: str, places: Sequence[int]) -> list[str]:
    ends = [*places[1:], max(len(line), places[-1] + 1)]
    return [line[start:end].strip() for start, end in zip(places, ends, strict=True)]


def _columns(lines: Sequence[str]) -> Rows:
    """Read a head of as many words as each row has, each row with a figure in its last."""
    parted: Rows = list(_parted(lines))
    if len(parted) < _FEWEST_ROWS:
        return []
    (_, head), *rows = parted
    wide = len(head)
    if wide < 2 or any(len(row) != wide or not _FIGURE.fullmatch(row[-1]) for _, row in rows):
        return []
    if any(_FIGURE.fullmatch(word) for word in head[1:]):
        return []
    return parted


def _gapped(lines: Sequence[str]) -> Rows:
    """Read the first lines of as many columns, parted by two blanks, of which the first has none.

    That is their head; each other one has a figure in its second column. A rule is nothing.
    """
    found: Rows = []
    for number, line in enumerate(lines):
        if _DASHES.fullmatch(line):
            continue
        cells = re.split(r"\s{2,}|\t", line.strip())
        figures = sum(bool(_FIGURE.match(cell)) for cell in cells[1:])
        if len(cells) > 1 and not figures:
            found = [(number, cells)] if len(found) < _FEWEST_ROWS else found
        elif found and len(cells) == len(found[0][1]) and _FIGURE.match(cells[1]):
            found.append((number, cells))
        elif len(found) >= _FEWEST_ROWS:
            break
        else:
            found = []
    return found


def _parted(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield each line's words; of comments the last one before the rows, which names them."""
    comment: tuple[int, list[str]] | None = None
    begun = False
    for number, line in enumerate(lines):
        bare = line.strip()
        if bare.startswith(("#", "%")):
            comment = comment if begun else (number, bare.lstrip("#% ").split())
        elif bare:
            if not begun and comment and len(comment[1]) == len(bare.split()):
                yield comment
            begun = True
            yield number, bare.split()
