# SPDX-License-Identifier: Apache-2.0
"""What campaigns came to, kept beside the runs: a file a result, and none is written over.

They are no runs: what was noticed in how many trials is no figure of a board's, stands in no
mean, and `last` is not one of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from foliot.model.errors import FoliotError
from foliot.store.sqlite import Store
from foliot.target import paths

_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Result:
    """One result: `kind` is `campaign`, `matrix` or `bisect`, `name` what was asked for.

    `when` is UTC in ISO 8601; `commit` ends in `+` where something was in no commit, and is empty
    where there is no git; `told` is all of it in a line, `found` for programs.
    """

    kind: str
    name: str
    when: str
    commit: str
    told: str
    found: Mapping[str, Any]


def keep(
    store: Store, kind: str, name: str, commit: str, told: str, found: Mapping[str, Any]
) -> Path:
    """Keep a result of now; return where."""
    when = datetime.now(UTC).isoformat(timespec="microseconds")
    result = Result(kind, name, when, commit, told, found)
    content = json.dumps({"schema": _SCHEMA, **asdict(result)}, indent=1) + "\n"
    of = hashlib.sha256(content.encode()).hexdigest()[:8]
    place = store.directory / "results" / f"{when[:19].replace(':', '')}-{kind}-{of}.json"
    with store.plain_errors():
        paths.write_if_changed(place, content)
    return place


def past(store: Store, kind: str = "", name: str = "") -> list[Result]:
    """Return the results, the oldest first; of a kind, of a name.

    FoliotError where a file is not what was written: it may be the one that is looked for.
    """
    with store.plain_errors():
        files = sorted((store.directory / "results").glob("*.json"))
        found = [_read(path, path.read_bytes()) for path in files]
    wanted = [one for one in found if kind in ("", one.kind) and name in ("", one.name)]
    return sorted(wanted, key=lambda one: one.when)


def _read(path: Path, content: bytes) -> Result:
    schema = None
    try:
        kept = json.loads(content)
        schema = kept.pop("schema")
        if schema != _SCHEMA:
            raise ValueError(schema)
        result = Result(**kept)
        words = (result.kind, result.name, result.when, result.commit, result.told)
        if all(isinstance(word, str) for word in words) and isinstance(result.found, dict):
            return result
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        pass
    newer = isinstance(schema, int) and schema > _SCHEMA
    what = "was written by a newer foliot" if newer else "is no result of foliot's"
    raise FoliotError(f"{path} {what}", "move it away")
