# SPDX-License-Identifier: Apache-2.0
"""What each configuration costs over the default, row by row.

The default, each feature alone, user threads with what checks stacks, and all features together,
measured at the same time and put side by side. Ratios are those of p50; the means are
geometric. The documentation's tables come from here too, with what Zephyr pays for the same
beside (project/docs.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from foliot.campaign.here import Here
from foliot.measure import fleet, session
from foliot.model.errors import FoliotError
from foliot.model.figures import geometric_mean
from foliot.model.run import Run
from foliot.reference import systems
from foliot.reference.protection import kernel_row
from foliot.show.terminal import WIDTH, Progress
from foliot.target import boards, paths, provision

# In the order of the table; one whose fragment is not there is left out.
FEATURES = ("canaries", "canaries-all", "stackguard", "objcore", "timeslicing", "userspace")
# canaries-all is canaries once more, so it has no place in the sum; nor have user threads, whose
# rows are others: what the checks of stacks cost them stands in columns of their own.
TOGETHER = tuple(name for name in FEATURES if name not in {"canaries-all", "userspace"})
WITH_USERS = (("userspace", "stackguard"), ("userspace", "canaries"))

# What few programs have, which `bench --conf-matrix` leaves out and the documentation lists apart.
OPTIONS = ("priorities", "metairq", "deadline", "tls", "wide")

# What the rows may cost together, times the default's.
TARGETS: dict[tuple[str, ...], float] = {
    ("canaries",): 1.05,
    ("canaries-all",): 1.5,
    ("objcore",): 1.25,
    ("timeslicing",): 1.02,
}

# References that don't bear the names of their like.
_OTHERWISE = {"zephyr-3.3-userspace-speed@ibex": "zephyr-3.3-userspeed@ibex"}

_TITLES = "abcdefghijklmnop"
_FIRST, _BESIDE = 45, 10  # columns that a row's name and figure take, and each configuration
_SWITCHING = (
    ".ctx", "+ctx", ".blocking.", "isr.resume.different.", "thread.start.", "thread.suspend.",
    "thread.resume.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cost:
    """What a configuration costs over the default: geometric means of the rows' ratios."""

    every: float
    switching: float
    others: float
    yielding: float
    rows: int


@dataclass(frozen=True, slots=True)
class UserCost:
    """What protection costs those who use it: the rows of user threads, in numbers.

    `over_kernel` is their geometric mean over the same operation between kernel threads, in the
    default build; `rows` how many have such a counterpart.
    """

    over_kernel: float
    rows: int


@dataclass(frozen=True, slots=True)
class Matrix:
    """The default's run, and the others' by configuration."""

    default: Run
    others: dict[tuple[str, ...], Run]

    def cost(self, conf: tuple[str, ...]) -> Cost:
        """Compare one configuration with the default."""
        return cost(self.default, self.others[conf])


def configurations() -> list[tuple[str, ...]]:
    """Return the configurations beside the default: each feature alone, users' mixes, then all."""
    there = [name for name in FEATURES if (paths.FRAGMENTS / f"prj.{name}.conf").is_file()]
    together = tuple(name for name in TOGETHER if name in there)
    users = [mix for mix in WITH_USERS if set(mix) <= set(there)]
    return [(name,) for name in there] + users + ([together] if len(together) > 1 else [])


def measure(
    request: session.Request,
    progress: Progress,
    confs: Sequence[tuple[str, ...]] | None = None,
    where: Here | None = None,
) -> Matrix:
    """Measure all of them, or `confs`; FoliotError where one has no valid result."""
    chosen = [(), *(configurations() if confs is None else confs)]
    named = [",".join(conf) or "default" for conf in chosen]
    provision.prepare(boards.load(request.board), progress)
    requests = [replace(request, conf=conf) for conf in chosen]
    title = f"Measuring {request.suite} in {len(chosen)} configurations"
    runs: dict[int, Run] = {}
    for number, what in fleet.each(requests, named, where or Here(), title, progress):
        if isinstance(what, FoliotError):
            raise what
        runs[number] = what.examined()
        if not runs[number].valid:
            name = named[number]
            raise FoliotError(f"{name}: not a valid run: `foliot bench --conf {name}` says why")
    return Matrix(runs[0], {conf: runs[number] for number, conf in enumerate(chosen) if number})


def cost(default: Run, other: Run) -> Cost:
    """Compare two runs of one suite on one machine."""
    base = default.trusted()
    ratios = {row: value / base[row] for row, value in other.trusted().items() if row in base}
    if not ratios:
        raise FoliotError("the two runs have no rows in common")
    switching = [ratio for row, ratio in ratios.items() if switches(row)]
    others = [ratio for row, ratio in ratios.items() if not switches(row)]
    yielding = [ratio for row, ratio in ratios.items() if ".yield." in row]
    return Cost(
        every=_mean(list(ratios.values())),
        switching=_mean(switching),
        others=_mean(others),
        yielding=_mean(yielding),
        rows=len(ratios),
    )


def users_cost(default: Run, other: Run) -> UserCost | None:
    """Compare the rows of user threads with those of kernel threads without; None without any."""
    base = default.trusted()
    ratios = [
        value / base[kernels]
        for row, value in other.trusted().items()
        if (kernels := kernel_row(row)) != row and kernels in base
    ]
    return UserCost(geometric_mean(ratios), len(ratios)) if ratios else None


