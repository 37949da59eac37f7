# SPDX-License-Identifier: Apache-2.0
"""A sample as text: where its cycles went, by function and by cause, then one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

from foliot.explain.sample import Sample, Step
from foliot.explain.waits import KINDS
from foliot.show.terminal import result_width

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

UNITS = {"cycles": ("cycle", "cycles"), "insn": ("instruction", "instructions"),
         "tsc": ("TSC tick", "TSC ticks")}  # fmt: skip


# Nobody reads more instructions than this in their order: they are folded into lines.
LONG = 300


def print_sample(sample: Sample, floor: Sample | None, console: Console, whole: bool) -> None:
    """Print one explanation; with `whole` every instruction, and the floor's too."""
    for line in heading(sample):
        console.print(line)
    if floor is not None:
        console.print(_floor_line(sample, floor))
    console.print()
    console.print(functions_table(sample, floor))
    console.print()
    console.print(causes_table(sample, floor))
    console.print()
    if len(sample.steps) > LONG and not whole:
        print_lines(sample, console)
        return
    print_steps(sample, console)
    if whole and floor is not None:
        console.print()
        console.print(f"The floor: {floor.net:g} {UNITS[floor.header.unit][1]}", style="bold")
        print_steps(floor, console)


def heading(sample: Sample) -> list[str]:
    """Say which sample it is, of what, and how its figure comes about."""
    header, row = sample.header, sample.row
    unit = UNITS[header.unit][sample.net != 1]
    raw = f"{sample.raw} from stamp to stamp - {row.overhead:g} that the stamps cost"
    made = [name for name in header.configuration if name != "stamps"] or ["default"]
    return [
        f"{row.id} - {row.text}",
        f"{header.suite} on {header.board} ({', '.join(made)}); {header.core}; {header.memory}",
        f"Sample {sample.index} of {sample.of}, {sample.why}: {sample.net:g} {unit} = {raw}",
        f"The row: first {row.first:g}, min {row.min:g}, median {row.p50:g}, max {row.max:g}",
    ]


def _floor_line(sample: Sample, floor: Sample) -> str:
    ratio = f", of which this is {sample.net / floor.net:.2f} times" if floor.net > 0 else ""
    return f"The floor, written by hand, takes {floor.net:g}{ratio}"


def functions_table(sample: Sample, floor: Sample | None) -> Table:
    """Return what each function took, in the order in which they were first entered."""
    titles = ("function", UNITS[sample.header.unit][1], "of it waiting", "where it is")
    table = _table(*titles)
    for mark, of in (("", sample), ("floor: ", floor)):
        for name, steps in (by_function(of.steps) if of else {}).items():
            cells = (mark + name, str(_total(steps)), str(_waiting(steps) or ""))
            table.add_row(*cells, steps[0].place.home)
        if not mark:
            table.add_row("all", str(sample.raw), str(_waiting(sample.steps) or ""), "")
    return table


def causes_table(sample: Sample, floor: Sample | None) -> Table:
    """Return what the cycles were spent on: instructions by kind, waits by name."""
    table = _table("spent on", UNITS[sample.header.unit][1], *(["floor", "more"] if floor else []))
    here, there = causes(sample), causes(floor) if floor else Counter[str]()
    names = [*here, *(name for name in there if name not in here)]
    taken = [(name, here[name], there[name]) for name in names]
    for name, mine, least in [*taken, ("all", sample.raw, floor.raw if floor else 0)]:
        beside = [str(least or ""), f"{mine - least:+d}" if mine != least else ""]
        table.add_row(name, str(mine or ""), *(beside if floor else []))
    return table


def causes(sample: Sample) -> Counter[str]:
    """Count cycles by what they were spent on: each kind of instruction, then each wait."""
    found = Counter[str]()
    kinds = Counter(step.kind for step in sample.steps)
    for kind in KINDS:
        if kinds[kind]:
            found[kind] = kinds[kind]
    for wait in (wait for step in sample.steps for wait in step.waits):
        found[f"wait: {wait.name}"] += wait.cycles
    return found


