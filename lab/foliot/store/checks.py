# SPDX-License-Identifier: Apache-2.0
"""What `foliot board-check` found, kept beside the runs: a file a check, the newest counts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from foliot.measure.board_check import AGREES, DIFFERS, LEFT_OUT, Fact
from foliot.store.sqlite import Store
from foliot.target import paths

_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Check:
    """One check: `when` is UTC in ISO 8601, `where` the port or the simulator, `by` a person."""

    board: str
    when: str
    by: str
    where: str
    silicon: bool
    configuration: tuple[str, ...]
    image: str  # the first digits of its SHA-256
    facts: tuple[Fact, ...]

    @property
    def agrees(self) -> bool:
        """Whether all that was compared agrees, and something was."""
        return all(fact.verdict in {AGREES, LEFT_OUT} for fact in self.facts)

    @property
    def told(self) -> str:
        """What `foliot boards` says of it."""
        day = self.when[:10]
        if self.agrees:
            return f"on silicon ({self.by}, {day})"
        wrong = [fact.name for fact in self.facts if fact.verdict == DIFFERS] or ["not all heard"]
        return f"on silicon ({self.by}, {day}), differing: {', '.join(wrong)}"


def keep(store: Store, check: Check, log: bytes) -> Path:
    """Keep a check, and the console it stands on; return where."""
    content = json.dumps({"schema": _SCHEMA, **asdict(check)}, indent=1) + "\n"
    name = f"{check.board}-{check.when.replace(':', '')}-{hashlib.sha256(log).hexdigest()[:8]}"
    place = store.directory / "checks" / f"{name}.json"
    with store.plain_errors():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.with_suffix(".log").write_bytes(log)
        paths.write_if_changed(place, content)
    return place


def on_silicon(store: Store) -> dict[str, Check]:
    """Return by board the newest check of a device; a file that can't be read is passed over."""
    checks = sorted((one for one in _all(store) if one.silicon), key=lambda one: one.when)
    return {check.board: check for check in checks}


def _all(store: Store) -> Iterator[Check]:
    for path in sorted((store.directory / "checks").glob("*.json")):
        found = _read(path)
        if found is not None:
            yield found


def _read(path: Path) -> Check | None:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept.pop("schema") != _SCHEMA:
            return None
        facts: Sequence[Fact] = [Fact(**fact) for fact in kept.pop("facts")]
        return Check(**{**kept, "configuration": tuple(kept["configuration"])}, facts=tuple(facts))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
