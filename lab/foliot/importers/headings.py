# SPDX-License-Identifier: Apache-2.0
"""What a log is headed by: the text above it, whatever stands in between.

Between a heading and its log stand fences, `:::details`, sentences, and the command that
was typed. So lines are ranked: a heading by its markup first, then a short line of its own,
then a sentence; fences, rules and shell lines are nothing. Which of them names a device,
the page's own tables say, where it has some (devices.py). Rejected: the last line above the
log, which is right only on pages that happen to be so.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from foliot.model.names import plain

NOTHING, SENTENCE, SHORT, MARKED = range(4)
_LONGEST = 200
_LONGEST_TITLE = 60
_MOST_LINES = 60
_MOST_SEGMENTS = 1000
_NUMBERED = re.compile(r"^\s*\d{1,6}(?::(?: |$)|(?=[^\d.]|\.(?!\d)))")
_RESULT_OF = re.compile(r"(?:の結果|[:.#*=-]|\s|\bresults?\b|\bon\b|\bof\b)+$", re.IGNORECASE)
_LEADING = re.compile(r"^(?:[#*=>-]+\s*|\d+(?:\.\d+)*[.)]?\s+|results? (?:of|on|for)\s+)+", re.I)
_RULE = re.compile(r"[\s=~*_#+|-]*")
_SETEXT = re.compile(r"\s*(?:={3,}|-{3,}|~{3,}|\^{3,}|#{3,})\s*")
_NOISE = re.compile(
    r"\s*(?:```|~~~|:::\s*$|</?(?:details|pre|code)\b[^>]*>\s*$|<!--|\[\d\d?:\d\d|-- |"
    r"[a-z_]+\.[a-z_0-9]+\.[a-z_0-9+.]*|START - |Timing results|PROJECT EXECUTION|\|)",
    re.IGNORECASE,
)
_SHELL = re.compile(
    r"\s*(?:[\w.@~:/\[\]-]*[$%#>]\s+|\$)?(?:sudo\s+)?(?:\.{0,2}/\S+|west|cd|make|cmake|ninja|"
    r"minicom|picocom|screen|tio|python3?|export|git|cat|source|pip3?|openocd|pyocd|probe-rs|"
    r"nrfjprog|st-flash|esptool(?:\.py)?|foliot|echo|tee|ls)(?:\s+[\w./=\"'~+-].*|\s*$)"
)
_PROMPT = re.compile(r"\s*(?:\S*[$%>]|uart:~\$)\s+\S")
_MARKUP = (
    (re.compile(r"\s{0,3}(?P<mark>#{1,6})\s+(?P<text>.+?)\s*#*\s*"), 0),
    (re.compile(r"\s*<h(?P<mark>[1-6])\b[^>]*>\s*(?P<text>.+?)\s*(?:</h[1-6]>)?\s*", re.I), 0),
    (re.compile(r"\s*(?:<details>)?\s*<summary\b[^>]*>\s*(?P<text>.+?)\s*(?:</summary>)?\s*", re.I),
     5),
    (re.compile(r"\s*:::+\s*(?:details|message|note|spoiler)\s+(?P<text>.+?)\s*"), 5),
    (re.compile(r"\s*(?:\*\*|__)(?P<text>[^*_].*?)(?:\*\*|__)\s*:?\s*"), 5),
    (re.compile(r"\s*(?P<text>[^:].*?)::\s*"), 5),
)  # fmt: skip
_TAGS = re.compile(r"</?[A-Za-z][^<>]*>|\*\*|`")
_WORD = re.compile(r"\w+")
_GENERIC = frozenset(_WORD.findall("""
    results result output outputs log logs benchmark benchmarks measurement measurements details
    detail latency the of raw full and all sample console here is
    結果 詳細 結果の詳細 ログ まとめ 出力 測定結果 実測結果 全結果
