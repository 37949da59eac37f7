# SPDX-License-Identifier: Apache-2.0
"""What the shell offers for a word that is half typed: boards, rows, runs, configurations.

typer asks these functions while a shell completes a line (`foliot completion`). They answer
within the time of a key: nothing is built or measured, and what can't be read offers nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from foliot.model.errors import FoliotError
from foliot.target import boards, paths, suites

Offer = Callable[[str], list[str]]


def of(*names: str) -> Offer:
    """Return what offers these names."""
    return lambda incomplete: _beginning(names, incomplete)


def board(incomplete: str) -> list[str]:
    """Offer the boards."""
    return _beginning(boards.names(), incomplete)


def suite(incomplete: str) -> list[str]:
    """Offer the suites."""
    return _beginning(suites.names(), incomplete)


def configuration(incomplete: str) -> list[str]:
    """Offer the configurations of all applications, behind the last comma."""
    before, comma, last = incomplete.rpartition(",")
    known = {path.name.split(".")[1] for path in paths.FRAGMENTS.glob("prj.?*.conf")}
    return [f"{before}{comma}{name}" for name in _beginning(["default", *sorted(known)], last)]


def row(incomplete: str) -> list[str]:
    """Offer the latency suite's rows."""
    from foliot.reference.rows import catalogue

    return _beginning((row.id for row in catalogue()), incomplete)


def figure(incomplete: str) -> list[str]:
    """Offer what `foliot history` follows: rows, weights, the mean."""
    return row(incomplete) + _beginning(
        ("mean", "footprint.text", "footprint.data", "footprint.bss", "footprint.thread"),
        incomplete,
    )


def run(incomplete: str) -> list[str]:
    """Offer runs of the store by name, their documents, and the references."""
    from foliot.reference import systems
    from foliot.store.sqlite import Store

    try:
        kept = [one.name for one in Store().runs() if one.name]
    except FoliotError:
        kept = []
    documents = [name.partition("/")[0] for name in kept]
    return _beginning(["last", *documents, *kept, *systems.names()], incomplete)


def remote(incomplete: str) -> list[str]:
    """Offer the servers that the store knows."""
    from foliot.remote import remotes
    from foliot.store.sqlite import Store

    try:
        return _beginning((one.name for one in remotes.names(Store())), incomplete)
    except FoliotError:
        return []


def campaign(incomplete: str) -> list[str]:
    """Offer the repository's own campaigns."""
    from foliot.project import campaigns

    return _beginning(campaigns.names(), incomplete)


def form(incomplete: str) -> list[str]:
    """Offer the forms of `foliot export`."""
    from foliot.exporters.registry import forms

    return _beginning(forms(), incomplete)


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]
