# SPDX-License-Identifier: Apache-2.0
"""`#if` within a function: two programs in one text (CONTRIBUTING.md). How many are left.

The number only shrinks: who takes one out lowers it here, and a new one fails. Lists of offsets
(arch/offsets.h) are no program, though they stand in a function.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from support.sources import Source, sources

LEFT = {"kernel": 16, "arch": 20}
_CONDITION = re.compile(r"#\s*if(?:n?def)?\b")


def conditionals(source: Source) -> Iterator[str]:
    """Each that stands between the braces of a function: its place, and what it asks."""
    is_inside = False
    for number, line in enumerate(source.lines, 1):
        is_inside = line == "{" or (is_inside and not line.startswith("}"))
        if is_inside and _CONDITION.match(line):
            yield f"{source.file}:{number}: {line}"


@pytest.mark.parametrize("room", LEFT)
def test_conditionals_within_functions_become_fewer(room):
    found = [one for source in sources() if source.file.startswith(f"{room}/")
             if source.path.suffix in {".c", ".h"} and source.path.stem != "offsets"
             for one in conditionals(source)]  # fmt: skip
    listed = "\n".join(found)
    assert len(found) <= LEFT[room], f"a new one among:\n{listed}"
    assert len(found) == LEFT[room], f"fewer: write {len(found)} into LEFT"


def test_a_conditional_between_functions_is_none():
    lines = ["#ifdef A", "void f(void)", "{", "#if B", "\tg();", "#endif", "}", "#endif"]
    found = list(conditionals(Source(sources()[0].path, "", "\n".join(lines), ())))
    assert [one.rpartition(":")[2] for one in found] == [" #if B"]
