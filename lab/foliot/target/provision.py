# SPDX-License-Identifier: Apache-2.0
"""What a board needs on this machine: Debian packages, the core's RTL, the simulator.

Every command that builds or runs comes through here first, and where all is there it
costs a few milliseconds. What is to be installed is said before it is; where it may not
be installed (neither root nor sudo) the command that would do it is the error's advice.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from foliot.model.errors import FoliotError
from foliot.show.terminal import Progress, Task
from foliot.target import cache, paths, process
from foliot.target.boards import Board

# What `foliot debug` needs beside its board.
DEBUG_PACKAGES = {"gdb-multiarch": "gdb-multiarch"}
# What words in a PNG are written with, where a machine has no font at all.
FONT_PACKAGES = {"fonts-dejavu-core": "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"}
# What `foliot test` needs beside the boards, to check the style of the C sources.
STYLE_PACKAGES = {"clang-format-19": "clang-format-19", "clang-tidy-19": "clang-tidy-19"}
# ... and what keeps it from compiling the kernel again for each application.
CACHE_PACKAGES = {cache.PROGRAM: cache.PROGRAM}
# ... and to look at the report as its readers do.
BROWSER_PACKAGES = {"chromium": "chromium"}
# ... and what fuzzes the boundary of user threads. A library has no command: its file is named.
FUZZER_PACKAGES = {
    "clang-19": "clang-19",
    "g++": "g++",
    "libclang-rt-19-dev":
        "/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer_no_main-x86_64.a",
}  # fmt: skip
# ... and what proves the kernel's contracts (foliot prove).
PROVER_PACKAGES = {"frama-c-base": "frama-c", "why3": "why3", "z3": "z3", "cvc5": "cvc5"}
# ... and what runs through the models of what interleaves (tests/models), with the host's compiler.
MODEL_PACKAGES = {"spin": "spin"}
# ... and what counts the branches that tests take (tests/host/coverage_of_branches.py).
COVERAGE_PACKAGES = {
    "clang-19": "clang-19",
    "llvm-19": "llvm-cov-19",
    "libclang-rt-19-dev": "/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.profile-x86_64.a",
}
# ... and what starts a PC's image by GRUB, from a CD.
GRUB_PACKAGES = {
    "grub-common": "grub-mkrescue",
    "grub-pc-bin": "/usr/lib/grub/i386-pc/multiboot2.mod",
    "mtools": "mformat",
    "xorriso": "xorriso",
}
# What `foliot serve` keeps a team's runs in, and what its tests make a certificate with.
POSTGRES_PACKAGES = {"postgresql-15": "/usr/lib/postgresql/15/bin/postgres"}
TEAM_PACKAGES = {**POSTGRES_PACKAGES, "openssl": "openssl"}
TEST_REQUIREMENTS = paths.ROOT / "lab" / "requirements-test.txt"
TEAM_REQUIREMENTS = paths.ROOT / "lab" / "requirements-team.txt"
# What solves the linear programs of bounds.
BOUND_REQUIREMENTS = paths.ROOT / "lab" / "requirements-bound.txt"
# What joins a cluster, by which campaigns run.
CLUSTER_REQUIREMENTS = paths.ROOT / "lab" / "requirements-cluster.txt"
# What takes boards on other desks: labgrid, in an environment of its own; what serves their ports.
FARM_REQUIREMENTS = paths.ROOT / "lab" / "requirements-farm.txt"
FARM_PACKAGES = {"ser2net": "/usr/sbin/ser2net"}
# ... and what knows the schema of a compose file.
COMPOSE_PACKAGES = {"docker-compose": "docker-compose"}
# ... and what reads the traces that `foliot trace` writes.
CTF_PACKAGES = {"babeltrace2": "babeltrace2"}
# ... and what makes the API reference.
API_PACKAGES = {"doxygen": "doxygen"}

# What runs an RP2040's image without one.
NODE_PACKAGES = {"nodejs": "node", "npm": "npm"}

# What C++ needs beside a board's C compiler, where that does not bring it, by architecture.
_CPP_PACKAGES = {
    "host": {"g++": "g++"},
    "aarch64": {"g++-aarch64-linux-gnu": "aarch64-linux-gnu-g++"},
    "x86_64": {"g++-x86-64-linux-gnu": "x86_64-linux-gnu-g++"},
}

_APT = ("apt-get", "-y", "--no-install-recommends", "-o", "APT::Status-Fd=1", "install")
_APT_STATUS = re.compile(r"(?:dl|pm)status:([^:]*):([\d.]+):(.*)")
_INCLUDED = re.compile(r"^include cores/(\w+)/core\.mk$", re.MULTILINE)
_BUSY_S, _BUSY_STEP_S = 600, 3
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
    if to_run and board.emulated:
        rp2040js(progress)


def cpp_packages(board: Board) -> Mapping[str, str]:
    """Return what an application in C++ needs for `board` beside the board's own packages."""
    return _CPP_PACKAGES.get(board.arch, {})


