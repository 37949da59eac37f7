# SPDX-License-Identifier: Apache-2.0
"""`foliot board-check`: the first time on silicon, fact by fact."""

from __future__ import annotations

import getpass
import hashlib
import json
import shutil
from dataclasses import asdict
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from foliot.commands import offers
from foliot.commands.options import (
    ConfOption,
    JsonOption,
    PortOption,
    QuietOption,
    StoreOption,
    words,
)
from foliot.measure import board_check
from foliot.model.errors import FoliotError, UsageError
from foliot.model.names import counted
from foliot.show.terminal import Progress, console
from foliot.store import checks
from foliot.store.sqlite import Store
from foliot.target import boards, build, drives, flashing, paths, provision, serialport


def command(
    board: Annotated[
        str, typer.Argument(metavar="BOARD", autocompletion=offers.board, help="The board.")
    ],
    port: PortOption = None,
    baud: Annotated[
        int | None, typer.Option("--baud", metavar="N", min=1, help="Of the port (115200).")
    ] = None,
    reset: Annotated[
        str | None, typer.Option("--reset", metavar="CMD", help="What resets that board.")
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", min=2, max=50, help="Of its beats.")
    ] = board_check.SECONDS,
    by: Annotated[
        str | None, typer.Option("--by", metavar="NAME", help="Who tries it (your user's name).")
    ] = None,
    conf: ConfOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Try a board for the first time: compare its facts with what it does."""
    target = boards.load(board)
    if port is None and (baud or reset):
        raise UsageError("--baud and --reset are of a board at a --port")
    if not isfinite(seconds):
        raise UsageError(f"--seconds takes 2 to 50, not {seconds}")
    progress = Progress(quiet)
    place = Store(store)
    device = port is not None or (target.kind == "device" and not target.emulated)
    provision.prepare(target, progress, to_run=not device)
    image = board_check.firmware(target, words(conf), progress)
    if port is None and device:
        raise UsageError(
            f"{board} is a device: there is none in this machine",
            f"{_to_flash(target, flashing.make_image(target, image.elf, progress))}, then "
            f"./foliot board-check {board} --port TTY",
        )
    place.check_writable()
    if port is None:
        heard, where = board_check.simulate(target, image, progress), "a simulator"
    else:
        _flash(target, image, progress)
        line = serialport.Port(port, baud or serialport.BAUD, reset or "")
        heard, where = board_check.hearing(seconds), port
        board_check.listen(line, heard, board_check.limit_of(seconds), progress)
    kept = checks.Check(
        board=target.name,
        when=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        by=by or getpass.getuser(),
        where=where,
        silicon=port is not None and not board_check.is_pseudo(port),
        configuration=image.configuration.name,
        image=hashlib.sha256(image.elf.read_bytes()).hexdigest()[:12],
        facts=tuple(board_check.judge(target, heard, port is not None)),
    )
    file = checks.keep(place, kept, b"".join(line + b"\n" for line in heard.log))
    if as_json:
        print(json.dumps(asdict(kept) | {"agrees": kept.agrees, "kept": str(file)}, indent=1))
    else:
        _page(kept)
        print("kept, with the console beside it:", f"  {paths.shown(file)}", sep="\n")
    raise typer.Exit(0 if kept.agrees else 1)


def _to_flash(target: boards.Board, image: Path) -> str:
    label = target.run.get("drive")
    how = f"copy to its drive {label}" if label else str(target.run.get("by", "flash"))
    return f"{how} {paths.shown(image)}"


def _flash(target: boards.Board, image: build.Firmware, progress: Progress) -> None:
    """Put the image on the board's drive, if that is there; else say what has to be there."""
    made = flashing.make_image(target, image.elf, progress)
    drive = drives.find(str(target.run["drive"])) if "drive" in target.run else None
    if drive is None:
        progress.say(f"If it is not on the board yet: {_to_flash(target, made)}.")
        return
    try:
        shutil.copy(made, drive)
    except OSError as error:
        raise FoliotError(f"{drive}: {error.strerror}: is it another board's drive?") from None
    progress.say(f"{paths.shown(made)} is on {drive}.")


def _page(check: checks.Check) -> None:
    out = console()
    conf = ", ".join(check.configuration)
    out.print(f"{check.board} ({conf}), image {check.image}, on {check.where}", highlight=False)
    out.print(f"checked by {check.by} at {check.when}", highlight=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("fact", "declared", "seen", ""):
        table.add_column(title, overflow="fold")
    for fact in check.facts:
        table.add_row(*(Text(cell) for cell in (fact.name, fact.declared, fact.seen, fact.verdict)))
    out.print(table)
    agree = sum(fact.verdict == board_check.AGREES for fact in check.facts)
    out.print(f"{counted(agree, 'fact')} agree", highlight=False)
    for verdict, words_ in ((board_check.DIFFERS, "don't"), (board_check.UNHEARD, "not heard")):
        names = [fact.name for fact in check.facts if fact.verdict == verdict]
        if names:
            out.print(f"{words_}: {', '.join(names)}", highlight=False)
    if not check.silicon:
        out.print("This is no check on silicon: `foliot boards` does not count it.")
