# SPDX-License-Identifier: Apache-2.0
"""Style checks, then the tests that were asked for by pytest, on as many cores as there are.

What those tests need is installed first, so that nothing is skipped because something was
missing; nothing else is. The style is checked where no tests are picked out, and without
clang-tidy by --quick.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from foliot.model.errors import FoliotError
from foliot.project import choice, style, times
from foliot.project.choice import Chosen, Request
from foliot.show.terminal import Progress
from foliot.target import boards, paths, provision

MOST_WORKERS = 8
LIMIT_S = 3600
SLOWEST = 10
FEW = 20
# The longest first (tests/conftest.py), where there are many files; of one, test by test.
_BY_FILE = ["--dist=loadfile", "--no-loadscope-reorder", "--longest-first"]

# What a test's marker `needs` may name.
TOOLS: Mapping[str, Mapping[str, str]] = {
    "babeltrace": provision.CTF_PACKAGES,
    "bound": {},
    "browser": provision.BROWSER_PACKAGES,
    "cluster": {},
    "compose": provision.COMPOSE_PACKAGES,
    "compiler": boards.load("host").packages,
    "coverage": provision.COVERAGE_PACKAGES,
    "doxygen": provision.API_PACKAGES,
    "farm": provision.FARM_PACKAGES,
    "fuzzer": provision.FUZZER_PACKAGES,
    "grub": provision.GRUB_PACKAGES,
    "models": provision.MODEL_PACKAGES,
    "prover": provision.PROVER_PACKAGES,
    "team": provision.TEAM_PACKAGES,
}
# ... and which of them bring Python packages of their own.
PYTHON: Mapping[str, Path] = {
    "bound": provision.BOUND_REQUIREMENTS,
    "cluster": provision.CLUSTER_REQUIREMENTS,
    "team": provision.TEAM_REQUIREMENTS,
}


def test(request: Request) -> int:
    """Run the tests; return the exit status (0, or 1 where anything failed).

    Raises UsageError, before anything is set up, where there are no such tests.
    """
    progress = Progress(request.quiet)
    words = choice.pytest_words(request)
    provision.python_packages(provision.TEST_REQUIREMENTS, progress)
    if request.whole:
        chosen = Chosen(sys.maxsize, tuple(usual_boards(request.long)), tuple(TOOLS))
    else:
        with progress.task("Looking for the tests"):
            chosen = choice.choose(request, words)
    _prepare(chosen, progress)
    failed: Sequence[str] = []
    over: Sequence[str] = []
    before = times.processor_s()
    if request.whole or _quick_whole(request):
        _install("the style of C", provision.STYLE_PACKAGES, progress)
        failed = style.check(progress, analyse=request.whole, whole=request.long)
    of_style = times.processor_s() - before
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "times.json"
        status = _run([*words, f"--times-file={file}"], request, chosen)
        found = times.read(file)
        if request.whole and file.is_file():
            shutil.copy(file, paths.BUILD / "times.json")
        taken = times.by_part(found, of_style)
    if request.whole or _quick_whole(request):
        usual = request.whole and not request.long
        print("\n".join(times.table(taken, usual, found.slowness)))
        over = times.exceeded(taken) if usual else []
    if failed:
        raise FoliotError(f"the tests are done; the style is not right: {', '.join(failed)}")
    if over and status == 0:
        raise FoliotError("the tests pass, and take too long", lines=over)
    return status


def usual_boards(long: bool) -> list[str]:
    """Return the boards that the whole tests run on; with the campaigns all there are."""
    return [name for name in boards.names() if long or not boards.load(name).on_request]


def _quick_whole(request: Request) -> bool:
    return request.quick and not (request.places or request.expression or request.boards)


def _prepare(chosen: Chosen, progress: Progress) -> None:
    for name in chosen.boards:
        provision.prepare(boards.load(name), progress)
    for name in chosen.tools:
        _install(name, TOOLS[name], progress)
    if chosen.boards or "compiler" in chosen.tools:
        with contextlib.suppress(FoliotError):  # it takes longer without
            provision.install(provision.CACHE_PACKAGES, progress)


def _install(name: str, packages: Mapping[str, str], progress: Progress) -> None:
    try:
        provision.install(packages, progress)
        if name in PYTHON:
            provision.python_packages(PYTHON[name], progress, f"the tests of {name}")
        if name == "farm":
            provision.environment(name, provision.FARM_REQUIREMENTS, progress)
    except FoliotError as error:
        progress.say(f"{error.message}: what needs {name} is not tested")


def _run(words: list[str], request: Request, chosen: Chosen) -> int:
    environment = dict(os.environ)
    environment.pop(paths.ENVIRONMENT, None)  # of the checkout that is tested, not of its copies
    if environment.pop("PYTHONDONTWRITEBYTECODE", None):
        # Else all is compiled anew by each worker, and by each `foliot` that a test starts.
        environment["PYTHONPYCACHEPREFIX"] = str(paths.BUILD / "pycache")
    if "ibex" in chosen.boards:
        environment["FOLIOT_SIM"] = str(paths.BUILD / "sim" / "ibex" / "sim")
    # To start workers takes seconds: worth it for what builds and runs firmware, or for many.
    tests = chosen.tests if chosen.boards else chosen.tests // FEW
    workers = min(os.cpu_count() or 1, MOST_WORKERS, tests)
    apart = _BY_FILE if not request.places else []
    command = [
        *words, f"--durations={SLOWEST}", *(["-n", str(workers), *apart] if workers > 1 else []),
        *(["-q"] if request.quiet else []), *(["-x"] if request.stop else []),
    ]  # fmt: skip
    # In our own process group, so that Ctrl-C reaches pytest too, and it says what it knows.
    with subprocess.Popen(command, cwd=paths.ROOT, env=environment) as child:
        try:
            status = child.wait(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            _stop(child)
            raise FoliotError(f"the tests took longer than {LIMIT_S} s") from None
        except KeyboardInterrupt:
            raise
        except BaseException:
            _stop(child)
            raise
    return 0 if status == 0 else 1


def _stop(child: subprocess.Popen[bytes]) -> None:
    """Ask pytest to end as Ctrl-C does, which ends what its tests started; then insist."""
    child.send_signal(signal.SIGINT)
    try:
        child.wait(timeout=20)
    except subprocess.TimeoutExpired:
        child.kill()
