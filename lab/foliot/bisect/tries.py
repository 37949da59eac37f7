# SPDX-License-Identifier: Apache-2.0
"""A commit's figure: built by its own lab, run on this checkout's machine, and kept.

Kept by what it is made of: an image under a hash of its sources, board, tools and configuration,
what it printed under a hash of what is in the target's memory and of the machine. So a commit that
changed the handbook is not built, one that changed a comment is not run, and a bisection that was
interrupted goes on where it was: there is no other state. Several can be measured at a time
(ahead()): they are built by processes of this machine, and run by whoever has room.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from foliot.bisect import commits
from foliot.campaign import hear
from foliot.campaign import run as campaign
from foliot.campaign.here import Here
from foliot.campaign.jobs import Job
from foliot.explain import builds
from foliot.image.content import content
from foliot.image.footprint import footprint
from foliot.log.reader import parse
from foliot.measure import session
from foliot.model.errors import FoliotError, LogError, UsageError
from foliot.model.run import Run
from foliot.show.terminal import Progress
from foliot.target import boards, made_for, paths, process, provision
from foliot.target.boards import Board
from foliot.target.serialport import Port

ELF = "{elf}"  # in the command that resets a board: where the image's file is put
_MOST_KEPT = 60  # images
_BUILT = ("firmware.elf", "firmware.map", "generated/build_info.h")


class Untestable(Exception):
    """A commit that has no such figure, and why: the search goes round it."""


@dataclass(frozen=True, slots=True)
class _Ahead:
    """An image that was built, or was there, and the job that runs it unless somebody has."""

    image: Path
    built: int
    jobs: tuple[Job, ...]


@dataclass(slots=True)
class Tries:
    """What measures the commits of one search, and how much work that was."""

    row: str
    board: Board
    app: Path
    conf: tuple[str, ...]
    progress: Progress
    port: Port | None = None
    built: int = 0
    ran: int = 0
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def exact(self) -> bool:
        """Whether one run is all that there is to know."""
        return self.port is None

    def figures(self, commit: str, count: int) -> list[float]:
        """Return the row in `count` runs of a commit; those that are on record are not run again.

        Raises Untestable where it can't be built or run, or has no such row.
        """
        if commit in self.failed:
            raise Untestable(self.failed[commit])
        try:
            image = self._image(commit)
            if self.row.startswith("footprint."):
                return [self._weight(image)]
            return [self._figure(self._run(image, number)) for number in range(count)]
        except (UsageError, process.ToolFailed):
            raise  # the port, what resets the board: that is no commit's fault
        except FoliotError as error:
            self._fails(commit, error)
            raise Untestable(self.failed[commit]) from None

    def ahead(self, wanted: Sequence[str], where: Here) -> None:
        """Build and run several commits at a time; figures() has what came of it."""
        what = (self.row, self.board.name, self.app, self.conf)
        todo = [(*what, commit) for commit in wanted if commit not in self.failed]
        for done in campaign.run(todo, _prepare, where):
            commit = todo[done.number][-1]
            if done.prepared is None:
                self._fails(commit, done.error or FoliotError("it was not prepared"))
                continue
            if done.error is not None:
                raise done.error  # the machine's it was run on
            self.built += done.prepared.built
            try:
                for result in done.results:
                    self.ran += 1
                    image = done.prepared.image
                    run, log = session.read(result, self.board, image, self._request(image))
                    self._keep(self._saved(image, 0), run, log)
            except (UsageError, process.ToolFailed):
                raise
            except FoliotError as error:
                self._fails(commit, error)

    def prepared(self, commit: str) -> _Ahead:
        """Build a commit's image, in a process of its own."""
        image = self._image(commit)
        known = self.row.startswith("footprint.") or _saved_run(self._saved(image, 0)) is not None
        return _Ahead(image, self.built, () if known else (hear.job(self.board, image),))

    def _fails(self, commit: str, error: FoliotError) -> None:
        last = [line for line in error.lines if line.strip()][-1:]
        why = ": ".join([error.message, *(line.strip() for line in last)])
        self.failed[commit] = why.removeprefix(f"{commits.short(commit)} ")

    def _figure(self, run: Run) -> float:
        value = run.values().get(self.row)
        if value is None:
            failure = next((one.reason for one in run.failures if one.id == self.row), "")
            raise FoliotError(f"has no row {self.row}{failure and f': {failure}'}")
        return value

    def _weight(self, image: Path) -> float:
        weights = footprint(image, image.with_name("firmware.map")).weights()
        if self.row not in weights:
            raise FoliotError(f"has no {self.row}")
        return weights[self.row]

    def _image(self, commit: str) -> Path:
        """Return a commit's image: built now, unless its sources were."""
        tools = made_for.facts(self.board, Path(), Path())["tools"]
        made_of = (commits.sources(commit, self.app), self.board.name, tools,
                   str(self.app.relative_to(paths.ROOT)), *self.conf)  # fmt: skip
        name = hashlib.sha256("\n".join(made_of).encode()).hexdigest()[:24]
        place = paths.BISECT / "images" / name
        with paths.locked(place, lambda: self.progress.say("waiting for another foliot")):
            if not (place / _BUILT[0]).is_file():
                self._build(commit, place)
        place.touch()
        _forget_old(place.parent)
        return place / _BUILT[0]

    def _build(self, commit: str, place: Path) -> None:
        tree = paths.BISECT / "trees" / place.name
        options = ["--conf", ",".join(self.conf)] if self.conf else []
        self.built += 1
        try:
            elf = builds.built(commit, tree, self.board, self.app, options, self.progress)
            begun = place.with_suffix(".begun")
            shutil.rmtree(begun, ignore_errors=True)
            for file in _BUILT:
                (begun / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(elf.parent / file, begun / file)
            shutil.rmtree(place, ignore_errors=True)
            begun.rename(place)
        finally:
            shutil.rmtree(tree, ignore_errors=True)

    def _run(self, image: Path, number: int) -> Run:
        """Return a run of an image: as it was heard, unless nobody has yet."""
        place = self._saved(image, number)
        known = _saved_run(place)
        if known is not None:
            return known
        self.ran += 1
        measured, _ = session.measure_patiently(self._request(image), self.progress)
        self._keep(place, measured.facts, measured.log)
        return measured.facts

    def _keep(self, place: Path, run: Run, log: bytes) -> None:
        if run.header.board != self.board.name:
            raise UsageError(f"{run.header.board} answers there, asked for was {self.board.name}")
        paths.write_if_changed(place, log.decode("utf-8", "replace"))

    def _request(self, image: Path) -> session.Request:
        # With a directory of its own an image has no floor to stand beside, which nobody looks at.
        asked = session.Request(self.board.name, directory=self.app, elf=image, conf=self.conf)
        if self.port is None:
            return asked
        reset = self.port.reset.replace(ELF, str(image))
        return replace(asked, elf=None, port=replace(self.port, reset=reset))

    def _saved(self, image: Path, number: int) -> Path:
        info = (image.parent / _BUILT[2]).read_text(encoding="utf-8")
        commit = next((line.split('"')[1] for line in info.splitlines()
                       if line.startswith("#define FOLIOT_COMMIT")), "")  # fmt: skip
        machine = self.port.name.encode() if self.port else provision.identity(self.board)
        ran = f"{content(image, commit)} {self.board.name}".encode() + machine
        return paths.BISECT / "runs" / f"{hashlib.sha256(ran).hexdigest()[:24]}.{number}.log"


def _prepare(asked: tuple[str, str, Path, tuple[str, ...], str]) -> _Ahead:
    row, board, app, conf, commit = asked
    return Tries(row, boards.load(board), app, conf, Progress(quiet=True)).prepared(commit)


def _saved_run(place: Path) -> Run | None:
    try:
        return parse(place.read_bytes())
    except (OSError, LogError):
        return None


def _forget_old(images: Path) -> None:
    for old in paths.newest_first(path for path in images.iterdir() if path.is_dir())[_MOST_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
