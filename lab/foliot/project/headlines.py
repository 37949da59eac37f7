# SPDX-License-Identifier: Apache-2.0
"""A run in a few lines, such as one that sells another kernel would sign.

Like stands beside like: both kernels compiled at the same level, or no mean is given. The
mean over all rows stands beside one without the rows that flatter us for reasons other
than the kernel's speed, the easiest state of the heap beside a heap in use, and what is
known to make a figure of the other kernel larger than its operation is said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from foliot.model.figures import geometric_mean
from foliot.model.run import Row, Run
from foliot.reference import goals
from foliot.target import boards

# Where a row's name holds one of these, its ratio to Zephyr says little of the kernel's speed:
# an allocator of another kind is behind the first three, and in Zephyr's window for the last
# is the bookkeeping of irq_offload().
_FLATTERING = ("heap.", ".alloc.", ".get.free.", "isr.")
_LEVEL = re.compile(r"(?<!\S)-O\w+")

# Of the suite `heap`: what stands beside the two heap rows, and in which words.
_IN_USE = (
    ("heap.malloc.immediate", "heap_in_use.mixed.half_full.malloc", "`malloc`", "of mixed sizes"),
    ("heap.free.immediate", "heap_in_use.equal.shuffled.free", "`free`", "in random order"),
)


def summary(run: Run, heap: Run | None = None, in_states: Run | None = None) -> list[str]:
    """Return the headlines of a latency run; the others are those suites' on the same board."""
    lines = [f"* {_met(run)}.", *_beside_reference(run)]
    lines += _states(run, in_states) if in_states else []
    floors = run.floor_ratios()
    if floors:
        lines.append(f"* {geometric_mean(floors):.2f} times the hand-written floor's "
                     f"{run.header.unit}, the geometric mean over {len(floors)} rows.")  # fmt: skip
    return lines + (_heap(run, heap) if heap else [])


def missed(run: Run) -> list[str]:
    """Return how many targets a run meets, and each that it misses."""
    targets = goals_of(run)
    found = [
        f"  * `{row.id}`: {row.p50}, not {targets[row.id]['target']}"
        for row in run.rows
        if row.id in targets and not is_met(row, targets[row.id])
    ]
    return [f"* {_met(run)}{':' if found else '.'}", *found]


def goals_of(run: Run) -> Mapping[str, Mapping[str, Any]]:
    """Return the goals of a run's rows, in its configuration."""
    header = run.header
    return goals.targets(header.board, header.suite, header.configuration)


def told(run: Run) -> list[str]:
    """Say in a line which targets a run of ours misses, for people; nothing without any."""
    targets = goals_of(run)
    if run.published or not targets or not any(row.id in targets for row in run.rows):
        return []
    found = [
        f"{row.id} {row.p50} ({targets[row.id]['target']})"
        for row in run.rows
        if "target" in targets.get(row.id, {}) and not is_met(row, targets[row.id])
    ]
    what = _met(run).replace("`", "")
    return [f"{what}: {', '.join(found)}" if found else what]


def is_met(row: Row, goal: Mapping[str, Any]) -> bool:
    """Whether a row reaches its target; False where it has none."""
    return "target" in goal and row.p50 <= goal["target"]


def _met(run: Run) -> str:
    targets = goals_of(run)
    met = sum(is_met(row, targets.get(row.id, {})) for row in run.rows)
    what = f"{met} of {len(targets)} targets met on `{run.header.board}`"
    missing = len(targets) - met
    return what if not missing else f"{what}, {missing} missed"


def _beside_reference(run: Run) -> list[str]:
    trusted = run.trusted()
    known = [
        row for row in run.rows
        if row.reference_ratio and row.reference and not row.reference.doubted and row.id in trusted
    ]  # fmt: skip
    if not known or known[0].reference is None:
        return []
    name, unit = known[0].reference.name, run.header.unit
    ours, theirs = _LEVEL.findall(run.header.flags), _LEVEL.findall(name)
    if theirs != ours[-1:]:
        return [f"* No mean beside {name}: Foliot is compiled at {' '.join(ours[-1:])}."]
    plain = [row for row in known if not any(part in row.id for part in _FLATTERING)]
    over = f"the geometric mean over {len(known)} rows, both at {theirs[0]}"
    lines = [f"* {_mean(known):.2f} times {name}'s {unit}, {over}."]
    if plain and len(plain) < len(known):
        lines.append(f"* {_mean(plain):.2f} times over the {len(plain)} rows without heap, "
                     "allocating queues and `isr`, which flatter us (another kind of allocator; "
                     "`irq_offload()` in Zephyr's window).")  # fmt: skip
    return lines + _noted(run)


def _noted(run: Run) -> list[str]:
    reference = str(boards.load(run.header.board).reference.get("run", ""))
    lines = []
    for note in goals.notes(reference):
        row = run.row(note.row)
        if row is not None and row.reference is not None:
            lines.append(f"* `{note.row}`: of {row.reference.name}'s {row.reference.value:.0f} "
                         f"{run.header.unit} about {note.holds:g} are {note.what}; "
                         f"ours is {row.p50}.")  # fmt: skip
    return lines


def _mean(rows: Sequence[Row]) -> float:
    return geometric_mean([row.reference_ratio for row in rows if row.reference_ratio])


def _states(run: Run, in_states: Run) -> list[str]:
    """Say what the rows' operations cost in all their states, beside the mean over the rows.

    The other kernel is known in the one state of its row, so that what it costs in others
    is not held against it. An operation of many states weighs no more than one of few.
    """
    ours: list[float] = []
    theirs: list[float] = []
    count = 0
    of_rows, of_states = run.trusted(), in_states.trusted()
    for row in run.rows:
        found = [value for state, value in of_states.items() if state.startswith(f"{row.id}/")]
        if not found or row.id not in of_rows:
            continue
        count += len(found)
        mean = geometric_mean(found)
        ours.append(mean / row.p50)
        reference = row.reference
        if reference and reference.value > 0 and not reference.doubted and _is_alike(run):
            theirs.append(mean / reference.value)
    if not ours:
        return []
    over = f"the {count} states of the {len(ours)} operations that `states` measures"
    lines = [f"* {geometric_mean(ours):.2f} times the rows, over {over}."]
    if theirs:
        name = next(row.reference.name for row in run.rows if row.reference)
        unit, mean = run.header.unit, geometric_mean(theirs)
        line = f"* {mean:.2f} times {name}'s {unit} over {over}, each beside the state of its row."
        lines.insert(0, line)
    return lines


def _is_alike(run: Run) -> bool:
    """Whether a run and the figures beside it are compiled at the same level."""
    name = next((row.reference.name for row in run.rows if row.reference), "")
    return _LEVEL.findall(name) == _LEVEL.findall(run.header.flags)[-1:]


def _heap(run: Run, heap: Run) -> list[str]:
    """Say what the heap rows leave out."""
    easy, used = [], []
    for row_id, used_id, name, how in _IN_USE:
        row, other = run.row(row_id), heap.row(used_id)
        if row is None or other is None:
            return []
        easy.append(f"{name} {row.p50}")
        used.append(f"{name} {how} {other.p50} (at most {other.max})")
    best = f"{', '.join(easy)} out of an empty one, as Zephyr's benchmark has it"
    return [f"* The heap: {best}; in use {', '.join(used)}."]
