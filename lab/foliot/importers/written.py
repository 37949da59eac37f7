# SPDX-License-Identifier: Apache-2.0
"""Numbers as people write them: which mark ends the whole part, and which groups the digits.

4.623 is four thousand in Berlin and about five in Boston. Which it is, no cell tells; so the
writing of a whole column is found (`inferred`): the one that reads the most of its cells, then
one that the table's other columns have, then the one that goes with a CSV file's delimiter. What
is still open is asked for (`--decimal`, `--thousands`), never guessed. Which marks go together,
and what the units are called, is of Unicode's tables of the world's languages (CLDR, by Babel);
what a digit, a space and a dash is, is of `unicodedata`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache, lru_cache

from foliot.importers.numbers import LARGEST
from foliot.importers.units import COUNTS, scaled, unit_of
from foliot.model.errors import UsageError

LOCALES = (
    "en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "uk", "sv", "da", "fi", "cs", "hu", "tr",
    "ja", "zh", "ko", "de_CH", "en_IN", "ar_EG", "fa", "hi",
)  # fmt: skip
_MARKS = {**dict.fromkeys("\u2019\u02bc\u2018\u00b4`\uff07", "'"), "\u2212": "-",
          "\u066b": ".", "\u066c": ","}  # fmt: skip
_KINDS = {"Zs": " ", "Cf": "", "Pd": "-"}
_LONGEST = 60
_NUMBER = r"[+-]?(?:\d+(?:[.,' _]\d+)*[.,]?|[.,]\d+)(?:[eE][+-]?\d{1,3})?"
_ABOUT = r"(?P<about>~|\u2248|\u223c|ca\.?|circa|approx\.?|about|etwa|rund|env\.?)?"
_WORD = r"[^\W\d_](?:[^\u00b1()<>~*\u2020\u2021\u00a7]*[^\s\u00b1()<>~*\u2020\u2021\u00a7])?|%"
_CELL = re.compile(
    rf"\(?\s*{_ABOUT}\s*(?P<number>{_NUMBER})(?P<unit>\s*(?:{_WORD}))??"
    rf"(?:\s*(?:\u00b1|\+/-|\+-)\s*(?P<deviation>{_NUMBER})\s*(?P<last>(?:{_WORD}))?)?\s*\)?"
    rf"(?P<after>\s*(?:{_WORD}))?\s*(?P<note>[*\u2020\u2021\u00a7]*)",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\s*(?:[<>\u2264\u2265\u2a7d\u2a7e]|up to|at most|at least|max\.)\s*=?\s*\d", re.I
)
_BEGINS = re.compile(r"\s*[~<>\u2248\u2264\u2265+-]?=?\s*\d[\d.,' ]*(?:\s|$|\D{1,8}$)")
_DIGIT = re.compile(r"\d")
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:(?P<mark>[.,' ])\d{3})(?:(?P=mark)\d{3})*")
_LAKHS = re.compile(r"[1-9]\d?(?:,\d\d)+,\d{3}")


@dataclass(frozen=True, slots=True)
class Writing:
    """A way to write numbers: the mark before the fraction, and the one between thousands."""

    decimal: str = "."
    thousands: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """What a cell says: a number, its unit as written, and what stands around it."""

    value: float
    unit: str = ""
    deviation: float | None = None
    remark: str = ""  # why it is less than exact: "about", or a footnote's mark


@dataclass(frozen=True, slots=True)
class _Parts:
    """A cell that looks like a figure, taken apart; how its number is to be read is open."""

    number: str
    unit: str
    deviation: str
    percent: bool
    remark: str


_ANY = tuple(Writing(one, other) for one in ".," for other in ".,' " if one != other)


@cache
def conventions() -> tuple[Writing, ...]:
    """Return the ways to write numbers that the world's languages have, each once."""
    from babel import Locale

    found = []
    for name in LOCALES:
        for symbols in Locale.parse(name).number_symbols.values():
            decimal, group = (normal(symbols.get(key) or "") for key in ("decimal", "group"))
            if decimal in (".", ",") and len(group) == 1:
                found.append(Writing(decimal, group))
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=8192)
def normal(text: str) -> str:
    """Return a text in plain letters: digits of any script, spaces, dashes, ligatures.

    A raised digit is a footnote's mark and no digit of the figure: it becomes an asterisk.
    """
    return text if text.isascii() else "".join(map(_plainly, text))


