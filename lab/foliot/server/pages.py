# SPDX-License-Identifier: Apache-2.0
"""The server's pages: the same report, and what leads to it.

Everything that came from outside is escaped by the templates, and a page's own rules (CSP) let
no script run but the one whose hash they name, and load nothing from anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sqlalchemy import Connection

from foliot.compare.timeline import MEAN, Point
from foliot.model.figures import is_nominal
from foliot.report import charts, content, page
from foliot.report.heading import Made
from foliot.report.past import MOST_COMMITS
from foliot.report.past import Past as Drawn
from foliot.server import query
from foliot.server.people import Person
from foliot.show.numbers import figure
from foliot.store.selection import Chosen
from foliot.store.sqlite import Kept

MOST_COMPARED = 12
MOST_ROWS = 10_000  # of a report: more is megabytes, and seconds of a processor
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_HERE = Path(__file__).parent
_SCRIPTS = {"project.html.j2": "live.js"}


def with_rules(text: str) -> tuple[str, dict[str, str]]:
    """Return a page and the headers that it is sent with."""
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in _SCRIPT.findall(text)
    ]
    scripts = " ".join(hashes) or "'none'"
    rules = [
        "default-src 'none'", "style-src 'unsafe-inline'", "img-src data:", "connect-src 'self'",
        f"script-src {scripts}", "form-action 'self'", "base-uri 'none'",
        "frame-ancestors 'none'",
    ]  # fmt: skip
    return text, {"Content-Security-Policy": "; ".join(rules)}


def login(wrong: bool = False) -> str:
    """Return the page that asks for a token."""
    return _render("login.html.j2", title="Foliot", person=None, wrong=wrong)


def project(
    person: Person, runs: Sequence[Kept], kinds: Sequence[Mapping[str, Any]], before: str
) -> str:
    """Return a project's first page: benches that run, kinds of runs, the newest runs."""
    more = query.cursor_of(runs[-1]) if len(runs) == query.MOST_RUNS else ""
    return _render("project.html.j2", title=person.project_name, person=person, runs=runs,
                   kinds=kinds, before=before, more=more)  # fmt: skip


def history(
    person: Person, kind: Mapping[str, Any], past: Sequence[query.Past], wanted: str
) -> str | None:
    """Return a figure's history over the newest commits of a kind; None where it has none."""
    figures = _named(past)
    if wanted not in figures:
        return None
    drawn = drawn_past(kind, past, dict.fromkeys([MEAN, wanted]))
    chart = charts.of_figure(drawn, wanted)
    names = [one.name for one in _different(past)[-MOST_COMMITS:]]
    known = drawn.figures[wanted]
    lines = list(zip(known, _changes(known), names, strict=True))
    return _render("history.html.j2", title=f"{wanted}: {drawn.title}", person=person, kind=kind,
                   figure=wanted, figures=figures, chart=chart, lines=lines[::-1],
                   past=drawn)  # fmt: skip


def _changes(points: Sequence[Point]) -> list[str]:
    told, before = [], None
    for point in points:
        moved = None not in (before, point.value) and point.value != before
        told.append(f"{(point.value or 0) - (before or 0):+.6g}" if moved else "")
        before = before if point.value is None else point.value
    return told


def _named(past: Sequence[query.Past]) -> list[str]:
    """Return the figures that there are histories of."""
    return list(dict.fromkeys([MEAN, *past[-1].weights, *past[-1].marks]))


def drawn_past(
    kind: Mapping[str, Any], past: Sequence[query.Past], names: Iterable[str] = ()
) -> Drawn:
    """Return what the report draws of a history: runs that repeat the one before stand once.

    Of the figures `names`, or of all.
    """
    kept = _different(past)
    shown = kept[-MOST_COMMITS:]
    newest = shown[-1]
    configuration = ", ".join(str(kind["configuration"]).split(","))
    return Drawn(
        title=f"{kind['suite']} on {kind['board']} ({configuration})", unit=str(kind["unit"]),
        exact=newest.nominal, left_out=len(kept) - len(shown),
        figures={name: query.points(shown, name) for name in names or _named(past)},
    )  # fmt: skip


def _different(past: Sequence[query.Past]) -> list[query.Past]:
    kept: list[query.Past] = []
    for one in past:
        if kept and _key(kept[-1]) == _key(one):
            kept[-1] = one
        else:
            kept.append(one)
    return kept


def _key(one: query.Past) -> object:
    return one.commit, one.dirty, one.figures, one.weights


def report(chosen: Sequence[Chosen], past: Drawn | None = None) -> str:
    """Return the same page as `foliot report`."""
    subjects = content.subjects(chosen)
    groups = content.groups(subjects)
    drawn = list(page.charts_of(groups, subjects))
    drawn += list(charts.of_past(past)) if past else []
    return page.render(subjects, groups, drawn, past, Made())


def past_of(connection: Connection, person: Person, one: Chosen) -> Drawn | None:
    """Return the history of a run's kind; None where it is the only one."""
    if one.kept is None:
        return None
    header = one.run.header
    kind = {"suite": header.suite, "board": header.board, "unit": header.unit,
            "configuration": ",".join(header.configuration)}  # fmt: skip
    past = query.past(connection, person.project, query.kind_of(connection, one.kept), MOST_COMMITS)
    drawn = drawn_past(kind, past)
    exact = is_nominal(one.run)
    return Drawn(drawn.title, drawn.unit, exact, drawn.figures, drawn.left_out) \
        if len(drawn.commits) > 1 else None  # fmt: skip


def _render(name: str, **told: object) -> str:
    script = _SCRIPTS.get(name)
    text = (_HERE / script).read_text(encoding="utf-8") if script else ""
    return _environment().get_template(name).render(script=text, **told)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.globals.update(style=page.style() + (_HERE / "team.css").read_text(encoding="utf-8"),
                        number=figure)  # fmt: skip
    return made
