# SPDX-License-Identifier: Apache-2.0
"""Figures as others print them: each fits into 64 bits, or the log was garbled."""

from __future__ import annotations

import re
from math import isnan

from foliot.model.errors import LogError

LARGEST = 2**63 - 1
MOST_ROWS = 20_000
_CLOCK = re.compile(r"(\d+(?:\.\d+)?)\s*([kMG])\s*Hz", re.IGNORECASE)
_SCALE = {"k": 1e3, "m": 1e6, "g": 1e9}


def whole(digits: str | bytes) -> int:
    """Return a figure; LogError where it does not fit into 64 bits."""
    if len(digits) > 20 or abs(int(digits)) > LARGEST:
        shown = digits.decode("ascii", "replace") if isinstance(digits, bytes) else digits
        raise LogError(f"{shown[:24]}... is a number beyond 64 bits: the log was garbled")
    return int(digits)


def number(value: object, what: str) -> float:
    """Return a JSON number within 64 bits; LogError where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or isnan(value):
        raise LogError(f"{what} should be a number and is {str(value)[:40]!r}")
    if abs(value) > LARGEST:
        raise LogError(f"{what} is beyond 64 bits")
    return value


def clock_hz(text: str) -> int:
    """Return the clock that a text names, in Hz; 0 where it names none."""
    found = _CLOCK.search(text)
    return round(float(found[1]) * _SCALE[found[2].lower()]) if found else 0
