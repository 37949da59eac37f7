# SPDX-License-Identifier: Apache-2.0
"""An image run on a worker: what is sent there, what is done there, what comes back.

What is sent is the image, the board's facts, its simulator where that is ours, and the part of the
lab that runs images, as one file that Python runs. Figures of a QEMU of another version would be
others: a worker that has one refuses.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

from foliot.campaign.jobs import ELSEWHERE, PYTHON, Job, Result
from foliot.model.errors import FoliotError
from foliot.target import boards, paths, process, runner
from foliot.target.boards import Board

_LAB = "lab.zip"
_ROOMS = ("model", "show", "image", "target", "campaign")
_MAIN = "from foliot.campaign.hear import main\nmain()\n"
_IMAGE = "image/firmware.elf"
_BEGUN = (1980, 1, 1, 0, 0, 0)  # one content at all times


def job(
    board: Board, elf: Path, limit_s: float | None = None, max_cycles: int | None = None,
    options: Sequence[str] = (),
) -> Job:  # fmt: skip
    """Return the job that runs an image on a board, as runner.run() does."""
    told = {
        "board": board.name, "limit_s": limit_s, "max_cycles": max_cycles,
        "options": list(options), "emulator": _emulator(board),
    }  # fmt: skip
    files = {
        _LAB: _lab(),
        f"boards/{board.name}/board.toml": board.directory / "board.toml",
        _IMAGE: elf,
    }
    if "image" in board.run:
        name = str(board.run["image"])
        files[f"image/{name}"] = elf.with_name(name)
    if board.kind == "verilator":
        simulator = f"sim/{board.run['core']}/sim"
        files[f"build/{simulator}"] = paths.BUILD / simulator
    limit = max(runner.WALL_LIMIT_S, limit_s or 0) + 60
    words = (PYTHON, _LAB, json.dumps(told, sort_keys=True))
    return Job(f"{elf.parent.name} on {board.name}", words, files, limit)


def heard(result: Result, elf: Path) -> tuple[list[bytes], runner.Outcome]:
    """Return the console's lines and how the run of `elf` ended; FoliotError where it did not."""
    try:
        told: dict[str, Any] = json.loads(result.output)
        if "error" in told:
            raise FoliotError(told["error"])
        outcome = runner.Outcome(**told["outcome"])
        lines = base64.b64decode(told["lines"]).split(b"\n")[:-1]
    except (ValueError, TypeError, KeyError):
        said = result.output.decode("utf-8", "replace").splitlines()[-3:]
        raise FoliotError(f"a worker failed (status {result.status})", lines=said) from None
    command = (word.replace(_IMAGE, str(elf)) for word in outcome.command)
    last = tuple(outcome.last_lines)
    return lines, replace(outcome, command=tuple(command), last_lines=last)


def main() -> None:
    """Run the image that lies here; print what it said and how it ended, as JSON."""
    told = json.loads(sys.argv[1])
    board = boards.load(told["board"])
    if _emulator(board) != told["emulator"]:
        has, wanted = _emulator(board), told["emulator"]
        print(f"this worker runs images by {has}, asked for was {wanted}")
        sys.exit(ELSEWHERE)
    lines: list[bytes] = []
    try:
        outcome = runner.run(
            board, paths.ROOT / _IMAGE, lines.append, told["limit_s"],
            told["max_cycles"], told["options"],
        )  # fmt: skip
    except FoliotError as error:
        print(json.dumps({"error": str(error)}))
        return
    here = f"{paths.ROOT}/"
    outcome = replace(outcome, command=tuple(one.replace(here, "") for one in outcome.command))
    log = base64.b64encode(b"".join(line + b"\n" for line in lines)).decode()
    print(json.dumps({"lines": log, "outcome": asdict(outcome)}))


def _emulator(board: Board) -> str:
    return process.version(str(board.run["command"][0])) if board.kind == "qemu" else ""


@cache
def _lab() -> Path:
    """Return what of the lab runs images, with what it stands on, as one file."""
    import io
    import zipfile

    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("__main__.py", _BEGUN), _MAIN)
        for name, path in sorted(_sources()):
            archive.writestr(zipfile.ZipInfo(name, _BEGUN), path.read_bytes())
    content = made.getvalue()
    place = paths.BUILD / "campaign" / f"lab-{hashlib.sha256(content).hexdigest()[:16]}.zip"
    if not place.is_file():
        place.parent.mkdir(parents=True, exist_ok=True)
        begun = place.with_name(f".{place.name}.{os.getpid()}")  # others may make it now, too
        begun.write_bytes(content)
        begun.replace(place)
    return place


def _sources() -> Iterator[tuple[str, Path]]:
    import importlib.util

    lab = Path(__file__).resolve().parents[1]
    yield "foliot/__init__.py", lab / "__init__.py"
    for room in _ROOMS:
        yield from ((f"foliot/{room}/{path.name}", path) for path in (lab / room).glob("*.py"))
    found = importlib.util.find_spec("elftools")
    for place in (found and found.submodule_search_locations) or ():
        root = Path(place)
        yield from ((f"elftools/{path.relative_to(root)}", path) for path in root.rglob("*.py"))
