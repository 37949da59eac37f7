# SPDX-License-Identifier: Apache-2.0
"""The figures of the test cases, beside those that the seed publishes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from foliot.scope.analysis import Analysis
from foliot.scope.expected import Check, Facts
from foliot.scope.jitter import completion_jitter, release_jitter
from foliot.scope.screen import number
from foliot.scope.vcd import NO_TIMES
from foliot.target import paths

if TYPE_CHECKING:
    from rich.console import Console

SEED_MHZ = 125  # the RP2040's clock in the seed: its microseconds are so many cycles
COLUMNS = (
    "case", "queued", "scheduler", "checking", "queueing", "a thread", "gap", "scheduler %",
    "interrupt %", "gaps %", "release jitter", "completion jitter", "overruns",
)  # fmt: skip

# What the seed says of a case: (name in data/reference/kernelperf_published.json, our figure).
_SEED_OF_CASE = {
    0: "scheduler_run_16_checked_16_queued",
    10: "scheduler_run_8_checked_8_queued",
    11: "scheduler_run_16_rising_priority",
    12: "scheduler_run_16_checked_16_queued",
}
_SEED_OF_HALF = "scheduler_run_16_checked_8_queued"


def published() -> dict[str, float]:
    """Return the seed's figures, in microseconds."""
    path = paths.REFERENCE / "kernelperf_published.json"
    figures: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))["figures_us"]
    return figures


def rows(cases: Sequence[tuple[Facts, Analysis]]) -> list[tuple[str, ...]]:
    """Return the table's cells, in the order of COLUMNS."""
    return [_row(facts, analysis) for facts, analysis in cases]


def _row(facts: Facts, analysis: Analysis) -> tuple[str, ...]:
    run = analysis.full_run
    return (
        str(facts.number), _queued(analysis), number(run.length), number(run.checking_time),
        number(run.queueing_time), f"{run.length / run.queued:.1f}", _known(analysis.gap),
        percent(analysis.scheduler_load), percent(analysis.interrupt_load),
        percent(analysis.switch_load), _known(release_jitter(analysis)),
        _known(completion_jitter(analysis)), number(sum(facts.overruns)),
    )  # fmt: skip


def _known(value: float | None) -> str:
    """Return a figure, and nothing where there is none: a zero would be one."""
    return "" if value is None else number(value)


def _queued(analysis: Analysis) -> str:
    queued = list(dict.fromkeys(run.queued for run in analysis.runs()))
    return str(queued[0]) if len(queued) == 1 else f"{min(queued)} to {max(queued)}"


def percent(share: float | None) -> str:
    """Return a share in per cent, with the digits that matter for a small one."""
    return "" if share is None else f"{100 * share:.3f}"


def beside_seed(
    cases: Sequence[tuple[Facts, Analysis]], switch: int
) -> list[tuple[str, str, str, str]]:
    """Return (what, the seed's, ours, ratio); the seed's microseconds as its cycles.

    The switch is the seed's too: from before the call that gives the CPU up to after it.
    """
    figures = published()
    found: list[tuple[str, float, float]] = []
    for facts, analysis in cases:
        name = _SEED_OF_CASE.get(facts.number)
        if name:
            found.append((f"case {facts.number}: scheduler, {analysis.most_queued} queued",
                          figures[name], analysis.full_run.length))  # fmt: skip
        few = facts.threads - facts.half_rate
        if facts.half_rate and analysis.runs(few):
            what = f"case {facts.number}: scheduler, {few} of {facts.threads} due"
            found.append((what, figures[_SEED_OF_HALF], analysis.typical(few).length))
        if facts.number == 0:
            run = analysis.full_run
            found.append(("case 0: queueing all", figures["of_which_queueing_16"],
                          run.queueing_time))  # fmt: skip
    found.append(("context switch", figures["context_switch"], switch))
    return [
        (what, number(seed * SEED_MHZ), number(ours), f"{ours / (seed * SEED_MHZ):.2f}")
        for what, seed, ours in found
    ]


def switching_share(facts: Facts, switch: int) -> float:
    """Return what of a tick a switch for each thread takes, which is how the seed counts."""
    return facts.threads * switch / facts.tick


def overheads(
    cases: Sequence[tuple[Facts, Analysis]], switch: int
) -> list[tuple[str, str, str, str]]:
    """Return (what, the seed's per cent of the tick, ours, ratio) for ticks of 8 and 4 ms."""
    seed = {0: (0.725, 0.25), 12: (1.45, 0.5)}
    return [
        (
            f"case {facts.number}: {what}, tick of {number(facts.tick)}",
            f"{theirs:.3f}",
            percent(ours),
            f"{100 * (ours or 0) / theirs:.2f}",
        )
        for facts, analysis in cases
        if facts.number in seed
        for what, theirs, ours in (
            ("scheduler", seed[facts.number][0], analysis.scheduler_load),
            (f"switching, {facts.threads} times", seed[facts.number][1],
             switching_share(facts, switch)),
        )
    ]  # fmt: skip


def print_table(
    cases: Sequence[tuple[Facts, Analysis]],
    switch: int | None,
    failed: Sequence[tuple[str, Check]],
    console: Console,
) -> None:
    """Print the figures, what stands beside them, and which expectations were not met."""
    from rich.table import Table

    unit = cases[0][1].unit
    for group in (COLUMNS[:7], COLUMNS[:1] + COLUMNS[7:]):
        table = Table(box=None, pad_edge=False, title_justify="left")
        for column in group:
            table.add_column(column, justify="right")
        for row in rows(cases):
            table.add_row(*(row[COLUMNS.index(column)] for column in group))
        console.print(table)
        console.print()
    for line in legend(unit, switch):
        console.print(line, highlight=False, soft_wrap=True)
    seed = beside_seed(cases, switch) if unit == "cycles" and switch is not None else []
    if seed:
        table = Table(box=None, pad_edge=False)
        for column in ("", "kernel-v1, RP2040", "here", "ratio"):
            table.add_column(column, justify="right" if column else "left")
        for cells in seed:
            table.add_row(*cells)
        console.print()
        console.print(table)
    for what, check in failed:
        console.print(f"NOT AS EXPECTED: {what}: {check.text}")


def legend(unit: str, switch: int | None) -> list[str]:
    """Return what the columns mean, and the one figure that is none of a case's."""
    what = NO_TIMES.get(unit, unit)
    told = [
        f"In {what}. Scheduler: of the fullest tick. Shares: of whole",
        "ticks, the scheduler's runs between two ticks included. Gap: between two threads'",
        "signals, the trace included. Jitter: of ticks that queue and run the same; empty where",
        "no two do.",
    ]
    if switch is None:
        return told
    told[-1] += " Context switch, from before k_period_wait() to after it in the next thread,"
    return [*told, f"without a trace (row periodic.switch): {switch} {unit}."]
