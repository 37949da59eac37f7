# SPDX-License-Identifier: Apache-2.0
"""OpenMetrics' text, which GitLab shows on a merge request as a job's metrics report.

GitLab takes a line apart as a shell does: labels hold no space and no #, or it would see another
value. So what stands in a label is a name here, whatever was printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from foliot.model.run import Run


def openmetrics(run: Run) -> str:
    """Return a run's figures and weights, a gauge each; a row that nobody knows has no line."""
    return "\n".join([*_rows(run), *_weights(run), "# EOF"]) + "\n"


def _rows(run: Run) -> Iterator[str]:
    yield "# TYPE foliot_row gauge"
    for row_id, value in run.values().items():
        yield f"foliot_row{{{_labels(run)},row={_quoted(row_id)}}} {value:.12g}"


def _weights(run: Run) -> Iterator[str]:
    if run.footprint is None:
        return
    yield "# TYPE foliot_footprint_bytes gauge"
    yield "# UNIT foliot_footprint_bytes bytes"
    for name, size in run.footprint.weights().items():
        what = _quoted(name.partition(".")[2])
        yield f"foliot_footprint_bytes{{{_labels(run)},of={what}}} {size}"


def _labels(run: Run) -> str:
    header = run.header
    named = {"board": header.board, "suite": header.suite, "unit": header.unit}
    return ",".join(f"{name}={_quoted(value)}" for name, value in named.items())


def _quoted(text: str) -> str:
    return f'"{re.sub(r"[^A-Za-z0-9_.+/@:-]", "_", text)}"'