def by_function(steps: Sequence[Step]) -> dict[str, list[Step]]:
    """Group instructions by the function they lie in; functions as they are first entered."""
    found: dict[str, list[Step]] = {}
    for step in steps:
        found.setdefault(step.place.function, []).append(step)
    return found


def blocks(steps: Sequence[Step]) -> list[list[Step]]:
    """Cut instructions where the function or the line of source changes, in their order."""
    return [
        list(group)
        for _, group in groupby(
            steps, key=lambda step: (step.place.function, step.place.file, step.place.line)
        )
    ]


def print_steps(sample: Sample, console: Console) -> None:
    """Print the instructions in their order, under their functions and lines of source."""
    function = None
    for block in blocks(sample.steps):
        if block[0].place.function != function:
            function = block[0].place.function
            console.print(f"{function}", style="bold")
        if not block[0].place.is_assembly:
            console.print(source_line(block), style="cyan", soft_wrap=True)
        for step in block:
            last = step is sample.steps[-1]
            console.print(step_line(step, "the closing stamp" if last else ""), soft_wrap=True)


def print_lines(sample: Sample, console: Console) -> None:
    """Print what each line of source took in all, by function; for samples that go round."""
    many = UNITS[sample.header.unit][1]
    console.print(
        f"{len(sample.steps)} instructions, by line of source, in {many}; --whole lists them"
    )
    for function, steps in by_function(sample.steps).items():
        console.print(function, style="bold")
        lines: dict[tuple[str, int], list[Step]] = {}
        for step in steps:
            lines.setdefault((step.place.file, step.place.line), []).append(step)
        for _, block in sorted(lines.items(), key=lambda item: item[0]):
            console.print(source_line(block), style="cyan", soft_wrap=True)


def source_line(block: Sequence[Step]) -> str:
    """Return the line of source that a block of instructions comes from, and what it took."""
    place = block[0].place
    where = f"{place.shown} ({place.inlined})" if place.inlined else place.shown
    return _cut(f"{_total(block):>5}  {where or 'no source'}  {place.text}")


def step_line(step: Step, remark: str = "") -> str:
    """Return one instruction: what it took, where in its function, what it waited for."""
    notes = [f"{wait.cycles} {wait.name}" for wait in step.waits]
    notes += [step.place.shown] if step.place.is_assembly else []
    notes += [remark] if remark else []
    where = f"+{step.place.offset:x}"
    return _cut(f"{step.cycles:>9} {where:>6}  {step.text:<36} {', '.join(notes)}".rstrip())


def as_json(sample: Sample, floor: Sample | None) -> dict[str, Any]:
    """Return an explanation for programs."""
    return {
        "schema": 1, "row": sample.row.id, "text": sample.row.text, "board": sample.header.board,
        "unit": sample.header.unit, "sample": sample.index, "raw": sample.raw,
        "overhead": sample.row.overhead, "net": sample.net, "causes": dict(causes(sample)),
        "instructions": [_step_json(step) for step in sample.steps],
        "floor": as_json(floor, None) if floor else None,
    }  # fmt: skip


def _step_json(step: Step) -> dict[str, Any]:
    place = step.place
    return {
        "pc": f"{step.pc:#010x}", "cycles": step.cycles, "text": step.text, "kind": step.kind,
        "waits": {wait.name: wait.cycles for wait in step.waits}, "function": place.function,
        "home": place.home, "inlined": place.inlined, "file": place.file, "line": place.line,
    }  # fmt: skip


def _total(steps: Iterable[Step]) -> int:
    return sum(step.cycles for step in steps)


def _waiting(steps: Iterable[Step]) -> int:
    return sum(wait.cycles for step in steps for wait in step.waits)


def _cut(line: str) -> str:
    return line if len(line) <= result_width() else line[: result_width() - 1] + "…"


def _table(*titles: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    words = ("function", "spent on", "where it is")
    for title in titles:
        side: Literal["left", "right"] = "left" if title in words else "right"
        table.add_column(title, no_wrap=title not in words, overflow="fold", justify=side)
    return table
