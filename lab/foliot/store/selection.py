# SPDX-License-Identifier: Apache-2.0
"""From what the user types to runs: the words that name one, or several.

last, last~2            the newest run of the store, the one before the one before it
3fa2c1                  an id, or as much of its beginning as is unique
pico, article           a name given by --name; a document's name stands for all its runs
article/rpi_pico        one run of a document
zephyr-3.3@mps2_an385   a reference
'zephyr-*@ibex'         each name and each reference that matches
baseline.json           a file that `foliot bench --json` or `foliot gate --update` wrote
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from operator import attrgetter
from pathlib import Path

from foliot.judge.doubts import examine_saved
from foliot.model.errors import FoliotError, UsageError, nearest, nearest_path
from foliot.model.run import Run
from foliot.reference import systems
from foliot.store.sqlite import Kept, Store

_LAST = re.compile(r"last(?:~(\d{1,9}))?")
_PREFIX = re.compile(r"[0-9a-f]{2,12}")
_MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Chosen:
    """A run that the user named, with its doubts; `kept` where it is one of the store."""

    name: str
    run: Run
    kept: Kept | None = None

    @property
    def title(self) -> str:
        """The name without the document that the run came with."""
        return self.name.rpartition("/")[2]


def select(words: Iterable[str], store: Store) -> list[Chosen]:
    """Return the runs that the words name, in their order; UsageError where one names none."""
    chosen = [run for word in words for run in _named(word, store)]
    unique = {(one.kept.id if one.kept else one.name): one for one in chosen}
    return list(unique.values())


def select_one(word: str, store: Store) -> Chosen:
    """Return the one run that a word names; UsageError where it is none, or several."""
    chosen = _named(word, store)
    if len(chosen) > 1:
        names = [one.name or (one.kept.id if one.kept else "") for one in chosen]
        raise UsageError(f"'{word}' names {len(chosen)} runs: {_shortened(names)}")
    return chosen[0]


def reference(name: str) -> Chosen:
    """Return another system's figures, with their doubts, by the name of the reference."""
    return Chosen(name, examine_saved(systems.load(name)))


def _named(word: str, store: Store) -> list[Chosen]:
    last = _LAST.fullmatch(word)
    if last:
        return [_recent(word, int(last[1] or 0), store)]
    if any(mark in word for mark in "*?["):
        return _matching(word, store)
    if word in systems.names():
        return [reference(word)]
    kept = store.named(word) if word else ()
    if not kept and _PREFIX.fullmatch(word):
        kept = _by_prefix(word, store)
    if kept:
        return _chosen_all(kept, store)
    if word.endswith(".json") and Path(word).is_file():
        return [_from_file(Path(word))]
    raise unknown_run(word, store)


def _recent(word: str, back: int, store: Store) -> Chosen:
    kept = store.recent(back)
    if kept is None:
        count = len(store.runs())
        raise UsageError(
            f"there is no run '{word}': the store {store.directory} holds {count}",
            "`foliot bench` and `foliot import` record them",
        )
    return _chosen(kept, store)


def _by_prefix(word: str, store: Store) -> Sequence[Kept]:
    found = store.by_id(word)
    if len(found) > 1:
        raise UsageError(f"'{word}' begins the ids of {len(found)} runs: "
                         f"{_shortened([kept.id for kept in found])}")  # fmt: skip
    return found


def _matching(pattern: str, store: Store) -> list[Chosen]:
    """Return what matches a pattern: of the store's runs the newest of each name."""
    newest = {kept.name: kept for kept in store.runs() if fnmatchcase(kept.name, pattern)}
    names = [name for name in systems.names() if fnmatchcase(name, pattern)]
    if not newest and not names:
        raise UsageError(f"no name and no reference matches '{pattern}'", "see `foliot runs`")
    return _chosen_all(newest.values(), store) + [reference(name) for name in names]


def _chosen(kept: Kept, store: Store) -> Chosen:
    return _chosen_all([kept], store)[0]


def _chosen_all(kept: Collection[Kept], store: Store) -> list[Chosen]:
    runs = store.load_all(kept)
    return [
        Chosen(one.name or f"{one.board}-{one.id[:6]}", run, one)
        for one, run in zip(kept, runs, strict=True)
    ]


def _from_file(path: Path) -> Chosen:
    from foliot.importers.document import read_file

    runs = read_file(path).runs
    if len(runs) != 1:
        raise FoliotError(f"{path} holds {len(runs)} runs, not one")
    return Chosen(path.stem, runs[0])


def unknown_run(word: str, store: Store) -> UsageError:
    """Say that a word names no run, with the nearest name."""
    names = dict.fromkeys(kept.name for kept in store.runs() if kept.name)
    documents = dict.fromkeys(name.partition("/")[0] for name in names)
    near = nearest(word, ["last", *documents, *names, *systems.names()])
    if not near and ("/" in word or word.endswith(".json")):
        near = nearest_path(Path(word))
    return UsageError(f"there is no run '{word}'{near}", "`foliot runs` lists what there is")


def _shortened(names: Sequence[str]) -> str:
    rest = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + rest


def titles(chosen: Sequence[Chosen]) -> list[str]:
    """Return short names that tell the runs apart.

    Of a document's runs what follows its name, of references of one system their boards,
    of references of one board their systems.
    """
    names = [one.name for one in chosen]
    found = [one.title for one in chosen]
    if all("@" in name for name in names):
        systems, boards = zip(*(name.split("@", 1) for name in names), strict=True)
        found = list(boards if len(set(systems)) == 1 else systems)
        found = found if len(set(systems)) == 1 or len(set(boards)) == 1 else names
    elif any(name == title for name, title in zip(names, found, strict=True)):
        found = names
    for short in (found, names):
        if len(set(short)) == len(short):
            return short
    return [f"{one.title}-{one.kept.id[:6]}" if one.kept else one.name for one in chosen]


def history(store: Store, newest: Kept | None = None) -> list[Chosen]:
    """Return the runs that are of a run's kind (the newest one's), the oldest first.

    What was pulled from a server came into the store later than it was recorded.
    """
    newest = newest or store.recent()
    kind = attrgetter("kernel", "board", "suite", "unit", "configuration")
    alike = [kept for kept in store.runs() if newest and kind(kept) == kind(newest)]
    alike.sort(key=attrgetter("recorded"))
    runs = store.load_all(alike)
    return [
        Chosen(kept.name or kept.id[:8], run, kept) for kept, run in zip(alike, runs, strict=True)
    ]
