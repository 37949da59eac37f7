# SPDX-License-Identifier: Apache-2.0
"""The commits between a good one and a bad one, as git knows them.

git itself finds the middle (`rev-list --bisect-all`), so that merges count as they do there.
Commits are full names here, and shown by twelve digits.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Collection
from pathlib import Path

from foliot.model.errors import FoliotError, UsageError
from foliot.target import paths

# Of the repository's directories those that no image is made of, unless the application is in one.
_ELSEWHERE = (".ci", ".github", "data", "docs", "sim", "tests")


def git(*words: str) -> str:
    """Return what git says in this repository; FoliotError where it refuses."""
    command = paths.git(*words)
    try:
        said = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except FileNotFoundError:
        raise FoliotError("git is missing", "install it (Debian: the package git)") from None
    if said.returncode != 0:
        raise FoliotError(f"git {words[0]} failed", lines=said.stderr.splitlines()[-3:])
    return said.stdout.strip()


def full(name: str) -> str:
    """Return a commit's full name; UsageError where this repository has no such commit."""
    try:
        return git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    except FoliotError:
        raise UsageError(f"'{name}' is no commit of this repository", _advice()) from None


def _advice() -> str:
    """Say what a clone without its history lacks, as those that CI makes do."""
    if git("rev-parse", "--is-shallow-repository") != "true":
        return ""
    return "this clone has the newest commits only: git fetch --unshallow brings the others"


def check_order(good: str, bad: str) -> None:
    """Raise UsageError unless the bad commit came of the good one."""
    if good == bad:
        raise UsageError(f"good and bad are the same commit, {short(good)}")
    if _came_of(bad, good):
        return
    if _came_of(good, bad):
        raise UsageError(
            f"{short(good)} came of {short(bad)}, and not the other way round",
            "name the older one first: it is no matter which of them has the better figure",
        )
    try:
        base = git("merge-base", good, bad)
    except FoliotError:
        raise UsageError(f"{short(bad)} did not come of {short(good)}", _advice()) from None
    raise UsageError(
        f"{short(bad)} did not come of {short(good)}", f"both came of {short(base)}: begin there"
    )


def _came_of(younger: str, older: str) -> bool:
    command = paths.git("merge-base", "--is-ancestor", older, younger)
    return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0


def left(good: Collection[str], bad: str) -> list[str]:
    """Return the commits of which one is the first bad one, the bad one among them."""
    return git("rev-list", bad, *(f"^{one}" for one in good)).split()


def middle(good: Collection[str], bad: str, without: Collection[str]) -> str | None:
    """Return the commit that halves those that are left best; None where there is none to try."""
    told = git("rev-list", "--bisect-all", bad, *(f"^{one}" for one in good))
    for line in told.splitlines():
        commit = line.split()[0]
        if commit != bad and commit not in without:
            return commit
    return None


def parents(commit: str) -> list[str]:
    """Return the commits that a commit came of directly."""
    return git("rev-list", "--parents", "--max-count=1", commit).split()[1:]


def told(commit: str) -> str:
    """Return a commit in a line: its name, when, by whom, what it says of itself."""
    return git("show", "--no-patch", "--abbrev=12", "--format=%h %as %an: %s", commit)


def short(commit: str) -> str:
    """Return a commit's name as it is shown."""
    return commit[:12]


def here() -> str:
    """Return this checkout's commit, with `+` where something is in none; empty without git."""
    try:
        return git("rev-parse", "HEAD") + "+" * uncommitted()
    except FoliotError:
        return ""


def uncommitted() -> bool:
    """Whether there are changes that are in no commit."""
    return bool(git("status", "--porcelain", "--untracked-files=no"))


def sources(commit: str, app: Path) -> str:
    """Return a hash of all that an application's image is made of in a commit.

    Two commits of which one changed the handbook have the same.
    """
    own = app.relative_to(paths.ROOT).parts[0]
    found = [
        line
        for line in git("ls-tree", commit).splitlines()
        if _is_source(line.partition("\t")[2], own)
    ]
    return hashlib.sha256("\n".join(found).encode()).hexdigest()


def _is_source(name: str, own: str) -> bool:
    return name == own or (name not in _ELSEWHERE and not name.endswith(".md"))
