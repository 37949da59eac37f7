# SPDX-License-Identifier: Apache-2.0
"""The tables of README.md and docs/, measured and never typed.

A table stands between `<!-- generated: WHAT BOARD -->` and `<!-- end -->`. WHAT is
`results` (each row beside the most that its operation costs in any state, the bound of its calls
where there is a table for the core, its target, its floor and other kernels), `main` (of these the
few that devices are compared by), `summary` (one line a figure), `missed` (the targets that are),
`footprint`, `configurations` (what each costs over the
default, and Zephyr's), `options` (the same of what few programs have), `userspace` (the rows of
user threads), `protection` (each of them beside the floor of what it passes through), or, without
a board, `askers` (who asks for each option), `boards`,
`compatibility` (the names of Zephyr's API) and `matrix` (every board that runs here, and the
devices that others published figures of).
`distribution BOARD SUITE` is any suite's least, median, 99th percentile and most, `states BOARD
SUITE` a line an operation (its row, its least and its most over all states), and
`beside BOARD SUITE` its median
next to those of every kernel that was measured on that board; `tickless BOARD SUITE` its median and
most next to the best of those without a tick and the best of those with one. `late BOARD SUITE` is
by how much each row's most is over the first row's, there and on the board whose instructions are
exact. `growth BOARD` is that suite's figures by how many others there are, and the order in which
they grow.
`worst BOARD SUITE` is each operation's latest interrupt and its longest masked section, `latest
BOARD SUITE` seven of these lines: by a sweep's figures in data/sweep, which are not measured anew.
`steps BOARD SUITE ROW` is the way of one operation, function by function, and `floors BOARD ipc`
messages beside the floor of what they pass through. Nothing in a
table depends on the commit or the machine, so that it changes only when a figure does.

Figures within sentences: sentences.py.

`<!-- generated: $ ./foliot ... -->` stands before what that command prints; it is run in
the repository, with a store of its own that is empty.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from foliot.bound import facts, of_rows
from foliot.compare import boards_table
from foliot.compare.overview import MAIN_ROWS
from foliot.measure import fleet, session
from foliot.model import growth
from foliot.model.errors import FoliotError, UsageError
from foliot.model.figures import geometric_mean
from foliot.model.run import Row, Run
from foliot.project import (
    askers,
    compatibility,
    costs,
    headlines,
    ipc_floors,
    sentences,
    states,
    steps,
    worst,
)
from foliot.reference import goals, protection, systems
from foliot.show import markdown
from foliot.show.terminal import Progress
from foliot.target import boards, paths, suites

LATENCY = "latency"
HEAP = "heap"
GROWTH = "growth"
STATES = "states"

_LAB = Path(__file__).resolve().parents[2]
_LIMIT_S = 600
_DOUBTED = r"\*"
_UNITS = {"insn": "instructions"}
_MORE_AT_MOST = 4  # a kernel thread's call pays so much for user threads that are elsewhere
EXACT = "mps2_an385"  # of its figures each instruction is one
_MATRIX_SAMPLES = 100  # p50 is the same with more
_BLOCK = re.compile(
    r"^(?P<head><!-- generated: "
    r"(?:\$ (?P<command>[^\n]+)|(?P<what>\w+)(?: (?P<board>\w+))?(?: (?P<suite>\w+))?"
    r"(?: (?P<row>[\w.]+))?) -->\n)"
    r"(?P<body>.*?)(?P<end><!-- end -->)",
    re.DOTALL | re.MULTILINE,
)


def update(check: bool, quiet: bool, pages: Collection[Path] = ()) -> int:
    """Write the generated tables anew, or with `check` only say which are stale: then 1.

    Of these pages, or of all; UsageError where one has none.
    """
    progress = Progress(quiet)

    @cache
    def measured(board: str, suite: str = LATENCY, conf: tuple[str, ...] = ()) -> Run:
        run = session.measure(session.Request(board, suite, conf=conf), progress).examined()
        if not run.valid:
            raise FoliotError(f"{suite} on {board}: not a valid run, so no table is made of it")
        return run

    stale = []
    for path in _chosen(pages):
        before = path.read_text(encoding="utf-8")
        after = _BLOCK.sub(partial(_generated, path=path, measured=measured), before)
        after = sentences.renewed(after, path, measured)
        if after != before:
            stale.append(paths.shown(path))
            if not check:
                path.write_text(after, encoding="utf-8")
    for name in stale:
        print(f"{name}: {'stale' if check else 'written'}", file=sys.stderr)
    unsourced = list(_unsourced())
    for line in unsourced:
        print(line, file=sys.stderr)
    if not stale and not unsourced and not quiet:
        print("all is well: every generated table, and every figure of a sentence, is as it is now")
    return 1 if (check and stale) or unsourced else 0


def _unsourced() -> Iterator[str]:
    """Yield a line for each number of README.md and CAVEATS.md that nothing makes."""
    for name in sentences.WHOLE:
        path = paths.ROOT / name
        if path.is_file():
            for one in sentences.unsourced(path.read_text(encoding="utf-8")):
                told = f"the figure {one.number} has no source ({sentences.HOW})"
                yield f"{name}:{one.line}: {told}: {one.text}"


def _documents() -> list[Path]:
    found = [*paths.ROOT.glob("*.md"), *(paths.ROOT / "docs").rglob("*.md")]
    return sorted(path for path in found if _is_made(path.read_text(encoding="utf-8")))


def _chosen(pages: Collection[Path]) -> list[Path]:
    documents = _documents()
    for page in pages:
        if page.resolve() not in documents:
            raise UsageError(f"{page} has no generated table", "they are in README.md and docs/")
    chosen = {page.resolve() for page in pages}
    return [one for one in documents if one in chosen or not pages]


def _is_made(text: str) -> bool:
    return "<!-- generated:" in text or "<!-- is " in text


def _generated(block: re.Match[str], path: Path, measured: Callable[..., Run]) -> str:
    what, board, suite = block["what"], block["board"], block["suite"]
    if block["command"]:
        lines: list[str] | None = _printed(block["command"])
    elif board is None:
        makers = {
            "askers": askers.lines, "boards": _boards, "compatibility": compatibility.lines,
            "matrix": _matrix,
        }  # fmt: skip
        lines = makers[what]() if what in makers else None
    elif suite is None:
        lines = _of_board(what, board, measured)
    elif what in ("worst", "latest"):
        lines = (worst.every if what == "worst" else worst.main)(board, suite)
    elif what == "steps" and block["row"]:
        lines = _steps(board, suite, block["row"])
    else:
        lines = _of_suite(what, board, suite, measured)
    if lines is None:
        words = " ".join(word for word in (what, board, suite) if word)
        raise FoliotError(f"{paths.shown(path)}: nothing is generated by '{words}'")
    if what != "matrix" and any(_DOUBTED in line for line in lines):
        lines = [*lines, "", f"{_DOUBTED} in doubt: `foliot show` says why."]
    return block["head"] + "".join(f"{line}\n" for line in lines) + block["end"]


def _of_board(what: str, board: str, measured: Callable[..., Run]) -> list[str] | None:
    def where_there(suite: str) -> Run | None:
        return measured(board, suite) if suite in suites.names() else None

    def results(chosen: Collection[str] | None = None) -> list[str]:
        return _results(measured(board), where_there(STATES), chosen)

    def user() -> Run:
        return measured(board, LATENCY, ("userspace",))

    makers: dict[str, Callable[[], list[str]]] = {
        "results": results,
        "main": lambda: results(MAIN_ROWS),
        "missed": lambda: headlines.missed(measured(board)),
        "footprint": lambda: _footprint(measured(board)),
        "growth": lambda: _growth(measured(board, GROWTH)),
        "summary": lambda: headlines.summary(
            measured(board), where_there(HEAP), where_there(STATES)
        ),
        "userspace": lambda: userspace_rows(user(), measured(board)),
        "protection": lambda: protection_rows(user(), measured(board, suites.FLOOR).values()),
        "configurations": lambda: costs.features(board, _MATRIX_SAMPLES),
        "options": lambda: costs.options(board, _MATRIX_SAMPLES),
    }
    return makers[what]() if what in makers else None


def _of_suite(what: str, board: str, suite: str, measured: Callable[..., Run]) -> list[str] | None:
    makers: dict[str, Callable[[Run], list[str]]] = {
        "distribution": _distribution,
        "states": lambda run: _states(run, measured(board)),
        "beside": _beside,
        "floors": lambda run: _floors(run, measured(board, suites.FLOOR)),
        "tickless": _tickless,
        "late": lambda run: _late(run, measured(EXACT, suite)),
    }
    return makers[what](measured(board, suite)) if what in makers else None


def _printed(command: str) -> list[str]:
    """Return what one of our own commands prints, as a block of text."""
    program, *words = shlex.split(command)
    if program != "./foliot":
        raise FoliotError(f"only ./foliot is run for the docs, not {program}")
    said = [line.rstrip() for line in _said(words).splitlines()]
    return ["```text", f"$ {command}", *said, "```"]


def _said(words: Sequence[str]) -> str:
    with tempfile.TemporaryDirectory(prefix="foliot-") as store:
        result = subprocess.run(
            [sys.executable, "-P", "-m", "foliot", *words], cwd=paths.ROOT, timeout=_LIMIT_S,
            env={**os.environ, "PYTHONPATH": str(_LAB), "FOLIOT_STORE": store},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    if result.returncode != 0:
        command = shlex.join(["./foliot", *words])
        raise FoliotError(f"for the docs, this failed: {command}", lines=result.stderr.splitlines())
    return result.stdout


def _steps(board: str, suite: str, row: str) -> list[str]:
    titles, *found = steps.lines(board, suite, row, _said)
    return [
        *markdown.head([*map(str, titles)], "ll" + "r" * (len(titles) - 2)),
        *map(markdown.line, found),
    ]


def _results(run: Run, every: Run | None, chosen: Collection[str] | None) -> list[str]:
    """Return each row, or those `chosen`; `every`: a run of the suite that measures all states."""
    targets = goals.targets(run.header.board)
    name = next((row.reference.name for row in run.rows if row.reference), "another kernel")
    most = {one.operation: one.most.p50 for one in states.spreads(every)} if every else {}
    rows = [row for row in run.rows if chosen is None or row.id in chosen]
    bounds = of_rows.of_suite(
        boards.load(run.header.board), LATENCY, [row.id for row in rows], facts.USUAL,
        Progress(quiet=True),
    )  # fmt: skip
    of_bounds = ("bound",) if bounds else ()
    lines = markdown.head(
        ("row", "Foliot", "first", "max", "any state", *of_bounds, "target", "floor", name,
         "best other"),
        "lrrrrrrrl" if not bounds else "lrrrrrrrrl",
    )  # fmt: skip
    for row in rows:
        goal = targets.get(row.id, {})
        lines.append(markdown.line((
            f"`{row.id}`", _figure(row, goal), row.first, row.max,
            most.get(states.operation(row.id), ""),
            *((bounds.get(row.id, ""),) if bounds else ()), goal.get("target", ""),
            "" if row.floor is None else f"{row.floor:g}",
            "" if row.reference is None else f"{row.reference.value:.0f}", _best(goal),
        )))  # fmt: skip
    return lines


def userspace_rows(run: Run, default: Run) -> list[str]:
    """Return the rows of a build with user threads beside another kernel's and the default build.

    What protection costs those who don't use it is the mean of the last column's ratios.
    """
    before, base = default.values(), default.trusted()
    ratios = [value / base[row_id] for row_id, value in run.trusted().items() if row_id in base]
    shares = run.reference_ratios()
    name = next((row.reference.name for row in run.rows if row.reference), "another kernel")
    left = sum(row.reference is not None for row in run.rows) - len(shares)
    doubted = f" that nobody doubts, of {len(shares) + left}" if left else ""
    lines = [
        *_mean(shares, f"{name}'s with user threads", f"{len(shares)} rows{doubted}"),
        *_mean(ratios, "the default build", f"the {len(ratios)} rows that both have"),
        f"* {_kernels(run, default)}.",
        *headlines.missed(run),
        "",
        *markdown.head(("row", "Foliot", "max", "target", name, "default build"), "lrrrrr"),
    ]
    targets = headlines.goals_of(run)
    for row in run.rows:
        theirs = "" if row.reference is None else f"{row.reference.value:.0f}"
        goal = targets.get(row.id, {})
        cells = (f"`{row.id}`", _figure(row, goal), row.max, goal.get("target", ""), theirs,
                 before.get(row.id, ""))  # fmt: skip
        lines.append(markdown.line(cells))
    return lines


def _mean(ratios: Sequence[float], what: str, over: str) -> list[str]:
    """Return the line of a geometric mean; none over no rows."""
    if not ratios:
        return []
    return [f"* {geometric_mean(ratios):.2f} times {what}, the geometric mean over {over}."]


def _kernels(run: Run, default: Run) -> str:
    """Say how many of the kernel's rows cost more than they may in a build with user threads."""
    before = default.values()
    over = [
        f"`{row.id}` {row.p50 - before[row.id]:g}"
        for row in run.rows
        if row.id.endswith(".kernel") and row.p50 - before.get(row.id, row.p50) > _MORE_AT_MOST
    ]
    told = f"`.kernel` rows that take more than {_MORE_AT_MOST} beyond the default build's"
    return f"{told}: {', '.join(over) or 'none'}"


