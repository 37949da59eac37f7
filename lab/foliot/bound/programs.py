# SPDX-License-Identifier: Apache-2.0
"""What `foliot bound --check` runs: the suites, and the tests that run on `ibex`, by configuration.

The parameters of a program are what its loops are held against: how much of everything it has, at
most, where that is more than USUAL says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from foliot.bound import facts
from foliot.model.errors import unknown
from foliot.target import paths, suites

_LATE = 1 << 20  # slots: a program that sleeps, or boots, finds as many empty ones as it likes
_ENDLESS = 20_000_000  # cycles of a program whose own clock ends it


@dataclass(frozen=True, slots=True)
class Run:
    """A program, how it is built, for how long it runs, and what it has more of than is usual."""

    directory: Path
    conf: tuple[str, ...] = ()
    max_cycles: int | None = None
    more: Mapping[str, int] = field(default_factory=dict)
    attacked: bool = False  # has accesses that are not aligned, which fault

    @property
    def name(self) -> str:
        """`tests/kernel fast`."""
        shown = self.directory.relative_to(paths.ROOT).as_posix()
        return " ".join([shown, ",".join(self.conf)]).strip()

    @property
    def parameters(self) -> Mapping[str, int]:
        """What its loops are held against."""
        return {**facts.USUAL, "S": _LATE, **self.more}


_TESTS = {
    "kernel": ("fast", "deadline,fast", "checked,fast", "robust,fast", "features,fast",
               "guard,fast", "checked,features,fast", "small,fast", "fast,user"),
    "user": ("fast", "stackguard,fast"),
    "ipc": ("fast,user", "checked,fast,user"),
    "periodic": ("fast",),
    "kernel/masked": ("",),
}  # fmt: skip
_USERS = ("states", "ipc", "worst")  # suites that are run with user threads, too
# Whose user threads try addresses that are not aligned, and not theirs.
_ATTACKED = ("tests/user", "tests/ipc")
_STACK = 1024  # bytes of a user thread's, which are filled when it begins
# What a program has more of than is usual, by its sources.
_MORE: Mapping[str, Mapping[str, int]] = {
    "suites/floor": {"B": _STACK},
    # HELPERS and two; LONG
    "suites/interference": {"W": 26, "P": 26, "M": 26, "C": 26, "B": 1024},
    "suites/ipc": {"B": _STACK},
    "suites/objects": {"O": 64},  # MOST events
    "suites/periodic": {"E": 16},  # threads, all due at once
    "suites/time": {"E": 260},  # 256 timeouts beside those of an operation
    "suites/worst": {"E": 2},
    # 24 timers of time.c, OWNERS of mutex_chain.c
    "tests/kernel": {"E": 24, "C": 12, "B": 256, "O": 24},
    "tests/kernel fast,user": {"B": 2 * _STACK},
    "tests/kernel/masked": {"B": 4096},  # its messages
    "tests/user": {"E": 4, "B": _STACK, "O": 24},  # its domains
    "tests/ipc": {"E": 4, "B": _STACK},
    "tests/periodic": {"E": 21},  # 20 timers beside a group
}


def runs(names: Sequence[str] = ()) -> list[Run]:
    """Return what is to be run: all, or those that are named, or in a directory that is."""
    found = [
        _run(suites.directory(name), (), _ENDLESS if name == "thread_metric" else None)
        for name in suites.names()
    ]
    found += [_run(suites.directory(name), ("userspace", "ipc")) for name in _USERS]
    found += [
        _run(paths.ROOT / "tests" / name, tuple(filter(None, conf.split(","))))
        for name, each in _TESTS.items()
        for conf in each
    ]
    if not names:
        return found
    return [one for name in names for one in _named(found, name)]


def _run(directory: Path, conf: tuple[str, ...], max_cycles: int | None = None) -> Run:
    run = Run(directory, conf, max_cycles)
    shown = directory.relative_to(paths.ROOT).as_posix()
    more = {**_MORE.get(shown, {}), **_MORE.get(run.name, {})}
    return replace(run, more=more, attacked=shown in _ATTACKED)


def _named(found: Sequence[Run], name: str) -> Sequence[Run]:
    """Return the one of that name; else those in the directory of that name."""
    fits = [one for one in found if one.name == name]
    fits = fits or [one for one in found if one.directory.name == name]
    if not fits:
        raise unknown("program", name, [one.name for one in found])
    return fits
