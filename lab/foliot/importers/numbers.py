# SPDX-License-Identifier: Apache-2.0
"""What all readers share: the checks on a figure, and the run that rows become."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import isnan
from typing import Any

from foliot.judge.decode import implied_hz
from foliot.model.errors import LogError
from foliot.model.run import Failure, Header, Origin, Row, Run

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


def plain(text: str) -> str:
    """Return a text that any file can hold: without control characters and half surrogates."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(letter for letter in text if letter.isprintable())


def slug(text: str) -> str:
    """Return a name without spaces: letters, digits and full stops, `_` between them."""
    return re.sub(r"[^\w.+]+", "_", plain(text).strip().lower()).strip("_.")[:60]


def build(
    rows: Sequence[Row],
    *,
    origin: Origin,
    suite: str,
    unit: str,
    board: str = "unnamed",
    configuration: str = "default",
    declared_hz: int = 0,
    failures: Iterable[Failure] = (),
    successful: bool = True,
    header: Mapping[str, Any] | None = None,
) -> Run:
    """Return the run that foreign rows make; what `header` says overrides what is not known."""
    known = {
        "suite": suite, "kernel_commit": origin.kernel_version, "dirty": False, "board": board,
        "core": origin.device.get("core", "not known"), "unit": unit, "clock_hz": declared_hz,
        "clock_measured_hz": round(implied_hz(rows) or 0) if unit == "cycles" else 0,
        "counter": {}, "memory": _memory(origin.device), "compiler": "not known", "flags": "",
        "configuration": (configuration,), "config_sha256": "", "assertions": False,
        **(header or {}),
    }  # fmt: skip
    return Run(
        Header(**known), tuple(rows), failures=tuple(failures), successful=successful,
        foreign=True, origin=origin,
    )  # fmt: skip


def _memory(device: Mapping[str, str]) -> str:
    known = [f"{name.upper()} {device[name]}" for name in ("ram", "rom") if device.get(name)]
    return ", ".join(known) or "not known"
