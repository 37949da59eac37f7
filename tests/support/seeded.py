# SPDX-License-Identifier: Apache-2.0
"""A copy of this tree that checks are taken out of: the tests' own seeded defects."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from support.command import ROOT

PARTS = (
    "CMakeLists.txt", "Kconfig", "arch", "boards", "cmake", "conf", "drivers", "include", "kernel",
    "lab", "lib", "suites",
)  # fmt: skip


@dataclass(frozen=True)
class Copy:
    """A copy of what builds an application, where warnings are off: what is left goes unused.

    Debug information is left out, too: the code is the same without it, and to say of each fault of
    a run in which line it was takes thirty times as long as the run.
    """

    root: Path

    def foliot(self, *words: str, limit_s: float = 400) -> subprocess.CompletedProcess[str]:
        """Run the copy's own command."""
        return subprocess.run(
            [sys.executable, "-P", "-m", "foliot", *words], cwd=self.root, text=True, check=False,
            errors="replace", capture_output=True, timeout=limit_s,
            env={**os.environ, "PYTHONPATH": str(self.root / "lab")},
        )  # fmt: skip


def copy_tree(root: Path, *applications: str) -> Copy:
    """Copy the kernel, the lab and applications there."""
    root.mkdir(parents=True, exist_ok=True)
    for part in (*PARTS, *applications):
        source = ROOT / part
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
            shutil.copytree(source, root / part, ignore=ignored)
        else:
            shutil.copy2(source, root / part)
    flags = root / "cmake" / "flags.cmake"
    text = flags.read_text(encoding="utf-8")
    for flag, less in {" -Werror ": " -w ", " -g ": " "}.items():
        assert flag in text
        text = text.replace(flag, less)
    flags.write_text(text, encoding="utf-8")
    return Copy(root)


def errors(list_of: Path) -> list[tuple[str, str, str, str]]:
    """Read a list of errors, a block each: whose it is, the file, what stands there, what becomes.

    The first block is the list's head.
    """
    found = []
    for block in list_of.read_text(encoding="utf-8").split("\n\n")[1:]:
        head, *lines = block.rstrip("\n").split("\n")
        old, new = ("\n".join(line[1:] for line in lines if line[0] == sign) for sign in ("-", "+"))
        _, whose, file = head.split()
        found.append((whose, file, old, new))
    return found


def stands_once(file: str, old: str) -> bool:
    """Whether what an error changes is there, and in one place."""
    return (ROOT / file).read_text(encoding="utf-8").count(old) == 1
