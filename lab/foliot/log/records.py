# SPDX-License-Identifier: Apache-2.0
"""From one `@foliot` JSON object to one model object, or a refusal that names the fault.

Strict on purpose: the same figure stands in a record more than once (n and the
histogram's counts, min and its first value...), so a record that was garbled on its
way, or a firmware that miscounts, contradicts itself and is caught here. Unknown keys
are kept, since the format grows by adding keys. The caller says in which line it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from foliot.model.errors import LogError
from foliot.model.run import Failure, Fault, Header, Histogram, Row, percentile

SCHEMA = 1
UNITS = ("cycles", "insn", "tsc")
INT64 = (-(2**63), 2**63 - 1)
EXACT_VALUES = 128

_HEADER_KEYS = {
    "type", "schema", "suite", "kernel_commit", "dirty", "board", "core", "unit", "clock_hz",
    "clock_measured_hz", "counter", "memory", "compiler", "flags", "configuration",
    "config_sha256", "assertions",
}  # fmt: skip
_ROW_KEYS = {
    "type", "id", "text", "n", "first", "min", "p50", "p90", "p99", "max", "max_index", "sum",
    "overhead", "histogram", "buckets", "evidence", "doubts",
}  # fmt: skip


def parse_object(text: str) -> dict[str, Any]:
    """Read one JSON object: no repeated keys, no NaN, no nesting that eats the stack."""

    def no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise LogError("a key stands twice in one record")
        return found

    def refuse(constant: str) -> Any:
        raise LogError(f"{constant} is not a number that a record may hold")

    try:
        value = json.loads(text, object_pairs_hook=no_repeats, parse_constant=refuse)
    except LogError:
        raise
    except (ValueError, RecursionError):
        raise LogError("a record that is not JSON (cut off or garbled)") from None
    if not isinstance(value, dict):
        raise LogError("a record that is not a JSON object")
    return value


def integer(record: Mapping[str, Any], key: str, low: int = INT64[0], high: int = INT64[1]) -> int:
    """Return record[key], an integer within low..high; booleans and floats are refused."""
    value = record.get(key)
    if type(value) is not int:
        raise LogError(f"'{key}' should be an integer and is {_shown(value)}")
    if not low <= value <= high:
        raise LogError(f"'{key}' is {_shown(value)}, outside of {low} to {high}")
    return value


def text(record: Mapping[str, Any], key: str) -> str:
    """Return record[key], a string."""
    value = record.get(key)
    if not isinstance(value, str):
        raise LogError(f"'{key}' should be a text and is {_shown(value)}")
    if not value.isprintable():
        raise LogError(f"'{key}' holds control characters: garbled")
    return value


def strings(record: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return record[key], a list of strings."""
    value = record.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise LogError(f"'{key}' should be a list of texts and is {_shown(value)}")
    return tuple(value)