def install(packages: Mapping[str, str], progress: Progress) -> None:
    """Install those packages (name to a command of it, or a file) that are missing.

    Another foliot's installing is waited for: a package that is half there has its command.
    """
    with paths.locked(paths.BUILD / "apt"):
        _install_missing(packages, progress)


def _install_missing(packages: Mapping[str, str], progress: Progress) -> None:
    missing = sorted(name for name, command in packages.items() if not _is_there(command))
    if not missing:
        return
    prefix = _as_root(missing)
    progress.announce(
        f"Missing: {', '.join(missing)}. Installing with "
        f"{' '.join([*prefix, 'apt-get', 'install'])} --no-install-recommends"
    )
    with progress.task("Installing packages") as task:
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
        rtl = _rtl(board, progress)
        wanted = _simulator_inputs(board)
        if binary.is_file() and stamp.is_file() and stamp.read_text() == wanted:
            return binary
        if out.exists():
            shutil.rmtree(out)
        with progress.task(f"Building the simulator of {core} (once)") as task:
            _make_simulator(core, rtl, out, lambda line: task.update(_short(line)))
        paths.write_if_changed(stamp, wanted)
    return binary


def _make_simulator(core: str, rtl: Path, out: Path, follow: Callable[[str], None]) -> None:
    """Build it by make, which knows no names with blanks: then of copies that have none."""
    with tempfile.TemporaryDirectory(prefix="foliot-") as made:
        source, built = paths.ROOT / "sim", out
        if re.search(r"\s", f"{source}{rtl}{out}"):
            copies = Path(made)
            source, built = copies / "sim", copies / "out"
            shutil.copytree(paths.ROOT / "sim", source)
            rtl = Path(shutil.copytree(rtl, copies / rtl.parent.name / rtl.name))  # waivers.vlt
        command = [
            "make", "-C", str(source), f"CORE={core}", f"CORE_DATA={rtl}", f"OUT={built}",
            f"-j{os.cpu_count() or 1}",
        ]  # fmt: skip
        process.run(command, "building the simulator", follow)
        if built != out:
            out.mkdir(parents=True)
            shutil.copy2(built / "sim", out / "sim")


def unbuilt_simulators(chosen: Iterable[Board]) -> list[str]:
    """Return the cores whose simulators these boards need, and that nobody has built yet here."""
    cores = {str(board.run["core"]) for board in chosen if board.kind == "verilator"}
    return sorted(core for core in cores if not (paths.BUILD / "sim" / core / "sim").is_file())


def rp2040js(progress: Progress) -> None:
    """Install the RP2040's emulator by npm: what lab/rp2040js/package-lock.json pins, by hash."""
    install(NODE_PACKAGES, progress)
    out = paths.BUILD / "npm" / "rp2040js"
    stamp, lock = out / "lock.sha256", paths.RP2040JS / "package-lock.json"
    with paths.locked(out):
        wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
        if stamp.is_file() and stamp.read_text() == wanted:
            return
        out.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(paths.RP2040JS / name, out)
        words = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(out)]
        try:
            with progress.task("Installing rp2040js (once)") as task:
                process.run(words, "npm", lambda line: task.update(_short(line)), limit_s=300)
        except process.ToolFailed as failure:
            said = [line for line in failure.lines if "ERR!" in line or "error" in line]
            raise FoliotError("rp2040js can't be installed", (said or ["npm failed"])[0]) from None
        stamp.write_text(wanted)


def identity(board: Board) -> bytes:
    """Return what figures depend on beside the image: how a board is run, and by what."""
    how = repr(sorted(board.run.items())).encode()
    if board.kind == "verilator":
        how += simulator(board, Progress(quiet=True)).read_bytes()
    elif board.kind == "qemu":
        how += process.version(str(board.run["command"][0])).encode()
    return how


