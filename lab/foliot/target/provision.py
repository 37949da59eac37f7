# SPDX-License-Identifier: Apache-2.0
"""What a board needs on this machine: Debian packages, the core's RTL, the simulator.

Every command that builds or runs comes through here first, and where all is there it
costs a few milliseconds. What is to be installed is said before it is; where it may not
be installed (neither root nor sudo) the command that would do it is the error's advice.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from foliot.model.errors import FoliotError
from foliot.show.terminal import Progress, Task
from foliot.target import paths, process
from foliot.target.boards import Board

# What `foliot debug` needs beside its board.
DEBUG_PACKAGES = {"gdb-multiarch": "gdb-multiarch"}
# What `foliot test` needs beside the boards, to check the style of the C sources.
STYLE_PACKAGES = {"clang-format-19": "clang-format-19", "clang-tidy-19": "clang-tidy-19"}
# ... and to look at the report as its readers do.
BROWSER_PACKAGES = {"chromium": "chromium"}
# ... and what fuzzes the boundary of user threads. A library has no command: its file is named.
FUZZER_PACKAGES = {
    "clang-19": "clang-19",
    "g++": "g++",
    "libclang-rt-19-dev":
        "/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer_no_main-x86_64.a",
}  # fmt: skip
# ... and what makes the API reference.
API_PACKAGES = {"doxygen": "doxygen"}

_APT = ("apt-get", "-y", "--no-install-recommends", "-o", "APT::Status-Fd=1", "install")
_APT_STATUS = re.compile(r"(?:dl|pm)status:([^:]*):([\d.]+):(.*)")
_OFFLINE = re.compile(
    r"Temporary failure resolving|Could not resolve|Network is unreachable|Connection failed|"
    r"Could not connect"
)


def prepare(board: Board, progress: Progress, to_run: bool = True) -> None:
    """Make sure that firmware for `board` can be built here, and where asked for, run.

    Raises FoliotError where something is missing that may not, or can't, be installed.
    """
    install(board.packages, progress)
    if to_run and board.kind == "verilator":
        simulator(board, progress)


def install(packages: Mapping[str, str], progress: Progress) -> None:
    """Install those packages (name to a command of it, or a file) that are missing."""
    missing = sorted(name for name, command in packages.items() if not _is_there(command))
    if not missing:
        return
    prefix = _as_root(missing)
    progress.announce(
        f"Missing: {', '.join(missing)}. Installing with "
        f"{' '.join([*prefix, 'apt-get', 'install'])} --no-install-recommends"
    )
    with paths.locked(paths.BUILD / "apt"), progress.task("Installing packages") as task:
        try:
            _apt([*prefix, *_APT, *missing], task)
        except process.ToolFailed:
            # Most often the lists are absent or older than what the mirror still holds.
            task.update("reading the package lists")
            _apt([*prefix, "apt-get", "update"], task)
            _apt([*prefix, *_APT, *missing], task)
    still = [name for name in missing if not _is_there(packages[name])]
    if still:
        raise FoliotError(
            f"apt-get installed {', '.join(still)}, but {packages[still[0]]} is not on the PATH"
        )


def _is_there(command: str) -> bool:
    return shutil.which(command) is not None or (command[0] == "/" and Path(command).is_file())


def simulator(board: Board, progress: Progress) -> Path:
    """Return the board's simulator, built where its sources changed since the last time."""
    core = str(board.run["core"])
    out = paths.BUILD / "sim" / core
    binary, stamp = out / "sim", out / "inputs.sha256"
    with paths.locked(out):
        wanted = _simulator_inputs(board)
        if binary.is_file() and stamp.is_file() and stamp.read_text() == wanted:
            return binary
        if out.exists():
            shutil.rmtree(out)
        command = [
            "make", "-C", str(paths.ROOT / "sim"), f"CORE={core}",
            f"CORE_DATA={_rtl(board)}", f"OUT={out}", f"-j{os.cpu_count() or 1}",
        ]  # fmt: skip
        with progress.task(f"Building the simulator of {core} (once)") as task:
            process.run(command, "building the simulator", lambda line: task.update(_short(line)))
        paths.write_if_changed(stamp, wanted)
    return binary


