# SPDX-License-Identifier: Apache-2.0
"""What a campaign consists of: a command with its files, and what came of it."""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

PYTHON = "{python}"  # in a job's words: the Python that runs it, wherever that is
ELSEWHERE = 75  # sysexits.h, EX_TEMPFAIL: that machine can't do it, another one may
STOPPED = -1  # it took longer than its limit


@dataclass(frozen=True)
class Job:
    """A command, run in a directory of its own that holds `files`, by their names there.

    `name` is for people, and no part of what the job is. `limit_s`: of the clock on the wall.
    """

    name: str
    words: tuple[str, ...]
    files: Mapping[str, Path]
    limit_s: float = 600.0

    @cached_property
    def spec(self) -> str:
        """All that the job is, as JSON: files by their SHA-256, and whether they are programs."""
        files = {
            name: [hashlib.sha256(path.read_bytes()).hexdigest(), os.access(path, os.X_OK)]
            for name, path in sorted(self.files.items())
        }
        return json.dumps({"words": self.words, "files": files, "limit_s": self.limit_s})

    @cached_property
    def key(self) -> str:
        """What names the job, on every machine."""
        return hashlib.sha256(self.spec.encode()).hexdigest()

    def packed(self) -> dict[str, Path]:
        """Return its files by their content's SHA-256."""
        named = json.loads(self.spec)["files"]
        return {content: self.files[name] for name, (content, _) in named.items()}


@dataclass(frozen=True, slots=True)
class Result:
    """How a job ended (128 + N: by signal N), and what it printed, stderr among it."""

    status: int
    output: bytes

    @property
    def final(self) -> bool:
        """Whether it would be the same elsewhere, and another time."""
        return self.status not in (ELSEWHERE, STOPPED)


def pack(path: Path) -> bytes:
    """Return a file's content as it travels."""
    return zlib.compress(path.read_bytes(), 1)