def protection_rows(run: Run, floor: Mapping[str, float]) -> list[str]:
    """Return each row of user threads beside its kernel row and its limit: reference/protection."""
    found = protection.limits(run, floor)
    lines = [
        f"* {protection.told(found)}.",
        "",
        *markdown.head(
            ("row", "Foliot", "kernel row", "calls", "checks", "copies", "switches", "limit"),
            "lrrrrrrr",
        ),
    ]  # fmt: skip
    for limit in found:
        path = limit.path
        figure = f"**{limit.figure}**" if limit.is_kept else str(limit.figure)
        lines.append(markdown.line((
            f"`{limit.row}`", figure, limit.kernel, path.calls, path.checks, path.copies,
            path.switches, f"{limit.most:.1f}",
        )))  # fmt: skip
    return lines


def _distribution(run: Run) -> list[str]:
    targets = goals.targets(run.header.board, run.header.suite)
    lines = markdown.head(("row", "min", "p50", "p99", "max", "target", "best other"), "lrrrrrl")
    for row in run.rows:
        goal = targets.get(row.id, {})
        lines.append(markdown.line((
            f"`{row.id}`", row.min, _figure(row, goal), row.p99, row.max, goal.get("target", ""),
            _best(goal),
        )))  # fmt: skip
    return lines


