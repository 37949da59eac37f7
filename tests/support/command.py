# SPDX-License-Identifier: Apache-2.0
"""The command `foliot` as its users start it: one way for every test.

It runs as a process of its own, in pipes, without a display, and not by the launcher,
which has tests of its own (tests/lab/test_launcher.py).
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 300
ON_BOARDS = {"run", "bench", "build", "scope", "trace"}


class Command:
    """Call it with words to run `foliot WORD...`; a test that uses a board is marked so."""

    words = (sys.executable, "-P", "-m", "foliot")

    def __init__(self) -> None:
        self.item: pytest.Item | None = None  # the test that runs

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment in which the lab's package is found."""
        return {**os.environ, "PYTHONPATH": str(ROOT / "lab"), **more}

    def __call__(
        self,
        *words: str | Path,
        limit_s: float = LIMIT_S,
        given: str | None = None,
        where: Path = ROOT,
        **environment: str,
    ) -> subprocess.CompletedProcess[str]:
        """Run it to its end, at most `limit_s` seconds, with `given` on its standard input."""
        done = subprocess.run(
            [*self.words, *map(str, words)], cwd=where, input=given or "", text=True,
            capture_output=True, check=False, timeout=limit_s, env=self.environment(**environment),
        )  # fmt: skip
        if done.returncode == 0:
            self._must_be_marked([str(word) for word in words])
        return done

    def _must_be_marked(self, words: list[str]) -> None:
        """Fail a test that ran on a board without saying so: nobody would have set it up."""
        from conftest import boards_of

        for option, board in itertools.pairwise(words):
            if option in {"--board", "-b"} and words[0] in ON_BOARDS:
                marked = boards_of(self.item) if self.item else set()
                assert board in marked, f"mark this test with @pytest.mark.board({board!r})"

    def program(self, *words: str | Path, limit_s: float = 60) -> subprocess.CompletedProcess[str]:
        """Run a program that was built, the same way."""
        return subprocess.run(
            [str(word) for word in words], text=True, capture_output=True, check=False,
            timeout=limit_s, env=self.environment(),
        )  # fmt: skip

    def run(self, app: str | Path, board: str, conf: str = "default", **how: Any) -> Any:
        """Run an application on a board: `foliot run APP --board BOARD --conf CONF`."""
        return self("run", app, "--board", board, "--conf", conf, "--quiet", **how)


_COMMAND = Command()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    _COMMAND.item = item


@pytest.fixture(scope="session")
def foliot() -> Command:
    """Run the lab's command line: `foliot("boards")`."""
    return _COMMAND


def machine_lines(output: str, kind: str = "") -> list[dict[str, Any]]:
    """Return the records of the lines for machines, of one type or of all."""
    head = "@foliot "
    lines = [line for line in output.splitlines() if line.startswith(head)]
    whole = [line for line in lines if not line.endswith("~")]  # cut off: it comes anew
    records = [json.loads(line.removeprefix(head)) for line in whole]
    return [record for record in records if not kind or record["type"] == kind]
