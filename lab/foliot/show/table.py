# SPDX-License-Identifier: Apache-2.0
"""Results as text for people: at most 100 columns, the same in a pipe as on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from foliot.model import growth
from foliot.model.figures import clock_reported, geometric_mean
from foliot.model.names import counted
from foliot.model.run import Doubt, Footprint, Reference, Row, Run
from foliot.show.terminal import WIDTH, result_width

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def print_run(run: Run, console: Console) -> None:
    """Print a run: how it was made, its rows, the footprint, the means, the doubts."""
    for line in heading(run):
        console.print(line)
    single = run.published and all(row.single for row in run.rows)
    console.print(figures_table(run) if single else rows_table(run))
    for line in [*failure_lines(run), *summary_lines(run), *growth_lines(run)]:
        console.print(line)
    if run.footprint:
        for line in footprint_lines(run.footprint):
            console.print(line)
    for line in doubt_lines(run.doubts):
        console.print(line)


def heading(run: Run) -> list[str]:
    """Say in two or three lines what was measured, where, and of which commit, as far as known."""
    header = run.header
    commit = header.kernel_commit + (" with changes" if header.dirty else "")
    what = f"{header.suite} on {header.board}, in {_unit_words(header.unit)}"
    how = [", ".join(header.configuration), f"commit {commit}" if commit.strip() else ""]
    made = f"{header.compiler} {_short_flags(header.flags)}".strip()
    facts = [header.core, header.memory, clock_reported(run), made]
    known = [fact for fact in facts if fact not in ("", "not known")]
    lines = [f"{what} ({'; '.join(filter(None, how))})", "; ".join(known)]
    return _wrap(filter(None, lines))


def rows_table(run: Run) -> Table:
    """Return the table of the rows; ratios are those of p50."""
    from rich import box
    from rich.table import Table

    name = next((row.reference.name for row in run.rows if row.reference), "reference")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    _add_names(table)
    for title in ("first", "min", "p50", "max", "floor", "x floor"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column(name, justify="right", max_width=max(7, (len(name) + 1) // 2))
    table.add_column("x ref", justify="right", no_wrap=True)
    for row in run.rows:
        table.add_row(*_cells(row))
    return table


def figures_table(run: Run) -> Table:
    """Return the table of a run whose rows are single figures: with what they really are."""
    from rich import box
    from rich.table import Table

    name = next((row.reference.name for row in run.rows if row.reference), "")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    _add_names(table)
    for title in (run.header.unit, "really", "ns", name, "x ref" if name else ""):
        most = max(8, (len(title) + 1) // 2) if title == name else None
        table.add_column(title, justify="right", max_width=most, no_wrap=title != name)
    table.add_column("doubts", overflow="fold")
    values = run.values()
    for row in run.rows:
        really = values.get(row.id)
        reference = row.reference
        table.add_row(
            row.id, f"{row.p50:g}" if row.p50 < 1e6 else str(row.p50),
            "unknown" if really is None else "" if really == row.p50 else f"{really:g}",
            "" if row.ns is None or run.header.unit == "ns" else f"{row.ns:.0f}",
            "" if reference is None else _reference(reference), _ratio(row.reference_ratio),
            ", ".join(row.doubts),
        )  # fmt: skip
    return table


def _add_names(table: Table) -> None:
    """Add the column of rows' names: on a narrow screen they are broken, never figures."""
    table.add_column("row", overflow="fold", no_wrap=result_width() == WIDTH)


def _cells(row: Row) -> list[str]:
    mark = " *" if row.doubts else ""
    return [
        row.id + mark,
        *(_statistic(row, name) for name in ("first", "min")),
        str(row.p50) if row.told("p50") is not None else f"{row.p50} avg",
        _statistic(row, "max"),
        "" if row.floor is None else f"{row.floor:g}",
        _ratio(row.floor_ratio),
        "" if row.reference is None else _reference(row.reference),
        _ratio(row.reference_ratio),
    ]


def _reference(reference: Reference) -> str:
    """Return another system's figure, with a star where it is in doubt."""
    return f"{reference.value:.0f}{'*' * reference.doubted}"


def _statistic(row: Row, name: str) -> str:
    """Return a statistic; a dash where nobody told it."""
    value = row.told(name)
    return "-" if value is None else str(value)


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def failure_lines(run: Run) -> list[str]:
    """Name each row that could not be measured."""
    return _wrap(f"FAILED {failure.id}: {failure.reason}" for failure in run.failures)


def summary_lines(run: Run) -> list[str]:
    """Give the geometric means of the ratios, and over how many rows each."""
    lines = []
    named = next((row.reference.name for row in run.rows if row.reference), None)
    for name, known, there in (
        ("the floor", run.floor_ratios(), [row.floor_ratio for row in run.rows]),
        (named, run.reference_ratios(), [row.reference_ratio for row in run.rows]),
    ):
        left = sum(ratio is not None and ratio > 0 for ratio in there) - len(known)
        if known and name:
            over = counted(len(known), "row")
            doubted = f"; {left} in doubt left out" if left else ""
            mean = f"geometric mean {geometric_mean(known):.2f} times {name}"
            lines.append(f"{mean}, over {over}{doubted}")
        elif left and name:
            lines.append(
                f"no geometric mean over {name}: of {counted(left, 'row')} all are in doubt"
            )
    return _wrap(lines)


def growth_lines(run: Run) -> list[str]:
    """Name the order in which figures grow with the number that their names end with."""
    found = [] if run.published else growth.series(run.rows)
    width = max((len(one.name) for one in found), default=0)
    return [f"{one.name:{width}}  {one.words}" for one in found]


def footprint_lines(footprint: Footprint) -> list[str]:
    """Say what the kernel, the image and the control blocks weigh, in bytes."""
    text, data, bss = footprint.image
    blocks = ", ".join(f"{name} {size}" for name, size in footprint.objects.items())
    kernel = f"text {footprint.kernel_text}, data {footprint.data}, bss {footprint.bss} bytes"
    lines = [f"kernel: {kernel}; whole image: {text}, {data}, {bss}"]
    return _wrap([*lines, *([f"control blocks: {blocks} bytes"] if blocks else [])])


def doubt_lines(doubts: Sequence[Doubt], width: int | None = None) -> list[str]:
    """Say each doubt in words, those that invalidate the run first; equal ones together."""
    if not doubts:
        return ["doubts: none"]
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for doubt in sorted(doubts, key=lambda doubt: not doubt.invalidates):
        key = (doubt.name, doubt.text, doubt.advice)
        grouped.setdefault(key, []).append(doubt.row or "")
    lines = ["doubts:"]
    for (name, text, advice), rows in grouped.items():
        named = [row for row in rows if row]
        where = f"{named[0]}: " if named else ""
        more = f" (and {counted(len(named) - 1, 'more row')})" if len(named) > 1 else ""
        lines.append(f"* {where}{text}{more}. {advice[:1].upper()}{advice[1:]}. [{name}]")
    return _wrap(lines, width)


def _wrap(lines: Iterable[str], width: int | None = None) -> list[str]:
    import textwrap

    return [
        piece
        for line in lines
        for piece in textwrap.wrap(line, width or result_width(), subsequent_indent="  ") or [""]
    ]


def _unit_words(unit: str) -> str:
    return {"insn": "instructions"}.get(unit, unit)


def _short_flags(flags: str) -> str:
    """Return the flags that say most: optimisation and what machine is compiled for."""
    kept = ("-O", "-m")
    return " ".join(flag for flag in flags.split() if flag.startswith(kept))
