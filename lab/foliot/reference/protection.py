# SPDX-License-Identifier: Apache-2.0
"""What a row of user threads may cost: its kernel row, and the floor of what it passes through.

The floor suite has system calls and the switch of a domain, written by hand. A row of user
threads may take its kernel row in the same build, plus 1.6 times the floor of the calls,
checks, copies and switches on its path. So what is allowed grows with what the hardware asks
for, and with nothing else.

A window that begins in one thread and ends in another holds the way in of one call and the way out
of another: that is one call. Where only one of them is a user's it holds half a call, of which
nobody can measure the floor; a whole one is counted, as there is one way out or in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foliot.model.run import Run

TIMES = 1.6
NULL, CHECKED, COPY = "syscall.null.user", "syscall.checked.user", "syscall.copy.user"
SWITCH = "domain.switch.stack.kernel"  # two threads of one domain: their stacks differ

_KERNELS = (
    (re.compile(r"\b[ku]_to_[ku]$"), "k_to_k"),
    (re.compile(r"\b(user|kernel)\.from\.(user|kernel)$"), "kernel.from.kernel"),
    (re.compile(r"\buser$"), "kernel"),
)
_TAKES_NO_OBJECT = ("thread.yield.", "isr.resume.")
_CREATE = "thread.create."
_CREATE_WORDS = 11  # ten arguments, and who called
_TO_ANOTHER = ("thread.suspend.user.from.user", "thread.resume.user.from.user")
# A user thread's start holds the wipe of its stack, of which there is no floor.
_WIPES = "thread.start.user."


@dataclass(frozen=True, slots=True)
class Path:
    """What a row's window passes through, beside what its kernel row does."""

    calls: int = 0
    checks: int = 0
    copies: int = 0
    switches: int = 0

    def floor(self, floor: Mapping[str, float]) -> float:
        """Return what that takes at the least, by the floor's rows."""
        return (
            self.calls * floor[NULL]
            + self.checks * (floor[CHECKED] - floor[NULL])
            + self.copies * (floor[COPY] - floor[NULL])
            + self.switches * floor[SWITCH]
        )


@dataclass(frozen=True, slots=True)
class Limit:
    """A row of user threads, what it takes, and what it may."""

    row: str
    figure: float
    kernel: float
    path: Path
    most: float

    @property
    def is_kept(self) -> bool:
        """Whether the row is within its limit."""
        return self.figure <= self.most


def kernel_row(row: str) -> str:
    """Return the id of the same operation where all threads are the kernel's."""
    for pattern, kernels in _KERNELS:
        if pattern.search(row):
            return pattern.sub(kernels, row)
    return row


def path_of(row: str) -> Path | None:
    """Return the path of a row of user threads; None for others, and where a stack is wiped."""
    if kernel_row(row) == row or row.startswith(_WIPES):
        return None
    if row.startswith(_CREATE):
        from_user = row.endswith(".from.user")
        return Path(1, 2, _CREATE_WORDS) if from_user else Path()  # the block and the stack
    if row.endswith(".user.from.kernel"):
        # Suspended by itself; resumed by the kernel, out of its call; aborted, without one.
        calls = {"suspend": (1, 1), "resume": (1, 0)}.get(row.split(".")[1], (0, 0))
        return Path(*calls)
    checks = 0 if row.startswith(_TAKES_NO_OBJECT) or row.endswith("k_to_u") else 1
    checks += checks if row.startswith("condvar.wait.") else 0  # and its mutex
    # The word that a pop stores where its caller wants it, also at the end of a wait.
    copies = int(row.startswith(("stack.pop.immediate", "stack.push.wake")) and row[-1] in "ru")
    # One user's thread goes on where another's was: those that suspend themselves, and are resumed.
    switches = row.endswith("u_to_u") or row in _TO_ANOTHER
    return Path(1, checks, copies, int(switches))


def limits(run: Run, floor: Mapping[str, float]) -> Sequence[Limit]:
    """Return the limits of a run's rows of user threads; none without such rows or a floor."""
    if not {NULL, CHECKED, COPY, SWITCH} <= floor.keys():
        return []
    kernels = {row.id: row.p50 for row in run.rows}
    found = []
    for row in run.rows:
        path, kernel = path_of(row.id), kernels.get(kernel_row(row.id))
        if path is not None and kernel is not None:
            most = kernel + TIMES * path.floor(floor)
            found.append(Limit(row.id, row.p50, kernel, path, most))
    return found


def told(found: Sequence[Limit]) -> str:
    """Say in a sentence how many rows keep their limits."""
    kept = sum(limit.is_kept for limit in found)
    least = f"the kernel row and {TIMES:g} times the floor of their calls, checks, copies, switches"
    return f"{kept} of {len(found)} rows of user threads are within {least}"
