# SPDX-License-Identifier: Apache-2.0
"""Style checks, then every test in tests/ by pytest, on as many cores as there are.

What a test needs is installed first, so that nothing is skipped because something was
missing. The style checks run in a whole run only, not with -k.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from foliot.model.errors import FoliotError
from foliot.show.terminal import Progress
from foliot.target import boards, paths, process, provision
from foliot.target import build as building

CONFIG = paths.ROOT / "lab" / "pyproject.toml"
FORMATTER = "clang-format-19"
ANALYSER = "run-clang-tidy-19"
MOST_WORKERS = 8
LIMIT_S = 3600

# Where C is written in the style of .clang-format; sim/ is C++ and has its own.
_C_DIRECTORIES = (
    "include", "kernel", "lib", "arch", "drivers", "boards", "suites", "samples", "tests",
)  # fmt: skip
_PYTHON = ("lab", "tests")


def test(long: bool, expression: str | None, quiet: bool) -> int:
    """Run the tests; return the exit status (0, or 1 where anything failed)."""
    progress = Progress(quiet)
    _prepare(progress)
    failed = [] if expression else _style(progress)
    environment = {**os.environ, "FOLIOT_SIM": str(paths.BUILD / "sim" / "ibex" / "sim")}
    command = [
        sys.executable, "-m", "pytest", "-c", str(CONFIG), f"--rootdir={paths.ROOT}",
        "-n", str(min(os.cpu_count() or 1, MOST_WORKERS)), *(["-q"] if quiet else []),
        *(["-k", expression] if expression else []), *([] if long else ["-m", "not long"]),
        str(paths.ROOT / "tests"),
    ]  # fmt: skip
    sys.stdout.flush()
    with subprocess.Popen(command, cwd=paths.ROOT, env=environment) as child:
        try:
            status = child.wait(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            process.end(child)
            raise FoliotError(f"the tests took longer than {LIMIT_S} s") from None
    if failed:
        raise FoliotError(f"the tests are done; the style is not right: {', '.join(failed)}")
    return 0 if status == 0 else 1


def _prepare(progress: Progress) -> None:
    provision.python_packages(paths.ROOT / "lab" / "requirements-test.txt", progress)
    for name in boards.names():
        provision.prepare(boards.load(name), progress)
    for packages in (
        provision.STYLE_PACKAGES,
        provision.BROWSER_PACKAGES,
        provision.API_PACKAGES,
    ):
        try:
            provision.install(packages, progress)
        except FoliotError as error:
            progress.say(f"{error.message}: what needs it is not tested")


def _style(progress: Progress) -> list[str]:
    """Check the style; print what each tool objects to, return the names of those that did."""
    failed = []
    checks: dict[str, Callable[[], list[str]]] = {
        "ruff check": lambda: ["ruff", "check", "-q", "--output-format=concise", *_configured()],
        "ruff format": lambda: ["ruff", "format", "-q", "--diff", *_configured()],
        "mypy": lambda: [
            "mypy", "--config-file", str(CONFIG), "--no-error-summary", str(paths.ROOT / "lab"),
        ],
    }  # fmt: skip
    for name, words in checks.items():
        failed += _check(name, [sys.executable, "-m", *words()], progress)
    sources = _c_sources()
    if shutil.which(FORMATTER) and sources:
        failed += _check(FORMATTER, [FORMATTER, "--dry-run", "-Werror", *sources], progress)
    if shutil.which(ANALYSER):
        failed += _analyse(progress)
    return failed


def _analyse(progress: Progress) -> list[str]:
    """Look for mistakes in the portable kernel, compiled for this host."""
    sample = paths.ROOT / "samples" / "hello"
    build = building.build(sample, boards.load("host"), progress).directory
    jobs = f"-j{os.cpu_count() or 1}"
    command = [ANALYSER, "-quiet", jobs, "-p", str(build), f"{paths.ROOT}/(kernel|lib)/"]
    return _check("clang-tidy-19", command, progress, only=" error: ")


def _configured() -> list[str]:
    return ["--config", str(CONFIG), *(str(paths.ROOT / name) for name in _PYTHON)]


def _check(name: str, command: list[str], progress: Progress, only: str = "") -> list[str]:
    """Run one tool; print those lines of a failure that hold `only`."""
    try:
        with progress.task(f"Checking the style with {name}"):
            process.run(command, name, directory=paths.ROOT, limit_s=300)
    except process.ToolFailed as failure:
        said = [line for line in failure.lines if only in line]
        print(*said[:40], f"{name}: not right", sep="\n", file=sys.stderr)
        return [name]
    return []


def _c_sources() -> list[str]:
    found: list[Path] = []
    for directory in _C_DIRECTORIES:
        for suffix in ("*.c", "*.h"):
            found += (paths.ROOT / directory).rglob(suffix)
    return sorted(str(path) for path in found)
