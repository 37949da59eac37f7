# SPDX-License-Identifier: Apache-2.0
"""What an application says of its threads, `system.toml`, for response times (system.py).

docs/bounds.md has an example. What can't be is refused, with the file and what it says.
"""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from foliot.model.errors import FoliotError

FILE = "system.toml"
_WAIT = "k_period_wait"


@dataclass(frozen=True, slots=True)
class Thread:
    """What is said of a thread, or of `count` alike."""

    name: str
    entry: str
    priority: int
    period: int
    deadline: int
    count: int = 1
    wait: str = _WAIT
    jitter: int | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Interrupt:
    """What is said of an interrupt: its handler, and how many cycles lie between two."""

    handler: str
    every: int
    parameters: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Resource:
    """What threads share, and the function that is run by one that holds it."""

    threads: tuple[str, ...]
    held: str


@dataclass(frozen=True, slots=True)
class System:
    """What is said of an application."""

    threads: tuple[Thread, ...]
    interrupts: tuple[Interrupt, ...]
    resources: tuple[Resource, ...] = ()
    parameters: Mapping[str, int] = field(default_factory=dict)
    conf: str = ""  # the configuration that it is built with
    never: frozenset[str] = frozenset()  # functions that no job gets to: what reports an error


def read(directory: Path) -> System:
    """Read an application's file; FoliotError where it says what can't be."""
    path = directory / FILE
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FoliotError(
            f"{path} is not there: it says what threads run, with which priorities and periods "
            "(docs/bounds.md)"
        ) from None
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FoliotError(f"{path}: {error}") from None
    _only(path, said, {"conf", "thread", "interrupt", "resource", "parameters", "never"})
    threads = tuple(_thread(path, each) for each in said.get("thread", []))
    if not threads:
        raise FoliotError(f"{path} has no [[thread]]")
    names = [each.name for each in threads]
    for name in names:
        if names.count(name) > 1:
            raise FoliotError(f"{path}: two threads are called {name}")
    interrupts = tuple(_interrupt(path, each) for each in said.get("interrupt", []))
    resources = tuple(_resource(path, each, names) for each in said.get("resource", []))
    parameters = _numbers(path, said.get("parameters", {}))
    return System(threads, interrupts, resources, parameters, str(said.get("conf", "")),
                  frozenset(map(str, said.get("never", []))))  # fmt: skip


def _only(path: Path, said: Mapping[str, Any], known: set[str]) -> None:
    for key in said:
        if key not in known:
            raise FoliotError(f"{path}: '{key}' is none of {', '.join(sorted(known))}")


def _numbers(path: Path, said: Any) -> Mapping[str, int]:
    if not isinstance(said, dict) or not all(_is_count(value) for value in said.values()):
        raise FoliotError(f"{path}: parameters are names and whole numbers, W = 16")
    return said


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _number(path: Path, said: Mapping[str, Any], key: str, default: int | None = None) -> int:
    value = said.get(key, default)
    if value is None:
        raise FoliotError(f"{path}: {said.get('name') or said.get('handler') or said} has no {key}")
    if not _is_count(value) and key != "priority":
        raise FoliotError(f"{path}: {key} = {value!r} is no whole number of 0 or more")
    if not isinstance(value, int):
        raise FoliotError(f"{path}: priority = {value!r} is no whole number")
    return value


def _thread(path: Path, said: Mapping[str, Any]) -> Thread:
    _only(path, said, {"name", "entry", "priority", "period", "deadline", "count", "wait",
                       "jitter", "parameters"})  # fmt: skip
    if not isinstance(said.get("entry"), str):
        raise FoliotError(f"{path}: a thread has no entry, the function that it runs")
    period = _number(path, said, "period")
    if period == 0:
        raise FoliotError(f"{path}: {said['entry']}: a period of 0 cycles")
    deadline = _number(path, said, "deadline", period)
    if deadline > period:
        raise FoliotError(f"{path}: {said['entry']}: its deadline is behind its next release")
    return Thread(
        str(said.get("name", said["entry"])), said["entry"], _number(path, said, "priority"),
        period, deadline, max(1, _number(path, said, "count", 1)), str(said.get("wait", _WAIT)),
        _number(path, said, "jitter") if "jitter" in said else None,
        _numbers(path, said.get("parameters", {})),
    )  # fmt: skip


def _interrupt(path: Path, said: Mapping[str, Any]) -> Interrupt:
    _only(path, said, {"handler", "every", "parameters"})
    every = _number(path, said, "every")
    if not isinstance(said.get("handler"), str) or every == 0:
        raise FoliotError(f"{path}: an interrupt has a handler, and `every` so many cycles one")
    return Interrupt(said["handler"], every, _numbers(path, said.get("parameters", {})))


def _resource(path: Path, said: Mapping[str, Any], names: Sequence[str]) -> Resource:
    _only(path, said, {"threads", "held", "name"})
    threads = said.get("threads", [])
    for name in threads:
        if name not in names:
            raise FoliotError(f"{path}: a resource of '{name}', which is no thread's name")
    if not isinstance(said.get("held"), str):
        raise FoliotError(f"{path}: a resource has `held`, the function that holds it")
    return Resource(tuple(threads), said["held"])


def assumptions(system: System) -> Iterator[str]:
    """Say what the file's author says, and nothing holds."""
    told = [f"{name} = {value}" for name, value in system.parameters.items()]
    told += [f"{name}() is never run" for name in sorted(system.never)]
    if told:
        yield from textwrap.wrap(f"by {FILE}: {', '.join(told)}", 100, subsequent_indent="  ")