def identity(board: Board) -> bytes:
    """Return what figures depend on beside the image: how a board is run, and by what."""
    how = repr(sorted(board.run.items())).encode()
    if board.kind == "verilator":
        how += simulator(board, Progress(quiet=True)).read_bytes()
    elif board.kind == "qemu":
        how += process.version(str(board.run["command"][0])).encode()
    return how


def python_packages(requirements: Path, progress: Progress) -> None:
    """Install a pinned and hashed requirements file into the environment that runs us."""
    stamp = Path(sys.prefix) / f"{requirements.stem}.stamp"
    wanted = hashlib.sha256(requirements.read_bytes()).hexdigest()
    with paths.locked(paths.BUILD / "pip"):
        if stamp.is_file() and stamp.read_text() == wanted:
            return
        command = [
            sys.executable, "-m", "pip", "install", "--disable-pip-version-check",
            "--require-hashes", "--progress-bar", "off", "-r", str(requirements),
        ]  # fmt: skip
        try:
            with progress.task("Installing the Python packages of the tests (once)") as task:
                process.run(command, "pip", lambda line: task.update(_short(line)))
        except process.ToolFailed as failure:
            said = [line for line in failure.lines if line.startswith("ERROR")]
            raise FoliotError(
                "the Python packages of the tests can't be installed",
                (said or failure.lines or ["pip said nothing"])[0],
            ) from None
        stamp.write_text(wanted)


def _as_root(missing: Sequence[str]) -> list[str]:
    """Return what to put before apt-get; FoliotError with the command where nothing may."""
    command = f"apt-get install --no-install-recommends {' '.join(missing)}"
    if not shutil.which("apt-get"):
        raise FoliotError(f"missing: {', '.join(missing)} (names of Debian's packages)")
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        ask = ["sudo", "-v"] if sys.stdin.isatty() else ["sudo", "-n", "true"]
        if subprocess.run(ask, check=False, stderr=subprocess.DEVNULL).returncode == 0:
            return ["sudo", "-n"]
    raise FoliotError(f"missing: {', '.join(missing)}", f"install with: sudo {command}")


def _apt(command: Sequence[str], task: Task) -> None:
    def follow(line: str) -> None:
        match = _APT_STATUS.match(line)
        if match:
            task.update(_short(match[3]), round(float(match[2])), 100)

    try:
        process.run(command, "apt-get", follow, environment={"DEBIAN_FRONTEND": "noninteractive"})
    except process.ToolFailed as failure:
        errors = [line for line in failure.lines if line.startswith(("E: ", "dpkg: error"))]
        if any(_OFFLINE.search(line) for line in failure.lines):
            raise FoliotError("no network: Debian's packages can't be fetched") from None
        if any("lock" in line for line in errors):
            raise FoliotError("another apt-get is running: try again when it is done") from None
        raise process.ToolFailed("apt-get failed", lines=errors[:6]) from None


def _rtl(board: Board) -> Path:
    """Return the directory of the core's RTL, out of the Python package that brings it."""
    import importlib

    package = str(board.run["rtl"])
    try:
        return Path(importlib.import_module(package).data_location)
    except ImportError:
        raise FoliotError(
            f"the Python package {package} is missing", "remove .venv and start ./foliot again"
        ) from None


def _simulator_inputs(board: Board) -> str:
    """Hash all that the simulator is made of; a change of any of it rebuilds."""
    digest = hashlib.sha256()
    for path in _files(paths.ROOT / "sim"):
        digest.update(str(path.relative_to(paths.ROOT)).encode() + b"\0" + path.read_bytes())
    package = str(board.run["rtl"])
    digest.update(importlib.metadata.version(package.replace("_", "-")).encode())
    for tool in ("verilator", "g++"):
        digest.update(process.version(tool).encode())
    return digest.hexdigest()


def _files(directory: Path) -> Iterable[Path]:
    return sorted(p for p in directory.rglob("*") if p.is_file() and p.suffix != ".md")


def _short(line: str) -> str:
    words = line.split()
    return words[-1].rsplit("/", 1)[-1] if len(line) > 50 and words else line.strip()
