# SPDX-License-Identifier: Apache-2.0
"""The figures of the test cases, beside those that the seed publishes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from foliot.scope.analysis import Analysis, jitter
from foliot.scope.expected import Check, Facts
from foliot.scope.picture import number
from foliot.target import paths

if TYPE_CHECKING:
    from rich.console import Console

SEED_MHZ = 125  # the RP2040's clock in the seed: its microseconds are so many cycles
COLUMNS = (
    "case", "queued", "scheduler", "checking", "queueing", "a thread", "switch", "scheduler %",
    "interrupt %", "switching %", "release jitter", "completion jitter", "overruns",
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
    interrupt = analysis.interrupt_load
    return (
        str(facts.number), _queued(analysis), number(run.pulse.length), number(run.checking_time),
        number(run.queueing_time), f"{run.pulse.length / run.queued:.1f}",
        "" if analysis.switch is None else number(analysis.switch),
        percent(analysis.scheduler_load), "" if interrupt is None else percent(interrupt),
        percent(analysis.switch_load), number(jitter(analysis.release_offsets())),
        number(jitter(analysis.completions)), number(sum(facts.overruns)),
    )  # fmt: skip


def _queued(analysis: Analysis) -> str:
    queued = list(dict.fromkeys(run.queued for run in analysis.runs()))
    return str(queued[0]) if len(queued) == 1 else f"{min(queued)} to {max(queued)}"


def percent(share: float) -> str:
    """Return a share in per cent, with the digits that matter for a small one."""
    return f"{100 * share:.3f}"


def beside_seed(cases: Sequence[tuple[Facts, Analysis]]) -> list[tuple[str, str, str, str]]:
    """Return (what, the seed's, ours, ratio); the seed's microseconds as its cycles."""
    figures = published()
    found: list[tuple[str, float, float]] = []
    for facts, analysis in cases:
        name = _SEED_OF_CASE.get(facts.number)
        if name:
            found.append((f"case {facts.number}: scheduler, {analysis.most_queued} queued",
                          figures[name], analysis.full_run.pulse.length))  # fmt: skip
        half = analysis.runs(facts.threads - facts.half_rate)
        if facts.half_rate and half:
            what = f"case {facts.number}: scheduler, {half[0].queued} of {facts.threads} due"
            found.append((what, figures[_SEED_OF_HALF], half[0].pulse.length))
        if facts.number == 0:
            run = analysis.full_run
            found.append(("case 0: queueing all", figures["of_which_queueing_16"],
                          run.queueing_time))  # fmt: skip
            if analysis.switch is not None:
                found.append(("case 0: context switch", figures["context_switch"],
                              analysis.switch))  # fmt: skip
    return [
        (what, number(seed * SEED_MHZ), number(ours), f"{ours / (seed * SEED_MHZ):.2f}")
        for what, seed, ours in found
    ]


def overheads(cases: Sequence[tuple[Facts, Analysis]]) -> list[tuple[str, str, str]]:
    """Return (what, the seed's per cent of the tick, ours) for ticks of 8 and 4 ms."""
    seed = {0: ("0.725", "0.250"), 12: ("1.450", "0.500")}
    return [
        (
            f"case {facts.number}: {what}, tick of {number(facts.tick)}",
            published_share,
            percent(ours),
        )
        for facts, analysis in cases
        if facts.number in seed
        for what, published_share, ours in (
            ("scheduler", seed[facts.number][0], analysis.scheduler_load),
            ("switching", seed[facts.number][1], analysis.switch_load),
        )
    ]


def print_table(
    cases: Sequence[tuple[Facts, Analysis]], failed: Sequence[tuple[str, Check]], console: Console
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
    console.print(
        f"Times in {unit}; the scheduler's is that of the fullest tick; shares are of all ticks."
    )
    seed = beside_seed(cases) if unit == "cycles" else []
    if seed:
        table = Table(box=None, pad_edge=False)
        for column in ("", "kernel-v1, RP2040", "here", "ratio"):
            table.add_column(column, justify="right" if column else "left")
        for line in seed:
            table.add_row(*line)
        console.print()
        console.print(table)
    for what, check in failed:
        console.print(f"NOT AS EXPECTED: {what}: {check.text}")
