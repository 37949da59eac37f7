# SPDX-License-Identifier: Apache-2.0
"""A run of another system: single figures, and all that nobody knows of them said to be so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from foliot.model.figures import FASTEST_HZ, SLOWEST_HZ, implied_hz
from foliot.model.run import Failure, Header, Histogram, Origin, Row, Run

NOBODYS = "unnamed"  # the board of a run whose source names none


def one_bar(value: float) -> Histogram:
    """Return the histogram of a single figure: one bar, or none where it is no whole number."""
    return ((int(value), 1),) if value == int(value) else ()


def single(row_id: str, text: str, value: float, ns: float | None = None, **extra: Any) -> Row:
    """Return the row that a single figure is: nothing is known of its distribution."""
    return Row(
        row_id, text, 1, value, value, value, value, value, value, 0, value, 0,
        one_bar(value), {}, (), False, None, None, ns, extra,
    )  # fmt: skip


def published_run(
    rows: Sequence[Row],
    *,
    origin: Origin,
    suite: str,
    unit: str,
    board: str = NOBODYS,
    configuration: str = "default",
    declared_hz: int = 0,
    failures: Iterable[Failure] = (),
    successful: bool = True,
    header: Mapping[str, Any] | None = None,
) -> Run:
    """Return the run that published rows make; what `header` says overrides what is not known."""
    implied = (implied_hz(rows) or 0) if unit == "cycles" else 0
    known = {
        "suite": suite, "kernel_commit": origin.kernel_version, "dirty": False, "board": board,
        "core": origin.device.get("core", "not known"), "unit": unit, "clock_hz": declared_hz,
        "clock_measured_hz": round(implied) if SLOWEST_HZ <= implied <= FASTEST_HZ else 0,
        "counter": {}, "memory": _memory(origin.device), "compiler": "not known", "flags": "",
        "configuration": (configuration,), "config_sha256": "", "assertions": False,
        **(header or {}),
    }  # fmt: skip
    return Run(
        Header(**known), tuple(rows), failures=tuple(failures), successful=successful,
        published=True, origin=origin,
    )  # fmt: skip


def _memory(device: Mapping[str, str]) -> str:
    known = [f"{name.upper()} {device[name]}" for name in ("ram", "rom") if device.get(name)]
    return ", ".join(known) or "not known"
