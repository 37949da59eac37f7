# SPDX-License-Identifier: Apache-2.0
"""The repository's own campaigns: many small trials of the kernel, run wide.

A campaign is a file `tests/**/campaign.py`, called as its directory is, or `campaign_NAME.py`, and
found by being there. It has

    TITLE                  in a line, what is tried
    SAMPLE                 of so many trials one is tried, unless all are asked for
    items()                the trials; what all of them need is built
    named(item)            what people call one
    prepare(item)          in a process of its own: builds; the Trial's jobs are run anywhere
    judged(item, trial, results)   a Verdict; or Again, the trial that follows from it

What it comes to is the same wherever and in whatever order the trials are run.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from foliot.campaign import run as campaign
from foliot.campaign import saved
from foliot.campaign.here import Here
from foliot.campaign.jobs import Job, Result
from foliot.model.errors import FoliotError, unknown
from foliot.show.terminal import Progress
from foliot.target import paths, provision

TESTS = paths.ROOT / "tests"
_FILES = ("campaign.py", "campaign_*.py")


@dataclass(frozen=True, slots=True)
class Trial:
    """What has been prepared: jobs, and what judges them needs to know."""

    jobs: tuple[Job, ...]
    facts: Any = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a trial, by the name that people know it by; `good`: as it should be."""

    name: str
    good: bool
    said: str
    counts: dict[str, int] = field(default_factory=dict)  # of all trials they add up


@dataclass(frozen=True, slots=True)
class Again:
    """Nothing is known yet: this trial follows."""

    item: Any


class Scratch:
    """A directory for trees that are changed, which is gone afterwards."""

    place = Path()

    def __enter__(self) -> None:
        """Make it: processes that are started behind that know where it is."""
        trees = paths.BUILD / "campaign-trees"
        trees.mkdir(parents=True, exist_ok=True)
        Scratch.place = Path(tempfile.mkdtemp(dir=trees))

    def __exit__(self, *_: object) -> None:
        """Let it go."""
        shutil.rmtree(Scratch.place, ignore_errors=True)


@dataclass(slots=True)
class Found:
    """A campaign's result."""

    name: str
    verdicts: list[Verdict]

    @property
    def bad(self) -> list[Verdict]:
        """Return those that are not as they should be."""
        return [one for one in self.verdicts if not one.good]

    def counts(self) -> dict[str, int]:
        """Return what was counted, over all trials."""
        names = dict.fromkeys(name for one in self.verdicts for name in one.counts)
        return {name: sum(one.counts.get(name, 0) for one in self.verdicts) for name in names}

    def as_dict(self) -> dict[str, object]:
        """Return it for programs: nothing in it depends on who ran what."""
        return {
            "schema": 1, "campaign": self.name, "bad": len(self.bad), "counts": self.counts(),
            "trials": [asdict(one) for one in self.verdicts],
        }  # fmt: skip


def names() -> dict[str, Path]:
    """Return the campaigns by name, in its order."""
    files = [path for form in _FILES for path in TESTS.rglob(form)]
    named = {path.stem.partition("_")[2] or path.parent.name: path for path in files}
    return dict(sorted(named.items()))


def _path(name: str) -> Path:
    known = names()
    if name not in known:
        raise unknown("campaign", name, list(known), "foliot campaign")
    return known[name]


def prepare(name: str, progress: Progress) -> None:
    """Install what the tests need: a campaign is made of them."""
    _path(name)
    provision.python_packages(provision.TEST_REQUIREMENTS, progress)


def load(name: str) -> ModuleType:
    """Import a campaign, and make what stands beside it importable, as it is for the tests."""
    path = _path(name)
    for place in (str(TESTS), str(path.parent)):
        if place not in sys.path:
            sys.path.append(place)
    spec = importlib.util.spec_from_file_location(f"foliot_campaign_{name}", path)
    if spec is None or spec.loader is None:
        raise FoliotError(f"{paths.shown(path)} can't be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # processes find what they are asked for by its name
    spec.loader.exec_module(module)
    return module


def run(name: str, every: int | None, where: Here, progress: Progress) -> Found:
    """Run one of each `every` of its trials (without: as many as it says itself)."""
    module = load(name)
    items: Sequence[Any] = module.items()[:: every or module.SAMPLE]
    found: dict[int, Verdict] = {}
    todo = list(enumerate(items))
    over: list[Job] = []
    with Scratch(), where, progress.task(f"{name}: {len(items)} trials, {where.told()}") as task:
        while todo:
            again = []
            for done in campaign.run([item for _, item in todo], module.prepare, where, over):
                number, item = todo[done.number]
                what = _judged(module, item, done)
                if isinstance(what, Again):
                    again.append((number, what.item))
                    continue
                found[number] = what
                task.update(what.name, len(found), len(items))
                if not what.good:
                    progress.say(f"  {what.name}: {what.said}")
            todo = sorted(again, key=lambda one: one[0])
    saved.forget(over)
    return Found(name, [found[number] for number in sorted(found)])


def _judged(module: ModuleType, item: Any, done: campaign.Done[Trial]) -> Verdict | Again:
    results: Sequence[Result] = done.results
    if done.prepared is None or done.error is not None:
        error = done.error or FoliotError("it was not prepared")
        return Verdict(module.named(item), False, " ".join([str(error), *error.lines[-1:]]))
    try:
        judged: Verdict | Again = module.judged(item, done.prepared, results)
    except FoliotError as error:
        return Verdict(module.named(item), False, " ".join([str(error), *error.lines[-1:]]))
    return judged