def table(record: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return record[key], an object."""
    value = record.get(key)
    if not isinstance(value, dict):
        raise LogError(f"'{key}' should be an object and is {_shown(value)}")
    return value


def header(record: Mapping[str, Any]) -> Header:
    """Build the run's header; refuses another schema and an unknown unit."""
    schema = integer(record, "schema")
    if schema != SCHEMA:
        raise LogError(f"the log has schema {schema}, this lab reads schema {SCHEMA}")
    unit = text(record, "unit")
    if unit not in UNITS:
        raise LogError(f"the unit '{unit}' is none of {', '.join(UNITS)}")
    return Header(
        suite=text(record, "suite"),
        kernel_commit=text(record, "kernel_commit"),
        dirty=bool(integer(record, "dirty", 0, 1)),
        board=text(record, "board"),
        core=text(record, "core"),
        unit=unit,
        clock_hz=integer(record, "clock_hz", 1),
        clock_measured_hz=integer(record, "clock_measured_hz", 0),
        counter=table(record, "counter"),
        memory=text(record, "memory"),
        compiler=text(record, "compiler"),
        flags=text(record, "flags"),
        configuration=strings(record, "configuration"),
        config_sha256=text(record, "config_sha256"),
        assertions=bool(integer(record, "assertions", 0, 1)),
        extra=_extra(record, _HEADER_KEYS),
    )


def row(record: Mapping[str, Any]) -> Row:
    """Build one row; refuses one whose figures contradict one another."""
    evidence = table(record, "evidence")
    n = integer(record, "n", 1)
    built = Row(
        id=text(record, "id"),
        text=text(record, "text"),
        n=n,
        first=integer(record, "first"),
        min=integer(record, "min"),
        p50=integer(record, "p50"),
        p90=integer(record, "p90"),
        p99=integer(record, "p99"),
        max=integer(record, "max"),
        max_index=integer(record, "max_index", 0, n - 1),
        mean=integer(record, "sum") / n,
        overhead=integer(record, "overhead"),
        histogram=_histogram(record),
        evidence={key: integer(evidence, key) for key in evidence},
        doubts=strings(record, "doubts"),
        buckets=bool(integer(record, "buckets", 0, 1)),
        extra=_extra(record, _ROW_KEYS),
    )
    _check_row(built, integer(record, "sum"))
    return built


def failure(record: Mapping[str, Any]) -> Failure:
    """Build the record of a row that could not be measured."""
    return Failure(text(record, "id"), text(record, "reason"))


def fault(record: Mapping[str, Any]) -> Fault:
    """Build the record of a fatal error; addresses in it are texts in hexadecimal."""
    registers = table(record, "registers")
    return Fault(
        reason=text(record, "reason"),
        cause=text(record, "cause"),
        pc=address(record, "pc"),
        thread=address(record, "thread"),
        in_isr=bool(integer(record, "in_isr", 0, 1)),
        registers={name: address(registers, name) for name in registers},
    )


def address(record: Mapping[str, Any], key: str) -> int:
    """Return record[key], an address as a text in hexadecimal."""
    try:
        return int(text(record, key), 16)
    except ValueError:
        raise LogError(f"'{key}' is no hexadecimal number") from None


def _histogram(record: Mapping[str, Any]) -> Histogram:
    value = record.get("histogram")
    if not isinstance(value, list) or not value:
        raise LogError("'histogram' should be a list of [value, count] and is not")
    bars: list[tuple[int, int]] = []
    for bar in value:
        if not isinstance(bar, list) or len(bar) != 2:
            raise LogError("'histogram' should be a list of [value, count] and is not")
        pair = {"value": bar[0], "count": bar[1]}
        bars.append((integer(pair, "value"), integer(pair, "count", 1)))
    if any(left >= right for (left, _), (right, _) in pairwise(bars)):
        raise LogError("the histogram's values don't rise")
    return tuple(bars)


def _check_row(row: Row, total: int) -> None:
    def contradiction(what: str) -> LogError:
        return LogError(f"row '{row.id}' contradicts itself: {what}")

    if not row.id or row.id != row.id.strip() or " " in row.id:
        raise LogError(f"'{row.id}' is no row id")
    if sum(count for _, count in row.histogram) != row.n:
        raise contradiction("the histogram's counts don't add up to n")
    if not row.min <= row.p50 <= row.p90 <= row.p99 <= row.max:
        raise contradiction("min, p50, p90, p99 and max don't rise")
    if not row.min <= row.first <= row.max:
        raise contradiction("the first sample lies outside of min to max")
    if not row.buckets:
        _check_exact(row, total, contradiction)


def _check_exact(row: Row, total: int, contradiction: Callable[[str], LogError]) -> None:
    if len(row.histogram) > EXACT_VALUES:
        raise contradiction(f"more than {EXACT_VALUES} values in an exact histogram")
    if (row.min, row.max) != (row.histogram[0][0], row.histogram[-1][0]):
        raise contradiction("min and max are not the ends of the histogram")
    if sum(value * count for value, count in row.histogram) != total:
        raise contradiction("the sum is not the histogram's")
    for percent in (50, 90, 99):
        if getattr(row, f"p{percent}") != percentile(row.histogram, row.n, percent):
            raise contradiction(f"p{percent} is not the histogram's")


def _extra(record: Mapping[str, Any], known: set[str]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key not in known}


def _shown(value: object) -> str:
    if value is None:
        return "missing"
    shown = json.dumps(value) if not isinstance(value, int) or abs(value) < 10**30 else "huge"
    return shown if len(shown) <= 40 else shown[:37] + "..."
