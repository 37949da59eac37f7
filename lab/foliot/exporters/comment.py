# SPDX-License-Identifier: Apache-2.0
"""What `foliot gate` says on a pull request: a short Markdown that GitHub and GitLab show.

The first line names board and suite in a comment of HTML: by it the one that posts finds what it
posted before, so that a pull request has one such comment a board, however often it is pushed to.
A text of a console may be in it (a row's name, a doubt), and is shown as it is, whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foliot.judge.gate import Verdict, summed
from foliot.model.names import counted
from foliot.model.run import Run
from foliot.show import markdown
from foliot.show.numbers import figure

MOST = 40  # changes that are listed; GitHub takes 65536 characters
_LONGEST = 300  # of one remark
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+!|~@&$])")


@dataclass(frozen=True, slots=True)
class Told:
    """What the comment says beside the verdicts.

    `against` names the baseline, `sure` how the verdicts came about, `link` leads to the report.
    """

    against: str
    sure: str
    link: str = ""


def comment(verdicts: Sequence[Verdict], run: Run, told: Told) -> str:
    """Return the verdicts of a gate as a comment; in one line where nothing changed."""
    header = run.header
    changed = [verdict for verdict in verdicts if verdict.status != "same"]
    broken = [doubt for doubt in run.doubts if doubt.invalidates]
    title = f"**Foliot**, {plain(header.suite)} on {plain(header.board)}, in {header.unit}"
    link = f" [The report]({told.link})" if told.link else ""
    marker = f"<!-- foliot gate: {_word(header.suite)} on {_word(header.board)} -->"
    against = f"against {plain(told.against)}"
    if not changed and not broken:
        count = counted(len([one for one in verdicts if not one.is_weight]), "row")
        return f"{marker}\n{title}: nothing changed in {count} {against}.{link}\n"
    lines = [marker, f"{title}, {against}: {_summed(verdicts)}.{link}", ""]
    lines += [f"* **not valid**: {plain(doubt.row or 'the run')}: {plain(doubt.text)}"
              for doubt in broken[:MOST]]  # fmt: skip
    lines += ["", *_table(changed), ""] if changed else [""]
    return "\n".join([*lines, plain(told.sure)]) + "\n"


def plain(text: str) -> str:
    """Return a text that Markdown shows as it is, in one line."""
    short = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return _MARKUP.sub(r"\\\1", " ".join(short.split()))


def _word(text: str) -> str:
    """Return a name that ends no comment of HTML."""
    return re.sub(r"[^\w.+]", "_", text)


def _summed(verdicts: Sequence[Verdict]) -> str:
    rows = [verdict for verdict in verdicts if not verdict.is_weight]
    weights = [verdict for verdict in verdicts if verdict.is_weight]
    told = [f"{counted(len(rows), 'row')}: {summed(rows)}"]
    told += [f"{counted(len(weights), 'size')} in bytes: {summed(weights)}"] if weights else []
    return "; ".join(told)


def _table(changed: Sequence[Verdict]) -> Iterator[str]:
    yield from markdown.head(("", "row", "before", "after", "change", "of it"), "llrrrl")
    order = sorted(changed, key=lambda verdict: (not verdict.fails, not verdict.unsure))
    for verdict in order[:MOST]:
        word = f"**{verdict.word}**" if verdict.fails else verdict.word
        yield markdown.line((word, plain(verdict.row), *_figures(verdict), plain(verdict.text)))
    if len(order) > MOST:
        yield markdown.line(("", f"and {len(order) - MOST} more", "", "", "", ""))


def _figures(verdict: Verdict) -> tuple[str, str, str]:
    before, after = verdict.before, verdict.after
    shown = ["" if one is None else figure(one) for one in (before, after)]
    if before is None or after is None or before == after:
        return shown[0], shown[1], ""
    over = f" ({100 * (after - before) / before:+.1f} %)" if before > 0 else ""
    return shown[0], shown[1], f"{after - before:+g}{over}"
