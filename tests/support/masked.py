# SPDX-License-Identifier: Apache-2.0
"""What runs in a row while no interrupt can come in: the simulator's --masked, by function."""

from __future__ import annotations

import bisect
import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from foliot.image.elf import Image

LIMIT = 10**9


@dataclass(frozen=True)
class Stretch:
    """Instructions in a row, in functions: how many of them in each, in order."""

    instructions: int
    marker: int
    functions: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return f"{self.instructions}: " + " ".join(f"{name}:{n}" for name, n in self.functions)

    def begins_in(self, entries: frozenset[str]) -> str:
        """Return the first function that is none of these, which every trap goes through."""
        names = [name for name, _ in self.functions]
        return next((name for name in names if name not in entries), names[0])


def stretches(iss: str, elf: Path) -> Iterator[Stretch]:
    """Run an image that ends by itself; yield the longest of each place where one ends."""
    out = elf.parent / "masked.jsonl"
    command = [iss, "--elf", str(elf), "--max-cycles", str(LIMIT), "--masked", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=600,
                          check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-500:]
    functions = Image(elf).functions()
    starts = [start for start, _, _ in functions]
    for line in out.read_text(encoding="utf-8").splitlines():
        found = json.loads(line)
        # Assembly's have no size: each goes on to the next.
        names = (functions[bisect.bisect_right(starts, pc) - 1][2] for pc in found["pcs"])
        runs = tuple((name, len(list(of))) for name, of in groupby(names))
        yield Stretch(found["instructions"], found["marker"], runs)
