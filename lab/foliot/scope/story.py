# SPDX-License-Identifier: Apache-2.0
"""docs/periodic.md: KernelPerf's story with our pictures and figures, made and not typed.

`foliot scope --docs` measures what the page shows: the test cases on `ibex`, those
without a UART on `mps2_an385`, the growth rows on both, and a memory with wait states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2

from foliot.measure import session
from foliot.model.errors import FoliotError
from foliot.model.run import Run
from foliot.scope import results, table
from foliot.scope.expected import across
from foliot.scope.recorder import SUITE, Request, Session, record
from foliot.scope.screen import number
from foliot.show import markdown
from foliot.show.terminal import Progress
from foliot.target import boards, paths

PAGE = paths.ROOT / "docs" / "periodic.md"
PICTURES = paths.ROOT / "docs" / "periodic"
RTL, QEMU = "ibex", "mps2_an385"
WAIT_STATES = "2,1"
TARGET_16_CYCLES, TARGET_SWITCH_CYCLES = 900, 60


@dataclass(frozen=True, slots=True)
class Measured:
    """All that the page is made of."""

    rtl: Session
    qemu: Session
    slow: Session
    rows: dict[str, Run]


def write(quiet: bool) -> int:
    """Measure, draw and write the page; 1 where a case misbehaved, and nothing is written."""
    progress = Progress(quiet)
    rtl, qemu = boards.load(RTL), boards.load(QEMU)
    measured = Measured(
        rtl=record(rtl, Request(), progress),
        qemu=record(qemu, Request(), progress),
        slow=record(rtl, Request((0,), 3, WAIT_STATES), progress),
        rows={name: _rows(name, progress) for name in (RTL, QEMU)},
    )
    failed = [*results.failures(measured.rtl), *results.failures(measured.qemu)]
    if failed:
        raise FoliotError("a test case is not as expected, so no page is made of it",
                          lines=[f"{what}: {check.text}" for what, check in failed])  # fmt: skip
    _draw(measured)
    PAGE.write_text(render(measured), encoding="utf-8")
    print(paths.shown(PAGE))
    return 0


def _rows(board: str, progress: Progress) -> Run:
    run = session.measure(session.Request(board, SUITE), progress).examined()
    if run.failures or not run.successful:
        raise FoliotError(f"{board}: the growth rows failed, so no page is made of them")
    return run


def _draw(measured: Measured) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    scale = results.scale_of(measured.rtl, measured.slow)
    for recorded, suffix in ((measured.rtl, ""), (measured.slow, "-wait-states")):
        for case in recorded.cases:
            path = PICTURES / f"case-{case.facts.number}{suffix}.svg"
            path.write_text(results.draw(recorded, case, scale), encoding="utf-8")


def render(measured: Measured) -> str:
    """Return the page."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=jinja2.select_autoescape(["html"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["number"] = number
    environment.filters["percent"] = table.percent
    rtl = measured.rtl
    by = {case.facts.number: case for case in rtl.cases}
    return environment.get_template("story.md.j2").render(
        rtl=rtl, qemu=measured.qemu, slow=measured.slow,
        by=by, summary=_markdown(("", "kernel-v1 on an RP2040", f"Foliot on `{RTL}`", "ratio"),
                          summary(rtl)),
        cases=_markdown(table.COLUMNS, table.rows(results.pairs(rtl))),
        cases_qemu=_markdown(table.COLUMNS, table.rows(results.pairs(measured.qemu))),
        seed=_markdown(("", "kernel-v1 on an RP2040", f"Foliot on `{RTL}`", "ratio"),
                       table.beside_seed(results.pairs(rtl), rtl.measured_switch)),
        overhead=_markdown(("per cent of the tick", "kernel-v1", f"Foliot on `{RTL}`", "ratio"),
                           table.overheads(results.pairs(rtl), rtl.measured_switch)),
        switching=table.switching_share(by[0].facts, rtl.measured_switch),
        growth=_growth(measured.rows), checks=_checks(rtl),
        row=lambda name: next(row for row in measured.rows[RTL].rows if row.id == name),
        probe=_probe(measured),
        move=_move(measured),
        target_16=TARGET_16_CYCLES, target_switch=TARGET_SWITCH_CYCLES, wait_states=WAIT_STATES,
        across=[check.text for check in across(results.pairs(rtl))],
    )  # fmt: skip


