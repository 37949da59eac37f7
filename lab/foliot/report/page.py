# SPDX-License-Identifier: Apache-2.0
"""The page: all charts, tables and facts of the runs put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from foliot.compare import boards_table
from foliot.compare.overview import MAIN_ROWS
from foliot.model import growth
from foliot.model.figures import geometric_mean
from foliot.model.run import Row
from foliot.report import charts, content, heading, sketch, tables
from foliot.report.charts import Chart
from foliot.report.content import Group, Subject
from foliot.report.heading import Made
from foliot.report.past import Past

if TYPE_CHECKING:
    from jinja2 import Environment

_OPEN_TABLES = 2
_BESIDE = 3
_HISTOGRAMS = 24
_HERE = Path(__file__).parent


def charts_of(groups: Sequence[Group], subjects: Sequence[Subject]) -> Iterator[Chart]:
    """Draw all charts of a report."""
    for group in groups:
        yield from charts.of_group(group)
    own = [subject for subject in subjects if not subject.run.published]
    for subject in own[-_BESIDE:]:
        yield from charts.of_subject(subject)


def render(
    subjects: Sequence[Subject],
    groups: Sequence[Group],
    drawn: Sequence[Chart],
    past: Past | None = None,
    made: Made | None = None,
) -> str:
    """Put the page together; everything in it is in it."""
    script = (_HERE / "script.js").read_text(encoding="utf-8")
    return _environment().get_template("page.html.j2").render(
        title=heading.title(subjects), made=heading.facts(subjects, made or Made()),
        style=style(), script=script,
        subjects=subjects, groups=groups, findings=content.findings(subjects),
        compared=[group for group in groups if len(group.subjects) > 1],
        ranked=[group for group in groups if len(group.ranking) > 1],
        tests=[test for group in groups for test in group.tests],
        charts={chart.name: chart for chart in drawn if not chart.is_past},
        past=past, past_charts=[chart for chart in drawn if chart.is_past],
        varied=_most_varied(subjects), boards_table=_boards(subjects),
        main_rows=[(title, row, text) for title, (row, text)
                   in zip(boards_table.TITLES, MAIN_ROWS.items(), strict=True)],
        means={subject.key: _means(subject) for subject in subjects},
        shades=range(tables.SHADES), open_tables=len(subjects) <= _OPEN_TABLES,
        **_counts(subjects, groups),
    )  # fmt: skip


@cache
def _environment() -> Environment:
    """Return the templates; a server reads them once."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.globals.update(
        number=content.number, clock=content.clock, core=content.core, ratio=content.ratio,
        between=content.between, shortly=content.shortly, sentence=content.sentence,
        facts=content.facts, board_cells=tables.board_cells, matrix=tables.matrix,
        rows=tables.rows, titles=tables.titles, ranktest=tables.ranktest, parted=tables.parted,
        histogram=sketch.histogram, growth=_growth,
    )  # fmt: skip
    return environment


def _counts(subjects: Sequence[Subject], groups: Sequence[Group]) -> dict[str, object]:
    """Count what the page tells of, so that its text is true of what is on it."""
    runs = [subject.run for subject in subjects]
    doubts = [doubt for run in runs for doubt in run.doubts]
    foreign = [run for run in runs if run.published]
    repeated = [subject for subject in subjects if subject.repeats]
    each = dict.fromkeys(str(len(subject.repeats)) for subject in repeated)
    return {
        "boards": len(heading.boards(runs)),
        "figures": sum(len(run.rows) for run in runs),
        "units": list(dict.fromkeys(group.unit for group in groups)),
        "doubted": len(doubts),
        "wrong": sum(len(content.wrong_rows(run)) for run in runs),
        "ours": len(runs) - len(foreign),
        "batched": sum("batch" in row.doubts for run in runs for row in run.rows),
        "foreign": len(foreign),
        "distributed": sum(any(not row.single for row in run.rows) for run in foreign),
        "decoded": any(doubt.reading is not None for doubt in doubts),
        "repeated": len(repeated),
        "each": " or ".join(each),
    }


def _boards(subjects: Sequence[Subject]) -> list[boards_table.Section]:
    """Return the matrix of boards: of ours that are here, and of published devices that are."""
    ours = boards_table.own(subject.run for subject in subjects)
    if not ours:
        return []
    foreign = {subject.run.header.board for subject in subjects if subject.run.published}
    found = boards_table.sections(ours, devices=foreign, without=False)
    return found if any(len(section.lines) > 1 for section in found) else []


def _growth(subject: Subject) -> list[growth.Growth]:
    """Return how a run's figures grow with the number at the end of their names."""
    return [] if subject.run.published else growth.series(subject.run.rows)


def _means(subject: Subject) -> tuple[str, str]:
    """Return a run's geometric means over its floor and over its reference."""

    def mean(ratios: Sequence[float]) -> str:
        return content.ratio(geometric_mean(ratios)) if ratios else ""

    return mean(subject.run.floor_ratios()), mean(subject.run.reference_ratios())


def _most_varied(subjects: Sequence[Subject]) -> list[tuple[Subject, Row]]:
    """Return the rows that vary most for their size, the widest first."""
    found = [
        ((row.max - row.min) / max(row.p50, 1), subject, row)
        for subject in subjects
        for row in subject.run.rows
        if content.varies(row)
    ]
    found.sort(key=lambda one: -one[0])
    return [(subject, row) for _, subject, row in found[:_HISTOGRAMS]]


def style() -> str:
    """Return the style of all pages, with its colours."""
    pairs = (
        f"--{name}:light-dark({light},{dark})" for name, (light, dark) in charts.COLOURS.items()
    )
    return f":root{{{';'.join(pairs)}}}\n" + (_HERE / "style.css").read_text(encoding="utf-8")
