# SPDX-License-Identifier: Apache-2.0
"""What vendors say of devices, beside what a page says of them: data/reference/devices.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from foliot.target import paths

_KIB = {"k": 1, "m": 1024, "g": 1024 * 1024}
_SIZE = re.compile(r"(?P<count>\d+(?:\.\d+)?)\s*(?P<unit>[kKMG])i?B?")
_MEMORIES = {"ram": "RAM", "rom": "flash"}


@lru_cache(maxsize=1)
def _known() -> Mapping[str, Mapping[str, Any]]:
    path = paths.REFERENCE / "devices.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def contradictions(name: str, told: Mapping[str, str], clock_hz: int) -> Iterator[tuple[str, str]]:
    """Yield what a page says of a device that its chip is not: the fact's key, and a sentence.

    `told` is the page's table (ram, rom), `clock_hz` what it declares. Nothing of a device that is
    not known, nor of what the page leaves out.
    """
    bare = re.sub(r"[^a-z0-9]", "", name.lower())
    facts = next((facts for word, facts in _known().items() if word in bare), {})
    for key, what in _MEMORIES.items():
        size = _kib(told.get(key, ""))
        if key in facts and size is not None and size != facts[key]:
            yield key, f"{told[key]} of {what} told, it has {facts[key]} KiB: {facts['source']}"
    most = facts.get("most_mhz")
    if most and clock_hz > most * 1_000_000:
        yield "clock", f"{clock_hz / 1e6:g} MHz declared, {most} at most: {facts['source']}"


def _kib(text: str) -> float | None:
    size = _SIZE.search(text)
    return float(size["count"]) * _KIB[size["unit"].lower()] if size else None
