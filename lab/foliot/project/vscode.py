# SPDX-License-Identifier: Apache-2.0
"""`foliot new vscode`: the files by which Visual Studio Code builds, runs, tests and debugs.

They name an application and do nothing by themselves: each task is a command of foliot's that is
typed the same in a terminal. A configuration a board that gdb reaches: the machine is started by a
task that waits for gdb, and gdb is told of the kernel's view. Read by the C/C++ extension (cppdbg).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from foliot.target import boards, debugger, paths
from foliot.target import build as building
from foliot.target.boards import Board

FIRST_PORT = 34710  # of the boards' stubs, one after another: no two machines share one
_BOARD = "${input:board}"
_HERE = "${workspaceFolder}"


def files(directory: Path) -> dict[Path, str]:
    """Return what to write where for an application; UsageError where it is none.

    Within this repository it is the one that is opened, else the application's directory.
    """
    app = building.application(directory)
    inside = app.is_relative_to(paths.ROOT)
    workspace = paths.ROOT if inside else app
    root = _HERE if inside else str(paths.ROOT)
    named = str(app.relative_to(paths.ROOT)) if inside else str(app)
    found = [board for board in map(boards.load, boards.names()) if _is_debugged(board)]
    made = {
        "tasks.json": _tasks(named, root, found),
        "launch.json": _launch(app, root, found),
        "settings.json": {
            "C_Cpp.default.compileCommands": f"{root}/compile_commands.json",
            "files.exclude": {"**/build": True},
        },
        "extensions.json": {"recommendations": ["ms-vscode.cpptools"]},
    }
    where = workspace / ".vscode"
    return {where / name: json.dumps(text, indent=2) + "\n" for name, text in made.items()}


def _is_debugged(board: Board) -> bool:
    return board.kind in ("verilator", "qemu") and not board.on_request


def _tasks(app: str, root: str, found: list[Board]) -> dict[str, Any]:
    gcc = {"problemMatcher": "$gcc"}
    own = [
        _task("build", root, "build", app, "--board", _BOARD, **gcc,
              group={"kind": "build", "isDefault": True}),
        _task("run", root, "run", app, "--board", _BOARD, **gcc),
        _task("test", root, "test", "--quick", problemMatcher=[],
              group={"kind": "test", "isDefault": True}),
    ]  # fmt: skip
    waiting = [
        _task(f"wait for gdb on {board.name}", root, "debug", app, "--board", board.name,
              "--no-gdb", "--port", str(FIRST_PORT + place), hide=True, isBackground=True,
              problemMatcher=[_ready()])
        for place, board in enumerate(found)
    ]  # fmt: skip
    picked = {
        "id": "board", "type": "pickString", "description": "See `foliot boards`",
        "options": [board.name for board in found], "default": boards.default(),
    }  # fmt: skip
    return {"version": "2.0.0", "tasks": [*own, *waiting], "inputs": [picked]}


def _task(label: str, root: str, *words: str, **more: Any) -> dict[str, Any]:
    return {
        "label": label, "type": "process", "command": f"{root}/foliot", "args": list(words),
        "options": {"cwd": root}, **more,
    }  # fmt: skip


def _ready() -> dict[str, Any]:
    """Return what makes an editor wait until gdb may come; it finds no problems."""
    return {
        "owner": "foliot",
        "pattern": [{"regexp": "^no line is (a) (problem)$", "file": 1, "message": 2}],
        "background": {
            "activeOnStart": True, "beginsPattern": "^Building",
            "endsPattern": "waits at 127\\.0\\.0\\.1:",
        },
    }  # fmt: skip


def _launch(app: Path, root: str, found: list[Board]) -> dict[str, Any]:
    made = []
    for place, board in enumerate(found):
        firmware = building.configured(app, board).directory.relative_to(paths.ROOT)
        made.append({
            "name": f"{app.name} on {board.name}", "type": "cppdbg", "request": "launch",
            "program": f"{root}/{firmware}/firmware.elf", "cwd": root, "MIMode": "gdb",
            "miDebuggerPath": debugger.GDB,
            "miDebuggerServerAddress": f"127.0.0.1:{FIRST_PORT + place}",
            "setupCommands": [
                {"text": f"source {root}/{debugger.VIEW.relative_to(paths.ROOT)}"},
                {"text": "-break-insert -t main"},
            ],
            "preLaunchTask": f"wait for gdb on {board.name}",
        })  # fmt: skip
    return {"version": "0.2.0", "configurations": made}
