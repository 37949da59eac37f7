# SPDX-License-Identifier: Apache-2.0
"""Building an application's firmware: Kconfig, then CMake and Ninja, in build/firmware/.

Each pair of board and application, with its configurations, has a directory of its own,
so that going from one to another and back builds nothing twice.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from foliot.model.errors import FoliotError, UsageError, nearest_path
from foliot.show.terminal import Progress, Task
from foliot.target import configure, editors, paths, process, provision
from foliot.target.boards import Board

_NINJA_STATUS = "[%f/%t] "
_PROGRESS = re.compile(r"\[(\d+)/(\d+)\] (.*)")
_MOST_WARNINGS = 10


@dataclass(frozen=True, slots=True)
class Firmware:
    """A built image and what it was built from."""

    board: Board
    app: Path
    directory: Path
    configuration: configure.Configuration

    @property
    def elf(self) -> Path:
        """The image."""
        return self.directory / "firmware.elf"

    @property
    def map(self) -> Path:
        """The linker's map."""
        return self.directory / "firmware.map"


def application(directory: Path, conf: Sequence[str] = ()) -> Path:
    """Return the absolute path of an application; UsageError where there is none.

    Refuses an unknown configuration too: before minutes are spent on the board's tools.
    """
    path = directory.resolve()
    if not path.is_dir():
        raise UsageError(f"{directory} is not a directory{nearest_path(directory)}")
    if not (path / "CMakeLists.txt").is_file():
        raise UsageError(
            f"{directory} is no application: it has no CMakeLists.txt (samples/ holds some to copy)"
        )
    configure.fragments(path, conf)
    return path


def build(
    directory: Path,
    board: Board,
    progress: Progress,
    conf: Sequence[str] = (),
    samples: int | None = None,
) -> Firmware:
    """Build the application in `directory` for a board; return the firmware.

    Raises UsageError for a wrong application, configuration or option, and FoliotError
    with the compiler's own words where the sources don't compile. Says what the compiler
    warns of: that is an error in this repository, and none in an application elsewhere.
    """
    firmware = configured(directory, board, conf, samples)
    for note in firmware.configuration.notes:
        progress.say(f"ignored: {note}")
    if "CPP" in firmware.configuration.values:
        provision.install(provision.cpp_packages(board), progress)
    title = f"Building {firmware.app.name} for {board.name}"
    with paths.locked(firmware.directory), progress.task(title) as task:
        _configure(firmware)
        warnings = _compile(firmware.directory, task)
    for line in warnings[:_MOST_WARNINGS]:
        progress.say(line)
    if len(warnings) > _MOST_WARNINGS:
        progress.say(f"{len(warnings) - _MOST_WARNINGS} more of them")
    editors.remember(firmware.directory)
    return firmware


def configured(
    directory: Path, board: Board, conf: Sequence[str] = (), samples: int | None = None
) -> Firmware:
    """Resolve what would be built, and where; build nothing, write nothing. Raises as build()."""
    app = application(directory)
    extra = {} if samples is None else {"MEASURE_SAMPLES": str(samples)}
    configuration = configure.resolve(app, board, conf, extra)
    where = paths.BUILD / "firmware" / board.name / _name(app, configuration.name, samples)
    return Firmware(board, app, where, configuration)


def prepare(firmware: Firmware) -> None:
    """Make compile_commands.json and the generated headers, for tools that read sources."""
    with paths.locked(firmware.directory):
        _configure(firmware)
        command = ["ninja", "-C", str(firmware.directory), "build_info"]
        process.run(command, "ninja", limit_s=120)


def _name(app: Path, configuration: Sequence[str], samples: int | None) -> str:
    """Name the build directory: readable, and different for different applications."""
    if app.is_relative_to(paths.ROOT):
        parts = app.relative_to(paths.ROOT).parts
        name = "-".join(parts[1:] if parts[0] in ("suites", "samples") else parts)
    else:
        name = f"{app.name}-{hashlib.sha256(str(app).encode()).hexdigest()[:8]}"
    name += "".join(f"-{part}" for part in configuration if part != "default")
    return name if samples is None else f"{name}-n{samples}"


def _configure(firmware: Firmware) -> None:
    """Write the configuration; run CMake, once: Ninja runs it again by itself when it has to."""
    app, board, where = firmware.app, firmware.board, firmware.directory
    configure.write(firmware.configuration, board, where / "generated")
    if (where / "build.ninja").is_file():
        return
    command = [
        "cmake", "-G", "Ninja", "-S", str(paths.ROOT), "-B", str(where),
        f"-DFOLIOT_BOARD={board.name}", f"-DFOLIOT_APP={app}",
        f"-DFOLIOT_GENERATED={where / 'generated'}",
    ]  # fmt: skip
    try:
        process.run(command, "cmake", limit_s=120)
    except process.ToolFailed as failure:
        (where / "build.ninja").unlink(missing_ok=True)
        raise FoliotError(
            f"CMake can't prepare {app.name} for {board.name}", lines=_cmake_error(failure.lines)
        ) from None


def _compile(where: Path, task: Task) -> list[str]:
    """Make the image; return the compiler's warnings, a line each."""
    warnings: list[str] = []

    def follow(line: str) -> None:
        if ": warning: " in line:
            warnings.append(line)
        match = _PROGRESS.match(line)
        if match:
            what = match[3].rsplit("/", 1)[-1]
            task.update(what.removesuffix(".obj"), int(match[1]), int(match[2]))

    command = ["ninja", "-C", str(where), f"-j{os.cpu_count() or 1}"]
    try:
        process.run(command, "ninja", follow, environment={"NINJA_STATUS": _NINJA_STATUS})
    except process.ToolFailed as failure:
        raise FoliotError(
            "the firmware does not compile", lines=_compiler_error(failure.lines)
        ) from None
    if not (where / "firmware.elf").is_file():
        raise FoliotError(f"ninja made no firmware.elf in {paths.shown(where)}")
    return warnings


def _cmake_error(lines: Sequence[str]) -> list[str]:
    """Return CMake's error without what it says before and after."""
    start = next((i for i, line in enumerate(lines) if "CMake Error" in line), 0)
    return [line for line in lines[start:] if line.strip()][:12]


def _compiler_error(lines: Sequence[str]) -> list[str]:
    """Return what the compiler said of the first file that failed."""
    if any("CMake Error" in line for line in lines):
        return _cmake_error(lines)
    start = next((i for i, line in enumerate(lines) if line.startswith("FAILED:")), 0)
    said = []
    for line in lines[start + 2 :]:
        if line.startswith(("ninja:", "FAILED:")) or _PROGRESS.match(line):
            break
        said.append(line)
    return said[:30]
