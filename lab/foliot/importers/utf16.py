# SPDX-License-Identifier: Apache-2.0
"""Whether a file is in UTF-16, as Windows' terminals write: with its mark or without.

The mark alone says nothing: FF FE is also what a serial line reads while its cable is plugged in.
In UTF-16 every figure, space and line end has a NUL byte beside it; in any other encoding two
such bytes make one letter of a far-off script.
"""

from __future__ import annotations

import codecs

_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_FEWEST = 0.05  # of the letters are plain ones in any page with figures
_FEWEST_UNMARKED = 0.7
_SAMPLE = 1 << 14


def encoding_of(head: bytes) -> str:
    """Return the encoding of a file that begins so: utf-16-le, utf-16-be, or nothing."""
    marked = _MARKS.get(head[:2])
    for encoding in (marked,) if marked else _MARKS.values():
        text = head[:_SAMPLE].decode(encoding, "replace")
        plain = sum(" " <= letter <= "~" or letter in "\t\r\n" for letter in text)
        if plain > (_FEWEST if marked else _FEWEST_UNMARKED) * len(text) and plain > 1:
            return encoding
    return ""
