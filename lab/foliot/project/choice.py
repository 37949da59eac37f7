# SPDX-License-Identifier: Apache-2.0
"""Which tests were asked for, and what those need: pytest is asked before anything is set up.

Tests say what they need by markers (tests/README.md); to collect them takes pytest a few
seconds and nothing else, so a single test of the lab waits for no simulator.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from foliot.model.errors import FoliotError, UsageError, nearest_path
from foliot.target import boards, paths

CONFIG = paths.ROOT / "lab" / "pyproject.toml"
_LIMIT_S = 600  # five seconds of work; CI machines and build servers share their cores
_NOTHING, _WRONG_USE = 5, 4  # pytest's exit statuses


@dataclass(frozen=True, slots=True)
class Request:
    """The command line of `foliot test`."""

    places: tuple[str, ...] = ()
    expression: str | None = None
    boards: tuple[str, ...] = ()
    long: bool = False
    quick: bool = False
    stop: bool = False
    quiet: bool = False

    @property
    def whole(self) -> bool:
        """Whether all tests were asked for, the campaigns apart."""
        return not (self.places or self.expression or self.boards or self.quick)


@dataclass(frozen=True, slots=True)
class Chosen:
    """How many tests were chosen, on which boards they run, and which tools they need."""

    tests: int
    boards: tuple[str, ...]
    tools: tuple[str, ...]


def pytest_words(request: Request) -> list[str]:
    """Return the command that runs those tests; UsageError where a path or a board is wrong."""
    for name in request.boards:
        boards.load(name)
    if request.quick and request.long:
        raise UsageError("--quick and --long can't be given together")
    words = [sys.executable, "-m", "pytest", "-c", str(CONFIG), f"--rootdir={paths.ROOT}"]
    words += ["-k", request.expression] if request.expression else []
    words += [] if request.long else ["-m", "not long"]
    words += ["--quick"] if request.quick else []
    words += [f"--board={name}" for name in request.boards]
    return words + ([_place(place) for place in request.places] or [str(paths.ROOT / "tests")])


def _place(place: str) -> str:
    """Return a PATH or PATH::TEST as pytest takes it."""
    name, *test = place.split("::", 1)
    tests = paths.ROOT / "tests"
    found = next((p for p in (Path(name), paths.ROOT / name) if name and p.exists()), None)
    if found is None:
        near = nearest_path(paths.ROOT / name).replace(f"{paths.ROOT}/", "")
        raise UsageError(
            f"there is no {name or 'path of no name'}{near}", "the tests are in tests/"
        )
    path = found.resolve()
    if not path.is_relative_to(tests):
        raise UsageError(f"{name} is not in tests/")
    if path.is_file() and not (path.suffix == ".py" and path.name.startswith("test_")):
        raise UsageError(f"{name} is no test_*.py: name that, or {paths.shown(path.parent)}")
    return "::".join([str(path), *test])


def choose(request: Request, words: list[str]) -> Chosen:
    """Collect the tests; UsageError where there are none, FoliotError where one is broken."""
    with tempfile.TemporaryDirectory() as directory:
        needs = Path(directory) / "needs.json"
        command = [*words, "--collect-only", "-q", f"--needs-file={needs}"]
        try:
            done = subprocess.run(
                command, cwd=paths.ROOT, capture_output=True, text=True, check=False,
                timeout=_LIMIT_S, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise FoliotError(f"collecting the tests took longer than {_LIMIT_S} s") from None
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        if done.returncode == _NOTHING:
            raise UsageError(f"no test matches {_asked(request)}", _advice(request))
        if done.returncode == _WRONG_USE:
            errors = [line.removeprefix("ERROR: ") for line in said if line.startswith("ERROR: ")]
            raise UsageError(errors[0] if errors else said[-1])
        if done.returncode != 0 or not needs.is_file():
            raise FoliotError("the tests can't be collected", lines=said[-30:])
        found = json.loads(needs.read_text(encoding="utf-8"))
    return Chosen(found["tests"], tuple(found["boards"]), tuple(found["tools"]))


def _asked(request: Request) -> str:
    """Say what was asked for, as it was written."""
    words = [*request.places, *(f"--board {name}" for name in request.boards)]
    words += [f"-k '{request.expression}'"] if request.expression else []
    return " ".join([*words, *(["--quick"] if request.quick else [])])


def _advice(request: Request) -> str:
    if not request.long and not request.quick:
        return "campaigns are among the tests with --long only"
    return "./foliot test PATH --quick leaves out tests of other boards than host" * request.quick
