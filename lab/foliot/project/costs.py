# SPDX-License-Identifier: Apache-2.0
"""The tables of what configurations cost over the default, for docs/configurations.md."""

from __future__ import annotations

from foliot.measure import matrix, session
from foliot.show import markdown
from foliot.show.terminal import Progress

_FEATURES = (
    "configuration", "all rows", "target", "with a switch", "without", "yield",
    "Zephyr's README: all rows", "yield", "Zephyr 3.3 here: all rows", "yield",
)  # fmt: skip
_OPTIONS = ("configuration", "all rows", "with a switch", "without", "yield", "the most", "of row")


def features(board: str, samples: int) -> list[str]:
    """Return what each feature costs, and Zephyr's beside; then every row, as text."""
    found = matrix.measure(session.Request(board, samples=samples), Progress(quiet=True))
    lines = markdown.head(_FEATURES, "lrrrrrrrrr")
    for conf in found.others:
        ours = found.cost(conf)
        goal = matrix.TARGETS.get(conf, "")
        met = isinstance(goal, float) and round(ours.every, 3) <= goal
        beside = [
            figure
            for theirs in matrix.zephyr(board, conf)
            for figure in (
                (f"{theirs.every:.2f}", f"{theirs.yielding:.2f}") if theirs else ("", "")
            )
        ]
        lines.append(markdown.line((
            ", ".join(f"`{name}`" for name in conf),
            f"**{ours.every:.3f}**" if met else f"{ours.every:.3f}", goal,
            f"{ours.switching:.3f}", f"{ours.others:.3f}", f"{ours.yielding:.2f}", *beside,
        )))  # fmt: skip
    return [*lines, "", "```text", *matrix.lines(found), "```"]


def options(board: str, samples: int) -> list[str]:
    """Return what each option that few programs have costs, and the row that pays the most."""
    request = session.Request(board, samples=samples)
    found = matrix.measure(request, Progress(quiet=True), [(name,) for name in matrix.OPTIONS])
    base = found.default.values()
    lines = markdown.head(_OPTIONS, "lrrrrrl")
    for conf, run in found.others.items():
        ours = found.cost(conf)
        times = {row.id: row.p50 / base[row.id] for row in run.rows if base.get(row.id, 0) > 0}
        most = max(times, key=lambda row: times[row])
        lines.append(markdown.line((
            f"`{conf[0]}`", f"{ours.every:.3f}", f"{ours.switching:.3f}", f"{ours.others:.3f}",
            f"{ours.yielding:.2f}", f"{times[most]:.2f}", f"`{most}`",
        )))  # fmt: skip
    return lines
