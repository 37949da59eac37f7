# SPDX-License-Identifier: Apache-2.0
"""A commit's figure: built by its own lab, run on this checkout's machine, and kept.

Kept by what it is made of: an image under a hash of its sources, board, tools and configuration,
what it printed under a hash of what is in the target's memory and of the machine. So a commit that
changed the handbook is not built, one that changed a comment is not run, and a bisection that was
interrupted goes on where it was: there is no other state.
"""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

from foliot.bisect import commits
from foliot.explain import builds
from foliot.image.content import content
from foliot.image.footprint import footprint
from foliot.log.reader import parse
from foliot.measure import session
from foliot.model.errors import FoliotError, LogError, UsageError
from foliot.model.run import Run
from foliot.show.terminal import Progress
from foliot.target import made_for, paths, process, provision
from foliot.target.boards import Board
from foliot.target.serialport import Port

ELF = "{elf}"  # in the command that resets a board: where the image's file is put
_MOST_KEPT = 60  # images
_BUILT = ("firmware.elf", "firmware.map", "generated/build_info.h")


class Untestable(Exception):
    """A commit that has no such figure, and why: the search goes round it."""


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
            last = [line for line in error.lines if line.strip()][-1:]
            why = ": ".join([error.message, *(line.strip() for line in last)])
            self.failed[commit] = why.removeprefix(f"{commits.short(commit)} ")
            raise Untestable(self.failed[commit]) from None

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
        kept = self._place(image).with_suffix(f".{number}.log")
        try:
            return parse(kept.read_bytes())
        except (OSError, LogError):
            self.ran += 1
            measured, _ = session.measure_patiently(self._request(image), self.progress)
        if measured.facts.header.board != self.board.name:
            raise UsageError(
                f"{measured.facts.header.board} answers there, asked for was {self.board.name}"
            )
        paths.write_if_changed(kept, measured.log.decode("utf-8", "replace"))
        return measured.facts

    def _request(self, image: Path) -> session.Request:
        # With a directory of its own an image has no floor to stand beside, which nobody looks at.
        asked = session.Request(self.board.name, directory=self.app, elf=image, conf=self.conf)
        if self.port is None:
            return asked
        reset = self.port.reset.replace(ELF, str(image))
        return replace(asked, elf=None, port=replace(self.port, reset=reset))

    def _place(self, image: Path) -> Path:
        info = (image.parent / _BUILT[2]).read_text(encoding="utf-8")
        commit = next((line.split('"')[1] for line in info.splitlines()
                       if line.startswith("#define FOLIOT_COMMIT")), "")  # fmt: skip
        machine = self.port.name.encode() if self.port else provision.identity(self.board)
        ran = f"{content(image, commit)} {self.board.name}".encode() + machine
        return paths.BISECT / "runs" / hashlib.sha256(ran).hexdigest()[:24]


def _forget_old(images: Path) -> None:
    kept = sorted(
        (path for path in images.iterdir() if path.is_dir()), key=lambda path: -path.stat().st_mtime
    )
    for old in kept[_MOST_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