def _states(run: Run, latency: Run) -> list[str]:
    titles = ("operation", "row", "states", "least", "in state", "most", "in state")
    return [*markdown.head(titles, "lrrrlrl"), *map(markdown.line, states.lines(run, latency))]


def _beside(run: Run) -> list[str]:
    """Return the rows that others have too, or that have a target, next to theirs."""
    targets = goals.targets(run.header.board, run.header.suite)
    ids = {row.id for row in run.rows}
    others = {
        name.removesuffix(f"@{run.header.board}").replace("-time-", "-"): other
        for name in systems.names()
        if name.endswith(f"@{run.header.board}")
        and ids & (other := systems.load(name)).values().keys()
    }
    lines = markdown.head(("row", "Foliot", "target", *others), "lrr" + "r" * len(others))
    for row in run.rows:
        goal = targets.get(row.id, {})
        theirs = [f"{value:.0f}" if (value := other.values().get(row.id)) is not None else ""
                  for other in others.values()]  # fmt: skip
        if goal or any(theirs):
            figure = _figure(row, goal)
            lines.append(markdown.line((f"`{row.id}`", figure, goal.get("target", ""), *theirs)))
    return lines


def _floors(run: Run, floor: Run) -> list[str]:
    found = ipc_floors.lines(run, floor.values())
    return [*markdown.head(ipc_floors.TITLES, "l" + "r" * 6), *map(markdown.line, found)]


