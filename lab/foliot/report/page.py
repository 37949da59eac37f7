# SPDX-License-Identifier: Apache-2.0
"""The page: all charts, tables and facts of the runs put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from foliot.compare import boards_table
from foliot.compare.overview import MAIN_ROWS
from foliot.model import growth
from foliot.model.figures import geometric_mean
from foliot.model.run import Row
from foliot.report import charts, content, sketch, tables
from foliot.report.charts import Chart
from foliot.report.content import Group, Subject
from foliot.report.past import Past

_OPEN_TABLES = 2
_BESIDE = 3
_HISTOGRAMS = 24
_HERE = Path(__file__).parent


def charts_of(groups: Sequence[Group], subjects: Sequence[Subject]) -> Iterator[Chart]:
    """Draw all charts of a report."""
    for group in groups:
        yield from charts.of_group(group)
    own = [subject for subject in subjects if not subject.run.foreign]
    for subject in own[-_BESIDE:]:
        yield from charts.of_subject(subject)


def render(
    subjects: Sequence[Subject],
    groups: Sequence[Group],
    drawn: Sequence[Chart],
    past: Past | None = None,
) -> str:
    """Put the page together; everything in it is in it."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    style = (_HERE / "style.css").read_text(encoding="utf-8")
    script = (_HERE / "script.js").read_text(encoding="utf-8")
    varied = _most_varied(subjects)
    ours = boards_table.own(subject.run for subject in subjects)
    return environment.get_template("page.html.j2").render(
        subjects=subjects, groups=groups, findings=content.findings(subjects),
        charts={chart.name: chart for chart in drawn if not chart.is_past},
        past=past, past_charts=[chart for chart in drawn if chart.is_past], number=content.number,
        clock=content.clock,
        style=_colours() + style, script=script,
        boards_table=boards_table.sections(ours) if ours else [],
        main_rows=list(zip(boards_table.TITLES, MAIN_ROWS, strict=True)),
        board_cells=tables.board_cells,
        matrix=tables.matrix, rows=tables.rows, titles=tables.titles, facts=content.facts,
        histogram=sketch.histogram, growth=_growth,
        ratio=content.ratio, sentence=content.sentence, varied=varied,
        means={subject.key: _means(subject) for subject in subjects},
        boards=len({s.run.header.board for s in subjects}),
        figures=sum(len(s.run.rows) for s in subjects),
        units=list(dict.fromkeys(group.unit for group in groups)),
        doubted=sum(len(s.run.doubts) for s in subjects),
        wrong=sum(len(content.wrong_rows(s.run)) for s in subjects),
        shades=range(tables.SHADES), open_tables=len(subjects) <= _OPEN_TABLES,
        version=version("vl-convert-python"),
    )  # fmt: skip


def _growth(subject: Subject) -> list[growth.Growth]:
    """Return how a run's figures grow with the number at the end of their names."""
    return [] if subject.run.foreign else growth.series(subject.run.rows)


def _means(subject: Subject) -> tuple[str, str]:
    """Return a run's geometric means over its floor and over its reference."""

    def mean(ratios: Sequence[float | None]) -> str:
        known = [value for value in ratios if value]
        return content.ratio(geometric_mean(known)) if known else ""

    run = subject.run
    return mean([row.floor_ratio for row in run.rows]), mean([r.reference_ratio for r in run.rows])


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


def _colours() -> str:
    pairs = (
        f"--{name}:light-dark({light},{dark})" for name, (light, dark) in charts.COLOURS.items()
    )
    return f":root{{{';'.join(pairs)}}}\n"
