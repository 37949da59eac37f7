# SPDX-License-Identifier: Apache-2.0
"""Names: of rows and what they are patterns of, and names made of other people's titles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase


def family(row_id: str) -> str:
    """Return the family of a row: the object that it is about."""
    return row_id.partition(".")[0]


def matches(row_id: str, patterns: Iterable[str]) -> bool:
    """Whether a row is wanted: by a pattern with * and ?, or a part of its id; none: all."""
    patterns = tuple(patterns)
    return not patterns or any(
        fnmatchcase(row_id, pattern)
        if any(mark in pattern for mark in "*?[")
        else pattern in row_id
        for pattern in patterns
    )


def plain(text: str) -> str:
    """Return a text that any file can hold: without control characters and half surrogates."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(letter for letter in text if letter.isprintable())


def slug(text: str) -> str:
    """Return a name without spaces: letters, digits and full stops, `_` between them."""
    return re.sub(r"[^\w.+]+", "_", plain(text).strip().lower()).strip("_.")[:60]


def counted(count: int, what: str) -> str:
    """Return `1 row`, `2 rows`."""
    return f"{count} {what}{'s' * (count != 1)}"