"""))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Heading:
    """A line above a log: how much of a heading it is, at which level, and what it says."""

    rank: int
    level: int  # of its markup, 1 the highest; 6 of a line without
    text: str


def clean_title(heading: str) -> str:
    """Return what a heading is about, without numbers, marks and "results of"; or nothing."""
    text = _TAGS.sub("", plain(_NUMBERED.sub("", heading)))
    title = _RESULT_OF.sub("", _LEADING.sub("", text.strip()))
    return title if len(title) <= _LONGEST_TITLE else ""


@lru_cache(maxsize=4096)
def ranked(line: str) -> Heading:
    """Return what a line is, as a heading."""
    numbered = _NUMBERED.sub("", line) or line
    if any(_NOISE.match(one) or _RULE.fullmatch(one) for one in (line, numbered)):
        return Heading(NOTHING, 6, "")
    for pattern, level in _MARKUP:
        found = pattern.fullmatch(numbered) or pattern.fullmatch(line)
        if found and not _SHELL.fullmatch(line) and not _SHELL.fullmatch(numbered):
            mark = found.groupdict().get("mark") or ""
            rank = SENTENCE if _is_generic(found["text"]) else MARKED
            return Heading(rank, level or _level(mark), found["text"])
    if any(_SHELL.fullmatch(one) or _PROMPT.match(one) for one in (line, numbered)):
        return Heading(NOTHING, 6, "")
    text = _TAGS.sub("", line).strip()
    sentence = text.endswith(("。", ".", "!", "?", ";", "…", "、")) or len(text) > _LONGEST_TITLE
    long = len(text.split()) > 7 or "、" in text or ", " in text
    return Heading(SENTENCE if sentence or long or _is_generic(text) else SHORT, 6, text)


def _level(mark: str) -> int:
    """Return the level that `###`, or the digit of <h3>, stands for."""
    return int(mark) if mark.isdigit() else len(mark)


def _is_generic(text: str) -> bool:
    words = _WORD.findall(clean_title(text).lower())
    return all(word in _GENERIC or word.isdigit() for word in words)


def headings_of(lines: Iterable[str]) -> list[Heading]:
    """Rank lines one after another: one that is underlined is a heading by its markup."""
    found: list[Heading] = []
    for line in lines:
        if _SETEXT.fullmatch(_NUMBERED.sub("", line) or line) and found:
            above = found[-1]
            fits = len(line.strip()) >= len(above.text) or line.strip()[0] in "=-"
            if above.rank == SHORT or (above.rank == SENTENCE and _is_generic(above.text)):
                rank = MARKED if above.rank == SHORT and fits else above.rank
                found[-1] = Heading(rank, 2 if "-" in line else 1, above.text)
            continue
        found.append(ranked(line))
    return found


def _goes_before(later: Heading, best: Heading) -> bool:
    """Whether a later line heads a log rather than the best one before it.

    A page's title, and the name of its chapter, are headings by their markup too: a short
    line of its own that comes later says more.
    """
    if best.rank == MARKED and later.rank == SHORT:
        return best.level == 1
    return later.rank >= best.rank


class Headings:
    """Follows a document's text: what the next log is headed by, and what was said before it."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self.segments: dict[int, list[Heading]] = {}  # by the number of the row that follows
        self._new: deque[bytes] = deque(maxlen=_MOST_LINES)
        self._said: deque[Heading] = deque(maxlen=_MOST_LINES)
        self._best = Heading(NOTHING, 6, "")
        self._fresh = True

    def say(self, line: bytes) -> None:
        """Take a line of text that is no row."""
        if len(line) < _LONGEST:
            self._new.append(line)

    def taken(self, number: int) -> None:
        """Know that line `number` was a row, or the begin or end of a run."""
        if self._new or self._said:
            self._fold()
            if len(self.segments) < _MOST_SEGMENTS:
                self.segments[number] = list(self._said)
            self._said.clear()
            self._fresh = True

    def current(self) -> bytes:
        """Return the line that heads what comes now."""
        if self._new:
            self._fold()
        return self._best.text.encode()

    def _fold(self) -> None:
        for heading in headings_of(line.decode("utf-8", "replace") for line in self._new):
            if heading.rank == NOTHING:
                continue
            self._said.append(heading)
            if self._fresh or _goes_before(heading, self._best):
                self._best, self._fresh = heading, False
        self._new.clear()
