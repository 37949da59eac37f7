# SPDX-License-Identifier: Apache-2.0
"""What the parts of the tests take, and the share that each has of the whole.

In processor time (tests/support/times.py says why), and as the machine would take that is named
here: where a yardstick takes longer, by a slower core or others' load, as much is taken off. All
parts together may take what two cores do in LIMIT_MINUTES. A run that exceeds it fails, and names
the parts above their shares: what they have grown by belongs to `--long`, or has to become quicker.

The limit is what was asked for. Measured on 2026-11-27, without a compiler's cache, beside other
work: 41.9 minutes of a processor, of which 6 went to `--long` or became quicker afterwards; the
shares are older.
"""

from __future__ import annotations

import json
import resource
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CORES = 2
LIMIT_MINUTES = 20
# Minutes of a processor; together no more than CORES * LIMIT_MINUTES.
SHARES = {
    "style": 2.6, "lab": 12.9, "kernel": 6.6, "user": 5.8, "ipc": 1.1, "host": 2.6,
    "configurations": 2.5, "sim": 1.6, "others": 4.2,
}  # fmt: skip
YARDSTICK_S = 0.046  # two virtual cores of an AMD EPYC, both busy
_LEAST = 0.05


def processor_s() -> float:
    """Return the processor time of this process and of all that it waited for, in seconds."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


@dataclass(frozen=True, slots=True)
class Taken:
    """Each test's processor time, and the yardstick's now and then, in seconds."""

    tests: Mapping[str, float]
    yardsticks: Sequence[float] = ()

    @property
    def slowness(self) -> float:
        """How many times as long as on the machine of YARDSTICK_S it took; at least 1."""
        return max(1.0, statistics.fmean(self.yardsticks or [0.0]) / YARDSTICK_S)


def read(file: Path) -> Taken:
    """Return what the tests took; nothing where pytest ended before it wrote that."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return Taken(dict(found["tests"]), tuple(found["yardsticks"]))
    except (OSError, ValueError, KeyError):
        return Taken({})


def by_part(taken: Taken, of_style: float) -> dict[str, float]:
    """Return the minutes of each part: the directories of tests/, small ones together.

    `of_style` is in seconds, as measured.
    """
    found = dict.fromkeys(SHARES, 0.0)
    found["style"] = of_style
    for name, seconds in taken.tests.items():
        part = name.split("/")[1] if name.count("/") > 1 else "others"
        found[part if part in SHARES else "others"] += seconds
    return {part: seconds / 60 / taken.slowness for part, seconds in found.items()}


def table(taken: Mapping[str, float], with_shares: bool, slowness: float = 1.0) -> list[str]:
    """Say what each part took; beside it its share, where all was run that it is the share of."""
    off = f", {slowness:.2f} times as much by this machine's clock" if slowness > 1 else ""
    lines = ["", f"processor time, in minutes{off}:"]
    for part, minutes in taken.items():
        if minutes >= _LEAST:
            share = f"  of {SHARES[part]:4.1f}" if with_shares else ""
            lines.append(f"  {part:<15}{minutes:6.1f}{share}")
    whole = sum(taken.values())
    limit = f"  of {CORES * LIMIT_MINUTES:4.1f}" if with_shares else ""
    return [*lines, f"  {'all':<15}{whole:6.1f}{limit}"]


def exceeded(taken: Mapping[str, float]) -> list[str]:
    """Say that all together take more than they may, and which parts are why; nothing else.

    A part above its share is none of it where another is below: parts grow at different times.
    """
    whole = sum(taken.values())
    if whole <= CORES * LIMIT_MINUTES:
        return []
    over = [
        f"those of {part} take {minutes:.1f} min: their share is {SHARES[part]:g}"
        for part, minutes in taken.items()
        if minutes > SHARES[part]
    ]
    said = (
        f"they take {whole:.0f} min of a processor: {CORES * LIMIT_MINUTES} is what {CORES} cores "
        f"do in {LIMIT_MINUTES} min; what is new belongs to --long, or has to be quicker"
    )
    return [said, *over]
