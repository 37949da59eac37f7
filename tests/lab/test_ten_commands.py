# SPDX-License-Identifier: Apache-2.0
"""docs/team.md: from nothing to a shared server with a gate, by the ten commands there."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
import team
import typer

from foliot import cli
from support.command import ROOT

LIMIT_S = 900
PAGE = ROOT / "docs" / "team.md"
FORK, PORT, DATA = "https://github.com/YOU/foliot.git", "8472", "/srv/foliot"


def commands():
    """Return the lines of the page's first block, without their remarks."""
    section = PAGE.read_text().partition("## From nothing, in ten commands")[2]
    block = section.partition("```sh\n")[2].partition("```")[0]
    return [re.sub(r"\s+# .*", "", line) for line in block.splitlines()]


def test_they_are_ten_and_our_command_line_takes_them():
    found = commands()
    assert len(found) == 10
    ours = [shlex.split(line.removesuffix("&")) for line in found if line.startswith("./foliot")]
    assert [words[1] for words in ours] == ["bench", "serve", "serve", "remote", "push"]
    for _, name, *words in ours:
        group = typer.main.get_command(cli.application(name))
        group.commands[name].make_context(name, words)  # raises where it takes no such words
    assert all(any(word in line for line in found) for word in (FORK, PORT, DATA))
    assert os.access(ROOT / ".ci" / "gate", os.X_OK)


class Newcomer:
    """Types the lines one after the other; what is on the net is on this machine."""

    def __init__(self, place):
        self.place, self.cwd = place, place
        self.served = None
        fork, self.data = place / "YOU" / "foliot.git", Path(tempfile.mkdtemp(prefix="foliot-ten-"))
        self.data.chmod(0o755)  # PostgreSQL's user goes through it
        subprocess.run(["git", "clone", "-q", "--bare", ROOT, fork], check=True, timeout=LIMIT_S)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.instead = {FORK: str(fork), PORT: str(self.port), DATA: str(self.data / "data")}
        self.environment = {
            **os.environ, "HOME": str(place), "XDG_DATA_HOME": str(place / "share"),
            "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@b",
        }  # fmt: skip
        self.environment.pop("FOLIOT_STORE")
        self.environment.pop("PYTHONPATH", None)

    def type(self, line):
        """Run a line in a shell, as it stands on the page but for addresses."""
        for what, here in self.instead.items():
            line = line.replace(what, here)
        if line.endswith("&"):
            self.served = subprocess.Popen(
                ["bash", "-c", f"exec {line.removesuffix('&')}"], cwd=self.cwd,
                env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            self.wait_until_served()
            return ""
        done = subprocess.run(
            ["bash", "-c", line], cwd=self.cwd, env=self.environment, capture_output=True,
            text=True, check=False, timeout=LIMIT_S,
        )  # fmt: skip
        assert done.returncode == 0, f"{line}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout

    def wait_until_served(self):
        begun = time.monotonic()
        while time.monotonic() - begun < LIMIT_S:
            assert self.served.poll() is None
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.2)
        raise AssertionError("nobody serves")

    def settle(self):
        """Have the environment and the simulator as a checkout has that was used before."""
        self.cwd = self.place / "foliot"
        (self.cwd / ".venv").symlink_to((ROOT / ".venv").resolve())
        shutil.copytree(ROOT / "build" / "sim", self.cwd / "build" / "sim")

    def leave(self):
        if self.served is not None and self.served.poll() is None:
            self.served.send_signal(signal.SIGTERM)
            self.served.wait(LIMIT_S)
        shutil.rmtree(self.data, ignore_errors=True)


@pytest.mark.long
@pytest.mark.needs("team")
@pytest.mark.board("ibex")
def test_they_lead_from_nothing_to_a_server_and_a_gate(tmp_path):
    one = Newcomer(tmp_path)
    try:
        clone, bench, token, *rest = commands()
        one.type(clone)
        one.settle()
        assert "geometric mean" in one.type(bench)
        one.environment["FOLIOT_REMOTE_TOKEN"] = given = one.type(token).strip()
        said = [one.type(line) for line in rest]
        status, _, runs = team.Asker(one.port).ask("GET", "/api/p/lab/runs", given)
    finally:
        one.leave()
    assert status == 200
    assert [run["board"] for run in json.loads(runs)["runs"]] == ["ibex"]
    assert "1 document sent" in said[2]
    gate = one.cwd / "build" / "gate"
    assert "**Foliot**, latency on ibex" in (gate / "comment.md").read_text()
    assert (gate / "report.html").is_file()
    fork = tmp_path / "YOU" / "foliot.git"
    branches = subprocess.run(["git", "-C", fork, "branch", "--list", "mine"],
                              capture_output=True, text=True, check=True, timeout=60)  # fmt: skip
    assert branches.stdout.strip() == "mine"