def _mean(ratios: Sequence[float]) -> float:
    return geometric_mean(ratios) if ratios else 1.0


def switches(row: str) -> bool:
    """Say whether a row's window holds a switch of threads."""
    return any(part in row for part in _SWITCHING)


def zephyr(board: str, conf: tuple[str, ...]) -> tuple[Cost | None, Cost | None]:
    """Return what Zephyr pays: as its README publishes it, and measured on this board."""
    measured = {
        "ibex": ("zephyr-3.3-{}-speed@ibex", "zephyr-3.3-speed@ibex"),
        "mps2_an385": ("zephyr-3.3-{}@mps2_an385", "zephyr-3.3@mps2_an385"),
    }
    published = ("zephyr-readme-2025-{}@unnamed", "zephyr-readme-2025@unnamed")
    # Zephyr's canaries stand in every function.
    names: dict[tuple[str, ...], str] = {("canaries-all",): "canaries", ("canaries",): ""}
    name = names.get(conf, conf[0])
    costs = []
    for pair in (published, measured.get(board)):
        with_it, without = (part.format(name) for part in pair) if pair else ("", "")
        with_it = _OTHERWISE.get(with_it, with_it)
        there = len(conf) == 1 and name and with_it in systems.names()
        costs.append(cost(systems.load(without), systems.load(with_it)) if there else None)
    return costs[0], costs[1]


def as_dict(matrix: Matrix) -> dict[str, object]:
    """Return the matrix for JSON: the figures by row, the costs by configuration."""
    header = matrix.default.header
    runs = {"default": matrix.default} | {",".join(c): run for c, run in matrix.others.items()}
    return {
        "schema": 1,
        "board": header.board,
        "unit": header.unit,
        "suite": header.suite,
        "commit": header.kernel_commit,
        "configurations": list(runs),
        "rows": {
            row.id: {name: _figure(run, row.id) for name, run in runs.items()}
            for row in matrix.default.rows
        },
        "cost": {
            ",".join(conf): {
                "rows": found.rows, "geometric_mean": found.every, "switching": found.switching,
                "others": found.others, "yield": found.yielding,
            }
            for conf in matrix.others
            for found in [matrix.cost(conf)]
        },
        "users": {
            ",".join(conf): {"rows": users.rows, "over_kernel": users.over_kernel}
            for conf, run in matrix.others.items()
            if (users := users_cost(matrix.default, run)) is not None
        },
    }  # fmt: skip


def lines(matrix: Matrix, width: int = WIDTH) -> list[str]:
    """Return the table for people: figures and ratios, the means below.

    Configurations that don't fit beside one another go below one another.
    """
    header = matrix.default.header
    unit = {"insn": "instructions"}.get(header.unit, header.unit)
    confs = list(matrix.others)
    legend = [
        f"  {letter}: {', '.join(conf)}" for letter, conf in zip(_TITLES, confs, strict=False)
    ]
    told = [f"{header.suite} on {header.board}, in {unit}: p50, and times the default's", *legend]
    fitting = max(1, (width - _FIRST) // _BESIDE)
    for first in range(0, len(confs), fitting):
        told += ["", *_block(matrix, confs[first : first + fitting], _TITLES[first:])]
    return told + _users(matrix)


def _users(matrix: Matrix) -> list[str]:
    """Return what those pay who use protection: above are those who don't, in such a build."""
    told = []
    for conf, run in matrix.others.items():
        users = users_cost(matrix.default, run)
        if users is not None:
            times = f"{users.over_kernel:.2f} times those of kernel threads by default"
            told += ["", f"{', '.join(conf)}: the {users.rows} rows of user threads are {times}"]
    return told


def _block(matrix: Matrix, confs: Sequence[tuple[str, ...]], letters: str) -> list[str]:
    """Return the table of the configurations that stand side by side."""
    titles = "".join(f"{letter:>{_BESIDE}}" for letter, _ in zip(letters, confs, strict=False))
    told = [f"{'row':<38}default{titles}"]
    for row in matrix.default.rows:
        cells = [_cell(row.p50, _figure(matrix.others[conf], row.id)) for conf in confs]
        runs = [matrix.default, *(matrix.others[conf] for conf in confs)]
        mark = " *" * any(known.doubts for run in runs if (known := run.row(row.id)))
        told.append(f"{row.id + mark:<39}{row.p50:>6g}{''.join(cells)}")
    costs = [matrix.cost(conf) for conf in confs]
    means: Sequence[tuple[str, Callable[[Cost], float]]] = (
        ("geometric mean, all rows", lambda cost: cost.every),
        ("geometric mean, rows with a switch", lambda cost: cost.switching),
        ("geometric mean, rows without one", lambda cost: cost.others),
    )
    for title, take in means:
        told.append(f"{title:<45}" + "".join(f"{take(cost):>10.3f}" for cost in costs))
    if any(" *" in line for line in told):
        told.append("* in doubt: the means are over the rows that nobody doubts")
    return told


def _figure(run: Run, row_id: str) -> float | None:
    return next((row.p50 for row in run.rows if row.id == row_id), None)


def _cell(base: float, figure: float | None) -> str:
    if figure is None:
        return f"{'-':>10}"
    return f"{figure:>5g}" + (f"{figure / base:5.2f}" if base > 0 else "    -")
