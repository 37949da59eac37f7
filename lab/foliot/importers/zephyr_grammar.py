# SPDX-License-Identifier: Apache-2.0
"""One line of latency_measure: a row, a failure, or a line that looks like a row and is none.

    ID - TEXT : N cycles , M ns :         since 3.6; twister's record regex collects these
    ... , M ns : min 70 p50 75 p99 91     with what somebody's build prints behind it, in cycles
    ID - TEXT : FAILED , FAILED : WHY     the same, where a row could not be measured
    ID - TEXT,   N,   M,                  built with CSV_FORMAT_OUTPUT
    TEXT : N cycles , M ns                2.x to 3.5
    | TEXT N tcs = M nsec                 1.x

Anything may stand in front of a row (a line's number, a time stamp), so a pattern searches.
What a search would find in a damaged line is guarded: of two rows in one line the last is
taken, and marked; figures whose id is gone are no row of an older form; an id under the text
of another row is refused. What is neither a row nor prose is returned as `Odd`, with the
reason: nothing that looks like a figure goes in silence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from foliot.importers.figures import told
from foliot.importers.numbers import whole
from foliot.importers.units import scaled
from foliot.importers.zephyr_names import row_id
from foliot.model.errors import LogError
from foliot.model.names import family, plain, slug
from foliot.model.published import single
from foliot.model.run import Failure, Row
from foliot.reference.rows import catalogue
from foliot.reference.systems import published

_ID = r"(?P<id>[a-z][a-z0-9_]*(?:\.[a-z0-9_+]+)+)"
_NUMBER = r"-?\d{1,3}(?:,\d{3})+|-?\d{1,3}(?:'\d{3})+|-?\d+"
_FIGURES = rf"(?P<cycles>{_NUMBER}) *cycles ?,\s*(?P<ns>{_NUMBER}) *ns(?![A-Za-z0-9])"
_EXCHANGED = rf"(?P<ns>{_NUMBER}) *ns ?,\s*(?P<cycles>{_NUMBER}) *cycles(?![A-Za-z0-9])"
_MODERN = re.compile(rf"{_ID}\s+-\s+(?P<text>[^|]*?)\s*:\s*(?:{_FIGURES})")
_WORDS_EXCHANGED = re.compile(rf"{_ID}\s+-\s+(?P<text>[^|]*?)\s*:\s*{_EXCHANGED}")
_INSN = re.compile(rf"{_ID}\s+-\s+(?P<text>[^|]*?)\s*:\s*(?P<cycles>-?\d+) insn\b")
_CSV = re.compile(
    rf"{_ID}\s+-\s+(?P<text>[^|]*?)\s*,\s*(?P<cycles>\d+)\s*,\s*(?P<ns>\d+)\s*(?:,|$)"
)
_STATISTIC = (
    r"(?P<name>min|max|avg|mean|median|med|p\d{1,2}(?:\.\d{1,3})?|std_?dev|n|samples)\s*[:= ]\s*"
    r"(?P<value>\d{1,15}(?:\.\d{1,6})?)(?:\s*(?P<unit>cycles|cyc|ns)(?![a-z]))?"
)
_STATISTICS = re.compile(
    rf"[\s:,;(\[|]*(?:{re.sub(r'[?]P<[a-z]+>', '?:', _STATISTIC)}[\s:,;)\]|]*)+", re.IGNORECASE
)
_EACH = re.compile(_STATISTIC, re.IGNORECASE)
_OTHER_UNIT = re.compile(
    r"cycles?\s*,\s*[\d.,]+\s*(?P<unit>[\u00b5\u03bc]s|us|usec|ms|msec|sec|s)\b|"
    r":\s*[\d.,]+\s*(?P<alone>[\u00b5\u03bc]s|us|usec|ms|msec)\b", re.IGNORECASE,
)  # fmt: skip
_FAILURE = re.compile(rf"{_ID}\s+-\s+[^|]*?:\s*FAILED\s*(?:,\s*FAILED\s*)?:\s*(?P<why>.*)")
_OLDER = re.compile(rf"(?P<text>[A-Z][A-Za-z_ ()>.-]{{,79}}?)\s*:\s*{_FIGURES}")
_OLDEST = re.compile(r"(?P<text>[A-Za-z][A-Za-z_ ()]{,79}?) (?P<cycles>\d+) tcs = (?P<ns>\d+) nsec")
_INNER = re.compile(rf"{_ID}\s+-\s")
_ANY_ID = re.compile(r"[A-Za-z][A-Za-z0-9_?]*(?:\.[A-Za-z0-9_+?]+)+\s+-?\s*\S|\S+_to_\S+\s")
_LIKE_FIGURES = re.compile(
    r"\d\s+cyc[a-z]* ,|cycles\s*,\s*\d+|,\s*\d+\s*ns\b|\d{2,}\s*cycles\b.*\d\s*ns\b|\d tcs = \d"
)
_CALLED = {"avg": "mean", "median": "p50", "med": "p50", "samples": "n"}
_COLUMNS = ("min", "max", "mean", "p90", "p99", "n")
_FAMILIES = frozenset(family(row.id) for row in catalogue())

# What a line of these holds, however broken it is: the beginning of an id.
MARKS = tuple(f"{name}.".encode() for name in sorted(_FAMILIES))
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|(?<!\*)\*\*(?!\*)|`")
_WHOLE_END = re.compile(r"\bns\s*:?\s*$")


@dataclass(frozen=True, slots=True)
class Odd:
    """A line that looks like a row and is none; `half`: it may go on in the next line."""

    reason: str
    half: bool = False


Parsed = Row | Failure | Odd


def may_be_row(line: bytes) -> bool:
    """Whether a line is worth a closer look."""
    if b" cycles" in line or b"tcs = " in line or any(mark in line for mark in MARKS):
        return True
    return b" - " in line and (b"FAILED" in line or b"," in line or b" insn" in line)


def holds_row(text: str) -> bool:
    """Whether a row begins in this text, whole or not."""
    return _INNER.search(text) is not None


def parse(text: str) -> Parsed | None:
    """Read a line of any form; None where it has nothing of a row."""
    try:
        found = _parse(text)
        if found is None and _MARKUP.search(text):
            found = _parse(_MARKUP.sub("", text))
    except LogError as error:
        return Odd(error.message)
    return found if found is not None else _odd(text)


def _parse(text: str) -> Row | Failure | None:
    older = " cycles" in text or "tcs = " in text
    for pattern in (_MODERN, _WORDS_EXCHANGED) if older else (_INSN, _CSV):
        found = pattern.search(text)
        if found:
            return _with_statistics(_last_of(pattern, found, text), text[found.end() :])
    if older and not _ANY_ID.search(text):
        found = _OLDER.search(text) or _OLDEST.search(text)
        if found:
            words = plain(found["text"]).strip()
            return _row(found, row_id(words) or slug(words), words, printed="by text")
    failure = _FAILURE.search(text)
    if failure and not _INNER.search(text, failure.start("id") + len(failure["id"]) + 2):
        return Failure(failure["id"], plain(failure["why"]).strip() or "no reason given")
    return None


def _last_of(pattern: re.Pattern[str], found: re.Match[str], text: str) -> Row:
    """Return the row that a line holds; of two that ran into one, the one that is whole."""
    merged = ""
    while inner := _INNER.search(text, found.end("id") + 1, found.start("cycles")):
        later = pattern.search(text, inner.start())
        if later is None or later.start() <= found.start():
            break
        found, merged = later, "another row's beginning stands in the same line"
    words = plain(found["text"]).strip()
    if words.endswith(":") or " :" in words or "  " in words:
        merged = merged or "a colon or a gap in its text: two lines may have run into one"
    other = _text_of_another(found["id"], words)
    if other:
        raise LogError(
            f"{found['id']}: the id is contradicted by its text, which is that of {other}"
        )
    row = _row(found, found["id"], words)
    return replace(row, extra={"damaged": merged}) if merged else row


def _with_statistics(row: Row, rest: str) -> Row:
    """Return a row with the statistics that stand behind its figures.

    Its own figure stays what it is, an average. What has no column of ours, as times have none
    in a run of cycles, is kept beside it.
    """
    if not _STATISTICS.fullmatch(rest):
        return row
    known: dict[str, float] = {}
    for found in _EACH.finditer(rest):
        name = found["name"].lower().replace(".", "").replace("_", "")
        name = _CALLED.get(name, name) + ("_ns" if (found["unit"] or "").lower() == "ns" else "")
        known.setdefault(name, scaled(float(found["value"]), 1))
    ranks = [known[name] for name in ("min", "p50", "p90", "p99", "max") if name in known]
    if ranks != sorted(ranks):
        return replace(row, extra={**row.extra, "damaged": "its percentiles are out of order"})
    columns = {name: value for name, value in known.items() if name in _COLUMNS}
    beside = {name: value for name, value in known.items() if name not in _COLUMNS}
    row = told(row, **columns)
    return replace(row, extra={**row.extra, **beside})


def _row(found: re.Match[str], named: str, text: str, printed: str = "") -> Row:
    figures = found.groupdict()
    try:
        ns = whole(_bare(figures["ns"])) if figures.get("ns") is not None else None
        return single(named, text, whole(_bare(figures["cycles"])), ns,
                      **({"named": printed} if printed else {}))  # fmt: skip
    except LogError as error:
        raise LogError(f"{named}: {error.message}") from None


def _bare(figure: str) -> str:
    return figure.replace(",", "").replace("'", "")


def _odd(text: str) -> Odd | None:
    """Say what is wrong with a line that looks like a row; None where it doesn't."""
    begins = _INNER.search(text)
    other = _OTHER_UNIT.search(text)
    if other and (begins or other["unit"]):
        unit = other["unit"] or other["alone"]
        return Odd(f"its time is in {unit}: this benchmark prints cycles and ns")
    known = begins is not None and family(begins["id"]) in _FAMILIES
    if known and not _WHOLE_END.search(text):
        if "FAILED" in text:
            return Odd("a failure that is not whole")
        return Odd("the line ends before its figures do", half=True)
    if _LIKE_FIGURES.search(text):
        if begins is None:
            return Odd("figures whose id is lost or broken")
        return Odd("its figures are not of the form 'N cycles , M ns'")
    return Odd("its figures are not of the form 'N cycles , M ns'") if known else None


def _letters(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.lower())


@cache
def _texts() -> Mapping[str, frozenset[str]]:
    """Map what rows are called, letters only, to the ids that are known under it."""
    found: dict[str, set[str]] = {}
    named = [(row.id, row.text) for row in catalogue()]
    named += [(row.id, row.text) for run in published() for row in run.rows]
    for known, text in named:
        found.setdefault(_letters(text), set()).add(known)
    return {text: frozenset(ids) for text, ids in found.items()}


def _text_of_another(named: str, text: str) -> str:
    """Return the row whose text this is, where it can't be that of the id beside it."""
    if named not in _named():
        return ""
    owners = _texts().get(_letters(text), frozenset())
    if not owners or named in owners or any(_kin(named) == _kin(owner) for owner in owners):
        return ""
    return min(owners)


@cache
def _named() -> frozenset[str]:
    """Return all ids that are known under some text."""
    return frozenset(row_id for ids in _texts().values() for row_id in ids)


def _kin(named: str) -> str:
    """Return an id without the sides of its switch: their texts are the same."""
    return re.sub(r"\.(?:kernel|user|[ku]_to_[ku])\b", "", named)
