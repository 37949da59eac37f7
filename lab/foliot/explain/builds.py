# SPDX-License-Identifier: Apache-2.0
"""Which image is meant by a word on the command line, built where it isn't there yet.

A word is the name of an ELF file, of a configuration (`default`, or a fragment), of a run
of ours (its commit, in its configuration), or a commit. A commit is unpacked beside the
builds and built by its own lab, so that two commits can be compared while neither is
checked out.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from foliot.model.errors import FoliotError, UsageError
from foliot.model.run import Run
from foliot.show.terminal import Progress
from foliot.target import build, paths, process, suites
from foliot.target.boards import Board

STAMPS = "stamps"
SAMPLES = 8


def image(name: str, board: Board, suite: str, conf: Sequence[str], progress: Progress) -> Path:
    """Return the image that `name` means: an ELF file, a configuration, a commit; "" is ours.

    Raises UsageError where it is none of them, FoliotError where it can't be built.
    """
    app = application(suite)
    build.application(app, conf)
    if name and Path(name).is_file():
        return Path(name).resolve()
    if not name or name in configurations(app):
        chosen = [*conf, *([name] if name not in ("", "default") else []), STAMPS]
        return build.build(app, board, progress, list(dict.fromkeys(chosen)), SAMPLES).image
    commit = _commit(name)
    if commit is None:
        raise UsageError(
            f"'{name}' is no ELF file, no configuration of {suite} "
            f"({', '.join(configurations(app))}), no run and no commit"
        )
    return _built_by_itself(commit, board, app, conf, progress)


def image_of(run: Run, board: Board, progress: Progress) -> Path:
    """Return the image of a recorded run of ours, built anew from its commit.

    Raises FoliotError where that can't be had: other changes were in it, or it is gone.
    """
    header = run.header
    if header.board != board.name:
        raise UsageError(f"that run is of {header.board}, asked for was {board.name}")
    if header.dirty:
        progress.say(
            f"The run had changes that were not committed: {header.kernel_commit} is built."
        )
    commit = _commit(header.kernel_commit)
    if commit is None:
        raise FoliotError(
            f"the commit of that run, {header.kernel_commit}, is not in this repository"
        )
    conf = [name for name in header.configuration if name not in ("default", STAMPS)]
    return _built_by_itself(commit, board, application(header.suite), conf, progress)


def application(suite: str) -> Path:
    """Return the directory of a suite, or of any application, inside the tree or outside."""
    if suite not in suites.names() and Path(suite).is_dir():
        return build.application(Path(suite))
    return suites.directory(suite)


def configurations(app: Path) -> list[str]:
    """Return the names of the configurations that an application can be built in."""
    found = {
        path.name.removeprefix("prj.").removesuffix(".conf")
        for directory in (app, paths.FRAGMENTS)
        for path in directory.glob("prj.?*.conf")
    }
    return ["default", *sorted(found - {STAMPS})]


def _commit(name: str) -> str | None:
    """Return the full name of a commit, or None."""
    said = _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    return said.stdout.strip() if said.returncode == 0 else None


def _git(*words: str) -> subprocess.CompletedProcess[str]:
    command = paths.git(*words)
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)


def _built_by_itself(
    commit: str, board: Board, app: Path, conf: Sequence[str], progress: Progress
) -> Path:
    """Return the image of a suite of a commit that says where its samples stand."""
    if _git("cat-file", "-e", f"{commit}:conf/prj.{STAMPS}.conf").returncode != 0:
        raise FoliotError(
            f"{commit[:12]} is older than explain: its suites don't say where samples stand"
        )
    tree = paths.TREES / commit[:12]
    options = ["--samples", str(SAMPLES), "--conf", ",".join([*conf, STAMPS])]
    return built(commit, tree, board, app, options, progress)


def built(
    commit: str, tree: Path, board: Board, app: Path, options: Sequence[str], progress: Progress
) -> Path:
    """Unpack a commit in `tree`, have its own lab build the application, return the image.

    `options` are of `foliot build`. Raises FoliotError, in the commit's own words, where it can't
    be built.
    """
    if not app.is_relative_to(paths.ROOT):
        raise UsageError(f"{app} is not in this repository: {commit[:12]} knows nothing of it")
    with paths.locked(tree):
        if not (tree / "lab").is_dir():
            _unpack(commit, tree)
        words = [
            sys.executable, "-P", "-m", "foliot", "build", str(app.relative_to(paths.ROOT)),
            "--board", board.name, "--quiet", *options,
        ]  # fmt: skip
        try:
            with progress.task(f"Building {app.name} of {commit[:12]}"):
                said = process.run(
                    words, "foliot build", directory=tree,
                    environment={"PYTHONPATH": str(tree / "lab")}, limit_s=600,
                )  # fmt: skip
        except process.ToolFailed as failure:
            raise FoliotError(
                f"{commit[:12]} can't be built for {board.name}", lines=failure.lines[-8:]
            ) from None
    return (tree / said[-1]).resolve()


def _unpack(commit: str, tree: Path) -> None:
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    command = paths.git("archive", "--format=tar", commit)
    archive = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout
    subprocess.run(["tar", "-x", "-C", str(tree)], input=archive, check=True, timeout=60)
