# SPDX-License-Identifier: Apache-2.0
"""A run as two JSON texts and back: how the store keeps it, and a baseline in a file.

Only facts are kept. Doubts follow from facts by rules that improve, so they are found
anew whenever a run is read (see judge/doubts.py); what the target itself doubted is a fact and
stands in its row. A single published figure takes a line, not a screen. Unknown keys are
ignored, so that an older foliot reads what a newer one added.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from foliot.model.errors import FoliotError
from foliot.model.published import one_bar, single
from foliot.model.run import (
    Cell,
    Failure,
    Footprint,
    Header,
    Origin,
    Reference,
    Refused,
    Row,
    Run,
)

_SAMPLES = ("n", "first", "min", "p50", "p90", "p99", "max", "max_index", "mean", "overhead")


def dump(run: Run) -> tuple[str, str]:
    """Return how the run was made, and its rows, each as one line of JSON."""
    return dump_facts(run), f"[{','.join(dump_row(row) for row in run.rows)}]"


def dump_facts(run: Run) -> str:
    """Return everything but the rows."""
    return _json({
        "header": _sparse(run.header),
        "origin": _sparse(run.origin),
        "footprint": dataclasses.asdict(run.footprint) if run.footprint else None,
        "failures": [dataclasses.asdict(failure) for failure in run.failures],
        "successful": run.successful,
        "foreign": run.published,
        "records": list(run.records),
    })  # fmt: skip


def dump_row(row: Row) -> str:
    """Return one row; where it is a single figure, without its repetitions."""
    kept: dict[str, Any] = {"id": row.id, "text": row.text}
    if _is_single(row):
        if not (row.extra or row.doubts or row.reference or row.floor is not None):
            ns = "" if row.ns is None else f',"ns":{row.ns!r}'
            return f'{{"id":{_quoted(row.id)},"text":{_quoted(row.text)},"value":{row.p50!r}{ns}}}'
        kept["value"] = row.p50
    else:
        kept.update({name: getattr(row, name) for name in _SAMPLES})
        kept.update(histogram=row.histogram, buckets=row.buckets, evidence=dict(row.evidence))
    if row.doubts:
        kept["doubts"] = row.doubts
    for name in ("floor", "ns"):
        if getattr(row, name) is not None:
            kept[name] = getattr(row, name)
    if row.reference:
        doubted = [True] if row.reference.doubted else []
        kept["reference"] = [row.reference.name, row.reference.value, *doubted]
    if row.extra:
        kept["extra"] = dict(row.extra)
    return _json(kept)


def _is_single(row: Row) -> bool:
    """Whether a row is one figure, from which all of its statistics follow."""
    alike = row.first == row.min == row.p50 == row.p90 == row.p99 == row.max == row.mean
    return (
        row.n == 1
        and alike
        and not (row.evidence or row.overhead or row.buckets or row.max_index)
        and row.histogram == one_bar(row.p50)
    )


def load(facts: str, rows: str) -> Run:
    """Build the run again; FoliotError where the texts are not what `dump` writes."""
    try:
        told, figures = json.loads(facts), json.loads(rows)
        footprint = told.get("footprint")
        return Run(
            header=_header(told["header"]),
            rows=tuple(map(_row, figures)),
            failures=tuple(Failure(item["id"], item["reason"]) for item in told["failures"]),
            successful=told["successful"],
            footprint=Footprint(**{**footprint, "image": tuple(footprint["image"])})
            if footprint
            else None,
            records=tuple(told["records"]),
            published=told["foreign"],
            origin=_origin(told["origin"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FoliotError(f"a stored run can't be read: {error!r}") from None


def _row(kept: Mapping[str, Any]) -> Row:
    extra = kept.get("extra", {})
    reference = Reference(*kept["reference"]) if "reference" in kept else None
    if "value" in kept:
        row = single(kept["id"], kept["text"], kept["value"], kept.get("ns"), **extra)
        if not (reference or "floor" in kept or "doubts" in kept):
            return row
        return dataclasses.replace(
            row, reference=reference, floor=kept.get("floor"), doubts=tuple(kept.get("doubts", ()))
        )
    return Row(
        kept["id"],
        kept["text"],
        **{name: kept[name] for name in _SAMPLES},
        histogram=tuple((value, count) for value, count in kept["histogram"]),
        evidence=kept["evidence"],
        doubts=tuple(kept.get("doubts", ())),
        buckets=kept["buckets"],
        floor=kept.get("floor"),
        reference=reference,
        ns=kept.get("ns"),
        extra=extra,
    )


_HEADER = tuple(field.name for field in dataclasses.fields(Header))
_HEADER_NEEDS = tuple(name for name in _HEADER if name != "extra")
_ORIGIN = tuple(field.name for field in dataclasses.fields(Origin))


def _header(kept: Mapping[str, Any]) -> Header:
    known = {name: value for name, value in kept.items() if name in _HEADER}
    return Header(**{**known, "configuration": tuple(known["configuration"])})


def _origin(kept: Mapping[str, Any]) -> Origin:
    known = {name: value for name, value in kept.items() if name in _ORIGIN}
    for name in ("command", "lines"):
        if known.get(name) is not None:
            known[name] = tuple(known[name])
    if "summary" in known:
        known["summary"] = tuple(Cell(**cell) for cell in known["summary"])
    if "refused" in known:
        known["refused"] = tuple(Refused(**one) for one in known["refused"])
    return Origin(**known)


def _sparse(part: Header | Origin) -> dict[str, Any]:
    """Return the fields of a header or an origin, without those at an empty default."""
    needed = _HEADER_NEEDS if isinstance(part, Header) else ()
    found = {}
    for name in _HEADER if isinstance(part, Header) else _ORIGIN:
        value = getattr(part, name)
        if value or name in needed:
            found[name] = value
    if "summary" in found:
        found["summary"] = [dataclasses.asdict(cell) for cell in found["summary"]]
    if "refused" in found:
        found["refused"] = [dataclasses.asdict(one) for one in found["refused"]]
    return found


@lru_cache(maxsize=1024)
def _quoted(text: str) -> str:
    return _json(text)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