def _tickless(run: Run) -> list[str]:
    """Return the rows with a goal beside the best kernel without a tick, and the best with one."""
    lines = markdown.head(
        ("row", "Foliot", "most", "target", "tickless", "", "ticking", ""), "lrrrrlrl"
    )
    goals_of_rows = goals.targets(run.header.board, run.header.suite)
    for row in run.rows:
        goal = goals_of_rows.get(row.id)
        if goal:
            cells = (goal.get(name, "") for name in
                     ("target", "best", "best_name", "ticking", "ticking_name"))  # fmt: skip
            lines.append(markdown.line((f"`{row.id}`", _figure(row, goal), row.max, *cells)))
    return lines


def _late(*runs: Run) -> list[str]:
    """Return by how much each row's most is over that of the first, in which nobody disturbs."""
    heads = (
        f"`{run.header.board}`, {_UNITS.get(run.header.unit, run.header.unit)}" for run in runs
    )
    lines = markdown.head(("row", *heads), "l" + "r" * len(runs))
    most = [{row.id: row.max - run.rows[0].max for row in run.rows[1:]} for run in runs]
    for row_id in most[0]:
        name = row_id.removeprefix(f"{runs[0].header.suite}.")
        lines.append(markdown.line((f"`{name}`", *(late.get(row_id, "") for late in most))))
    return lines


