# SPDX-License-Identifier: Apache-2.0
"""Reads the YAML that our own workflows are written in: mappings, lists, words, blocks (`|`).

Nothing that the lab or its tests install reads YAML, and these files need no more of it. What is
not of that kind is refused, so that a workflow stays within it.
"""

from __future__ import annotations

import re
from typing import Any

_KEY = re.compile(r"([A-Za-z_][\w-]*):(?: +(.*))?$")


def read(text: str) -> Any:
    """Return a document as dictionaries, lists and strings."""
    lines = [line for line in text.splitlines() if not re.match(r"\s*(#|$)", line)]
    value, rest = _value(lines, _indent(lines[0]))
    assert not rest, f"not understood: {rest[0]}"
    return value


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _value(lines: list[str], indent: int) -> tuple[Any, list[str]]:
    return (_list if lines[0].lstrip().startswith("- ") else _mapping)(lines, indent)


def _list(lines: list[str], indent: int) -> tuple[list[Any], list[str]]:
    found = []
    while lines and _indent(lines[0]) == indent and lines[0].lstrip().startswith("- "):
        first = lines[0].lstrip()[2:]
        if _KEY.match(first):
            # A mapping begins behind the mark, as far in as its next lines.
            value, lines = _mapping([" " * (indent + 2) + first, *lines[1:]], indent + 2)
        else:
            value, lines = _word(first), lines[1:]
        found.append(value)
    return found, lines


def _mapping(lines: list[str], indent: int) -> tuple[dict[str, Any], list[str]]:
    found: dict[str, Any] = {}
    while lines and _indent(lines[0]) == indent:
        match = _KEY.match(lines[0].strip())
        assert match, f"not understood: {lines[0]}"
        key, word = match.groups()
        assert key not in found, f"twice: {lines[0]}"
        lines = lines[1:]
        if word == "|":
            block = []
            while lines and _indent(lines[0]) > indent:
                block.append(lines.pop(0).strip())
            found[key] = "\n".join(block)
        elif word:
            found[key] = _word(word)
        elif lines and (_indent(lines[0]) > indent or lines[0].strip().startswith("- ")):
            found[key], lines = _value(lines, _indent(lines[0]))
        else:
            found[key] = None
    return found, lines


def _word(text: str) -> str:
    text = re.sub(r" #.*$", "", text).strip()
    assert text[0] not in "[{&*!>'%@", f"not understood: {text}"
    return text[1:-1] if text[0] == '"' else text