def _plainly(letter: str) -> str:
    kind = unicodedata.category(letter)
    if letter in _MARKS:
        return _MARKS[letter]
    if kind in _KINDS:
        return _KINDS[kind]
    if kind == "Nd":
        return str(unicodedata.decimal(letter))
    if unicodedata.decomposition(letter).startswith(("<super>", "<sub>", "<circle>")):
        return "*"
    return unicodedata.normalize("NFKC", letter)


@lru_cache(maxsize=65536)
def _parts(cell: str) -> _Parts | None:
    """Take a cell apart; None where it is no figure, however its number were read."""
    text = normal(cell).strip()
    found = _CELL.fullmatch(text) if _DIGIT.search(text) and len(text) <= _LONGEST else None
    if not found:
        return None
    unit = (found["unit"] or found["last"] or found["after"] or "").strip()
    percent = found["deviation"] is not None and (found["last"] or "").strip() == "%"
    if percent:
        unit = (found["unit"] or found["after"] or "").strip()
    units = {(found[name] or "").strip() for name in ("unit", "last", "after")} - {"", "%"}
    if len(units) > 1 or (unit and unit_of(unit) is None):
        return None
    if found["note"]:
        remark = "a footnote's mark stands at it"
    else:
        remark = "written as 'about'" if found["about"] else ""
    return _Parts(found["number"], unit, found["deviation"] or "", percent, remark)


@lru_cache(maxsize=65536)
def _value(number: str, writing: Writing) -> float | None:
    """Return a number as one writing reads it; None where that has no such number."""
    mantissa, _, exponent = number.lower().partition("e")
    mantissa = re.sub(r"(?<=\d)_(?=\d{3})", "", mantissa)  # as programs write it
    whole, point, fraction = mantissa.lstrip("+-").rpartition(writing.decimal)
    if not point:
        whole, fraction = fraction, ""
    if writing.thousands and writing.thousands in whole:
        grouped = _GROUPED.fullmatch(whole) or (_LAKHS.fullmatch(whole) if "," in whole else None)
        if not grouped:
            return None
        whole = whole.replace(writing.thousands, "")
    if not (whole or fraction).isdigit() or (
        whole and fraction and not (whole + fraction).isdigit()
    ):
        return None
    try:
        exact = Decimal(f"{whole or 0}.{fraction or 0}e{exponent or 0}")
    except InvalidOperation:
        return None
    return None if abs(exact) > LARGEST else scaled(float(-exact if number[0] == "-" else exact), 1)


def figure(cell: str, writing: Writing | None = None) -> Figure | None:
    """Return what a cell says; None of anything else, and of a number that may be two.

    Without a writing 1,234 is a thousand to some and about one to others: it is no figure.
    """
    parts = _parts(cell)
    if parts is None:
        return None
    if writing is None:
        readings = {_value(parts.number, one) for one in conventions()} - {None}
        if len(readings) != 1:
            return None
        writing = next(one for one in conventions() if _value(parts.number, one) is not None)
    value = _value(parts.number, writing)
    deviation = _value(parts.deviation, writing) if parts.deviation else None
    if value is None or (parts.deviation and deviation is None):
        return None
    if parts.percent and deviation is not None:
        deviation = abs(value) * deviation / 100
    return Figure(value, parts.unit, deviation, parts.remark)


def is_figure_like(cell: str) -> bool:
    """Whether a cell is a figure in some writing, be it one that no language has."""
    parts = _parts(cell)
    return parts is not None and any(_value(parts.number, one) is not None for one in _ANY)


def is_measured(cell: str) -> bool:
    """Whether a cell begins as a figure does, or a bound, whatever stands behind it."""
    return is_figure_like(cell) or _BEGINS.match(normal(cell)) is not None