def python_packages(requirements: Path, progress: Progress, whose: str = "the tests") -> None:
    """Install a pinned and hashed requirements file into the environment that runs us."""
    stamp = Path(sys.prefix) / f"{requirements.stem}.stamp"
    wanted = hashlib.sha256(requirements.read_bytes()).hexdigest()
    with paths.locked(paths.BUILD / "pip"):
        if stamp.is_file() and stamp.read_text() == wanted:
            return
        _pip(Path(sys.executable), requirements, progress, whose)
        stamp.write_text(wanted)


def environment(name: str, requirements: Path, progress: Progress) -> Path:
    """Return the programs of an environment with nothing but these packages; made where it isn't.

    Its scripts name its place: one that was copied or moved with its tree is made anew.
    """
    place = paths.BUILD / "environments" / name
    stamp = place / "foliot.stamp"
    wanted = f"{hashlib.sha256(requirements.read_bytes()).hexdigest()}  {place.resolve()}"
    with paths.locked(place):
        if not (stamp.is_file() and stamp.read_text() == wanted):
            command = [sys.executable, "-m", "venv", "--clear", str(place)]
            process.run(command, "making an environment", limit_s=120)
            _pip(place / "bin" / "python", requirements, progress, name)
            stamp.write_text(wanted)
    return place / "bin"


def _pip(python: Path, requirements: Path, progress: Progress, whose: str) -> None:
    command = [
        str(python), "-m", "pip", "install", "--disable-pip-version-check",
        "--require-hashes", "--progress-bar", "off", "-r", str(requirements),
    ]  # fmt: skip
    try:
        with progress.task(f"Installing the Python packages of {whose} (once)") as task:
            process.run(command, "pip", lambda line: task.update(_short(line)))
    except process.ToolFailed as failure:
        said = [line for line in failure.lines if line.startswith("ERROR")]
        raise FoliotError(
            f"the Python packages of {whose} can't be installed",
            (said or failure.lines or ["pip said nothing"])[0],
        ) from None


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
    """Run it, after whoever else does: on a new machine several things install at once."""
    for _ in range(_BUSY_S // _BUSY_STEP_S):
        with contextlib.suppress(_Busy):
            _apt_once(command, task)
            return
        task.update("waiting for another apt-get")
        time.sleep(_BUSY_STEP_S)
    raise FoliotError("another apt-get is running: try again when it is done")


class _Busy(Exception):
    """Another apt-get has the lock."""


def _apt_once(command: Sequence[str], task: Task) -> None:
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
            raise _Busy from None
        raise process.ToolFailed("apt-get failed", lines=errors[:6]) from None


def _rtl(board: Board, progress: Progress) -> Path:
    """Return the directory of the core's RTL, out of the Python package that brings it.

    Ibex's is among the lab's own; another core's is fetched when it is asked for, as its
    requirements file says.
    """
    import importlib

    package, core = str(board.run["rtl"]), str(board.run["core"])
    requirements = paths.ROOT / "sim" / "cores" / core / f"requirements-{core}.txt"
    if requirements.is_file():
        python_packages(requirements, progress, f"the core {core}")
        importlib.invalidate_caches()
    try:
        return Path(importlib.import_module(package).data_location)
    except ImportError:
        raise FoliotError(
            f"the Python package {package} is missing", "remove .venv and start ./foliot again"
        ) from None


def _simulator_inputs(board: Board) -> str:
    """Hash all that the simulator is made of; a change of any of it rebuilds."""
    digest = hashlib.sha256()
    for path in simulator_files(str(board.run["core"])):
        digest.update(str(path.relative_to(paths.ROOT)).encode() + b"\0" + path.read_bytes())
    package = str(board.run["rtl"])
    digest.update(importlib.metadata.version(package.replace("_", "-")).encode())
    for tool in ("verilator", "g++"):
        digest.update(process.version(tool).encode())
    return digest.hexdigest()


def simulator_files(core: str) -> list[Path]:
    """Return what a core's simulator is built from: what all share, its own, what it includes."""
    cores, other = paths.ROOT / "sim" / "cores", paths.ROOT / "sim" / "iss"
    makefile = (cores / core / "core.mk").read_text(encoding="utf-8")
    own = [core, *_INCLUDED.findall(makefile)]
    sources = _files(paths.ROOT / "sim")
    shared = (p for p in sources if not (p.is_relative_to(cores) or p.is_relative_to(other)))
    return [*shared, *(path for name in own for path in _files(cores / name))]


def _files(directory: Path) -> Iterable[Path]:
    return sorted(p for p in directory.rglob("*") if p.is_file() and p.suffix != ".md")


def _short(line: str) -> str:
    words = line.split()
    return words[-1].rsplit("/", 1)[-1] if len(line) > 50 and words else line.strip()
