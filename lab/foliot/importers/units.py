# SPDX-License-Identifier: Apache-2.0
"""Units as people write them, and which of them turn into one another.

Times turn into ns, exactly. Cycles, instructions and bytes stay what they are: they turn into
nothing, and a unit that is none of these is not guessed. What times are called in the world's
languages is of Unicode's tables (CLDR, by Babel), which are opened for a word that is not known.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal
from functools import cache, lru_cache

_WORDS = {
    "ps": ("ps", "psec", "picosecond", "picoseconds"),
    "ns": ("ns", "nsec", "nsecs", "nanosecond", "nanoseconds", "nanosec"),
    "us": ("us", "μs", "usec", "usecs", "microsecond", "microseconds", "microsec"),
    "ms": ("ms", "msec", "msecs", "millisecond", "milliseconds", "millisec"),
    "s": ("s", "sec", "secs", "second", "seconds"),
    "cycles": (
        "cycles",
        "cycle",
        "cyc",
        "clk",
        "clks",
        "clocks",
        "tcs",
        "cpu-cycles",
        "ticks",
        "zyklen",
        "takte",
        "taktzyklen",
        "サイクル",
        "クロック",
        "周期",
    ),
    "insn": ("insn", "insns", "ins", "instruction", "instructions", "instrs", "insnret"),
    "tsc": ("tsc",),
    "bytes": ("bytes", "byte", "b"),
}
_NAMED = {word: unit for unit, words in _WORDS.items() for word in words}
_NS: dict[str, int | Decimal] = {
    "ps": Decimal("0.001"), "ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9,
}  # fmt: skip
COUNTS = ("cycles", "insn", "tsc", "bytes")
_TIMES = {"ns": "nanosecond", "us": "microsecond", "ms": "millisecond", "s": "second"}
_LANGUAGES = ("de", "fr", "es", "it", "pt", "nl", "pl", "ru", "uk", "sv", "da", "fi", "cs", "hu",
              "tr", "ja", "zh", "ko", "ar", "hi")  # fmt: skip
_LONGEST = 40
_PER = re.compile(r"\s*(?:/|per)\s*(?:iter(?:ation)?s?|ops?|operations?|calls?|runs?|ipcs?)$")


def unit_of(text: str) -> tuple[str, int | Decimal] | None:
    """Return the run's unit that a text names, and how many of it one of the text's are.

    `us` is ("ns", 1000), `cycles/iter` is ("cycles", 1); None for anything else, ops/s for one.
    """
    known = _known(text)
    if known is None:
        return None
    return ("ns", _NS[known]) if known in _NS else (known, 1)


@lru_cache(maxsize=4096)
def _known(text: str) -> str | None:
    word = _PER.sub("", unicodedata.normalize("NFKC", text).strip().lower())
    found = _NAMED.get(word)
    if found is None and 1 < len(word) < _LONGEST and not word.isdigit():
        found = _translated().get(word)
    return found


@cache
def _translated() -> Mapping[str, str]:
    """Map what times are called in the world's languages, one or many of them, to their units."""
    from babel import Locale
    from babel.units import format_unit, get_unit_name

    found: dict[str, str] = {}
    for language in _LANGUAGES:
        locale = Locale.parse(language)
        for unit, name in _TIMES.items():
            words = [get_unit_name(f"duration-{name}", length="long", locale=locale)]
            words += [format_unit(n, f"duration-{name}", length, locale=locale)
                      for n in (1, 2, 5) for length in ("long", "short")]  # fmt: skip
            for word in (one for one in words if one and not one.startswith("duration-")):
                bare = unicodedata.normalize("NFKC", re.sub(r"[\d\s]+", " ", word)).strip().lower()
                found.setdefault(bare, unit)
    return found


def scaled(value: float, factor: int | Decimal) -> float:
    """Return a figure in another unit, to the digit: 2.3 us are 2300 ns."""
    exact = Decimal(repr(value)) * factor
    return int(exact) if exact == int(exact) else float(exact)
