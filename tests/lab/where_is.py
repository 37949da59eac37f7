# SPDX-License-Identifier: Apache-2.0
"""Guesses from names alone which file answers "where is X".

    .venv/bin/python tests/lab/where_is.py kernel "Where is the tick announced?"

It sees no file's contents: words of the question are held against words of the paths, a rare word
counts for more than one that is in many paths, and a short path for more than a long one. It knows
no synonyms: it is a stranger who reads the listing of kernel/, or of another part, and opens three
files; a header and the source of its name are one.
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUESSES = 3
# What a question has and no path means; "kernel" is the whole tree's subject.
NO_WORDS = {
    "and", "are", "been", "does", "foliot", "for", "from", "get", "gets", "into", "its", "kernel",
    "next", "one", "other", "out", "over", "that", "the", "this", "was", "what", "when", "where",
    "which", "while", "who", "how", "with",
}  # fmt: skip
# Where something is tried or shown, and not done.
NOT_ASKED = {"tests", "suites"}


def words(text: str) -> set[str]:
    """Return a question's or a path's words of three letters at least, and numbers."""
    parts = re.findall(r"[a-z0-9]+", text.lower())
    return {part for part in parts if len(part) >= 3} - NO_WORDS


def _is_like(word: str, other: str) -> bool:
    """Whether they are one word: "delayed" and "delay", but not "mem" and "message"."""
    short, long = sorted((word, other), key=len)
    return word == other or (len(short) >= 4 and long.startswith(short))


@cache
def paths(part: str) -> tuple[str, ...]:
    """Return the files of a part of the tree in which something is done."""
    listed = subprocess.run(["git", "ls-files", part], cwd=ROOT, check=True, capture_output=True,
                            text=True)  # fmt: skip
    return tuple(path for path in listed.stdout.splitlines()
                 if part in NOT_ASKED or not NOT_ASKED & set(path.split("/")))  # fmt: skip


def name(path: str) -> str:
    """Return what a header and its source have in common."""
    return path.rpartition(".")[0]


def guesses(question: str, among: Iterable[str]) -> list[str]:
    """Return the names of the files that a stranger would open, first the likeliest."""
    named = {name(path): words(name(path)) for path in among}
    scores = dict.fromkeys(named, 0.0)
    for word in words(question):
        hit = [path for path, parts in named.items() if any(_is_like(word, p) for p in parts)]
        for path in hit:
            scores[path] += math.log(len(named) / len(hit))
    best = sorted((path for path in named if scores[path]),
                  key=lambda path: (-scores[path], len(named[path]), path))  # fmt: skip
    return best[:GUESSES]


if __name__ == "__main__":
    print(*guesses(" ".join(sys.argv[2:]), paths(sys.argv[1])), sep="\n")
