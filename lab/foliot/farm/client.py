# SPDX-License-Identifier: Apache-2.0
"""labgrid-client, called as a process, and what it shows of a place."""

from __future__ import annotations

import ast
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from foliot.model.errors import FoliotError, UsageError
from foliot.show.terminal import Progress
from foliot.target import process, provision

_CALL_S = 60
_HELD = re.compile(r"^  acquired: (\S+)$")
_RESOURCE = re.compile(r"^Acquired resource '([^']+)' \(([^)]+)\):$")
_ORPHAN = re.compile(r"^Orphaned resource '([^']+)' \(([^)]+)\)$")
_TOKEN = re.compile(r"^export LG_TOKEN=(\w+)$")


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that belongs to a place; `params` is None where its exporter is gone."""

    name: str
    path: str
    kind: str = ""
    params: Mapping[str, Any] | None = None
    available: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A place as labgrid shows it: who has it ("" where nobody has), and with what."""

    holder: str
    resources: tuple[Resource, ...]


class Client:
    """Calls labgrid's client for one place."""

    def __init__(self, place: str, coordinator: str | None, progress: Progress) -> None:
        """Have labgrid installed, where it is not; talk to nobody yet."""
        if not re.fullmatch(r"\w[\w-]*", place, re.ASCII):
            raise UsageError(f"--place takes a place's name, not '{place}'")
        self.place = place
        self._programs = provision.environment("farm", provision.FARM_REQUIREMENTS, progress)
        self._coordinator = coordinator

    @property
    def environment(self) -> dict[str, str]:
        """What a command is given that uses labgrid's programs on this place."""
        named = {"LG_COORDINATOR": self._coordinator} if self._coordinator else {}
        path = f"{self._programs}{os.pathsep}{os.environ.get('PATH', '')}"
        return {**named, "LG_PLACE": self.place, "PATH": path}

    def words(self, *words: str) -> list[str]:
        """Return the command line of a call."""
        coordinator = ["-x", self._coordinator] if self._coordinator else []
        return [str(self._programs / "labgrid-client"), *coordinator, "-p", self.place, *words]

    def call(self, *words: str, limit_s: float = _CALL_S) -> list[str]:
        """Return what labgrid's client prints; FoliotError with its own words where it fails."""
        try:
            return process.run(self.words(*words), "labgrid-client", limit_s=limit_s)
        except process.ToolFailed as failure:
            said = [line for line in failure.lines if line.strip()][-1:] or ["it said nothing"]
            advice = f"what was called: {shlex.join(self.words(*words)[1:])}"
            raise FoliotError(f"labgrid: {said[0]}", advice) from None

    def shown(self) -> Shown:
        """Return how the place is right now."""
        return shown(self.call("show"))

    def reserve(self) -> str:
        """Get in line; return the reservation's token."""
        for line in self.call("reserve", "--shell", f"name={self.place}"):
            found = _TOKEN.match(line)
            if found:
                return found[1]
        raise FoliotError("labgrid: no reservation was made")


def shown(lines: Sequence[str]) -> Shown:
    """Read what `labgrid-client show` prints; FoliotError where that is not what it was."""
    holder, found, rest = "", [], list(lines)
    while rest:
        line = rest.pop(0)
        held, resource, orphan = (form.match(line) for form in (_HELD, _RESOURCE, _ORPHAN))
        if held and held[1] != "None":
            holder = held[1]
        elif orphan:
            found.append(Resource(orphan[1], orphan[2]))
        elif resource:
            text = ""
            while rest and rest[0].startswith(" "):
                text += rest.pop(0).strip() + " "
            found.append(_resource(resource[1], resource[2], text))
    return Shown(holder, tuple(found))


def _resource(name: str, path: str, text: str) -> Resource:
    try:
        told = ast.literal_eval(text.strip())
        return Resource(name, path, told["cls"], dict(told["params"]), bool(told["avail"]))
    except (ValueError, SyntaxError, KeyError, TypeError):
        raise FoliotError(f"labgrid shows {name} ({path}) in a way that is not known") from None