def why_none(cell: str, writing: Writing | None) -> str:
    """Say why a cell is no figure; nothing where there is nothing in it to leave out."""
    if not _DIGIT.search(normal(cell)):
        return ""
    if _BOUND.match(normal(cell)):
        return "a bound, and no figure"
    if writing is not None and is_figure_like(cell):
        told = f", thousands by '{writing.thousands}'" if writing.thousands else ""
        return f"no figure with '{writing.decimal}' before the fraction{told}"
    return "no figure"


def said(decimal: str, thousands: str) -> tuple[Writing, ...]:
    """Return the writings that the user's marks leave; UsageError where there is none."""
    none = thousands == "none"
    decimal, thousands = normal(decimal), "" if none else normal(thousands)
    if decimal not in ("", ".", ",") or thousands not in ("", ".", ",", "'", " ", "_"):
        raise UsageError("--decimal is '.' or ',', --thousands one of . , ' _, a space, or none")
    if decimal and decimal == thousands:
        raise UsageError(f"--decimal and --thousands can't both be '{decimal}'")
    if decimal and thousands:
        return (Writing(decimal, thousands),)
    if none:
        return tuple(Writing(one) for one in (".", ",") if decimal in ("", one))
    if thousands:
        others = [one for one in (".", ",") if one != thousands]
        known = [one for one in conventions() if one.thousands == thousands]
        return tuple(known) or tuple(Writing(one, thousands) for one in others)
    return tuple(one for one in conventions() if not decimal or one.decimal == decimal)


def _is_read(parts: _Parts, writing: Writing) -> bool:
    """Whether a writing reads a cell: its number, and what stands behind a plus-minus."""
    return all(_value(one, writing) is not None for one in (parts.number, parts.deviation) if one)


@dataclass(frozen=True, slots=True)
class Open:
    """A column that can be read in two ways: a cell of it, and both of its readings."""

    cell: str
    readings: tuple[float, float]


def reading(cells: Sequence[str], writings: Iterable[Writing]) -> tuple[Writing, ...]:
    """Return those of some writings that read the most of a column's cells."""
    taken = [parts for cell in cells if (parts := _parts(cell))]
    counts = {one: sum(_is_read(parts, one) for parts in taken) for one in writings}
    most = max(counts.values(), default=0)
    return tuple(one for one, count in counts.items() if count == most)


def open_cell(cells: Sequence[str], writings: Sequence[Writing]) -> Open | None:
    """Return a cell that these writings read differently; None where they agree on all."""
    for cell in cells:
        parts = _parts(cell)
        values = {_value(parts.number, one) for one in writings} - {None} if parts else set()
        if len(values) > 1:
            low, high = sorted(value for value in values if value is not None)[:2]
            return Open(cell, (high, low))
    return None


def inferred(
    cells: Sequence[str], likely: Sequence[Writing], decimal: str, is_count: bool
) -> Writing | Open:
    """Return how a column's numbers are written, or what is open.

    `likely` are the writings that are left by the user and the table's other columns, `decimal`
    is the mark that goes with the file's delimiter, `is_count` of a unit that has no fractions.
    """
    left = reading(cells, likely)
    question = open_cell(cells, left)
    if question is None:
        return left[0]
    by_file = [one for one in left if one.decimal == decimal]
    if by_file and open_cell(cells, by_file) is None:
        return by_file[0]
    numbers = [parts.number for cell in cells if (parts := _parts(cell))]
    bare = [number for number in numbers if number.isdigit()]
    grouped = [one for one in left if one.thousands and one.thousands in question.cell]
    sure = bool(bare) and all(len(number) <= 3 for number in bare)
    if grouped and is_count and (sure or "," in question.cell):
        return grouped[0]
    return question


def is_count(units: Collection[str]) -> bool:
    """Whether figures in these units have no fraction: cycles, instructions, bytes."""
    known = [unit_of(unit) for unit in units if unit]
    return bool(known) and all(one is not None and one[0] in COUNTS for one in known)
