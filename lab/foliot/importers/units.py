# SPDX-License-Identifier: Apache-2.0
"""Units as people write them, and which of them turn into one another.

Times turn into ns, exactly. Cycles, instructions and bytes stay what they are: they turn into
nothing, and a unit that is none of these is not guessed.
"""

from __future__ import annotations

import re
from decimal import Decimal

_WORDS = {
    "ns": ("ns", "nsec", "nsecs", "nanosecond", "nanoseconds", "nanosec"),
    "us": ("us", "µs", "μs", "usec", "usecs", "microsecond", "microseconds", "microsec"),
    "ms": ("ms", "msec", "msecs", "millisecond", "milliseconds", "millisec"),
    "s": ("s", "sec", "secs", "second", "seconds"),
    "cycles": ("cycles", "cycle", "cyc", "clk", "clks", "clocks", "tcs", "cpu-cycles", "ticks"),
    "insn": ("insn", "insns", "instruction", "instructions", "instrs", "insnret"),
    "tsc": ("tsc",),
    "bytes": ("bytes", "byte", "b"),
}
_NAMED = {word: unit for unit, words in _WORDS.items() for word in words}
_NS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
_PER = re.compile(r"\s*(?:/|per)\s*(?:iter(?:ation)?s?|ops?|operations?|calls?|runs?|ipcs?)$")


def unit_of(text: str) -> tuple[str, int] | None:
    """Return the run's unit that a text names, and how many of it one of the text's are.

    `us` is ("ns", 1000), `cycles/iter` is ("cycles", 1); None for anything else, ops/s for one.
    """
    known = _NAMED.get(_PER.sub("", text.strip().lower()))
    if known is None:
        return None
    return ("ns", _NS[known]) if known in _NS else (known, 1)


def scaled(value: float, factor: int) -> float:
    """Return a figure in a smaller unit, to the digit: 2.3 us are 2300 ns."""
    exact = Decimal(repr(value)) * factor
    return int(exact) if exact == int(exact) else float(exact)
