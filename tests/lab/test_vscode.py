# SPDX-License-Identifier: Apache-2.0
"""`foliot new vscode`: what is written is what the editor and its C/C++ extension read, and works.

The names of properties are those of VS Code's tasks 2.0.0 and of the extension's cppdbg. The
editor itself is not here: its part is played, task, then gdb by its machine interface (GDB/MI).
"""

from __future__ import annotations

import json
import re
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from foliot.model.errors import UsageError
from foliot.project import new
from foliot.show.terminal import Progress
from foliot.target import boards, paths, provision

ROOT = Path(__file__).resolve().parents[2]
TASK = {
    "label": str, "type": str, "command": str, "args": list, "options": dict, "group": dict,
    "problemMatcher": (str, list), "isBackground": bool, "hide": bool,
}  # fmt: skip
LAUNCH = {
    "name": str, "type": str, "request": str, "program": str, "cwd": str, "MIMode": str,
    "miDebuggerPath": str, "miDebuggerServerAddress": str, "setupCommands": list,
    "preLaunchTask": str,
}  # fmt: skip
LIMIT_S = 120


@pytest.fixture(scope="module")
def written():
    """What is written for samples/hello, by file; into nothing, since nobody asked for it here."""
    from foliot.project import vscode

    made = vscode.files(ROOT / "samples" / "hello")
    assert {path.parent for path in made} == {ROOT / ".vscode"}
    return {path.name: json.loads(text) for path, text in made.items()}


def of_kind(found, known):
    for name, value in found.items():
        assert isinstance(value, known[name]), name


def test_tasks_are_such(written):
    tasks = written["tasks.json"]
    assert tasks["version"] == "2.0.0"
    labels = [task["label"] for task in tasks["tasks"]]
    assert labels[:3] == ["build", "run", "test"]
    assert len(set(labels)) == len(labels)
    for task in tasks["tasks"]:
        of_kind(task, TASK)
        assert task["type"] == "process"
        assert all(isinstance(word, str) for word in task["args"])
    (picked,) = tasks["inputs"]
    assert picked["type"] == "pickString"
    assert picked["default"] == boards.default()
    assert picked["default"] in picked["options"]


def test_each_configuration_has_its_task_its_port_and_its_image(written):
    tasks = {task["label"]: task for task in written["tasks.json"]["tasks"]}
    found = written["launch.json"]["configurations"]
    ports = [one["miDebuggerServerAddress"] for one in found]
    assert len(set(ports)) == len(ports) == len(written["tasks.json"]["inputs"][0]["options"])
    for one in found:
        of_kind(one, LAUNCH)
        assert set(one) == set(LAUNCH)
        assert (one["type"], one["request"], one["MIMode"]) == ("cppdbg", "launch", "gdb")
        task = tasks[one["preLaunchTask"]]
        assert task["isBackground"]
        port = task["args"][task["args"].index("--port") + 1]
        assert one["miDebuggerServerAddress"] == f"127.0.0.1:{port}"
        assert all(set(line) == {"text"} for line in one["setupCommands"])


def test_each_task_is_a_command_that_foliot_takes(written, foliot):
    tried = set()
    for task in written["tasks.json"]["tasks"]:
        words = [boards.default() if "${input" in word else word for word in task["args"]]
        if task["label"].partition(" on ")[0] in tried:
            continue
        tried.add(task["label"].partition(" on ")[0])
        assert task["command"] == "${workspaceFolder}/foliot"
        done = foliot.program(*foliot.words, *words, "--help")
        assert done.returncode == 0, done.stderr
    assert len(tried) == 4


def test_an_application_elsewhere_has_files_of_its_own(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "samples" / "hello", tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    said = new.new("vscode", "mine")
    assert said[0] == "mine/.vscode/tasks.json"
    tasks = json.loads((tmp_path / "mine" / ".vscode" / "tasks.json").read_text())
    assert tasks["tasks"][0]["command"] == f"{paths.ROOT}/foliot"
    assert tasks["tasks"][0]["args"][1] == str(tmp_path / "mine")
    (tmp_path / "mine" / ".vscode" / "tasks.json").write_text("mine")
    with pytest.raises(UsageError, match="there already"):
        new.new("vscode", "mine")
    assert (tmp_path / "mine" / ".vscode" / "tasks.json").read_text() == "mine"
    with pytest.raises(UsageError, match="is not a directory"):
        new.new("vscode", "nowhere")


class Lines:
    """What a process says, a line at a time, with a limit."""

    def __init__(self, child):
        self.child, self.rest = child, b""

    def until(self, pattern):
        """Return the lines up to one that matches, which is the last."""
        found, deadline = [], time.monotonic() + LIMIT_S
        while True:
            line, newline, rest = self.rest.partition(b"\n")
            if newline:
                self.rest = rest
                found.append(line.decode())
                if re.search(pattern, found[-1]):
                    return found
                continue
            left = deadline - time.monotonic()
            assert left > 0, found[-20:]
            assert select.select([self.child.stdout], [], [], left)[0], found[-20:]
            more = self.child.stdout.read1()
            assert more, [*found[-20:], self.rest]
            self.rest += more


def started(words, foliot):
    return subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, env=foliot.environment())  # fmt: skip


@pytest.mark.slow
@pytest.mark.board("mps2_an385")
def test_a_session_as_the_extension_has_it(written, foliot):
    """The task until its line comes; then gdb by MI: connected, set up, run to main, asked."""
    here = {"${workspaceFolder}": str(ROOT)}

    def put(text):
        return re.sub(r"\$\{\w+\}", lambda found: here[found[0]], text)

    launch = next(one for one in written["launch.json"]["configurations"]
                  if one["name"] == "hello on mps2_an385")  # fmt: skip
    task = next(one for one in written["tasks.json"]["tasks"]
                if one["label"] == launch["preLaunchTask"])  # fmt: skip
    provision.install(provision.DEBUG_PACKAGES, Progress(quiet=True))
    machine = started([*foliot.words, *task["args"]], foliot)
    gdb = None
    try:
        ready = task["problemMatcher"][0]["background"]["endsPattern"]
        Lines(machine).until(ready)
        gdb = started([launch["miDebuggerPath"], "--interpreter=mi", "-q"], foliot)
        lines = Lines(gdb)

        def asked(command):
            gdb.stdin.write(f"7{command}\n".encode())
            gdb.stdin.flush()
            said = lines.until(r"^7\^")
            assert not said[-1].startswith("7^error"), (command, said)
            return said[-1]

        asked(f"-file-exec-and-symbols {put(launch['program'])}")
        asked(f"-target-select remote {launch['miDebuggerServerAddress']}")
        for line in launch["setupCommands"]:
            text = put(line["text"])
            asked(text if text.startswith("-") else f'-interpreter-exec console "{text}"')
        asked("-exec-continue")
        (stopped,) = [line for line in lines.until(r"^\*stopped") if line.startswith("*stopped")]
        assert 'func="main"' in stopped
        assert "samples/hello/main.c" in asked("-stack-list-frames")
        asked('-interpreter-exec console "foliot threads"')
        gdb.stdin.write(b"-gdb-exit\n")
        gdb.stdin.flush()
        gdb.wait(timeout=30)
        machine.wait(timeout=30)
    finally:
        for child in filter(None, (gdb, machine)):
            if child.poll() is None:
                child.terminate()
                child.wait(timeout=30)
