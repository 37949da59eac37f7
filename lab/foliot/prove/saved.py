# SPDX-License-Identifier: Apache-2.0
"""What was proved, kept by content: data/proofs.json, and build/prove/kept.json beside it.

A result belongs to the text that its proof read (pieces.py), to how it was asked (wp.py, solver.py)
and to the tools' versions. Where all of these are the same nothing is proved again.

Each is in build/ as soon as it is found, so that whoever ends a run in the middle loses nothing;
data/ gets them at the end, all of them. What went wrong (a tool that was killed) is no result.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from foliot.prove import solver, wp
from foliot.prove.pieces import Slice
from foliot.prove.wp import Goal, Proof
from foliot.target import paths

COMMITTED = paths.ROOT / "data" / "proofs.json"
OWN = paths.BUILD / "prove" / "kept.json"


def how() -> str:
    """Return what a result depends on beside the function's own text."""
    digest = hashlib.sha256(wp.versions().encode())
    for file in (solver.__file__, wp.__file__):
        digest.update(Path(file).read_bytes())
    return digest.hexdigest()


def key(part: Slice, asked: str) -> str:
    """Return what a result is kept by."""
    return hashlib.sha256(f"{asked}\n{part.content}".encode()).hexdigest()[:32]


class Saved:
    """Results that were kept, and those that are added now."""

    def __init__(self, fresh: bool = False) -> None:
        """Read them; `fresh`: as if there were none."""
        self._found: dict[tuple[str, str], Any] = {}  # by name and content
        self._used: dict[str, Any] = {}
        if not fresh:
            for place in (OWN, COMMITTED):  # neither hides what the other has of other content
                self._found.update({(name, one["key"]): one for name, one in _read(place).items()})

    def find(self, name: str, wanted: str) -> Proof | None:
        """Return the proof of a function with that content."""
        entry = self._found.get((name, wanted))
        if entry is None:
            return None
        self._used[name] = entry
        goals = tuple(Goal(*one) for one in entry["goals"])
        return Proof(goals, entry["seconds"])

    def add(self, name: str, wanted: str, proof: Proof) -> None:
        """Keep one, from now on."""
        if proof.error:
            return
        entry: dict[str, Any] = {
            "key": wanted,
            "seconds": round(proof.seconds, 1),
            "goals": [
                [one.title, one.line, one.is_contract, one.prover, round(one.seconds, 2)]
                for one in proof.goals
            ],
        }
        self._found[name, wanted] = self._used[name] = entry
        _merge({name: entry})

    def save(self, commit: bool) -> None:
        """Write what was used: to build/, and where `commit` says so to data/."""
        _merge(self._used)
        if commit:
            paths.write_if_changed(COMMITTED, _text(self._used))


def _merge(entries: Mapping[str, Any]) -> None:
    """Add them to what is in build/, where another process may add its own."""
    with paths.locked(OWN):
        paths.write_if_changed(OWN, _text({**_read(OWN), **entries}))


def _read(place: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
        return {name: one for name, one in found.items() if {*one} == {"key", "seconds", "goals"}}
    except (OSError, ValueError, AttributeError, TypeError):  # nobody's, or cut off
        return {}


def _text(entries: Mapping[str, Any]) -> str:
    """Return them a line a function: a change of one is a change of one line."""
    lines = [
        f"{json.dumps(name)}: {json.dumps(entry, sort_keys=True)}"
        for name, entry in sorted(entries.items())
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"