def _growth(run: Run) -> list[str]:
    """Return each series of rows: its figures over the number of others, and their order."""
    found = growth.series(run.rows)
    counts = sorted({n for one in found for n, _ in one.points})
    lines = markdown.head(("operation", *map(str, counts), "order"), "l" + "r" * len(counts) + "l")
    for one in found:
        figures = dict(one.points)
        cells = (figures.get(n, "") for n in counts)
        lines.append(markdown.line((f"`{one.name}`", *cells, one.words)))
    return lines


def _figure(row: Row, goal: Mapping[str, Any]) -> str:
    """Return a row's median, bold where it reaches its target, with a star where it is doubted."""
    figure = f"**{row.p50}**" if headlines.is_met(row, goal) else str(row.p50)
    return figure + _DOUBTED * bool(row.doubts)


def _best(goal: Mapping[str, Any]) -> str:
    return f"{goal['best']} {goal['best_name']}" if "best" in goal else ""


def _footprint(run: Run) -> list[str]:
    if run.footprint is None:
        return []
    lines = markdown.head(("what", "bytes"), "lr")
    weights = {
        "kernel text": run.footprint.kernel_text,
        "kernel data": run.footprint.data,
        "kernel bss": run.footprint.bss,
        **run.footprint.objects,
    }
    return lines + [markdown.line(item) for item in weights.items()]


def _matrix() -> list[str]:
    """Measure all boards at the same time, and put them side by side."""
    request = session.Request(fleet.ALL, LATENCY, samples=_MATRIX_SAMPLES)
    found = fleet.measure(request, Progress())
    for one in found:
        if one.measured is None:
            raise FoliotError(f"{one.board} can't be measured, so no matrix is made: {one.why}")
    runs = [one.measured.examined() for one in found if one.measured]
    return boards_table.markdown(runs)


def _boards() -> list[str]:
    lines = markdown.head(("board", "core", "unit", "what it is"), "llll")
    for name in boards.names():
        board = boards.load(name)
        lines.append(markdown.line((f"`{name}`", board.core, board.unit, board.description)))
    return lines
