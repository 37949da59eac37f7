# SPDX-License-Identifier: Apache-2.0
"""Zephyr's own samples and tests, as far as docs/compatibility.md calls them running.

The list is ours (data/zephyr/samples.toml); the programs are the user's, in a tree that he names.
Each is built and run as it is there, and its console compared with what it has to say.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from foliot.importers.clean import Cleaner
from foliot.model.errors import FoliotError, UsageError
from foliot.show.terminal import Progress
from foliot.target import boards, build, paths, provision, runner

_FILE = "data/zephyr/samples.toml"
_FOR_S = 20.0
_ZTEST = ("PROJECT EXECUTION SUCCESSFUL",)
_ZTEST_FAILED = ("PROJECT EXECUTION FAILED", " FAIL - ")

RUNS, ABSENT, REFUSED, WRONG = "runs", "not in this tree", "does not build", "says something else"


@dataclass(frozen=True, slots=True)
class Program:
    """A sample or a test: where it is in Zephyr's tree, and what its console has, in order."""

    path: str
    says: tuple[str, ...]
    for_s: float

    @property
    def is_ztest(self) -> bool:
        """Whether it says itself if all is well."""
        return self.says == _ZTEST


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a program: one of the states above, and more where it did not run."""

    program: Program
    state: str
    detail: str = ""


def programs() -> list[Program]:
    """Return the list, in its order."""
    text = (paths.ROOT / _FILE).read_text(encoding="utf-8")
    return [
        Program(one["path"], tuple(one.get("says", _ZTEST)), float(one.get("for_s", _FOR_S)))
        for one in tomllib.loads(text)["program"]
    ]


def find(tree: Path, path: str) -> Path | None:
    """Return where a program is in a tree: Zephyr's, or its samples or tests alone."""
    parts = Path(path).parts
    for place in (tree / path, tree.joinpath(*parts[1:])):
        if (place / "CMakeLists.txt").is_file():
            return place
    return None


def go_through(
    tree: Path, board: boards.Board, only: Sequence[str], progress: Progress
) -> list[Result]:
    """Build and run each program of the list that the tree has; UsageError: it has none."""
    if not tree.is_dir():
        raise UsageError(f"{tree} is no directory", "name a tree of Zephyr's, or of its samples")
    chosen = [one for one in programs() if not only or any(part in one.path for part in only)]
    if not chosen:
        raise UsageError(f"no program of the list is called {' or '.join(only)}: {_FILE}")
    places = {one.path: find(tree, one.path) for one in chosen}
    if not any(places.values()):
        raise UsageError(
            f"{tree} has none of the programs", f"the first is {chosen[0].path}; {_FILE} has all"
        )
    provision.prepare(board, progress)
    return [_result(one, places[one.path], board, progress) for one in chosen]


def _result(
    program: Program, place: Path | None, board: boards.Board, progress: Progress
) -> Result:
    if place is None:
        return Result(program, ABSENT)
    try:
        # What its prj.conf has that is ignored is said by `foliot build`.
        with progress.task(f"Building {program.path}"):
            image = build.build(build.application(place), board, Progress(quiet=True)).elf
    except FoliotError as error:
        return Result(program, REFUSED, _first(error))
    with progress.task(f"Running {program.path}"):
        return _compared(program, image, board)


def _first(error: FoliotError) -> str:
    """Return the line of an error that says most: the compiler's first one, or its own."""
    told = next((line for line in error.lines if " error: " in line), error.message)
    return told.split(" error: ")[-1].strip()


class _Console:
    """Waits for the lines that a program has to say."""

    def __init__(self, program: Program, board: str) -> None:
        self.wanted = [text.replace("{board}", board) for text in program.says]
        self.wrong = ""
        self._is_ztest = program.is_ztest
        self._cleaner = Cleaner()

    def line(self, line: bytes) -> bool:
        """Take a line; True where all has been said, or what must not be."""
        text = self._cleaner.clean(line).decode("utf-8", "replace")
        # One line may hold more than one of them.
        while self.wanted and self.wanted[0] in text:
            del self.wanted[0]
        if self._is_ztest and text.startswith(_ZTEST_FAILED):
            self.wrong = self.wrong or text.strip()
        return not self.wanted or text.startswith(_ZTEST_FAILED[0])


def _compared(program: Program, image: Path, board: boards.Board) -> Result:
    console = _Console(program, board.name)
    limit_s = min(program.for_s, float(board.run.get("limit_s", program.for_s)))
    outcome = runner.run(board, image, console.line, limit_s=limit_s)
    if console.wrong:
        return Result(program, WRONG, console.wrong)
    if console.wanted:
        last = next((line for line in reversed(outcome.last_lines) if line.strip()), "nothing")
        return Result(program, WRONG, f'no "{console.wanted[0]}"; its last line: {last}')
    return Result(program, RUNS)