def summary(session: Session) -> list[tuple[str, str, str, str]]:
    """Return (what, kernel-v1's, ours, ratio): the points of the seed's own summary."""
    by = {case.facts.number: case for case in session.cases}
    seed = table.published()
    first, run = by[0].facts, by[0].analysis.full_run
    loads = [by[n].analysis.scheduler_load or 0 for n in (0, 9, 10, 11, 12)]
    rounds = [max(by[n].analysis.intervals(1)) / first.tick for n in (5, 8)]
    overruns = [sum(by[n].facts.overruns) for n in (1, 2)]
    scheduler, switch = seed["scheduler_run_16_checked_16_queued"], seed["context_switch"]
    share = 100 * table.switching_share(first, session.measured_switch)
    return [
        _beside("the scheduler queues 16 threads", f"{scheduler:g} us, {{}} cycles",
                scheduler * table.SEED_MHZ, run.length),
        ("its share, tick of 8 ms, per cent", "0.725", table.percent(by[0].analysis.scheduler_load),
         f"{100 * (by[0].analysis.scheduler_load or 0) / 0.725:.2f}"),
        ("its share, other threads and ticks (cases 9 to 12)", "0.3 to 1.5",
         f"{table.percent(min(loads))} to {table.percent(max(loads))}", ""),
        _beside("a context switch", f"{switch:g} us, {{}} cycles",
                switch * table.SEED_MHZ, session.measured_switch),
        ("16 of them, per cent of 8 ms", "0.250", f"{share:.3f}", f"{share / 0.25:.2f}"),
        ("more work than fits (cases 1 and 2)", "ticks get longer, nothing breaks",
         f"the grid is kept, {overruns[0]} and {overruns[1]} overruns are counted", ""),
        ("50 characters sent: the longest round of thread 1, in ticks",
         "busy waiting stretches it, awaiting a flag does not",
         f"{rounds[0]:.2f} busy waiting (case 5), {rounds[1]:.2f} awaiting the flag (case 8)", ""),
    ]  # fmt: skip


def _beside(what: str, theirs: str, seed: float, ours: float) -> tuple[str, str, str, str]:
    return what, theirs.format(number(seed)), f"{number(ours)} cycles", f"{ours / seed:.2f}"


def _probe(measured: Measured) -> str:
    """Return what the trace adds to a release: the traced tick less the untraced one."""
    (case,) = [case for case in measured.rtl.cases if case.facts.number == 12]
    # The shortest of both: without a timeout that moves in the wheel at that tick.
    run = min(case.analysis.runs(case.analysis.most_queued), key=lambda run: run.length)
    row = measured.rows[RTL].row("periodic.tick.16_of_16")
    if row is None or run.isr is None:
        raise FoliotError("there is nothing to tell the cost of the trace from")
    return f"{(run.isr.length - row.min) / run.queued:.1f}"


def _move(measured: Measured) -> int:
    row = measured.rows[RTL].row("periodic.tick.16_of_16")
    return 0 if row is None else round(row.max - row.min)


def _growth(runs: dict[str, Run]) -> str:
    """Return the growth rows as a table."""
    others = {row.id: row for row in runs[QEMU].rows}
    lines = [
        (f"`{row.id}`", row.text, row.p50, row.first, row.max, others[row.id].p50)
        for row in runs[RTL].rows
    ]
    head = ("row", "what", f"`{RTL}` cycles", "first", "max", f"`{QEMU}` insn")
    return _markdown(head, [tuple(str(cell) for cell in line) for line in lines])


def _checks(session: Session) -> str:
    return "\n".join(
        f"* **{case.facts.number}**: {'; '.join(check.text for check in case.checks[3:])}."
        for case in session.cases
    )


def _markdown(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    titles = markdown.head(head, "l" + "r" * (len(head) - 1))
    return "\n".join([*titles, *map(markdown.line, lines)])
