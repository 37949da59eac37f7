# SPDX-License-Identifier: Apache-2.0
"""The style: ruff, mypy and clang-format, and clang-tidy, which takes longer, if asked for."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from foliot.project import analysis
from foliot.show.terminal import Progress
from foliot.target import paths, process

CONFIG = paths.ROOT / "lab" / "pyproject.toml"
FORMATTER = "clang-format-19"

# Where C and C++ are written in the style of .clang-format. Of sim/ the layout only: clang-tidy's
# checks are chosen for a kernel, and what Verilator generates, which sim/ includes, fails most.
C_DIRECTORIES = (
    "cmake", "include", "kernel", "lib", "arch", "drivers", "boards", "suites", "samples", "sim",
    "tests", "lab/foliot/prove",
)  # fmt: skip
C_SUFFIXES = (".c", ".h", ".cpp")
_PYTHON = ("lab", "tests")
_SHOWN_LINES = 40


def check(progress: Progress, analyse: bool, whole: bool) -> list[str]:
    """Check the style; print what each tool objects to, return the names of those that did.

    `analyse`: by clang-tidy too; `whole`: the tests too, and the kernel in further builds.
    """
    failed = []
    configured = ["--config", str(CONFIG), *(str(paths.ROOT / name) for name in _PYTHON)]
    python: dict[str, list[str]] = {
        "ruff check": ["ruff", "check", "-q", "--output-format=concise", *configured],
        "ruff format": ["ruff", "format", "-q", "--diff", *configured],
        "mypy": [
            "mypy", "--config-file", str(CONFIG), "--no-error-summary", str(paths.ROOT / "lab"),
        ],
    }  # fmt: skip
    for name, words in python.items():
        failed += run(name, [sys.executable, "-m", *words], progress)
    if shutil.which(FORMATTER):
        sources = [str(path) for path in c_sources()]
        failed += run(FORMATTER, [FORMATTER, "--dry-run", "-Werror", *sources], progress)
    if analyse and shutil.which(analysis.PROGRAM):
        failed += _said("clang-tidy-19", analysis.check(progress, whole))
    return failed


def run(name: str, command: list[str], progress: Progress) -> list[str]:
    """Run one tool; print what it says where it fails, and return its name then."""
    try:
        with progress.task(f"Checking the style with {name}"):
            process.run(command, name, directory=paths.ROOT, limit_s=300)
    except process.ToolFailed as failure:
        return _said(name, list(failure.lines))
    return []


def _said(name: str, lines: list[str]) -> list[str]:
    if not lines:
        return []
    more = [f"... and {len(lines) - _SHOWN_LINES} more"] if len(lines) > _SHOWN_LINES else []
    print(*lines[:_SHOWN_LINES], *more, f"{name}: not right", sep="\n", file=sys.stderr)
    return [name]


def c_sources() -> list[Path]:
    """Return every source in C or C++ whose layout is checked."""
    return sorted(
        path
        for directory in C_DIRECTORIES
        for path in (paths.ROOT / directory).rglob("*")
        if path.suffix in C_SUFFIXES
    )
