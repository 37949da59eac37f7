# SPDX-License-Identifier: Apache-2.0
"""Building an application's firmware: Kconfig, then CMake and Ninja, in build/firmware/.

Each pair of board and application, with its configurations, has a directory of its own,
so that going from one to another and back builds nothing twice. One that was made for other
sources or by other tools, or is not whole, is made anew (made_for.py). What runs an image takes
it as it was built for that run: another foliot may build the next one meanwhile.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from foliot.model.errors import FoliotError, UsageError, nearest_path
from foliot.show.terminal import Progress, Task
from foliot.target import cache, configure, editors, made_for, paths, process, provision
from foliot.target.boards import Board

_STOPPED = "ninja: build stopped: "  # of what it says where a command failed
_NINJA_STATUS = "[%f/%t] "
_PROGRESS = re.compile(r"\[(\d+)/(\d+)\] (.*)")
_MOST_WARNINGS = 10
_MOST_KEPT = 4  # images of one build, of which runs may still begin to read the newest
_BESIDE = ("firmware.map", "generated/build_info.h")  # what is said of an image stands there


class _Unusable(FoliotError):
    """Ninja can't begin: not the sources are wrong, but what it was told of them."""


@dataclass(frozen=True, slots=True)
class Firmware:
    """A built image and what it was built from.

    `kept` holds the image as this build made it, and what belongs to it; `elf` is the newest.
    """

    board: Board
    app: Path
    directory: Path
    configuration: configure.Configuration
    kept: Path | None = None

    @property
    def elf(self) -> Path:
        """The image that was built last, perhaps by another foliot since."""
        return self.directory / "firmware.elf"

    @property
    def image(self) -> Path:
        """The image of this very build: what is to be run, and measured."""
        return (self.kept or self.directory) / "firmware.elf"

    @property
    def map(self) -> Path:
        """The linker's map of that image."""
        return self.image.with_name("firmware.map")

    @property
    def build_info(self) -> str:
        """What that image says of itself: generated/build_info.h."""
        return (self.image.parent / "generated" / "build_info.h").read_text(encoding="utf-8")


def application(directory: Path, conf: Sequence[str] = ()) -> Path:
    """Return the absolute path of an application; UsageError where there is none.

    Refuses an unknown configuration too: before minutes are spent on the board's tools.
    """
    path = directory.resolve()
    if path.is_file():
        raise UsageError(f"{directory} is a file, and no application", _instead_of(directory))
    if not path.is_dir():
        raise UsageError(f"{directory} is not a directory{nearest_path(directory)}")
    if not (path / "CMakeLists.txt").is_file():
        raise UsageError(
            f"{directory} is no application: it has no CMakeLists.txt (samples/ holds some to copy)"
        )
    configure.fragments(path, conf)
    return path


def _instead_of(file: Path) -> str:
    """Say what takes a file, or which directory was probably meant."""
    if file.read_bytes()[:4] == b"\x7fELF":
        return f"an image is run by --elf {file}"
    if (file.parent / "CMakeLists.txt").is_file() and file.parent.resolve() != paths.ROOT:
        return f"its directory is one: {file.parent}"
    return "an application is a directory with a CMakeLists.txt (samples/ holds some to copy)"


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
        progress.say(note)
    if "CPP" in firmware.configuration.values:
        provision.install(provision.cpp_packages(board), progress)
    title = f"Building {firmware.app.name} for {board.name}"
    with paths.locked(firmware.directory, _waiting(progress)), progress.task(title) as task:
        warnings = _make(firmware, task, progress)
        kept = _keep(firmware.directory)
    for line in warnings[:_MOST_WARNINGS]:
        progress.say(line)
    if len(warnings) > _MOST_WARNINGS:
        progress.say(f"{len(warnings) - _MOST_WARNINGS} more of them")
    editors.remember(firmware.directory)
    return replace(firmware, kept=kept)


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
        _configure(firmware, Progress(quiet=True))
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


def _waiting(progress: Progress) -> Callable[[], None]:
    return lambda: progress.say("waiting for another foliot that builds the same image")


def _make(firmware: Firmware, task: Task, progress: Progress) -> list[str]:
    """Configure and compile; once more from nothing where Ninja can't use what is there."""
    where = firmware.directory
    _configure(firmware, progress)
    try:
        return _compile(where, task)
    except _Unusable as error:
        progress.say(f"{paths.shown(where)} is not usable ({error.message}): it is made anew")
        made_for.forget(where)
        _configure(firmware, progress)
        return _compile(where, task)


def _keep(where: Path) -> Path:
    """Keep the image with what belongs to it under its own hash; only the newest few stay."""
    name = hashlib.sha256((where / "firmware.elf").read_bytes()).hexdigest()[:16]
    kept = where / paths.KEPT / name
    if not (kept / "firmware.elf").is_file():
        shutil.rmtree(kept, ignore_errors=True)
        begun = kept.with_name(".begun")  # an interrupted foliot's, which nobody has been told of
        shutil.rmtree(begun, ignore_errors=True)
        raw = [path.name for path in where.glob("*.img")]  # what a loader takes: board.cmake
        for file in ("firmware.elf", *_BESIDE, *raw):
            if (where / file).exists():
                (begun / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(where / file, begun / file)
        begun.rename(kept)
    os.utime(kept)
    os.utime(kept / "firmware.elf")  # of these sources, whatever changed in them meanwhile
    for old in paths.newest_first(kept.parent.iterdir())[_MOST_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
    return kept


def _configure(firmware: Firmware, progress: Progress) -> None:
    """Write the configuration; run CMake, once: Ninja runs it again by itself when it has to."""
    app, board, where = firmware.app, firmware.board, firmware.directory
    wanted = made_for.facts(board, app, where)
    objection = made_for.objection(where, wanted)
    if objection:
        if (where / "build.ninja").exists() or (where / "CMakeCache.txt").exists():
            progress.say(f"{paths.shown(where)} {objection}: it is made anew")
        made_for.forget(where)
    configure.write(firmware.configuration, board, where / "generated")
    if not objection:
        return
    command = [
        "cmake", "-G", "Ninja", "-S", str(paths.ROOT), "-B", str(where),
        f"-DFOLIOT_BOARD={board.name}", f"-DFOLIOT_APP={app}",
        f"-DFOLIOT_GENERATED={where / 'generated'}", *cache.words(),
    ]  # fmt: skip
    try:
        process.run(command, "cmake", limit_s=120)
    except process.ToolFailed as failure:
        raise FoliotError(
            f"CMake can't prepare {app.name} for {board.name}", lines=_cmake_error(failure.lines)
        ) from None
    made_for.note(where, wanted)


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
        environment = {"NINJA_STATUS": _NINJA_STATUS, **cache.environment()}
        process.run(command, "ninja", follow, environment=environment)
    except process.ToolFailed as failure:
        told = [line for line in failure.lines if line.startswith("ninja: ")]
        if told and not told[-1].startswith(_STOPPED):
            raise _Unusable(told[-1]) from None
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
