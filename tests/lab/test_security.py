# SPDX-License-Identifier: Apache-2.0
"""docs/security.md: each promise names its tests, and each name is a test's."""

from __future__ import annotations

import re

from support.command import ROOT

CHAPTER = ROOT / "docs" / "security.md"
PLACES = [ROOT / "tests" / name for name in ("user", "kernel", "ipc")]
CALLED = re.compile(r"`([^`]+)`")
# Of the firmware, and of pytest.
TESTS = (("*.c", re.compile(r"^TEST\((\w+)\)", re.MULTILINE)),
         ("test_*.py", re.compile(r"^def (test_\w+)", re.MULTILINE)))  # fmt: skip


def names() -> set[str]:
    """All tests of threads, and the folders of those that are programs of their own."""
    programs = [path.parent for place in PLACES for path in place.glob("*/prj.conf")]
    found = {str(path.relative_to(ROOT)) for path in programs}
    for pattern, test in TESTS:
        for path in (path for place in PLACES for path in place.rglob(pattern)):
            found |= set(test.findall(path.read_text(encoding="utf-8")))
    return found


def promises() -> list[tuple[str, list[str]]]:
    """Each promise of the chapter, and what is said to try it."""
    text = CHAPTER.read_text(encoding="utf-8").split("## What is promised\n")[1].split("\n## ")[0]
    blocks = (block for block in text.split("\n\n") if block.startswith("* **"))
    form = re.compile(r"\* \*\*(.+)\*\*\s+\*How:\* (.+)\s+\*Tests:\* (.+)", re.DOTALL)
    found = (form.fullmatch(block) for block in blocks)
    return [(" ".join(one[1].split()), CALLED.findall(one[3])) for one in found if one]


def is_test(name: str, known: set[str]) -> bool:
    """`name` may leave out what is left out of a sentence: `…`, and what begins alike: `*`."""
    pattern = re.escape(name).replace("…", ".*").replace(r"\*", ".*")
    return any(re.fullmatch(pattern, test) for test in known)


def test_each_promise_is_tried_by_tests_that_there_are():
    known = names()
    table = promises()
    text = CHAPTER.read_text(encoding="utf-8")
    assert len(table) == text.count("*How:*") == text.count("*Tests:*") >= 27
    wrong = {what: [name for name in called if not is_test(name, known)] or "nobody tries it"
             for what, called in table
             if not called or not all(is_test(name, known) for name in called)}  # fmt: skip
    assert wrong == {}
